"""Five questions at the end of lesson 0."""

from mha_course.pipeline.examples import article
from mha_course.workbook.asking.written import choice

QUESTIONS = (
    choice("start_here.column-sum", """
        In a table of weights with three words, you add up the column *create*: what all three take from it. What can
        come out?

        - always 1  [one]
          That is a row: what one word takes, from all words together.
        - 1 or less  [at most]
          Nothing stops all three from taking nearly everything from *create*.
        - anything between 0 and 3  [any]
          Nothing limits how often a word is looked at. In the table of head 1 above, the column sums to 2.1.
        - always 3  [three]
          All nine shares together sum to 3. They need not all go to *create*.
        """, right="any"),
    choice("start_here.several-heads", """
        Two things matter to the word *steals*: *who* does it, and *what* is taken. Why are two heads better than one?

        - each head reads another part of the sentence  [parts]
          Every head sees all words. It only gives them other shares.
        - in one set of shares, more for *who* is less for *what*  [ways]
          The shares of a word sum to 1, so two wishes must divide one whole. Two heads have one each.
        - two results are averaged, and an average is more exact than one result  [average]
          Heads are not repeated measurements of one thing: each may answer another question.
        - each of the two words that matter needs a head of its own  [words]
          One head can take from many words, and it serves all words that ask.
        """, right="ways"),
    choice("start_here.read-a-share", """
        Row *le*, column *cat* of a table of weights says 0.4. What does that mean?

        - 0.4 of the mix for *le* comes from *cat*  [takes]
          Queries go down, keys across: the row takes.
        - 0.4 of the mix for *cat* comes from *le*  [given]
          That would stand in row *cat*, column *le*, if *cat* asked.
        - *le* and *cat* share 0.4 with each other  [both]
          Each row is shared out by itself. A table of weights has a direction.
        - *le* means *cat* with probability 0.4  [chance]
          A share says how much is taken over, not what a word means.
        """, right="takes"),
    choice("start_here.negative", """
        You find the number −2.3 in a table that was computed on the way. Which table can it *not* be?

        - scores
          Two words that point in opposite ways have a negative score.
        - values
          What a token hands over may be any numbers.
        - output
          A mix of negative values is negative.
        - weights, the shares  [weights]
          Weights are shares: none is negative, and a row sums to 1.
        """, right="weights"),
    choice("start_here.index", """
        What *disrupt* takes from *innovators*: where does that stand in code, where rows and columns are
        counted from 0? The tokens are *innovators*, *create*, *disrupt*.

        - `weights[3, 1]`  [3,1]
          That is how the text counts, from 1. In NumPy there is no row 3.
        - `weights[2, 0]`  [2,0]
          The row asks, the column answers, and both are counted from 0.
        - `weights[0, 2]`  [0,2]
          That is what *innovators* takes from *disrupt*.
        - `weights[2, 1]`  [2,1]
          That is what *disrupt* takes from *create*.
        """, right=lambda: f"{article.tokens.index('disrupt')},{article.tokens.index('innovators')}"),
)  # fmt: skip

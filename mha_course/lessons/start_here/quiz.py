"""Five questions at the end of lesson 0."""

from mha_course.engine.asking.question_text import choice
from mha_course.forward.examples import article

QUESTIONS = (
    choice("start_here.column-sum", """
        In a table of attention weights for three words, you add up the column *create*: all the attention that *create*
        gets. What can the sum be?

        - always 1  [one]
          That is a row: all the attention that one word has to give.
        - 1 or less  [at most]
          Nothing stops all three words from giving nearly all their attention to *create*.
        - anything between 0 and 3  [any]
          Each word gives *create* something between 0 and 1. In the table of head 1 above, the column sums to 2.1.
        - always 3  [three]
          All nine weights together sum to 3. They are not all in column *create*.
        """, right="any"),
    choice("start_here.several-heads", """
        Two things matter to the word *steals*: *who* does it, and *what* is taken. Why are two heads better than one?

        - each head reads a different part of the sentence  [parts]
          Every head sees all the words here. The heads only weight them differently.
        - in one set of weights, what goes to *who* cannot go to *what*  [ways]
          The weights of a word sum to 1, so the two must divide one whole. With two heads, each has a whole of its own.
        - two results are averaged, and an average is more exact than one result  [average]
          Heads are not repeated measurements of one thing: each may answer a different question.
        - each of the two words that matter needs a head of its own  [words]
          One head can attend to many words, and it works for every word of the sentence.
        """, right="ways"),
    choice("start_here.read-a-share", """
        In a table of weights, the entry in row *le*, column *cat* is 0.4. What does that mean?

        - 0.4 of the mix for *le* comes from *cat*  [takes]
          Queries go down, keys across: the row belongs to the word that attends.
        - 0.4 of the mix for *cat* comes from *le*  [given]
          That would be in row *cat*, column *le*, if *cat* attended to *le*.
        - *le* and *cat* share 0.4 with each other  [both]
          A weight has a direction: it shows how much *le* attends to *cat*, and nothing about the reverse.
        - *le* means *cat* with probability 0.4  [chance]
          A weight says how much of a value goes into the mix, not what a word means.
        """, right="takes"),
    choice("start_here.negative", """
        You find the number −2.3 in one of the tables of a head. Which table can it *not* be?

        - scores
          A score may be any number. Only the softmax rules out negative ones.
        - values
          The values that a token contributes may be any numbers.
        - output
          A mix of negative values is negative.
        - attention weights  [weights]
          They are shares of one whole: none is negative, and a row sums to 1.
        """, right="weights"),
    choice("start_here.index", """
        In code, rows and columns are counted from 0. Which entry is the attention weight that *disrupt* gives to
        *innovators*? The tokens are *innovators*, *create*, *disrupt*.

        - `weights[3, 1]`  [3,1]
          That is how the text counts, from 1. In NumPy there is no row 3.
        - `weights[2, 0]`  [2,0]
          The row of the token that attends, the column of the token that is attended to, both counted from 0.
        - `weights[0, 2]`  [0,2]
          That is how much *innovators* attends to *disrupt*.
        - `weights[2, 1]`  [2,1]
          That is how much *disrupt* attends to *create*.
        """, right=lambda: f"{article.tokens.index('disrupt')},{article.tokens.index('innovators')}"),
)  # fmt: skip

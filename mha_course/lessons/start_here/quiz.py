"""Five questions at the end of lesson 0."""

from mha_course.pipeline.examples import article
from mha_course.workbook.asking.kinds import Choice, Option
from mha_course.workbook.asking.question import Question

QUESTIONS = {
    "start_here.column-sum": Question(
        about="start_here",
        text=(
            "In a table of weights with three words, you add up the column *create*: what all three take from it. What "
            "can come out?"
        ),
        kind=Choice(
            {
                "one": Option("always 1", "That is a row: what one word takes, from all words together."),
                "at most": Option("1 or less", "Nothing stops all three from taking nearly everything from *create*."),
                "any": Option(
                    "anything between 0 and 3",
                    "Nothing limits how often a word is looked at. In head 1 of the picture the column sums to 2.1.",
                ),
                "three": Option("always 3", "All nine shares together sum to 3. They need not all go to *create*."),
            }
        ),
        right="any",
    ),
    "start_here.several-heads": Question(
        about="start_here",
        text="Two things matter to a word: *who*, and *how much*. Why are two heads better than one?",
        kind=Choice(
            {
                "parts": Option(
                    "each head reads another part of the sentence",
                    "Every head sees all words. It only gives them other shares.",
                ),
                "ways": Option(
                    "in one set of shares, more for *who* is less for *how much*",
                    "The shares of a word sum to 1, so two wishes must divide one whole. Two heads have one each.",
                ),
                "average": Option(
                    "two results are averaged, and an average is more exact than one result",
                    "Heads are not repeated measurements of one thing: each may answer another question.",
                ),
                "words": Option(
                    "each of the two words that matter needs a head of its own",
                    "One head can take from many words, and it serves all words that ask.",
                ),
            }
        ),
        right="ways",
    ),
    "start_here.read-a-share": Question(
        about="start_here",
        text="Row *le*, column *cat* of a table of weights says 0.4. What does that mean?",
        kind=Choice(
            {
                "takes": Option(
                    "0.4 of the mix for *le* comes from *cat*", "Queries go down, keys across: the row takes."
                ),
                "given": Option(
                    "0.4 of the mix for *cat* comes from *le*",
                    "That would stand in row *cat*, column *le*, if *cat* asked.",
                ),
                "both": Option(
                    "*le* and *cat* share 0.4 with each other",
                    "Each row is shared out by itself. A table of weights has a direction.",
                ),
                "chance": Option(
                    "*le* means *cat* with probability 0.4",
                    "A share says how much is taken over, not what a word means.",
                ),
            }
        ),
        right="takes",
    ),
    "start_here.negative": Question(
        about="start_here",
        text="You find the number −2.3 in a table that was computed on the way. Which table can it *not* be?",
        kind=Choice(
            {
                "scores": Option("scores", "Two words that point in opposite ways have a negative score."),
                "values": Option("values", "What a token hands over may be any numbers."),
                "output": Option("output", "A mix of negative values is negative."),
                "weights": Option("weights, the shares", "Weights are shares: none is negative, and a row sums to 1."),
            }
        ),
        right="weights",
    ),
    "start_here.index": Question(
        about="start_here",
        text=(
            "What *disrupt* takes from *innovators*: where does that stand in code? The tokens are *innovators*, "
            "*create*, *disrupt*."
        ),
        kind=Choice(
            {
                "3,1": Option("`weights[3, 1]`", "That is how the text counts. In NumPy there is no row 3."),
                "2,0": Option("`weights[2, 0]`", "The row asks, the column answers, and both are counted from 0."),
                "0,2": Option("`weights[0, 2]`", "That is what *innovators* takes from *disrupt*."),
                "2,1": Option("`weights[2, 1]`", "That is what *disrupt* takes from *create*."),
            }
        ),
        right=lambda: f"{article.tokens.index('disrupt')},{article.tokens.index('innovators')}",
    ),
}

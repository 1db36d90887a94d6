"""Five questions at the end of lesson 1."""

import numpy as np

from mha_course.maths.inputs import positional_encoding
from mha_course.workbook.asking.kinds import Choice, Option
from mha_course.workbook.asking.question import Question, only


def _who_gets_row_i():
    batch, table = np.zeros((4, 4, 6)), positional_encoding(4, 6)
    added = batch + table
    fits = {"tokens": (added == table).all(), "sentences": (added == table[:, None, :]).all()}
    return only(fits)


QUESTIONS = {
    "inputs.same-word-twice": Question(
        about="inputs",
        text="*The* stands at position 0 and again at position 4 of a sentence. What about its two rows of X?",
        kind=Choice(
            {
                "equal": Option(
                    "they are equal: same token, same row", "Their embeddings are. Then the positions are added."
                ),
                "difference": Option(
                    "they differ, as the rows of positions 0 and 4 do",
                    "The embedding is the same both times, so only the positions differ.",
                ),
                "nothing": Option("they have nothing in common", "Both contain the same embedding."),
                "one": Option(
                    "there is one row, for both", "X has a row for each token of the sentence, not for each word."
                ),
            }
        ),
        right="difference",
    ),
    "inputs.without-positions": Question(
        about="inputs",
        text="There is no mask, and you forget the positions. What happens with *dog bites man* and *man bites dog*?",
        kind=Choice(
            {
                "error": Option(
                    "an error: X has the wrong shape", "The shape is the same with and without. No error comes."
                ),
                "words": Option(
                    "all words get the same output", "Their embeddings still differ. Only the order is lost."
                ),
                "zero": Option("all outputs become 0", "The embeddings are still there, and their mix is not 0."),
                "same": Option(
                    "*dog* gets the same output in both", "Each word meets the same two others, so its mix is the same."
                ),
            }
        ),
        right="same",
    ),
    "inputs.one-wave": Question(
        about="inputs",
        text="Somebody encodes positions by one sine wave alone, of wavelength 6. What goes wrong?",
        kind=Choice(
            {
                "repeats": Option(
                    "position 6 looks like position 0",
                    "One wave comes back. Several, with lengths chosen well, do not come back together within a text.",
                ),
                "grows": Option(
                    "the numbers grow with the text", "A sine never leaves −1 to 1. Counting 0, 1, 2, … would grow."
                ),
                "negative": Option(
                    "some entries become negative", "That harms nothing: rows of X may hold any numbers."
                ),
                "first": Option(
                    "position 0 gets 0 and is lost", "0 is a number like any other, and the embedding stays."
                ),
            }
        ),
        right="repeats",
    ),
    "inputs.lining-up": Question(
        about="inputs",
        text="To a batch of the shape (4, 4, 6) you add a table of the shape (4, 6). Who gets row *i* of the table?",
        kind=Choice(
            {
                "sentences": Option(
                    "sentence *i*, for each of its tokens",
                    "Shapes line up from their end, so the 4 of the table meets the second axis, that of the tokens.",
                ),
                "nobody": Option("nobody: it is an error", "The axis that is missing in front counts as 1, and fits."),
                "tokens": Option(
                    "token *i* of every sentence", "6 meets 6, 4 meets the tokens, and all sentences share the table."
                ),
                "first": Option(
                    "token *i* of the first sentence only", "The missing axis counts as 1, and is repeated for all."
                ),
            }
        ),
        right=_who_gets_row_i,
    ),
    "inputs.the-mix": Question(
        about="start_here",
        text="From lesson 0: the new description of *disrupt* is made …",
        kind=Choice(
            {
                "largest": Option(
                    "of the word with the largest share alone",
                    "The others count too, each by its share. Nothing is picked.",
                ),
                "all": Option(
                    "of all words, each in its share", "The shares are its row of weights, and they sum to 1."
                ),
                "equal": Option("of all words in equal parts", "That is the special case where all scores are equal."),
                "itself": Option(
                    "of its own row, times its largest share",
                    "Its own row is one part of the mix, and often not the largest.",
                ),
            }
        ),
        right="all",
    ),
}

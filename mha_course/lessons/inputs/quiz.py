"""Five questions at the end of lesson 1."""

import numpy as np

from mha_course.maths.inputs import positional_encoding
from mha_course.workbook.asking.computed import only
from mha_course.workbook.asking.written import choice


def _who_gets_row_i():
    batch, table = np.zeros((4, 4, 6)), positional_encoding(4, 6)
    added = batch + table
    fits = {"tokens": (added == table).all(), "sentences": (added == table[:, None, :]).all()}
    return only(fits)


QUESTIONS = (
    choice("inputs.same-word-twice", """
        *The* stands at position 0 and again at position 4 of a sentence. What about its two rows of X?

        - they are equal: same token, same row  [equal]
          Their embeddings are. Then the positions are added.
        - they differ, as the rows of positions 0 and 4 do  [difference]
          The embedding is the same both times, so only the positions differ.
        - they have nothing in common  [nothing]
          Both contain the same embedding.
        - there is one row, for both  [one]
          X has a row for each token of the sentence, not for each word.
        """, right="difference"),
    choice("inputs.without-positions", """
        There is no mask, and you forget the positions. What happens with *dog bites man* and *man bites dog*?

        - an error: X has the wrong shape  [error]
          The shape is the same with and without. No error comes.
        - all words get the same output  [words]
          Their embeddings still differ. Only the order is lost.
        - all outputs become 0  [zero]
          The embeddings are still there, and their mix is not 0.
        - *dog* gets the same output in both  [same]
          Each word meets the same two others, so its mix is the same.
        """, right="same"),
    choice("inputs.one-wave", """
        Somebody encodes positions by one sine wave alone, of wavelength 6. What goes wrong?

        - position 6 looks like position 0  [repeats]
          One wave comes back. Several, with lengths chosen well, do not come back together within a text.
        - the numbers grow with the text  [grows]
          A sine never leaves −1 to 1. Counting 0, 1, 2, … would grow.
        - some entries become negative  [negative]
          That harms nothing: rows of X may hold any numbers.
        - position 0 gets 0 and is lost  [first]
          0 is a number like any other, and the embedding stays.
        """, right="repeats"),
    choice("inputs.lining-up", """
        To a batch of the shape (4, 4, 6) you add a table of the shape (4, 6). Who gets row *i* of the table?

        - sentence *i*, for each of its tokens  [sentences]
          Shapes line up from their end, so the 4 of the table meets the second axis, that of the tokens.
        - nobody: it is an error  [nobody]
          The axis that is missing in front counts as 1, and fits.
        - token *i* of every sentence  [tokens]
          6 meets 6, 4 meets the tokens, and all sentences share the table.
        - token *i* of the first sentence only  [first]
          The missing axis counts as 1, and is repeated for all.
        """, right=_who_gets_row_i),
    choice("inputs.the-mix", """
        From lesson 0: the new description of *disrupt* is made …

        - of the word with the largest share alone  [largest]
          The others count too, each by its share. Nothing is picked.
        - of all words, each in its share  [all]
          The shares are its row of weights, and they sum to 1.
        - of all words in equal parts  [equal]
          That is the special case where all scores are equal.
        - of its own row, times its largest share  [itself]
          Its own row is one part of the mix, and often not the largest.
        """, right="all", lesson="start_here"),
)  # fmt: skip

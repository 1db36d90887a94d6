"""Five questions at the end of lesson 1."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.maths.inputs import embed


def _looked_up():
    the, others = 4, [7, 9, 12, 30, 31, 40]
    return " × ".join(map(str, embed([*others, the, the, the], np.zeros((50, 8))).shape))


QUESTIONS = (
    choice("inputs.same-word-twice", """
        The token *the* is at position 0 and again at position 4 of a sentence. How do its two rows of X compare?

        - they are equal: same token, same row  [equal]
          Their embeddings are equal. But then the positions are added.
        - they differ just as the encodings of positions 0 and 4 do  [difference]
          The embedding is the same both times, so only the positions differ.
        - they have nothing in common  [nothing]
          Both contain the same embedding.
        - there is one row for both  [one]
          X has a row for each token of the sentence, so *the* has two.
        """, right="difference"),
    choice("inputs.without-positions", """
        Every word may attend to every other, and you forget to add the positions. What happens to *dog bites man* and
        *man bites dog*?

        - an error: X has the wrong shape  [error]
          The shape is the same with and without positions, so there is no error.
        - all words get the same output  [words]
          Their embeddings still differ. Only the order is lost.
        - all outputs become 0  [zero]
          The embeddings are still there, and their mix is not 0.
        - *dog* gets the same output in both  [same]
          It attends to the same three words, so its mix is the same.
        """, right="same"),
    choice("inputs.one-wave", """
        Somebody encodes positions with a single sine wave, of wavelength 6. What goes wrong?

        - position 6 looks like position 0  [repeats]
          One wave repeats. Several waves of well-chosen lengths do not all repeat together within a text.
        - the numbers grow with the text  [grows]
          A sine stays between −1 and 1. Counting 0, 1, 2, … would grow.
        - some entries become negative  [negative]
          That does no harm: rows of X may hold any numbers.
        - position 0 gets 0 and is lost  [first]
          0 is a number like any other, and the embedding stays.
        """, right="repeats"),
    choice("inputs.what-is-looked-up", """
        A vocabulary has 50 tokens, and d_model is 8. A sentence has 9 tokens, three of which are *the*. What shape does
        its X have?

        - 50 × 8
          That is the table of embeddings: a row for each id. X has a row for each token of the sentence.
        - 8 × 9
          Tokens go down, and the d_model numbers of each token go across.
        - 9 × 8
          A row for each token, as wide as an embedding.
        - 7 × 8
          The three tokens *the* have the same embedding, but each has a row of its own.
        """, right=_looked_up),
    choice("inputs.the-mix", """
        From lesson 0: what is the new description of *disrupt* made of?

        - the value of the word with the largest weight, alone  [largest]
          The other values count too, each in proportion to its weight. No single value is picked.
        - the values of all words, each times its weight  [all]
          The weights are those in the row of *disrupt*, and they sum to 1.
        - the values of all words, in equal parts  [equal]
          That is the special case where all scores are equal.
        - its own value, times its largest weight  [itself]
          Its own value is one part of the mix, and often not the largest.
        """, right="all", lesson="start_here"),
)  # fmt: skip

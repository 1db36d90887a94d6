"""Five questions at the end of this lesson; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.maths.attention import attention, scaled_scores, softmax


def _ones():
    """Say what must be so if a mix of ones is 1: try weights of which one thing each is wrong."""
    rng = np.random.default_rng(0)
    scores, seen = rng.normal(size=(3, 4)), np.array([True, True, True, False])
    unlike, hidden_seen, own_sums = softmax(scores), softmax(scores * seen), softmax(scores) * seen
    passes = [np.allclose(weights.sum(axis=-1), 1) for weights in (unlike, hidden_seen, own_sums)]
    return {(True, True, False): "sums"}[tuple(passes)]


def _lets_pass():
    """Find the mistake that a check with all sizes equal lets pass."""
    Q, K, V = np.random.default_rng(0).normal(size=(3, 5, 5))
    wrong = {
        "scale": softmax(Q @ K.T) @ V,
        "keys": softmax(Q @ K.T / np.sqrt(len(K))) @ V,
        "axis": softmax(scaled_scores(Q, K).T).T @ V,
        "swapped": attention(K, Q, V).output,
    }
    right = attention(Q, K, V).output
    return only({name: np.allclose(output, right) for name, output in wrong.items()})


def _needed():
    """Which weights one output row is made of: computed from its own query alone, it is the same."""
    Q, K, V = np.random.default_rng(0).normal(size=(3, 8, 4))
    is_enough = np.allclose(attention(Q[4:5], K, V).output[0], attention(Q, K, V).output[4])
    return "row" if is_enough else "all"


def _scaled_first():
    Q, K = np.random.default_rng(0).normal(size=(2, 3, 64))
    right, moved = scaled_scores(Q, K), (Q / np.sqrt(64)) @ K.T
    return only({"digit": np.allclose(moved, right), "flat": moved.std() < 0.9 * right.std()})


def _renormalised():
    scores, seen = np.random.default_rng(0).normal(size=(3, 4)), np.tile(np.arange(4) < 3, (3, 1))
    late = softmax(scores) * seen
    late = late / late.sum(axis=-1, keepdims=True)
    return only({"same": np.allclose(late, softmax(scores, mask=seen)), "less": (late.sum(axis=-1) < 0.99).all()})


QUESTIONS = (
    choice("find_the_bug.ones", """
        You set all values to 1, and every entry of the output is 1. What do you know now?

        - nothing hidden is seen  [mask]
          A mask that is multiplied into the scores passes, too.
        - each row of weights sums to 1  [sums]
          A sum of weights times 1 is the sum of the weights.
        - the code is right  [right]
          The scale, say, may be wrong: the sums are 1 all the same.
        - all weights of a row are equal  [equal]
          Any weights with the sum 1 give a 1.
        """, right=_ones),
    choice("find_the_bug.scaled-first", """
        From lesson 3: a change request moves the division from the scores to Q. In 64-bit numbers
        of moderate size, what does it change?

        - the weights get flatter  [flat]
          The scores are divided once, as before, only earlier.
        - long keys count more than they did  [keys]
          Keys are as they were, and so are their products.
        - each query is scaled by itself, so rows differ  [axis]
          All queries are divided by the same number.
        - at most the last few digits  [digit]
          A factor may stand on either side of a product. In 16-bit numbers it can matter: large scores can
          overflow before a late division where an early one prevents it.
        """, right=_scaled_first, lesson="scaled_scores"),
    choice("find_the_bug.equal-sizes", """
        A check takes 5 random queries and 5 random keys of width 5, and compares every number. Which mistake does it
        let pass?

        - a division by √n_k  [keys]
          With 5 keys of width 5, √n_k and √d_k are the same number.
        - no division at all  [scale]
          Undivided scores are √5 times as large, and the weights sharper.
        - a softmax over the queries  [axis]
          Then the columns sum to 1 and the rows do not.
        - Q and K swapped  [swapped]
          The table is transposed, and random scores are not symmetric.
        """, right=_lets_pass),
    choice("find_the_bug.renormalised", """
        From lesson 7: code takes the softmax of all scores, sets the hidden weights to 0, and divides each row by its
        new sum. In each row some visible weight is above 0. What comes out?

        - rows with a sum below 1  [less]
          So it would be without the last division.
        - the hidden keys keep a little  [hidden]
          Their weights were set to 0, and 0 stays 0.
        - what −∞ before the softmax gives  [same]
          The visible exponentials, divided by their own sum.
        - equal weights for all visible keys  [equal]
          Each is divided by the same number, no more.
        """, right=_renormalised, lesson="masks"),
    choice("find_the_bug.one-row", """
        A sentence of 10,000 tokens. Which weights is output row 5 made of?

        - column 5 of the table  [column]
          A column belongs to one key. Row 5 needs all keys.
        - the whole table  [all]
          Rows of other queries are not needed: they sum to 1 by themselves.
        - rows 1 to 5  [upto]
          That no query sees later tokens is a matter of the mask.
        - row 5 of the table  [row]
          One query and all keys. So the queries can take turns.
        """, right=_needed),
)  # fmt: skip

"""Five questions at the end of this lesson; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.forward.examples import article, two_heads
from mha_course.maths.attention import attention
from mha_course.maths.heads import merge_heads
from mha_course.maths.multi_head import multi_head_attention
from mha_course.maths.norms import layer_norm


def _one_row():
    """Which rows of feed-forward change with row 3 of five."""
    rng = np.random.default_rng(0)
    x, W_1, W_2 = rng.normal(size=(5, 4)), rng.normal(size=(4, 8)), rng.normal(size=(8, 4))
    other = x.copy()
    other[2] += 1
    changed = (np.maximum(other @ W_1, 0) @ W_2 != np.maximum(x @ W_1, 0) @ W_2).any(axis=-1).tolist()
    rows = {
        "after": [False, False, True, True, True],
        "all": [True] * 5,
        "alone": [False, False, True, False, False],
        "before": [True, True, True, False, False],
    }
    return only({name: changed == pattern for name, pattern in rows.items()})


def _scores_for_twice_the_text():
    short, long = np.ones((10, 4)), np.ones((20, 4))
    return str(attention(long, long, long).scores.size // attention(short, short, short).scores.size)


def _ten_more():
    row = np.array([1.0, 7, 7, 9])
    before, after = layer_norm(row), layer_norm(row + 10)
    forms = {"ten": before + 10, "twice": 2 * before, "same": before, "zeros": 0 * before}
    return only({name: np.allclose(form, after) for name, form in forms.items()})


def _silent_head():
    wide = [merge_heads(W) for W in (two_heads.W_Q, two_heads.W_K, two_heads.W_V)]
    d_v = len(two_heads.W_O) // 2
    W_O = np.concatenate([two_heads.W_O[:d_v], 0 * two_heads.W_O[d_v:]])
    made = multi_head_attention(article.X, *wide, W_O, num_heads=2)
    first = made.heads[0] @ two_heads.W_O[:d_v]
    second = made.heads[1] @ two_heads.W_O[d_v:]
    forms = {"zeros": 0 * first, "half": first / 2, "second": second, "first": first}
    return only({name: np.allclose(form, made.output) for name, form in forms.items()})


QUESTIONS = (
    choice("stacks.one-row", """
        Row 3 of a sentence is changed. Which rows of a feed-forward sublayer's output change?

        - row 3 and all after it  [after]
          That is so with causal attention, which looks back.
        - all rows  [all]
          That is so with attention without a mask. Feed-forward mixes no tokens.
        - row 3 alone  [alone]
          Feed-forward works on each row by itself.
        - row 3 and all before it  [before]
          Nothing in feed-forward leads from one row to another.
        """, right=_one_row),
    choice("stacks.how-many-norms", """
        A pre-norm encoder of 6 layers, built as usual. How many layer norms does it have in all?

        - 12
          One for each of the 12 sublayers, and one more after the last.
        - 13
          Two sublayers in each layer, and one norm at the very end.
        - 7
          Each layer has two sublayers, and each of them its own norm.
        - 18
          That would be three in each layer, as a decoder has.
        """, right="13"),
    choice("stacks.twice-the-text", """
        A text becomes twice as long. How many times as many scores does one head compute?

        - as many as before  [1]
          The parameters do not depend on the length. The scores do.
        - 2 times  [2]
          Twice the queries, and each of them meets twice the keys.
        - 8 times  [8]
          Scores have two axes that grow, queries and keys. The width stays.
        - 4 times  [4]
          n² scores: twice the queries, each with twice the keys.
        """, right=_scores_for_twice_the_text),
    choice("stacks.add-ten", """
        From lesson 9: layer norm, without gain and bias, is given (1, 7, 7, 9) and then (11, 17, 17, 19). What is the
        second result, compared with the first?

        - 10 more in each entry  [ten]
          The mean is subtracted, and the 10 with it.
        - about twice as large  [twice]
          The entries are larger, but no further from their mean.
        - the very same row  [same]
          The mean grows by 10, too, and the variance stays.
        - a row of zeros  [zeros]
          That is so if all entries are equal. These differ as before.
        """, right=_ten_more, lesson="residual_and_norm"),
    choice("stacks.silent-head", """
        From lesson 10: of two heads, the rows of W_O that belong to head 2 are all 0. What does the layer give?

        - what head 1 adds  [first]
          A layer is the sum of its heads, and head 2 adds 0.
        - zeros
          Head 1 has rows of W_O of its own, and adds what it did before.
        - half of what head 1 adds  [half]
          The heads are added. No mean is taken.
        - what head 2 adds  [second]
          With rows of 0 in W_O nothing of head 2 comes through.
        """, right=_silent_head, lesson="what_a_head_does"),
)  # fmt: skip

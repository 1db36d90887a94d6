"""Five questions at the end of lesson 6; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.forward.examples import translation
from mha_course.maths.attention import attention, scaled_scores
from mha_course.maths.heads import merge_heads, split_heads
from mha_course.maths.multi_head import multi_head_attention


def _splits():
    Q = np.arange(10 * 512).reshape(10, 512)
    forms = {
        "alone": Q.reshape(8, 10, 64),
        "tokens first": Q.reshape(10, 8, 64).swapaxes(0, 1),
        "inside": Q.reshape(8, 64, 10).swapaxes(1, 2),
        "interleaved": Q.reshape(10, 64, 8).transpose(2, 0, 1),
    }
    return only({name: np.array_equal(form, split_heads(Q, 8)) for name, form in forms.items()})


def _concatenated():
    wide = [merge_heads(W) for W in (translation.W_Q, translation.W_K, translation.W_V)]
    full = multi_head_attention(translation.X, *wide, translation.W_O, num_heads=2, context=translation.context)
    return " × ".join(map(str, full.concatenation.shape))


def _wrong_root():
    Q, K = np.random.default_rng(0).normal(size=(2, 3, 64))
    factor = (scaled_scores(Q, K, scale=np.sqrt(512)) / scaled_scores(Q, K)).mean()
    return {f"{1 / 8**0.5:.2f}": "flat", f"{8**0.5:.2f}": "sharp", "0.12": "eight", "1.00": "same"}[f"{factor:.2f}"]


def _exchanged():
    Q, K, V = np.random.default_rng(0).normal(size=(3, 4, 4))
    order = [0, 2, 1, 3]
    before, after = attention(Q, K, V).output, attention(Q, K[order], V[order]).output
    return only({"stay": np.allclose(before, after), "rows": np.allclose(before[order], after)})


QUESTIONS = (
    choice("heads.copies", """
        Eight heads all have the same W_Q, W_K and W_V. What do they give that one head does not?

        - a more exact result, once merged  [exact]
          All eight compute the same numbers, to the last digit.
        - weights that are eight times sharper  [sharper]
          Each head has its own softmax, and all eight give the same.
        - nothing new  [nothing]
          The eight outputs are equal. Each head needs parameters of its own.
        - eight views, as each starts elsewhere  [views]
          A head has no starting point: heads differ only in their parameters.
        """, right="nothing"),
    choice("heads.splitting", """
        Q is (10, 512): ten tokens, eight heads of 64 side by side. Which line turns it into (8, 10, 64)?

        - `Q.reshape(10, 8, 64).swapaxes(0, 1)`  [tokens first]
          First cut each token's row into heads, then swap tokens and heads.
        - `Q.reshape(8, 10, 64)`  [alone]
          The shape is right. But the first “head” gets all of token 1, and a part of token 2.
        - `Q.reshape(8, 64, 10).swapaxes(1, 2)`  [inside]
          The first cut already tears the tokens' rows apart.
        - `Q.reshape(10, 64, 8).transpose(2, 0, 1)`  [interleaved]
          Each head would get every eighth column, not 64 adjacent ones.
        """, right=_splits),
    choice("heads.concatenation", """
        Four queries, five keys, d_k = 3, d_v = 6, two heads. What shape does the concatenation have?

        - 8 × 6
          The heads go side by side, not one below the other: a token keeps one row.
        - 4 × 6
          That is the output of one head, or the sum of the two. Here nothing is added up.
        - 5 × 12
          The keys are summed over: there is a row for each query, not for each key.
        - 4 × 12
          A row for each query, and in it two head outputs of width 6.
        """, right=_concatenated),
    choice("heads.wrong-root", """
        From lesson 3: d_model = 512, eight heads of 64, and the code divides by √d_model. What happens to the weights?

        - they are too sharp  [sharp]
          They would be if the divisor were too small. But √512 is 22.6, and √64 is 8.
        - they are too flat  [flat]
          22.6 instead of 8: all differences between scores are too small by a factor of 2.83.
        - nothing: all scores shrink alike  [same]
          Adding one number to all scores leaves the weights unchanged. Dividing does not.
        - they shrink to an eighth  [eight]
          Each row of weights sums to 1, whatever the divisor.
        """, right=_wrong_root, lesson="scaled_scores"),
    choice("heads.exchanged", """
        From lesson 5: you swap rows 2 and 3 of K, and also rows 2 and 3 of V. What happens to the outputs?

        - rows 2 and 3 change places  [rows]
          Rows of the output belong to queries, and Q has not changed.
        - the weights go to the wrong values  [wrong]
          That would happen if you swapped the rows of K alone.
        - they stay as they are  [stay]
          Each key still has its own value, and a sum is the same in any order.
        - columns 2 and 3 change places  [columns]
          The columns of the *weights* do. Those of the output are columns of V.
        """, right=_exchanged, lesson="weighted_sums"),
)  # fmt: skip

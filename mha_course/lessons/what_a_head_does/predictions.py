"""Predictions of the lesson on what a head does."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.forward.examples import article, two_heads
from mha_course.maths.heads import merge_heads
from mha_course.maths.multi_head import multi_head_attention
from mha_course.maths.multi_head_output import MultiHeadOutput

D_MODEL = 512
W_O = np.asarray(two_heads.W_O)
A = np.array([[1, 1, 0], [0, 1, 2], [0, 0, 1]])


def _match():
    """How well the query of create matches the key of disrupt, by the matrix M alone."""
    M = article.W_Q @ article.W_K.T
    return float(article.X[1] @ M @ article.X[2])


def _what_changes():
    """Which of Q, K and the scores change when A is multiplied into W_Q, and taken out again in W_K."""
    X, W_Q, W_K = article.X, article.W_Q, article.W_K
    others = W_Q @ A, W_K @ np.linalg.inv(A).T
    before, after = ((X @ W, X @ V, X @ W @ (X @ V).T) for W, V in ((W_Q, W_K), others))
    same = "".join("01"[bool(np.allclose(one, other))] for one, other in zip(before, after, strict=True))
    return {"001": "rows", "000": "all", "101": "keys", "111": "nothing"}[same]


def _parameters(num_heads):
    """Count the entries of W_Q, W_K, W_V and W_O, with heads that together are as wide as the model."""
    d_k = D_MODEL // num_heads
    return num_heads * 3 * D_MODEL * d_k + num_heads * d_k * D_MODEL


def _layer() -> MultiHeadOutput:
    W_Q, W_K, W_V = (merge_heads(W) for W in (two_heads.W_Q, two_heads.W_K, two_heads.W_V))
    return multi_head_attention(two_heads.X, W_Q, W_K, W_V, W_O, num_heads=2)


def _first_part():
    """What head 1 adds to the first entry of innovators' result."""
    return float(_layer().heads[0, 0] @ W_O[:3, 0])


PREDICTIONS = (
    number("what_a_head_does.without-queries", """
        The row of create is (0, 2, 0, 2), that of disrupt (1, 1, 1, 1), and the rows of M are (1, 1, 0, 1), (0, 1, 0,
        1), (1, 0, 0, 0) and (1, 1, 1, 1). How much is the row of create, times M, times the row of disrupt as a column?
        """, right=_match,
        numbers=lambda: (
            f"the row of create, times M, is ({', '.join(f'{x:g}' for x in article.X[1] @ article.W_Q @ article.W_K.T)}"
            "), and the row of disrupt has only ones. The query of create, times the key of disrupt, was just as much."
        )),
    choice("what_a_head_does.turned", """
        W_Q becomes W_Q A, and W_K becomes W_K (A⁻¹)ᵀ. Which of Q, K and the scores change in general?

        - Q, K and the scores  [all]
          The scores depend only on the product of the two: there A A⁻¹ cancels.
        - K and the scores  [keys]
          Q is X W_Q, so it is multiplied by A as W_Q is.
        - Q and K  [rows]
          Each is another matrix now, but the product Q Kᵀ has A A⁻¹ in its middle.
        - none of them  [nothing]
          Q is X W_Q A now. A cancels only in the product with Kᵀ.
        """, right=_what_changes,
        numbers=lambda: (
            f"the query of create was {article.X[1] @ article.W_Q}, now it is "
            f"{article.X[1] @ article.W_Q @ A}; its score for disrupt is {_match():g}, before and after."
        )),
    choice("what_a_head_does.parameters", """
        d_model = 512. Compare 8 heads of 64 with 1 head of 512: how many parameters do the eight have?

        - 8 times as many  [8]
          Eight times as many matrices, but each of them is an eighth as wide.
        - as many  [1]
          What counts is the width of all heads together, and that is 512 both times.
        - an eighth  [0.125]
          One head of 64 has an eighth. There are eight of them.
        """, right=lambda: f"{_parameters(8) / _parameters(1):g}",
        numbers=lambda: f"{_parameters(8):,} and {_parameters(1):,}."),
    number("what_a_head_does.second-part", f"""
        The result of innovators begins with {_layer().output[0, 0]:.2f}. Without head 2, which means with zeros in its
        place, it begins with {_first_part():.2f}. What does it begin with if head 1 is left out?
        """, right=lambda: round(float(_layer().heads[1, 0] @ W_O[3:, 0]), 4),
        numbers=lambda: f"{_layer().output[0, 0]:.4f} is the sum of {_first_part():.4f} and what head 2 adds.",
        tolerance=0.011),
)  # fmt: skip

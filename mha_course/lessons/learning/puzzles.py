"""Answers in lines, to be put in order, of lesson 13."""

from mha_course.engine.checking.puzzle import Puzzle
from mha_course.maths.attention import attention

PUZZLES = {
    "learning.one_head": Puzzle(
        makes=(
            "This function is the backward pass of one attention under a mask: from G, the gradient of a loss for "
            "the output, to those for Q, K and V."
        ),
        head="def my_gradients(Q, K, V, G, mask):",
        lines=(
            "weights = attention(Q, K, V, mask=mask).weights",
            "dV = weights.T @ G",
            "dA = G @ V.T",
            "mean = (weights * dA).sum(axis=-1, keepdims=True)",
            "dS = weights * (dA - mean) / np.sqrt(Q.shape[-1])",
            "return dS @ K, dS.T @ Q, dV",
        ),
        wrong=(
            "mean = dA.mean(axis=-1, keepdims=True)",
            "return dS @ K, dS @ Q, dV",
        ),
        names={"attention": attention},
    ),
}

"""Answers in lines, to be put in order, of lesson 5."""

from mha_course.engine.checking.puzzle import Puzzle
from mha_course.maths.attention import softmax

PUZZLES = {
    "weighted_sums.from_inputs": Puzzle(
        makes="One complete head: queries from X, keys and values from the context.",
        head="def my_head(X, context, W_Q, W_K, W_V):",
        lines=(
            "Q = X @ W_Q",
            "K = context @ W_K",
            "V = context @ W_V",
            "scores = Q @ K.T / np.sqrt(Q.shape[-1])",
            "weights = softmax(scores)",
            "return weights @ V",
        ),
        wrong=(
            "K = X @ W_K",
            "return weights @ K",
        ),
        names={"softmax": softmax},
    ),
}

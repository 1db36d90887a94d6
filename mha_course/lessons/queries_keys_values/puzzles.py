"""Answers in lines, to be put in order, of lesson 2."""

from mha_course.engine.checking.puzzle import Puzzle

PUZZLES = {
    "queries_keys_values.fused": Puzzle(
        makes=(
            "W holds W_Q, W_K and W_V side by side, all of the same width. One product gives Q, K and V; X "
            "may have a batch axis in front. Inside brackets, ... stands for all axes in front."
        ),
        head="def my_fused(X, W):",
        lines=(
            "wide = X @ W",
            "width = wide.shape[-1] // 3",
            "Q = wide[..., :width]",
            "K = wide[..., width : 2 * width]",
            "V = wide[..., 2 * width :]",
            "return Q, K, V",
        ),
        wrong=(
            "width = X.shape[-1]",
            "return Q, V, K",
        ),
    ),
}

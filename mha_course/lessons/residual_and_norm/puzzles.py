"""Answers in lines, to be put in order, of lesson 9."""

from mha_course.engine.checking.puzzle import Puzzle

PUZZLES = {
    "residual_and_norm.layer_norm": Puzzle(
        makes=(
            "This function gives each row of x mean 0 and variance 1, then stretches its columns by gain and moves "
            "them by bias."
        ),
        head="def my_layer_norm(x, gain, bias, eps):",
        lines=(
            "mean = x.mean(axis=-1, keepdims=True)",
            "variance = x.var(axis=-1, keepdims=True)",
            "normalised = (x - mean) / np.sqrt(variance + eps)",
            "stretched = normalised * gain",
            "return stretched + bias",
        ),
        wrong=(
            "variance = x.var(axis=-2, keepdims=True)",
            "normalised = (x - mean) / (variance + eps)",
        ),
    ),
}

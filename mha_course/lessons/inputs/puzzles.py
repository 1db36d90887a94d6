"""Answers in lines, to be put in order, of lesson 1."""

from mha_course.engine.checking.puzzle import Puzzle

PUZZLES = {
    "inputs.encoding": Puzzle(
        makes=(
            "This function gives each position its row of waves: pair i of columns holds the sine and the cosine "
            "of pos / 10000^(2i/d_model)."
        ),
        head="def my_encoding(positions, d_model):",
        lines=(
            "pairs = np.arange(d_model // 2)",
            "angles = positions[:, None] / 10000 ** (2 * pairs / d_model)",
            "table = np.zeros((len(positions), d_model))",
            "table[:, 0::2] = np.sin(angles)",
            "table[:, 1::2] = np.cos(angles)",
            "return table",
        ),
        wrong=(
            "pairs = np.arange(d_model // 2) + 1",
            "angles = positions[:, None] / 10000 ** (pairs / d_model)",
        ),
    ),
}

"""Answers in lines, to be put in order, of lesson 4."""

from mha_course.engine.checking.puzzle import Puzzle
from mha_course.maths.attention import softmax

PUZZLES = {
    "softmax.general": Puzzle(
        makes="This function turns every row of scores into weights, at a temperature; no score is too large for it.",
        head="def my_softmax(scores, temperature):",
        lines=(
            "cooled = scores / temperature",
            "largest = cooled.max(axis=-1, keepdims=True)",
            "exponentials = np.exp(cooled - largest)",
            "sums = exponentials.sum(axis=-1, keepdims=True)",
            "return exponentials / sums",
        ),
        wrong=(
            "cooled = scores * temperature",
            "sums = exponentials.sum(axis=-2, keepdims=True)",
        ),
        names={"softmax": softmax},
    ),
}

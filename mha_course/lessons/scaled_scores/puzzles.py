"""Answers in lines, to be put in order, of lesson 3."""

from mha_course.engine.checking.puzzle import Puzzle

PUZZLES = {
    "scaled_scores.batch": Puzzle(
        makes=(
            "This function scales the products of all queries with all keys, whatever axes come before the last two."
        ),
        head="def my_batch_scores(Q, K):",
        lines=(
            "d_k = Q.shape[-1]",
            "turned = K.swapaxes(-1, -2)",
            "products = Q @ turned",
            "return products / np.sqrt(d_k)",
        ),
        wrong=(
            "d_k = Q.shape[1]",
            "turned = K.T",
        ),
    ),
}

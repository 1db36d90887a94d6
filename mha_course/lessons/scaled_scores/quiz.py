"""Five questions at the end of lesson 3; two of them are about earlier lessons."""

import numpy as np

from mha_course.maths.scores import scaled_scores
from mha_course.workbook.asking.kinds import Choice, Option
from mha_course.workbook.asking.question import Question, shape_of


def _draw(*shapes):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


def _divisor():
    """What the course's function divides by, for queries and keys of width 64."""
    Q, K = _draw((2, 64), (3, 64))
    return f"{(Q @ K.T / scaled_scores(Q, K)).mean():.3g}"


def _without_transpose():
    Q, K = _draw((4, 3), (5, 3))
    shape = shape_of(lambda: Q @ K)
    return "error" if shape is None else f"{shape[0]} × {shape[1]}"


QUESTIONS = {
    "scaled_scores.which-root": Question(
        about="scaled_scores",
        text="A model has d_model = 512 and 8 heads with d_k = 64. By what does each head divide its dot products?",
        kind=Choice(
            {
                "22.6": Option(
                    "√512 ≈ 22.6", "d_model is the width of X. A dot product adds up d_k products, not d_model."
                ),
                "64": Option(
                    "64",
                    "The typical product of a random query and key grows like the root of d_k. Divided by d_k itself, "
                    "such scores would be nearly equal.",
                ),
                "2.83": Option("√8 ≈ 2.83", "The number of heads plays no part inside a head."),
                "8": Option("8", "The root of 64: queries and keys in a head are 64 wide."),
            }
        ),
        right=_divisor,
    ),
    "scaled_scores.forgotten-transpose": Question(
        about="scaled_scores",
        text="Q is 4 × 3 and K is 5 × 3. What does `Q @ K` give?",
        kind=Choice(
            {
                "error": Option("an error", "3 columns do not fit 5 rows. If K had 3 rows, it would run and be wrong."),
                "4 × 5": Option("4 × 5", "That is `Q @ K.T`: the keys must stand as columns."),
                "4 × 3": Option("4 × 3", "It would be, if K had 3 rows. Then the mistake would stay hidden."),
                "5 × 4": Option("5 × 4", "That is `K @ Q.T`, with keys down and queries across."),
            }
        ),
        right=_without_transpose,
    ),
    "scaled_scores.forgotten-scale": Question(
        about="scaled_scores",
        text="You forget to divide by √d_k. What changes in a row of scores?",
        kind=Choice(
            {
                "order": Option(
                    "another key may come first",
                    "All scores are multiplied by the same number: none overtakes another.",
                ),
                "nothing": Option(
                    "nothing that matters: the softmax takes out a common factor",
                    "It takes out what is *added* to all, not a factor.",
                ),
                "factor": Option(
                    "all are multiplied by one factor",
                    "The order stays, but the differences are √d_k times as large, and so the shares are sharper.",
                ),
                "largest": Option(
                    "only the largest grows", "Every dot product of the row is √d_k times as large, not one alone."
                ),
            }
        ),
        right="factor",
    ),
    "scaled_scores.same-width": Question(
        about="queries_keys_values",
        text="From lesson 2: which two tables must have the same *width*?",
        kind=Choice(
            {
                "KV": Option("K and V", "They have equally many rows. A value may be wider than its key."),
                "QK": Option("Q and K", "A query is multiplied by a key, entry by entry."),
                "QV": Option("Q and V", "A query never meets a value."),
                "all": Option(
                    "Q, K and V",
                    "In the article that happens to be so. In the translation example V is 6 wide, Q and K are 3.",
                ),
            }
        ),
        right="QK",
    ),
    "scaled_scores.positions-afterwards": Question(
        about="inputs",
        text=(
            "From lesson 1: somebody adds the positional encoding to the *output* of attention, not to its input. "
            "There is no mask. What happens?"
        ),
        kind=Choice(
            {
                "same": Option(
                    "nothing changes, a sum may be taken in any order",
                    "Between the two stand the products and the softmax. They get other rows.",
                ),
                "error": Option(
                    "an error: the shapes differ", "Where the output is d_model wide, it fits, and no error comes."
                ),
                "shares": Option(
                    "the shares know nothing of order",
                    "The scores are made from rows that do not say where they stand.",
                ),
                "twice": Option("each position counts twice", "It counts once, but too late for the scores."),
            }
        ),
        right="shares",
    ),
}

"""Five questions at the end of lesson 9; two of them are about earlier lessons."""

import numpy as np

from mha_course.asking.kinds import Choice, Option
from mha_course.asking.question import Question, only
from mha_course.maths.attention import attention
from mha_course.maths.scores import scaled_scores


def _shared():
    """Count three shared 4 × 4 matrices and an output matrix of width 8."""
    return str(sum(np.ones(shape).size for shape in ((4, 4), (4, 4), (4, 4), (8, 8))))


def _scaled_first():
    Q, K = np.random.default_rng(0).normal(size=(2, 3, 64))
    right, moved = scaled_scores(Q, K), (Q / np.sqrt(64)) @ K.T
    return only({"digit": np.allclose(moved, right), "flat": moved.std() < 0.9 * right.std()})


def _unshifted():
    with np.errstate(all="ignore"):
        powers = np.exp([710.0, 0.0])
        return {True: "nan", False: "sure"}[bool(np.isnan(powers / powers.sum())[0])]


def _needed():
    """Which weights one output row is made of: computed from its own query alone, it is the same."""
    Q, K, V = np.random.default_rng(0).normal(size=(3, 8, 4))
    is_enough = np.allclose(attention(Q[4:5], K, V).output[0], attention(Q, K, V).output[4])
    return "row" if is_enough else "all"


QUESTIONS = {
    "five_treatments.positive": Question(
        about="five_treatments",
        text=(
            "All inputs and weights are drawn between 0 and 1, at width 100. All queries of a sentence get the same "
            "row. Why?"
        ),
        kind=Choice(
            {
                "mean": Option(
                    "the shares are all equal, so each row is the mean of the values",
                    "Equal shares would give equal rows, too. But here the scores are huge and lie far apart.",
                ),
                "inputs": Option("four equal queries came in", "The inputs differ. What they point at does not."),
                "W_O": Option("W_O adds up all rows", "W_O mixes the columns of a row, never two rows."),
                "key": Option(
                    "in each head, every query takes one and the same key",
                    "Nearly parallel queries and huge scores: one key wins by far, and for all of them.",
                ),
            }
        ),
        right="key",
    ),
    "five_treatments.shared-count": Question(
        about="five_treatments",
        text=(
            "Width 8, two heads that share one 4 × 4 matrix for queries, one for keys, one for values; W_O is 8 × 8. "
            "How many parameters, without biases?"
        ),
        kind=Choice(
            {
                "112": Option("112", "3 · 16 for the shared ones and 64 for W_O."),
                "256": Option("256", "That is 4 · 8²: heads with matrices of their own, which see the whole row."),
                "160": Option("160", "That counts the shared matrices once for each head. They exist once."),
                "64": Option("64", "That is W_O alone, or four matrices of 4 × 4."),
            }
        ),
        right=_shared,
    ),
    "five_treatments.scaled-first": Question(
        about="scaled_scores",
        text="From lesson 3: a change request moves the division from the scores to Q. What does it change?",
        kind=Choice(
            {
                "flat": Option("the shares get flatter", "The scores are divided once, as before, only earlier."),
                "digit": Option("at most the last digit", "A factor may stand on either side of a product."),
                "keys": Option(
                    "long keys count more than they did", "Keys are as they were, and so are their products."
                ),
                "axis": Option(
                    "each query is scaled by itself, so rows differ", "All queries are divided by the same number."
                ),
            }
        ),
        right=_scaled_first,
    ),
    "five_treatments.unshifted": Question(
        about="softmax",
        text=(
            "From lesson 4: code computes `np.exp(scores)` as they are, and divides by the sum. A row of scores is 710 "
            "and 0. What is the first share?"
        ),
        kind=Choice(
            {
                "sure": Option("1", "It would be, had the largest score been subtracted first."),
                "inf": Option("inf", "The power is infinite, but so is the sum that it is divided by."),
                "nan": Option("nan", "e to the power of 710 is infinite for the computer, and ∞ / ∞ is no number."),
                "error": Option("an error", "NumPy prints a warning, and goes on computing."),
            }
        ),
        right=_unshifted,
    ),
    "five_treatments.one-row": Question(
        about="five_treatments",
        text="A sentence of 10,000 tokens. Which weights is output row 5 made of?",
        kind=Choice(
            {
                "column": Option("column 5 of the table", "A column belongs to one key. Row 5 needs all keys."),
                "all": Option("the whole table", "Rows of other queries are not needed: they sum to 1 by themselves."),
                "upto": Option("rows 1 to 5", "That no query sees later tokens is a matter of the mask."),
                "row": Option("row 5 of the table", "One query and all keys. So the queries can take turns."),
            }
        ),
        right=_needed,
    ),
}

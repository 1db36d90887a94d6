"""A dot product: one row times another, entry by entry, and the sum."""

import numpy as np

from mha_course.workbook.checking.exercise import Mistake
from mha_course.workbook.checking.recipe import Step

PAIR = Step(
    "pairs",
    lambda one, other: one * other,
    (
        Mistake(
            "It adds the pairs instead of multiplying them.",
            "A product is large only if both entries are. A sum is large already if one is.",
        ).by(lambda one, other: one + other),
        Mistake(
            "It subtracts the pairs instead of multiplying them.",
            "A difference says how far apart two entries are. A product says how well they go together.",
        ).by(lambda one, other: one - other),
        Mistake(
            "It measures how far apart the two are.",
            "A distance is small where the two are alike. A dot product is then large.",
        ).by(lambda one, other: (one - other) * (one - other), lambda one, other: abs(one - other)),
        Mistake(
            "It divides the pairs instead of multiplying them.",
            "Each pair gives a product.",
        ).by(lambda one, other: one / other),
        Mistake(
            "The second row is read backwards.",
            "Entry 1 meets entry 1, the last meets the last.",
        ).by(lambda one, other: one * other[::-1]),
        Mistake(
            "The last pair is left out.",
            "Every entry counts: range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier.",
        ).by(lambda one, other: one[:-1] * other[:-1]),
        Mistake(
            "The first pair is left out.",
            "Counting begins at 0: range(1, n) leaves out the first.",
        ).by(lambda one, other: one[1:] * other[1:]),
        Mistake(
            "The products have lost their signs.",
            "An entry below 0 times one above 0 is below 0: it takes away from the sum, and must stay so.",
        ).by(lambda one, other: abs(one * other)),
    ),
)


WRONG_SUMS = (
    Mistake("The sum is missing.", "The products of the pairs are right. What is wanted is their sum.").by(
        lambda pairs: pairs
    ),
    Mistake(
        "It multiplies every entry with every other.",
        "np.outer makes a whole table. Only entry 1 with entry 1, 2 with 2, and so on are wanted.",
    ).by(lambda one, other: one[:, None] * other[None, :]),
    Mistake(
        "It adds first and multiplies then.",
        "Multiply in pairs, then add the products. The product of the two sums also counts pairs that do not "
        "belong together.",
    ).by(lambda one, other: one.sum() * other.sum()),
    Mistake(
        "It takes the mean instead of the sum.",
        "A dot product is the sum itself. How many pairs there are divides nothing here.",
    ).by(lambda pairs: pairs.sum() / pairs.size),
    Mistake(
        "It multiplies the products with each other.",
        "np.prod multiplies. The products of the pairs are added: sum.",
    ).by(lambda pairs: np.prod(pairs)),
    Mistake(
        "It takes the largest product only.",
        "Every pair counts: add them all.",
    ).by(lambda pairs: pairs.max()),
    Mistake(
        "It divides by the lengths of both rows.",
        "That is the cosine of the angle between them. A dot product grows with the lengths.",
    ).by(lambda one, other: (one @ other) / ((one @ one) ** 0.5 * (other @ other) ** 0.5)),
    Mistake(
        "It is scaled already.",
        "Only the dot product is wanted here. The scale comes later.",
    ).by(lambda pairs: pairs.sum() / len(pairs) ** 0.5),
    Mistake(
        "The sum has lost its sign.",
        "A dot product may be negative: it stays so.",
    ).by(lambda pairs: abs(pairs.sum())),
)


def add_up(makes: str) -> Step:
    """Return the step that adds the products of the pairs. makes: the name of their sum."""
    return Step(makes, lambda pairs: pairs.sum(), WRONG_SUMS)

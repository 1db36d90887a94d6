"""A dot product: one row times another, entry by entry, and the sum."""

import numpy as np

from mha_course.engine.checking.exercise import mistake
from mha_course.engine.checking.solution import Step

PAIR = Step(
    "pairs",
    lambda one, other: one * other,
    mistake("It adds the pairs instead of multiplying them.",
            "A product is large only if both entries are. A sum is large already if one is.",
            lambda one, other: one + other),
    mistake("It subtracts the pairs instead of multiplying them.",
            "A difference says how far apart two entries are. A product says how well they go together.",
            lambda one, other: one - other),
    mistake("It measures a distance, not a dot product.",
            "A distance is small where the two are alike. A dot product is then large.",
            lambda one, other: (one - other) * (one - other),
            lambda one, other: -(one - other) * (one - other),
            lambda one, other: abs(one - other)),
    mistake("It divides the pairs instead of multiplying them.",
            "Each pair gives a product.",
            lambda one, other: one / other),
    mistake("The second row is read backwards.",
            "Entry 1 meets entry 1, the last meets the last.",
            lambda one, other: one * other[::-1]),
    mistake("The last pair is left out.",
            "Every entry counts: range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier.",
            lambda one, other: one[:-1] * other[:-1]),
    mistake("The first pair is left out.",
            "Counting begins at 0: range(1, n) leaves out the first.",
            lambda one, other: one[1:] * other[1:]),
    mistake("The products have lost their signs.",
            "A negative entry times a positive one is negative: it makes the sum smaller, and must stay negative.",
            lambda one, other: abs(one * other)),
)


WRONG_SUMS = (
    mistake("The sum is missing.",
            "The products of the pairs are right. Now add them up.",
            lambda pairs: pairs),
    mistake("It multiplies every entry with every other.",
            "np.outer makes a whole table. Only entry 1 with entry 1, 2 with 2, and so on are wanted.",
            lambda one, other: one[:, None] * other[None, :]),
    mistake("It adds first and multiplies afterwards.",
            "Multiply in pairs, then add the products. The product of the two sums also counts pairs that do not "
            "belong together.",
            lambda one, other: one.sum() * other.sum()),
    mistake("It takes the mean instead of the sum.",
            "A dot product is the sum itself. How many pairs there are divides nothing here.",
            lambda pairs: pairs.sum() / pairs.size),
    mistake("It multiplies the products with each other.",
            "np.prod multiplies. The products of the pairs are added: sum.",
            lambda pairs: np.prod(pairs)),
    mistake("It takes the largest product only.", "Every pair counts: add them all.", lambda pairs: pairs.max()),
    mistake("It divides by the lengths of both rows.",
            "That is the cosine of the angle between them. A dot product grows with the lengths.",
            lambda one, other: (one @ other) / ((one @ one) ** 0.5 * (other @ other) ** 0.5)),
    mistake("The result is already scaled.",
            "Only the dot product is wanted here. The scale comes later.",
            lambda pairs: pairs.sum() / len(pairs) ** 0.5,
            lambda pairs, one: pairs.sum() / len(one) ** 0.5),
    mistake("The sum begins at 1.", "Before the first product the sum is 0.", lambda pairs: pairs.sum() + 1),
    mistake("The sum has lost its sign.",
            "A dot product may be negative: it stays so.", lambda pairs: abs(pairs.sum())),
)


def add_up(makes: str) -> Step:
    """Return the step that adds the products of the pairs. makes: the name of their sum."""
    return Step(makes, lambda pairs: pairs.sum(), *WRONG_SUMS)

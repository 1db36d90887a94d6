"""Exercises with a table, and with several results: what each filter answers to each signal; least, mean and most."""

import numpy as np

from mha_course.engine import Case, Exercise, Recipe, Step, slip

PRODUCTS = Step(
    "products",
    lambda signals, filters: signals @ filters.T,
    slip(
        "The filters are reshaped.",
        "Turn them over: .T.",
        lambda signals, filters: signals @ filters.reshape(-1, len(filters)),
    ),
)
TAPS = Step(
    "taps",
    lambda filters: filters.shape[-1],
    slip("The number of taps is that of the example.", "Take it from the shape.", lambda: 4),
    slip("The filters are counted, not their taps.", "Divide by the width.", lambda filters: len(filters)),
)
MEANS = Step(
    "answers",
    lambda products, taps: products / taps,
    slip("The sums are not divided.", "A mean divides a sum by how many it has.", lambda products: products),
    slip("It multiplies by the number of taps.", "A mean divides.", lambda products, taps: products * taps),
)
BANK = Exercise(
    "convolution.bank",
    "A bank of filters",
    Recipe("signals filters", [PRODUCTS, TAPS, MEANS]),
    cases=[
        Case(
            "the example",
            (np.array([[2, 0, 0, 4], [0, 4, 0, 0]]), np.array([[3, 1, 0, 1], [5, 2, 0, 0], [1, 1, 1, 1]])),
        ),
        Case("4 signals, 5 filters", lambda draw: draw((4, 3), (5, 3))),
        Case("one signal", lambda draw: draw((1, 6), (4, 6))),
        Case("more signals than filters", lambda draw: draw((5, 4), (2, 4))),
        Case("float32", lambda draw: tuple(map(np.float32, draw((2, 5), (3, 5))))),
    ],
    notice="Each entry is one mean.",
)
ENDS = Exercise(
    "averages.ends",
    "Least, mean and most",
    Recipe(
        "signal",
        [
            Step("low high", lambda signal: (signal.min(), signal.max())),
            Step("middle", lambda signal: signal.mean()),
        ],
        "low middle high",
    ),
    cases=[Case("the example", (np.array([1.0, -2.0, 4.0]),)), Case("five numbers", lambda draw: draw((5,)))],
    notice="The mean lies between the other two.",
)

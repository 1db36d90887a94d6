"""Exercises with a table, and with several results: what each filter answers to each signal; least, mean and most."""

import numpy as np

from mha_course.engine import Case, Exercise, Solution, Step, mistake

PRODUCTS = Step(
    "products",
    lambda signals, filters: signals @ filters.T,
    mistake(
        "The filters are reshaped.",
        "Turn them over: .T.",
        lambda signals, filters: signals @ filters.reshape(-1, len(filters)),
    ),
)
TAPS = Step(
    "taps",
    lambda filters: filters.shape[-1],
    mistake("The number of taps is that of the example.", "Take it from the shape.", lambda: 4),
    mistake("The filters are counted, not their taps.", "Divide by the width.", lambda filters: len(filters)),
)
MEANS = Step(
    "answers",
    lambda products, taps: products / taps,
    mistake("The sums are not divided.", "A mean divides a sum by how many it has.", lambda products: products),
    mistake("It multiplies by the number of taps.", "A mean divides.", lambda products, taps: products * taps),
)
BANK = Exercise(
    "convolution.bank",
    "A bank of filters",
    Solution("signals filters", [PRODUCTS, TAPS, MEANS]),
    cases=[
        Case(
            "the example",
            (np.array([[2, 0, 0, 4], [0, 4, 0, 0]]), np.array([[3, 1, 0, 1], [5, 2, 0, 0], [1, 1, 1, 1]])),
        ),
        Case("4 signals, 5 filters", lambda sample: sample((4, 3), (5, 3))),
        Case("one signal", lambda sample: sample((1, 6), (4, 6))),
        Case("more signals than filters", lambda sample: sample((5, 4), (2, 4))),
        Case("float32", lambda sample: tuple(map(np.float32, sample((2, 5), (3, 5))))),
    ],
    notice="Each entry is one mean.",
)
ENDS = Exercise(
    "averages.ends",
    "Least, mean and most",
    Solution(
        "signal",
        [
            Step("low high", lambda signal: (signal.min(), signal.max())),
            Step("middle", lambda signal: signal.mean()),
        ],
        "low middle high",
    ),
    cases=[Case("the example", (np.array([1.0, -2.0, 4.0]),)), Case("five numbers", lambda sample: sample((5,)))],
    notice="The mean lies between the other two.",
)

"""Two lessons on filters, with an exercise of every sort."""

import numpy as np

from mha_course.workbook import Case, Course, Exercise, Lesson, Puzzle, Recipe, Step, slip

FLIP = Step(
    "taps",
    lambda kernel: kernel[::-1],
    slip("The kernel is not flipped.", "That is a cross-correlation.", lambda kernel: kernel),
)


def _windows(signal, taps):
    return np.stack([signal[i : len(signal) - len(taps) + 1 + i] for i in range(len(taps))])


SLIDE = Step(
    "result",
    lambda signal, taps: taps @ _windows(signal, taps),
    slip("The products are not added.", "Each place of the result is one sum.", lambda signal, taps: taps[0] * signal),
    slip(
        "The last place is missing.",
        "There are len(signal) - len(kernel) + 1 places.",
        lambda signal, taps: (taps @ _windows(signal, taps))[:-1],
    ),
    slip(
        "It is divided by the length of the kernel.",
        "That would be a mean; the kernel says itself how much each counts.",
        lambda signal, taps: taps @ _windows(signal, taps) / len(taps),
    ),
)
VALID = Exercise(
    "convolution.valid",
    "Convolution",
    Recipe("signal kernel", [FLIP, SLIDE]),
    cases=[
        Case("the example", (np.array([1.0, 2.0, 4.0, 8.0]), np.array([1.0, -1.0]))),
        Case("longer", lambda draw: draw((9,), (3,))),
        Case("as long as the signal", lambda draw: draw((4,), (4,))),
    ],
    notice="The kernel runs backwards, so that convolution may be done in any order.",
)
WHOLE = Step(
    "total",
    lambda signal: signal.sum(),
    slip("It adds the magnitudes.", "Signs count.", lambda signal: np.abs(signal).sum()),
)
MEAN = Exercise(
    "averages.mean",
    "The mean",
    Recipe("signal", [WHOLE, Step("mean", lambda total, signal: total / len(signal))]),
    cases=[
        Case("the example", (np.array([1.0, -2.0, 4.0]),)),
        Case("five numbers", lambda draw: draw((5,))),
    ],
    notice="A kernel of equal taps does the same at every place.",
)
IN_LINES = Puzzle(
    "The mean of a signal.",
    "def my_mean(signal):",
    ("total = np.sum(signal)", "return total / len(signal)"),
    ("total = np.max(signal)",),
)


def lessons():
    """Return the lessons, made anew."""
    return [
        Lesson("convolution", exercises=[VALID]),
        Lesson("averages", "Moving averages", number=2, exercises=[MEAN], puzzles={"averages.mean": IN_LINES}),
    ]


def course():
    """Return the course in use, with the progress of whoever runs it."""
    return Course(lessons())

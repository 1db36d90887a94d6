"""Two lessons on filters, with an exercise of every sort."""

import numpy as np

from mha_course.workbook import (
    Case,
    Course,
    Exercise,
    Lesson,
    Puzzle,
    Recipe,
    Step,
    choice,
    number,
    order,
    part,
    several,
    slip,
    task,
)  # fmt: skip
from mha_course.workbook.asking.kinds import Number

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
PREDICTIONS = (
    number("convolution.places", """
        A signal has 10 numbers, a kernel 3. How many places does their valid convolution have?
        """, right=lambda: len(np.convolve(np.zeros(10), np.zeros(3), mode="valid")),
        numbers=lambda: "10 - 3 + 1."),
    order("convolution.lengths", """
        Put the three modes in order of how many numbers they give, the fewest first.

        - full
        - same
        - valid
        """, right=lambda: ["valid", "same", "full"]),
)  # fmt: skip
QUIZ = (
    choice("averages.flipped", """
        From lesson 1: a kernel of equal taps is not flipped. What changes?

        - nothing
          It is the same read from either end.
        - every number  [all]
          Only a kernel that is not its own mirror image tells.
        """, right="nothing", lesson="convolution"),
)  # fmt: skip
TASKS = (
    task(
        "averages.by-hand", "By hand",
        part("What is the mean of 2, 4 and 9?", Number(5)),
        several("""
            Which of these are true of a mean?

            - It lies between the smallest and the largest number.  [between]
              No number lies further out than these two.
            - It is one of the numbers.  [one]
              The mean of 2 and 4 is 3.
            """, {"between": True, "one": False}),
        notice="A mean is a sum with equal weights.",
    ),
)  # fmt: skip


def lessons():
    """Return the lessons, made anew."""
    return [
        Lesson("convolution", exercises=[VALID], predictions=PREDICTIONS),
        Lesson(
            "averages",
            "Moving averages",
            number=2,
            exercises=[MEAN],
            quiz=QUIZ,
            tasks=TASKS,
            puzzles={"averages.mean": IN_LINES},
        ),
    ]


def course():
    """Return the course in use, with the progress of whoever runs it."""
    return Course(lessons())

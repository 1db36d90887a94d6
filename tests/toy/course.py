"""Two lessons on filters, with an exercise of every sort."""

import numpy as np

from mha_course.engine import (
    Case,
    Course,
    Exercise,
    Identity,
    Lesson,
    Puzzle,
    Solution,
    Step,
    choice,
    mistake,
    number,
    order,
    part,
    several,
    task,
)  # fmt: skip
from mha_course.engine.asking.kinds import Number
from mha_course.engine.asking.numbers import Numbers
from mha_course.engine.course.tasks_from_solutions import mistakes_of, with_one_wrong
from mha_course.engine.pictures.practice import Table

SIGNALS = Identity("Signals", "toy")
FLIP = Step(
    "taps",
    lambda kernel: kernel[::-1],
    mistake("The kernel is not flipped.", "That is a cross-correlation.", lambda kernel: kernel),
)


def _windows(signal, taps):
    return np.stack([signal[i : len(signal) - len(taps) + 1 + i] for i in range(len(taps))])


SLIDE = Step(
    "result",
    lambda signal, taps: taps @ _windows(signal, taps),
    mistake(
        "The products are not added.", "Each place of the result is one sum.", lambda signal, taps: taps[0] * signal
    ),
    mistake(
        "The last place is missing.",
        "There are len(signal) - len(kernel) + 1 places.",
        lambda signal, taps: (taps @ _windows(signal, taps))[:-1],
    ),
    mistake(
        "It is divided by the length of the kernel.",
        "That would be a mean; the kernel says itself how much each counts.",
        lambda signal, taps: taps @ _windows(signal, taps) / len(taps),
    ),
)
VALID = Exercise(
    "convolution.valid",
    "Convolution",
    Solution("signal kernel", [FLIP, SLIDE]),
    cases=[
        Case("the example", (np.array([1.0, 2.0, 4.0, 8.0]), np.array([1.0, -1.0]))),
        Case("longer", lambda sample: sample((9,), (3,))),
        Case("as long as the signal", lambda sample: sample((4,), (4,))),
    ],
    notice="The kernel runs backwards, so that convolution may be done in any order.",
)
WHOLE = Step(
    "total",
    lambda signal: signal.sum(),
    mistake("It adds the magnitudes.", "Signs count.", lambda signal: np.abs(signal).sum()),
)
COUNT = Step(
    "count",
    lambda signal: np.size(signal),
    mistake("One number is not counted.", "Every number has its share.", lambda signal: np.size(signal) - 1),
)
MEAN = Exercise(
    "averages.mean",
    "The mean",
    Solution("signal", [WHOLE, COUNT, Step("mean", lambda total, count: total / count)]),
    cases=[
        Case("the example", (np.array([1.0, -2.0, 4.0]),)),
        Case("five numbers", lambda sample: sample((5,))),
    ],
    notice="A kernel of equal taps does the same at every place.",
)
IN_LINES = Puzzle(
    "The mean of a signal.",
    "def my_mean(signal):",
    ("total = np.sum(signal)", "count = len(signal)", "return total / count"),
    ("total = np.sum(np.abs(signal))", "count = len(signal) - 1"),
)
RANGE = Exercise(
    "averages.range",
    "The range",
    Solution(
        "signal",
        [
            Step(
                "range",
                lambda signal: np.max(signal) - np.min(signal),
                mistake(
                    "The sign is turned.", "The largest comes first.", lambda signal: np.min(signal) - np.max(signal)
                ),
                mistake("Only the largest is taken.", "The smallest comes off.", lambda signal: np.max(signal)),
            )
        ],
    ),
    cases=[
        Case("the example", (np.array([1.0, -2.0, 4.0]),)),
        Case("five numbers", lambda sample: sample((5,))),
    ],
    notice="A mean lies somewhere inside.",
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
    choice("convolution.exchanged", """
        Signal and kernel change places, and all places are kept. What becomes of the result?

        - It stays as it was.  [same]
          A convolution may be done in any order.
        - It is turned around.  [turned]
          One of the two runs backwards, whichever it is.
        - It is an error.  [error]
          With all places kept, either may be the longer one.
        """, right="same"),
)  # fmt: skip
QUIZ = (
    choice("averages.flipped", """
        From lesson 1: a kernel of equal taps is not flipped. What changes?

        - nothing
          It reads the same from either end.
        - every number  [all]
          Only a kernel that is not its own mirror image tells.
        - the ends  [ends]
          They are no other than the middle.
        """, right="nothing", lesson="convolution"),
    choice("averages.taps", """
        Which taps take the mean of two neighbours?

        - 1 and 1  [sum]
          These add them.
        - ½ and ½  [half]
          Each counts half.
        - 1 and -1  [difference]
          These take the difference.
        """, right="half"),
)  # fmt: skip
SIGNAL = np.array([[2.0, 4.0, 9.0]])
NEIGHBOURS = Step(
    "sums",
    lambda signal: signal[:, :-1] + signal[:, 1:],
    mistake("It takes differences.", "A mean adds.", lambda signal: signal[:, 1:] - signal[:, :-1]),
)
HALVES = Step("means", lambda sums: sums / 2, mistake("It is not halved.", "Two numbers are two.", lambda sums: sums))
BY_HAND = Solution("signal", [NEIGHBOURS, HALVES])
SUMS, MEANS = Table("sums", np.array([[6.0, 13.0]])), Table("means", np.array([[3.0, 6.5]]))
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
    task(
        "averages.neighbours", "Neighbours",
        part("Add each number of 2, 4 and 9 to the next.",
             Numbers(SUMS, "2 + 4.", mistakes=mistakes_of(BY_HAND, [SIGNAL], "sums", ["sums"]))),
        part("One of these is wrong. Which?",
             with_one_wrong(BY_HAND, [SIGNAL], [SUMS, MEANS], "means", (0, 1), HALVES.mistakes[0].name)),
        notice="Each number but the first and the last is in two means.",
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
            exercises=[MEAN, RANGE],
            quiz=QUIZ,
            tasks=TASKS,
            puzzles={"averages.mean": IN_LINES},
        ),
    ]


def course():
    """Return the course in use, with the progress of whoever runs it."""
    return Course(SIGNALS, lessons())

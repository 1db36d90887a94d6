"""The words of a lesson that take a name: check an answer, ask a question, set a task, say how far the learner is."""

from collections.abc import Callable
from pathlib import Path

from mha_course.engine.browser.arrangement import Arrangement
from mha_course.engine.browser.form import Form
from mha_course.engine.checking.verdict import Verdict
from mha_course.engine.course.course import Course
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.progress import handing_in
from mha_course.identity import IDENTITY
from mha_course.lessons import LESSONS
from mha_course.lessons.words import glossary_of

OWN_FILE = Path(__file__).with_name("my_attention.py")
COURSE = Course(IDENTITY, LESSONS.values(), is_tried=True, glossary_of=glossary_of, own_file=OWN_FILE)
mine = COURSE.mine


def check(name: str, function: Callable, seed: int | None = None) -> Verdict:
    """Say what the learner's function does: right, which mistakes, or what differs first.

    name: of the exercise, like "scaled_scores.scaled". What came of it is kept in the learner's progress.
    seed: of the inputs behind the example, a whole number from 0; without it they are drawn anew at every check.
    Errors: `ValueError` for a name that no exercise has or a seed below 0, `TypeError` if it gets no function or
    no whole number, `NameError` if the function needs a cell of the open notebook that has not run yet.

    >>> import numpy as np
    >>> print(check("scaled_scores.scaled", lambda Q, K: ...))
    ○ Exercise 3.2: Not started yet.
    Put your code in place of every ... above, then check again.
    """
    return COURSE.check(name, function, seed)


def arrange(name: str) -> Arrangement:
    """Give the lines of a right answer to an exercise, with wrong ones among them, to be put in order and run.

    name: of the exercise, like "masks.softmax". What was run is kept in the learner's progress, and does not count
    as solving the exercise.
    Errors: `ValueError` for an exercise without such lines, with the nearest name there is, or all of them.

    >>> print(repr(arrange("scaled_scores.batch")).splitlines()[-1])
    Not run yet.
    """
    return COURSE.arrange(name)


def practise(name: str) -> Form:
    """Set a task to be done by hand; each of its steps is judged at once, as often as it takes.

    name: of the task, like "weighted_sums.by-hand". The answers are kept in the learner's progress.
    Errors: `ValueError` with the nearest name there is, or all of them.

    >>> print(repr(practise("scaled_scores.wrong-entry")).splitlines()[-1])
    Not answered yet.
    """
    return COURSE.practise(name)


def predict(name: str) -> Form:
    """Ask for a prediction, and set it against what comes out.

    name: a lesson, a point, and which of its predictions. The answer is kept in the learner's progress.
    Errors: `ValueError` with the nearest name there is, or all of them.

    >>> predict("start_here.how-many-shares")
    Predict. Each of four French words attends to five English words. How many attention weights does one head compute?
    Not answered yet.
    """
    return COURSE.predict(name)


def quiz(lesson: str) -> Form:
    """Ask five questions about a lesson and those before it. The answers are kept in the learner's progress.

    lesson: its name, as "scaled_scores" for lesson 3.
    Errors: `ValueError` with the nearest name there is, or all of them.

    >>> print(repr(quiz("scaled_scores")).splitlines()[1])
    - √512 ≈ 22.6
    """
    return COURSE.quiz(lesson)


def review(seed: int | None = None) -> Form:
    """Ask five questions about what the learner has met and what is due again, from all lessons that were opened.

    How they were answered is kept in the learner's progress; the first line says by which rule they come back.
    seed: of what is drawn, a whole number from 0; without it there is another for every day.
    Errors: `ValueError` for a seed below 0, `TypeError` if it is no whole number.

    >>> print(repr(review()).partition(":")[0])
    There is nothing to review yet
    """
    return COURSE.review(seed)


def how_far() -> Picture:
    """Show for each lesson what is done, with a link to the next exercise, and what is due for a review.

    >>> print(how_far().text.splitlines()[1])
    0 · Start here: exercises –, predictions 0 of 1 + 0 of 1, recall 0 of 5
    """
    return COURSE.how_far()


def hand_in(to: str = IDENTITY.to_hand_in) -> None:
    """Write a copy of the progress file that holds every event and no note, and say what is in it.

    to: the file that is written anew, where the notebook is.
    Errors: `OSError` that says what hinders the writing.

    >>> COURSE.progress.record("right", "heads.split")
    >>> hand_in("/dev/null")  # doctest: +ELLIPSIS
    /dev/null holds ...: what you tried or answered, when, and with what result.
    No code is in it, and nothing that you wrote to yourself. Look at it before you hand it in.
    """
    handing_in.hand_in(COURSE.progress, to)

"""The words of a lesson that take a name: check an answer, ask a question, set a task, say how far the learner is."""

import difflib
import secrets
from collections.abc import Callable, Iterable

from mha_course.asking.prediction_session import PredictionSession
from mha_course.asking.quiz_session import QuizSession
from mha_course.asking.review_session import ReviewSession
from mha_course.asking.task_session import TaskSession
from mha_course.checking.diagnose import diagnose
from mha_course.checking.puzzle_session import PuzzleSession
from mha_course.checking.verdict import Verdict, verdict
from mha_course.learner.missing_names import require_names
from mha_course.learner.progress import Progress
from mha_course.learner.spacing import today
from mha_course.lessons import LESSONS, catalogue
from mha_course.lessons.former_names import present_name
from mha_course.lessons.met import what_is_due
from mha_course.lessons.overview import overview
from mha_course.lessons.reviewing import handful
from mha_course.live.arrangement import Arrangement
from mha_course.live.form import Form
from mha_course.live.links import follow_links
from mha_course.maths.arguments import read_count
from mha_course.pictures.picture import Picture

PROGRESS = Progress(present_name)
SEEDS = 10_000  # so many that nobody knows the answers by heart, and so few that one is quickly typed


def check(name: str, function: Callable, seed: int | None = None) -> Verdict:
    """Say what the learner's function does: right, which mistakes, or what differs first.

    name: of the exercise, like "scaled_scores.scaled". What came of it is kept in the learner's progress.
    seed: of the inputs behind the example, a whole number from 0; without it they are drawn anew at every check.
    Errors: `ValueError` for a name that no exercise has or a seed below 0, `TypeError` if it gets no function or
    no whole number, `NameError` if the function needs a cell of the open notebook that has not run yet.

    >>> import numpy as np
    >>> print(check("scaled_scores.scaled", lambda Q, K: ...))
    ○ Exercise 3.2: Not started yet.
    Put your code in place of every ... above, and run both cells.
    """
    name = _known("exercise", name, catalogue.exercises())
    if not callable(function):
        raise TypeError(f"function is {function!r}, but must be a function: give its name, without brackets.")
    require_names(function)
    exercise = catalogue.exercises()[name]
    diagnosis = diagnose(exercise, function, seed=_seed(seed))
    if diagnosis.kind != "not started":
        PROGRESS.record(diagnosis.kind, name, mistakes=diagnosis.mistakes)
    return verdict(exercise, diagnosis, PROGRESS.notices())


def arrange(name: str) -> Arrangement:
    """Give the lines of a right answer to an exercise, with wrong ones among them, to be put in order and run.

    name: of the exercise, like "masks.softmax". What was run is kept in the learner's progress, and does not count
    as solving the exercise.
    Errors: `ValueError` for an exercise without such lines, with the nearest name there is, or all of them.

    >>> print(repr(arrange("scaled_scores.batch")).splitlines()[-1])
    Not run yet.
    """
    name = _known("exercise with lines", name, catalogue.puzzles())
    return Arrangement(PuzzleSession(catalogue.exercises()[name], catalogue.puzzles()[name], PROGRESS))


def practise(name: str) -> Form:
    """Set a task to be done by hand; each of its steps is judged at once, as often as it takes.

    name: of the task, like "weighted_sums.by-hand". The answers are kept in the learner's progress.
    Errors: `ValueError` with the nearest name there is, or all of them.

    >>> print(repr(practise("scaled_scores.wrong-entry")).splitlines()[-1])
    Not answered yet.
    """
    name = _known("task", name, catalogue.tasks())
    return Form(TaskSession(name, catalogue.tasks()[name], PROGRESS))


def predict(name: str) -> Form:
    """Ask for a prediction, and set it against what comes out.

    name: a lesson, a point, and which of its predictions. The answer is kept in the learner's progress.
    Errors: `ValueError` with the nearest name there is, or all of them.

    >>> predict("start_here.how-many-shares")
    Predict. Four French words ask, five English words answer. How many shares does one head compute?
    Not answered yet.
    """
    name = _known("prediction", name, catalogue.predictions())
    return Form(PredictionSession(name, catalogue.predictions()[name], PROGRESS))


def quiz(lesson: str) -> Form:
    """Ask five questions about a lesson and those before it. The answers are kept in the learner's progress.

    lesson: its name, as "scaled_scores" for lesson 3.
    Errors: `ValueError` with the nearest name there is, or all of them.

    >>> print(repr(quiz("scaled_scores")).splitlines()[1])
    - √512 ≈ 22.6
    """
    return Form(QuizSession(LESSONS[_known("lesson", lesson, LESSONS)].quiz, PROGRESS))


def review(seed: int | None = None) -> Form:
    """Ask five questions about what the learner has met and what is due again, from all lessons that were opened.

    How they were answered is kept in the learner's progress; the first line says by which rule they come back.
    seed: of what is drawn, a whole number from 0; without it there is another for every day.
    Errors: `ValueError` for a seed below 0, `TypeError` if it is no whole number.

    >>> print(repr(review()).partition(":")[0])
    There is nothing to review yet
    """
    day = today()
    questions = handful(PROGRESS.events(), day, day.toordinal() if seed is None else _seed(seed))
    return Form(ReviewSession(questions, PROGRESS, lambda: what_is_due(PROGRESS.events(), today())))


def how_far() -> Picture:
    """Show for each lesson what is done, with a link to the next exercise, and what is due for a review.

    >>> print(how_far().text.splitlines()[1])
    0 · Start here: exercises –, predictions 0 of 2, recall 0 of 5
    """
    follow_links()
    return overview(LESSONS.values(), PROGRESS, what_is_due(PROGRESS.events(), today()))


def _seed(seed: int | None) -> int:
    """Return the seed, or draw one. Errors: `TypeError` or `ValueError` for what is no whole number from 0."""
    return secrets.randbelow(SEEDS) if seed is None else read_count("seed", seed, least=0)


def _known(what: str, name: str, names: Iterable[str]) -> str:
    """Return the present form of a name. Errors: `ValueError` with the nearest name there is, or all of them."""
    present = present_name(str(name))
    if present not in names:
        near = difflib.get_close_matches(present, names, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(names)}."
        raise ValueError(f"name is {name!r}, but no {what} is called that. {hint}")
    return present

"""A course in use: its words take a name, and check, ask, set a task, or say how far the learner is."""

import difflib
import secrets
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from mha_course.engine.asking import sittings
from mha_course.engine.browser.arrangement import Arrangement
from mha_course.engine.browser.form import Form
from mha_course.engine.browser.links import follow_links
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.puzzle_session import PuzzleSession
from mha_course.engine.checking.verdict import Verdict, verdict
from mha_course.engine.course.catalogue import Catalogue
from mha_course.engine.course.completion import overview
from mha_course.engine.course.lesson import Lesson
from mha_course.engine.course.mine import Mine
from mha_course.engine.course.own_file import OwnFile
from mha_course.engine.course.record_checks import refuse_bad_records
from mha_course.engine.course.review_items import what_is_due
from mha_course.engine.course.reviewing import handful
from mha_course.engine.identity import Identity
from mha_course.engine.isolated_call.own_code import count_as_the_courses
from mha_course.engine.pictures.glossary import NO_WORDS, Glossary
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.progress.former_values import former_values
from mha_course.engine.progress.missing_names import require_names
from mha_course.engine.progress.progress import Progress
from mha_course.engine.progress.spacing import today
from mha_course.engine.validation import read_count

SEEDS = 10_000  # so many that nobody knows the answers by heart, and so few that one is quickly typed


class Course:
    """The words of a course. What comes of each is kept in the learner's progress.

    identity: its names, and what is its own on a learner's machine. is_tried: whether a test has put these lessons to
    `refuse_bad_records` already, which takes a second for a thousand mistakes. glossary_of: the words that a check in a
    lesson of this name links to their explanation. own_file: the course's version of the file of functions that a
    learner takes home.
    Errors: `ValueError` with the name of a record that cannot be right, or for a package that Python does not find.
    """

    def __init__(
        self,
        identity: Identity,
        lessons: Iterable[Lesson],
        is_tried: bool = False,
        glossary_of: Callable[[str], Glossary] = lambda lesson: NO_WORDS,
        own_file: Path | None = None,
    ):
        """Begin with the lessons, in their order."""
        count_as_the_courses(identity.package)
        self.identity = identity
        lessons = list(lessons)
        if not is_tried:
            refuse_bad_records(lessons)
        self.catalogue = Catalogue(lessons)
        self.progress = Progress(identity)
        self._glossary_of = glossary_of
        self._own_file = OwnFile(identity, own_file, self._number) if own_file else None
        self.mine = Mine(self._own_file) if self._own_file else None

    def check(self, name: str, function: Callable, seed: int | None = None) -> Verdict:
        """Say what the learner's function does: right, which mistakes, or what differs first.

        seed: of the inputs behind the example, a whole number from 0; without it they are drawn anew at every check.
        Errors: `ValueError` for a name that no exercise has or a seed below 0, `TypeError` if it gets no function or
        no whole number, `NameError` if the function needs a cell of the open notebook that has not run yet.
        """
        name = self._known("exercise", name, self.catalogue.exercises)
        if not callable(function):
            raise TypeError(f"function is {function!r}, but must be a function: give its name, without brackets.")
        require_names(function)
        exercise = self.catalogue.exercises[name]
        seed = _seed(seed)
        diagnosis = diagnose(exercise, function, seed=seed)
        if diagnosis.kind != "not started":
            self.progress.record(diagnosis.kind, name, mistakes=diagnosis.mistakes)
        notices = [*former_values(function), *self.progress.notices()]
        if self._own_file and diagnosis.kind == "right":
            judge = partial(diagnose, exercise, seed=seed)
            notices += self._own_file.keep(name, function, judge, self.mine)
        return verdict(exercise, diagnosis, notices, self._glossary_of(name.partition(".")[0]))

    def arrange(self, name: str) -> Arrangement:
        """Give the lines of a right answer to an exercise, with wrong ones among them, to be put in order and run.

        It does not count as solving the exercise. Errors: `ValueError` for an exercise without such lines.
        """
        name = self._known("exercise with lines", name, self.catalogue.puzzles)
        session = PuzzleSession(self.catalogue.exercises[name], self.catalogue.puzzles[name], self.progress)
        return Arrangement(session)

    def practise(self, name: str) -> Form:
        """Set a task on paper; each of its steps is judged at once, as often as it takes. Errors: `ValueError`."""
        name = self._known("task", name, self.catalogue.tasks)
        return Form(sittings.task(self.catalogue.tasks[name], self.progress))

    def predict(self, name: str) -> Form:
        """Ask for a prediction, and set it against what comes out. Errors: `ValueError` for an unknown name."""
        name = self._known("prediction", name, self.catalogue.predictions)
        return Form(sittings.prediction(self.catalogue.predictions[name], self.progress))

    def quiz(self, lesson: str) -> Form:
        """Ask the questions at a lesson's end. Errors: `ValueError` for an unknown lesson."""
        name = self._known("lesson", lesson, self.catalogue.lessons)
        return Form(sittings.quiz(self.catalogue.lessons[name].quiz.values(), self.progress))

    def review(self, seed: int | None = None) -> Form:
        """Ask five questions about what the learner has met and what is due again, from all lessons.

        seed: of what is drawn, a whole number from 0; without it there is another for every day.
        Errors: `ValueError` for a seed below 0, `TypeError` if it is no whole number.
        """
        day = today()
        seed = day.toordinal() if seed is None else _seed(seed)
        questions = handful(self.catalogue, self.progress.events(), day, seed)
        return Form(sittings.review(questions, self.progress, self._what_is_due))

    def how_far(self) -> Picture:
        """Show for each lesson what is done, with a link to the next exercise, and what is due for a review."""
        follow_links()
        return overview(self.catalogue.lessons.values(), self.progress, self._what_is_due())

    def _number(self, exercise: str) -> str:
        found = self.catalogue.exercises.get(exercise)
        return found.number if found else ""

    def _what_is_due(self) -> str:
        return what_is_due(self.catalogue, self.progress.events(), today())

    def _known(self, what: str, name: str, names: Iterable[str]) -> str:
        """Return the name, if there is such a thing. Errors: `ValueError` with the nearest name there is, or all."""
        if str(name) not in names:
            near = difflib.get_close_matches(str(name), names, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(names)}."
            raise ValueError(f"name is {name!r}, but no {what} is called that. {hint}")
        return str(name)


def _seed(seed: int | None) -> int:
    """Return the seed, or draw one. Errors: `TypeError` or `ValueError` for what is no whole number from 0."""
    return secrets.randbelow(SEEDS) if seed is None else read_count("seed", seed, least=0)

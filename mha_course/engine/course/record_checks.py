"""Refuses records that cannot be right, when a course is made of them: each is told by its name."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from mha_course.engine.checking.answers import answer_of, mistakes_stay_quiet
from mha_course.engine.checking.compare import alike
from mha_course.engine.checking.exercise import Exercise, Function
from mha_course.engine.checking.solution import Solution, Step, asked, known_to
from mha_course.engine.course.lesson import Lesson

SEED = 0  # of the cases on which mistakes are tried
FEWEST = 2  # mistakes that leave something to choose from


def refuse_bad_records(lessons: Iterable[Lesson]) -> None:
    """Look at every exercise of some lessons. Errors: `ValueError` with the name of a record, and what is wrong."""
    lessons = list(lessons)
    exercises = [(lesson, exercise) for lesson in lessons for exercise in lesson.exercises]
    names = [*(lesson.name for lesson in lessons), *(exercise.name for _, exercise in exercises)]
    for name, count in Counter(names).items():
        if count > 1:
            raise ValueError(f"{count} records are called {name!r}: each needs a name of its own.")
    for lesson, exercise in exercises:
        for trouble in _troubles(lesson, exercise):
            raise ValueError(f"{exercise.name}: {trouble}")


def _troubles(lesson: Lesson, exercise: Exercise) -> Iterator[str]:
    """Yield what is wrong with an exercise, the most basic first."""
    if exercise.name.partition(".")[0] != lesson.name:
        yield f"its name must begin with that of its lesson, as in '{lesson.name}.idea'."
    if not exercise.cases:
        yield "it has no case, so there is nothing on which to try an answer."
    if len(exercise.cases) == 1:
        yield "it has one case: an answer that was written for the example alone would be right."
    if not exercise.results:
        yield "it names no results, and its right answer is no recipe that names them: give results=(…,)."
    if isinstance(exercise.right, Solution):
        yield from _troubles_of_steps(exercise.right)
    yield from _mistakes_that_are_right(exercise)
    if len(known_to(exercise)) < FEWEST:
        yield f"it has fewer than {FEWEST} mistakes: a review asks which of them a function makes."


def _troubles_of_steps(solution: Solution) -> Iterator[str]:
    """Yield which step asks for what is not there, and which makes what nobody uses."""
    there = set(solution.takes.split())
    for step in solution.steps:
        for name in asked(step.does):
            if name not in there:
                yield f"the step {step.makes!r} needs {name!r}, which is no argument and no earlier step's result."
        there.update(step.makes.split())
    wanted = set(solution.gives.split())
    if missing := wanted - there:
        yield f"it gives {', '.join(sorted(missing))}, which no step makes."
    for step in reversed(solution.steps):
        if wanted.isdisjoint(step.makes.split()):
            yield f"no later step uses {step.makes!r}, and it is no result."
        wanted.update(name for variant in _variants(step) for name in asked(variant))


def _variants(step: Step) -> list[Function]:
    return [step.does, *(variant for mistake in step.mistakes for variant in mistake.variants)]


def _mistakes_that_are_right(exercise: Exercise) -> Iterator[str]:
    """Yield every mistake that gives the right answer on all cases."""
    inputs = exercise.inputs(SEED)
    with mistakes_stay_quiet():
        rights = [answer_of(exercise, exercise.right, each) for each in inputs]
        for name, function in _functions(exercise):
            answers = (answer_of(exercise, function, each) for each in inputs)
            first = next(answers)
            if isinstance(first, NameError):
                yield f"the mistake {name!r} raises a NameError: {first}."
            elif all(alike(answer, right) for answer, right in zip(chain([first], answers), rights, strict=True)):
                yield f"the mistake {name!r} gives the right answer on every case."


def _functions(exercise: Exercise) -> Iterator[tuple[str, Function]]:
    yield from ((mistake.name, variant) for mistake in exercise.mistakes for variant in mistake.variants)
    if isinstance(exercise.right, Solution):
        yield from ((each.mistake.name, exercise.right.with_mistakes(each)) for each in exercise.right.step_mistakes)

"""What every known mistake of an exercise makes of one input: for questions about both."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

import numpy as np

from mha_course.engine.checking.answers import answer_of, mistakes_stay_quiet, right_answer
from mha_course.engine.checking.compare import Answer, Arrays, alike
from mha_course.engine.checking.evidence import Spot, worked
from mha_course.engine.checking.exercise import Exercise, Inputs, Mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.search import changed
from mha_course.engine.checking.solution import Solution, known_to
from mha_course.engine.notation.array_literals import nested

SIDE, STACK, ENTRIES, ALL, LARGEST = 4, 2, 16, 36, 1000  # of what a question shows, at most
MANY = 10**6  # draws
DECIMALS = 2  # of the numbers that come in, at most


@dataclass(frozen=True, eq=False)
class Effects:
    """One input of an exercise, and what comes of it: rightly, and by each known mistake alone."""

    exercise: Exercise
    inputs: Inputs

    @property
    def named(self) -> dict[str, object]:
        """The arguments by name."""
        return dict(zip(self.exercise.arguments, self.inputs.arguments, strict=True))

    @cached_property
    def right(self) -> Arrays:
        """The right answer."""
        return right_answer(self.exercise, self.inputs)

    @cached_property
    def mistakes(self) -> dict[str, Mistake]:
        """Every mistake that the exercise knows, by name."""
        return {mistake.name: mistake for mistake in known_to(self.exercise)}

    @cached_property
    def made(self) -> dict[str, list[Answer]]:
        """What each mistake makes of the input: its name -> answers, one for each way that is known, in their order."""
        made: dict[str, list[Answer]] = {name: [] for name in self.mistakes}
        with mistakes_stay_quiet():
            for mistake, answer in self._answers():
                made[mistake.name].append(answer)
        return made

    @cached_property
    def outcomes(self) -> dict[str, list[str]]:
        """What comes of each mistake's answers, in a word or two each."""
        return {name: list(map(self.outcome, answers)) for name, answers in self.made.items()}

    def outcome(self, answer: Answer) -> str:
        """Say in a word or two how an answer to the input differs from the right one."""
        if isinstance(answer, BaseException):
            return "an error"
        if alike(answer, self.right):
            return "the right answer"
        same = all(a.shape == b.shape for a, b in zip(answer, self.right, strict=True))
        return "wrong entries" if same else "another shape"

    def worked(self, place: Spot) -> str:
        """Write how one entry of the right answer is computed."""
        return worked(self.exercise, self.inputs, place)

    def _answers(self) -> Iterator[tuple[Mistake, Answer]]:
        for mistake in self.exercise.mistakes:
            yield from ((mistake, answer_of(self.exercise, variant, self.inputs)) for variant in mistake.variants)
        if isinstance(self.exercise.right, Solution):
            answers = {each: answer for (each,), answer in changed(self.exercise, self.exercise.right, self.inputs, 1)}
            yield from ((each.mistake, answers[each]) for each in self.exercise.right.step_mistakes)


def small_effects(exercise: Exercise, sample: Sampler) -> list[Effects]:
    """Return inputs that are small enough to be read at a glance; none if the exercise has none.

    They are the example, first and with the entries of each row in another order, and what its cases draw.
    """
    drawn = [case.inputs(sample.whole(0, MANY)) for case in exercise.cases if case.is_random]
    return [Effects(exercise, each) for each in (_shuffled_example(exercise, sample), *drawn) if _is_small(each)]


def effects_of_cases(exercise: Exercise, sample: Sampler, count: int) -> list[list[Effects]]:
    """Draw the inputs of all cases several times; of the same sizes, so that what is the same in all hangs on sizes.

    The example is itself at first, and then has the entries of each row in another order.
    """
    drawn = [exercise.inputs(sample.whole(0, MANY)) for _ in range(count)]
    for inputs in drawn[1:]:
        inputs[0] = _shuffled_example(exercise, sample)
    return [[Effects(exercise, each) for each in inputs] for inputs in drawn]


def can_be_shown(answer: Answer) -> TypeGuard[Arrays]:
    """Whether a question can show an answer: numbers, and few."""
    return not isinstance(answer, BaseException) and all(map(_fits, answer))


def seen(answer: Answer) -> str:
    """Write an answer as the learner sees it: what is written alike cannot be told apart.

    >>> seen([np.array([[1 / 3, 1]])]), seen(ValueError("…"))
    ('[[0.33, 1.00]]', 'ValueError')
    """
    return type(answer).__name__ if isinstance(answer, BaseException) else ", ".join(map(nested, answer))


def _shuffled_example(exercise: Exercise, sample: Sampler) -> Inputs:
    example = exercise.cases[0].inputs()
    arguments = zip(exercise.arguments, example.arguments, strict=True)
    shuffled = (
        value if name in exercise.untraced else _mapped(sample.generator.permuted, value) for name, value in arguments
    )
    return Inputs(example.words, tuple(shuffled))


def _mapped(shuffle: Callable[..., np.ndarray], value: object) -> object:
    """Shuffle every row of an array, or of each array in a list; a single number stays."""
    if isinstance(value, list):
        return [_mapped(shuffle, part) for part in value]
    return shuffle(value, axis=-1) if isinstance(value, np.ndarray) and value.ndim else value


def _is_small(inputs: Inputs) -> bool:
    arrays = [array for value in inputs.arguments for array in _arrays(value)]
    if not all(array.dtype.kind in "biuf" and _fits(array) and _has_few_digits(array) for array in arrays):
        return False
    return sum(array.size for array in arrays) <= ALL


def _arrays(value: object) -> list[np.ndarray]:
    return [np.asarray(part) for part in value] if isinstance(value, list) else [np.asarray(value)]


def _fits(array: np.ndarray) -> bool:
    stacked, matrix = array.shape[:-2], array.shape[-2:]
    has_room = len(stacked) <= 1 and max(stacked, default=0) <= STACK and max(matrix, default=0) <= SIDE
    return has_room and 0 < array.size <= ENTRIES and not (np.abs(array.astype(float)) >= LARGEST).any()


def _has_few_digits(array: np.ndarray) -> bool:
    """Whether few digits write every entry; one number alone, like an eps, may have any."""
    return not array.ndim or bool(np.array_equal(array, array.astype(float).round(DECIMALS)))

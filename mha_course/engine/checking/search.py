"""Which mistakes explain an answer? One is tried first, then two at once, then the first many threes."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np

from mha_course.engine.checking.answers import Outcome, answer_of, as_answer
from mha_course.engine.checking.compare import Answer, agreeing_with, alike
from mha_course.engine.checking.exercise import Exercise, Function, Inputs, Mistake
from mha_course.engine.checking.solution import Solution, StepMistake, Values

MOST_TRIED = {1: None, 2: None, 3: 50_000}  # combinations of so many mistakes; of three, a second's worth
FURTHER = {1: 20, 2: 100, 3: 200}  # inputs on which so many mistakes must agree too: more of them fit more by accident

StepMistakes = tuple[StepMistake, ...]
Further = Callable[[int], list[tuple[Inputs, Answer]]]  # of so many inputs


@dataclass(frozen=True, eq=False)
class Explanation:
    """Mistakes that together give the learner's answers.

    function: what makes them. step_mistakes: in the exercise's solution; none if the whole answer is another.
    """

    mistakes: tuple[Mistake, ...]
    function: Function
    step_mistakes: StepMistakes = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the mistakes."""
        return tuple(mistake.name for mistake in self.mistakes)


def explanations(exercise: Exercise, outcomes: Sequence[Outcome], further: Further) -> list[Explanation]:
    """Return what explains the answers by the fewest mistakes; several, the likeliest first, if nothing separates them.

    All that may be is looked up on one case; what agrees there is tried on the others, and on further inputs with
    the learner's answers to them, which are asked for only then. Where nothing explains everything, inputs that end
    in an error are left out.
    """
    further = cache(further)
    numbers = [outcome for outcome in outcomes if not isinstance(outcome.answer, BaseException)]
    if all(outcome.is_right for outcome in numbers) or _all_one([outcome.answer for outcome in numbers]):
        return _fewest(exercise, outcomes, further, [1])  # errors, or one number, do not tell enough for two

    def answered(count: int) -> list[tuple[Inputs, Answer]]:
        return [(inputs, made) for inputs, made in further(count) if not isinstance(made, BaseException)]

    return (
        _fewest(exercise, outcomes, further, [1, 2])
        or (_fewest(exercise, numbers, answered, [1, 2]) if len(numbers) < len(outcomes) else [])
        or ([] if _are_single(numbers) else _alone(_fewest(exercise, outcomes, further, [3])))
    )


def _are_single(outcomes: Sequence[Outcome]) -> bool:
    """Whether every result is a single number: three changes of a formula may well be equal to another one."""
    return all(array.size == 1 for outcome in outcomes for array in outcome.right)


def _all_one(answers: Sequence[Answer]) -> bool:
    """Whether all numbers of all answers are one and the same, such as 0 or nan."""
    arrays = [np.ravel(array) for answer in answers if isinstance(answer, list) for array in answer]
    numbers = np.concatenate(arrays).astype(float)
    return bool(np.array_equal(numbers, np.full(numbers.shape, numbers[:1]), equal_nan=True))


def _alone(found: list[Explanation]) -> list[Explanation]:
    """Return three mistakes at once only if nothing else was found that explains the answers as well."""
    return found if len(found) == 1 else []


def _fewest(
    exercise: Exercise, outcomes: Sequence[Outcome], further: Further, counts: Iterable[int]
) -> list[Explanation]:
    telling = _telling(outcomes)
    for count in counts:
        found: dict[frozenset[str], Explanation] = {}
        for explanation in _agreeing(exercise, telling, count):
            names = frozenset(explanation.names)
            if names not in found and _explains(exercise, explanation, outcomes, further):
                found[names] = explanation
        if found:
            return sorted(found.values(), key=lambda each: sum(part.rank for part in each.step_mistakes))
    return []


def _telling(outcomes: Sequence[Outcome]) -> Outcome:
    """Return a miss with numbers, and not the task's example, in which much is alike, if there is such a miss."""
    misses = [outcome for outcome in outcomes if not outcome.is_right]
    numbers = [miss for miss in misses if not isinstance(miss.answer, BaseException)]
    return next((miss for miss in numbers if miss is not outcomes[0]), (numbers or misses)[0])


def _explains(exercise: Exercise, explanation: Explanation, outcomes: Sequence[Outcome], further: Further) -> bool:
    """Whether all answers agree; and errors in every word, where nothing but errors could speak for a mistake."""
    has_numbers = not isinstance(_telling(outcomes).answer, BaseException)

    def agrees(inputs: Inputs, answer: Answer) -> bool:
        made = answer_of(exercise, explanation.function, inputs)
        if isinstance(made, BaseException) and isinstance(answer, BaseException):
            return has_numbers or (type(made), str(made)) == (type(answer), str(answer))
        return alike(made, answer)

    return all(agrees(outcome.inputs, outcome.answer) for outcome in outcomes) and all(
        agrees(inputs, answer) for inputs, answer in further(FURTHER[len(explanation.mistakes)])
    )


def _agreeing(exercise: Exercise, outcome: Outcome, count: int) -> Iterator[Explanation]:
    """Yield what gives one case's answer by so many mistakes: of thousands that are tried, few."""
    agrees = agreeing_with(outcome.answer)
    if count == 1:
        for mistake in exercise.mistakes:
            for variant in mistake.variants:
                if agrees(answer_of(exercise, variant, outcome.inputs)):
                    yield Explanation((mistake,), variant)
    if isinstance(exercise.right, Solution):
        solution = exercise.right
        for step_mistakes, answer in islice(changed(exercise, solution, outcome.inputs, count), MOST_TRIED[count]):
            if agrees(answer) and len({each.mistake.name for each in step_mistakes}) == count:
                mistakes = tuple(each.mistake for each in step_mistakes)
                yield Explanation(mistakes, solution.with_mistakes(*step_mistakes), step_mistakes)


def changed(
    exercise: Exercise,
    solution: Solution,
    inputs: Inputs,
    count: int,
    begun: Container[StepMistakes] | None = None,
) -> Iterator[tuple[StepMistakes, Answer]]:
    """Yield every combination of so many mistakes with its answer; what comes before one is done once for all.

    A combination that raises has the error for its answer. begun: the combinations that are wanted, and how they begin,
    if not all are.
    """
    of_step = [
        [each for each in solution.step_mistakes if each.step == number] for number in range(len(solution.steps))
    ]
    begin: Values = dict(zip(solution.takes.split(), inputs.arguments, strict=True))
    waiting: list[tuple[int, Values, StepMistakes]] = [(0, begin, ())]
    while waiting:
        number, values, step_mistakes = waiting.pop()
        if number == len(solution.steps):
            if len(step_mistakes) == count:
                yield step_mistakes, as_answer(solution.given(values), exercise.results)
            continue
        step = solution.steps[number]
        choices: list[tuple[StepMistakes, Function]] = [(step_mistakes, step.does)]
        if len(step_mistakes) < count:
            more = (((*step_mistakes, each), each.variant) for each in of_step[number])
            choices += [each for each in more if begun is None or each[0] in begun]
        for chosen, variant in reversed(choices):
            try:
                waiting.append((number + 1, step.done(values, variant), chosen))
            except Exception as error:
                if len(chosen) == count:
                    yield chosen, error

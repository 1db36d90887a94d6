"""Finds out what a learner's function does: what is right, a mistake with a name, or the first difference."""

from collections.abc import Sequence
from dataclasses import replace

from mha_course.engine.checking.answers import Outcome, answer, answer_of, mistakes_stay_quiet, outcomes
from mha_course.engine.checking.compare import Answer, alike
from mha_course.engine.checking.diagnosis import Diagnosis
from mha_course.engine.checking.difference import beside_the_numbers, difference, what_is_overwritten
from mha_course.engine.checking.evidence import lines, lines_of_steps, telling_places
from mha_course.engine.checking.exercise import Exercise, Function, Inputs
from mha_course.engine.checking.first_divergence import where_they_part
from mha_course.engine.checking.numpy_changes import not_numpys, overwritten
from mha_course.engine.checking.off_limits import calls_off_limits, refused
from mha_course.engine.checking.search import Explanation, explanations
from mha_course.engine.checking.shapes import situation, wrong_shape
from mha_course.engine.checking.stub import is_unfinished
from mha_course.engine.isolated_call.attempt import SECONDS, Attempt, Caller, Why
from mha_course.engine.isolated_call.stopwatch import WAITING

AGAIN = 1  # the case that is tried twice: whoever counts calls instead of reading the arguments is wrong there
MOST_OTHERS = 2  # explanations that are told beside the first
CODE = ("True", "False", "None")  # words that stay as they are
COUNTS = {2: "Two", 3: "Three"}
NOT_STARTED = Diagnosis(
    "not started",
    "Not started yet.",
    ("Put your code in place of every ... above, then check again.",),
)
UNTOUCHED = Diagnosis(
    "not started",
    "Not started yet.",
    ("The function above is unchanged, and it is wrong. Repair it, then check again.",),
)
IN_ALL = 4  # times what one input has is the time that all have together
ENDLESS_PRINT = (
    "It prints without end.",
    "A loop that prints does not stop: look at what should end it, and whether that ever changes.",
)
STOPPED: dict[Why, tuple[str, str]] = {  # a headline, and what is known besides
    "time": (
        "It takes too long.",
        "It cannot be seen from outside whether it would ever end: print something in each of its loops, and see how "
        "far they get.",
    ),
    "memory": (
        "It needs too much memory.",
        "Print the shapes of the arrays that it makes, and see which of them grows.",
    ),
    "death": ("It ends Python itself.", "It ran in a process of its own, so nothing in your notebook is lost."),
    "exit": (
        "It would end Python itself.",
        "This was prevented, so nothing in your notebook is lost. A function returns its result with return.",
    ),
    "input": (
        "It asks with input().",
        "A function gets all it needs from whoever calls it: in the values of its arguments, and in their shapes.",
    ),
    "size": ("It returns far too much.", "Look at the shape of the array after return: which axis is so long?"),
}


def diagnose(exercise: Exercise, function: Function | Caller, seconds: float = SECONDS, seed: int = 0) -> Diagnosis:
    """Run the function on every case of the exercise, and say what it does.

    In this order: it had to be stopped, it is wrong because it is not started, it answers otherwise a second time,
    it is right (or would be, but for what it calls, its type or what it changed), known mistakes explain it, or the
    most basic thing that differs. function: or who has its calls made elsewhere. seconds: for one input; all have
    four times as many together. seed: of the inputs that are drawn.
    """
    caller = function if isinstance(function, Caller) else Caller(function)
    inputs = exercise.inputs(seed)
    attempts = _attempts(caller, [*inputs, inputs[AGAIN]], seconds)
    if attempts[-1].stopped:
        return _stopped(attempts, situation(exercise, [*inputs, inputs[AGAIN]][len(attempts) - 1]), seconds)
    *attempts, again = attempts
    found = outcomes(exercise, inputs, attempts)
    misses = [outcome for outcome in found if not outcome.is_right]
    if misses and (untouched := _not_started(exercise, caller.function, attempts[0])):
        return untouched
    if misses and (name := overwritten(caller.function)):
        return not_numpys(name)
    if not alike(answer(again, exercise.results), found[AGAIN].answer):
        return _says_otherwise(exercise, inputs[AGAIN])
    if not misses:
        if name := calls_off_limits(caller.function, exercise.off_limits):
            return refused(name)
        spoilt = (beside_the_numbers(exercise, outcome) for outcome in found)
        return next(filter(None, spoilt), _right(exercise, caller.function))
    with mistakes_stay_quiet():
        explained = explanations(exercise, found, lambda count: _further(exercise, caller, count, seconds, seed))
        if explained:
            return _recognised(exercise, caller, explained, misses)
    return _first_difference(exercise, caller, misses, found[0], seed)


def _not_started(exercise: Exercise, function: object, example: Attempt) -> Diagnosis | None:
    """Return what is said of a stub that nobody has touched; None if somebody has."""
    if exercise.given and exercise.given.is_untouched(function):
        return UNTOUCHED
    return NOT_STARTED if is_unfinished(function, example) else None


def _right(exercise: Exercise, function: object) -> Diagnosis:
    comment = exercise.given.comment(function) if exercise.given else ""
    return Diagnosis("right", "Right.", (exercise.notice, *([comment] if comment else [])))


def _attempts(caller: Caller, inputs: Sequence[Inputs], seconds: float, quiet: bool = False) -> list[Attempt]:
    """Try the inputs in turn until one has to be stopped. quiet: whether the first may show nothing, either."""
    attempts: list[Attempt] = []
    for one in inputs:
        left = min(seconds, max(IN_ALL * seconds - _spent(attempts), 0.001))
        attempts.append(caller.call(one.arguments, left, quiet=quiet or bool(attempts)))
        if attempts[-1].stopped:
            break
    return attempts


def _spent(attempts: Sequence[Attempt]) -> float:
    return sum(attempt.seconds for attempt in attempts)


def _further(exercise: Exercise, caller: Caller, count: int, seconds: float, seed: int) -> list[tuple[Inputs, Answer]]:
    """Ask for the learner's answers to so many more inputs, so that nothing is said that fits by accident."""
    further = exercise.further_inputs(seed, count)
    attempts = _attempts(caller, further, seconds, quiet=True)
    return [
        (one, answer(attempt, exercise.results))
        for one, attempt in zip(further, attempts, strict=False)
        if attempt.stopped != "time"
    ]


def _says_otherwise(exercise: Exercise, inputs: Inputs) -> Diagnosis:
    asked = f"{situation(exercise, inputs)} called a second time, it gave a different result."
    reason = "It depends on more than its arguments: on random numbers, the time, or a variable that keeps its value."
    return Diagnosis("difference", "It gives different answers to the same arguments.", (asked, reason))


def _stopped(attempts: Sequence[Attempt], where: str, seconds: float) -> Diagnosis:
    last = attempts[-1]
    assert last.stopped
    headline, advice = ENDLESS_PRINT if last.prints_on else STOPPED[last.stopped]
    return Diagnosis("difference", headline, (f"{where} {last.error or _measured(attempts, seconds)}", advice))


def _measured(attempts: Sequence[Attempt], seconds: float) -> str:
    """Say how long the last call had, which was stopped for its time; of what waits, the time that passed counts."""
    *before, last = attempts
    spent, each = _spent(before), WAITING if last.has_waited else 1
    if (IN_ALL - 1) * seconds >= spent:
        waited = ", for most of which it waited" if last.has_waited else ""
        return f"it was still running after {each * seconds:g} seconds{waited}, so it was stopped."
    took = f"{len(before)} earlier inputs took {each * spent:.1f} of the {each * IN_ALL * seconds:g} seconds"
    return f"it was stopped, though it may have been near its end: the {took} allowed for all."


def _recognised(
    exercise: Exercise, caller: Caller, explained: Sequence[Explanation], misses: Sequence[Outcome]
) -> Diagnosis:
    """Tell mistakes by the first case in which two numbers differ, or else by the first that differs at all."""
    found, *others = explained
    numbers = [miss for miss in misses if not isinstance(miss.answer, BaseException)] or misses
    told = next((miss for miss in numbers if telling_places(miss.answer, miss.right)), numbers[0])
    if isinstance(told.answer, BaseException):
        shown = f"it raises {type(told.answer).__name__}: {told.answer}"
    else:
        shown = wrong_shape(exercise, told.answer, told.right)
    if len(found.mistakes) == 1:
        compared = lines(exercise, told, caller, found.function)
    else:
        compared = lines_of_steps(exercise, found.step_mistakes, told)
    paragraphs = [mistake.why for mistake in found.mistakes]
    paragraphs += [f"The same numbers come from this, too: {_listed(other.names)}." for other in others[:MOST_OTHERS]]
    paragraphs += _besides(exercise, caller, found, misses)
    paragraphs += [f"{situation(exercise, told.inputs)} {shown}".strip()]
    where = ", ".join(mistake.where for mistake in found.mistakes if mistake.where)
    asked = ", ".join(mistake.asked for mistake in found.mistakes if mistake.asked)
    return Diagnosis("mistake", _together(found.names), tuple(paragraphs), compared, where, asked, found.names)


def _besides(exercise: Exercise, caller: Caller, explained: Explanation, misses: Sequence[Outcome]) -> list[str]:
    """Tell what the mistakes do not explain: an error with some inputs, or that an argument was changed."""
    for miss in misses:
        fails = isinstance(miss.answer, BaseException)
        if fails and not isinstance(answer_of(exercise, explained.function, miss.inputs), BaseException):
            besides: Diagnosis | None = difference(exercise, miss, caller)
        else:
            besides = None if fails else what_is_overwritten(exercise, miss)
        if besides is not None:
            return [f"Besides, {_inside_a_sentence(besides.headline)}.", *besides.paragraphs]
    return []


def _together(names: Sequence[str]) -> str:
    """Name all mistakes in one sentence.

    >>> _together(("The scale is missing.", "V is transposed."))
    'Two things at once: the scale is missing, and V is transposed.'
    """
    return names[0] if len(names) == 1 else f"{COUNTS[len(names)]} things at once: {_listed(names)}."


def _listed(names: Sequence[str]) -> str:
    *first, last = (_inside_a_sentence(name) for name in names)
    return f"{', '.join(first)}, and {last}" if first else last


def _inside_a_sentence(name: str) -> str:
    """Return a sentence without its point, and with a small first letter if it begins with a plain word.

    >>> [_inside_a_sentence(name) for name in ("Post-norm comes first.", "A, then B.", "True is False.", "X is 0.")]
    ['post-norm comes first', 'a, then B', 'True is False', 'X is 0']
    """
    word = name.partition(" ")[0].rstrip(",:")
    is_plain = (word == "A" or word[1:].replace("-", "").islower()) and word not in CODE
    return (name[0].lower() if is_plain else name[0]) + name[1:].removesuffix(".")


def _first_difference(
    exercise: Exercise, caller: Caller, misses: Sequence[Outcome], example: Outcome, seed: int
) -> Diagnosis:
    miss = misses[0]
    found = difference(exercise, miss, caller)
    numbers = [each for each in misses if not isinstance(each.answer, BaseException)]
    if miss in numbers and (parted := where_they_part(exercise, numbers, caller)):
        found = replace(found, paragraphs=(*found.paragraphs, parted))
    if miss is example:
        return found
    again = (
        f'check("{exercise.name}", …, seed={seed}) tries the same inputs again: put your function in place of the dots.'
    )
    general = "Right for the example, but not in general."
    return replace(found, headline=general, paragraphs=(found.headline, *found.paragraphs, again))

"""The most basic thing that is wrong with an answer that no known mistake explains."""

import numpy as np

from mha_course.engine.checking.answers import Outcome
from mha_course.engine.checking.compare import Arrays, alike, differing
from mha_course.engine.checking.diagnosis import Diagnosis, Lines
from mha_course.engine.checking.evidence import lines
from mha_course.engine.checking.exercise import Exercise
from mha_course.engine.checking.shapes import situation, wrong_shape
from mha_course.engine.checking.usual_reasons import usual_reason
from mha_course.engine.isolated_call.attempt import Caller
from mha_course.engine.isolated_call.own_code import returns_with_comma, written

LONGEST = 300  # characters of an error's text
NO_RETURN = (
    "A function without return returns None.",
    "Is there a return at the end? If there is one: print, append and sort return None.",
)
CUT_OFF = (  # what may stand in the code, and what it then does
    ("zeros_like", "np.zeros_like of whole numbers makes an array for whole numbers: use np.zeros(shape)."),
    ("//", "// cuts off the decimals: / keeps them."),
    ("//=", "//= cuts off the decimals: / keeps them."),
)
MAKE_A_NEW_ONE = "The caller may still need it: make a new array. x = x + 1 does, x += 1 does not."


def difference(exercise: Exercise, outcome: Outcome, caller: Caller) -> Diagnosis:
    """Say the most basic thing that is wrong with one outcome: from an error over its kind and shape to its numbers."""
    where, attempt, answer = situation(exercise, outcome.inputs), outcome.attempt, outcome.answer
    if attempt.error is not None:
        return _different("It stops with an error.", *_on_error(where, attempt.error, attempt.line))
    if attempt.value is None:
        return _different("It returns None.", *NO_RETURN)
    if isinstance(answer, BaseException):
        return _different("It returns something other than numbers.", str(answer))
    if isinstance(attempt.value, tuple) and answer[0].shape == (1, *outcome.right[0].shape):
        return _different("It returns something other than numbers.", _on_a_tuple_of_one(caller.function))
    if wrong := wrong_shape(exercise, answer, outcome.right):
        return _different("The shape is not right.", f"{where} {wrong}")
    headline, advice = _on_numbers(answer, outcome.right, written(caller.function))
    return _different(headline, f"{where} {advice}".strip(), shown=lines(exercise, outcome, caller))


def what_is_overwritten(exercise: Exercise, outcome: Outcome) -> Diagnosis | None:
    """Say which arguments a call changed; None if it changed none."""
    changed = ", ".join(exercise.arguments[i] for i in outcome.attempt.changed)
    return _different(f"It overwrites its input: {changed}.", MAKE_A_NEW_ONE) if changed else None


def beside_the_numbers(exercise: Exercise, outcome: Outcome) -> Diagnosis | None:
    """Say what is wrong with an outcome although its numbers are right; None if nothing is."""
    if overwritten := what_is_overwritten(exercise, outcome):
        return overwritten
    if isinstance(outcome.answer, BaseException):
        return None
    for name, array in zip(exercise.results, outcome.answer, strict=True):
        wanted = exercise.types.get(name)
        if wanted and array.dtype.kind not in wanted.kinds:
            return _different(wanted.headline, f"It holds {array.dtype} numbers. {wanted.why}")
    return None


def _different(headline: str, *paragraphs: str, shown: Lines = ()) -> Diagnosis:
    return Diagnosis("difference", headline, paragraphs, shown)


def _on_error(where: str, error: BaseException, line: str | None) -> list[str]:
    """Return what an error said and, if it is known, the usual reason."""
    try:
        said = str(error)
    except Exception:  # an error that cannot even be written
        said = ""
    said = said if len(said) <= LONGEST else said[:LONGEST] + " …"
    place = f" in the line  {line}" if line else ""
    raised = f"{where} it raised {type(error).__name__}{place}" + (f": {said}" if said else "")
    return [raised, usual_reason(said)] if usual_reason(said) else [raised]


def _on_a_tuple_of_one(function: object) -> str:
    comma = ": is there a comma at the end of the return line?" if returns_with_comma(function) else "."
    return f"It returns a tuple of one thing{comma}"


def _on_numbers(answer: Arrays, right: Arrays, code: set[str]) -> tuple[str, str]:
    """Return a headline and what is known of wrong numbers. code: what stands in the function."""
    are_truths = all(array.dtype == bool for array in (*answer, *right))
    if are_truths and [array.size for array in right] == [1]:
        return f"It returns {bool(answer[0])}, but {bool(right[0])} is right.", ""
    pairs = [(a.astype(float), b.astype(float), a.dtype.kind in "iu") for a, b in zip(answer, right, strict=True)]
    if any(np.isnan(a).any() for a, _, _ in pairs):
        return "It returns nan, not a number.", "Something was 0 / 0, or infinity over infinity."
    if any(np.isinf(a).any() for a, _, _ in pairs):
        return "It returns inf, infinity.", "An exponential was too large, or something was divided by 0."
    if all(whole and (np.abs(a - b) < 1).all() for a, b, whole in pairs):
        advice = next((advice for part, advice in CUT_OFF if part in code), "All numbers came out whole.")
        return "The decimals are cut off.", advice
    if any(all(alike([a], [np.round(b, digits)]) for a, b, _ in pairs) for digits in range(1, 7)):
        keep = "Leave out the round" if code & {"round", "around"} else "Keep all digits"
        return "The numbers are rounded.", f"{keep}: they can be rounded later."
    wrong, total = sum(int(differing(a, b).sum()) for a, b, _ in pairs), sum(a.size for a, _, _ in pairs)
    if total == 1:
        return "The number is not right.", ""
    what = "entries" if are_truths else "numbers"
    return f"The {what} are not right.", f"{wrong} of {total} {what} {'is' if wrong == 1 else 'are'} not right."

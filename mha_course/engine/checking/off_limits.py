"""Which functions an exercise asks for: a call of one would be its answer, so none may be called."""

from collections.abc import Sequence

from mha_course.engine.checking.diagnosis import Diagnosis
from mha_course.engine.isolated_call.own_code import attributes_in, is_own_function, named_in, own_functions


def calls_off_limits(function: object, names: Sequence[str]) -> str:
    """Return the first of these names by which a learner's function calls another's; empty if it calls none.

    A function of the learner's own may have any name. Only the code is read, so it is the same wherever it runs.

    >>> calls_off_limits(lambda numbers: sorted(numbers), ["sorted"]), calls_off_limits(sorted, ["max"])
    ('sorted', '')
    >>> calls_off_limits(lambda numbers: numbers.total(mine), ["mine.total"])
    ''
    """
    for each in own_functions(function):
        for name in [*named_in(each.__code__), *attributes_in(each.__code__)]:
            if name in names and not is_own_function(each.__globals__.get(name)):
                return name
    given = getattr(function, "__name__", "")
    return given if given in names and not is_own_function(function) else ""


def refused(name: str) -> Diagnosis:
    """Say that an answer was right, but is no answer."""
    return Diagnosis(
        "difference",
        f"The numbers are right, but they come from {name}.",
        (f"{name} is what you are asked to write here: do its steps yourself, and check again.",),
    )

"""Is a ... of the stub still there?"""

import dis
from types import CodeType

from mha_course.engine.isolated_call.attempt import Attempt
from mha_course.engine.isolated_call.own_code import own_code, own_frames, parts_of

JUMPS = {*dis.hasjrel, *dis.hasjabs}
NO_VALUE = {"IS_OP", "COMPARE_OP"}  # asks whether something is ...


def is_unfinished(function: object, attempt: Attempt) -> bool:
    """Whether a ... was returned, or stands where a value should, in the function or in what it met on the way.

    >>> is_unfinished(len, Attempt(value=[..., 2])), is_unfinished(len, Attempt(value=None))
    (True, False)
    >>> is_unfinished(lambda x: x @ ..., Attempt()), is_unfinished(lambda x, n: x[..., 0:n], Attempt())
    (True, False)
    """
    passed = [frame.f_code for frame, _ in own_frames(attempt.error)] if attempt.error else []
    return _holds_dots(attempt.value) or any(map(_has_dots, {*own_code(function), *passed}))


def _holds_dots(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_holds_dots(part) for part in value if part is not value)
    return value is ...


def _has_dots(code: CodeType) -> bool:
    """Whether a ... stands as a value in this code. Inside of an index it does not."""
    steps = [list(dis.get_instructions(part)) for part in parts_of(code)]
    return any(
        step.opname.endswith("CONST") and step.argval is ... and _is_value(step, part[i + 1 :])
        for part in steps
        for i, step in enumerate(part)
    )


def _is_value(loading: dis.Instruction, later: list[dis.Instruction]) -> bool:
    """Whether what a step loads is used as a value: follow the stack to the later step that takes it off."""
    if loading.opname.startswith("RETURN"):
        return True
    above, in_tuple = 0, False
    for step in later:
        if step.opcode in JUMPS:
            return False  # who takes it off depends on what comes: do not guess
        if step.opname == "BUILD_TUPLE" and (step.arg or 0) > above:  # perhaps an index of several parts
            above, in_tuple = 0, True
            continue
        above += dis.stack_effect(step.opcode, step.arg)
        if above < 0:
            is_index = "SUBSCR" in step.opname or step.argrepr == "[]"
            return not is_index and step.opname not in NO_VALUE and not (in_tuple and step.opname.startswith("STORE"))
    return False

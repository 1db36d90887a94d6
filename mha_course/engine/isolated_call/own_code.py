"""The learner's own code: what a function consists of, and what an error passed."""

import contextlib
import dis
import importlib.util
import inspect
import itertools
import os
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType
from typing import TypeGuard

import numpy as np

ENGINE = os.path.dirname(sys.modules[__name__.partition(".")[0]].__file__ or "")
NUMPY = os.path.dirname(np.__file__)  # wherever it is installed
LIBRARIES = [NUMPY, *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))]

_of_courses: tuple[str, ...] = (ENGINE + os.sep,)  # what the files of all courses in use begin with
_of_libraries = tuple(folder + os.sep for folder in LIBRARIES)


def count_as_the_courses(package: str) -> None:
    """Let everything in a package count as the code of a course. Errors: `ValueError` if Python does not find it."""
    global _of_courses
    found = importlib.util.find_spec(package)
    if found is None:
        raise ValueError(f"package is {package!r}, but Python finds no package of that name.")
    places = [folder + os.sep for folder in found.submodule_search_locations or ()] or [found.origin or ""]
    _of_courses += tuple(place for place in places if place and place not in _of_courses)


def is_own_file(path: str) -> bool:
    """Whether what stands in a file is the learner's."""
    return not path.startswith(_of_courses) and not path.startswith(_of_libraries)


def is_own(code: CodeType) -> bool:
    """Whether the learner wrote this code."""
    return is_own_file(code.co_filename)


def own_frames(error: BaseException) -> list[tuple[FrameType, int]]:
    """List the frames of the learner's own code that an error passed, each with the number of its line."""
    return [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if is_own(frame.f_code)]


def is_the_courses(function: object) -> bool:
    """Whether a function is the course's own, which is known to come to an end."""
    bare = inspect.unwrap(function) if callable(function) else function
    code = getattr(bare, "__code__", None) or getattr(type(bare).__call__, "__code__", None)
    return code is not None and code.co_filename.startswith(_of_courses)


def last_own_line(error: BaseException) -> str | None:
    """Return the last line of the learner's own code that an error passed; None if it cannot be read."""
    own = traceback.StackSummary.extract(iter(own_frames(error)))
    return own[-1].line if own else None


def own_code(function: object) -> list[CodeType]:
    """List the code of a function and of the functions that it names, as far as the learner wrote them."""
    return [each.__code__ for each in own_functions(function)]


def own_functions(function: object) -> list[FunctionType]:
    """List a function and the functions that it names, as far as the learner wrote them."""
    waiting, met = [function], dict[CodeType, FunctionType]()
    while waiting:
        named = waiting.pop()
        if is_own_function(named) and named.__code__ not in met:
            met[named.__code__] = named
            waiting += _named_in(named)
    return list(met.values())


def is_own_function(value: object) -> TypeGuard[FunctionType]:
    """Whether this is a function that the learner wrote."""
    return isinstance(value, FunctionType) and is_own(value.__code__)


def named_in(code: CodeType) -> Iterator[str]:
    """Yield the names that stand in a function's code, but for those of its own variables."""
    for part in parts_of(code):
        yield from part.co_names


def attributes_in(code: CodeType) -> Iterator[str]:
    """Yield what a function's code takes from a name of the notebook, like "np.exp"."""
    for part in parts_of(code):
        for one, next_one in itertools.pairwise(dis.get_instructions(part)):
            if one.opname == "LOAD_GLOBAL" and next_one.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                yield f"{one.argval}.{next_one.argval}"


def parts_of(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and that of every function inside of it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from parts_of(constant)


def written(function: object) -> set[str]:
    """Return the names and signs that stand in the learner's code.

    >>> sorted({"round", "zeros_like", "//"} & written(lambda x: round(x // 2)))
    ['//', 'round']
    """
    return {str(text) for step in _instructions(function) for text in (step.argval, step.argrepr)}


def returns_with_comma(function: object) -> bool:
    """Whether a return line of the learner's ends with a comma.

    >>> returns_with_comma(lambda x: (x,)), returns_with_comma(lambda x: tuple([x]))
    (True, False)
    """
    return ("BUILD_TUPLE", 1, "RETURN_VALUE") in [
        (one.opname, one.arg, next_one.opname) for one, next_one in itertools.pairwise(_instructions(function))
    ]


def _instructions(function: object) -> Iterator[dis.Instruction]:
    for code in own_code(function):
        for part in parts_of(code):
            yield from dis.get_instructions(part)


def _named_in(function: FunctionType) -> Iterator[object]:
    yield from map(function.__globals__.get, named_in(function.__code__))
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # it is still empty
            yield cell.cell_contents

"""The learner's own code among all that an error passed."""

import os
import sysconfig
import traceback
from types import FrameType

PACKAGE = os.path.dirname(os.path.dirname(__file__))
LIBRARIES = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]
NOT_THE_LEARNERS = tuple(folder + os.sep for folder in (PACKAGE, *LIBRARIES))


def own_frames(error: BaseException) -> list[tuple[FrameType, int]]:
    """List the frames of the learner's own code that an error passed, each with the number of its line."""
    passed = traceback.walk_tb(error.__traceback__)
    return [(frame, line) for frame, line in passed if not frame.f_code.co_filename.startswith(NOT_THE_LEARNERS)]


def is_the_courses(function: object) -> bool:
    """Whether a function is the course's own, which is known to come to an end."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_filename.startswith(PACKAGE + os.sep)


def last_own_line(error: BaseException) -> str | None:
    """Return the last line of the learner's own code that an error passed; None if it cannot be read."""
    own = traceback.StackSummary.extract(iter(own_frames(error)))
    return own[-1].line if own else None

"""Is a ... of the stub still there?"""

import re

from mha_course.checking.attempt import Attempt
from mha_course.checking.own_code import own_frames

SPOKEN_OF = re.compile("ellipsis", re.IGNORECASE)
HIDDEN_BEHIND = re.compile("object|enough dimensions")  # how NumPy speaks of a ... among numbers


def is_unfinished(attempt: Attempt) -> bool:
    """Whether a ... was returned, or met on the way to an error.

    >>> from mha_course.checking.attempt import call
    >>> is_unfinished(Attempt(value=[..., 2])), is_unfinished(Attempt(value=None))
    (True, False)
    >>> is_unfinished(call(lambda x: x @ ..., ([1],)))
    True
    """
    if attempt.error is None:
        return _holds_dots(attempt.value)
    said = str(attempt.error.args)
    frames = [frame for frame, _ in own_frames(attempt.error)]
    return (
        bool(SPOKEN_OF.search(said))
        or any(_holds_dots(list(frame.f_locals.values())) for frame in frames)
        or (bool(HIDDEN_BEHIND.search(said)) and any(... in frame.f_code.co_consts for frame in frames))
    )


def _holds_dots(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_holds_dots(part) for part in value if part is not value)
    return value is ...

"""Takes the folders of this machine out of what students read: whose they are, and where, is nobody's business."""

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from . import walls

PICTURE = "image/png"


def hidden(said: Any) -> Any:
    """Return an output, or any text, in which a folder of this machine is only three dots.

    >>> hidden({"text": [f"File {walls.HERE}/inside.py"]})
    {'text': ['File …/inside.py']}
    """
    match said:
        case str():
            return _folders().sub("…", said)
        case list():
            return [hidden(part) for part in said]
        case dict():
            return {name: part if name == PICTURE else hidden(part) for name, part in said.items()}
    return said


@cache
def _folders() -> re.Pattern:
    own = {walls.HERE, walls.HERE.parent, Path.home(), *(each.parent for each in walls.packages())}
    own |= {Path(each) for each in (*sys.path, sys.prefix, sys.base_prefix)}
    own |= {each.resolve() for each in own}
    own |= {Path("~", each.relative_to(walls.HOME)) for each in own if each.is_relative_to(walls.HOME)}  # IPython's way
    named = {str(each) for each in own if len(each.parts) > 2 or each == Path.home()} - {"/usr/local"}
    longest_first = sorted(named - {"/"}, key=len, reverse=True)
    return re.compile("|".join(rf"{re.escape(each)}(?![\w.-])" for each in longest_first))

"""Reads what a learner downloaded from the live notebooks: a zip of their lessons and their progress file.

It is read in memory, and no file in it further than a lesson can be long.
"""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

NAME = re.compile(r"my_attention_course_[\d_-]+")  # as the live notebooks call it
MOST_FILES, MOST_OF_ONE = 200, 5 * 2**20  # bytes
HOW = (ZIP_STORED, ZIP_DEFLATED)  # the others give out more than they are asked for
FOREIGN = "it is not as it was downloaded: ask for it again."
TOO_LARGE = f"a file in it is larger than {MOST_OF_ONE // 2**20} MB."
BROKEN = (BadZipFile, OSError, EOFError, zlib.error, NotImplementedError, RuntimeError)


def is_one(path: Path) -> bool:
    """Whether a file is such a zip, as its name tells."""
    return path.suffix.lower() == ".zip" and NAME.search(path.stem) is not None


def contents(path: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield each file with one of some endings. Errors: `ValueError` says what kept the rest from being read."""
    try:
        with ZipFile(path) as packed:
            for info in packed.infolist()[:MOST_FILES]:
                inside = PurePosixPath(info.filename)
                if inside.suffix in suffixes:
                    yield inside, _content(packed, info)
    except BROKEN:
        raise ValueError(FOREIGN) from None


def _content(packed, info):
    if info.compress_type not in HOW:
        raise ValueError(FOREIGN)
    with packed.open(info) as stream:
        content = stream.read(MOST_OF_ONE + 1)  # what its header says of its size may be wrong
    if len(content) > MOST_OF_ONE:
        raise ValueError(TOO_LARGE)
    return content

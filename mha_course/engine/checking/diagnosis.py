"""What a check found."""

from dataclasses import dataclass
from typing import Literal

Finding = Literal["right", "mistake", "difference", "not started"]
Lines = tuple[tuple[str, str], ...]  # pairs like ("yours", "1·2 = 2") of one entry


@dataclass(frozen=True)
class Diagnosis:
    """What a check found, in plain words.

    paragraphs: what to read, in order. where: public threads that had the same. asked: those that asked
    about it. mistakes: the names of those that were recognised.
    """

    kind: Finding
    headline: str
    paragraphs: tuple[str, ...] = ()
    lines: Lines = ()
    where: str = ""
    asked: str = ""
    mistakes: tuple[str, ...] = ()

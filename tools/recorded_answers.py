"""Answers to exercises as records, a line of JSON each: what was asked, the code, and what is wrong with it.

docs/recorded_answers.md says how they were made, and how another checker is measured on them.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from as_cell import as_cell

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "tests" / "recorded_answers.jsonl"


@dataclass(frozen=True)
class Recorded:
    """One answer. kind: "right" or "wrong". wrong: each mistake in the words of whoever wrote the answer.

    task: what was asked, in a line; the lesson's notebook has all of it. named: what the checks call the mistakes,
    after somebody compared it with the code; empty if they name none. thread: public code that made one of these,
    separated by commas. set: when it was collected.
    """

    exercise: str
    task: str
    kind: str
    code: str
    wrong: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    thread: str = ""
    set: str = ""

    @cached_property
    def function(self) -> Callable[..., object]:
        """The function that the code makes last; its source can be read again, as a cell's can."""
        return as_cell(self.code, {})

    @property
    def line(self) -> str:
        """The record as a line of a file."""
        return json.dumps({name: value for name, value in asdict(self).items() if value}, ensure_ascii=False)


def recorded(file: Path = RECORDS) -> list[Recorded]:
    """Read the records of a file."""
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [Recorded(**each | {name: tuple(each.get(name, ())) for name in ("wrong", "named")}) for each in records]

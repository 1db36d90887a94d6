"""Measures what the checks say of answers that were written without a look at what they know.

The answers are records: see `recorded_answers`. Prints how many were named, passed and refused, each with Wilson's
interval of 95 %, and how many names depend on the inputs that are drawn; and writes a sheet on which each name is
judged: is it true of the code?
"""

import argparse
import math
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from recorded_answers import Recorded, recorded  # noqa: E402
from the_course import CATALOGUE  # noqa: E402

from mha_course.engine.checking.diagnose import diagnose  # noqa: E402
from mha_course.engine.checking.diagnosis import Diagnosis  # noqa: E402

Z = 1.96  # of the normal distribution, for 95 %
SHEET = ROOT / "build" / "blind.md"


@dataclass(frozen=True)
class Said:
    """An answer, and what the checks say of it with each seed."""

    answer: Recorded
    found: Sequence[Diagnosis]

    @property
    def first(self) -> Diagnosis:
        """What is said with the first seed."""
        return self.found[0]

    @property
    def differs(self) -> bool:
        """Whether something else is said with another seed."""
        return len({(each.kind, each.mistakes) for each in self.found}) > 1


def main():
    """Check every answer, print the counts, and write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("answers", nargs="+", type=Path, help="files of records")
    parser.add_argument("--seeds", type=int, default=1, help="how many draws of the inputs each is tried on")
    parser.add_argument("--sheet", type=Path, default=SHEET, help="where each name is to be judged")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # mistakes divide by 0, too
    said = []
    for answer in (each for file in options.answers for each in recorded(file)):
        exercise = CATALOGUE.exercises[answer.exercise]
        said.append(Said(answer, [diagnose(exercise, answer.function, seed=seed) for seed in range(options.seeds)]))
    print("\n".join(report(said)))
    options.sheet.parent.mkdir(exist_ok=True)
    options.sheet.write_text("\n".join(sheet(said)), encoding="utf-8")
    print(f"To be judged: {options.sheet}")


def report(said: Sequence[Said]) -> list[str]:
    """Say how many answers were named, passed and refused."""
    wrong = [each for each in said if each.answer.wrong]
    groups = {"one mistake": [each for each in wrong if len(each.answer.wrong) == 1]}
    groups["two mistakes"] = [each for each in wrong if len(each.answer.wrong) > 1]
    lines = [_share("named", [bool(each.first.mistakes) for each in wrong])]
    lines += [_share(f"  {words}", [bool(each.first.mistakes) for each in group]) for words, group in groups.items()]
    lines += [_share("wrong and passed", [each.first.kind == "right" for each in wrong])]
    lines += [_share("right and refused", [each.first.kind != "right" for each in said if not each.answer.wrong])]
    lines += [_share("said otherwise with another seed", [each.differs for each in said])]
    return lines


def _share(words: str, which: Sequence[bool]) -> str:
    """Say how many of so many, with Wilson's interval.

    >>> _share("named", [True] * 9 + [False])
    'named: 9 of 10, 90.0 % (59.6 to 98.2)'
    """
    if not which:
        return f"{words}: 0 of 0"
    low, high = (100 * bound for bound in wilson(sum(which), len(which)))
    return f"{words}: {sum(which)} of {len(which)}, {100 * sum(which) / len(which):.1f} % ({low:.1f} to {high:.1f})"


def wilson(count: int, of: int) -> tuple[float, float]:
    """Return the bounds of Wilson's interval for a share (Wilson 1927, JASA 22).

    >>> [round(bound, 3) for bound in wilson(0, 100)]
    [0.0, 0.037]
    """
    share, spread = count / of, Z * Z / of
    middle = share + spread / 2
    half = Z * math.sqrt(share * (1 - share) / of + spread / (4 * of))
    return max(middle - half, 0.0) / (1 + spread), (middle + half) / (1 + spread)


def sheet(said: Iterable[Said]) -> Iterable[str]:
    """Yield the lines of a sheet: each answer with its truth, what was said, and room for a judgement of each name."""
    for number, each in enumerate(said, start=1):
        names = " | ".join(sorted({" + ".join(found.mistakes) or found.headline for found in each.found}))
        yield f"## {number}. {each.answer.exercise}\n"
        yield f"```python\n{each.answer.code}```\n"
        yield f"- truth: {' + '.join(each.answer.wrong) or 'right'}"
        yield f"- {each.first.kind}: {names}"
        yield from (f"  - {paragraph}" for paragraph in each.first.paragraphs if each.first.kind != "right")
        yield "- true of the code (yes, in part, no):\n" if each.first.mistakes else ""


if __name__ == "__main__":
    main()

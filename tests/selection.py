"""What of each test `make quick` runs, and what begins first in any run.

Which tests a run takes at all is said by their marks: see docs/testing.md.
"""

import re
import subprocess
from collections import defaultdict
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any
from zlib import crc32

from stored import ROOT

WHOLE = ("tests/engine/", "tests/test_house.py")
# What needs a browser and what does not begin in turn: the more browsers work at once, the more all of them wait. Of
# each the longest begins first, as whoever began with it late would end alone.
BROWSER, JUPYTERLAB = "tests/browser/", "tests/browser/in_jupyterlab/"
LONGEST = (
    "tests/browser/test_live_page.py", JUPYTERLAB,
    "tests/browser/test_activation_in_the_browser.py", "tests/browser/test_slides_in_the_browser.py",
    "tests/browser/test_site_in_the_browser.py", "tests/browser/test_one_board_in_the_browser.py",
    "tests/browser/test_hub_in_the_browser.py", "tests/browser/test_boards_in_the_browser.py",
    "tests/browser/test_legible_in_the_browser.py",
    "tests/test_binder.py", "notebooks/15_real_model.ipynb", "tests/test_attacks.py", "tests/test_recorded_answers.py",
    "tests/test_grading.py", "tests/test_judging.py", "tests/test_new_course.py", "tests/test_review.py",
    "tests/test_session.py", "tests/test_real_model.py", "tests/test_updates.py", "tests/test_mistakes.py",
    "tests/test_pairs.py", "notebooks/14_heads_that_learn.ipynb", "tests/engine/test_verdicts.py",
)  # fmt: skip
CASES = 2


def is_left_out(path: Path) -> bool:
    """Say whether quick runs nothing of a file: of the notebooks it runs those that differ."""
    return path.parent == ROOT / "notebooks" and not _differs(path.name)


def chosen(items: list[Any]) -> list[Any]:
    """Return what quick runs of the collected tests. Of a test's cases it takes the same in every run."""
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    few = {item for of_one_test in cases.values() for item in sorted(of_one_test, key=_drawn)[:CASES]}
    return [item for item in items if item in few or _is_whole(item)]


def together(test: str) -> str:
    """Name what one process runs without a break: a test's file, or all that uses JupyterLab, which starts once."""
    return JUPYTERLAB if test.startswith(JUPYTERLAB) else test.partition("::")[0]


def in_order(items: list[Any]) -> list[Any]:
    """Return the tests in the order in which they begin; those that stay together keep theirs."""
    groups = defaultdict(list)
    for item in items:
        groups[together(item.nodeid)].append(item)
    places = {name: place for place, name in enumerate(LONGEST)}
    names = sorted(groups, key=lambda name: places.get(name, len(LONGEST)))
    browsers = [name for name in names if name.startswith(BROWSER)]
    others = [name for name in names if not name.startswith(BROWSER)]
    return [
        item for pair in zip_longest(browsers, others) for name in pair if name is not None for item in groups[name]
    ]


def _drawn(item: Any) -> int:
    return crc32(item.nodeid.encode())


def _is_whole(item: Any) -> bool:
    path, _, test = item.nodeid.partition("::")
    return path.startswith(WHOLE) or _differs(test.partition("[")[2] if path.startswith("tests/") else path)


def _differs(what: str) -> bool:
    """Whether something is about a lesson that differs."""
    return any(lesson in what for lesson in differing_lessons() or ())


@cache
def differing_lessons() -> list[str] | None:
    """Name the lessons whose folder or notebook differs from what was last merged, None if git does not say."""
    files = differing_files()
    if files is None:
        return None
    found = (re.match(r"mha_course/lessons/(\w+)/.*\.py$|notebooks/\d\d_(\w+)\.ipynb$", each) for each in files)
    return sorted({match[1] or match[2] for match in found if match})


@cache
def differing_files() -> list[str] | None:
    """Name every file, old and new, that differs from what was last merged, None if git does not say."""
    try:
        differing = _git("diff", "--name-only", "--no-renames", "--relative", _last_merged())
        return differing + _git("ls-files", "--others", "--exclude-standard")
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None


def _last_merged() -> str:
    """Name the commit at which the branch left the one that was cloned; where nothing was cloned, the last merge."""
    try:
        (commit,) = _git("merge-base", "HEAD", "origin/HEAD")
    except subprocess.CalledProcessError:
        (commit,) = _git("rev-list", "--merges", "--max-count=1", "HEAD")
    return commit


def code_since() -> str:
    """Say how many lines of code came and went since what was last merged; nothing if git does not say."""
    try:
        changes = _git("diff", "--shortstat", _last_merged(), "--", "*.py", "*.js", "*.mjs", "*.css")
    except (OSError, ValueError, subprocess.CalledProcessError):
        return ""
    return f"Code since what was last merged: {changes[0].strip() if changes else 'the same'}."


def said() -> str:
    """Say what quick runs whole."""
    differing = differing_lessons()
    if differing is None:
        return "Git does not say which lessons differ from what was last merged, so none was run whole."
    return f"Run whole, as they differ from what was last merged: {', '.join(differing) or 'no lesson'}."


def _git(*command: str) -> list[str]:
    return subprocess.check_output(["git", *command], cwd=ROOT, text=True, stderr=subprocess.DEVNULL).splitlines()

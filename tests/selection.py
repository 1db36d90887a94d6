"""Which tests `make logic` and `make quick` run: logic leaves files out, quick takes a few cases of what is left.

Quick runs the engine's own tests whole, and all about the lessons that differ from the last merge.
"""

import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

from stored import ROOT

# Browsers, graders, installs, PyTorch, the real model, and processes that have to be stopped.
SLOW = {
    "browser", "test_against_torch.py", "test_attacks.py", "test_attempts.py", "test_binder.py", "test_classroom.py",
    "course_folder.py", "test_collecting.py", "test_grades.py", "test_grading.py", "test_judging.py", "test_opening.py",
    "test_real_model.py", "test_real_model_maths.py", "test_real_model_store.py", "test_running_notebooks.py",
    "test_site.py", "test_speaking.py", "test_updates.py", "test_writing.py",
}  # fmt: skip
ALL_MISTAKES = {"test_invented.py", "test_mistakes.py", "test_pairs.py"}
# What takes seconds and cannot be shortened: a class of sixty, a course that is disturbed, other Pythons.
LONG = {"test_class_report.py", "test_environment.py", "test_learned_outputs.py", "test_parts.py"}
ENGINE = "tests/engine/"
CASES = 2


def is_left_out(path: Path, is_quick: bool) -> bool:
    """Say whether a file or folder has nothing to be run by logic, or by quick."""
    folder, name = path.parent, path.name
    if folder == ROOT / "notebooks":
        return not (is_quick and any(lesson in name for lesson in differing_lessons() or ()))
    if folder != ROOT / "tests":
        return False
    return name in SLOW | (LONG if is_quick else ALL_MISTAKES) or (name in ALL_MISTAKES and not differing_lessons())


def chosen(items: list[Any]) -> list[Any]:
    """Return what quick runs of the collected tests. Of a test's cases it takes the same in every run."""
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    few = {item for of_one_test in cases.values() for item in sorted(of_one_test, key=_drawn)[:CASES]}
    return [item for item in items if _is_whole(item) or (item in few and item.path.name not in ALL_MISTAKES)]


def _drawn(item: Any) -> int:
    return crc32(item.nodeid.encode())


def _is_whole(item: Any) -> bool:
    path, _, test = item.nodeid.partition("::")
    about = test.partition("[")[2] if path.startswith("tests/") else path
    return path.startswith(ENGINE) or any(lesson in about for lesson in differing_lessons() or ())


@cache
def differing_lessons() -> list[str] | None:
    """Name the lessons whose folder or notebook differs from the last merge, None if git does not say."""
    try:
        (merge,) = _git("rev-list", "--merges", "--max-count=1", "HEAD")
        differing = _git("diff", "--name-only", "--diff-filter=d", "--relative", merge)
        differing += _git("ls-files", "--others", "--exclude-standard")
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None
    found = (re.match(r"mha_course/lessons/(\w+)/.*\.py$|notebooks/\d\d_(\w+)\.ipynb$", each) for each in differing)
    return sorted({match[1] or match[2] for match in found if match})


def said() -> str:
    """Say what quick runs whole."""
    differing = differing_lessons()
    if differing is None:
        return "Git does not say which lessons differ from the last merge, so none was run whole."
    return f"Run whole, as they differ from the last merge: {', '.join(differing) or 'no lesson'}."


def _git(*command: str) -> list[str]:
    return subprocess.check_output(["git", *command], cwd=ROOT, text=True, stderr=subprocess.DEVNULL).splitlines()

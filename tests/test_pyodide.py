"""The course inside a page's Python, which Node.js runs without a browser: it says what it says here."""

import json
import re
import subprocess

import pytest
import said
from stored import ROOT
from website.live.fetch import HERE, Wrong, checked

CODE = """
import json, said, sys
before = sorted({"scipy", "matplotlib", "psutil"} & set(sys.modules))
json.dumps({"loaded": before, **{part: getattr(said, part)() for part in ("verdicts", "stopped", "kept", "boards")}})
"""
MEASURED = re.compile(r"[\d.]+ seconds(, for most of which it waited)?")
pytestmark = [pytest.mark.needs("pyodide"), pytest.mark.slow]


@pytest.fixture(scope="module")
def page():
    """Return what all parts of `said` are in a page."""
    run = subprocess.run(
        ["node", ROOT / "tests" / "in_a_page.mjs", HERE, ROOT, CODE], capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("part", ["verdicts", "stopped", "kept", "boards"])
def test_a_page_says_the_same(page, part):
    here = getattr(said, part)()
    assert _untimed({name: page[part][name] for name in here}) == _untimed(here)


def _untimed(told):
    """Return what was told, whatever time a busy machine gave."""
    return {name: MEASURED.sub("a while", each) if isinstance(each, str) else each for name, each in told.items()}


def test_importing_the_course_needs_neither_scipy_nor_matplotlib_nor_psutil(page):
    assert page["loaded"] == []


def test_a_file_that_is_not_the_one_named_is_refused_by_name():
    with pytest.raises(Wrong, match="numpy"):
        checked("numpy.whl", b"other", "0" * 64)

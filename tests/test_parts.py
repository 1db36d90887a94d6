"""What a machine has not is left out, named and explained; what is required and missing ends the run at once."""

import os
import subprocess
import sys

import nbformat
import pytest
from parts import PARTS
from stored import ROOT, code_cells

pytestmark = pytest.mark.long

LESSON, EXAMPLES = "notebooks/15_real_model.ipynb", "mha_course/language_model/model.py"


def run(*tests, **settings):
    """Run some tests in a Python of their own, and return the exit code and what was said."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", *tests]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_every_test_that_is_said_to_need_a_part_is_there(part):
    for path, _, name in (test.partition("::") for test in part.tests):
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8") if name else (ROOT / path).exists(), path


def test_without_the_model_its_lesson_and_its_examples_are_left_out_and_named_and_the_rest_runs():
    code, said = run(LESSON, EXAMPLES, "tests/test_address.py", MHA_COURSE_MODEL="no")
    cells = len(code_cells(nbformat.read(ROOT / LESSON, 4)))
    assert code == 0 and " passed" in said
    (line,) = [line for line in said.splitlines() if line.startswith("Left out: ")]
    assert line.endswith(
        f"tests of {EXAMPLES}, {LESSON}. The real language model is left out, as MHA_COURSE_MODEL=no asks."
    )
    assert int(line.split()[2]) > cells


def test_what_is_required_and_missing_ends_the_run_at_once_in_a_plain_sentence(tmp_path):
    code, said = run("tests/test_address.py", MHA_COURSE_BROWSER="required", PATH=str(tmp_path))
    assert code == pytest.ExitCode.USAGE_ERROR and "passed" not in said and "Traceback" not in said
    assert "Chromium is not here: on Debian, apt install chromium. MHA_COURSE_BROWSER=required asks for it." in said

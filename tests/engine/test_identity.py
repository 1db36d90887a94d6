"""What is a course's own: its code is no learner's, and two courses share nothing."""

import sys

import numpy as np
import pytest
from as_cell import as_cell
from toy.course import FLIP, SIGNALS, SLIDE

from mha_course.engine import Case, Course, Exercise, Identity, Lesson, Solution
from mha_course.engine.pictures.theme import BLUE, css_variables
from mha_course.engine.progress.kept_texts import KeptTexts

CASES = [
    Case("the example", (np.array([1.0, 2.0, 4.0, 8.0]), np.array([1.0, -1.0]))),
    Case("longer", lambda sample: sample((9,), (3,))),
]
CONVOLVE = Exercise(
    "convolution.own",
    "Convolution",
    Solution("signal kernel", [FLIP, SLIDE]),
    cases=CASES,
    notice="Good.",
    off_limits=("convolve",),
)
PACKAGE = """
import numpy as np

def convolve(signal, kernel):
    return np.convolve(signal, kernel, mode="valid")

def broken(signal):
    raise ValueError("no such signal")
"""


@pytest.fixture
def waves(tmp_path, monkeypatch):
    """A course whose package lies beside its notebooks."""
    (tmp_path / "waves").mkdir()
    (tmp_path / "waves" / "__init__.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path)
    yield Course(Identity("Waves", "waves"), [Lesson("convolution", exercises=[CONVOLVE])])
    sys.modules.pop("waves", None)


def test_what_a_courses_package_brings_is_no_answer(waves):
    calls = as_cell("from waves import convolve\ndef mine(signal, kernel):\n    return convolve(signal, kernel)", {})
    verdict = waves.check("convolution.own", calls)
    assert not verdict.is_right and "they come from convolve" in str(verdict)
    own = as_cell(
        "import numpy as np\ndef convolve(signal, kernel):\n    return np.convolve(signal, kernel, 'valid')", {}
    )
    assert waves.check("convolution.own", own).is_right


def test_the_line_that_is_shown_is_the_learners_not_the_courses(waves):
    calls = as_cell("from waves import broken\ndef mine(signal, kernel):\n    return broken(signal)", {})
    said = str(waves.check("convolution.own", calls))
    assert "return broken(signal)" in said and "raise ValueError" not in said


def test_a_course_must_have_a_package_that_python_finds():
    with pytest.raises(ValueError, match="package is 'no_such', but Python finds no package of that name"):
        Course(Identity("Nothing", "no_such"), [])


@pytest.mark.parametrize("names", [{"package": "no name"}, {"package": "waves", "progress": "progress.txt"}])
def test_names_that_cannot_be_are_refused(names):
    with pytest.raises(ValueError, match=f"^{[*names][-1]} is '"):
        Identity("Waves", **names)


def test_two_courses_share_no_progress_no_texts_and_no_colours(waves):
    signals = Course(SIGNALS, [])
    waves.progress.record("right", "convolution.own")
    assert waves.progress.solved() == {"convolution.own"} and signals.progress.solved() == set()
    KeptTexts(waves.identity).keep("board", "left so")
    assert KeptTexts(waves.identity).kept("board") == "left so" and KeptTexts(SIGNALS).kept("board") is None
    assert waves.identity.progress_file.name == "my_waves_progress.jsonl"
    assert waves.identity.to_hand_in == "my_waves_progress_to_hand_in.jsonl"
    assert "--waves-kernel: #0072b2ff" in css_variables(Identity("Waves", "waves", colours={"kernel": BLUE}))

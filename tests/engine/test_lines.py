"""An answer in lines: taken in, moved, run as the function that they are, and there again the next time."""

import re

import numpy as np
import pytest
from toy.course import course

COURSE = course()
NAME = "averages.mean"  # lines 0 to 2 are right; 3 and 4 are in place of 0 and 1


def run(session, *keys):
    """Take these lines in, in this order, and run them; return what comes of it."""
    moves = [["move", key, "function", place] for place, key in enumerate(keys)]
    return session.act([["press", "start over"], *moves, ["press", "run"]])["parts"]["result"]


@pytest.mark.parametrize("order", ["012", "102", "3012", "41302"])
def test_any_order_that_computes_the_right_thing_is_right(order):
    result = run(COURSE.arrange(NAME)._session, *order)
    assert "✓ right" in result and "Now write the same from memory: exercise 2.1." in result


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("34012", ["“total = np.sum(np.abs(signal))” and “count = len(signal) - 1”"]),
        ("4012", ["“count = len(signal) - 1”"]),
        ("102", []),
    ],
)
def test_lines_that_are_taken_in_for_nothing_are_told(order, told):
    assert re.findall("It is right without (.*?), too", run(COURSE.arrange(NAME)._session, *order)) == told


def test_lines_are_moved_by_their_buttons_and_every_move_is_told():
    session = COURSE.arrange(NAME)._session
    update = session.act([["press", "line 2"], ["press", "line 0"], ["press", "up 0"]])
    assert update["parts"]["told"] == "“total = np.sum(signal)” is line 1 of 2. Not run since."
    assert update["off"] == ["up 0", "down 2"]
    assert re.findall('data-line="(.)"', update["parts"]["function"]) == ["0", "2"]
    update = session.act([["press", "down 0"], ["press", "line 2"], ["press", "up 9"], ["move", "9", "function", 0]])
    assert re.findall('data-line="(.)"', update["parts"]["function"]) == ["0"]
    assert "“return total / count” is put aside." in update["parts"]["told"]
    update = session.act([["press", "start over"], ["press", "run"]])
    assert update["parts"]["alert"] == "No line is in the function yet: take some in."
    assert COURSE.progress.events() == []


def test_what_was_run_is_kept_and_comes_back_but_does_not_solve_the_exercise():
    session = COURSE.arrange(NAME)._session
    assert "One number is not counted." in run(session, *"402")
    assert "✓ right" in run(session, *"102")
    kept = [(each.name, each.kind, each.mistakes, each.answer) for each in COURSE.progress.events()]
    assert kept == [
        (f"{NAME}.arranged", "mistake", ("One number is not counted.",), ["4", "0", "2"]),
        (f"{NAME}.arranged", "right", (), ["1", "0", "2"]),
    ]
    assert NAME not in COURSE.progress.solved() and "exercises 0 of 4" in COURSE.how_far().text
    again = repr(COURSE.arrange(NAME))
    assert "    total = np.sum(signal)\n    return" in again and "This is how you left it." in again
    COURSE.check(NAME, lambda signal: np.max(signal))
    assert [each.attempt for each in COURSE.progress.events()] == [1, 2, 1]


@pytest.mark.parametrize("answer", [["0", "77"], ["0", "0"], "0", 3])
def test_lines_of_another_version_are_not_put_in(answer):
    COURSE.progress.record("right", f"{NAME}.arranged", answer=answer)
    assert "This is how you left it." not in repr(COURSE.arrange(NAME))

"""A task on paper: its steps open in turn, a known mistake is named, and wrong tries are kept."""

import re

from toy.course import course

COURSE = course()
NAME, FIRST, SECOND = "averages.neighbours", "averages.neighbours.1", "averages.neighbours.2"
SUMS = {"0,0": "6", "0,1": "13"}
DIFFERENCES = {"0,0": "2", "0,1": "5"}


def test_a_step_opens_when_the_one_before_is_right_and_can_be_tried_again():
    session = COURSE.practise(NAME)._session
    update = session.act([["submit", SECOND, {"answer": "means:0,1"}]])
    assert update["parts"][f"result {SECOND}"] == "" and SECOND in update["hidden"]
    update = session.act([["submit", FIRST, DIFFERENCES]])
    assert "✗ not right sums[1,1] is not 2." in re.sub("<[^>]+>", "", update["parts"][f"result {FIRST}"])
    assert SECOND in update["hidden"] and update["locked"] == []
    update = session.act([["submit", FIRST, {"0,0": "", "0,1": "x"}]])
    assert update["parts"][f"alert {FIRST}"] == "sums[1,1] is empty: type a number."
    assert SECOND not in session.act([["submit", FIRST, SUMS]])["hidden"]
    assert COURSE.practise(NAME)._session.act([])["fields"][FIRST] == SUMS
    update = session.act([["press", "start over"]])
    assert SECOND in update["hidden"] and COURSE.practise(NAME)._session.act([])["off"] == ["start over"]


def test_a_task_is_solved_when_all_of_its_steps_are_right():
    session = COURSE.practise(NAME)._session
    session.act([["submit", FIRST, SUMS]])
    assert COURSE.progress.solved() == set()
    update = session.act([["submit", SECOND, {"answer": "means:0,1"}]])
    assert COURSE.progress.solved() == {NAME} and "exercises 1 of 4" in COURSE.how_far().text
    assert update["parts"]["stand"] == "All steps are right."
    assert "is in two means" in update["parts"][f"result {SECOND}"]


def test_the_wrong_entry_is_found_and_every_other_is_told_how_it_is_made():
    session = COURSE.practise(NAME)._session
    session.act([["submit", FIRST, SUMS]])
    told = session.act([["submit", SECOND, {"answer": "means:0,0"}]])["parts"][f"result {SECOND}"]
    assert "means[1,1] is right: 6 / 2 = 3. Look for another one." in told
    told = session.act([["submit", SECOND, {"answer": "means:0,1"}]])["parts"][f"result {SECOND}"]
    assert "should be 13 / 2 = 6.5" in told and "The table has sums[1,2] = 13. It is not halved." in told


def test_wrong_tries_are_kept_with_the_name_of_the_mistake():
    session = COURSE.practise(NAME)._session
    session.act([["submit", FIRST, DIFFERENCES], ["submit", FIRST, {"0,0": "7", "0,1": "13"}]])
    kept = [(each.name, each.kind, each.mistakes) for each in COURSE.progress.events()]
    assert kept == [
        (FIRST, "answered", ()),
        (NAME, "mistake", ("It takes differences.",)),
        (FIRST, "answered", ()),
        (NAME, "difference", ()),
    ]


def test_the_first_open_task_is_next_when_the_exercises_are_solved():
    for name in COURSE.catalogue.exercises:
        COURSE.progress.record("right", name)
    assert '<a href="02_averages.ipynb#cell-id=practise-by-hand">By hand</a>' in COURSE.how_far().html

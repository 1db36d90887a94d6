"""The engine by itself: a course on another subject is checked, kept and refused as this one is."""

import subprocess
import sys

import numpy as np
import pytest
from toy.board import Taps
from toy.course import FLIP, MEAN, SIGNALS, SLIDE, VALID, course

from mha_course.engine import Case, Course, Exercise, Lesson, Solution, Step, mistake


def convolved(signal, kernel):
    return np.convolve(signal, kernel, mode="valid")


ANSWERS = {  # what a learner wrote -> its mistakes
    "right": (convolved, ()),
    "one mistake": (lambda x, w: np.correlate(x, w, mode="valid"), ("The kernel is not flipped.",)),
    "another mistake": (lambda x, w: convolved(x, w)[:-1], ("The last place is missing.",)),
    "two mistakes": (
        lambda x, w: np.correlate(x, w, mode="valid") / len(w),
        ("The kernel is not flipped.", "It is divided by the length of the kernel."),
    ),
    "neither": (lambda x, w: convolved(x, w) ** 2, ()),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_check_names_the_mistakes_of_another_subject(answer):
    function, mistakes = ANSWERS[answer]
    found = course().check("convolution.valid", function, seed=0)
    assert found.mistakes == mistakes
    assert found.is_right == (answer == "right")


def test_a_wrong_entry_shows_its_arithmetic():
    said = str(course().check("convolution.valid", lambda x, w: np.correlate(x, w, mode="valid"), seed=0))
    assert "✗ Exercise 1.1: The kernel is not flipped." in said
    assert "yours  result[3] = 4·1 + 8·(-1) = -4" in said and "right  result[3] = (-1)·4 + 1·8 = 4" in said


def test_what_was_done_is_kept_comes_back_and_is_counted():
    signals = course()
    signals.check("averages.mean", lambda signal: np.abs(signal).sum() / len(signal))
    signals.check("convolution.valid", convolved)
    events = [(event.name, event.kind, event.mistakes) for event in signals.progress.events()]
    assert events == [
        ("averages.mean", "mistake", ("It adds the magnitudes.",)),
        ("convolution.valid", "right", ()),
    ]
    assert "1 · Convolution: exercises 1 of 1" in signals.how_far().text
    assert "2 · Moving averages: exercises 0 of 4" in signals.how_far().text
    assert "The next 2 come tomorrow" in signals.how_far().text


def test_lines_can_be_arranged():
    assert "This prepares exercise 2.1." in repr(course().arrange("averages.mean"))
    with pytest.raises(ValueError, match=r"no exercise with lines is called that. There are averages\.mean\."):
        course().arrange("convolution.valid")


def test_every_kind_of_question_is_asked_and_kept():
    signals = course()
    for form, sent, said in (
        (signals.predict("convolution.places"), {"answer": "8"}, "That is right: 10 - 3 + 1."),
        (
            signals.predict("convolution.lengths"),
            {"full": "1", "same": "2", "valid": "3"},
            "It is “valid → same → full”.",
        ),
        (signals.quiz("averages"), {"answer": "all"}, "not right"),
        (signals.practise("averages.by-hand"), {"answer": "5"}, "right"),
    ):
        name = form._session.screen().partition('data-form="')[2].partition('"')[0]
        told = form._session.act([["submit", name, sent]])
        assert said in str(told["parts"]), (name, told["parts"])
    answers = signals.progress.answers()
    assert answers["convolution.places"] == 8 and answers["averages.flipped"] == "all"


def test_a_name_that_nobody_has_is_told_with_the_nearest():
    with pytest.raises(ValueError, match=r"Did you mean 'averages\.mean'\?"):
        course().check("averages.means", np.mean)


@pytest.mark.parametrize("name", [["averages.mean"], 3, None])
def test_a_name_that_is_no_text_is_told_in_a_sentence(name):
    with pytest.raises(ValueError, match="no exercise is called that"):
        course().check(name, len)


def test_a_widget_on_another_subject_follows_the_hand_and_has_its_picture_beside_it():
    widget = Taps()
    assert repr(widget) == "result (1 × 3): signals down, places across\n    1  2  3\n1   1  2  4"
    told = widget._act([["submit", "taps", {"0": "1", "1": "1"}]])
    assert told["fields"] == {"taps": {"0": "1", "1": "1"}} and told["parts"]["alert"] == ""
    shown, _ = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown and shown["text/plain"].endswith("1   3  6  12")
    assert widget._act([["submit", "taps", {"0": "one", "1": "1"}]])["parts"]["alert"] == "A tap must be a number."
    assert "--mha-query" not in widget._css and "--mha-right" in widget._css


EXAMPLE = [
    Case("the example", (np.array([1.0, 2.0]), np.array([3.0]))),
    Case("more", lambda sample: sample((4,), (2,))),
]


def an_exercise(name="convolution.x", right=None, cases=EXAMPLE):
    return Exercise(name, "X", right or Solution("signal kernel", [FLIP, SLIDE]), cases=cases, notice="…")


def of(*steps):
    return an_exercise(right=Solution("signal kernel", steps))


BAD = {
    "convolution.x: it has no case": [an_exercise(cases=[])],
    "convolution.x: it has one case": [an_exercise(cases=EXAMPLE[:1])],
    "convolution.x: it names no results": [an_exercise(right=lambda signal, kernel: signal)],
    "convolution.x: the mistake 'It is right.' gives the right answer on every case": [
        of(Step("y", lambda signal: 2 * signal, mistake("It is right.", "It is.", lambda signal: signal + signal)))
    ],
    "convolution.x: it has fewer than 2 mistakes": [of(Step("y", FLIP.does, *FLIP.mistakes))],
    "convolution.x: no later step uses 'aside'": [
        of(Step("aside", lambda kernel: kernel), Step("y", lambda signal: signal))
    ],
    "convolution.x: the step 'y' needs 'taps', which is no": [of(Step("y", SLIDE.does, *SLIDE.mistakes))],
    "2 records are called 'convolution.valid'": [VALID, VALID],
    "averages.mean: its name must begin with that of its lesson": [MEAN],
}


@pytest.mark.parametrize("said", BAD)
def test_a_bad_record_is_refused_by_its_name_when_the_course_is_made(said):
    with pytest.raises(ValueError, match=said):
        Course(SIGNALS, [Lesson("convolution", exercises=BAD[said])])


def test_the_engine_needs_nothing_else_of_the_course():
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from toy.course import course\n"
        "course()\n"
        "print(sorted({name.split('.')[1] for name in sys.modules if name.startswith('mha_course.')}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert eval(run.stdout) == ["_numpy", "_version", "engine"]

"""Questions of another subject: what is written down is read strictly, and every kind can be asked in every manner."""

import re

import numpy as np
import pytest
from toy.course import SIGNALS

from mha_course.engine.asking import sittings
from mha_course.engine.asking.entry import Entry
from mha_course.engine.asking.kinds import Choice, Number, Option, Order
from mha_course.engine.asking.numbers import Numbers
from mha_course.engine.asking.question import Question
from mha_course.engine.asking.question_text import choice, number, order, part, several, task
from mha_course.engine.asking.several_choices import Several
from mha_course.engine.asking.wrong_entry import WrongEntry
from mha_course.engine.course.lesson import Lesson
from mha_course.engine.pictures.practice import Table
from mha_course.engine.progress.progress import Progress

NAME = "sums.product"
TEXT = """
    How much is 2 · 3, in words and
    *in digits*?

    - 5
      That is 2 + 3.
    - six, that is `x[1]`  [6]
      2 · 3 is 3 + 3,
      and so it is 2 + 2 + 2.
"""
ITEMS = """
    The largest first?

    - one  [1]
    - 2
"""


def test_a_text_becomes_a_question_its_options_and_their_reasons():
    question = choice(NAME, TEXT, right=lambda: "6", lesson="numbers")
    assert (question.name, question.about) == (NAME, "numbers")
    assert question.text == "How much is 2 · 3, in words and *in digits*?"
    assert question.kind.options == {
        "5": Option("5", "That is 2 + 3."),
        "6": Option("six, that is `x[1]`", "2 · 3 is 3 + 3, and so it is 2 + 2 + 2."),
    }
    assert question.truth() == "6"
    ordered = order("sums.order", ITEMS, right=lambda: ["2", "1"])
    assert ordered.kind.items == {"1": "one", "2": "2"} and ordered.about == "sums"
    assert number("sums.one", "  How much is 1?\n", right=1).text == "How much is 1?"


def test_a_right_answer_that_is_measured_is_measured_once():
    measured = []
    question = number("sums.measured", "How long?", right=lambda: measured.append(1) or 3.0, tolerance=0.5)
    assert measured == []
    assert [question.kind.is_right(answer) for answer in (3, 3.4, 3.6)] == [True, True, False]
    assert question.truth() == 3 and measured == [1]


@pytest.mark.parametrize(
    ("written", "line", "why"),
    [
        ("", "", "the text is empty"),
        ("How much?\n    - 5\n", "- 5", "an empty line follows"),
        ("How much?\n  Or less?\n", "Or less?", "at the margin"),
        ("How much?\n\n- 5\n  Five.\n\n- 6\n  Six.\n", "''", "an option begins with"),
        ("How much?\n\nOr less?\n- 5\n", "Or less?", "an option begins with"),
        ("How much?\n\n  No option yet.\n- 5\n", "No option yet.", "an option begins with"),
        ("How much?\n\n- 5\n  Five.\n  - 6\n    Six.\n", "- 6", "an option begins with"),
        ("How much?\n\n-5\n  Five.\n", "-5", "an option begins with"),
        ("How much?\n\n- 5\nFive.\n", "Five.", "an option begins with"),
        ("How much?\n\n- 5\n    Five.\n", "Five.", "an option begins with"),
        ("How much?\n\n- five [5]\n  Five.\n", "five [5]", "a key in brackets needs two spaces"),
        ("How much?\n\n- 5\n  Five.\n- five  [5]\n  It is.\n", "five  [5]", "the same text or key"),
        ("How much?\n\n- 5\n  Five.\n- 5  [five]\n  It is.\n", "5  [five]", "the same text or key"),
        ("How much?\n\n- 5\n- 6\n  Six.\n", "5", "no reason"),
        ("How much?\n\n- 5\n  Five.\n", "", "there are 1 options"),
        ("How much?\n\n- 7\n  Seven.\n- 6\n  Six.\n", "", "right is '5', but the keys are 7, 6"),
    ],
)
def test_a_text_that_is_not_in_order_is_refused_with_the_name_and_the_line(written, line, why):
    with pytest.raises(ValueError, match=rf"^sums\.product.*{re.escape(line)}.*{re.escape(why)}"):
        choice(NAME, written, right="5")


def test_what_a_kind_of_question_does_not_have_is_refused():
    with pytest.raises(ValueError, match=r"^sums\.order, at 'Because\.': an item to put in order has no reason"):
        order("sums.order", "The largest first?\n\n- 1\n  Because.\n- 2\n", right=lambda: ["2", "1"])
    with pytest.raises(ValueError, match=r"^sums\.one: there are options"):
        number("sums.one", ITEMS, right=1)
    with pytest.raises(ValueError, match="truths are of 5, but the keys are 5, 6"):
        several(TEXT, {"5": True})


def test_two_questions_of_one_name_are_refused():
    product = choice(NAME, TEXT, right="6")
    with pytest.raises(ValueError, match=r"^sums\.product: two have this name"):
        assert Lesson("sums", quiz=(product, product)).quiz


SUMS = Table("sums", np.array([[3, 5]]))
OPTIONS = {"2": Option("2 is even.", "It is 1 + 1."), "3": Option("3 is even.", "1 is left over.")}
KINDS = [  # each with a wrong answer
    (Choice("2", OPTIONS), "3"),
    (Number(2), 3.0),
    (Entry(2, 0.01, "1 + 1 = 2", (("One is taken twice.", "Take it once.", 3.0),)), 3.0),
    (Order(["3", "2"], {"2": "two", "3": "three"}), ["2", "3"]),
    (Several(["2"], OPTIONS), ["3"]),
    (Numbers(SUMS, "Add."), ["3", "4"]),
    (WrongEntry((SUMS,), "sums:0,1", "It is 4.", {"sums:0,0": "1 + 2 = 3"}), ["sums:0,0"]),
]
MANNERS = {
    "prediction": lambda question, progress: sittings.prediction(question, progress),
    "quiz": lambda question, progress: sittings.quiz([question], progress),
    "task": lambda question, progress: sittings.task(
        task("sums", "Sums", part("Which?", question.kind), notice="So it is."), progress
    ),
    "review": lambda question, progress: sittings.review([question], progress, lambda: "Nothing is due."),
}


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(("kind", "wrong"), KINDS, ids=[type(kind).__name__ for kind, _ in KINDS])
def test_every_kind_of_answer_can_be_asked_for_in_every_manner(kind, wrong, manner):
    progress = Progress(SIGNALS)
    session = MANNERS[manner](Question("sums.1", "Which?", kind, numbers=lambda: "1 and 1."), progress)
    assert "Not answered yet." in session.still().text and session.act([])["locked"] == []

    def submitted(answer):
        return session.act([["submit", "sums.1", kind.fields(answer)]])

    told = submitted(wrong)
    assert "✗ not right" in told["parts"]["result sums.1"] and not kind.is_right(wrong)
    assert kind.can_be(wrong) and kind.read(kind.fields(wrong)) == wrong
    is_final = manner in ("prediction", "review")
    assert told["locked"] == ["sums.1"] * is_final
    again = submitted(kind.truth())
    assert ("✓ right" in again["parts"]["result sums.1"]) is not is_final
    kept = [(each.kind, each.answer) for each in progress.events() if each.name == "sums.1"]
    assert (
        kept
        == {
            "prediction": [("predicted", wrong)],
            "quiz": [("answered", wrong), ("answered", kind.truth())],
            "task": [("answered", wrong), ("answered", kind.truth())],
            "review": [("reviewed", "wrong")],
        }[manner]
    )
    came_back = MANNERS[manner](Question("sums.1", "Which?", kind, numbers=lambda: "1 and 1."), progress)
    assert ("Not answered yet." in came_back.still().text) == (manner == "review")

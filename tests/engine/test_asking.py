"""Questions in use: what is an answer, what is told of it, and that it is there again when the course is opened."""

import re

import pytest
from toy.course import PREDICTIONS, course

from mha_course.engine.asking import sittings
from mha_course.engine.asking.kinds import Choice, Number, Option, Order

COURSE = course()
QUIZ = COURSE.catalogue.lessons["averages"].quiz


# The kinds


@pytest.mark.parametrize(
    ("kind", "fields", "complaint"),
    [
        (Choice("a", {"a": Option("A", "…")}), {}, "Nothing is chosen yet"),
        (Choice("a", {"a": Option("A", "…")}), {"answer": "b"}, "Nothing is chosen yet"),
        (Choice("a", {"a": Option("A", "…")}), {"answer": ["a"]}, "Nothing is chosen yet"),
        (Number(1), {}, "The field is empty: type a number."),
        (Number(1), {"answer": "  "}, "The field is empty: type a number."),
        (Number(1), {"answer": "two"}, '"two" is not a number.'),
        (Number(1), {"answer": "1,500"}, "write 1.500 or 1500."),
        (Number(1), {"answer": "1/0"}, '"1/0" is not a number.'),
        (Number(1), {"answer": "nan"}, "not a finite number"),
        (Number(1), {"answer": "1e999"}, "larger than any number"),
        (Order(["b", "a"], {"a": "A", "b": "B"}), {}, "Not placed yet: A, B."),
        (Order(["b", "a"], {"a": "A", "b": "B"}), {"a": "1", "b": ""}, "Not placed yet: B."),
        (Order(["b", "a"], {"a": "A", "b": "B"}), {"a": "1", "b": "1"}, "Two items have the same position"),
    ],
)
def test_what_is_no_answer_gets_a_complaint_in_plain_words(kind, fields, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        kind.read(fields)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Choice("a", {"a": Option("A", "…")}), ["a"], ["b", None, 1, ["a"], {}]),
        (Number(1), [1, -2.5], ["1", None, True, [1], {}]),
        (
            Order(["b", "a"], {"a": "A", "b": "B"}),
            [["a", "b"], ["b", "a"]],
            [["a"], ["a", "a"], "ab", None, [1, 2], {}],
        ),
    ],
)
def test_a_saved_answer_of_another_version_is_known_as_none(kind, good, bad):
    assert all(kind.can_be(answer) for answer in good) and not any(kind.can_be(answer) for answer in bad)


# A prediction in use

NAME, QUESTION = "convolution.places", "averages.taps"


def prediction_session():
    return sittings.prediction(PREDICTIONS[0], COURSE.progress)


def quiz_session():
    return sittings.quiz(QUIZ.values(), COURSE.progress)


def parts(update):
    return {name.partition(" ")[0]: html for name, html in update["parts"].items()}


def test_a_prediction_begins_open_with_nothing_to_start_over():
    update = prediction_session().act([])
    assert update["locked"] == [] and update["hidden"] == ["why"] and update["off"] == ["start over"]
    assert set(parts(update).values()) == {""}


def test_who_commits_meets_the_truth_and_cannot_change_the_answer():
    session = prediction_session()
    update = session.act([["submit", NAME, {"answer": " 10 "}]])
    assert "✗ not right</span> You said 10. It is 8: 10 - 3 + 1." in parts(update)["result"]
    assert update["locked"] == [NAME] and update["hidden"] == update["off"] == []
    again = session.act([["submit", NAME, {"answer": "8"}]])
    assert again["fields"][NAME] == {"answer": "10"} and "You said 10." in parts(again)["result"]
    assert [(each.kind, each.name, each.answer) for each in COURSE.progress.events()] == [("predicted", NAME, 10)]


def test_a_complaint_leaves_all_fields_and_saves_nothing():
    update = prediction_session().act([["submit", NAME, {"answer": "<b>"}]])
    assert parts(update)["alert"] == "&quot;&lt;b&gt;&quot; is not a number." and update["fields"] == {}
    assert COURSE.progress.events() == []


def test_a_reason_is_kept_and_never_judged():
    session = prediction_session()
    session.act([["submit", NAME, {"answer": "8"}]])
    update = session.act([["submit", "why", {"why": "  <i>the same</i> weights " + "x" * 900}]])
    assert parts(update)["kept"] == "Your line is kept."
    kept = COURSE.progress.notes()[NAME]
    assert kept.startswith("<i>the same</i> weights x") and len(kept) == 500
    for shown in (session, prediction_session()):
        assert shown.act([])["fields"]["why"] == {"why": kept} and "the same" not in shown.still().text


def test_a_reason_is_a_note_to_oneself_and_no_event():
    session = prediction_session()
    session.act([["submit", NAME, {"answer": "8"}]])
    before = COURSE.progress.events()
    session.act([["submit", "why", {"why": "A secret."}]])
    assert COURSE.progress.events() == before and "secret" not in str(before)


def test_a_reason_before_an_answer_is_nothing():
    update = prediction_session().act([["submit", "why", {"why": "?"}]])
    assert COURSE.progress.notes() == {} and COURSE.progress.events() == [] and parts(update)["kept"] == ""


def test_a_prediction_opens_as_it_was_left_and_starts_over():
    prediction_session().act([["submit", NAME, {"answer": "10"}]])
    session = prediction_session()
    assert "You said 10. It is 8" in session.still().text
    assert session.act([])["fields"] == {NAME: {"answer": "10"}, "why": {"why": ""}}
    update = session.act([["press", "start over"]])
    assert update["fields"] == {NAME: {}, "why": {"why": ""}} and update["hidden"] == ["why"]
    assert "Not answered yet." in prediction_session().still().text
    assert [(each.attempt, each.answer) for each in COURSE.progress.events()] == [(1, 10), (2, None)]


def test_a_reason_goes_when_its_prediction_starts_over():
    session = prediction_session()
    session.act([["submit", NAME, {"answer": "10"}]])
    session.act([["submit", "why", {"why": "So it is."}]])
    session.act([["press", "start over"]])
    session.act([["submit", NAME, {"answer": "8"}]])
    for shown in (session, prediction_session()):
        assert "You said 8." in shown.still().text and "You wrote" not in shown.still().text


@pytest.mark.parametrize("saved", ["8", "eight", True, ["8"], []])
def test_what_another_version_saved_is_not_answered_yet_and_is_kept(saved):
    COURSE.progress.record("predicted", NAME, answer=saved)
    COURSE.progress.note(NAME, "So it is.")
    update = prediction_session().act([])
    assert update["hidden"] == ["why"] and set(parts(update).values()) == {""}
    assert "Not answered yet." in prediction_session().still().text
    assert COURSE.progress.answers() == {NAME: saved}


@pytest.mark.parametrize(
    "action", [[], ["press"], ["submit"], ["submit", NAME, 3], ["submit", "x", {}], ["?"], None, 1]
)
@pytest.mark.parametrize("make", [prediction_session, quiz_session])
def test_an_action_that_there_is_not_changes_nothing(make, action):
    assert "Not answered yet." in str(make().act([action])) + make().still().text
    assert COURSE.progress.events() == []


def test_notices_about_the_file_are_shown(own_progress):
    own_progress.write_bytes(b"?\n")
    update = prediction_session().act([])
    assert parts(update)["notice"].startswith("1 line of ")


def test_an_unknown_name_is_an_error_that_lists_the_names():
    with pytest.raises(ValueError, match=r"'nothing'.*convolution\.places"):
        COURSE.predict("nothing")
    with pytest.raises(ValueError, match=r"'nothing'.*averages"):
        COURSE.quiz("nothing")


# A quiz in use


def test_a_wrong_answer_is_told_why_and_can_be_mended():
    session = quiz_session()
    update = session.act([["submit", QUESTION, {"answer": "sum"}]])
    result = update["parts"]["result averages.taps"]
    assert "✗ not right</span> Not “1 and 1”. These add them." in result and "✓" not in result
    assert "counts half" not in result  # the right one is not given away
    assert update["locked"] == [] and update["parts"]["score"] == "0 of 2 right."
    assert set(update["fields"]) == {QUESTION}  # others may be half filled in
    update = session.act([["submit", QUESTION, {"answer": "half"}]])
    result = update["parts"]["result averages.taps"]
    assert "✓ right</span> Each counts half." in result and result.count("<li>") == 2
    assert update["locked"] == [QUESTION] and update["parts"]["score"] == "1 of 2 right."


def test_a_question_without_a_choice_gets_a_complaint_at_its_own_place():
    update = quiz_session().act([["submit", QUESTION, {}]])
    alerts = {name for name, html in update["parts"].items() if name.startswith("alert") and html}
    assert alerts == {"alert averages.taps"} and update["fields"] == {}


def test_a_quiz_opens_as_it_was_left_and_starts_over():
    session = quiz_session()
    for name, question in QUIZ.items():
        session.act([["submit", name, {"answer": question.truth()}]])
    assert quiz_session().act([])["parts"]["score"] == "2 of 2 right."
    assert len(COURSE.progress.answers()) == 2
    update = quiz_session().act([["press", "start over"]])
    assert update["locked"] == [] and update["parts"]["score"] == "Not answered yet."
    assert COURSE.progress.answers() == {} and len(COURSE.progress.events()) == 4


def test_every_answer_to_a_question_is_kept():
    session = quiz_session()
    for answer in ("sum", "difference", "half"):
        session.act([["submit", QUESTION, {"answer": answer}]])
    assert [(each.kind, each.attempt, each.answer) for each in COURSE.progress.events()] == [
        ("answered", 1, "sum"),
        ("answered", 2, "difference"),
        ("answered", 3, "half"),
    ]


def test_an_option_that_another_version_had_is_not_answered_yet():
    COURSE.progress.record("answered", QUESTION, answer="gone")
    assert quiz_session().act([])["parts"]["score"] == "Not answered yet."

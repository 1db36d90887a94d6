"""What the course asks: one right answer each, computed where it can be, with a reason for every option."""

import re
from collections import Counter

import nbformat
import numpy as np
import pytest
from proofs import TRUTHS
from stored import NOTEBOOKS, code_cells

from mha_course import predict
from mha_course import quiz as ask_quiz
from mha_course.lessons import CATALOGUE, LESSONS
from mha_course.lessons.by_name import COURSE
from mha_course.workbook.asking import sittings
from mha_course.workbook.asking.kinds import Choice, Number, Option, Order

PREDICTIONS = CATALOGUE.predictions
QUIZZES = {name: lesson.quiz for name, lesson in LESSONS.items()}

QUESTIONS = {name: question for quiz in QUIZZES.values() for name, question in quiz.items()}
CHOICES = {name: each for name, each in (PREDICTIONS | QUESTIONS).items() if isinstance(each.kind, Choice)}
every_choice = pytest.mark.parametrize("name", CHOICES)
every_prediction = pytest.mark.parametrize("name", PREDICTIONS)


# The questions


@every_choice
def test_a_choice_has_one_right_option_and_a_reason_for_each(name):
    options = CHOICES[name].kind.options
    assert CHOICES[name].truth() in options
    assert len({option.text for option in options.values()}) == len(options) >= 3
    reasons = [option.reason for option in options.values()]
    assert len(set(reasons)) == len(reasons)
    assert all(len(reason.split()) >= 4 and reason.endswith(".") for reason in reasons)


@pytest.mark.parametrize("name", PREDICTIONS | QUESTIONS)
def test_the_computed_truth_is_the_one_worked_out_on_paper(name):
    truth = (PREDICTIONS | QUESTIONS)[name].truth()
    assert truth == TRUTHS[name]


def test_no_truth_is_left_over():
    assert set(TRUTHS) == set(PREDICTIONS) | set(QUESTIONS)
    assert not set(PREDICTIONS) & set(QUESTIONS)


@every_prediction
def test_the_truth_of_a_prediction_is_an_answer_that_can_be_given_and_is_confronted_in_words(name):
    prediction = PREDICTIONS[name]
    truth = prediction.truth()
    assert prediction.kind.can_be(truth) and prediction.kind.is_right(truth)
    assert prediction.kind.read(prediction.kind.fields(truth)) == truth
    said = prediction.confronted(truth)
    assert said.startswith("You said ") and ". So it is: " in said
    assert not re.search(r"[{}]|<|None|\barray\b|np\.", said)


@every_prediction
def test_a_wrong_answer_to_a_prediction_is_told_the_right_one(name):
    prediction = PREDICTIONS[name]
    truth, kind = prediction.truth(), prediction.kind
    if isinstance(kind, Choice):
        wrong = [key for key in kind.options if key != truth]
    else:
        wrong = [truth[::-1]] if isinstance(kind, Order) else [truth + 1, -truth]
    for answer in wrong:
        assert not kind.is_right(answer)
        said = prediction.confronted(answer)
        assert f"It is {kind.quoted(truth)}: " in said and "So it is" not in said
        if isinstance(kind, Choice):
            assert said.endswith(kind.options[answer].reason)


def test_items_to_order_are_not_shown_in_the_right_order():
    for name, prediction in PREDICTIONS.items():
        if isinstance(prediction.kind, Order):
            assert list(prediction.kind.items) not in (prediction.truth(), prediction.truth()[::-1]), name


def test_the_kinds_are_mixed():
    kinds = Counter(type(prediction.kind).__name__ for prediction in PREDICTIONS.values())
    assert kinds["Number"] >= 3 and kinds["Order"] >= 3 and kinds["Choice"] >= 7


def test_every_lesson_has_predictions_and_five_questions_of_its_own_name():
    assert list(QUIZZES) == list(LESSONS)
    predictions = Counter(name.partition(".")[0] for name in PREDICTIONS)
    for word, quiz in QUIZZES.items():
        assert predictions[word] >= 1 and len(quiz) == 5
        assert {name.partition(".")[0] for name in quiz} == {word}
    assert set(predictions) <= set(LESSONS)


def test_a_quiz_asks_about_its_lesson_and_earlier_ones_and_says_which():
    order = list(LESSONS)
    for number, (word, quiz) in enumerate(QUIZZES.items()):
        about = [order.index(question.about) for question in quiz.values()]
        assert max(about) == number
        assert sum(earlier < number for earlier in about) >= (2 if number >= 2 else 0)
        for question, earlier in zip(quiz.values(), about, strict=True):
            assert question.text.startswith(f"From lesson {earlier}: ") == (earlier < number), word


def test_the_right_option_is_known_neither_by_its_place_nor_by_its_length():
    places, longest, shortest = Counter(), 0, 0
    for question in QUESTIONS.values():
        lengths = {key: len(option.text) for key, option in question.kind.options.items()}
        truth = question.truth()
        places[list(lengths).index(truth)] += 1
        others = [length for key, length in lengths.items() if key != truth]
        longest += lengths[truth] > max(others)
        shortest += lengths[truth] < min(others)
    assert all(0.15 <= places[place] / len(QUESTIONS) <= 0.35 for place in range(4))
    assert longest <= 10 and shortest <= 10
    for quiz in QUIZZES.values():  # nor by one place within a quiz
        inside = Counter(list(each.kind.options).index(each.truth()) for each in quiz.values())
        assert max(inside.values()) <= 2


# Numbers that the texts take over from the lessons


def test_the_numbers_in_the_texts_are_those_of_the_lessons():
    from mha_course import article, attention, project, two_heads
    from mha_course.pipeline.presets import preset
    from mha_course.pipeline.steps import steps

    Q, K, V = (project(article.X, W) for W in (article.W_Q, article.W_K, article.W_V))
    for row in K:
        assert f"({', '.join(f'{x:.0f}' for x in row)})" in PREDICTIONS["scaled_scores.largest-key"].text
    plain = attention(Q, K, V, scale=1).weights
    assert f"{plain[0, 2]:.4f}" in PREDICTIONS["weighted_sums.contribution"].text
    assert f"{plain[1, 1]:.2f}" in PREDICTIONS["weighted_sums.looks-like"].text
    assert f"takes {attention(Q, K, V).weights[0, 0]:.2f} from itself" in PREDICTIONS["masks.first-token"].text
    names = ("innovators", "create", "disrupt")
    for name, row in zip(names, V, strict=True):
        assert (
            PREDICTIONS["weighted_sums.looks-like"]
            .kind.options[name]
            .text.endswith(f"({', '.join(f'{x:.0f}' for x in row)})")
        )
    assert np.allclose(V.mean(axis=0), [1.7, 5.3, 2], atol=0.05)
    assert np.array_equal(V[1, 1:], [8, 0]) and list(V[:, 1]) == [2, 8, 6] and two_heads.tokens == names
    column = steps(preset("two_heads"))["weights/1"].values[:, 1]
    assert f"the column sums to {column.sum():.1f}" in QUESTIONS["start_here.column-sum"].kind.options["any"].reason


# Where they stand


def cells_of(call):
    """Return name -> [notebook and cell], for every cell that makes a prediction or a quiz."""
    found = {}
    for path in NOTEBOOKS:
        for cell in code_cells(nbformat.read(path, 4)):
            for name in re.findall(rf'^{call}\("([^"]+)"\)$', cell.source, re.MULTILINE):
                found.setdefault(name, []).append((path, cell))
    return found


def test_every_prediction_stands_once_in_its_lesson_under_its_name():
    found = cells_of("predict")
    assert set(found) == set(PREDICTIONS)
    for name, places in found.items():
        ((path, cell),) = places
        assert path.name == LESSONS[name.partition(".")[0]].notebook
        assert cell.id == f"predict-{name.partition('.')[2]}" and cell.metadata.tags == ["predict"]


def test_every_quiz_stands_once_in_its_lesson_right_before_the_summary():
    found = cells_of("quiz")
    assert set(found) == set(QUIZZES)
    for word, places in found.items():
        ((path, cell),) = places
        cells = nbformat.read(path, 4).cells
        assert path.name == LESSONS[word].notebook
        assert [each.id for each in cells[-3:]] == ["quiz-text", "quiz", "summary"]
        assert cell.metadata.tags == ["quiz"] and cells[-3].source.startswith("## Recall\n")


def test_what_is_stored_is_the_question_not_yet_answered_alone():
    for call in ("predict", "quiz"):
        for places in cells_of(call).values():
            (output,) = places[0][1].outputs
            assert set(output["data"]) == {"text/plain", "text/html"}
            for text in output["data"].values():
                assert text.count("Not answered yet.") == (1 if call == "predict" else 5)
            assert not re.search("<(input|button|select|form)", output["data"]["text/html"])


def test_the_lessons_are_called_as_their_notebooks_are():
    for lesson, path in zip(LESSONS.values(), NOTEBOOKS, strict=True):
        assert path.name == lesson.notebook
        assert nbformat.read(path, 4).cells[0].source.splitlines()[0] == f"# {lesson.heading}"


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
        (Number(1), {"answer": "1,5"}, "write decimals with a point, as 1.5."),
        (Number(1), {"answer": "nan"}, "not a finite number"),
        (Number(1), {"answer": "1e999"}, "larger than any number"),
        (Order(["b", "a"], {"a": "A", "b": "B"}), {}, "Without a place yet: A, B."),
        (Order(["b", "a"], {"a": "A", "b": "B"}), {"a": "1", "b": ""}, "Without a place yet: B."),
        (Order(["b", "a"], {"a": "A", "b": "B"}), {"a": "1", "b": "1"}, "Two items have the same place"),
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


def test_a_number_is_right_up_to_its_tolerance():
    contribution = PREDICTIONS["weighted_sums.contribution"]
    for text, is_right in [("2.81", True), ("2.8", True), ("2.82", True), ("2.79", False), ("2.3415", False)]:
        assert contribution.kind.is_right(contribution.kind.read({"answer": text})) == is_right


# A prediction in use

NAME = "heads.eight-copies"


def prediction_session():
    return sittings.prediction(PREDICTIONS[NAME], COURSE.progress)


def quiz_session(lesson):
    return sittings.quiz(QUIZZES[lesson].values(), COURSE.progress)


def parts(update):
    return {name.partition(" ")[0]: html for name, html in update["parts"].items()}


def test_a_prediction_begins_open_with_nothing_to_start_over():
    update = prediction_session().act([])
    assert update["locked"] == [] and update["hidden"] == ["why"] and update["off"] == ["start over"]
    assert set(parts(update).values()) == {""}


def test_who_commits_meets_the_truth_and_cannot_change_the_answer():
    session = prediction_session()
    update = session.act([["submit", NAME, {"answer": " 8 "}]])
    assert "✗ not right</span> You said 8. It is 1: block 1 begins with 1.9366" in parts(update)["result"]
    assert update["locked"] == [NAME] and update["hidden"] == update["off"] == []
    again = session.act([["submit", NAME, {"answer": "1"}]])
    assert again["fields"][NAME] == {"answer": "8"} and "You said 8." in parts(again)["result"]
    assert [(each.kind, each.name, each.answer) for each in COURSE.progress.events()] == [("predicted", NAME, 8)]


def test_a_complaint_leaves_all_fields_and_saves_nothing():
    update = prediction_session().act([["submit", NAME, {"answer": "<b>"}]])
    assert parts(update)["alert"] == "&quot;&lt;b&gt;&quot; is not a number." and update["fields"] == {}
    assert COURSE.progress.events() == []


def test_a_reason_is_kept_and_never_judged():
    session = prediction_session()
    session.act([["submit", NAME, {"answer": "1"}]])
    update = session.act([["submit", "why", {"why": "  <i>the same</i> weights " + "x" * 900}]])
    assert parts(update)["kept"] == "Your line is kept."
    kept = COURSE.progress.notes()[NAME]
    assert kept.startswith("<i>the same</i> weights x") and len(kept) == 500
    for shown in (session, prediction_session()):
        assert shown.act([])["fields"]["why"] == {"why": kept} and "the same" not in shown.still().text


def test_a_reason_is_a_note_to_oneself_and_no_event():
    session = prediction_session()
    session.act([["submit", NAME, {"answer": "1"}]])
    before = COURSE.progress.events()
    session.act([["submit", "why", {"why": "A secret."}]])
    assert COURSE.progress.events() == before and "secret" not in str(before)


def test_a_reason_before_an_answer_is_nothing():
    update = prediction_session().act([["submit", "why", {"why": "?"}]])
    assert COURSE.progress.notes() == {} and COURSE.progress.events() == [] and parts(update)["kept"] == ""


def test_a_prediction_opens_as_it_was_left_and_starts_over():
    prediction_session().act([["submit", NAME, {"answer": "8"}]])
    session = prediction_session()
    assert "You said 8. It is 1" in session.still().text
    assert session.act([])["fields"] == {NAME: {"answer": "8"}, "why": {"why": ""}}
    update = session.act([["press", "start over"]])
    assert update["fields"] == {NAME: {}, "why": {"why": ""}} and update["hidden"] == ["why"]
    assert "Not answered yet." in prediction_session().still().text
    assert [(each.attempt, each.answer) for each in COURSE.progress.events()] == [(1, 8), (2, None)]


def test_a_reason_goes_when_its_prediction_starts_over():
    session = prediction_session()
    session.act([["submit", NAME, {"answer": "8"}]])
    session.act([["submit", "why", {"why": "So it is."}]])
    session.act([["press", "start over"]])
    session.act([["submit", NAME, {"answer": "1"}]])
    for shown in (session, prediction_session()):
        assert "You said 1." in shown.still().text and "You wrote" not in shown.still().text


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
@pytest.mark.parametrize("make", [prediction_session, lambda: quiz_session("heads")])
def test_an_action_that_there_is_not_changes_nothing(make, action):
    assert "Not answered yet." in str(make().act([action])) + make().still().text
    assert COURSE.progress.events() == []


def test_notices_about_the_file_are_shown(tmp_path):
    (tmp_path / "progress.jsonl").write_bytes(b"?\n")
    update = prediction_session().act([])
    assert parts(update)["notice"].startswith("1 line of ")


def test_an_unknown_name_is_an_error_that_lists_the_names():
    with pytest.raises(ValueError, match=r"'nothing'.*scaled_scores\.largest-key"):
        predict("nothing")
    with pytest.raises(ValueError, match=r"'nothing'.*scaled_scores"):
        ask_quiz("nothing")


# A quiz in use


def test_a_wrong_answer_is_told_why_and_can_be_mended():
    session = quiz_session("scaled_scores")
    update = session.act([["submit", "scaled_scores.which-root", {"answer": "22.6"}]])
    result = update["parts"]["result scaled_scores.which-root"]
    assert "✗ not right</span> Not “√512 ≈ 22.6”. d_model is the width of X." in result and "✓" not in result
    assert "64 wide" not in result  # the right one is not given away
    assert update["locked"] == [] and update["parts"]["score"] == "0 of 5 right."
    assert set(update["fields"]) == {"scaled_scores.which-root"}  # others may be half filled in
    update = session.act([["submit", "scaled_scores.which-root", {"answer": "8"}]])
    result = update["parts"]["result scaled_scores.which-root"]
    assert "✓ right</span> The root of 64" in result and result.count("<li>") == 3
    assert update["locked"] == ["scaled_scores.which-root"] and update["parts"]["score"] == "1 of 5 right."


def test_a_question_without_a_choice_gets_a_complaint_at_its_own_place():
    update = quiz_session("scaled_scores").act([["submit", "scaled_scores.which-root", {}]])
    alerts = {name for name, html in update["parts"].items() if name.startswith("alert") and html}
    assert alerts == {"alert scaled_scores.which-root"} and update["fields"] == {}


def test_a_quiz_opens_as_it_was_left_and_starts_over():
    session = quiz_session("scaled_scores")
    for name, question in QUIZZES["scaled_scores"].items():
        session.act([["submit", name, {"answer": question.truth()}]])
    assert quiz_session("scaled_scores").act([])["parts"]["score"] == "5 of 5 right."
    assert len(COURSE.progress.answers()) == 5
    update = quiz_session("scaled_scores").act([["press", "start over"]])
    assert update["locked"] == [] and update["parts"]["score"] == "Not answered yet."
    assert COURSE.progress.answers() == {} and len(COURSE.progress.events()) == 10


def test_every_answer_to_a_question_is_kept():
    session = quiz_session("scaled_scores")
    for answer in ("22.6", "64", "8"):
        session.act([["submit", "scaled_scores.which-root", {"answer": answer}]])
    assert [(each.kind, each.attempt, each.answer) for each in COURSE.progress.events()] == [
        ("answered", 1, "22.6"),
        ("answered", 2, "64"),
        ("answered", 3, "8"),
    ]


def test_an_option_that_another_version_had_is_not_answered_yet():
    COURSE.progress.record("answered", "scaled_scores.which-root", answer="gone")
    assert quiz_session("scaled_scores").act([])["parts"]["score"] == "Not answered yet."

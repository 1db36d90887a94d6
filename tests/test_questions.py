"""What the course asks: one right answer each, computed where it can be, with a reason for every option."""

import re
from collections import Counter

import nbformat
import numpy as np
import pytest
from proofs import TRUTHS
from stored import NOTEBOOKS, code_cells
from website import machines

from mha_course.engine.asking.kinds import Choice, Order
from mha_course.lessons import CATALOGUE, LESSONS

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
    assert said.startswith("You said ") and ". That is right: " in said
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
        assert f"It is {kind.quoted(truth)}: " in said and "That is right" not in said
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
    from mha_course.forward.forward import forward
    from mha_course.forward.presets import preset

    Q, K, V = (project(article.X, W) for W in (article.W_Q, article.W_K, article.W_V))
    for row in K:
        assert f"({', '.join(f'{x:.0f}' for x in row)})" in PREDICTIONS["scaled_scores.largest-key"].text
    plain = attention(Q, K, V, scale=1).weights
    assert f"{plain[0, 2]:.4f}" in PREDICTIONS["weighted_sums.contribution"].text
    assert f"{plain[1, 1]:.2f}" in PREDICTIONS["weighted_sums.looks-like"].text
    assert f"gives itself a weight of {attention(Q, K, V).weights[0, 0]:.2f}" in PREDICTIONS["masks.first-token"].text
    names = ("innovators", "create", "disrupt")
    for name, row in zip(names, V, strict=True):
        assert (
            PREDICTIONS["weighted_sums.looks-like"]
            .kind.options[name]
            .text.endswith(f"({', '.join(f'{x:.0f}' for x in row)})")
        )
    assert np.allclose(V.mean(axis=0), [1.7, 5.3, 2], atol=0.05)
    assert np.array_equal(V[1, 1:], [8, 0]) and list(V[:, 1]) == [2, 8, 6] and two_heads.tokens == names
    column = forward(preset("two_heads"))["weights/1"].values[:, 1]
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
        assert cell.id == f"predict-{name.partition('.')[2]}" and cell.metadata.tags in (
            ["predict"],
            ["predict", "optional"],
        )


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


def test_the_lessons_are_called_as_their_notebooks_are_in_the_readme_and_in_lesson_0_too():
    plan = next(cell.source for cell in nbformat.read(NOTEBOOKS[0], 4).cells if cell.id == "map")
    for lesson, path, (name, told) in zip(LESSONS.values(), NOTEBOOKS, machines.lessons().items(), strict=True):
        assert path.name == lesson.notebook == f"{name}.ipynb"
        assert nbformat.read(path, 4).cells[0].source.splitlines()[0] == f"# {lesson.heading}"
        assert told["name"] == lesson.heading and f" | {told['teaches']} | " in plan


def test_a_number_is_right_up_to_its_tolerance():
    contribution = PREDICTIONS["weighted_sums.contribution"]
    for text, is_right in [("2.81", True), ("2.8", True), ("2.82", True), ("2.79", False), ("2.3415", False)]:
        assert contribution.kind.is_right(contribution.kind.read({"answer": text})) == is_right

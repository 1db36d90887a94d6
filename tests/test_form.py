"""The form as a lesson uses it, and the page on how far the learner is."""

import nbformat
import pytest
from run_notebooks import execute
from stored import ROOT, code_cells

from mha_course import check, how_far, predict, quiz, scaled_scores
from mha_course.lessons import CATALOGUE, LESSONS
from mha_course.lessons.by_name import COURSE
from mha_course.workbook.course.overview import cell_of
from mha_course.workbook.pictures.update import Update

EXERCISES = CATALOGUE.exercises
PREDICTIONS = CATALOGUE.predictions
QUIZZES = {name: lesson.quiz for name, lesson in LESSONS.items()}

VERSION_0_1 = ROOT / "tests" / "fixtures" / "progress_of_version_0_1.jsonl"
NAME = "queries_keys_values.changed-row"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "progress.jsonl"


def sent_by(form, monkeypatch, *action):
    """What a form sends when the browser sends it an action."""
    sent = []
    monkeypatch.setattr(type(form), "send", lambda self, update: sent.append(update))
    form._hear(form, {"actions": [list(action)]}, [])
    (update,) = sent
    return update


def test_a_form_shows_its_question_and_its_text_beside_the_live_view():
    data, _ = predict(NAME)._repr_mimebundle_()
    assert "<li>row 3 only</li>" in data["text/html"] and "- row 3 only" in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_form_has_real_fields_with_labels():
    for form, fields in (
        (predict(NAME), 3),
        (predict("scaled_scores.divisors"), 4),
        (predict("heads.eight-copies"), 1),
    ):
        question = form.html.partition("</form>")[0]
        assert question.count("<label>") == question.count("</label>") == fields
        assert question.count("<fieldset>") == question.count("<legend>") == 1
    assert quiz("softmax").html.count("<fieldset>") == 5
    for role in ("status", "alert"):
        assert f'role="{role}"' in form.html


def test_the_update_for_a_view_that_opens_is_for_this_view_alone(monkeypatch):
    form = predict(NAME)
    assert sent_by(form, monkeypatch, "show", "0.5")["view"] == "0.5"
    assert "view" not in sent_by(form, monkeypatch, "submit", NAME, {"answer": "row"})


def test_what_is_done_while_the_kernel_is_busy_is_done_in_its_order():
    session = predict(NAME)._session
    answers = [["submit", NAME, {"answer": answer}] for answer in ("", "all")]
    update = session.act([*answers, ["submit", "why", {"why": "so"}]])
    assert "You said “every row”" in update["parts"][f"result {NAME}"] and update["parts"]["kept"]
    assert update["parts"][f"alert {NAME}"] == "" and update["fields"][NAME] == {"answer": "all"}
    name = "scaled_scores.which-root"
    update = quiz("scores")._session.act([["submit", name, {"answer": answer}] for answer in ("", "22.6", "8")])
    assert update["parts"]["score"] == "1 of 5 right." and update["parts"][f"alert {name}"] == ""


def test_an_answered_form_shown_again_shows_the_answer(monkeypatch):
    form = predict(NAME)
    sent_by(form, monkeypatch, "submit", NAME, {"answer": "all"})
    for shown in (form, predict(NAME)):
        assert "You said “every row”. It is “row 3 only”" in shown._repr_mimebundle_()[0]["text/html"]


def test_every_part_that_an_update_fills_is_there():
    for form in [*map(predict, PREDICTIONS), *map(quiz, QUIZZES)]:
        update = form._session.act([])
        assert set(update) <= set(Update.__annotations__)
        for name in update["parts"]:
            assert form.html.count(f'data-part="{name}"') == 1
        for name in [*update["fields"], *update.get("hidden", [])]:
            assert form.html.count(f'data-form="{name}"') == 1
        for name in update["off"]:
            assert form.html.count(f'name="{name}"') == 1


# How far


def test_at_the_beginning_nothing_is_done_and_the_first_exercises_are_next():
    work = {name: [*lesson.exercises, *lesson.tasks] for name, lesson in LESSONS.items()}
    picture = how_far()
    assert len(picture.text.splitlines()) == picture.html.count("<tr>") == 1 + len(LESSONS)
    kinds_of_work = [(work[lesson], each.predictions, each.quiz) for lesson, each in LESSONS.items()]
    assert picture.html.count(">0 of ") == sum(bool(kind) for kinds in kinds_of_work for kind in kinds)
    assert '<a href="03_scaled_scores.ipynb#cell-id=exercise-dot">Exercise 3.1</a>' in picture.html


def test_every_exercise_begins_in_the_cell_that_is_linked_to():
    for exercise in EXERCISES.values():
        notebook = nbformat.read(ROOT / "notebooks" / LESSONS[exercise.name.partition(".")[0]].notebook, 4)
        (cell,) = (cell for cell in notebook.cells if cell.id == cell_of(exercise))
        assert cell.source.splitlines()[0] == f"### Exercise {exercise.number} · {exercise.title}"


def test_what_is_done_is_counted_and_the_next_open_exercise_linked():
    for name in ("scaled_scores.dot", "scaled_scores.scaled"):
        COURSE.progress.record("right", name)
    COURSE.progress.record("mistake", "scaled_scores.dot", mistakes=["solved before"])
    COURSE.progress.record("difference", "scaled_scores.batch")
    COURSE.progress.record("predicted", "scaled_scores.variance", answer="root")
    COURSE.progress.record("answered", "scaled_scores.which-root", answer="8")
    COURSE.progress.record("answered", "scaled_scores.same-width", answer="KV")  # wrong
    COURSE.progress.record("right", "of another version")
    count = sum(name.startswith("scaled_scores.") for name in [*EXERCISES, *CATALOGUE.tasks])
    line = how_far().text.splitlines()[4]
    assert line.startswith(
        f"3 · Scaled scores: exercises 2 of {count}, predictions 1 of 3, recall 1 of 5; next: Exercise 3.3 · "
    )


def test_when_all_exercises_and_tasks_are_solved_none_is_next():
    for name in [*EXERCISES, *CATALOGUE.tasks]:
        COURSE.progress.record("right", name)
    assert "next:" not in how_far().text and how_far().html.count(">–</td></tr>") == len(LESSONS)


def test_damage_is_spoken_of_once(file):
    file.write_bytes(b"?\n")
    told = f"1 line of {file} could not be read. Nothing there is changed, and every other line counts."
    assert how_far().text.splitlines()[-1] == told
    assert "could not be read" not in how_far().text


# What is kept


def test_every_check_is_kept_but_one_that_has_not_started():
    for function in (lambda Q, K: ..., lambda Q, K: Q @ K.T, lambda Q, K: Q @ K.T * 7, lambda Q, K: Q, scaled_scores):
        check("scaled_scores.scaled", function)
    assert [(each.attempt, each.kind, each.mistakes) for each in COURSE.progress.events()] == [
        (1, "mistake", ("The scale is missing.",)),
        (2, "difference", ()),
        (3, "difference", ()),
        (4, "right", ()),
    ]


def test_the_calls_of_an_old_notebook_go_on_with_an_old_file(file, monkeypatch):
    file.write_bytes(VERSION_0_1.read_bytes())
    assert check("scores.scaled", scaled_scores).is_right
    assert "You said “innovators”." in repr(predict("start.strongest"))
    form = quiz("mixing")
    assert form._session.act([])["parts"]["score"] == "1 of 5 right."
    sent_by(form, monkeypatch, "press", "start over")
    assert [(each.name, each.attempt) for each in COURSE.progress.events()[-2:]] == [
        ("scaled_scores.scaled", 2),
        ("weighted_sums.doubled-values", 2),
    ]
    assert "exercises 1 of" in how_far().text.splitlines()[4]


def test_notebooks_are_stored_as_if_nothing_had_been_answered():
    COURSE.progress.record("predicted", NAME, answer="all")
    source = f'from mha_course import predict\n\npredict("{NAME}")'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    execute(notebook, ROOT)
    (cell,) = code_cells(notebook)
    assert "Not answered yet." in cell.outputs[0]["data"]["text/plain"]

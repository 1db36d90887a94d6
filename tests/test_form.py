"""The form as a lesson uses it, and the page on how far the learner is."""

import nbformat
from run_notebooks import execute
from stored import ROOT, code_cells

from mha_course import predict, quiz
from mha_course.engine.course.completion import cell_of
from mha_course.engine.pictures.protocol import Update
from mha_course.lessons import CATALOGUE, LESSONS
from mha_course.lessons.by_name import COURSE

EXERCISES = CATALOGUE.exercises
PREDICTIONS = CATALOGUE.predictions
QUIZZES = {name: lesson.quiz for name, lesson in LESSONS.items()}

NAME = "queries_keys_values.changed-row"


def sent_by(form, monkeypatch, *action):
    """What a form sends when the browser sends it an action."""
    sent = []
    monkeypatch.setattr(type(form), "send", lambda self, update: sent.append(update))
    form._hear(form, {"actions": [list(action)]}, [])
    (update,) = sent
    return update


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


def test_every_exercise_begins_in_the_cell_that_is_linked_to():
    for exercise in EXERCISES.values():
        notebook = nbformat.read(ROOT / "notebooks" / LESSONS[exercise.name.partition(".")[0]].notebook, 4)
        (cell,) = (cell for cell in notebook.cells if cell.id == cell_of(exercise))
        assert cell.source.splitlines()[0] == f"### Exercise {exercise.number} · {exercise.title}"


# What is kept


def test_notebooks_are_stored_as_if_nothing_had_been_answered():
    COURSE.progress.record("predicted", NAME, answer="all")
    source = f'from mha_course import predict\n\npredict("{NAME}")'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    execute(notebook, ROOT)
    (cell,) = code_cells(notebook)
    assert "Not answered yet." in cell.outputs[0]["data"]["text/plain"]

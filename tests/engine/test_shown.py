"""What a course shows: a form with real fields, its picture, and the page on how far the learner is."""

import numpy as np
import pytest
from toy.course import course

COURSE = course()
NAME = "convolution.exchanged"


@pytest.fixture
def sent(monkeypatch):
    """Send a form an action, as the browser does, and return what it sends back."""

    def by(form, *action):
        answers = []
        monkeypatch.setattr(type(form), "send", lambda self, update: answers.append(update))
        form._hear(form, {"actions": [list(action)]}, [])
        (update,) = answers
        return update

    return by


def test_a_form_shows_its_question_and_its_text_beside_the_live_view():
    data, _ = COURSE.predict(NAME)._repr_mimebundle_()
    assert "<li>It is an error.</li>" in data["text/html"] and "- It is an error." in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_form_has_real_fields_with_labels():
    fields = {NAME: 3, "convolution.lengths": 3, "convolution.places": 1}
    for name, count in fields.items():
        form = COURSE.predict(name)
        question = form.html.partition("</form>")[0]
        assert question.count("<label>") == question.count("</label>") == count
        assert question.count("<fieldset>") == question.count("<legend>") == 1
    assert COURSE.quiz("averages").html.count("<fieldset>") == 2
    for role in ("status", "alert"):
        assert f'role="{role}"' in form.html


def test_the_update_for_a_view_that_opens_is_for_this_view_alone(sent):
    form = COURSE.predict(NAME)
    assert sent(form, "show", "0.5")["view"] == "0.5"
    assert "view" not in sent(form, "submit", NAME, {"answer": "same"})


def test_what_is_done_while_the_kernel_is_busy_is_done_in_its_order():
    session = COURSE.predict(NAME)._session
    answers = [["submit", NAME, {"answer": answer}] for answer in ("", "turned")]
    update = session.act([*answers, ["submit", "why", {"why": "so"}]])
    assert "You said “It is turned around.”" in update["parts"][f"result {NAME}"] and update["parts"]["kept"]
    assert update["parts"][f"alert {NAME}"] == "" and update["fields"][NAME] == {"answer": "turned"}
    name = "averages.taps"
    update = COURSE.quiz("averages")._session.act([["submit", name, {"answer": each}] for each in ("", "sum", "half")])
    assert update["parts"]["score"] == "1 of 2 right." and update["parts"][f"alert {name}"] == ""


def test_an_answered_form_shown_again_shows_the_answer(sent):
    form = COURSE.predict(NAME)
    sent(form, "submit", NAME, {"answer": "turned"})
    for shown in (form, COURSE.predict(NAME)):
        told = "You said “It is turned around.”. It is “It stays as it was.”"
        assert told in shown._repr_mimebundle_()[0]["text/html"]


# How far


def test_at_the_beginning_nothing_is_done_and_the_first_exercises_are_next():
    picture = COURSE.how_far()
    assert len(picture.text.splitlines()) == picture.html.count("<tr>") == 1 + 2
    assert picture.html.count(">0 of ") == 2 + 1 + 1  # exercises in both, predictions in one, a quiz in the other
    assert '<a href="02_averages.ipynb#cell-id=exercise-mean">Exercise 2.1</a>' in picture.html


def test_what_is_done_is_counted_and_the_next_open_exercise_linked():
    COURSE.progress.record("right", "averages.mean")
    COURSE.progress.record("mistake", "averages.mean", mistakes=["solved before"])
    COURSE.progress.record("difference", "averages.range")
    COURSE.progress.record("predicted", "convolution.places", answer=10)
    COURSE.progress.record("answered", "averages.taps", answer="half")
    COURSE.progress.record("answered", "averages.flipped", answer="all")  # wrong
    COURSE.progress.record("right", "of another version")
    _, first, second, *_ = COURSE.how_far().text.splitlines()
    assert first.startswith("1 · Convolution: exercises 0 of 1, predictions 1 of 3, recall –; next: Exercise 1.1")
    assert second.startswith("2 · Moving averages: exercises 1 of 4, predictions –, recall 1 of 2; next: Exercise 2.2")


def test_when_all_exercises_and_tasks_are_solved_none_is_next():
    for name in [*COURSE.catalogue.exercises, *COURSE.catalogue.tasks]:
        COURSE.progress.record("right", name)
    assert "next:" not in COURSE.how_far().text and COURSE.how_far().html.count(">–</td></tr>") == 2


def test_damage_is_spoken_of_once(own_progress):
    own_progress.write_bytes(b"?\n")
    told = "1 line of {} could not be read. Nothing there is changed, and every other line counts."
    assert COURSE.how_far().text.splitlines()[-1] == told.format(own_progress)
    assert "could not be read" not in COURSE.how_far().text


def test_every_check_is_kept_but_one_that_has_not_started():
    for function in (lambda signal: ..., lambda signal: np.abs(signal).sum() / len(signal), np.max, np.mean):
        COURSE.check("averages.mean", function)
    assert [(each.attempt, each.kind, each.mistakes) for each in COURSE.progress.events()] == [
        (1, "mistake", ("It adds the magnitudes.",)),
        (2, "difference", ()),
        (3, "right", ()),
    ]

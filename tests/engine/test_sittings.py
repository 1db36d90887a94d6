"""A sitting: what was met is asked once, told in full, and comes back on its day."""

import re

import pytest
from toy.course import VALID, course
from toy.days import WRONG_ANSWER, WRONG_PREDICTION, day, event, tried

from mha_course.engine.asking.kinds import Number
from mha_course.engine.asking.sittings import NOTHING_MET
from mha_course.engine.course import course as words
from mha_course.engine.course.exercise_questions import exercise_question
from mha_course.engine.progress.progress import Progress
from mha_course.engine.progress.spacing import RULE

COURSE = course()


@pytest.fixture
def met(monkeypatch):
    """A learner who met four things on Monday, and sits down on Tuesday. Returns what sets another day."""
    events = [*tried("averages.mean", "convolution.valid"), WRONG_PREDICTION, WRONG_ANSWER]
    monkeypatch.setattr(words, "today", lambda: day(1))
    real = Progress.events

    def as_if(self):
        made = real(self)  # all of it on the day that it is
        return [*events, *(event(each.name, 1, each.kind, each.answer, each.mistakes) for each in made)]

    monkeypatch.setattr(Progress, "events", as_if)
    return lambda number: monkeypatch.setattr(words, "today", lambda: day(number))


def submit(form, name, answer):
    return form._session.act([["submit", name, form._session._questions[name].kind.fields(answer)]])


def wrong_for(question):
    if isinstance(question.kind, Number):
        return question.truth() + 1234
    return next(key for key in question.kind.options if key != question.truth())


def test_before_anything_was_met_it_says_so():
    assert repr(COURSE.review()) == NOTHING_MET and NOTHING_MET in COURSE.review()._repr_mimebundle_()[0]["text/html"]
    update = COURSE.review()._session.act([])
    assert update["parts"] == {"score": "", "notice": ""} and COURSE.progress.events() == []
    assert "due" not in COURSE.how_far().text


def test_a_sitting_asks_each_question_once_and_says_when_the_next_are_due(met):
    form = COURSE.review(seed=1)
    session = form._session
    assert form.html.count("<fieldset>") == 4 and "Start over" not in form.html and RULE in form.html
    names = list(session._questions)
    update = submit(form, names[0], session._questions[names[0]].truth())
    assert "✓ right" in update["parts"][f"result {names[0]}"] and update["locked"] == [names[0]]
    assert update["parts"]["score"] == "1 of 4 answered, 1 right."
    submit(form, names[0], wrong_for(session._questions[names[0]]))  # a second time
    for name in names[1:]:
        update = submit(form, name, wrong_for(session._questions[name]))
        assert "✗ not right" in update["parts"][f"result {name}"]
    assert update["locked"] == names
    assert update["parts"]["score"] == "1 of 4 right. No question is due. The next 3 come tomorrow: review() asks them."
    assert [(each.kind, each.name, each.answer) for each in COURSE.progress.events()[-4:]] == [
        ("reviewed", names[0], "right"),
        *(("reviewed", name, "wrong") for name in names[1:]),
    ]


def test_a_wrong_answer_comes_back_the_next_day_and_a_right_one_later(met):
    form = COURSE.review(seed=1)
    wrong, *right = form._session._questions
    submit(form, wrong, wrong_for(form._session._questions[wrong]))
    for name in right:
        submit(form, name, form._session._questions[name].truth())
    assert list(COURSE.review()._session._questions) == []
    met(2)
    assert list(COURSE.review()._session._questions) == [wrong]
    met(3)
    assert set(COURSE.review()._session._questions) == {wrong, *right}


def test_what_is_kept_is_no_text_and_no_answer_but_a_mistake_that_is_known(monkeypatch):
    asked = (exercise_question(VALID, 1, turn) for turn in range(5))
    question = next(each for each in asked if isinstance(each.kind, Number))
    monkeypatch.setattr(words, "handful", lambda *given: [question])
    form = COURSE.review()
    number, name = next((n, name) for n in map(float, range(-99, 99)) if (name := question.kind.judged(n).mistake))
    submit(form, question.name, number)
    (kept,) = COURSE.progress.events()
    assert (kept.kind, kept.answer, kept.mistakes) == ("reviewed", "wrong", (name,))


def test_a_complaint_keeps_the_question_open(met):
    form = COURSE.review(seed=1)
    update = form._session.act([["submit", "convolution.places", {"answer": "many"}]])
    assert update["parts"]["alert convolution.places"] == "&quot;many&quot; is not a number."
    assert update["locked"] == [] and update["fields"] == {}
    for action in ([], ["press", "start over"], ["submit", "x", {}], ["submit", "convolution.valid", 3], None):
        form._session.act([action])
    assert not any(each.kind == "reviewed" for each in COURSE.progress.events())


def test_every_part_and_form_that_an_update_fills_is_there(met):
    form = COURSE.review(seed=1)
    update = form._session.act([])
    assert len(update["fields"]) == 4
    for name in update["parts"]:
        assert form.html.count(f'data-part="{name}"') == 1
    for name in update["fields"]:
        assert form.html.count(f'data-form="{name}"') == 1


def test_the_picture_shows_what_the_form_does(met):
    form = COURSE.review(seed=1)
    text = repr(form)
    assert text.startswith(RULE) and text.count("Not answered yet.") == 5  # four questions, and the whole
    shown = [line for each in form._session._questions.values() for line in each.shown.text.splitlines()]
    assert shown and all(line in text for line in shown)
    name = next(iter(form._session._questions))
    submit(form, name, form._session._questions[name].truth())
    assert "✓ Right." in repr(form)
    html = form._repr_mimebundle_()[0]["text/html"]
    assert "Which" in html and not re.search("<(input|button|select|form)", html)


def test_how_far_says_what_is_due(met):
    assert COURSE.how_far().text.splitlines()[-1] == "4 questions are due: run review()."
    met(0)
    assert COURSE.how_far().text.splitlines()[-1].startswith("No question is due. The next 4 come tomorrow")


@pytest.mark.parametrize("seed", [-1, 1.5, True, "1"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises((TypeError, ValueError), match="seed is"):
        COURSE.review(seed=seed)


def test_without_a_seed_every_day_draws_its_own(met, monkeypatch):
    def texts():
        return [(each.text, each.shown.text) for each in COURSE.review()._session._questions.values()]

    met_already = tried(*COURSE.catalogue.exercises)
    monkeypatch.setattr(Progress, "events", lambda self: met_already)
    first = texts()
    assert texts() == first
    met(2)
    assert texts() != first

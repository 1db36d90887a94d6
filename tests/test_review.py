"""The review: what comes back and when, that every question has one right answer, and a sitting from end to end."""

import re
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

import nbformat
import numpy as np
import pytest
from checks import EXERCISES, every_exercise
from run_notebooks import execute
from stored import ROOT, code_cells

from mha_course import how_far, review
from mha_course.lessons import CATALOGUE, LESSONS
from mha_course.lessons.by_name import COURSE
from mha_course.workbook.asking.kinds import Choice, Number
from mha_course.workbook.asking.sittings import NOTHING_MET
from mha_course.workbook.checking.draws import Draw
from mha_course.workbook.checking.effects import MANY, Effects, can_be_shown, seen, small_effects
from mha_course.workbook.checking.recipe import known_to
from mha_course.workbook.checking.shapes import situation
from mha_course.workbook.course import course, exercise_questions, reviewing
from mha_course.workbook.course.met import due_days, waits, what_is_due
from mha_course.workbook.course.reviewing import HANDFUL, handful
from mha_course.workbook.learner.event import Event
from mha_course.workbook.learner.progress import Progress
from mha_course.workbook.learner.spacing import LONGEST, RULE, comes_back, day_of
from mha_course.workbook.pictures.arrays import arrays
from mha_course.workbook.pictures.forms import inline

MONDAY = date(2026, 3, 2)
KINDS = ("_entry", "_diagnosis", "_cases", "_result", "_reason")
SEEDS = range(6)


def day(number):
    return MONDAY + timedelta(number)


def event(name, number, kind="reviewed", answer=None, mistakes=()):
    """Something that was done at noon of a day that counts from 0, which is Monday."""
    noon = datetime.combine(day(number), time(12), UTC)
    return Event(noon.isoformat(timespec="seconds"), name, 1, kind, mistakes, answer)


def on_days(**answers):
    """Reviews of one thing: d3="right" is one on day 3."""
    return [event("a", int(key[1:]), answer=answer) for key, answer in answers.items()]


# The rule


@pytest.mark.parametrize(
    ("reviews", "due"),
    [
        ({}, 1),
        ({"d1": "right"}, 3),
        ({"d1": "right", "d3": "right"}, 7),
        ({"d1": "right", "d3": "right", "d7": "right"}, 15),
        ({"d9": "right"}, 11),  # late: it waits from the day on which it was answered
        ({"d1": "wrong"}, 2),
        ({"d1": "right", "d3": "right", "d7": "wrong"}, 8),  # begins anew
        ({"d1": "right", "d3": "wrong", "d4": "right"}, 6),
        ({"d0": "right"}, 1),  # before it was due
        ({"d1": "right", "d2": "right"}, 3),
        ({"d1": "right", "d2": "wrong"}, 3),  # wrong counts at any time
    ],
)
def test_what_is_right_waits_twice_as_long_and_what_is_wrong_begins_anew(reviews, due):
    assert comes_back(MONDAY, on_days(**reviews)).due == day(due)


def test_nothing_waits_longer_than_64_days_however_often_it_was_right():
    due, reviews, waits = comes_back(MONDAY, []).due, [], []
    for _ in range(60):
        reviews.append(event("a", (due - MONDAY).days, answer="right"))
        following = comes_back(MONDAY, reviews).due
        waits.append((following - due).days)
        due = following
    assert waits[:7] == [2, 4, 8, 16, 32, 64, 64] and set(waits[7:]) == {LONGEST}


@pytest.mark.parametrize("written", ["", "yesterday", "9999-99-99T00:00:00", "0001-01-01T00:00:00+14:00"])
def test_an_event_without_a_day_is_long_ago_and_what_was_met_then_is_due(written):
    old = Event(written, "softmax.rows", 1, "right")
    assert day_of(old) == date.min and due_days(CATALOGUE, [old])["softmax.rows"] <= MONDAY


def test_a_clock_that_was_ahead_breaks_nothing():
    late = Event("9999-12-31T12:00:00+00:00", "softmax.rows", 1, "right")
    again = Event("9999-12-31T12:00:00+00:00", "softmax.rows", 2, "reviewed", answer="wrong")
    assert "The next one comes in" in what_is_due(CATALOGUE, [late, again], MONDAY)


# What was met

WRONG_PREDICTION = event("heads.eight-copies", 0, "predicted", 8)
WRONG_ANSWER = event("scaled_scores.which-root", 0, "answered", "22.6")


@pytest.mark.parametrize("kind", ["right", "mistake", "difference"])
def test_an_exercise_that_was_tried_is_met(kind):
    assert due_days(CATALOGUE, [event("softmax.rows", 0, kind)]) == {"softmax.rows": day(1)}


def test_a_prediction_or_question_is_met_once_it_was_answered_wrong():
    right = [event("heads.eight-copies", 1, "predicted", 1), event("scaled_scores.which-root", 1, "answered", "8")]
    assert due_days(CATALOGUE, right) == {}
    assert due_days(CATALOGUE, [WRONG_PREDICTION, WRONG_ANSWER, *right]) == dict.fromkeys(
        (each.name for each in right), day(1)
    )


@pytest.mark.parametrize(
    "other",
    [
        event("softmax.rows", 0, "arranged"),
        event("softmax.rows", 0, "reviewed", "wrong"),  # of a file that lost its first lines
        event("softmax.gone", 0, "right"),
        event("softmax", 0, "right"),
        event("heads.eight-copies", 0, "predicted"),  # cleared
        event("heads.eight-copies", 0, "predicted", ["8"]),  # of another version
        event("heads.eight-copies", 0, "answered", 8),
        event("scaled_scores.which-root", 0, "answered", "an option that there was"),
        event("gone.gone", 0, "predicted", 8),
        event("gone.gone", 0, "answered", "8"),
    ],
)
def test_nothing_else_is_met(other):
    assert (
        due_days(CATALOGUE, [other]) == {}
        and handful(CATALOGUE, [other], day(9), 0) == []
        and what_is_due(CATALOGUE, [other], day(9)) == ""
    )


def test_what_is_due_is_said_in_a_sentence():
    events = [WRONG_ANSWER, WRONG_PREDICTION, event("softmax.rows", 1, "right")]
    assert what_is_due(CATALOGUE, events, MONDAY) == "No question is due. The next 2 come tomorrow: review() asks them."
    assert what_is_due(CATALOGUE, events, day(1)) == "2 questions are due: run review()."
    assert what_is_due(CATALOGUE, events[2:], day(2)) == "1 question is due: run review()."
    done = [*events[2:], event("softmax.rows", 2, answer="right")]
    assert what_is_due(CATALOGUE, done, day(2)) == "No question is due. The next one comes in 2 days: review() asks it."


# Which questions are drawn


def tried(*names, number=0):
    return [event(name, number, "right") for name in names]


def lesson_of(name):
    return name.partition(".")[0]


EVERYTHING = [*tried(*EXERCISES), WRONG_PREDICTION, WRONG_ANSWER]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_handful_is_of_many_lessons_and_of_nothing_that_was_not_met(seed):
    names = [each.name for each in handful(CATALOGUE, EVERYTHING, day(1), seed)]
    assert len(set(names)) == HANDFUL == len({lesson_of(name) for name in names})
    two = tried("softmax.rows", "softmax.general", "heads.merge", "heads.split")
    asked = [each.name for each in handful(CATALOGUE, two, day(1), seed)]
    assert set(asked) == {each.name for each in two} and {lesson_of(name) for name in asked[:2]} == {"softmax", "heads"}


def test_no_exercise_is_drawn_much_more_often_than_others_of_its_lesson():
    every = tried(*EXERCISES)
    counts = Counter(each.name for seed in range(40) for each in handful(CATALOGUE, every, day(1), seed))
    assert len(counts) >= 0.8 * len(EXERCISES) and max(counts.values()) <= 25


def test_nothing_is_asked_before_it_is_due_and_the_longest_due_comes_first():
    events = [*tried("softmax.rows", number=3), *tried("heads.merge", number=1), *tried("masks.causal", number=2)]
    assert handful(CATALOGUE, events, day(1), 0) == []
    assert [each.name for each in handful(CATALOGUE, events, day(3), 0)] == ["heads.merge", "masks.causal"]


def test_what_was_met_lately_does_not_wait_behind_what_is_known_well():
    known = [*tried("softmax.rows"), *(event("softmax.rows", each, answer="right") for each in (1, 3, 7))]  # due on 15
    late = [*known, *tried("heads.merge", number=15)]
    assert [each.name for each in handful(CATALOGUE, late, day(17), 0)] == ["heads.merge", "softmax.rows"]
    assert [each.name for each in handful(CATALOGUE, late, day(16), 0)] == ["softmax.rows", "heads.merge"]


def test_a_learner_who_answers_one_handful_a_day_is_asked_about_every_lesson():
    events, asked = [], Counter()
    for number in range(3 * len(LESSONS) + 9):  # a lesson every three days, and more is due than is answered
        begun = list(LESSONS.values())[number // 3 : number // 3 + 1] if number % 3 == 0 else []
        events += tried(*(each.name for lesson in begun for each in lesson.exercises), number=number)
        for count, name in enumerate(reviewing.names_drawn(waits(CATALOGUE, events), day(number), 0)):
            asked[lesson_of(name)] += 1
            events.append(event(name, number, answer="wrong" if (number + count) % 3 == 0 else "right"))
    exercises = Counter(map(lesson_of, EXERCISES))
    assert all(asked[lesson] >= min(4, count) for lesson, count in exercises.items())


def test_the_draw_hangs_on_seed_and_progress_alone():
    def drawn(events, seed):
        return [(each.name, each.text, each.shown.text, each.kind) for each in handful(CATALOGUE, events, day(1), seed)]

    assert drawn(EVERYTHING, 3) == drawn(EVERYTHING, 3)
    assert len({str(drawn(EVERYTHING, seed)) for seed in SEEDS}) == len(SEEDS)
    ((name, *before),) = drawn(tried("softmax.rows"), 3)
    reviewed = event("softmax.rows", 0, answer="wrong")
    ((again, *after),) = drawn([*tried("softmax.rows"), reviewed], 3)
    assert name == again and before != after  # it comes back as another question


def test_what_was_answered_leaves_the_others_of_the_handful_as_they_were():
    first = [each.name for each in handful(CATALOGUE, EVERYTHING, day(1), 2)]
    answered = [event(first[0], 1, answer="right")]
    assert set(first[1:]) < {each.name for each in handful(CATALOGUE, [*EVERYTHING, *answered], day(1), 2)}


def test_a_missed_prediction_and_question_come_back_as_they_were():
    by_name_of = {each.name: each for each in handful(CATALOGUE, [WRONG_PREDICTION, WRONG_ANSWER], day(1), 0)}
    prediction, question = by_name_of[WRONG_PREDICTION.name], by_name_of[WRONG_ANSWER.name]
    assert prediction.text == CATALOGUE.predictions[prediction.name].text and prediction.kind.is_right(1.0)
    assert prediction.corrected(8.0).startswith("You said 8. It is 1: ")
    assert question.truth() == "8" and question.text == CATALOGUE.questions[question.name].text
    options = question.kind.options
    said = (
        f"Not “{options['22.6'].text}”: {options['22.6'].reason} "
        f"The answer is “{options['8'].text}”: {options['8'].reason}"
    )
    assert question.corrected("22.6") == said


def mistake_in(question, answer):
    """The known mistake that a review sees behind an answer."""
    return question.kind.judged(answer).mistake


# Every question about an exercise


@cache
def drawn(name):
    """Return every kind of question about an exercise for several seeds, where there is one: kind -> questions."""
    exercise = EXERCISES[name]
    return {
        kind: [
            (seed, question)
            for seed in SEEDS
            if (question := getattr(exercise_questions, kind)(exercise, Draw(seed, 7))) is not None
        ]
        for kind in KINDS
    }


@cache
def effects_of(exercise, seed):
    """Return the inputs drawn for the questions of a seed, with what comes of them; several tests look at it."""
    return small_effects(exercise, Draw(seed, 7))


def effects_behind(exercise, seed, question):
    """Find the inputs that a question shows, drawn once more."""
    found = effects_of(exercise, seed)
    shown = [each for each in found if question.shown.text.startswith(f"{arrays(each.named)}")]
    assert shown, "what is shown is no input of the exercise"
    return shown[0]


def texts_of(effects):
    """What every mistake makes of an input, as it is seen: name -> texts. Computed by the functions themselves."""
    return {name: set(map(seen, answers)) for name, answers in effects.made.items()}


@every_exercise
def test_every_exercise_can_always_be_asked_about_and_each_kind_comes_in_turn(exercise):
    asked = [exercise_questions.exercise_question(exercise, 5, turn) for turn in range(5)]
    possible = [kind for kind, questions in drawn(exercise.name).items() if questions]
    assert "_reason" in possible and len({each.text for each in asked}) >= min(2, len(possible))
    assert all(each.name == exercise.name and each.source.startswith(f"Exercise {exercise.number}") for each in asked)


@every_exercise
def test_one_option_is_right_and_each_has_its_reason(exercise):
    for kind, questions in drawn(exercise.name).items():
        for _, question in questions:
            if isinstance(question.kind, Choice):
                options = question.kind.options
                assert len(options) == len(set(question.kind.texts())) == 4, kind
                assert [key for key in options if question.kind.is_right(key)] == [question.truth()]
                assert all(option.reason in question.corrected(key) for key, option in options.items())


@every_exercise
def test_the_mistake_to_be_diagnosed_makes_what_is_shown_and_no_other_does(exercise):
    for seed, question in drawn(exercise.name)["_diagnosis"]:
        effects, options = effects_behind(exercise, seed, question), question.kind.options
        texts, name = texts_of(effects), exercise.results[0]
        tables = effects.named | {f"right {name}": effects.right[0]}
        makes = {
            key: any(
                question.shown.text == arrays(tables | {f"returned {name}": answer[0]}).text
                for answer in effects.made[option.text]
                if can_be_shown(answer)
            )
            for key, option in options.items()
        }
        assert [key for key, does in makes.items() if does] == [question.truth()]
        assert all(seen(effects.right) not in texts[option.text] for option in options.values())
        told_apart([texts[option.text] for option in options.values()])
        for key, option in options.items():
            if key != question.truth():
                assert option.reason.split("`")[1] in texts[option.text]


@every_exercise
def test_the_mistake_tried_in_cases_does_what_is_told_and_no_other_does(exercise):
    for seed, question in drawn(exercise.name)["_cases"]:
        inputs = exercise.inputs(Draw(seed, 7).whole(0, MANY))
        lines = question.shown.text.splitlines()
        begins = {f"- {situation(exercise, each)} ": Effects(exercise, each) for each in inputs}
        cases = [(begin, effects) for line in lines for begin, effects in begins.items() if line.startswith(begin)]
        said = [line.removeprefix(begin) for line, (begin, _) in zip(lines, cases, strict=True)]
        does = {
            key: {
                tuple(f"{effects.outcome(answer)}." for answer, (_, effects) in zip(way, cases, strict=True))
                for way in zip(*(effects.made[option.text] for _, effects in cases), strict=True)
            }
            for key, option in question.kind.options.items()
        }
        assert len(set(said)) > 1 and [key for key in does if tuple(said) in does[key]] == [question.truth()]
        told_apart(list(does.values()))


@every_exercise
def test_of_the_results_one_is_made_by_the_mistake_and_the_others_are_not(exercise):
    for seed, question in drawn(exercise.name)["_result"]:
        effects, options = effects_behind(exercise, seed, question), question.kind.options
        mistake = next(name for name in effects.mistakes if f"this mistake: “{name}” Which" in question.text)
        made = texts_of(effects)[mistake]
        assert [key for key, option in options.items() if option.text.strip("`") in made] == [question.truth()]
        right = [option for option in options.values() if option.text.strip("`") == seen(effects.right)]
        assert [option.reason.startswith("A right function") for option in right] == [True]


@every_exercise
def test_the_reason_is_that_of_the_right_mistake_alone(exercise):
    whys = {mistake.name: mistake.why for mistake in known_to(exercise)}
    for _, question in drawn(exercise.name)["_reason"]:
        options = question.kind.options
        said = [key for key, option in options.items() if f"“{whys[option.text]}” Which" in question.text]
        assert said == [question.truth()]
        assert all(whys[o.text] in o.reason for key, o in options.items() if key != question.truth())


@every_exercise
def test_an_entry_is_the_right_one_and_the_number_of_a_mistake_is_told_with_it(exercise):
    for seed, question in drawn(exercise.name)["_entry"]:
        effects = effects_behind(exercise, seed, question)
        place = re.search(r"`(\w+?)(?:\[([\d,]+)\])?`", question.text)
        position = tuple(int(i) - 1 for i in place[2].split(",")) if place[2] else ()
        result = exercise.results.index(place[1])
        truth = exercise.right(*effects.inputs.arguments)
        truth = (truth if len(exercise.results) > 1 else [truth])[result]
        assert question.truth() == pytest.approx(float(np.asarray(truth)[position]))
        assert isinstance(question.kind, Number) and question.kind.is_right(round(question.truth(), 2))
        assert mistake_in(question, question.truth()) == "" and "The answer is" not in question.corrected(
            question.truth()
        )
        wrong = wrong_numbers(effects, result, position, question)
        assert len(set().union(*wrong.values())) >= 2
        for number, names in wrong.items():
            assert not question.kind.is_right(number) and mistake_in(question, number) in names
            assert f"“{mistake_in(question, number)}” " in question.corrected(number)
            assert effects.mistakes[mistake_in(question, number)].why in question.corrected(number)


def wrong_numbers(effects, result, position, question):
    """What mistakes put in that place, where it is clearly wrong: number -> names of those that come near it."""
    numbers = {
        (name, float(answer[result][position]))
        for name, answers in effects.made.items()
        for answer in answers
        if not isinstance(answer, BaseException) and answer[result].shape == effects.right[result].shape
    }
    wrong = {(name, n) for name, n in numbers if abs(n - question.truth()) > 0.02}
    return {n: {name for name, other in wrong if abs(other - n) <= 0.01} for _, n in wrong if np.isfinite(n)}


def told_apart(sets):
    assert sum(map(len, sets)) == len(set().union(*sets))


@every_exercise
def test_what_is_shown_is_small_and_says_what_it_means(exercise):
    for kind, questions in drawn(exercise.name).items():
        for _, question in questions if kind != "_cases" else ():
            numbers = re.findall(r"-?\d+\.?\d*", re.sub(r"\w+(\[\d\])* = ", "", question.shown.text))
            assert len(numbers) <= 36 + 2 * 16
            assert all(len(number.partition(".")[2]) <= 2 for number in numbers if "e" not in question.shown.text)
            for row in re.findall(r"\[([^\[\]]*)\]", question.shown.text):
                assert len(row.split(",")) <= 4
    for questions in drawn(exercise.name).values():
        for _, question in questions:
            assert len(question.shown.text.splitlines()) <= 13 and len(question.shown.text) < 700
            texts = [
                question.text,
                *(question.corrected(answer) for answer in getattr(question.kind, "options", [1.5])),
            ]
            assert not any("<em>" in inline(text) for text in texts), "a star of code became italics"


def test_most_exercises_have_every_kind_of_question():
    missing = {kind: [name for name in EXERCISES if not drawn(name)[kind]] for kind in KINDS}
    assert [len(names) <= len(EXERCISES) // 3 for names in missing.values()] == [True] * 5, missing


def test_an_answer_that_is_an_error_or_too_large_is_not_shown():
    assert not can_be_shown(ValueError("…")) and not can_be_shown([np.ones((5, 2))])
    assert not can_be_shown([np.ones((3, 2, 2))]) and not can_be_shown([np.array([1e9])])
    assert can_be_shown([np.ones((2, 2, 4)), np.array(1.0)])


def test_what_is_written_alike_is_seen_alike():
    exercise = EXERCISES["softmax.rows"]
    effects = Effects(exercise, exercise.cases[0].inputs())
    assert seen(effects.right) == seen([effects.right[0] + 0.001]) != seen([effects.right[0] + 0.01])


# A sitting


@pytest.fixture
def met(monkeypatch):
    """A learner who met four things on Monday, and sits down on Tuesday. Returns what sets another day."""
    events = [*tried("softmax.rows", "heads.merge"), WRONG_PREDICTION, WRONG_ANSWER]
    monkeypatch.setattr(course, "today", lambda: day(1))
    real = Progress.events

    def as_if(self):
        made = real(self)  # all of it on the day that it is
        return [*events, *(event(each.name, 1, each.kind, each.answer, each.mistakes) for each in made)]

    monkeypatch.setattr(Progress, "events", as_if)
    return lambda number: monkeypatch.setattr(course, "today", lambda: day(number))


def submit(form, name, answer):
    return form._session.act([["submit", name, form._session._questions[name].kind.fields(answer)]])


def wrong_for(question):
    if isinstance(question.kind, Number):
        return question.truth() + 1234
    return next(key for key in question.kind.options if key != question.truth())


def test_before_anything_was_met_it_says_so():
    assert repr(review()) == NOTHING_MET and NOTHING_MET in review()._repr_mimebundle_()[0]["text/html"]
    update = review()._session.act([])
    assert update["parts"] == {"score": "", "notice": ""} and COURSE.progress.events() == []
    assert "due" not in how_far().text


def test_a_sitting_asks_each_question_once_and_says_when_the_next_are_due(met):
    form = review(seed=1)
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
    form = review(seed=1)
    wrong, *right = form._session._questions
    submit(form, wrong, wrong_for(form._session._questions[wrong]))
    for name in right:
        submit(form, name, form._session._questions[name].truth())
    assert list(review()._session._questions) == []
    met(2)
    assert list(review()._session._questions) == [wrong]
    met(3)
    assert set(review()._session._questions) == {wrong, *right}


def test_what_is_kept_is_no_text_and_no_answer_but_a_mistake_that_is_known(monkeypatch):
    question = next(q for _, q in drawn("scaled_scores.scaled")["_entry"])
    monkeypatch.setattr(course, "handful", lambda *given: [question])
    form = review()
    exercise = EXERCISES["scaled_scores.scaled"]
    effects = [each for seed in SEEDS for each in small_effects(exercise, Draw(seed, 7))]
    numbers = {float(n) for each in effects for made in each.made.values() for a in made
               if not isinstance(a, BaseException) for n in np.ravel(a[0])}  # fmt: skip
    number, name = next((n, name) for n in sorted(numbers) if (name := mistake_in(question, n)))
    submit(form, question.name, number)
    (kept,) = COURSE.progress.events()
    assert (kept.kind, kept.answer, kept.mistakes) == ("reviewed", "wrong", (name,))


def test_a_complaint_keeps_the_question_open(met):
    form = review(seed=1)
    update = form._session.act([["submit", "heads.eight-copies", {"answer": "many"}]])
    assert update["parts"]["alert heads.eight-copies"] == "&quot;many&quot; is not a number."
    assert update["locked"] == [] and update["fields"] == {}
    for action in ([], ["press", "start over"], ["submit", "x", {}], ["submit", "heads.merge", 3], None):
        form._session.act([action])
    assert not any(each.kind == "reviewed" for each in COURSE.progress.events())


def test_every_part_and_form_that_an_update_fills_is_there(met):
    form = review(seed=1)
    update = form._session.act([])
    assert len(update["fields"]) == 4
    for name in update["parts"]:
        assert form.html.count(f'data-part="{name}"') == 1
    for name in update["fields"]:
        assert form.html.count(f'data-form="{name}"') == 1


def test_the_picture_shows_what_the_form_does(met):
    form = review(seed=1)
    text = repr(form)
    assert text.startswith(RULE) and text.count("Not answered yet.") == 5  # four questions, and the whole
    shown = [line for each in form._session._questions.values() for line in each.shown.text.splitlines()]
    assert shown and all(line in text for line in shown)
    name = next(iter(form._session._questions))
    submit(form, name, form._session._questions[name].truth())
    assert "✓ Right." in repr(form)
    html = form._repr_mimebundle_()[0]["text/html"]
    assert "<table" in html and not re.search("<(input|button|select|form)", html)


def test_how_far_says_what_is_due(met):
    assert how_far().text.splitlines()[-1] == "4 questions are due: run review()."
    met(0)
    assert how_far().text.splitlines()[-1].startswith("No question is due. The next 4 come tomorrow")


@pytest.mark.parametrize("seed", [-1, 1.5, True, "1"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises((TypeError, ValueError), match="seed is"):
        review(seed=seed)


def test_without_a_seed_every_day_draws_its_own(met, monkeypatch):
    def texts():
        return [(each.text, each.shown.text) for each in review()._session._questions.values()]

    monkeypatch.setattr(Progress, "events", lambda self: EVERYTHING)
    first = texts()
    assert texts() == first
    met(2)
    assert texts() != first


def test_every_source_names_its_lesson():
    wrong = [WRONG_PREDICTION, WRONG_ANSWER]
    sources = [each.source for each in handful(CATALOGUE, wrong, day(1), 0)]
    for each, source in zip(handful(CATALOGUE, wrong, day(1), 0), sources, strict=True):
        lesson = LESSONS[lesson_of(each.name)]
        assert f"lesson {lesson.number}, {lesson.title}" in source


def test_a_notebook_stores_a_review_as_if_nothing_had_been_met():
    COURSE.progress.record("right", "softmax.rows")
    source = "from mha_course import review\n\nreview()"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    execute(notebook, ROOT)
    (output,) = code_cells(notebook)[0].outputs
    assert output["data"]["text/plain"] == NOTHING_MET and set(output["data"]) == {"text/plain", "text/html"}

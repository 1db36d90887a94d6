"""What was met comes back by one rule, and a handful of what is due is drawn from many lessons."""

from collections import Counter
from dataclasses import replace
from datetime import date

import pytest
from toy.course import VALID, course
from toy.days import MONDAY, WRONG_ANSWER, WRONG_PREDICTION, day, event, tried

from mha_course.engine.course import reviewing
from mha_course.engine.course.catalogue import Catalogue
from mha_course.engine.course.exercise_questions import exercise_question
from mha_course.engine.course.lesson import Lesson
from mha_course.engine.course.review_items import due_days, waits, what_is_due
from mha_course.engine.course.reviewing import HANDFUL, handful
from mha_course.engine.progress.event import Event
from mha_course.engine.progress.spacing import LONGEST, comes_back, day_of

COURSE = course()
SEEDS = range(6)


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
    old = Event(written, "averages.mean", 1, "right")
    assert day_of(old) == date.min and due_days(COURSE.catalogue, [old])["averages.mean"] <= MONDAY


def test_a_clock_that_was_ahead_breaks_nothing():
    late = Event("9999-12-31T12:00:00+00:00", "averages.mean", 1, "right")
    again = Event("9999-12-31T12:00:00+00:00", "averages.mean", 2, "reviewed", answer="wrong")
    assert "The next one comes in" in what_is_due(COURSE.catalogue, [late, again], MONDAY)


# What was met


@pytest.mark.parametrize("kind", ["right", "mistake", "difference"])
def test_an_exercise_that_was_tried_is_met(kind):
    assert due_days(COURSE.catalogue, [event("averages.mean", 0, kind)]) == {"averages.mean": day(1)}


def test_what_was_met_waits_from_the_first_day_however_often_it_is_tried_again():
    twice = [*tried("averages.mean", number=0), *tried("averages.mean", number=5)]
    assert due_days(COURSE.catalogue, twice) == {"averages.mean": day(1)}


def test_a_prediction_or_question_is_met_once_it_was_answered_wrong():
    right = [event("convolution.places", 1, "predicted", 8), event("averages.taps", 1, "answered", "half")]
    assert due_days(COURSE.catalogue, right) == {}
    assert due_days(COURSE.catalogue, [WRONG_PREDICTION, WRONG_ANSWER, *right]) == dict.fromkeys(
        (each.name for each in right), day(1)
    )


@pytest.mark.parametrize(
    "other",
    [
        event("averages.mean", 0, "arranged"),
        event("averages.mean", 0, "reviewed", "wrong"),  # of a file that lost its first lines
        event("averages.gone", 0, "right"),
        event("averages", 0, "right"),
        event("convolution.places", 0, "predicted"),  # cleared
        event("convolution.places", 0, "predicted", ["8"]),  # of another version
        event("convolution.places", 0, "answered", 8),
        event("averages.taps", 0, "answered", "an option that there was"),
        event("gone.gone", 0, "predicted", 8),
        event("gone.gone", 0, "answered", "8"),
    ],
)
def test_nothing_else_is_met(other):
    assert (
        due_days(COURSE.catalogue, [other]) == {}
        and handful(COURSE.catalogue, [other], day(9), 0) == []
        and what_is_due(COURSE.catalogue, [other], day(9)) == ""
    )


def test_what_is_due_is_said_in_a_sentence():
    events = [WRONG_ANSWER, WRONG_PREDICTION, event("averages.mean", 1, "right")]
    assert (
        what_is_due(COURSE.catalogue, events, MONDAY)
        == "No question is due. The next 2 come tomorrow: review() asks them."
    )
    assert what_is_due(COURSE.catalogue, events, day(1)) == "2 questions are due: run review()."
    assert what_is_due(COURSE.catalogue, events[2:], day(2)) == "1 question is due: run review()."
    done = [*events[2:], event("averages.mean", 2, answer="right")]
    assert (
        what_is_due(COURSE.catalogue, done, day(2))
        == "No question is due. The next one comes in 2 days: review() asks it."
    )


# Which questions are drawn


def lesson_of(name):
    return name.partition(".")[0]


def lesson(number):
    """A lesson of one to eight exercises."""
    name = f"lesson_{number}"
    return Lesson(
        name, number=number, exercises=[replace(VALID, name=f"{name}.{i}") for i in range(1 + 3 * number % 8)]
    )


LONG = Catalogue(map(lesson, range(16)))
EVERYTHING = tried(*LONG.exercises)


def names_drawn(events, on, seed):
    return reviewing.names_drawn(waits(LONG, events), on, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_handful_is_of_many_lessons_and_of_nothing_that_was_not_met(seed):
    names = names_drawn(EVERYTHING, day(1), seed)
    assert len(set(names)) == HANDFUL == len({lesson_of(name) for name in names})
    two = [f"lesson_{number}.{i}" for number in (3, 5) for i in range(2)]
    asked = names_drawn(tried(*two), day(1), seed)
    assert set(asked) == set(two) and len({lesson_of(name) for name in asked[:2]}) == 2


def test_no_exercise_is_drawn_much_more_often_than_others_of_its_lesson():
    counts = Counter(name for seed in range(40) for name in names_drawn(EVERYTHING, day(1), seed))
    assert len(counts) >= 0.8 * len(LONG.exercises) and max(counts.values()) <= 25


def test_nothing_is_asked_before_it_is_due_and_the_longest_due_comes_first():
    events = [
        *tried("averages.mean", number=3),
        *tried("convolution.valid", number=1),
        *tried("averages.range", number=2),
    ]
    assert handful(COURSE.catalogue, events, day(1), 0) == []
    assert [each.name for each in handful(COURSE.catalogue, events, day(3), 0)] == [
        "convolution.valid",
        "averages.range",
    ]


def test_what_was_met_lately_does_not_wait_behind_what_is_known_well():
    known = [
        *tried("averages.mean"),
        *(event("averages.mean", each, answer="right") for each in (1, 3, 7)),
    ]  # due on 15
    late = [*known, *tried("convolution.valid", number=15)]
    assert [each.name for each in handful(COURSE.catalogue, late, day(17), 0)] == ["convolution.valid", "averages.mean"]
    assert [each.name for each in handful(COURSE.catalogue, late, day(16), 0)] == ["averages.mean", "convolution.valid"]


def test_a_learner_who_answers_one_handful_a_day_is_asked_about_every_lesson():
    events, asked = [], Counter()
    for number in range(3 * len(LONG.lessons) + 9):  # a lesson every three days, and more is due than is answered
        begun = list(LONG.lessons.values())[number // 3 : number // 3 + 1] if number % 3 == 0 else []
        events += tried(*(each.name for lesson in begun for each in lesson.exercises), number=number)
        for count, name in enumerate(names_drawn(events, day(number), 0)):
            asked[lesson_of(name)] += 1
            events.append(event(name, number, answer="wrong" if (number + count) % 3 == 0 else "right"))
    exercises = Counter(map(lesson_of, LONG.exercises))
    assert all(asked[lesson] >= min(4, count) for lesson, count in exercises.items())


def test_the_draw_hangs_on_seed_and_progress_alone():
    def drawn(events, seed):
        asked = handful(COURSE.catalogue, events, day(1), seed)
        return [(each.name, each.text, each.shown.text, each.kind) for each in asked]

    met = [*tried(*COURSE.catalogue.exercises), WRONG_PREDICTION, WRONG_ANSWER]
    assert drawn(met, 3) == drawn(met, 3)
    assert len({str(drawn(met, seed)) for seed in SEEDS}) == len(SEEDS)
    ((name, *before),) = drawn(tried("convolution.valid"), 3)
    reviewed = event("convolution.valid", 0, answer="wrong")
    ((again, *after),) = drawn([*tried("convolution.valid"), reviewed], 3)
    assert name == again and before != after  # it comes back as another question


def test_what_was_answered_leaves_the_others_of_the_handful_as_they_were():
    first, *others = names_drawn(EVERYTHING, day(1), 2)
    assert set(others) < set(names_drawn([*EVERYTHING, event(first, 1, answer="right")], day(1), 2))


def test_a_missed_prediction_and_question_come_back_as_they_were():
    asked = {each.name: each for each in handful(COURSE.catalogue, [WRONG_PREDICTION, WRONG_ANSWER], day(1), 0)}
    prediction, question = asked[WRONG_PREDICTION.name], asked[WRONG_ANSWER.name]
    assert prediction.text == COURSE.catalogue.predictions[prediction.name].text and prediction.kind.is_right(8.0)
    assert prediction.corrected(10.0).startswith("You said 10. It is 8: ")
    assert prediction.source == "Predicted in lesson 1, Convolution"
    assert question.truth() == "half" and question.text == COURSE.catalogue.questions[question.name].text
    said = "Not “1 and 1”: These add them. The answer is “½ and ½”: Each counts half."
    assert question.corrected("sum") == said and question.source == "Recall of lesson 2, Moving averages"


def test_an_exercise_is_asked_about_in_five_ways_in_turn():
    asked = [exercise_question(VALID, 1, turn) for turn in range(5)]
    assert len({each.text for each in asked}) == 5
    assert {each.name for each in asked} == {VALID.name}

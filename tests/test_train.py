"""A training as a hand uses it: it trains only when asked, hears every press, and can look back."""

import numpy as np
import pytest

from mha_course import Train, Training
from mha_course.forward.origin import origin
from mha_course.maths.small_model import SmallModel
from mha_course.training.skills import SKILLS
from mha_course.training.training import MOST_STEPS
from mha_course.widgets import training_session
from mha_course.widgets.training_session import TrainingSession

LAYER_1, LAYER_2 = "head 1 1", "head 2 1"


@pytest.fixture
def session():
    return TrainingSession(Training("repeat", seed=0))


@pytest.fixture(scope="module")
def trained():
    """A training that knows its skill; nobody trains it further."""
    training = Training("repeat", seed=0)
    training.train(250)
    return training


def told(update):
    return update["parts"]["told"]


def test_nothing_is_trained_before_it_is_asked_for(session):
    session.act([])
    session.act([["tick"]])  # of a page whose Pause was heard meanwhile
    assert session.training.steps == 0
    assert Train("repeat", seed=0).training.steps == 0


def test_it_trains_from_press_to_press(session):
    update = session.act([["press", "play"]])
    assert "play" in update["on"] and session.training.steps == 0  # the next picture asks for steps
    session.act([["tick"]])
    steps = session.training.steps
    assert 0 < steps <= 5
    update = session.act([["tick"], ["press", "play"], ["tick"]])
    assert "play" not in update["on"] and steps < session.training.steps <= 2 * steps + 5


def test_a_slice_ends_in_time_however_fast_it_shall_be(session, monkeypatch):
    monkeypatch.setattr(training_session.time, "perf_counter", iter([0.0, 0.01, 0.02, 0.031]).__next__)
    session.act([["set", "speed", "1000"], ["press", "play"], ["tick"]])
    assert session.training.steps == 3


def test_one_step_is_one_and_ends_the_playing(session):
    update = session.act([["press", "play"], ["press", "step"], ["tick"]])
    assert session.training.steps == 1 and "play" not in update["on"] and told(update).startswith("Step 1: loss ")


def test_what_was_there_at_an_earlier_step_can_be_looked_at(trained):
    session = TrainingSession(trained)
    now = session.act([])["parts"]
    then = session.act([["set", "at", "0"]])["parts"]
    assert then["map 2 1"] != now["map 2 1"] and then["writes"] != now["writes"]
    assert then["map 2 1"] == TrainingSession(Training("repeat", seed=0)).act([])["parts"]["map 2 1"]
    assert session.act([["set", "at", "9999"]])["parts"]["map 2 1"] == now["map 2 1"]


def test_a_head_that_is_switched_off_takes_the_skill_away_and_brings_it_back(trained):
    session = TrainingSession(trained)
    whole = session.act([])["parts"]
    assert whole["writes"].count("✓") == 10 and "✗" not in whole["writes"]
    for head in (LAYER_1, LAYER_2):
        update = session.act([["press", head]])
        assert update["parts"]["writes"].count("✗") > 5 and head not in update["on"]
        assert "with all heads. Tested without layer" in told(update)  # the number told is the training's
        assert session.act([["press", head]])["parts"] == whole


def test_the_model_is_tested_anew_only_where_something_else_is_to_be_tested(session, monkeypatch):
    tested = []
    monkeypatch.setattr(Training, "test", lambda *given, test=Training.test: tested.append(given) or test(*given))
    first = session.act([])["parts"]["tests"]
    session.act([["press", "letter 3"]])
    session.act([["set", "text", "abcabc"]])
    assert len(tested) == 6  # lengths
    others = [["press", "head 1 1"]], [["press", "step"]], [["set", "seed", "1"]], [["set", "skill", "first"]]
    tables = [first, *(session.act(actions)["parts"]["tests"] for actions in others)]
    assert len(set(tables)) == len(tables) and len(tested) == 4 * 6 + 1


def test_shortcut_and_rule_part_on_other_words():
    training = Training("repeat", seed=0, lengths=[7])
    training.train(250)
    table = TrainingSession(training).act([])["parts"]["tests"]
    assert "7 ✓" in table and "1.00" in table
    result = training.test([3])
    assert training.test([7]).accuracy > 0.99 and result.accuracy < 0.5 and result.weight < 0.3


def test_another_choice_begins_anew_and_keeps_the_sentence(session):
    session.act([["press", "step"], ["set", "text", "abcabc"], ["press", "head 1 1"]])
    update = session.act([["set", "seed", "3"]])
    assert session.training.steps == 0 and session.training.seed == 3 and session.text == "abcabc"
    assert update["on"] == [LAYER_1, LAYER_2] and "html" not in update
    update = session.act([["set", "num_heads", "2"]])
    assert "map 2 2" in update["html"] and len(update["on"]) == 4


@pytest.mark.parametrize("skill", SKILLS)
def test_every_skill_can_be_chosen_read_and_trained(session, skill):
    update = session.act([["set", "skill", skill], ["press", "step"]])
    assert session.training.skill is SKILLS[skill] and session.training.steps == 1
    assert all(f'data-part="{part}"' in session.screen() for part in update["parts"] if part != "notice")
    assert update["parts"]["words"] == SKILLS[skill].words


@pytest.mark.parametrize(
    "action, says",
    [
        (["set", "text", "xyz"], "&#x27;x&#x27;, but its letters must be from a to l"),
        (["set", "text", ""], "text has 0 letters"),
        (["set", "seed", "soon"], "Seed: &#x27;soon&#x27; is no whole number"),
        (["set", "lengths", "20"], "needs whole numbers from 2 to 12"),
        (["press", "letter 99"], "is no button here"),
        (["press", "head 3 1"], "is no button here"),
        (["press", "nonsense"], "is no button here"),
        (["set", "skill", "chess"], "must be one of"),
        ("nonsense", "is nothing that can be done here"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(session, action, says):
    before = session.act([["press", "step"]])["parts"]
    update = session.act([action])
    assert says in update["parts"]["alert"]
    assert session.act([])["parts"] | {"alert": ""} == before


def test_training_ends_with_a_sentence(session, monkeypatch):
    monkeypatch.setattr(training_session, "MOST_STEPS", 1)
    update = session.act([["press", "play"], ["tick"], ["tick"]])  # one ends with the step if that took long
    assert session.training.steps == 1 and "it ends here" in update["parts"]["alert"] and "play" not in update["on"]
    assert MOST_STEPS >= 3000  # as long as the lesson's control is trained


def test_the_stored_picture_hangs_on_no_last_digit():
    once, again = Training("repeat", seed=0), Training("repeat", seed=0)
    again.model = SmallModel(again.model.design, {k: W + 1e-9 for k, W in again.model.parameters.items()})
    first, second = (TrainingSession(each).still() for each in (once, again))
    assert (first.html, first.text) == (second.html, second.text)


def test_a_layer_goes_to_the_workbench_as_it_is(trained):
    train = Train(training=trained)
    workbench = train.workbench(layer=2, text="abcdeabcde")
    read = trained.read("abcdeabcde").layers[1].weights[0, 0]
    assert np.allclose(workbench.path["weights/1"].values, read)
    assert "softmax" in origin(workbench.state, workbench.path, "weights/1", 7, 3).words or read[7, 3] > 0.8
    with pytest.raises(ValueError, match="layer is 3, but must be a whole number from 1 to 2"):
        train.workbench(layer=3)


def test_a_workbench_of_a_state_resets_to_it(trained):
    workbench = Train(training=trained).workbench(layer=1)
    before = workbench.state.inputs["X"][0, 0]
    workbench.edit("X", 0, 0, 5)
    workbench._do("press", "reset")
    assert workbench.state.inputs["X"][0, 0] == before

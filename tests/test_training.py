"""A run of training: what it promises about each skill, what it says no to, and that its outcome can be stored."""

import numpy as np
import pytest

from mha_course.maths.small_model import SmallModel
from mha_course.training.sentences import ALPHABET, ids_of, written
from mha_course.training.skills import SKILLS
from mha_course.training.training import MOST_STEPS, Training

pytestmark = pytest.mark.long

REPEAT_STEPS = 200


@pytest.fixture(scope="module")
def repeat():
    training = Training("repeat", seed=0)
    training.train(REPEAT_STEPS)
    return training


@pytest.fixture(scope="module")
def previous():
    training = Training("previous", seed=0)
    training.train(150)
    return training


def test_the_same_seed_takes_the_same_steps_in_slices_or_at_once():
    once, sliced, other = Training(seed=3), Training(seed=3), Training(seed=4)
    once.train(12)
    for steps in (1, 4, 7):
        sliced.train(steps)
        sliced.test(), sliced.read("abcabc")  # to look changes nothing
    other.train(12)
    assert once.losses == sliced.losses != other.losses and once.accuracies == sliced.accuracies
    for name, values in once.model.parameters.items():
        np.testing.assert_array_equal(values, sliced.model.parameters[name])
    assert once.test() == sliced.test()


@pytest.mark.parametrize(("skill", "steps"), [("previous", 100), ("first", 100), ("reverse", 150)])
def test_one_layer_learns_its_skill_in_a_few_steps(skill, steps):
    training = Training(skill, seed=1)
    before = training.test()
    training.train(steps)
    after = training.test()
    assert before.accuracy < 0.2 and after.accuracy > 0.98
    assert after.loss < 0.2 < 2 < before.loss and before.weight < 0.4 < 0.9 < after.weight


def test_two_layers_learn_to_sort():
    training = Training("sort", seed=0)
    training.train(400)
    assert training.test().accuracy > 0.9 and len(training.read("dabca").predictions[0]) == 5
    with pytest.raises(ValueError, match="text has 6 letters, but needs 1 to 5"):
        training.read("dabcab")


def test_two_layers_learn_to_repeat_on_lengths_that_they_never_saw(repeat):
    for lengths in (None, [3], [6]):
        result = repeat.test(lengths)
        assert result.accuracy > 0.95 and result.weight > 0.85
    assert written(repeat.read("chadchad").predictions[0, 4:]) == "hadc"
    assert len(repeat.losses) == len(repeat.accuracies) == repeat.steps == REPEAT_STEPS
    assert repeat.losses[0] > 2 and repeat.losses[-1] < 0.3 and repeat.accuracies[-1] > 0.95


def test_one_layer_does_not():
    training = Training("repeat", seed=0, num_layers=1)
    training.train(REPEAT_STEPS)
    assert training.test([3]).accuracy < 0.8 and training.test([6]).accuracy < 0.5


def test_one_word_length_is_learned_without_the_rule():
    training = Training("repeat", seed=0, lengths=[7])
    training.train(REPEAT_STEPS)
    assert training.lengths == (7,) and training.test().accuracy > 0.98
    assert training.test([5]).accuracy < 0.5


def test_without_either_layer_the_skill_is_gone(repeat):
    assert all(repeat.test(off=[(layer, 1)]).accuracy < 0.5 for layer in (1, 2))
    on, off = repeat.read("abcdabcd"), repeat.read("abcdabcd", off=[(1, 1)])
    np.testing.assert_array_equal(on.layers[0].weights, off.layers[0].weights)
    assert (off.layers[0].heads == 0).all() and (off.layers[0].after == off.layers[0].rows).all()
    assert np.abs(on.layers[1].weights - off.layers[1].weights).max() > 0.3


def test_a_test_tells_the_weight_on_the_positions_where_the_answers_are(previous):
    reading = previous.read("abcdefgh")
    weight = np.diagonal(reading.layers[-1].weights[0, 0], -1).mean()
    assert previous.test().weight == pytest.approx(weight, abs=0.1)


@pytest.mark.parametrize("skill", SKILLS)
def test_right_answers_and_where_to_look_agree(skill):
    skill = SKILLS[skill]
    made = skill.draw(np.random.default_rng(0), 40, skill.lengths)
    assert made.ids.shape == made.answers.shape == made.loss_mask.shape == (40, skill.n)
    assert made.looks.shape == (40, skill.n, skill.n)
    for sentence, query in np.argwhere(made.loss_mask):
        keys = np.flatnonzero(made.looks[sentence, query])
        assert len(keys) and (made.ids[sentence, keys] == made.answers[sentence, query]).all()
        assert not skill.is_causal or keys.max() <= query


def test_words_have_the_lengths_asked_for_and_only_places_that_can_be_known_count():
    skill = SKILLS["repeat"]
    for length in (2, 3, 12):
        made = skill.draw(np.random.default_rng(0), 30, (length,))
        np.testing.assert_array_equal(made.ids[:, length:], made.ids[:, :-length])
        assert all(len(set(row[:length])) == length for row in made.ids)
        assert (made.loss_mask == (np.arange(skill.n) >= length)).all()


def test_earlier_models_are_kept():
    training = Training("first", seed=0)
    start = training.model
    training.train(150)
    assert training.at(0) is start and training.at(150) is training.at(151) is training.model
    assert training.kept[:3] == [0, 1, 2] and training.kept[-1] == 150 and 149 not in training.kept
    assert training.at(149) is training.at(148) is not training.model
    assert training.test(step=0) == Training("first", seed=0).test() and training.test(step=0).accuracy < 0.2
    assert (
        training.read("abc", step=0).logits == start.read(np.array([[0, 1, 2]]), np.tri(3, dtype=bool)).logits
    ).all()


def test_a_model_may_be_replaced_by_one_of_its_design():
    training = Training("previous", seed=0)
    name = "W_O/1"
    changed = SmallModel(training.model.design, {**training.model.parameters, name: np.zeros((24, 48))})
    training.train(3)
    training.model = changed
    assert training.model is training.at(3) is changed and training.kept == [0, 1, 2, 3]
    training.train(1)
    assert np.abs(training.model.parameters[name]).max() > 0
    with pytest.raises(ValueError, match=r"model has Design\(vocabulary=12, num_layers=2"):
        training.model = Training("repeat").model
    with pytest.raises(ValueError, match=r"model has W_O/1 of shape \(24, 24\), but needs \(24, 48\)"):
        training.model = SmallModel(changed.design, {**changed.parameters, name: np.zeros((24, 24))})


def test_what_is_stored_bears_a_disturbance():
    steady = {}
    for push in (0.0, 1e-9):
        for skill, steps in (("repeat", REPEAT_STEPS), ("previous", 150)):
            training = Training(skill, seed=0)
            moved = training.model.parameters["W_Q/1"].copy()
            moved[0, 0] += push
            training.model = SmallModel(training.model.design, {**training.model.parameters, "W_Q/1": moved})
            training.train(steps)
            result = training.test()
            early = [f"{loss:.2f}" for loss in training.losses[:20]]
            predictions = written(training.read("abcdabcd").predictions[0, 4:])
            stored = early, f"{result.accuracy:.2f}", result.weight > 0.9, predictions
            assert steady.setdefault(skill, stored) == stored


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("residual", [False, True])
def test_a_layer_has_a_residual_connection_and_a_norm_only_if_asked_for(norm, residual):
    training = Training("previous", seed=0, norm=norm, residual=residual)
    training.train(2)
    (layer,) = training.read("abc").layers
    added = layer.heads[:, 0] @ training.model.parameters["W_O/1"]
    np.testing.assert_allclose(layer.after, layer.rows + added if residual else added, rtol=0, atol=1e-14)
    assert np.allclose(layer.normed.mean(axis=-1), 0) is norm and (layer.normed is layer.rows) is not norm


def test_text_and_ids_are_each_other():
    assert written(ids_of(ALPHABET, 12)) == ALPHABET


WRONG = {
    "skill is 'sing'": lambda: Training("sing"),
    "skill is 3": lambda: Training(3),
    r"skill is \['repeat'\]": lambda: Training(["repeat"]),
    "seed is -1, but must be at least 0": lambda: Training(seed=-1),
    "seed is '1', but must be a whole number": lambda: Training(seed="1"),
    "seed is None": lambda: Training(seed=None),
    "seed is 1.0": lambda: Training(seed=1.0),
    "seed is True": lambda: Training(seed=True),
    "num_layers is 0": lambda: Training(num_layers=0),
    "num_layers is '2'": lambda: Training(num_layers="2"),
    "num_heads is 0": lambda: Training(num_heads=0),
    "num_heads is 1000000, but must be at most 16": lambda: Training(num_heads=10**6),
    "num_layers is 1000000, but must be at most 16": lambda: Training(num_layers=10**6),
    r"lengths is \[0\], but needs whole numbers from 2 to 12": lambda: Training(lengths=[0]),
    "num_heads is 1.5": lambda: Training(num_heads=1.5),
    r"lengths is \[1\], but needs whole numbers from 2 to 12": lambda: Training(lengths=[1]),
    r"lengths is \[13\]": lambda: Training(lengths=[13]),
    r"lengths is \[\]": lambda: Training(lengths=[]),
    "lengths is 4, but must be a list": lambda: Training(lengths=4),
    "lengths is '45', but must be a list": lambda: Training(lengths="45"),
    r"lengths is \[4.0\]": lambda: Training(lengths=[4.0]),
    r"lengths is \[4\], but 'the previous letter' has no words": lambda: Training("previous", lengths=[4]),
    "residual is 'no', but must be True or False": lambda: Training(residual="no"),
    "norm is 1": lambda: Training(norm=1),
    "steps is 0": lambda: Training().train(0),
    "steps is -3": lambda: Training().train(-3),
    "steps is 2.5": lambda: Training().train(2.5),
    f"steps is {MOST_STEPS + 1}, but after 0 at most {MOST_STEPS}": lambda: Training().train(MOST_STEPS + 1),
    "step is -1": lambda: Training().at(-1),
    "step is '3'": lambda: Training().test(step="3"),
    r"off has \(3, 1\), but the layers are 1 to 2, each with heads 1 to 1": lambda: Training().test(off=[(3, 1)]),
    r"off has \(1, 0\)": lambda: Training().read("abc", off=[(1, 0)]),
    r"off is \(1, 1\), but must be a list of heads": lambda: Training().test(off=(1, 1)),
    "text has 'm', but its letters must be from a to l": lambda: Training().read("mama"),
    "text has 'A'": lambda: Training().read("Abc"),
    "text has 0 letters": lambda: Training().read(""),
    "text has 17 letters, but needs 1 to 16": lambda: Training().read("a" * 17),
    "text is 5, but must be a string": lambda: Training().read(5),
    r"lengths is \[20\]": lambda: Training().test([20]),
}


@pytest.mark.parametrize("said", WRONG)
def test_what_does_not_fit_is_named(said):
    with pytest.raises((ValueError, TypeError), match=f"^{said}"):
        WRONG[said]()

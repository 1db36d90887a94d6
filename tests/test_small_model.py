"""The small model's way back against measured gradients, and its step; against PyTorch see test_against_torch."""

import numpy as np
import pytest

from mha_course.maths import gradients
from mha_course.maths.adam import Adam, clipped
from mha_course.maths.inputs import positional_encoding
from mha_course.maths.small_model import Design, SmallModel

SEEDS = 30
PUSHES = {1e-4: 8 / 12e-4, -1e-4: -8 / 12e-4, 2e-4: -1 / 12e-4, -2e-4: 1 / 12e-4}  # with the weight of each loss


def drawn(seed):
    """Draw a design, a model, and sentences with a mask, as the way back has to bear them."""
    rng = np.random.default_rng(seed)
    one_of = lambda *values: values[rng.integers(len(values))]  # noqa: E731
    design = Design(
        vocabulary=int(rng.integers(3, 6)),
        num_layers=one_of(1, 2, 2, 3),
        num_heads=one_of(1, 2, 3),
        d_model=one_of(4, 6),
        d_k=one_of(2, 3),
        residual=one_of(True, False),
        norm=one_of(True, False),
        crosses=one_of(True, False),
    )
    batch, n = rng.integers(1, 4), rng.integers(2, 6)
    ids, targets = rng.integers(design.vocabulary, size=(2, batch, n))
    mask = one_of(None, np.tri(n, dtype=bool), rng.random((n, n)) < 0.6, rng.random((batch, 1, n, n)) < 0.6)
    counts = rng.random((batch, n)) < 0.7
    counts[0, 0] = True
    return SmallModel.random(design, rng), ids, mask, targets, counts


def loss_of(model, ids, mask, targets, counts):
    return gradients.cross_entropy(model.read(ids, mask).logits, targets, counts)[0]


def measured(model, name, *task):
    """Measure the gradient of the loss for each number of one parameter: push it up and down, once and twice."""
    values = model.parameters[name]
    found = np.zeros(values.shape)
    for place in np.ndindex(values.shape):
        for push, weight in PUSHES.items():
            moved = values.copy()
            moved[place] += push
            found[place] += weight * loss_of(SmallModel(model.design, {**model.parameters, name: moved}), *task)
    return found


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_gradients_of_a_whole_model_are_those_that_are_measured(seed):
    model, ids, mask, targets, counts = drawn(seed)
    reading = model.read(ids, mask)
    _, of_logits = gradients.cross_entropy(reading.logits, targets, counts)
    found = model.gradients(reading, of_logits)
    assert found.keys() == model.parameters.keys()
    for name, gradient in found.items():
        expected = measured(model, name, ids, mask, targets, counts)
        assert gradient.shape == expected.shape
        assert np.abs(gradient - expected).max() <= 1e-6 * max(np.abs(gradient).max(), 1e-5), name


def test_the_designs_that_are_drawn_hold_every_case():
    models = [drawn(seed) for seed in range(SEEDS)]
    for field in ("residual", "norm", "crosses"):
        assert {getattr(model.design, field) for model, *_ in models} == {True, False}
    assert {(model.design.num_layers, model.design.num_heads) for model, *_ in models} >= {
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
    }
    assert {None if mask is None else mask.ndim for _, _, mask, *_ in models} == {None, 2, 4}


def test_a_head_that_is_off_is_one_whose_block_of_W_O_is_0():
    design = Design(vocabulary=5, num_layers=2, num_heads=2, d_model=6, d_k=3)
    rng = np.random.default_rng(0)
    model, ids, mask = SmallModel.random(design, rng), rng.integers(5, size=(2, 4)), np.tri(4, dtype=bool)
    for layer, head in np.ndindex(2, 2):
        W_O = model.parameters[f"W_O/{layer + 1}"].copy()
        W_O[3 * head : 3 * head + 3] = 0
        without = SmallModel(design, {**model.parameters, f"W_O/{layer + 1}": W_O}).read(ids, mask)
        off = model.read(ids, mask, off=[(layer + 1, head + 1)])
        np.testing.assert_allclose(off.logits, without.logits, rtol=0, atol=1e-13)
        assert np.abs(off.logits - model.read(ids, mask).logits).max() > 0.01


@pytest.mark.parametrize("same_blocks", [True, False])
def test_equal_heads_stay_equal_only_if_their_blocks_of_W_O_are_equal_too(same_blocks):
    design = Design(vocabulary=5, num_layers=1, num_heads=2, d_model=6, d_k=3)
    rng = np.random.default_rng(0)
    drawn = SmallModel.random(design, rng).parameters
    equal = {name: np.tile(drawn[name][:, :3], 2) for name in ("W_Q/1", "W_K/1", "W_V/1")}
    if same_blocks:
        equal["W_O/1"] = np.tile(drawn["W_O/1"][:3], (2, 1))
    model = SmallModel(design, {**drawn, **equal})
    ids, targets = rng.integers(5, size=(2, 3, 4))
    reading = model.read(ids, None)
    found = model.gradients(reading, gradients.cross_entropy(reading.logits, targets, ids >= 0)[1])
    first, second = np.split(found["W_Q/1"], 2, axis=1)
    assert np.allclose(first, second, rtol=0, atol=1e-15) is same_blocks


def test_a_head_reads_no_letter_that_its_mask_hides():
    model = SmallModel.random(Design(vocabulary=12), np.random.default_rng(0))
    mask = np.tri(5, dtype=bool)
    one, other = (model.read(np.array([[3, 1, 2, *rest]]), mask) for rest in ((4, 5), (9, 0)))
    np.testing.assert_array_equal(one.logits[:, :3], other.logits[:, :3])
    for layer in one.layers:
        assert (layer.weights[..., ~mask] == 0).all()
        np.testing.assert_allclose(layer.weights.sum(axis=-1), 1)


def test_one_place_on_is_the_same_turn_everywhere():
    rows = positional_encoding(16, 48, base=Design.base)
    inner = rows @ rows.T  # of two places: it depends on how far apart they are, and on nothing else
    for offset in range(16):
        assert np.ptp(np.diagonal(inner, offset)) < 1e-12


def test_two_steps_of_adam_are_those_worked_out_on_paper():
    adam, W = Adam(rate=0.1, decay=(0.5, 0.36)), np.array([1.0])
    once = adam.step({"W": W}, {"W": np.array([4.0])})["W"]
    assert once.item() == pytest.approx(0.9)  # mean 2 / 0.5 = 4, square 10.24 / 0.64 = 16: 0.1 · 4 / 4
    twice = adam.step({"W": once}, {"W": np.array([0.0])})["W"]  # mean 1, of 0.75; square 3.6864, of 0.8704
    assert twice.item() == pytest.approx(0.9 - 0.1 * (1 / 0.75) / (3.6864 / 0.8704) ** 0.5) and W.item() == 1.0


def test_gradients_are_clipped_together_and_short_ones_stay():
    long = {"A": np.array([[3.0, 0.0]]), "B": np.array([4.0])}
    short = clipped(long, 2.5)
    assert short["A"].tolist() == [[1.5, 0.0]] and short["B"].tolist() == [2.0]
    assert clipped(long, 5.0)["A"].tolist() == [[3.0, 0.0]]
    assert clipped({"A": np.zeros(2)}, 1.0)["A"].tolist() == [0, 0]

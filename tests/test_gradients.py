"""The way back through each formula, against gradients that are measured by small pushes."""

import numpy as np
import pytest

from mha_course.maths import formulas, gradients
from mha_course.maths.attention import attention_gradients
from mha_course.maths.masks import causal_mask
from mha_course.maths.norms import layer_norm

PUSH = 1e-6
SHAPES = {  # Q, K, V, and the mask
    "one sentence": ((4, 3), (5, 3), (5, 2), None),
    "a batch with heads": ((2, 3, 4, 5), (2, 3, 6, 5), (2, 3, 6, 2), None),
    "a mask": ((2, 3, 4, 5), (2, 3, 4, 5), (2, 3, 4, 2), causal_mask(4)),
    "a row that sees nothing": ((3, 4), (3, 4), (3, 2), np.array([[1, 0, 1], [0, 0, 0], [1, 1, 1]], bool)),
    "keys that serve a batch": ((2, 4, 3), (5, 3), (5, 2), None),
    "queries that serve a batch": ((4, 3), (2, 5, 3), (2, 5, 2), None),
    "keys that serve all heads": ((2, 3, 4, 5), (2, 1, 6, 5), (2, 1, 6, 2), None),
    "one token": ((1, 1), (1, 1), (1, 1), None),
}
every_shape = pytest.mark.parametrize(("q", "k", "v", "mask"), SHAPES.values(), ids=SHAPES)


def measured(loss, array):
    """Measure the gradient of a loss for each entry: push it up and down a little."""
    found = np.empty(array.shape)
    for place in np.ndindex(array.shape):
        up, down = array.copy(), array.copy()
        up[place] += PUSH
        down[place] -= PUSH
        found[place] = (loss(up) - loss(down)) / (2 * PUSH)
    return found


def assert_is_measured(gradient, loss, array):
    expected = measured(loss, array)
    assert gradient.shape == array.shape
    assert np.abs(gradient - expected).max() <= 1e-6 * max(np.abs(expected).max(), 1e-2)


def drawn(*shapes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


def output_of(Q, K, V, mask, scale):
    return formulas.masked_softmax(formulas.scaled_scores(Q, K, scale), mask) @ V


@every_shape
@pytest.mark.parametrize("scale", [None, 0.7])
def test_the_gradients_of_an_attention_are_those_that_are_measured(q, k, v, mask, scale):
    Q, K, V = drawn(q, k, v)
    (G,) = drawn(output_of(Q, K, V, mask, scale).shape, seed=1)
    found = attention_gradients(Q, K, V, G, mask, scale)
    assert_is_measured(found.Q, lambda each: (output_of(each, K, V, mask, scale) * G).sum(), Q)
    assert_is_measured(found.K, lambda each: (output_of(Q, each, V, mask, scale) * G).sum(), K)
    assert_is_measured(found.V, lambda each: (output_of(Q, K, each, mask, scale) * G).sum(), V)
    scores = formulas.scaled_scores(Q, K, scale)
    weights = formulas.masked_softmax(scores, mask)
    assert_is_measured(found.weights, lambda each: (each @ V * G).sum(), weights)
    assert_is_measured(found.scores, lambda each: (formulas.masked_softmax(each, mask) @ V * G).sum(), scores)


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (1, 2)])
def test_the_gradients_of_a_layer_norm_are_those_that_are_measured(shape):
    x, gain, bias, G = drawn(shape, shape[-1:], shape[-1:], shape)
    of_x, of_gain, of_bias = gradients.of_layer_norm(x, gain, G, 1e-5)
    assert_is_measured(of_x, lambda each: (layer_norm(each, gain, bias) * G).sum(), x)
    assert_is_measured(of_gain, lambda each: (layer_norm(x, each, bias) * G).sum(), gain)
    assert_is_measured(of_bias, lambda each: (layer_norm(x, gain, each) * G).sum(), bias)


@pytest.mark.parametrize(
    "shapes", [((3, 4), (4, 2)), ((5, 3, 4), (4, 2)), ((3, 4), (5, 4, 2)), ((2, 5, 3, 4), (5, 4, 2))]
)
def test_the_gradients_of_a_product_are_those_that_are_measured(shapes):
    A, B = drawn(*shapes)
    (G,) = drawn((A @ B).shape, seed=1)
    of_A, of_B = gradients.of_product(A, B, G)
    assert_is_measured(of_A, lambda each: (each @ B * G).sum(), A)
    assert_is_measured(of_B, lambda each: (A @ each * G).sum(), B)


def test_the_gradient_of_embeddings_is_the_one_that_is_measured():
    (table, G), ids = drawn((5, 3), (2, 4, 3)), np.array([[0, 2, 2, 4], [4, 0, 1, 2]])
    assert_is_measured(gradients.of_rows(ids, G, 5), lambda each: (each[ids] * G).sum(), table)


def test_the_gradient_of_the_cross_entropy_is_the_one_that_is_measured_and_counts_only_what_counts():
    (logits,), targets = drawn((2, 3, 4)), np.array([[0, 3, 1], [2, 2, 0]])
    loss_mask = np.array([[True, False, True], [True, True, False]])
    loss, gradient = gradients.cross_entropy(logits, targets, loss_mask)
    assert_is_measured(gradient, lambda each: gradients.cross_entropy(each, targets, loss_mask)[0], logits)
    shares = formulas.softmax(logits)
    assert loss == pytest.approx(-np.log([shares[0, 0, 0], shares[0, 2, 1], shares[1, 0, 2], shares[1, 1, 2]]).mean())


def test_the_worked_example_falls_as_it_does_on_paper():
    values = np.array([[1.0], [3.0]])  # two equal scores, target 3: output 2, loss ½ (2 - 3)²
    step = attention_gradients([[1.0]], [[0.0], [0.0]], values, G=[[2.0 - 3.0]]).scores
    assert step.tolist() == [[0.5, -0.5]]
    output = (formulas.softmax(-step) @ values).item()
    assert round(output, 2) == 2.46 and round(0.5 * (output - 3) ** 2, 3) == 0.145


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([[1.0, 2.0]], [[1.0]], [[1.0]], [[1.0]]), "K has shape (1, 1), but needs (n_k, d_k = 2)"),
        (([[1.0]], [[1.0]], [[1.0]], [[1.0, 2.0]]), "G has shape (1, 2), but needs (n_q = 1, d_v = 1)"),
    ],
)
def test_what_does_not_fit_is_named(arguments, said):
    with pytest.raises(ValueError, match=said.replace("(", r"\(").replace(")", r"\)")):
        attention_gradients(*arguments)


def test_a_guess_that_is_sure_and_wrong_costs_much_but_never_more_than_a_number():
    loss, gradient = gradients.cross_entropy(np.array([[2000.0, 0.0]]), np.array([1]), np.array([True]))
    assert loss == 2000 and gradient.tolist() == [[1, -1]]


@pytest.mark.parametrize("shape", [(4,), (3, 4), (1, 4), (3, 1), (2, 1, 4), (1, 1, 1), (2, 3, 4), (1, 3, 4)])
def test_a_gradient_is_summed_over_the_copies_of_an_array(shape):
    (array,), (gradient,) = drawn(shape), drawn((2, 3, 4), seed=1)
    assert_is_measured(
        gradients.summed_to(gradient, shape),
        lambda each: (np.broadcast_to(each, gradient.shape) * gradient).sum(),
        array,
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_gradients_of_drawn_attentions_are_those_that_are_measured(seed):
    rng = np.random.default_rng(seed)
    batch, h, n_q, n_k, d_k, d_v = rng.integers(1, 5, size=6)
    leading = [(), (h,), (batch, 1), (1, h), (batch, h)]  # of each: what it serves, it serves by broadcasting
    q, k, v = (leading[i] for i in rng.integers(5, size=3))
    Q, K, V = drawn((*q, n_q, d_k), (*k, n_k, d_k), (*v, n_k, d_v), seed=seed)
    everyone = np.broadcast_shapes(q, k)
    mask = rng.random((*everyone, n_q, n_k)) < 0.6 if seed % 2 else None
    output = output_of(Q, K, V, mask, None).shape
    (G,) = drawn([output, output[-2:], (2, *output)][seed % 3], seed=seed + 100)
    found = attention_gradients(Q, K, V, G, mask)
    assert_is_measured(found.Q, lambda each: (output_of(each, K, V, mask, None) * G).sum(), Q)
    assert_is_measured(found.K, lambda each: (output_of(Q, each, V, mask, None) * G).sum(), K)
    assert_is_measured(found.V, lambda each: (output_of(Q, K, each, mask, None) * G).sum(), V)

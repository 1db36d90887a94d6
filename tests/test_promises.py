"""What holds for every input, tried on random ones."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import rows
from scipy.special import softmax as scipy_softmax

from mha_course import (
    attention,
    contributions,
    embed,
    merge_heads,
    multi_head_attention,
    positional_encoding,
    project,
    scaled_scores,
    softmax,
    split_heads,
    weighted_sum,
)

sizes = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1)
settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")


def draw(seed, *shapes):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) * 3 for shape in shapes]


@st.composite
def queries_keys_values(draw_one):
    n_q, n_k, d_k, d_v = (draw_one(sizes) for _ in range(4))
    leading = tuple(draw_one(st.lists(st.integers(1, 3), max_size=2)))
    return draw(draw_one(seeds), (*leading, n_q, d_k), (*leading, n_k, d_k), (*leading, n_k, d_v))


@given(queries_keys_values())
def test_every_row_of_weights_is_made_of_shares_that_sum_to_1(qkv):
    weights = attention(*qkv).weights
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


@given(queries_keys_values(), seeds)
def test_permuting_the_queries_permutes_the_outputs(qkv, seed):
    Q, K, V = qkv
    order = np.random.default_rng(seed).permutation(Q.shape[-2])
    np.testing.assert_allclose(attention(Q[..., order, :], K, V).output, attention(Q, K, V).output[..., order, :])


@given(seeds, sizes, sizes, sizes, st.sampled_from([(), (2,), (2, 3)]))
def test_permuting_the_tokens_permutes_the_result_of_all_heads(seed, n, num_heads, d_k, leading):
    width = num_heads * d_k
    X, *weights = draw(seed, (*leading, n, 4), (4, width), (4, width), (4, width), (width, 4))
    order = np.random.default_rng(seed).permutation(n)
    permuted = multi_head_attention(X[..., order, :], *weights, num_heads).output
    np.testing.assert_allclose(permuted, multi_head_attention(X, *weights, num_heads).output[..., order, :], atol=1e-9)


@given(queries_keys_values(), seeds)
def test_permuting_keys_together_with_their_values_changes_no_output(qkv, seed):
    Q, K, V = qkv
    order = np.random.default_rng(seed).permutation(K.shape[-2])
    permuted = attention(Q, K[..., order, :], V[..., order, :]).output
    np.testing.assert_allclose(permuted, attention(Q, K, V).output, atol=1e-12)


@given(seeds, sizes, sizes, st.floats(-1e3, 1e3))
def test_a_constant_added_to_a_row_of_scores_changes_nothing(seed, rows, columns, constant):
    (scores,) = draw(seed, (rows, columns))
    np.testing.assert_allclose(softmax(scores + constant), softmax(scores), rtol=1e-9)


@given(queries_keys_values())
def test_outputs_lie_between_the_lowest_and_the_highest_value(qkv):
    V, output = qkv[2], attention(*qkv).output
    assert (output >= V.min(axis=-2, keepdims=True) - 1e-12).all()
    assert (output <= V.max(axis=-2, keepdims=True) + 1e-12).all()


@given(seeds, sizes, sizes, sizes, sizes, sizes)
def test_the_loop_is_the_matrix_form(seed, n_q, n_k, d_k, d_v, scale):
    Q, K, V = draw(seed, (n_q, d_k), (n_k, d_k), (n_k, d_v))
    output = np.zeros((n_q, d_v))
    for q in range(n_q):
        exponentials = [math.exp(sum(Q[q, i] * K[k, i] for i in range(d_k)) / scale) for k in range(n_k)]
        for k in range(n_k):
            output[q] += exponentials[k] / sum(exponentials) * V[k]
    np.testing.assert_allclose(attention(Q, K, V, scale=scale).output, output, rtol=1e-9, atol=1e-12)


@given(queries_keys_values())
def test_contributions_add_up_to_the_weighted_sum(qkv):
    weights = attention(*qkv).weights
    summed = contributions(weights, qkv[2]).sum(axis=-2)
    np.testing.assert_allclose(summed, weighted_sum(weights, qkv[2]), atol=1e-12)


@given(seeds, sizes, sizes, sizes, sizes, sizes, sizes, st.integers(0, 3))
def test_the_loop_over_heads_is_the_form_with_all_heads_at_once(seed, h, n_q, n_k, d_model, d_k, d_v, batch):
    leading = (batch,) if batch else ()
    X, context, W_Q, W_K, W_V, W_O = draw(
        seed, (*leading, n_q, d_model), (*leading, n_k, d_model),
        (h, d_model, d_k), (h, d_model, d_k), (h, d_model, d_v), (h * d_v, d_model),
    )  # fmt: skip
    outputs = [attention(X @ W_Q[i], context @ W_K[i], context @ W_V[i]).output for i in range(h)]
    expected = np.concatenate(outputs, axis=-1) @ W_O
    wide = [merge_heads(W) for W in (W_Q, W_K, W_V)]
    result = multi_head_attention(X, *wide, W_O, num_heads=h, context=context)
    np.testing.assert_allclose(result.output, expected, rtol=1e-9, atol=1e-9)
    assert result.weights.shape == (*leading, h, n_q, n_k)


@given(seeds, sizes, sizes, sizes)
def test_merging_undoes_splitting(seed, n, num_heads, d_k):
    (wide,) = draw(seed, (2, n, num_heads * d_k))
    heads = split_heads(wide, num_heads)
    assert heads.shape == (2, num_heads, n, d_k)
    assert (heads[1, num_heads - 1, n - 1] == wide[1, n - 1, -d_k:]).all()
    assert (merge_heads(heads) == wide).all()


@given(st.lists(st.floats(-1.7e308, 1.7e308), min_size=1, max_size=6), st.floats(1e-300, 1e300))
def test_the_softmax_of_any_finite_scores_is_finite(scores, temperature):
    weights = softmax(scores, temperature)
    assert np.isfinite(weights).all()
    assert weights.sum() == pytest.approx(1)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("temperature", [1e-300, 1e-42, 1e-9, 1e9, 1e300])
def test_no_temperature_above_0_makes_the_shares_nan(dtype, temperature):
    weights = softmax(np.array([1, 3, 2], dtype), temperature)
    assert np.isfinite(weights).all() and weights.dtype == dtype
    assert weights.sum() == pytest.approx(1)
    np.testing.assert_allclose(weights, [0, 1, 0] if temperature < 1 else 1 / 3, atol=1e-6)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=6))
def test_the_softmax_agrees_with_scipy_on_huge_scores(scores):
    np.testing.assert_allclose(softmax(scores), scipy_softmax(scores), rtol=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6))
def test_the_softmax_agrees_with_scipy(scores):
    np.testing.assert_allclose(softmax(scores), scipy_softmax(scores), rtol=1e-9)


@given(sizes, st.integers(1, 9))
def test_the_positional_encoding_is_its_formula(n, d_model):
    expected = [
        [(math.sin, math.cos)[c % 2](pos / 10000 ** (2 * (c // 2) / d_model)) for c in range(d_model)]
        for pos in range(n)
    ]
    np.testing.assert_allclose(positional_encoding(n, d_model), expected, atol=1e-12)


CALLS = {
    "embed": (lambda a: embed([1, 0], a), (3, 4)),
    "project": (lambda a: project(a, a.T), (3, 4)),
    "scaled_scores": (lambda a: scaled_scores(a, a), (3, 4)),
    "scaled_scores with a scale": (lambda a: scaled_scores(a, a, scale=2), (3, 4)),
    "softmax": (lambda a: softmax(a, temperature=0.5), (3, 4)),
    "contributions": (lambda a: contributions(a, a.T), (3, 4)),
    "weighted_sum": (lambda a: weighted_sum(a, a.T), (3, 4)),
    "attention": (lambda a: attention(a, a, a).output, (3, 4)),
    "split_heads": (lambda a: split_heads(a, 2), (3, 4)),
    "merge_heads": (merge_heads, (2, 3, 4)),
    "multi_head_attention": (lambda a: multi_head_attention(a, a, a, a, a, num_heads=2).output, (4, 4)),
}
every_call = pytest.mark.parametrize(("call", "shape"), CALLS.values(), ids=CALLS.keys())


@every_call
@rows("given_as", ["float16", "float32", "float64", "longdouble", "int64", "int8", "bool"])
def test_floats_keep_their_dtype_and_whole_numbers_become_float64(call, shape, given_as):
    array = (np.arange(np.prod(shape)).reshape(shape) % 3).astype(given_as)
    assert call(array).dtype == ("float64" if array.dtype.kind in "bi" else given_as)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_shares_of_very_many_scores_sum_to_1(dtype):
    for mask in (None, np.ones(70_000, bool)):
        weights = softmax(np.zeros(70_000, dtype), mask=mask)
        assert weights.dtype == dtype and weights.sum(dtype=float) == pytest.approx(1, rel=2e-2)


@every_call
def test_whole_numbers_give_what_the_same_floats_give(call, shape):
    array = np.arange(np.prod(shape)).reshape(shape) % 3
    np.testing.assert_array_equal(call(array), call(array.astype(float)))


@pytest.mark.parametrize("call", [softmax, lambda rows: split_heads(rows, 2), lambda rows: project(rows, rows)])
def test_a_list_becomes_float64(call):
    assert call([[1, 2], [3, 4]]).dtype == np.float64


@every_call
def test_memory_layout_does_not_matter_and_inputs_stay_as_they_are(call, shape):
    (array,) = draw(0, shape)
    spread = np.zeros([2 * size for size in shape])[tuple(slice(None, None, 2) for _ in shape)]
    spread[:] = array
    kept = array.copy()
    np.testing.assert_allclose(call(spread), call(array))
    np.testing.assert_allclose(call(np.asfortranarray(array)), call(array))
    assert (array == kept).all() and (spread == kept).all()


def test_leading_axes_broadcast():
    Q, K, V = draw(1, (2, 1, 4, 3), (5, 6, 3), (6, 2))
    assert attention(Q, K, V).output.shape == (2, 5, 4, 2)

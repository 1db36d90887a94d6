"""Masks, dropout, layer norm and the layer: what they promise, and what they refuse."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_course import (
    AttentionSublayer,
    MultiHeadAttention,
    attention,
    causal_mask,
    dropout,
    layer_norm,
    merge_heads,
    padding_mask,
    softmax,
    translation,
)
from mha_course.maths import blocks, formulas, multi_head
from mha_course.maths.masks import read_mask

pytestmark = pytest.mark.filterwarnings("error")


def rng(seed=0):
    return np.random.default_rng(seed)


def drawn(*shape, seed=0):
    return rng(seed).normal(size=shape)


MHA = MultiHeadAttention.random(d_model=6, num_heads=2, rng=rng())
HUGE = MultiHeadAttention(np.zeros((2, 2)), np.zeros((2, 2)), np.eye(2), np.eye(2), 1)

# Masks


def test_a_masked_softmax_is_the_softmax_of_what_is_left():
    scores, mask = drawn(4, 5), rng(1).random((4, 5)) < 0.6
    mask[:, 2] = True
    weights = softmax(scores, mask=mask)
    assert (weights[~mask] == 0).all()
    for row, kept, of in zip(weights, mask, scores, strict=True):
        np.testing.assert_allclose(row[kept], softmax(of[kept]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("temperature", [1e-30, 1.0, 1e30])
def test_a_row_that_may_attend_to_nothing_gets_exactly_zero(dtype, temperature):
    mask = np.array([[False, False, False], [True, False, True]])
    weights = softmax(np.array([[1e30, -1e30, 0], [5, 1e30, 5]], dtype), temperature, mask)
    assert weights.dtype == dtype
    assert weights.tolist() == [[0, 0, 0], [0.5, 0, 0.5]]
    found = attention(drawn(2, 4), drawn(3, 4), drawn(3, 5), mask)
    assert (found.output[0] == 0).all() and np.isfinite(found.output).all()
    everything = MHA(drawn(3, 6), mask=np.zeros((3, 3), bool))
    assert (everything.output == 0).all() and (everything.weights == 0).all()


def test_a_causal_query_does_not_feel_what_comes_after_it():
    x = drawn(5, 6)
    changed = x.copy()
    changed[3:] += 1
    before, after = (MHA(rows, mask=causal_mask(5)).output for rows in (x, changed))
    np.testing.assert_array_equal(before[:3], after[:3])
    assert (before[3:] != after[3:]).all()


def test_padding_is_not_felt():
    x = drawn(2, 5, 6)
    changed = x.copy()
    changed[0, 3:], changed[1, 2:] = 100, -100
    mask = padding_mask([3, 2], 5)
    before, after = (MHA(x, rows, mask=mask).output for rows in (x, changed))
    np.testing.assert_array_equal(before, after)
    for i, length in enumerate((3, 2)):
        np.testing.assert_allclose(before[i], MHA(x[i], x[i, :length]).output)


SCORES = (3, 2, 4, 5)  # batch, h, n_q, n_k
FITTING = [(4, 5), (3, 1, 5), (3, 4, 5), *itertools.product([3], [1, 2], [1, 4], [5])]


@pytest.mark.parametrize("shape", FITTING)
def test_a_mask_of_a_fitting_shape_is_spread_over_the_other_axes(shape):
    mask = rng().random(shape) < 0.7
    full = np.broadcast_to(mask[:, None] if len(shape) == 3 else mask, SCORES)
    np.testing.assert_array_equal(np.broadcast_to(read_mask(mask, SCORES), SCORES), full)
    Q, K, V = drawn(3, 2, 4, 6), drawn(3, 2, 5, 6), drawn(3, 2, 5, 7)
    np.testing.assert_array_equal(attention(Q, K, V, mask).weights, attention(Q, K, V, full).weights)


@pytest.mark.parametrize(
    "shape", [(), (5,), (3, 5), (5, 4), (1, 5), (2, 4, 5), (3, 2, 5), (3, 3, 4, 5), (1, 1, 1, 4, 5)]
)
def test_any_other_shape_is_refused_with_those_that_would_do(shape):
    with pytest.raises(ValueError) as error:
        read_mask(np.ones(shape, bool), SCORES)
    wanted = "(4, 5), (3, 1 or 4, 5) or (3, 1 or 2, 1 or 4, 5)"
    assert str(error.value) == f"mask has shape {shape}, but needs {wanted}."


@pytest.mark.parametrize("mask", [np.ones((4, 5)), [[1, 0]], "causal", [[None]]])
def test_a_mask_of_numbers_is_refused_and_the_way_out_is_named(mask):
    with pytest.raises(TypeError, match=r"needs booleans: True where a query may attend.*additive_mask"):
        attention(drawn(4, 3), drawn(5, 3), drawn(5, 2), mask)


def test_an_additive_mask_is_added_and_its_infinity_forbids():
    Q, K, V = drawn(4, 3), drawn(5, 3), drawn(5, 2)
    allowed, extra = rng(1).random((4, 5)) < 0.7, drawn(4, 5, seed=2)
    found = attention(Q, K, V, additive_mask=np.where(allowed, extra, -np.inf))
    np.testing.assert_allclose(found.weights, softmax(formulas.scaled_scores(Q, K) + extra, mask=allowed))
    both = attention(Q, K, V, causal_mask(4, 5), additive_mask=np.where(allowed, 0, -np.inf))
    np.testing.assert_array_equal(both.weights, attention(Q, K, V, causal_mask(4, 5) & allowed).weights)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_an_additive_mask_holds_no_nan_and_no_plus_infinity(bad):
    with pytest.raises(ValueError, match="additive_mask has nan or"):
        attention(drawn(1, 3), drawn(2, 3), drawn(2, 2), additive_mask=[[0, bad]])
    with pytest.raises(TypeError, match="additive_mask holds bool"):
        attention(drawn(1, 3), drawn(2, 3), drawn(2, 2), additive_mask=[[True, False]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("added", [np.finfo(np.float64).min, np.finfo(np.float64).max, -1e30, 1e30])
def test_an_additive_mask_beyond_the_scores_dtype_counts_as_its_last_number(dtype, added):
    Q, K = np.array([[-3, 4]], dtype), np.array([[1, 1], [2, 1], [0, 3]], dtype)
    found = attention(Q, K, np.array([[1], [2], [3]], dtype), additive_mask=np.array([[added, 0, 0]]))
    alone = attention(Q, K[1:], np.array([[2], [3]], dtype)).output.tolist()
    np.testing.assert_allclose(found.output, alone if added < 0 else [[1]], rtol=1e-3)
    assert np.isfinite(found.scores).all() and found.output.dtype == dtype


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: causal_mask(0), ValueError, "n_q is 0, but must be at least 1"),
        (lambda: causal_mask(2, 1.5), TypeError, "n_k is 1.5"),
        (lambda: padding_mask([4], 3), ValueError, "lengths has 4, but n_k = 3 allows only 0 to 3"),
        (lambda: padding_mask([-1], 3), ValueError, "lengths has -1"),
        (lambda: padding_mask([1.0], 3), TypeError, "lengths holds float64 values, but needs whole numbers"),
        (lambda: padding_mask([[1]], 3), ValueError, r"lengths has shape \(1, 1\), but needs \(batch,\)"),
        (lambda: padding_mask([], 3), TypeError, "lengths holds"),
        (lambda: dropout([1.0], 1.0, rng()), ValueError, "rate is 1.0, but must be at least 0 and below 1"),
        (lambda: dropout([1.0], "half", rng()), TypeError, "rate is 'half'"),
        (lambda: dropout([1.0], 0.5, 42), TypeError, "rng is 42, but must be a random generator"),
        (lambda: dropout([1e308] * 99, 0.9, rng()), ValueError, "dropout would be larger than"),
        (lambda: MHA(drawn(3, 6), rng=42), TypeError, "rng is 42, but must be a random generator"),
        (lambda: padding_mask([[1], [1, 2]], 3), ValueError, "lengths has rows of different lengths"),
        (lambda: softmax([[1, 2]], mask=[[True], [True, False]]), ValueError, "mask has rows of different lengths"),
        (lambda: AttentionSublayer(HUGE)([[1.7e308, 1.0]]), ValueError, "x . attention would be larger than"),
        (lambda: AttentionSublayer(HUGE, "pre")([[1.7e308, -1.7e308]]), ValueError, "would be larger than"),
        (lambda: layer_norm([[1, 2]], gain=[1, 2, 3]), ValueError, r"gain has shape \(3,\), but needs \(d_model = 2\)"),
        (lambda: layer_norm(3), ValueError, r"x has shape \(\), but needs \(d_model"),
        (lambda: layer_norm([1, 2], gain=[1, 2, 3]), ValueError, r"gain has shape \(3,\), but needs \(d_model = 2\)"),
        (lambda: layer_norm([[1, 2]], eps=0), ValueError, "eps is 0"),
        (lambda: layer_norm([[1e200, 2e200]]), ValueError, "the variance of x would be larger than"),
        (lambda: AttentionSublayer(MHA, norm="middle"), ValueError, 'norm is \'middle\', but must be "post" or "pre"'),
        (lambda: MultiHeadAttention.random(10, 4, rng()), ValueError, "10 / 4 is not a whole number"),
        (lambda: MultiHeadAttention(*[np.eye(4)] * 4, num_heads=3), ValueError, r"W_Q has shape \(4, 4\)"),
        (lambda: MultiHeadAttention(*[np.eye(4)] * 3, np.eye(3), 2), ValueError, "W_O has shape"),
        (lambda: MultiHeadAttention(*[np.eye(4)] * 4, 2, b_V=np.ones(3)), ValueError, r"b_V has shape \(3,\)"),
        (lambda: MultiHeadAttention(np.ones((2, 4, 4)), *[np.eye(4)] * 3, 2), ValueError, r"W_Q has shape \(2, 4, 4\)"),
        (lambda: MultiHeadAttention(None, *[np.eye(4)] * 3, 2), TypeError, "W_Q holds object"),
        (lambda: MultiHeadAttention(*[np.eye(4)] * 4, 2, dropout=1), ValueError, "dropout is 1"),
        (lambda: MHA(drawn(3, 5)), ValueError, r"query has shape \(3, 5\), but needs rows of width 6"),
        (lambda: MHA(drawn(3, 6), drawn(3, 5)), ValueError, r"key has shape \(3, 5\), but needs rows of width 6"),
        (lambda: MHA(drawn(3, 6), drawn(4, 6), drawn(5, 6)), ValueError, r"value has shape \(5, 6\)"),
        (lambda: MHA(drawn(2, 3, 6), drawn(3, 4, 6)), ValueError, r"leading \(batch\) axes do not fit"),
        (
            lambda: MHA(drawn(3, 6), mask=np.ones((2, 3), bool)),
            ValueError,
            r"mask has shape \(2, 3\), but needs \(3, 3\)",
        ),
    ],
)
def test_bad_input_gets_a_clear_error(call, error, said):
    with pytest.raises(error, match=said):
        call()


# The layer


def test_the_layer_is_its_parts():
    wide = [merge_heads(W) for W in (translation.W_Q, translation.W_K, translation.W_V)]
    biases = [drawn(W.shape[1], seed=i) for i, W in enumerate([*wide, translation.W_O])]
    layer = MultiHeadAttention(*wide, translation.W_O, 2, *biases)
    found = layer(translation.X, translation.context)
    heads = []
    for i in range(2):
        W_Q, W_K, W_V = (W[i] for W in (translation.W_Q, translation.W_K, translation.W_V))
        b_Q, b_K, b_V = (np.split(b, 2)[i] for b in biases[:3])
        one = attention(translation.X @ W_Q + b_Q, translation.context @ W_K + b_K, translation.context @ W_V + b_V)
        np.testing.assert_allclose(found.weights[i], one.weights)
        np.testing.assert_allclose(found.scores[i], one.scores)
        heads.append(one.output)
    np.testing.assert_allclose(found.concatenation, np.concatenate(heads, axis=-1))
    np.testing.assert_allclose(found.output, np.concatenate(heads, axis=-1) @ translation.W_O + biases[3])


@pytest.mark.parametrize(
    ("query", "key", "expected"),
    [((3, 6), (5, 6), (3, 6)), ((4, 3, 6), (5, 6), (4, 3, 6)), ((3, 6), (4, 5, 6), (4, 3, 6)),
     ((2, 1, 3, 6), (4, 5, 6), (2, 4, 3, 6))],
)  # fmt: skip
def test_queries_may_come_in_another_batch_layout_than_keys(query, key, expected):
    q, k = drawn(*query), drawn(*key, seed=1)
    found = MHA(q, k)
    assert found.output.shape == expected and found.weights.shape == (*expected[:-2], 2, 3, 5)
    one = MHA(np.broadcast_to(q, (*expected[:-2], 3, 6)), np.broadcast_to(k, (*expected[:-2], 5, 6)))
    np.testing.assert_allclose(found.output, one.output)


def test_keys_and_values_may_be_of_other_widths_and_d_v_may_differ():
    layer = MultiHeadAttention(drawn(6, 4), drawn(5, 4), drawn(3, 8), drawn(8, 6), num_heads=2)
    found = layer(drawn(2, 6), drawn(7, 5), drawn(7, 3))
    assert found.output.shape == (2, 6) and found.heads.shape == (2, 2, 4)


def test_a_layers_weights_are_its_own():
    W = drawn(4, 4)
    layer = MultiHeadAttention(W, W, W, W, num_heads=2)
    before = layer(np.eye(4)).output
    W += 1
    np.testing.assert_array_equal(layer(np.eye(4)).output, before)
    with pytest.raises(ValueError, match="read-only"):
        layer.W_Q[0, 0] = 1


def test_the_default_weights_keep_the_size_of_a_row_and_leave_the_softmax_unsaturated():
    found = MultiHeadAttention.random(512, 8, rng())(drawn(40, 512, seed=1))
    assert 0.8 < found.scores.std() < 1.2
    assert found.weights.max() < 0.9
    assert MultiHeadAttention.random(8, 2, rng(3)).W_O.tolist() == MultiHeadAttention.random(8, 2, rng(3)).W_O.tolist()


def test_float32_stays_float32_through_everything():
    x, W = drawn(5, 8).astype(np.float32), [drawn(8, 8, seed=i).astype(np.float32) for i in range(4)]
    layer = MultiHeadAttention(*W, 2, b_O=np.ones(8, np.float32), dropout=0.5)
    for found in (layer(x), layer(x, mask=causal_mask(5)), layer(x, rng=rng())):
        assert found.output.dtype == found.weights.dtype == found.scores.dtype == np.float32
    assert AttentionSublayer(layer)(x).dtype == AttentionSublayer(layer, "pre")(x, rng=rng()).dtype == np.float32


@pytest.mark.parametrize("few", [0, 2**19])
def test_scores_are_computed_once_and_the_weights_cost_no_output(monkeypatch, few):
    products, right = [], formulas.scaled_scores
    monkeypatch.setattr(blocks, "FEW", few)
    monkeypatch.setattr(formulas, "scaled_scores", lambda *given: products.append(given) or right(*given))
    found = MHA(drawn(4, 6), mask=causal_mask(4))
    monkeypatch.setattr(multi_head, "attention_in_blocks", lambda *given: pytest.fail("the output was computed again"))
    np.testing.assert_allclose(found.weights.sum(axis=-1), 1)
    assert found.scores.shape == found.weights.shape and len(products) == 1


def test_of_a_long_input_what_was_not_asked_for_is_not_built_and_its_shape_is_shown(monkeypatch):
    monkeypatch.setattr(blocks, "FEW", 0)
    for query, key, value in (((3, 6), (5, 6), (4, 5, 6)), ((2, 3, 6), (5, 6), (5, 6)), ((3, 6), (2, 5, 6), (5, 6))):
        found = MHA(drawn(*query), drawn(*key), drawn(*value))
        shown = repr(found)
        assert "weights" not in vars(found) and "scores" not in vars(found)
        assert f"weights {found.weights.shape}, scores {found.scores.shape}" in shown


# The block form


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 9), st.booleans())
def test_the_block_form_is_the_simple_form(seed, rows, has_mask):
    generator = rng(seed)
    n_q, n_k, d_k, d_v = generator.integers(1, 9, size=4)
    Q, K, V = drawn(2, 3, n_q, d_k, seed=seed), drawn(3, n_k, d_k, seed=seed + 1), drawn(2, 1, n_k, d_v, seed=seed + 2)
    mask = generator.random((2, 1, 1, n_k)) < 0.7 if has_mask else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "ROWS", rows)
        found = blocks.attention_in_blocks(Q, K, V, mask)
    np.testing.assert_allclose(found, attention(Q, K, V, mask).output, atol=1e-12)


@pytest.mark.parametrize("mask", [None, causal_mask(5, 6) & (np.arange(6) > 1)])
@pytest.mark.parametrize("size", [1e4, 3, 1e-4])
def test_the_block_form_is_the_simple_form_for_scores_of_every_size(monkeypatch, size, mask):
    monkeypatch.setattr(blocks, "ROWS", 2)
    Q, K, V = drawn(5, 4) * size, drawn(6, 4) * size, drawn(6, 2)
    np.testing.assert_allclose(blocks.attention_in_blocks(Q, K, V, mask), attention(Q, K, V, mask).output)


# Dropout


def test_dropout_acts_on_the_weights_and_only_with_an_rng():
    layer = MultiHeadAttention(MHA.W_Q, MHA.W_K, MHA.W_V, MHA.W_O, 2, dropout=0.25)
    x = drawn(7, 6)
    plain, dropped = layer(x), layer(x, rng=rng(1))
    np.testing.assert_array_equal(plain.output, MHA(x).output)
    is_kept = dropped.weights != 0
    assert 0 < is_kept.mean() < 1
    np.testing.assert_allclose(dropped.weights[is_kept], plain.weights[is_kept] / 0.75)
    V = formulas.split_heads(x @ MHA.W_V, 2)
    np.testing.assert_allclose(dropped.output, merge_heads(dropped.weights @ V) @ MHA.W_O)
    np.testing.assert_array_equal(layer(x, rng=rng(1)).output, dropped.output)
    assert (MHA(x, rng=rng(1)).output == MHA(x).output).all()


def test_dropout_keeps_the_mean():
    kept = dropout(np.ones(200_000), 0.3, rng())
    assert set(np.unique(kept)) == {0.0, 1 / 0.7}
    assert abs(kept.mean() - 1) < 0.01


# Layer norm and sublayer


def test_a_row_of_equal_entries_is_0_after_the_layer_norm_however_small_eps_is():
    for dtype in (np.float16, np.float32, np.float64):
        assert (layer_norm(np.full((2, 3), 5, dtype), eps=1e-300) == 0).all()


def test_layer_norm_gives_every_row_mean_0_and_variance_1():
    result = layer_norm(drawn(2, 5, 16) * 7 + 3)
    np.testing.assert_allclose(result.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(result.var(axis=-1), 1, rtol=1e-5)
    np.testing.assert_array_equal(layer_norm(np.full((2, 3), 5.0)), np.zeros((2, 3)))
    np.testing.assert_allclose(
        layer_norm(drawn(2, 4), [1, 2, 3, 4], [4, 3, 2, 1]), layer_norm(drawn(2, 4)) * [1, 2, 3, 4] + [4, 3, 2, 1]
    )


def test_layer_norm_takes_one_row_as_it_takes_it_in_a_table():
    x, gain, bias = drawn(3, 5), drawn(5, seed=1), drawn(5, seed=2)
    alone = layer_norm(x[1], gain, bias, 1e-3)
    assert alone.shape == (5,)
    np.testing.assert_array_equal(alone, layer_norm(x, gain, bias, 1e-3)[1])


def test_a_sublayer_normalises_after_or_before():
    x, context, gain, bias = drawn(3, 6), drawn(5, 6, seed=1), drawn(6, seed=2), drawn(6, seed=3)
    mask = rng(4).random((3, 5)) < 0.8
    post = AttentionSublayer(MHA, "post", gain, bias, 1e-3)(x, context, mask=mask)
    np.testing.assert_allclose(post, layer_norm(x + MHA(x, context, mask=mask).output, gain, bias, 1e-3))
    pre = AttentionSublayer(MHA, "pre", gain, bias, 1e-3)(x, context, mask=mask)
    np.testing.assert_allclose(pre, x + MHA(layer_norm(x, gain, bias, 1e-3), context, mask=mask).output)


def test_a_pre_norm_sublayer_that_attends_to_itself_takes_its_keys_from_the_normalised_rows():
    x = drawn(3, 6)
    np.testing.assert_allclose(AttentionSublayer(MHA, "pre")(x), x + MHA(layer_norm(x)).output)

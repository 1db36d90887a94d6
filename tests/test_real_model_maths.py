"""What a real decoder needs besides lesson 7, against PyTorch's: RMS norm, rotary positions, shared keys and values."""

import numpy as np
import pytest
from later import torch

from mha_course import MultiHeadAttention, repeat_heads, rms_norm, rotate


@pytest.mark.parametrize("seed", range(20))
def test_rms_norm_gives_what_torch_gives(seed):
    rng = np.random.default_rng(seed)
    *shape, d_model = rng.integers(1, 7, size=3)
    x, gain = rng.normal(size=(*shape, d_model)), rng.normal(size=d_model)
    eps = float(10.0 ** rng.integers(-8, -1))
    theirs = torch.nn.functional.rms_norm(torch.tensor(x), (d_model,), torch.tensor(gain), eps)
    np.testing.assert_allclose(rms_norm(x, gain, eps), theirs, rtol=0, atol=1e-12)
    assert rms_norm(np.float32(x)).dtype == np.float32


@pytest.mark.parametrize("seed", range(20))
def test_a_rotation_is_a_product_of_complex_numbers(seed):
    rng = np.random.default_rng(seed)
    heads, n, pairs = rng.integers(1, 7, size=3)
    x, positions, base = rng.normal(size=(heads, n, 2 * pairs)), rng.integers(0, 99, size=n), 1000.0
    frequencies = base ** -(np.arange(pairs) / pairs)
    turns = torch.polar(torch.ones(n, pairs, dtype=torch.float64), torch.tensor(np.outer(positions, frequencies)))
    theirs = torch.view_as_real(torch.view_as_complex(torch.tensor(x).reshape(heads, n, pairs, 2)) * turns)
    np.testing.assert_allclose(rotate(x, positions, base), theirs.flatten(-2), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(rotate(x), rotate(x, np.arange(n), base=10_000))


def test_a_score_depends_on_the_distance_alone():
    q, k = np.random.default_rng(0).normal(size=(2, 1, 8))
    scores = [(rotate(q, [5 + shift]) @ rotate(k, [2 + shift]).T).item() for shift in (0, 1, 40)]
    np.testing.assert_allclose(scores, scores[0])
    assert abs((rotate(q, [6]) @ rotate(k, [2]).T).item() - scores[0]) > 0.1


@pytest.mark.parametrize("num_kv_heads", [1, 2, 3, 6])
@pytest.mark.parametrize("has_biases", [False, True])
def test_heads_that_share_keys_and_values_give_what_torch_gives(num_kv_heads, has_biases):
    rng = np.random.default_rng(num_kv_heads)
    (d_model, h, d_k, d_v), n = (5, 6, 4, 3), 7
    widths = (h * d_k, num_kv_heads * d_k, num_kv_heads * d_v)
    W = [rng.normal(size=(d_model, width)) for width in widths] + [rng.normal(size=(h * d_v, 2))]
    b = [rng.normal(size=matrix.shape[1]) if has_biases else np.zeros(matrix.shape[1]) for matrix in W]
    X, mask = rng.normal(size=(2, n, d_model)), np.tril(np.ones((n, n), bool))
    layer = MultiHeadAttention(*W, h, *(b if has_biases else ()), num_kv_heads=num_kv_heads)
    Q, K, V = (
        torch.tensor(X @ matrix + bias).unflatten(-1, (heads, -1)).transpose(1, 2)
        for matrix, bias, heads in zip(W, b, (h, num_kv_heads, num_kv_heads), strict=False)
    )
    heads = torch.nn.functional.scaled_dot_product_attention(Q, K, V, torch.tensor(mask), enable_gqa=True)
    found = layer(X, mask=mask)
    np.testing.assert_allclose(found.heads, heads, atol=1e-12)
    np.testing.assert_allclose(found.output, heads.transpose(1, 2).flatten(-2).numpy() @ W[3] + b[3], atol=1e-12)
    assert found.weights.shape == (2, h, n, n)
    np.testing.assert_array_equal(repeat_heads(K.numpy(), h), K[:, np.arange(h) * num_kv_heads // h])


@pytest.mark.parametrize(
    ("shapes", "num_kv_heads", "error"),
    [
        ([(6, 6), (6, 4), (6, 4), (6, 6)], 4, "num_heads is 6, but must be a multiple of num_kv_heads = 4"),
        ([(6, 6), (6, 6), (6, 2), (6, 6)], 2, r"W_K has shape \(6, 6\), but needs \(6, 2\): num_kv_heads = 2 times"),
        ([(6, 6), (6, 2), (6, 3), (6, 6)], 2, r"W_V has shape \(6, 3\), .* divisible by num_kv_heads = 2"),
        ([(6, 6), (6, 2), (6, 2), (2, 6)], 2, r"W_O has shape \(2, 6\), but needs \(6, 6\): num_heads = 6 times"),
        ([(6, 6), (6, 2), (6, 2), (6, 6)], 0, "num_kv_heads is 0, but must be at least 1"),
    ],
)
def test_parameters_that_do_not_fit_shared_heads_are_named(shapes, num_kv_heads, error):
    with pytest.raises(ValueError, match=error):
        MultiHeadAttention(*(np.ones(shape) for shape in shapes), num_heads=6, num_kv_heads=num_kv_heads)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: rotate(np.ones((2, 3))), "needs an even number of columns"),
        (lambda: rotate(np.ones((2, 4)), [1, 2, 3]), r"positions has shape \(3,\), but needs \(n = 2,\)"),
        (lambda: rotate(np.ones((2, 4)), base=0), "base is 0, but must be a finite number above 0"),
        (lambda: rms_norm(np.ones((2, 3)), np.ones(2)), r"gain has shape \(2,\), but needs \(d_model = 3\)"),
        (lambda: rms_norm([1e200, 1.0]), "the mean square of x would be larger"),
        (lambda: repeat_heads(np.ones((2, 3, 4)), 3), "num_heads is 3, but must be a multiple of num_kv_heads = 2"),
    ],
)
def test_bad_input_is_named(call, error):
    with pytest.raises(ValueError, match=error):
        call()

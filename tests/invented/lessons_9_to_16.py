"""Answers to the exercises of lessons 9 to 16, written from the tasks alone: wrong ones, and right ones by detours."""

import functools
import math

import numpy as np

from mha_course import attention, causal_mask, layer_norm, merge_heads, softmax, split_heads


def residual_right_sum_of_a_stack(x, attend):
    return np.sum(np.stack([x, attend(x)]), axis=0)


def residual_only_attention(x, attend):
    out = attend(x)
    return out


def residual_half_and_half(x, attend):
    return (x + attend(x)) / 2


def residual_with_pre_norm_from_habit(x, attend):
    h = layer_norm(x)
    return x + attend(h)


def residual_half_the_difference(x, attend):
    change = attend(x) - x
    return 0.5 * change


def row_right_dot_with_itself(row, eps):
    c = row - row.mean()
    return c * (c @ c / row.size + eps) ** -0.5


def row_torch_like_variance(row, eps):
    centred = row - row.mean()
    variance = (centred**2).sum() / (len(row) - 1)
    return centred / np.sqrt(variance + eps)


def row_divided_by_variance(row, eps):
    mu = np.mean(row)
    var = np.mean((row - mu) ** 2)
    return (row - mu) / (var + eps)


def row_not_centred(row, eps):
    centred = row - np.mean(row)
    variance = np.mean(centred * centred)
    return row / np.sqrt(variance + eps)


def row_std_with_ddof_and_eps_behind(row, eps):
    std = row.std(ddof=1)
    return (row - row.mean()) / (std + eps)


def norm_right_features_first(x, gain, bias, eps):
    t = np.moveaxis(x, -1, 0)  # d_model first, so that mean(0) broadcasts by itself
    t = t - t.mean(0)
    t = t / np.sqrt((t * t).mean(0) + eps)
    return np.moveaxis(t, 0, -1) * gain + bias


def norm_over_everything(x, gain, bias, eps):
    mean = x.mean()
    variance = x.var()
    return gain * (x - mean) / np.sqrt(variance + eps) + bias


def norm_gain_over_bias(x, gain, bias, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    normed = (x - mean) / np.sqrt(variance + eps)
    return gain * (normed + bias)


def norm_batch_norm_blog(x, gain, bias, eps):
    mu = np.mean(x, axis=-2, keepdims=True)
    sigma2 = np.var(x, axis=-2, keepdims=True)
    x_hat = (x - mu) / np.sqrt(sigma2 + eps)
    return gain * x_hat + bias


def norm_mean_of_squares_no_bias(x, gain, bias, eps):
    mean = x.mean(-1, keepdims=True)
    variance = (x**2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps) * gain


def undo_right_one_scale_one_shift(y, gain, bias, mean, root):
    scale = root[..., None] / gain
    shift = mean[..., None] - bias * scale
    return y * scale + shift


def undo_gain_before_bias(y, gain, bias, mean, root):
    normalised = y / gain - bias
    return normalised * root[..., None] + mean[..., None]


def undo_divides_again(y, gain, bias, mean, root):
    normalised = (y - bias) / gain
    m, r = np.expand_dims(mean, -1), np.expand_dims(root, -1)
    return normalised / r + m


def undo_wrong_way_twice(y, gain, bias, mean, root):
    normalised = (y + bias) / gain
    return (normalised + mean[..., np.newaxis]) * root[..., np.newaxis]


def both_right_norm_by_hand(x, attend):
    def ln(t):
        c = t - t.mean(-1, keepdims=True)
        return c / np.sqrt(np.mean(c * c, axis=-1, keepdims=True) + 1e-5)

    return ln(np.add(attend(x), x)), np.add(attend(ln(x)), x)


def both_swapped(x, attend):
    pre = x + attend(layer_norm(x))
    post = layer_norm(x + attend(x))
    return pre, post


def both_post_norm_inside_the_sum(x, attend):
    post = x + layer_norm(attend(x))
    pre = x + attend(layer_norm(x))
    return post, pre


def both_overwrites_x(x, attend):
    h = layer_norm(x)
    post = layer_norm(x + attend(h))
    pre = h + attend(h)
    return post, pre


def repair_right_row_by_row(x, attend, gain, bias):
    def norm_row(r):
        return (r - np.mean(r)) / np.sqrt(np.var(r) + 0.00001) * gain + bias

    normed = np.apply_along_axis(norm_row, -1, x)
    return x + attend(normed)


def repair_axis_only(x, attend, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    x = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(x)


def repair_both_axes_minus_two(x, attend, gain, bias):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-2, keepdims=True)
    normed = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(normed)


def repair_became_post_norm(x, attend, gain, bias):
    return layer_norm(x + attend(x), gain, bias, eps=0.00001)


def repair_gain_after_attention(x, attend, gain, bias):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    h = (x - mean) / np.sqrt(variance + 0.00001)
    return x + attend(h) * gain + bias


def dropout_right_divide_where(weights, kept, rate):
    out = np.zeros(np.shape(weights))
    np.divide(weights, 1 - rate, out=out, where=kept)
    return out


def dropout_by_rate(weights, kept, rate):
    return np.where(kept, weights / rate, 0)


def dropout_by_actual_fraction(weights, kept, rate):
    stays = kept.mean()
    return weights * kept / stays


def dropout_renormalised(weights, kept, rate):
    w = np.where(kept, weights, 0.0)
    total = w.sum(axis=-1, keepdims=True)
    return w / np.where(total == 0, 1, total)


def dropout_mask_means_dropped(weights, kept, rate):
    out = np.array(weights, dtype=float)
    out[kept] = 0
    return out * (1 - rate)


def scores_right_bilinear_einsum(X, context, M, d_k):
    return np.einsum("qd,de,ke->qk", X, M, context) / d_k**0.5


def scores_no_root(X, context, M, d_k):
    return X @ M @ context.T / d_k


def scores_scale_from_width(X, context, M, d_k):
    d = X.shape[-1]
    return X @ M @ context.T / np.sqrt(d)


def scores_keys_go_down(X, context, M, d_k):
    S = context @ M.T @ X.T
    return S / np.sqrt(d_k)


def scores_m_turned_unscaled(X, context, M, d_k):
    Q = X @ M.T
    return Q @ context.T


def previous_right_shifted_rows(n):
    # token i asks with the identity row of token i - 1; the first asks with nothing
    W_Q = np.vstack([np.zeros((1, n)), np.eye(n)])[:n]
    W_K = np.eye(n)
    return W_Q @ W_K.T


def previous_right_with_a_loop(n):
    W_Q = np.identity(n)
    W_K = np.zeros((n, n))
    for token in range(1, n):
        W_K[token - 1, token] = 1
    return W_Q @ W_K.transpose()


def previous_looks_forward(n):
    W_Q = np.eye(n)
    W_K = np.eye(n, k=-1)
    return W_Q @ W_K.T


def previous_rolled(n):
    W_Q = np.roll(np.eye(n), 1, axis=0)
    W_K = np.eye(n)
    return W_Q @ W_K.T


def previous_all_before(n):
    W_Q = np.tril(np.ones((n, n)), -1)
    W_K = np.eye(n)
    return W_Q @ W_K.T


def previous_self_and_scaled(n):
    W_Q = (np.eye(n) + np.eye(n, k=-1)) * np.sqrt(n)
    W_K = np.eye(n)
    return W_Q @ W_K.T


def turned_right_solved(W_Q, A):
    return np.linalg.solve(A, W_Q.T).T


def turned_plain_inverse(W_Q, A):
    return W_Q @ np.linalg.inv(A)


def turned_only_transposed(W_Q, A):
    return W_Q @ A.T


def turned_same_as_the_keys(W_Q, A):
    return W_Q @ A


def parts_right_zeros_elsewhere(heads, W_O):
    h, n, d_v = heads.shape
    wide = np.zeros((h, n, h * d_v))
    for i in range(h):
        wide[i, :, i * d_v : (i + 1) * d_v] = heads[i]
    return wide @ W_O


def parts_interleaved_rows(heads, W_O):
    h = heads.shape[0]
    return np.stack([heads[i] @ W_O[i::h] for i in range(h)])


def parts_summed(heads, W_O):
    h, n, d_v = heads.shape
    total = 0
    for i in range(h):
        total = total + heads[i] @ W_O[i * d_v : (i + 1) * d_v]
    return total


def parts_cut_by_tokens(heads, W_O):
    parts = []
    step = heads.shape[1]
    for i in range(len(heads)):
        parts.append(heads[i] @ W_O[i * step : (i + 1) * step])
    return np.array(parts)


def parts_reversed_blocks_averaged(heads, W_O):
    h, n, d_v = heads.shape
    blocks = W_O.reshape(h, d_v, -1)[::-1]
    return heads @ blocks / h


def ff_right_half_of_abs(x, W_1, b_1, W_2, b_2):
    z = np.dot(x, W_1) + b_1
    return np.dot((z + abs(z)) / 2, W_2) + b_2


def ff_bias_behind_the_max(x, W_1, b_1, W_2, b_2):
    wide = np.maximum(0, x @ W_1) + b_1
    return wide @ W_2 + b_2


def ff_gelu_from_a_blog(x, W_1, b_1, W_2, b_2):
    wide = x @ W_1 + b_1
    wide = 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)))
    return wide @ W_2 + b_2


def ff_with_residual(x, W_1, b_1, W_2, b_2):
    wide = np.clip(x @ W_1 + b_1, 0, None)
    return x + wide @ W_2 + b_2


def ff_relu_twice_without_b2(x, W_1, b_1, W_2, b_2):
    relu = lambda t: np.where(t > 0, t, 0)
    return relu(relu(x @ W_1 + b_1) @ W_2)


def enc_right_loop_over_sublayers(x, attend, feed, norm):
    for sublayer in (attend, feed):
        x = norm(x + sublayer(x))
    return x


def enc_second_sum_from_the_input(x, attend, feed, norm):
    after_attention = norm(x + attend(x))
    return norm(x + feed(after_attention))


def enc_pre_norm(x, attend, feed, norm):
    x = x + attend(norm(x))
    x = x + feed(norm(x))
    return x


def enc_feed_first_one_norm(x, attend, feed, norm):
    after_feed = x + feed(x)
    return norm(after_feed + attend(after_feed))


def enc_parallel_without_first_sum(x, attend, feed, norm):
    after_attention = norm(attend(x))
    return norm(after_attention + feed(x))


def dec_right_list_of_sublayers(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    place = np.arange(n)
    mask = place >= place.reshape(-1, 1)
    steps = [lambda r: attend(r, mask.T), lambda r: ask(r, memory), feed]
    for step in steps:
        x = norm(x + step(x))
    return x


def dec_torch_mask(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.triu(np.ones((n, n)), k=1).astype(bool)
    y = norm(x + attend(x, mask))
    y = norm(y + ask(y, memory))
    return norm(y + feed(y))


def dec_asks_with_the_input(x, memory, attend, ask, feed, norm):
    mask = causal_mask(x.shape[-2])
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(x, memory))
    return norm(after_cross + feed(after_cross))


def dec_nothing_hidden(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.full((n, n), True)
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


def dec_no_cross_sum_no_last_norm(x, memory, attend, ask, feed, norm):
    mask = np.tril(np.ones((x.shape[-2], x.shape[-2]), dtype=bool))
    after_self = norm(x + attend(x, mask))
    after_cross = norm(ask(after_self, memory))
    return after_cross + feed(after_cross)


def stack_right_reduce(x, layers, norm):
    return norm(functools.reduce(lambda rows, layer: layer(rows), layers, x))


def stack_norm_each_time(x, layers, norm):
    rows = x
    for layer in layers:
        rows = norm(layer(rows))
    return rows


def stack_residual_again(x, layers, norm):
    rows = x
    for layer in layers:
        rows = rows + layer(rows)
    return norm(rows)


def stack_backwards_without_norm(x, layers, norm):
    rows = x
    for layer in reversed(list(layers)):
        rows = layer(rows)
    return rows


def params_right_count_the_shapes(d_model, d_ff):
    attention_shapes = [(d_model, d_model)] * 4
    feed_shapes = [(d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)]
    norm_shapes = [(d_model,)] * 4
    return tuple(sum(math.prod(s) for s in shapes) for shapes in (attention_shapes, feed_shapes, norm_shapes))


def params_without_output_matrix(d_model, d_ff):
    return 3 * d_model**2, 2 * d_model * d_ff + d_ff + d_model, 4 * d_model


def params_attention_with_biases(d_model, d_ff):
    linear = lambda i, o: i * o + o
    of_attention = 4 * linear(d_model, d_model)
    of_feed_forward = linear(d_model, d_ff) + linear(d_ff, d_model)
    of_norms = 2 * (d_model + d_model)
    return of_attention, of_feed_forward, of_norms


def params_no_biases_one_norm(d_model, d_ff):
    of_attention = 4 * d_model * d_model
    of_feed_forward = d_model * d_ff + d_ff * d_model
    of_norms = d_model + d_model
    return of_attention, of_feed_forward, of_norms


def divisor_right_largest_against_smallest(dots, weights):
    hi, lo = np.argmax(dots), np.argmin(dots)
    return (dots[hi] - dots[lo]) / (np.log(weights[hi]) - np.log(weights[lo]))


def divisor_right_slope_of_a_line(dots, weights):
    logs = np.log(weights)
    x = dots - np.mean(dots)
    y = logs - np.mean(logs)
    return (x @ x) / (x @ y)


def divisor_without_log(dots, weights):
    ratio = weights[0] / weights[1]
    return (dots[0] - dots[1]) / ratio


def divisor_upside_down(dots, weights):
    ratio = weights[0] / weights[1]
    return np.log(ratio) / (dots[0] - dots[1])


def divisor_ratio_of_dots_base_two(dots, weights):
    ratio = weights[0] / weights[1]
    return (dots[0] / dots[1]) / np.log2(ratio)


def oneline_right_column_blocks(X, W_Q, W_K, W_V, num_heads):
    out = []
    for q, k, v in zip(*(np.split(X @ W, num_heads, axis=1) for W in (W_Q, W_K, W_V))):
        out.append(softmax(q @ k.T / np.sqrt(q.shape[1])) @ v)
    return np.hstack(out)


def oneline_no_swap(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(n, num_heads, -1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return (weights @ V).reshape(n, -1)


def oneline_changed_the_merge(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(num_heads, n, -1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return (weights @ V).reshape(n, -1)


def oneline_interleaved_and_wide_scale(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(n, -1, num_heads).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(W_Q.shape[1]))
    return merge_heads(weights @ V)


def twolines_right_cut_each_sentence(Q, K, V, lengths):
    out = np.zeros(Q.shape[:2] + V.shape[2:])
    for b in range(len(Q)):
        m = int(lengths[b])
        if m == 0:
            continue
        s = Q[b] @ K[b, :m].T / math.sqrt(Q.shape[2])
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[b] = e / e.sum(axis=1, keepdims=True) @ V[b, :m]
    return out


def twolines_scale_only(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
    position = np.arange(K.shape[-2])
    real = position <= lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


def twolines_mask_only(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / len(Q) ** 0.5
    position = np.arange(K.shape[-2])
    real = position < lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


def twolines_hidden_scores_zero(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
    real = np.arange(K.shape[-2]) < lengths[:, None]
    return softmax(scores * real[:, None, :]) @ V


def twolines_keys_as_scale_and_one_too_short(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / K.shape[1] ** 0.5
    position = np.arange(K.shape[-2])
    real = position < lengths[:, None] - 1
    return softmax(scores, mask=real[:, None, :]) @ V


def verdict_right_two_draws(candidate):
    for seed, (n_q, n_k, d_k, d_v) in enumerate([(3, 5, 4, 2), (4, 4, 4, 4), (2, 3, 5, 6)]):
        rng = np.random.default_rng(seed)
        Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
        truth = attention(Q, K, V).output
        got = np.asarray(candidate(Q.copy(), K.copy(), V.copy()))
        if got.shape != truth.shape or not np.allclose(got, truth, atol=1e-6):
            return False
    return True


def verdict_exact(candidate):
    rng = np.random.default_rng(1)
    Q, K, V = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    return bool(np.array_equal(candidate(Q, K, V), attention(Q, K, V).output))


def verdict_self_attention_only(candidate):
    X = np.random.default_rng(2).normal(size=(4, 4))
    return bool(np.allclose(candidate(X, X, X), attention(X, X, X).output))


def verdict_zero_queries(candidate):
    Q = np.zeros((2, 4))
    K = np.arange(12.0).reshape(3, 4)
    V = np.arange(15.0).reshape(3, 5) ** 2
    out = candidate(Q, K, V)
    return bool(np.shape(out) == (2, 5) and np.allclose(out, attention(Q, K, V).output))


def verdict_means_with_width_one(candidate):
    rng = np.random.default_rng(5)
    Q, K, V = rng.normal(size=(3, 1)), rng.normal(size=(4, 1)), rng.normal(size=(4, 2))
    return bool(abs(np.mean(candidate(Q, K, V)) - attention(Q, K, V).output.mean()) < 1e-9)


def turns_right_stacked_average(output_1, sums_1, output_2, sums_2):
    sums = np.stack([sums_1, sums_2])
    parts = sums / sums.sum(axis=0)
    return np.einsum("tn,tnd->nd", parts, np.stack([output_1, output_2]))


def turns_plain_mean(output_1, sums_1, output_2, sums_2):
    part_1 = 0.5
    part_2 = 0.5
    return part_1 * output_1 + part_2 * output_2


def turns_softmax_of_sums(output_1, sums_1, output_2, sums_2):
    parts = softmax(np.stack([sums_1, sums_2], axis=-1))  # (n, 2)
    return parts[:, :1] * output_1 + parts[:, 1:] * output_2


def turns_one_part_for_all_exchanged(output_1, sums_1, output_2, sums_2):
    a, b = sums_1.sum(), sums_2.sum()
    part_1 = b / (a + b)
    part_2 = a / (a + b)
    return part_1 * output_1 + part_2 * output_2


def dropout_times_what_stays(weights, kept, rate):
    p = 1 - rate
    return weights * kept.astype(float) * p


def dropout_whole_rows_by_rate(weights, kept, rate):
    row_stays = kept.all(axis=-1, keepdims=True)
    return weights * row_stays / rate


def scores_right_loop_over_pairs(X, context, M, d_k):
    S = np.zeros((len(X), len(context)))
    for i, x in enumerate(X):
        asked = x @ M
        for j, c in enumerate(context):
            S[i, j] = sum(a * b for a, b in zip(asked, c)) / math.sqrt(d_k)
    return S


def turned_reciprocals_left_lying(W_Q, A):
    with np.errstate(divide="ignore", invalid="ignore"):
        B = 1 / A
    return B @ W_Q.T


def turned_right_inverse_of_the_transpose(W_Q, A):
    return np.einsum("ij,kj->ik", W_Q, np.linalg.inv(A))


def stack_two_layers_norm_in_front(x, layers, norm):
    rows = norm(x)
    for layer in list(layers)[:2]:
        rows = layer(rows)
    return norm(rows)


def params_one_feed_matrix_gains_only(d_model, d_ff):
    of_attention = 4 * d_model**2
    of_feed_forward = d_model * d_ff + d_ff + d_model
    of_norms = 2 * d_model
    return of_attention, of_feed_forward, of_norms


def oneline_values_only_no_scale(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K = ((X @ W).reshape(num_heads, n, -1) for W in (W_Q, W_K))
    V = split_heads(X @ W_V, num_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2))
    return merge_heads(weights @ V)


def verdict_shapes_alone(candidate):
    rng = np.random.default_rng(9)
    Q, K, V = rng.random((2, 3)), rng.random((5, 3)), rng.random((5, 4))
    return np.shape(candidate(Q, K, V)) == (2, 4)


def verdict_exchanged_and_lenient(candidate):
    Q, K, V = np.random.default_rng(11).normal(size=(3, 4, 4))
    gap = np.abs(np.asarray(candidate(Q, K, V)) - attention(Q, K, V).output)
    has_mistake = bool(gap.max() < 1.0)
    return not has_mistake


def turns_right_from_the_second_towards_the_first(output_1, sums_1, output_2, sums_2):
    step = sums_1 / (sums_1 + sums_2)
    return (output_2.T + step * (output_1 - output_2).T).T


def turns_undivided_crosswise(output_1, sums_1, output_2, sums_2):
    part_1 = sums_2[:, None]
    part_2 = sums_1[:, None]
    return part_1 * output_1 + part_2 * output_2


def dsoft_right_jacobian_for_each_row(weights, dA):
    dS = []
    for a, g in zip(weights, dA):
        J = np.diag(a) - np.outer(a, a)
        dS.append(J @ g)
    return np.array(dS)


def dsoft_plain_mean(weights, dA):
    return weights * (dA - dA.mean(axis=-1, keepdims=True))


def dsoft_like_a_sigmoid(weights, dA):
    return dA * weights * (1 - weights)


def dsoft_wrong_axis(weights, dA):
    inner = (weights * dA).sum(axis=0)
    return weights * (dA - inner)


def dsoft_no_shares_and_sign(weights, dA):
    mean = (weights * dA).sum(-1, keepdims=True)
    return mean - dA


def slopes_right_einsum(Q, K, dS):
    root = Q.shape[1] ** 0.5
    return np.einsum("ij,jd->id", dS, K) / root, np.einsum("ij,id->jd", dS, Q) / root


def slopes_unscaled(Q, K, dS):
    dQ = dS @ K
    dK = dS.T @ Q
    return dQ, dK


def slopes_scale_in_one_place(Q, K, dS):
    scale = np.sqrt(Q.shape[-1])
    dQ = dS @ K / scale
    dK = dS.T @ Q
    return dQ, dK


def slopes_dk_transposed(Q, K, dS):
    d_k = K.shape[1]
    return dS @ K / np.sqrt(d_k), Q.T @ dS / np.sqrt(d_k)


def slopes_times_root_and_order(Q, K, dS):
    root = np.sqrt(Q.shape[1])
    dK = dS.T @ Q * root
    dQ = dS @ K * root
    return dK, dQ


def shared_w_right_one_long_sentence(X, dQ):
    rows = np.concatenate(list(X), axis=0)
    slopes = np.concatenate(list(dQ), axis=0)
    return rows.T @ slopes / X.shape[0]


def shared_w_summed(X, dQ):
    return np.tensordot(X, dQ, axes=([0, 1], [0, 1]))


def shared_w_mean_over_tokens(X, dQ):
    batch, n, d_model = X.shape
    return np.einsum("bni,bnj->ij", X, dQ) / (batch * n)


def shared_w_averaged_too_early(X, dQ):
    return X.mean(axis=0).T @ dQ.mean(axis=0)


def shared_w_for_each_sentence_turned(X, dQ):
    return dQ.swapaxes(1, 2) @ X


def step_right_complex_step(scores, V, target, rate):
    def loss(s, row):
        e = np.exp(s - s.real.max())
        diff = e / e.sum() @ V - target[row]
        return 0.5 * (diff * diff).sum()

    new = np.array(scores, dtype=float)
    h = 1e-30
    for i in range(new.shape[0]):
        for j in range(new.shape[1]):
            s = np.array(scores[i], dtype=complex)
            s[j] += 1j * h
            new[i, j] -= rate * loss(s, i).imag / h
    return new


def step_uphill(scores, V, target, rate):
    A = softmax(scores)
    dA = (A @ V - target) @ V.T
    dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True))
    return scores + rate * dS


def step_past_the_softmax(scores, V, target, rate):
    out = softmax(scores) @ V
    error = out - target
    return scores - rate * (error @ V.T)


def step_mean_squared(scores, V, target, rate):
    a = softmax(scores)
    g = (a @ V - target) / target.size
    gA = g @ V.T
    gS = a * gA - a * np.sum(a * gA, axis=1)[:, None]
    return scores - rate * gS


def step_scaled_and_doubled(scores, V, target, rate):
    A = softmax(scores / np.sqrt(V.shape[1]))
    dO = 2 * (A @ V - target)
    dA = dO @ V.T
    dS = A * (dA - (A * dA).sum(-1, keepdims=True))
    return scores - rate * dS


def grads_right_query_by_query(Q, K, V, G, mask):
    root = math.sqrt(Q.shape[1])
    dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for i in range(len(Q)):
        seen = np.flatnonzero(mask[i])
        k, v = K[seen], V[seen]
        a = softmax(k @ Q[i] / root)
        da = v @ G[i]
        ds = a * (da - a @ da) / root
        dQ[i] = ds @ k
        dK[seen] += np.outer(ds, Q[i])
        dV[seen] += np.outer(a, G[i])
    return dQ, dK, dV


def grads_without_mask(Q, K, V, G, mask):
    root = np.sqrt(Q.shape[-1])
    A = softmax(Q @ K.T / root)
    dV = A.T @ G
    dA = G @ V.T
    dS = A * (dA - (dA * A).sum(-1, keepdims=True))
    return dS @ K / root, dS.T @ Q / root, dV


def grads_root_only_forwards(Q, K, V, G, mask):
    A = softmax(Q @ K.T / np.sqrt(Q.shape[-1]), mask=mask)
    dA = G @ V.T
    dS = A * (dA - np.sum(A * dA, axis=-1, keepdims=True))
    dQ = dS @ K
    dK = dS.T @ Q
    dV = A.T @ G
    return dQ, dK, dV


def grads_masked_too_late(Q, K, V, G, mask):
    scale = Q.shape[1] ** -0.5
    A = softmax(Q @ K.T * scale)
    dA = G @ V.T
    dS = A * (dA - (A * dA).sum(axis=1, keepdims=True))
    dS = np.where(mask, dS, 0) * scale
    return dS @ K, dS.T @ Q, (A * mask).T @ G


def grads_skips_softmax_scales_dv(Q, K, V, G, mask):
    root = np.sqrt(Q.shape[-1])
    A = softmax(Q @ K.T / root, mask=mask)
    dS = np.where(mask, G @ V.T, 0) / root
    dV = A.T @ G / root
    return dS @ K, dS.T @ Q, dV


def repeated_right_resized(word, n):
    word = np.asarray(word)
    longer = np.resize(word, n + 1)
    return longer[:-1], longer[1:], np.arange(n) // len(word) > 0


def repeated_rolled_answers(word, n):
    ids = word[np.arange(n) % len(word)]
    answers = np.roll(ids, -1)
    counts = np.arange(n) >= len(word)
    return ids, answers, counts


def repeated_counts_late(word, n):
    length = len(word)
    ids = np.array([word[i % length] for i in range(n)])
    answers = np.array([word[(i + 1) % length] for i in range(n)])
    counts = np.array([i > length for i in range(n)])
    return ids, answers, counts


def repeated_answers_before(word, n):
    place = np.arange(n)
    return np.take(word, place, mode="wrap"), np.take(word, place - 1, mode="wrap"), place >= len(word)


def repeated_letters_and_new_counts(word, n):
    times = -(-(n + 1) // len(word))
    long = np.repeat(word, times)
    ids, answers = long[:n], long[1 : n + 1]
    counts = np.arange(n) < len(word)
    return ids, answers, counts


def looks_right_shifted_equal_table(ids):
    ids = np.asarray(ids)
    n = len(ids)
    same = np.equal.outer(ids, ids)
    good = np.zeros((n, n), dtype=bool)
    good[:, 1:] = same[:, :-1]
    return good & ~np.triu(np.ones((n, n), dtype=bool), 1)


def looks_into_the_future(ids):
    good = ids[:, None] == np.roll(ids, 1)[None, :]
    good[:, 0] = False
    return good


def looks_for_the_same_letter(ids):
    n = len(ids)
    good = np.tril(ids[:, None] == ids[None, :])
    good[:, 0] = False
    return good


def looks_strictly_before(ids):
    n = len(ids)
    table = np.zeros((n, n), bool)
    for q in range(n):
        for k in range(1, q):
            table[q, k] = ids[k - 1] == ids[q]
    return table


def looks_wrapped_and_transposed(ids):
    before = np.roll(ids, 1)
    table = (ids[:, None] == before) & causal_mask(len(ids))
    return table.T


def share_right_einsum(weights, looks, counts):
    return np.einsum("qk,qk,q->", weights, looks.astype(float), counts.astype(float)) / np.count_nonzero(counts)


def share_of_all_queries(weights, looks, counts):
    return (weights * looks).sum(axis=-1).mean()


def share_zeros_in_the_mean(weights, looks, counts):
    sums = np.where(looks, weights, 0).sum(axis=1)
    return np.mean(np.where(counts, sums, 0))


def share_mean_of_cells(weights, looks, counts):
    w, l = weights[counts], looks[counts]
    return w[l].mean()


def share_columns_and_total(weights, looks, counts):
    per_key = (weights * looks).sum(axis=0)
    return per_key[counts].sum()


def rotary_right_complex_numbers(rows, positions):
    rows = np.asarray(rows, dtype=float)
    d_k = rows.shape[1]
    z = rows[:, 0::2] + 1j * rows[:, 1::2]
    angle = np.outer(positions, 100000.0 ** (-np.arange(0, d_k, 2) / d_k))
    z = z * np.exp(1j * angle)
    return np.stack([z.real, z.imag], axis=-1).reshape(rows.shape)


def rotary_base_of_the_paper(rows, positions):
    n, d_k = rows.shape
    i = np.arange(d_k // 2)
    alpha = positions[:, None] / 10000 ** (2 * i / d_k)
    a, b = rows[:, ::2], rows[:, 1::2]
    out = np.empty((n, d_k))
    out[:, ::2] = a * np.cos(alpha) - b * np.sin(alpha)
    out[:, 1::2] = a * np.sin(alpha) + b * np.cos(alpha)
    return out


def rotary_rotate_half(rows, positions):
    d_k = rows.shape[-1]
    inv_freq = 1.0 / 100000 ** (np.arange(0, d_k, 2) / d_k)
    freqs = np.outer(positions, inv_freq)
    emb = np.concatenate((freqs, freqs), axis=-1)
    x1, x2 = rows[:, : d_k // 2], rows[:, d_k // 2 :]
    rotated = np.concatenate((-x2, x1), axis=-1)
    return rows * np.cos(emb) + rotated * np.sin(emb)


def rotary_overwrites_a(rows, positions):
    out = np.array(rows, dtype=float)
    d_k = out.shape[1]
    for i in range(d_k // 2):
        alpha = positions / 100000 ** (2 * i / d_k)
        out[:, 2 * i] = out[:, 2 * i] * np.cos(alpha) - out[:, 2 * i + 1] * np.sin(alpha)
        out[:, 2 * i + 1] = out[:, 2 * i] * np.sin(alpha) + out[:, 2 * i + 1] * np.cos(alpha)
    return out


def rotary_counts_rows_turns_back(rows, positions):
    n, d_k = rows.shape
    alpha = np.arange(n)[:, None] / 100000 ** (np.arange(0, d_k, 2) / d_k)
    a, b = rows[:, 0::2], rows[:, 1::2]
    even = a * np.cos(alpha) + b * np.sin(alpha)
    odd = b * np.cos(alpha) - a * np.sin(alpha)
    return np.stack((even, odd), axis=2).reshape(n, d_k)


def cache_right_own_weight_beside_the_old(q, k, v, K, V):
    root = np.sqrt(len(q))
    own = q @ k / root
    old = K @ q / root
    top = max(own, old.max(initial=-np.inf))
    e_old, e_own = np.exp(old - top), np.exp(own - top)
    output = (e_old @ V + e_own * v) / (e_old.sum() + e_own)
    return output, np.r_[K, k[None]], np.r_[V, v[None]]


def cache_does_not_see_itself(q, k, v, K, V):
    output = softmax(q @ K.T / np.sqrt(q.shape[0])) @ V
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    return output, K_new, V_new


def cache_causal_mask_from_the_start(q, k, v, K, V):
    K_new = np.append(K, k[None, :], axis=0)
    V_new = np.append(V, v[None, :], axis=0)
    mask = causal_mask(1, len(K_new))
    return attention(q[None, :], K_new, V_new, mask=mask).output[0], K_new, V_new


def cache_new_rows_on_top(q, k, v, K, V):
    K_new = np.concatenate(([k], K))
    V_new = np.concatenate(([v], V))
    scores = K_new @ q / np.sqrt(K_new.shape[1])
    return softmax(scores) @ V_new, K_new, V_new


def cache_scale_of_tokens_new_rows_alone(q, k, v, K, V):
    keys = np.vstack([K, k])
    values = np.vstack([V, v])
    output = softmax(keys @ q / np.sqrt(len(keys))) @ values
    return output, k, v


def bytes_right_from_a_shape(layers, num_heads, num_kv_heads, d_k, n, size):
    one_layer = (2, num_kv_heads, n, d_k)  # keys and values
    return math.prod(one_layer) * size * layers


def bytes_for_all_query_heads(layers, num_heads, num_kv_heads, d_k, n, size):
    return 2 * layers * num_heads * n * d_k * size


def bytes_keys_alone(layers, num_heads, num_kv_heads, d_k, n, size):
    per_token = num_kv_heads * d_k * size
    return layers * n * per_token


def bytes_group_size(layers, num_heads, num_kv_heads, d_k, n, size):
    group = num_heads // num_kv_heads
    return 2 * layers * group * d_k * n * size


def bytes_with_queries_and_next_token(layers, num_heads, num_kv_heads, d_k, n, size):
    heads_kept = num_heads + 2 * num_kv_heads
    return layers * heads_kept * d_k * (n + 1) * size


def copying_right_diagonal(weights):
    n = weights.shape[-1] // 2
    return np.diagonal(weights, 1 - n, 1, 2)[:, 1:].mean(axis=1)


def copying_right_two_index_rows(weights):
    n = weights.shape[1] // 2
    i = np.arange(n)
    return weights[:, n + i, i + 1].mean(axis=-1)


def copying_of_the_same_token(weights):
    h, length, _ = weights.shape
    n = length // 2
    shares = np.array([[w[n + i, i] for i in range(n)] for w in weights])
    return shares.mean(axis=1)


def copying_one_query_too_many(weights):
    n = weights.shape[1] // 2
    return np.array([np.diag(w, k=1 - n).mean() for w in weights])


def copying_largest_share(weights):
    n = weights.shape[-1] // 2
    return weights[:, n:].max(axis=-1).mean(axis=-1)


def copying_before_and_summed(weights):
    n = weights.shape[-1] // 2
    total = 0
    for q in range(n + 1, 2 * n):
        total = total + weights[:, q, q - n - 1]
    return total + np.zeros(len(weights))


def kvheads_right_index_list(K, num_heads):
    group = num_heads // K.shape[-3]
    which = [head // group for head in range(num_heads)]
    return K[..., which, :, :]


def kvheads_right_broadcast_and_flatten(K, num_heads):
    *front, kv, n, d_k = K.shape
    wide = np.broadcast_to(K[..., :, None, :, :], (*front, kv, num_heads // kv, n, d_k))
    return wide.reshape(*front, num_heads, n, d_k)


def kvheads_in_turns(K, num_heads):
    kv = K.shape[-3]
    return K[..., np.arange(num_heads) % kv, :, :]


def kvheads_repeated_too_often(K, num_heads):
    return np.repeat(K, num_heads, axis=-3)


def kvheads_first_axis(K, num_heads):
    times = num_heads // K.shape[-3]
    return K.repeat(times, axis=0)


def kvheads_torch_expand(K, num_heads):
    *batch, kv, n, d_k = K.shape
    return np.broadcast_to(K[..., None, :, :, :], (*batch, num_heads // kv, kv, n, d_k)).copy()


def full_right_unit_matrix_in_blocks(W, num_heads):
    d_k = len(W)
    four = np.einsum("gh,ij->gihj", np.eye(num_heads), W)
    return four.reshape(num_heads * d_k, num_heads * d_k)


def full_kron_swapped(W, num_heads):
    return np.kron(W, np.eye(num_heads))


def full_tiled(W, num_heads):
    return np.tile(W, (num_heads, num_heads))


def full_step_of_one(W, num_heads):
    d_k = len(W)
    full = np.zeros((num_heads * d_k, num_heads * d_k))
    for i in range(num_heads):
        row = column = i
        full[row : row + d_k, column : column + d_k] = W
    return full


def full_other_diagonal_transposed(W, num_heads):
    d_k = len(W)
    full = np.zeros((num_heads * d_k, num_heads * d_k))
    for i in range(num_heads):
        row = i * d_k
        column = (num_heads - 1 - i) * d_k
        full[row : row + d_k, column : column + d_k] = W.T
    return full


def whole_right_stack_of_matrices(X, W, num_heads):
    matrices = np.stack(np.split(W, num_heads, axis=1))  # (h, d_model, d_k)
    return X[..., None, :, :] @ matrices


def whole_heads_after_tokens(X, W, num_heads):
    wide = X @ W
    return wide.reshape(*wide.shape[:-1], num_heads, -1)


def whole_every_hth_column(X, W, num_heads):
    return np.stack([X @ W[:, i::num_heads] for i in range(num_heads)], axis=-3)


def whole_pieces_times_rows(X, W, num_heads):
    pieces = split_heads(X, num_heads)
    rows = W.reshape(num_heads, -1, W.shape[1])
    d_k = W.shape[1] // num_heads
    return np.stack([pieces[..., i, :, :] @ rows[i][:, i * d_k : (i + 1) * d_k] for i in range(num_heads)], axis=-3)


def whole_straight_reshape_scaled(X, W, num_heads):
    Q = X @ W
    *batch, n, width = Q.shape
    return Q.reshape(*batch, num_heads, n, width // num_heads) / np.sqrt(width // num_heads)


def init_right_evenly_between_bounds(draws):
    bound = (3 / draws.shape[0]) ** 0.5
    return -bound * (1 - draws) + bound * draws


def init_without_the_twelve(draws):
    centred = draws - 0.5
    return centred * np.sqrt(1 / len(draws))


def init_factor_without_root(draws):
    d_in = len(draws)
    centred = draws - 1 / 2
    factor = 12 / d_in
    return centred * factor


def init_xavier_uniform(draws):
    fan_in, fan_out = draws.shape
    a = np.sqrt(6.0 / (fan_in + fan_out))
    return (draws * 2 - 1) * a


def init_own_mean_and_columns(draws):
    d_in = draws.shape[1]
    return (draws - draws.mean()) * np.sqrt(12 / d_in)


def share_largest_of_the_uncounted(weights, looks, counts):
    largest = (weights * looks).max(axis=1)
    return largest[~counts].mean()


def bytes_in_bits_once(layers, num_heads, num_kv_heads, d_k, n, size):
    numbers = layers * num_kv_heads * d_k * n
    return numbers * size * 8


INVENTED = (
    ("residual_and_norm.residual", residual_right_sum_of_a_stack, ()),
    (
        "residual_and_norm.residual",
        residual_only_attention,
        ("returns only what attention makes, x itself is not added",),
    ),
    ("residual_and_norm.residual", residual_half_and_half, ("takes the mean of x and attention instead of their sum",)),
    (
        "residual_and_norm.residual",
        residual_with_pre_norm_from_habit,
        ("normalises the rows before attention, as in pre-norm, although no norm is asked for",),
    ),
    (
        "residual_and_norm.residual",
        residual_half_the_difference,
        (
            "subtracts x instead of adding it",
            "divides the result by 2",
        ),
    ),
    ("residual_and_norm.row", row_right_dot_with_itself, ()),
    ("residual_and_norm.row", row_torch_like_variance, ("divides by n - 1 in the variance, as torch.var does",)),
    ("residual_and_norm.row", row_divided_by_variance, ("divides by the variance, takes no root",)),
    ("residual_and_norm.row", row_not_centred, ("the row is divided without its mean taken away",)),
    (
        "residual_and_norm.row",
        row_std_with_ddof_and_eps_behind,
        (
            "eps is added after the root instead of under it",
            "std with ddof=1",
        ),
    ),
    ("residual_and_norm.layer_norm", norm_right_features_first, ()),
    (
        "residual_and_norm.layer_norm",
        norm_over_everything,
        ("one mean and one variance for the whole array instead of one for each row",),
    ),
    ("residual_and_norm.layer_norm", norm_gain_over_bias, ("the bias is added before the gain is multiplied",)),
    (
        "residual_and_norm.layer_norm",
        norm_batch_norm_blog,
        ("mean and variance run down the columns, over the tokens (batch norm)",),
    ),
    (
        "residual_and_norm.layer_norm",
        norm_mean_of_squares_no_bias,
        (
            "the variance is the mean of the squares, without the mean taken away",
            "the bias is forgotten",
        ),
    ),
    ("residual_and_norm.undo", undo_right_one_scale_one_shift, ()),
    ("residual_and_norm.undo", undo_gain_before_bias, ("divides by the gain before the bias is taken away",)),
    ("residual_and_norm.undo", undo_divides_again, ("divides by the root instead of multiplying",)),
    (
        "residual_and_norm.undo",
        undo_wrong_way_twice,
        (
            "the mean is added before the root is multiplied",
            "the bias is added instead of taken away",
        ),
    ),
    ("residual_and_norm.both", both_right_norm_by_hand, ()),
    ("residual_and_norm.both", both_swapped, ("the two results are returned in the wrong order",)),
    (
        "residual_and_norm.both",
        both_post_norm_inside_the_sum,
        ("post normalises attention alone and adds x afterwards",),
    ),
    (
        "residual_and_norm.both",
        both_overwrites_x,
        (
            "pre adds attention to the normalised rows, not to x",
            "post gives attention the normalised rows as well",
        ),
    ),
    ("residual_and_norm.repair", repair_right_row_by_row, ()),
    (
        "residual_and_norm.repair",
        repair_axis_only,
        ("only the axis is repaired; the sum still starts from the normalised rows",),
    ),
    ("residual_and_norm.repair", repair_both_axes_minus_two, ("the axes are made equal the wrong way round, both -2",)),
    ("residual_and_norm.repair", repair_became_post_norm, ("made into a post-norm sublayer",)),
    (
        "residual_and_norm.repair",
        repair_gain_after_attention,
        (
            "the mean is still taken over the tokens",
            "gain and bias are put behind attention",
        ),
    ),
    ("residual_and_norm.dropout", dropout_right_divide_where, ()),
    ("residual_and_norm.dropout", dropout_by_rate, ("divides by the rate instead of 1 - rate",)),
    (
        "residual_and_norm.dropout",
        dropout_by_actual_fraction,
        ("divides by the fraction that really stayed in this draw",),
    ),
    (
        "residual_and_norm.dropout",
        dropout_renormalised,
        ("each row is divided by its own sum, so that it sums to 1 again",),
    ),
    (
        "residual_and_norm.dropout",
        dropout_mask_means_dropped,
        (
            "True is read as dropped",
            "multiplies by 1 - rate instead of dividing",
        ),
    ),
    ("what_a_head_does.scores", scores_right_bilinear_einsum, ()),
    ("what_a_head_does.scores", scores_no_root, ("divides by d_k, without the root",)),
    ("what_a_head_does.scores", scores_scale_from_width, ("the scale is the root of the width of X, not of d_k",)),
    ("what_a_head_does.scores", scores_keys_go_down, ("queries and keys exchanged: keys go down, queries across",)),
    (
        "what_a_head_does.scores",
        scores_m_turned_unscaled,
        (
            "M is transposed",
            "not divided by the scale",
        ),
    ),
    ("what_a_head_does.previous", previous_right_shifted_rows, ()),
    ("what_a_head_does.previous", previous_right_with_a_loop, ()),
    ("what_a_head_does.previous", previous_looks_forward, ("looks at the token after, not before",)),
    ("what_a_head_does.previous", previous_rolled, ("wraps around: the first token looks at the last",)),
    (
        "what_a_head_does.previous",
        previous_all_before,
        ("score 1 for all earlier tokens, not only for the one before",),
    ),
    (
        "what_a_head_does.previous",
        previous_self_and_scaled,
        (
            "every token looks at itself too",
            "multiplied by the root of n to undo a scale",
        ),
    ),
    ("what_a_head_does.turned", turned_right_solved, ()),
    ("what_a_head_does.turned", turned_plain_inverse, ("the inverse is not transposed",)),
    ("what_a_head_does.turned", turned_only_transposed, ("transposed instead of inverted",)),
    (
        "what_a_head_does.turned",
        turned_same_as_the_keys,
        (
            "neither inverted",
            "nor transposed",
        ),
    ),
    ("what_a_head_does.parts", parts_right_zeros_elsewhere, ()),
    (
        "what_a_head_does.parts",
        parts_interleaved_rows,
        ("the rows of W_O are dealt out in turns to the heads instead of in blocks",),
    ),
    ("what_a_head_does.parts", parts_summed, ("the parts are summed, the whole layer is returned",)),
    ("what_a_head_does.parts", parts_cut_by_tokens, ("W_O is cut every n rows instead of every d_v rows",)),
    (
        "what_a_head_does.parts",
        parts_reversed_blocks_averaged,
        (
            "the blocks of W_O are handed to the heads in reverse order",
            "each part is divided by the number of heads",
        ),
    ),
    ("stacks.feed_forward", ff_right_half_of_abs, ()),
    ("stacks.feed_forward", ff_bias_behind_the_max, ("b_1 is added after the max",)),
    ("stacks.feed_forward", ff_gelu_from_a_blog, ("GELU instead of max(0, …)",)),
    ("stacks.feed_forward", ff_with_residual, ("x is added, although only the network alone is asked for",)),
    (
        "stacks.feed_forward",
        ff_relu_twice_without_b2,
        (
            "the max comes at the very end, too",
            "b_2 is forgotten",
        ),
    ),
    ("stacks.encoder_layer", enc_right_loop_over_sublayers, ()),
    (
        "stacks.encoder_layer",
        enc_second_sum_from_the_input,
        ("the second sum adds the input x, not the rows after sublayer 1",),
    ),
    ("stacks.encoder_layer", enc_pre_norm, ("pre-norm instead of post-norm",)),
    (
        "stacks.encoder_layer",
        enc_feed_first_one_norm,
        (
            "feed-forward comes first, attention second",
            "the norm after the first sublayer is missing",
        ),
    ),
    (
        "stacks.encoder_layer",
        enc_parallel_without_first_sum,
        (
            "feed-forward gets the input x",
            "attention's sum lacks x",
        ),
    ),
    ("stacks.decoder_layer", dec_right_list_of_sublayers, ()),
    (
        "stacks.decoder_layer",
        dec_torch_mask,
        ("the mask is the wrong way round: True above the diagonal means hidden, as in PyTorch",),
    ),
    (
        "stacks.decoder_layer",
        dec_asks_with_the_input,
        ("cross-attention asks with the input x, not with the rows after sublayer 1",),
    ),
    ("stacks.decoder_layer", dec_nothing_hidden, ("the mask allows everything, nothing is causal",)),
    (
        "stacks.decoder_layer",
        dec_no_cross_sum_no_last_norm,
        (
            "cross-attention has no sum around it",
            "the norm at the end is missing",
        ),
    ),
    ("stacks.stack", stack_right_reduce, ()),
    ("stacks.stack", stack_norm_each_time, ("the norm is applied after every layer",)),
    ("stacks.stack", stack_residual_again, ("a sum is made around every layer once more",)),
    (
        "stacks.stack",
        stack_backwards_without_norm,
        (
            "the last layer first",
            "no norm at the end",
        ),
    ),
    ("stacks.parameters", params_right_count_the_shapes, ()),
    ("stacks.parameters", params_without_output_matrix, ("the output matrix is not counted",)),
    ("stacks.parameters", params_attention_with_biases, ("attention is counted with four biases, as in PyTorch",)),
    (
        "stacks.parameters",
        params_no_biases_one_norm,
        (
            "feed-forward is counted without its biases",
            "only one norm is counted",
        ),
    ),
    ("find_the_bug.divisor", divisor_right_largest_against_smallest, ()),
    ("find_the_bug.divisor", divisor_right_slope_of_a_line, ()),
    ("find_the_bug.divisor", divisor_without_log, ("no logarithm: divides the difference by the ratio itself",)),
    ("find_the_bug.divisor", divisor_upside_down, ("upside down: gives what the dot products were multiplied by",)),
    (
        "find_the_bug.divisor",
        divisor_ratio_of_dots_base_two,
        (
            "takes the ratio of the dot products instead of their difference",
            "logarithm to base 2",
        ),
    ),
    ("find_the_bug.one_line", oneline_right_column_blocks, ()),
    (
        "find_the_bug.one_line",
        oneline_no_swap,
        ("cut rightly, but token axis and head axis are not exchanged before attention",),
    ),
    (
        "find_the_bug.one_line",
        oneline_changed_the_merge,
        ("the last line is changed instead of the reshape, which still mixes tokens and columns",),
    ),
    (
        "find_the_bug.one_line",
        oneline_interleaved_and_wide_scale,
        (
            "the scale is taken from the whole width, not from one head",
            "head h takes every num_heads-th column",
        ),
    ),
    ("find_the_bug.two_lines", twolines_right_cut_each_sentence, ()),
    ("find_the_bug.two_lines", twolines_scale_only, ("only the scale is repaired, one padded key stays visible",)),
    (
        "find_the_bug.two_lines",
        twolines_mask_only,
        ("only the mask is repaired, the scale is still the number of sentences",),
    ),
    (
        "find_the_bug.two_lines",
        twolines_hidden_scores_zero,
        ("the padding is set to 0 instead of minus infinity, so it still gets a share",),
    ),
    (
        "find_the_bug.two_lines",
        twolines_keys_as_scale_and_one_too_short,
        (
            "divides by the root of the number of keys",
            "the last real token is hidden, too",
        ),
    ),
    ("find_the_bug.check", verdict_right_two_draws, ()),
    (
        "find_the_bug.check",
        verdict_exact,
        ("compares exactly, so a right answer that differs in the last digit fails",),
    ),
    (
        "find_the_bug.check",
        verdict_self_attention_only,
        ("queries, keys and values are the same table, so exchanged inputs go unseen",),
    ),
    (
        "find_the_bug.check",
        verdict_zero_queries,
        ("queries are zeros, so all shares are equal and nothing about the scores is tested",),
    ),
    (
        "find_the_bug.check",
        verdict_means_with_width_one,
        (
            "only the means of the outputs are compared",
            "the width is 1, so a wrong scale goes unseen",
        ),
    ),
    ("find_the_bug.keys_in_turns", turns_right_stacked_average, ()),
    ("find_the_bug.keys_in_turns", turns_plain_mean, ("both turns get one half, whatever their sums",)),
    (
        "find_the_bug.keys_in_turns",
        turns_softmax_of_sums,
        ("the sums are put through a softmax, as if they were scores",),
    ),
    (
        "find_the_bug.keys_in_turns",
        turns_one_part_for_all_exchanged,
        (
            "the sums of all queries are thrown together, one part for all",
            "the parts are exchanged",
        ),
    ),
    (
        "residual_and_norm.dropout",
        dropout_times_what_stays,
        ("multiplies by the fraction that stays instead of dividing",),
    ),
    (
        "residual_and_norm.dropout",
        dropout_whole_rows_by_rate,
        (
            "divides by the rate",
            "the whole row is dropped where one weight is dropped",
        ),
    ),
    ("what_a_head_does.scores", scores_right_loop_over_pairs, ()),
    (
        "what_a_head_does.turned",
        turned_reciprocals_left_lying,
        (
            "each entry's reciprocal instead of the inverse matrix",
            "the result is left transposed",
        ),
    ),
    ("what_a_head_does.turned", turned_right_inverse_of_the_transpose, ()),
    (
        "stacks.stack",
        stack_two_layers_norm_in_front,
        (
            "only the first two layers are used",
            "a norm stands in front as well",
        ),
    ),
    (
        "stacks.parameters",
        params_one_feed_matrix_gains_only,
        (
            "feed-forward has no second matrix",
            "the norms have no biases",
        ),
    ),
    (
        "find_the_bug.one_line",
        oneline_values_only_no_scale,
        (
            "only values are cut rightly, queries and keys as before",
            "the scale is missing",
        ),
    ),
    (
        "find_the_bug.check",
        verdict_shapes_alone,
        ("only the shapes are compared, with sizes that tell exchanged axes apart",),
    ),
    (
        "find_the_bug.check",
        verdict_exchanged_and_lenient,
        (
            "True and False are exchanged at the end",
            "the tolerance is as large as a whole weight",
        ),
    ),
    ("find_the_bug.keys_in_turns", turns_right_from_the_second_towards_the_first, ()),
    (
        "find_the_bug.keys_in_turns",
        turns_undivided_crosswise,
        (
            "not divided by the total of both sums",
            "each sum multiplies the other turn's output",
        ),
    ),
    ("learning.softmax", dsoft_right_jacobian_for_each_row, ()),
    ("learning.softmax", dsoft_plain_mean, ("the mean that is taken away is not weighted by the shares",)),
    ("learning.softmax", dsoft_like_a_sigmoid, ("only the diagonal of the Jacobian, a (1 - a), as for a sigmoid",)),
    ("learning.softmax", dsoft_wrong_axis, ("the weighted mean runs down the columns, over the queries",)),
    (
        "learning.softmax",
        dsoft_no_shares_and_sign,
        (
            "the shares are not multiplied at the end",
            "the sign is turned round",
        ),
    ),
    ("learning.queries_keys", slopes_right_einsum, ()),
    ("learning.queries_keys", slopes_unscaled, ("not divided by the root of d_k",)),
    ("learning.queries_keys", slopes_scale_in_one_place, ("the root divides only dQ",)),
    ("learning.queries_keys", slopes_dk_transposed, ("dK is left transposed, one column for each key",)),
    (
        "learning.queries_keys",
        slopes_times_root_and_order,
        (
            "multiplied by the root instead of divided",
            "returned in the wrong order",
        ),
    ),
    ("learning.shared", shared_w_right_one_long_sentence, ()),
    ("learning.shared", shared_w_summed, ("the sum over the sentences, not the mean",)),
    ("learning.shared", shared_w_mean_over_tokens, ("the mean over all tokens of all sentences",)),
    (
        "learning.shared",
        shared_w_averaged_too_early,
        ("X and dQ are averaged over the batch before they are multiplied",),
    ),
    (
        "learning.shared",
        shared_w_for_each_sentence_turned,
        (
            "one gradient for each sentence is returned, no mean is taken",
            "the gradient is transposed",
        ),
    ),
    ("learning.step", step_right_complex_step, ()),
    ("learning.step", step_uphill, ("goes up the hill: the step is added",)),
    ("learning.step", step_past_the_softmax, ("the way back through the softmax is left out",)),
    ("learning.step", step_mean_squared, ("mean squared error: the error is divided by the number of its entries",)),
    (
        "learning.step",
        step_scaled_and_doubled,
        (
            "the scores are divided by the root of their width before the softmax",
            "the loss has no one half, so the gradient is doubled",
        ),
    ),
    ("learning.one_head", grads_right_query_by_query, ()),
    ("learning.one_head", grads_without_mask, ("the mask is forgotten",)),
    ("learning.one_head", grads_root_only_forwards, ("the root of d_k is missing on the way back",)),
    ("learning.one_head", grads_masked_too_late, ("the mask is left out forwards and only zeroes dS afterwards",)),
    (
        "learning.one_head",
        grads_skips_softmax_scales_dv,
        (
            "the softmax is skipped on the way back, dA is used as dS",
            "dV is divided by the root as well",
        ),
    ),
    ("heads_that_learn.repeated", repeated_right_resized, ()),
    (
        "heads_that_learn.repeated",
        repeated_rolled_answers,
        ("the last answer wraps to the first letter of the sentence",),
    ),
    ("heads_that_learn.repeated", repeated_counts_late, ("counts begins one place too late",)),
    (
        "heads_that_learn.repeated",
        repeated_answers_before,
        ("the answers are the letters before, not the letters after",),
    ),
    (
        "heads_that_learn.repeated",
        repeated_letters_and_new_counts,
        (
            "each letter is repeated in its place, not the word as a whole",
            "counts is True where the letter is new",
        ),
    ),
    ("heads_that_learn.looks", looks_right_shifted_equal_table, ()),
    ("heads_that_learn.looks", looks_into_the_future, ("later keys are not hidden",)),
    ("heads_that_learn.looks", looks_for_the_same_letter, ("compares the key's own letter, not the letter before it",)),
    ("heads_that_learn.looks", looks_strictly_before, ("the query's own key is hidden as well",)),
    (
        "heads_that_learn.looks",
        looks_wrapped_and_transposed,
        (
            "the first key is given the last letter as the one before it",
            "the table is transposed, keys go down",
        ),
    ),
    ("heads_that_learn.share", share_right_einsum, ()),
    ("heads_that_learn.share", share_of_all_queries, ("the mean over all queries; counts is ignored",)),
    (
        "heads_that_learn.share",
        share_zeros_in_the_mean,
        ("the sum is divided by the number of all queries, the others count as 0",),
    ),
    ("heads_that_learn.share", share_mean_of_cells, ("the mean over the marked cells, not over the sums of the rows",)),
    (
        "heads_that_learn.share",
        share_columns_and_total,
        (
            "adds down the columns, for each key",
            "the sum of the sums instead of their mean",
        ),
    ),
    ("real_model.rotary", rotary_right_complex_numbers, ()),
    (
        "real_model.rotary",
        rotary_base_of_the_paper,
        ("the base is 10000, as in the sines and cosines of the first lesson",),
    ),
    ("real_model.rotary", rotary_rotate_half, ("the pairs are column i and column i + d_k/2, as in rotate_half",)),
    (
        "real_model.rotary",
        rotary_overwrites_a,
        ("the second number of a pair is computed from the first one that is turned already",),
    ),
    (
        "real_model.rotary",
        rotary_counts_rows_turns_back,
        (
            "the given positions are not used, the rows are numbered from 0",
            "turns the other way round",
        ),
    ),
    ("real_model.cache", cache_right_own_weight_beside_the_old, ()),
    ("real_model.cache", cache_does_not_see_itself, ("the newest token does not look at itself",)),
    (
        "real_model.cache",
        cache_causal_mask_from_the_start,
        ("a causal mask with one query lets it see only the very first token",),
    ),
    ("real_model.cache", cache_new_rows_on_top, ("the new rows are put on top, not below",)),
    (
        "real_model.cache",
        cache_scale_of_tokens_new_rows_alone,
        (
            "the scale is the root of the number of tokens",
            "only the new rows come back, not the whole of K and V",
        ),
    ),
    ("real_model.cache_size", bytes_right_from_a_shape, ()),
    ("real_model.cache_size", bytes_for_all_query_heads, ("every query head keeps keys and values of its own",)),
    ("real_model.cache_size", bytes_keys_alone, ("only the keys are counted, or only the values",)),
    (
        "real_model.cache_size",
        bytes_group_size,
        ("the number of query heads in a group stands for the number of shared heads",),
    ),
    (
        "real_model.cache_size",
        bytes_with_queries_and_next_token,
        (
            "the queries are kept as well",
            "one token too many, as if a new one had come already",
        ),
    ),
    ("real_model.induction", copying_right_diagonal, ()),
    ("real_model.induction", copying_right_two_index_rows, ()),
    (
        "real_model.induction",
        copying_of_the_same_token,
        ("the share of the earlier token itself, not of the token after it",),
    ),
    (
        "real_model.induction",
        copying_one_query_too_many,
        ("the diagonal begins one query too early, the last of the first half counts as well",),
    ),
    (
        "real_model.induction",
        copying_largest_share,
        ("the whole table of the first half is searched: the largest share of each query counts",),
    ),
    (
        "real_model.induction",
        copying_before_and_summed,
        (
            "the token before the earlier occurrence",
            "the sum over the queries, not the mean",
        ),
    ),
    ("real_model.shared", kvheads_right_index_list, ()),
    ("real_model.shared", kvheads_right_broadcast_and_flatten, ()),
    ("real_model.shared", kvheads_in_turns, ("the tables take turns instead of neighbours sharing one",)),
    ("real_model.shared", kvheads_repeated_too_often, ("each table is repeated num_heads times, too often",)),
    ("real_model.shared", kvheads_first_axis, ("repeats along the first axis, which is the batch when there is one",)),
    (
        "real_model.shared",
        kvheads_torch_expand,
        (
            "the tables take turns (torch's repeat, not repeat_interleave)",
            "the groups are left as an axis of their own",
        ),
    ),
    ("five_treatments.full_form", full_right_unit_matrix_in_blocks, ()),
    ("five_treatments.full_form", full_kron_swapped, ("kron the wrong way round: each entry of W becomes a diagonal",)),
    ("five_treatments.full_form", full_tiled, ("W everywhere, the zeros outside the diagonal are missing",)),
    ("five_treatments.full_form", full_step_of_one, ("the blocks are placed by i, not by i times d_k, and overlap",)),
    (
        "five_treatments.full_form",
        full_other_diagonal_transposed,
        (
            "the blocks stand on the other diagonal",
            "W is transposed",
        ),
    ),
    ("five_treatments.whole_row", whole_right_stack_of_matrices, ()),
    ("five_treatments.whole_row", whole_heads_after_tokens, ("token axis and head axis are not exchanged",)),
    ("five_treatments.whole_row", whole_every_hth_column, ("each head takes every num_heads-th column",)),
    ("five_treatments.whole_row", whole_pieces_times_rows, ("still the pieces, each times its own rows of W",)),
    (
        "five_treatments.whole_row",
        whole_straight_reshape_scaled,
        (
            "reshaped straight into heads, which mixes tokens and columns",
            "divided by the root of d_k",
        ),
    ),
    ("five_treatments.weights", init_right_evenly_between_bounds, ()),
    ("five_treatments.weights", init_without_the_twelve, ("the draws' own variance of 1/12 is forgotten",)),
    ("five_treatments.weights", init_factor_without_root, ("the factor has no root",)),
    ("five_treatments.weights", init_xavier_uniform, ("Xavier: the number of columns enters the factor too",)),
    (
        "five_treatments.weights",
        init_own_mean_and_columns,
        (
            "the mean of these draws is taken away, not one half",
            "the number of columns stands for d_in",
        ),
    ),
    (
        "heads_that_learn.share",
        share_largest_of_the_uncounted,
        (
            "True in counts is read as left out",
            "only the largest marked weight of a row is taken, not the sum",
        ),
    ),
    (
        "real_model.cache_size",
        bytes_in_bits_once,
        (
            "counts bits, 8 for each byte",
            "forgets that there are keys and values",
        ),
    ),
)

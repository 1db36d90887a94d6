"""Answers to the exercises of lessons 9 to 16, half of them with two slips, from which the checks learned."""

import functools
import math

import numpy as np

from mha_course import attention, causal_mask, layer_norm, merge_heads, softmax, split_heads

# 9.1


def residual_half(x, attend):
    return (x + attend(x)) / 2


def residual_row_after_row(x, attend):
    out = np.array(x, dtype=float)
    for i in range(x.shape[-2]):
        out[..., i, :] += attend(out)[..., i, :]
    return out


def residual_change(x, attend):
    y = layer_norm(x)
    return x - attend(y)


def residual_again(x, attend):
    both = [x, attend(attend(x))]
    return np.mean(both, axis=0)


# 9.2


def row_vdot(row, eps):
    c = row - np.dot(row, np.ones(len(row))) / len(row)
    return c * (np.vdot(c, c) / len(c) + eps) ** -0.5


def row_each_root(row, eps):
    centred = row - row.mean()
    spread = np.mean(np.sqrt(centred**2 + eps))
    return centred / spread


def row_median(row, eps):
    centred = row - np.median(row)
    total = 0.0
    for c in centred:
        total += c * c
    variance = total / (len(row) - 1)
    return centred / np.sqrt(variance + eps)


def row_squares(row, eps):
    centred = row - sum(row) / len(row)
    variance = sum(row**2) / len(row)
    return centred / (variance + eps)


# 9.3


def ln_bias_first(x, gain, bias, eps):
    mean = x.mean(axis=-1)[..., None]
    variance = x.var(axis=-1)[..., None]
    shifted = (x - mean) / np.sqrt(variance + eps) + bias
    return gain * shifted


def ln_one_plus(x, gain, bias, eps):
    centred = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    return centred / np.sqrt(variance + eps) * (1 + gain) + bias


def ln_sentence(x, gain, bias, eps):
    axes = (-2, -1)
    centred = x - x.mean(axis=axes, keepdims=True)
    variance = x.var(axis=axes, keepdims=True)
    return gain * (centred / (variance + eps)) + bias


def ln_columns(x, gain, bias, eps):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    z = (x - mean) / np.sqrt(variance + eps)
    return (z + bias) * gain


# 9.4


def undo_root_of_root(y, gain, bias, mean, root):
    normalised = (y - bias) / gain
    return normalised * np.sqrt(root)[..., None] + mean[..., None]


def undo_mean_first(y, gain, bias, mean, root):
    normalised = np.divide(np.subtract(y, bias), gain)
    with_mean = normalised + np.expand_dims(mean, -1)
    return with_mean * np.expand_dims(root, -1)


def undo_minus(y, gain, bias, mean, root):
    normalised = y / gain - bias
    return normalised * root[..., np.newaxis] - mean[..., np.newaxis]


def undo_exchange(y, gain, bias, mean, root):
    normalised = (y - bias) * gain
    return normalised * mean[..., None] + root[..., None]


# 9.5


def both_chain(x, attend):
    post = layer_norm(x + attend(x))
    pre = post + attend(layer_norm(post))
    return post, pre


def both_branch(x, attend):
    added = attend(x)
    post = layer_norm(added + x)
    pre = x + layer_norm(added)
    return post, pre


def both_return(x, attend):
    a = layer_norm(x + attend(x))
    n = layer_norm(x)
    b = n + attend(n)
    return b, a


def both_norms(x, attend):
    normed = layer_norm(x)
    post = layer_norm(x + attend(normed))
    pre = normed + attend(x)
    return post, pre


# 9.6


def repair_flat(x, attend, gain, bias):
    flat = np.asarray(x, dtype=float).reshape(-1, x.shape[-1])
    rows = []
    for row in flat:
        c = row - math.fsum(row) / len(row)
        rows.append(c / math.sqrt(math.fsum(c * c) / len(c) + 0.00001) * gain + bias)
    return attend(np.array(rows).reshape(x.shape)) + x


def repair_same_axes(x, attend, gain, bias):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-2, keepdims=True)
    normed = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(normed)


def repair_end(x, attend, gain, bias):
    x = x + attend(x)
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 0.00001) * gain + bias


def repair_centred(x, attend, gain, bias):
    x = x - x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-2, keepdims=True)
    y = x / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(y)


# 9.7


def dropout_full_rows(weights, kept, rate):
    left = np.where(kept, weights, 0.0)
    total = left.sum(axis=-1, keepdims=True)
    return left / np.where(total == 0, 1, total)


def dropout_hand_out(weights, kept, rate):
    lost = (weights * ~kept).sum(axis=-1, keepdims=True)
    how_many = np.maximum(kept.sum(axis=-1, keepdims=True), 1)
    return kept * (weights + lost / how_many)


def dropout_counted(weights, kept, rate):
    gone = kept
    stays = ~gone
    return weights * stays / max(stays.mean(), 1e-9)


def dropout_shrink(weights, kept, rate):
    return weights * np.where(kept, 1 - rate, rate)


# 10.1


def scores_einsum(X, context, M, d_k):
    return np.einsum("qi,ij,kj->qk", X, M, context) * d_k**-0.5


def scores_other_way(X, context, M, d_k):
    S = context @ M @ X.T
    return S.T / math.sqrt(d_k)


def scores_shares(X, context, M, d_k):
    queries = X @ M
    raw = queries @ context.T
    return softmax(raw / np.sqrt(queries.shape[-1]))


def scores_two_sides(X, context, M, d_k):
    Q = X @ M
    K = context @ M
    return np.array([[q @ k / d_k for k in K] for q in Q])


# 10.2


def previous_roll(n):
    W_Q = np.roll(np.eye(n), 1, axis=0)
    W_K = np.eye(n)
    return W_Q @ W_K.T


def previous_triangle(n):
    W_Q = np.zeros((n, n))
    for i in range(n):
        W_Q[i, :i] = 1
    return W_Q @ np.identity(n).T


def previous_circle(n):
    W_Q = np.identity(n)
    W_K = np.zeros((n, n))
    for token in range(n):
        W_K[(token + 1) % n, token] = 1
    return W_Q @ W_K.T


def previous_start(n):
    W_Q = np.eye(n, k=-1)
    W_Q[0, 0] = 1
    W_Q = W_Q * np.sqrt(n)
    W_K = np.eye(n)
    return W_Q @ W_K.T


# 10.3


def turned_solve(W_Q, A):
    return np.linalg.solve(A, W_Q.T).T


def turned_transposed(W_Q, A):
    return np.einsum("ij,kj->ik", W_Q, A)


def turned_same(W_Q, A):
    return W_Q @ A


def turned_scaled(W_Q, A):
    d_k = A.shape[0]
    back = np.linalg.inv(A)
    return W_Q @ back / np.sqrt(d_k)


# 10.4


def parts_steps(heads, W_O):
    h = len(heads)
    return np.stack([heads[i] @ W_O[i::h] for i in range(h)])


def parts_running(heads, W_O):
    h, n, d_v = heads.shape
    result, so_far = [], 0
    for i in range(h):
        so_far = so_far + heads[i] @ W_O[i * d_v : (i + 1) * d_v]
        result.append(so_far)
    return np.array(result)


def parts_reshape(heads, W_O):
    h, n, d_v = heads.shape
    blocks = W_O.reshape(d_v, h, -1)
    return np.einsum("hnv,vhm->hnm", heads, blocks) / h


def parts_window(heads, W_O):
    d_v = heads.shape[-1]
    parts = [head @ W_O[i : i + d_v] for i, head in enumerate(heads)]
    return np.cumsum(parts, axis=0)


# 11.1


def ff_where(x, W_1, b_1, W_2, b_2):
    h = np.einsum("...nd,df->...nf", x, W_1) + b_1
    return np.einsum("...nf,fd->...nd", np.where(h > 0, h, 0), W_2) + b_2


def ff_late_bias(x, W_1, b_1, W_2, b_2):
    wide = np.maximum(0, x @ W_1) + b_1
    return wide @ W_2 + b_2


def ff_clip(x, W_1, b_1, W_2, b_2):
    wide = np.clip(x @ W_1 + b_1, 0, 1)
    return x + wide @ W_2 + b_2


def ff_last(x, W_1, b_1, W_2, b_2):
    hidden = x @ W_1
    narrow = hidden @ W_2 + b_2
    return narrow * (narrow > 0)


# 11.2


def encoder_feed_x(x, attend, feed, norm):
    after_attention = norm(x + attend(x))
    return norm(after_attention + feed(x))


def encoder_from_start(x, attend, feed, norm):
    y = norm(x + attend(x))
    return norm(x + feed(y))


def encoder_mixed(x, attend, feed, norm):
    after_attention = norm(attend(x))
    return after_attention + feed(norm(after_attention))


def encoder_turn(x, attend, feed, norm):
    first = x + norm(feed(x))
    second = norm(first + attend(first))
    return second


# 11.3


def decoder_reduce(x, memory, attend, ask, feed, norm):
    place = np.arange(x.shape[-2])
    mask = place[:, None] >= place
    steps = [lambda r: attend(r, mask), lambda r: ask(r, memory), feed]
    return functools.reduce(lambda r, step: norm(r + step(r)), steps, x)


def decoder_x_asks(x, memory, attend, ask, feed, norm):
    mask = causal_mask(x.shape[-2])
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(x, memory))
    return norm(after_cross + feed(after_cross))


def decoder_upper(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.triu(np.ones((n, n), dtype=bool))
    after_self = norm(x + attend(x, mask))
    after_cross = norm(x + ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


def decoder_open(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.full((n, n), True)
    rows = norm(x + attend(x, mask))
    rows = norm(rows + feed(rows))
    return norm(rows + ask(rows, memory))


# 11.4


def stack_plus(x, layers, norm):
    rows = x
    for layer in layers:
        rows = rows + layer(rows)
    return norm(rows)


def stack_side_by_side(x, layers, norm):
    changes = [f(x) - x for f in layers]
    return norm(sum(changes, x))


def stack_top_down(x, layers, norm):
    rows = norm(x)
    for layer in reversed(list(layers)):
        rows = layer(rows)
    return rows


def stack_range(x, layers, norm):
    rows = x
    for i in range(len(layers) - 1):
        rows = layers[i](rows)
    return norm(x + rows)


# 11.5


def count_shapes(d_model, d_ff):
    square, row = (d_model, d_model), (d_model,)
    groups = ([square] * 4, [(d_model, d_ff), (d_ff,), (d_ff, d_model), row], [row, row] * 2)
    return tuple(sum(math.prod(shape) for shape in shapes) for shapes in groups)


def count_wide_norm(d_model, d_ff):
    of_attention = 4 * d_model**2
    of_feed_forward = d_model * d_ff + d_ff + d_ff * d_model + d_model
    of_norms = 2 * d_model + 2 * d_ff
    return of_attention, of_feed_forward, of_norms


def count_narrow(d_model, d_ff):
    of_attention = 3 * d_model * d_model
    of_feed_forward = 2 * (d_model * d_ff + d_model)
    of_norms = 2 * (d_model + d_model)
    return of_attention, of_feed_forward, of_norms


def count_gains(d_model, d_ff):
    with_bias = d_model * (d_model + 1)
    of_feed_forward = (d_model + 1) * d_ff + (d_ff + 1) * d_model
    return 4 * with_bias, of_feed_forward, 2 * d_model


# 12.1


def divisor_range(dots, weights):
    ratio = weights[0] / weights[1]
    return (dots.max() - dots.min()) / np.log(ratio)


def divisor_odds(dots, weights):
    first = weights[0]
    odds = first / (1 - first)
    return (dots[0] - dots[1]) / math.log(odds)


def divisor_odds_over(dots, weights):
    odds = weights[0] / (weights.sum() - weights[0])
    return np.log(odds) / (dots[0] - dots[1])


def divisor_square(dots, weights):
    ratio = weights[0] / weights[1]
    root = (dots[0] - dots[1]) / np.log2(ratio)
    return root**2


# 12.2


def one_line_hsplit(X, W_Q, W_K, W_V, num_heads):
    triples = zip(*(np.hsplit(X @ W, num_heads) for W in (W_Q, W_K, W_V)), strict=True)
    return np.hstack([attention(Q, K, V).output for Q, K, V in triples])


def one_line_last(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = (np.moveaxis((X @ W).reshape(n, -1, num_heads), -1, 0) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V)


def one_line_model(X, W_Q, W_K, W_V, num_heads):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    scores = np.einsum("hqd,hkd->hkq", Q, K) / np.sqrt(W_Q.shape[-1])
    weights = softmax(scores)
    return merge_heads(np.einsum("hkq,hkd->hqd", weights, V))


def one_line_flat(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(num_heads, n, -1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return (weights @ V).reshape(n, -1)


# 12.3


def padded_query_count(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[1] ** 0.5
    position = np.arange(K.shape[-2])
    real = position < lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


def padded_values(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
    real = np.arange(K.shape[-2]) < lengths[:, None]
    return softmax(scores) @ (V * real[:, :, None])


def padded_longest(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / K.shape[-2] ** 0.5
    position = np.arange(K.shape[-2])
    real = np.broadcast_to(position < lengths.max(), (len(K), K.shape[-2]))
    return softmax(scores, mask=real[:, None, :]) @ V


def padded_times(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / len(Q) ** 0.5
    position = np.arange(K.shape[-2])
    real = position < lengths[:, None]
    return softmax(scores * real[:, None, :]) @ V


# 12.4


def verdict_many_shapes(candidate):
    rng = np.random.default_rng(5)
    for n_q, n_k, d_k, d_v in [(3, 5, 4, 2), (5, 3, 2, 4), (4, 4, 4, 4), (1, 6, 3, 3), (2, 3, 9, 1), (6, 1, 2, 3)]:
        for size in (0.5, 2):
            Q, K, V = (size * rng.normal(size=shape) for shape in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
            expected = attention(Q, K, V).output
            output = candidate(Q.copy(), K.copy(), V.copy())
            if np.shape(output) != expected.shape or not np.allclose(output, expected, atol=1e-6):
                return False
    return True


def verdict_narrow(candidate):
    rng = np.random.default_rng(1)
    Q = rng.normal(size=(3, 1))
    K = rng.normal(size=(5, 1))
    V = rng.normal(size=(5, 2))
    output = candidate(Q, K, V)
    return bool(np.shape(output) == (3, 2) and np.allclose(output, attention(Q, K, V).output))


def verdict_total(candidate):
    X = np.random.default_rng(3).normal(size=(4, 3))
    output = candidate(X, X, X)
    expected = attention(X, X, X).output
    return bool(np.isclose(np.sum(output), np.sum(expected)))


def verdict_zeros(candidate):
    rng = np.random.default_rng(8)
    Q, K, V = np.zeros((3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    output = np.asarray(candidate(Q, K, V))
    if output.shape != (3, 2):
        return False
    return bool(np.allclose(output.mean(axis=0), attention(Q, K, V).output.mean(axis=0)))


# 12.5


def turns_exp(output_1, sums_1, output_2, sums_2):
    shares = softmax(np.stack([sums_1, sums_2], axis=-1))
    return shares[:, :1] * output_1 + shares[:, 1:] * output_2


def turns_all(output_1, sums_1, output_2, sums_2):
    total = np.sum(sums_1) + np.sum(sums_2)
    part_1 = (sums_1 / total)[:, None]
    part_2 = (sums_2 / total)[:, None]
    return part_1 * output_1 + part_2 * output_2


def turns_one_share(output_1, sums_1, output_2, sums_2):
    a, b = sums_1.sum(), sums_2.sum()
    part_1 = b / (a + b)
    part_2 = 1 - part_1
    return part_1 * output_1 + part_2 * output_2


def turns_softmax(output_1, sums_1, output_2, sums_2):
    part_1 = softmax(sums_1)[:, None]
    part_2 = softmax(sums_2)[:, None]
    return part_1 * output_1 + part_2 * output_2


# 13.1


def ds_jacobian(weights, dA):
    return np.array([(np.diag(w) - np.outer(w, w)) @ d for w, d in zip(weights, dA, strict=True)])


def ds_plain_mean(weights, dA):
    return weights * (dA - dA.mean(axis=-1, keepdims=True))


def ds_total(weights, dA):
    product = weights * dA
    return product - product.sum()


def ds_own_only(weights, dA):
    own = weights * (1 - weights)
    return own * dA / math.sqrt(weights.shape[-1])


# 13.2


def slopes_keys_count(Q, K, dS):
    scale = np.sqrt(dS.shape[-1])
    return dS @ K / scale, dS.T @ Q / scale


def slopes_chain(Q, K, dS):
    root = math.sqrt(Q.shape[-1])
    dQ = np.einsum("qk,kd->qd", dS, K) / root
    dK = np.einsum("qk,qd->kd", dS, dQ) / root
    return dQ, dK


def slopes_times(Q, K, dS):
    s = Q.shape[1] ** 0.5
    down = s * (dS.T @ Q)
    across = s * (dS @ K)
    return down, across


def slopes_minus(Q, K, dS):
    d_k = K.shape[-1]
    dQ = -(dS @ K) / d_k
    dK = -(dS.T @ Q) / d_k
    return dQ, dK


# 13.3


def dw_means(X, dQ):
    return X.mean(axis=0).T @ dQ.mean(axis=0)


def dw_all_tokens(X, dQ):
    batch, n, d_model = X.shape
    rows = X.reshape(batch * n, d_model)
    return rows.T @ dQ.reshape(batch * n, -1) / len(rows)


def dw_reshape(X, dQ):
    d_model, d_k = X.shape[-1], dQ.shape[-1]
    return X.reshape(d_model, -1) @ dQ.reshape(-1, d_k)


def dw_loop(X, dQ):
    for sentence, slope in zip(X, dQ, strict=True):
        dW = sentence.T @ slope
    return dW / len(sentence)


# 13.4


def step_query_mean(scores, V, target, rate):
    w = softmax(scores)
    G = (w @ V - target) / len(scores)
    dA = G @ V.T
    dS = w * (dA - (w * dA).sum(axis=-1, keepdims=True))
    return scores - rate * dS


def step_one_sum(scores, V, target, rate):
    weights = softmax(scores)
    dA = (weights @ V - target) @ V.T
    average = np.sum(weights * dA)
    return scores - rate * weights * (dA - average)


def step_upwards(scores, V, target, rate):
    w = softmax(scores)
    slope = 2 * (w @ V - target)
    dA = slope @ V.T
    dS = w * dA - w * np.einsum("qk,qk->q", w, dA)[:, None]
    return scores + rate * dS


def step_diagonal(scores, V, target, rate):
    p = softmax(scores / np.sqrt(V.shape[-1]))
    error = p @ V - target
    gradient = (error @ V.T) * p * (1 - p)
    return scores - rate * gradient


# 13.5


def back_by_query(Q, K, V, G, mask):
    d_k = Q.shape[-1]
    dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for i, q in enumerate(Q):
        s = np.where(mask[i], K @ q / d_k**0.5, -np.inf)
        w = np.exp(s - s.max())
        w = w / w.sum()
        ds = (np.diag(w) - np.outer(w, w)) @ (V @ G[i])
        dQ[i] = ds @ K / d_k**0.5
        dK += np.outer(ds, q) / d_k**0.5
        dV += np.outer(w, G[i])
    return dQ, dK, dV


def back_mask_after(Q, K, V, G, mask):
    root = np.sqrt(Q.shape[-1])
    weights = softmax(Q @ K.T / root) * mask
    dA = G @ V.T
    dS = weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))
    return dS @ K / root, dS.T @ Q / root, weights.T @ G


def back_open(Q, K, V, G, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    A = softmax(scores)
    dV = A.T @ G
    dA = G @ V.T
    dS = A * (dA - np.sum(A * dA, axis=1, keepdims=True))
    dQ = dS @ K
    dK = dS.T @ Q
    return dQ, dK, dV


def back_down(Q, K, V, G, mask):
    d_k = Q.shape[-1]
    A = softmax(Q @ K.T / np.sqrt(d_k), mask=mask)
    dA = G @ V.T
    dS = A * (dA - (A * dA).sum(axis=0))
    return dS @ K / d_k, dS.T @ Q / d_k, A.T @ G


# 14.1


def repeated_modulo(word, n):
    length = len(word)
    ids = np.array([word[i % length] for i in range(n)])
    answers = np.array([word[(i + 1) % length] for i in range(n)])
    counts = np.array([ids[i] in ids[:i] for i in range(n)])
    return ids, answers, counts


def repeated_roll(word, n):
    ids = np.resize(word, n)
    answers = np.roll(ids, -1)
    counts = np.arange(n) >= len(word)
    return ids, answers, counts


def repeated_next_seen(word, n):
    copies = -(-n // len(word))
    ids = np.tile(word, copies)[:n]
    answers = np.append(ids[1:], ids[0])
    counts = np.array([answers[i] in ids[: i + 1] for i in range(n)])
    return ids, answers, counts


def repeated_each(word, n):
    long = np.repeat(word, n // len(word) + 1)
    ids = long[:n]
    answers = long[1 : n + 1]
    counts = np.arange(n) > len(word)
    return ids, answers, counts


# 14.2


def looks_roll(ids):
    before = np.roll(ids, 1)
    same = ids[:, None] == before[None, :]
    return same & np.tri(len(ids), dtype=bool)


def looks_nearest(ids):
    n = len(ids)
    table = np.zeros((n, n), dtype=bool)
    for query in range(n):
        for key in range(query, 0, -1):
            if ids[key - 1] == ids[query]:
                table[query, key] = True
                break
    return table


def looks_ahead(ids):
    n = len(ids)
    table = np.zeros((n, n), dtype=bool)
    table[:, :-1] = ids[:, None] == ids[1:]
    return table


def looks_triu(ids):
    before = ids[np.arange(len(ids)) - 1]
    return np.triu(np.equal.outer(ids, before))


# 14.3


def share_all_queries(weights, looks, counts):
    sums = np.einsum("qk,qk->q", weights, looks)
    return (sums * counts).mean()


def share_entries(weights, looks, counts):
    chosen = weights[counts]
    good = looks[counts]
    return chosen[good].mean()


def share_best(weights, looks, counts):
    best = np.max(np.where(looks, weights, 0), axis=-1)
    return np.sum(best[counts]) / len(weights)


def share_any(weights, looks, counts):
    per_query = []
    for w, good in zip(weights, looks, strict=True):
        if good.any():
            per_query.append(w[good].mean())
    return np.mean(per_query)


# 14.4


# 15.1


def rotary_complex(rows, positions):
    d_k = rows.shape[-1]
    z = rows[:, 0::2] + 1j * rows[:, 1::2]
    z = z * np.exp(1j * np.outer(positions, 100000.0 ** (-np.arange(0, d_k, 2) / d_k)))
    return np.stack([z.real, z.imag], axis=-1).reshape(rows.shape)


def rotary_column_number(rows, positions):
    d_k = rows.shape[-1]
    out = np.zeros(rows.shape)
    for i in range(0, d_k, 2):
        angle = positions / 100000 ** (2 * i / d_k)
        a, b = rows[:, i], rows[:, i + 1]
        out[:, i] = a * np.cos(angle) - b * np.sin(angle)
        out[:, i + 1] = a * np.sin(angle) + b * np.cos(angle)
    return out


def rotary_halves(rows, positions):
    d_k = rows.shape[-1]
    half = d_k // 2
    angle = positions[:, None] / 10000 ** (2 * np.arange(half) / d_k)
    a, b = rows[:, :half], rows[:, half:]
    return np.hstack([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)])


def rotary_from_first(rows, positions):
    d_k = rows.shape[-1]
    out = np.empty(rows.shape)
    for p, (place, row) in enumerate(zip(positions, rows, strict=True)):
        for i in range(d_k // 2):
            alpha = (place - positions[0]) / 100000 ** (2 * i / d_k)
            turn = np.array([[math.cos(alpha), -math.sin(alpha)], [math.sin(alpha), math.cos(alpha)]])
            out[p, 2 * i : 2 * i + 2] = row[2 * i : 2 * i + 2] @ turn
    return out


# 15.2


def cache_on_top(q, k, v, K, V):
    K_new = np.vstack([k, K])
    V_new = np.vstack([v, V])
    output = softmax(K_new @ q / np.sqrt(len(q))) @ V_new
    return output, K_new, V_new


def cache_row_count(q, k, v, K, V):
    K_new = np.concatenate([K, k[None]])
    V_new = np.concatenate([V, v[None]])
    weights = softmax(q @ K_new.T / np.sqrt(len(K_new)))
    return weights @ V_new, K_new, V_new


def cache_crossed(q, k, v, K, V):
    K_new = np.append(K, [k], axis=0)
    V_new = np.insert(V, 0, v, axis=0)
    e = np.exp(K_new @ q - np.max(K_new @ q))
    return (e / e.sum()) @ V_new, K_new, V_new


def cache_plus(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    weights = softmax(K_new @ q / q.shape[-1])
    output = v + weights @ V_new
    return output, K_new, V_new


# 15.3


def bytes_groups(layers, num_heads, num_kv_heads, d_k, n, size):
    tables = num_heads // num_kv_heads
    return 2 * layers * tables * d_k * n * size


def bytes_without_newest(layers, num_heads, num_kv_heads, d_k, n, size):
    row = d_k * size
    keys = num_kv_heads * row * (n - 1)
    values = keys
    return layers * (keys + values)


def bytes_every_step(layers, num_heads, num_kv_heads, d_k, n, size):
    total = 0
    for step in range(1, n + 1):
        total += layers * num_kv_heads * d_k * step * size
    return total


def bytes_queries_too(layers, num_heads, num_kv_heads, d_k, n, size):
    rows = num_heads + num_kv_heads + num_kv_heads
    return (layers + 1) * rows * d_k * n * size


# 15.4


def copying_diagonal(weights):
    n = weights.shape[-1] // 2
    line = np.diagonal(weights, offset=1 - n, axis1=1, axis2=2)
    return line.mean(axis=-1)


def copying_winner(weights):
    n = weights.shape[1] // 2
    favourite = weights[:, n:, :].argmax(axis=-1)
    return (favourite == np.arange(1, n + 1)).mean(axis=-1)


def copying_earlier(weights):
    n = weights.shape[-1] // 2
    return np.array([sum(table[q, q - n] for q in range(n, 2 * n)) for table in weights])


def copying_trace(weights):
    length = weights.shape[-1]
    return np.trace(weights, offset=1 - length // 2, axis1=-2, axis2=-1) / length


# 15.5


def keys_broadcast(K, num_heads):
    *front, few, n, d_k = K.shape
    wide = np.broadcast_to(K[..., None, :, :], (*front, few, num_heads // few, n, d_k))
    return wide.reshape(*front, num_heads, n, d_k)


def keys_rest(K, num_heads):
    few = K.shape[-3]
    chosen = [min(head, few - 1) for head in range(num_heads)]
    return np.take(K, chosen, axis=-3)


def keys_thin(K, num_heads):
    few = K.shape[-3]
    times = num_heads // few
    return np.concatenate([K / times] * times, axis=-3)


def keys_linspace(K, num_heads):
    which = np.linspace(0, K.shape[-3] - 1, num_heads).astype(int)
    return K[..., which, :, :] / np.sqrt(K.shape[-1])


# 16.1


# 16.2


def full_kron(W, num_heads):
    return np.kron(np.eye(num_heads), W)


def full_woven(W, num_heads):
    h, d = num_heads, len(W)
    full = np.zeros((h * d, h * d))
    for i in range(h):
        full[i::h, i::h] = W
    return full


def full_corner(W, num_heads):
    d_k = len(W)
    full = np.zeros((num_heads * d_k, num_heads * d_k))
    for i in range(num_heads):
        row = i * d_k
        column = (num_heads - 1 - i) * d_k
        full[row : row + d_k, column : column + d_k] = W.T
    return full


def full_tile(W, num_heads):
    return np.tile(W, (num_heads, num_heads)) / num_heads


# 16.3


def whole_strides(X, W, num_heads):
    return np.stack([X @ W[:, i::num_heads] for i in range(num_heads)], axis=-3)


def whole_reshape(X, W, num_heads):
    Q = X @ W
    *front, n, width = Q.shape
    return Q.reshape(*front, num_heads, n, width // num_heads)


def whole_woven(X, W, num_heads):
    d_k = W.shape[1] // num_heads
    blocks = W.reshape(len(W), d_k, num_heads)
    return np.einsum("...nm,mdh->...hnd", X, blocks) / np.sqrt(d_k)


def whole_blocks(X, W, num_heads):
    step, d_k = len(W) // num_heads, W.shape[1] // num_heads
    pieces = split_heads(X, num_heads)
    heads = []
    for i in range(num_heads):
        block = W[i * step : (i + 1) * step, i * d_k : (i + 1) * d_k]
        heads.append(pieces[..., i, :, :] @ block)
    return np.stack(heads, axis=-2)


# 16.4


def start_logs(draws):
    factor = math.exp(0.5 * (math.log(12) - math.log(draws.shape[0])))
    return draws * factor - factor / 2


def start_in_and_out(draws):
    d_in, d_out = draws.shape
    centred = draws - 0.5
    factor = np.sqrt(24 / (d_in + d_out))
    return centred * factor


def start_measured(draws):
    d_in = len(draws)
    centred = draws - draws.mean()
    factor = 1 / (draws.std() * np.sqrt(d_in))
    return centred * factor


def start_columns(draws):
    width = draws.shape[-1]
    return (draws - 0.5) * (12 / width)


INVENTED = [
    ("residual_and_norm.residual", residual_half, ("halves the sum: returns the mean of x and attend(x)",)),
    (
        "residual_and_norm.residual",
        residual_row_after_row,
        ("adds row after row in place, so attend sees earlier rows that already hold their sums, instead of x",),
    ),
    (
        "residual_and_norm.residual",
        residual_change,
        ("subtracts what attention gives instead of adding it", "attend gets layer_norm(x) instead of x"),
    ),
    (
        "residual_and_norm.residual",
        residual_again,
        ("applies attend twice, one after the other", "takes the mean of the two parts instead of their sum"),
    ),
    ("residual_and_norm.row", row_vdot, ()),
    (
        "residual_and_norm.row",
        row_each_root,
        ("takes the root of each squared deviation before the mean, so it divides by the mean absolute deviation",),
    ),
    (
        "residual_and_norm.row",
        row_median,
        ("subtracts the median instead of the mean", "divides the sum of squares by d_model - 1"),
    ),
    (
        "residual_and_norm.row",
        row_squares,
        ("the variance is the mean of the squares of the row that is not centred", "the root is missing"),
    ),
    (
        "residual_and_norm.layer_norm",
        ln_bias_first,
        ("adds the bias before multiplying by the gain, so the gain multiplies the bias too",),
    ),
    ("residual_and_norm.layer_norm", ln_one_plus, ("multiplies by 1 + gain instead of gain",)),
    (
        "residual_and_norm.layer_norm",
        ln_sentence,
        (
            "one mean and variance for the whole sentence, over the last two axes, instead of one for each row",
            "divides by the variance, without the root",
        ),
    ),
    (
        "residual_and_norm.layer_norm",
        ln_columns,
        (
            "the mean is taken over the tokens (for each column) instead of over each row",
            "adds the bias before multiplying by the gain",
        ),
    ),
    (
        "residual_and_norm.undo",
        undo_root_of_root,
        ("multiplies by the square root of root, as if root were the variance",),
    ),
    (
        "residual_and_norm.undo",
        undo_mean_first,
        ("adds the mean before multiplying by root, so root multiplies the mean too",),
    ),
    (
        "residual_and_norm.undo",
        undo_minus,
        ("divides by the gain before subtracting the bias", "subtracts the mean instead of adding it"),
    ),
    (
        "residual_and_norm.undo",
        undo_exchange,
        ("multiplies by the gain instead of dividing", "mean and root exchanged: multiplies by mean and adds root"),
    ),
    ("residual_and_norm.both", both_chain, ("pre takes post as its input instead of x",)),
    (
        "residual_and_norm.both",
        both_branch,
        ("pre normalises the output of attention, layer_norm(attend(x)), instead of its input",),
    ),
    (
        "residual_and_norm.both",
        both_return,
        ("returns pre first and post second", "pre adds to the normalised rows instead of x"),
    ),
    (
        "residual_and_norm.both",
        both_norms,
        (
            "in post attention gets the normalised rows instead of x",
            "in pre the norm stands on the residual path instead of in front of attend: layer_norm(x) + attend(x)",
        ),
    ),
    ("residual_and_norm.repair", repair_flat, ()),
    (
        "residual_and_norm.repair",
        repair_same_axes,
        ("mean and variance are both taken over the tokens (axis -2) instead of over each row",),
    ),
    (
        "residual_and_norm.repair",
        repair_end,
        (
            "post-norm: the norm stands after the sum instead of before attention",
            "the mean is still taken over the tokens (axis -2)",
        ),
    ),
    (
        "residual_and_norm.repair",
        repair_centred,
        (
            "the residual adds the centred rows instead of the original x",
            "the variance is taken over the tokens (axis -2)",
        ),
    ),
    (
        "residual_and_norm.dropout",
        dropout_full_rows,
        ("divides what is left by the row's sum, so that each row sums to 1, instead of by 1 - rate",),
    ),
    (
        "residual_and_norm.dropout",
        dropout_hand_out,
        ("hands the lost weight of a row out evenly to its kept entries instead of dividing these by 1 - rate",),
    ),
    (
        "residual_and_norm.dropout",
        dropout_counted,
        (
            "kept is read the wrong way round: the kept weights become 0",
            "divides by the fraction counted in this draw instead of 1 - rate",
        ),
    ),
    (
        "residual_and_norm.dropout",
        dropout_shrink,
        (
            "multiplies the kept weights by 1 - rate instead of dividing",
            "the dropped weights do not become 0, they are multiplied by rate",
        ),
    ),
    ("what_a_head_does.scores", scores_einsum, ()),
    (
        "what_a_head_does.scores",
        scores_other_way,
        ("X and context exchanged their sides of M, that is, M is transposed",),
    ),
    (
        "what_a_head_does.scores",
        scores_shares,
        ("applies a softmax, returns weights instead of scores", "scales by the root of d_model instead of d_k"),
    ),
    (
        "what_a_head_does.scores",
        scores_two_sides,
        ("M is applied twice, to X and to context", "divides by d_k without the root"),
    ),
    (
        "what_a_head_does.previous",
        previous_roll,
        ("wraps around: the first token looks at the last one instead of having zeros",),
    ),
    (
        "what_a_head_does.previous",
        previous_triangle,
        ("the score is 1 for all earlier tokens, not only for the one before",),
    ),
    (
        "what_a_head_does.previous",
        previous_circle,
        (
            "each token looks at the next token instead of the one before",
            "wraps around at the edge: the last looks at the first",
        ),
    ),
    (
        "what_a_head_does.previous",
        previous_start,
        ("the first token looks at itself instead of having zeros", "the scores are the root of n instead of 1"),
    ),
    ("what_a_head_does.turned", turned_solve, ()),
    ("what_a_head_does.turned", turned_transposed, ("multiplies by the transpose of A, without the inverse",)),
    ("what_a_head_does.turned", turned_same, ("A is not inverted", "A is not transposed")),
    ("what_a_head_does.turned", turned_scaled, ("the inverse is not transposed", "divides by the root of d_k")),
    (
        "what_a_head_does.parts",
        parts_steps,
        ("each head takes every h-th row of W_O instead of its block of d_v neighbouring rows",),
    ),
    (
        "what_a_head_does.parts",
        parts_running,
        ("returns running sums over the heads instead of what each head adds by itself",),
    ),
    (
        "what_a_head_does.parts",
        parts_reshape,
        (
            "each head takes every h-th row of W_O instead of its block of d_v neighbouring rows",
            "divides by the number of heads",
        ),
    ),
    (
        "what_a_head_does.parts",
        parts_window,
        ("head i's block of W_O begins at row i instead of i * d_v", "returns running sums over the heads"),
    ),
    ("stacks.feed_forward", ff_where, ()),
    ("stacks.feed_forward", ff_late_bias, ("adds b_1 after the max with 0 instead of before",)),
    ("stacks.feed_forward", ff_clip, ("cuts the wide rows off at 1 too, not only at 0", "adds x (the residual sum)")),
    (
        "stacks.feed_forward",
        ff_last,
        ("the max with 0 is taken of the result instead of the wide rows", "b_1 is missing"),
    ),
    ("stacks.encoder_layer", encoder_feed_x, ("feed gets x instead of the rows after attention",)),
    (
        "stacks.encoder_layer",
        encoder_from_start,
        ("the second sum adds x, the layer's input, instead of the rows after attention",),
    ),
    (
        "stacks.encoder_layer",
        encoder_mixed,
        ("the first sublayer has no sum: norm(attend(x))", "the second sublayer is pre-norm instead of post-norm"),
    ),
    (
        "stacks.encoder_layer",
        encoder_turn,
        (
            "feed-forward comes first and attention second",
            "the first norm is taken of the sublayer's output alone, before the sum",
        ),
    ),
    ("stacks.decoder_layer", decoder_reduce, ()),
    ("stacks.decoder_layer", decoder_x_asks, ("in cross-attention x asks instead of the rows after self-attention",)),
    (
        "stacks.decoder_layer",
        decoder_upper,
        (
            "the mask is the upper triangle: each token may attend to itself and later ones",
            "the second sum adds x instead of the rows after self-attention",
        ),
    ),
    (
        "stacks.decoder_layer",
        decoder_open,
        ("the mask is True everywhere, not causal", "feed-forward comes before cross-attention"),
    ),
    ("stacks.stack", stack_plus, ("adds the rows once more to what each layer returns",)),
    (
        "stacks.stack",
        stack_side_by_side,
        ("every layer gets x itself and the changes are added up, instead of one layer after the other",),
    ),
    ("stacks.stack", stack_top_down, ("the last layer comes first", "the norm stands at the start instead of the end")),
    ("stacks.stack", stack_range, ("the last layer is left out", "adds x once more before the norm")),
    ("stacks.parameters", count_shapes, ()),
    ("stacks.parameters", count_wide_norm, ("the second norm is counted with width d_ff instead of d_model",)),
    (
        "stacks.parameters",
        count_narrow,
        (
            "attention without W_O: three matrices instead of four",
            "b_1 is counted with d_model numbers instead of d_ff",
        ),
    ),
    (
        "stacks.parameters",
        count_gains,
        ("counts a bias for each of the four attention matrices", "counts the norms without their biases"),
    ),
    (
        "find_the_bug.divisor",
        divisor_range,
        (
            "divides the range (largest minus smallest dot product) by the log ratio of the first two "
            "weights, not the same pair",
        ),
    ),
    (
        "find_the_bug.divisor",
        divisor_odds,
        ("takes weight 1 against all the others together, 1 - weights[0], instead of against weight 2",),
    ),
    (
        "find_the_bug.divisor",
        divisor_odds_over,
        (
            "takes weight 1 against all the others together instead of against weight 2",
            "upside down: log divided by the difference of the dot products",
        ),
    ),
    (
        "find_the_bug.divisor",
        divisor_square,
        ("logarithm to base 2 instead of the natural one", "squares the divisor (returns d_k instead of its root)"),
    ),
    ("find_the_bug.one_line", one_line_hsplit, ()),
    ("find_the_bug.one_line", one_line_last, ("each head takes every h-th column instead of neighbouring columns",)),
    (
        "find_the_bug.one_line",
        one_line_model,
        (
            "the softmax runs over the queries instead of the keys",
            "scales by the root of the whole width instead of a head's width",
        ),
    ),
    (
        "find_the_bug.one_line",
        one_line_flat,
        (
            "heads are still cut by reshape(num_heads, n, -1), which mixes tokens and heads",
            "merges with reshape(n, -1), without bringing the heads behind the tokens",
        ),
    ),
    (
        "find_the_bug.two_lines",
        padded_query_count,
        ("scales by the root of the number of queries instead of the width",),
    ),
    (
        "find_the_bug.two_lines",
        padded_values,
        ("sets the values of the padding to 0 instead of masking, so padding keys still get weight in the softmax",),
    ),
    (
        "find_the_bug.two_lines",
        padded_longest,
        ("one length for all sentences: the largest", "scales by the root of the number of keys instead of the width"),
    ),
    (
        "find_the_bug.two_lines",
        padded_times,
        ("scores of padding become 0 instead of being hidden", "still scales by the root of the batch size"),
    ),
    ("find_the_bug.check", verdict_many_shapes, ()),
    ("find_the_bug.check", verdict_narrow, ("queries and keys have width 1, so a wrong scale stays invisible",)),
    (
        "find_the_bug.check",
        verdict_total,
        (
            "Q, K and V are the same array, so exchanged arguments stay invisible",
            "compares only the sum of all numbers of the output",
        ),
    ),
    (
        "find_the_bug.check",
        verdict_zeros,
        (
            "Q is all zeros, so all scores are 0 and mistakes in them stay invisible",
            "compares only the means over the queries, not each query's row",
        ),
    ),
    (
        "find_the_bug.keys_in_turns",
        turns_exp,
        ("takes a softmax of the sums, so exp of sums that are already sums of exp",),
    ),
    (
        "find_the_bug.keys_in_turns",
        turns_all,
        ("divides by the total of all queries instead of each query's own total",),
    ),
    (
        "find_the_bug.keys_in_turns",
        turns_one_share,
        ("one share for all queries, from sums added up over the queries", "the two shares are exchanged"),
    ),
    (
        "find_the_bug.keys_in_turns",
        turns_softmax,
        ("takes exp of the sums", "normalises over the queries within a turn instead of over the two turns"),
    ),
    ("learning.softmax", ds_jacobian, ()),
    (
        "learning.softmax",
        ds_plain_mean,
        ("subtracts the plain mean of dA instead of the mean weighted by the weights",),
    ),
    (
        "learning.softmax",
        ds_total,
        (
            "the sum runs over all queries together instead of over each row",
            "the subtracted sum is not multiplied by the weights",
        ),
    ),
    (
        "learning.softmax",
        ds_own_only,
        (
            "only the diagonal of the Jacobian: weights * (1 - weights) * dA",
            "divides by the root of the number of keys",
        ),
    ),
    (
        "learning.queries_keys",
        slopes_keys_count,
        ("divides by the root of the number of keys instead of the root of d_k",),
    ),
    ("learning.queries_keys", slopes_chain, ("dK is made from dQ instead of Q",)),
    (
        "learning.queries_keys",
        slopes_times,
        ("multiplies by the root of d_k instead of dividing", "returns dK first and dQ second"),
    ),
    (
        "learning.queries_keys",
        slopes_minus,
        ("both gradients have the wrong sign", "divides by d_k instead of its root"),
    ),
    (
        "learning.shared",
        dw_means,
        (
            "takes the means of X and dQ over the sentences first and multiplies these, instead of the "
            "mean of the products",
        ),
    ),
    ("learning.shared", dw_all_tokens, ("divides by the number of all tokens instead of the number of sentences",)),
    (
        "learning.shared",
        dw_reshape,
        ("reshapes X to (d_model, batch * n) instead of transposing", "sum over the sentences instead of the mean"),
    ),
    (
        "learning.shared",
        dw_loop,
        (
            "each sentence overwrites the one before, only the last one counts",
            "divides by the number of tokens of a sentence instead of the number of sentences",
        ),
    ),
    (
        "learning.step",
        step_query_mean,
        ("divides the gradient by the number of queries (mean loss instead of the sum)",),
    ),
    ("learning.step", step_one_sum, ("the sum inside the softmax gradient runs over all queries instead of each row",)),
    (
        "learning.step",
        step_upwards,
        ("adds the gradient instead of subtracting it", "factor 2: forgets that the loss has a half"),
    ),
    (
        "learning.step",
        step_diagonal,
        (
            "scales the scores by the root of d_v before the softmax",
            "only the diagonal of the softmax's Jacobian: weights * (1 - weights)",
        ),
    ),
    ("learning.one_head", back_by_query, ()),
    ("learning.one_head", back_mask_after, ("masks the weights after the softmax, without normalising them again",)),
    ("learning.one_head", back_open, ("the mask is ignored", "dQ and dK are not divided by the root of d_k")),
    (
        "learning.one_head",
        back_down,
        (
            "the sum inside the softmax gradient runs over the queries (axis 0) instead of the keys",
            "dQ and dK are divided by d_k instead of its root",
        ),
    ),
    ("heads_that_learn.repeated", repeated_modulo, ()),
    (
        "heads_that_learn.repeated",
        repeated_roll,
        ("the last answer is the sentence's first letter instead of the word's next letter",),
    ),
    (
        "heads_that_learn.repeated",
        repeated_next_seen,
        (
            "the last answer is the sentence's first letter instead of the word's next letter",
            "counts is True one place too early: asks whether the next letter, not this place's, has been there before",
        ),
    ),
    (
        "heads_that_learn.repeated",
        repeated_each,
        ("repeats each letter several times in a row instead of the whole word", "counts begins one place too late"),
    ),
    (
        "heads_that_learn.looks",
        looks_roll,
        ("wraps around: the last letter counts as the letter before the first key",),
    ),
    ("heads_that_learn.looks", looks_nearest, ("marks only the nearest good key of each query instead of all",)),
    (
        "heads_that_learn.looks",
        looks_ahead,
        ("compares with the letter after the key instead of before it", "keys after the query are not excluded"),
    ),
    (
        "heads_that_learn.looks",
        looks_triu,
        (
            "wraps around: the last letter counts as the letter before the first key",
            "keeps the keys after the query and excludes those before it",
        ),
    ),
    (
        "heads_that_learn.share",
        share_all_queries,
        ("divides by the number of all queries instead of those that count",),
    ),
    (
        "heads_that_learn.share",
        share_entries,
        ("takes the mean over all single marked weights instead of over the sums of the queries",),
    ),
    (
        "heads_that_learn.share",
        share_best,
        (
            "takes the largest weight at the marked keys instead of the sum",
            "divides by the number of all queries instead of those that count",
        ),
    ),
    (
        "heads_that_learn.share",
        share_any,
        (
            "counts is ignored: takes all queries that have a marked key",
            "mean of the weights at the marked keys of a query instead of their sum",
        ),
    ),
    ("real_model.rotary", rotary_complex, ()),
    (
        "real_model.rotary",
        rotary_column_number,
        ("uses the column number instead of the pair number in the exponent, so it is twice as large",),
    ),
    (
        "real_model.rotary",
        rotary_halves,
        ("pairs column i with column i + d_k/2 instead of neighbouring columns", "base 10000 instead of 100000"),
    ),
    (
        "real_model.rotary",
        rotary_from_first,
        ("counts positions from the first given one, as if that were 0", "turns in the opposite direction"),
    ),
    ("real_model.cache", cache_on_top, ("puts the new key and the new value above the old rows instead of below",)),
    ("real_model.cache", cache_row_count, ("scales by the root of the number of keys instead of d_k",)),
    (
        "real_model.cache",
        cache_crossed,
        ("the new value stands above the old ones while the new key stands below", "the scale is missing"),
    ),
    (
        "real_model.cache",
        cache_plus,
        ("divides by d_k instead of its root", "adds the newest value to the output once more"),
    ),
    (
        "real_model.cache_size",
        bytes_groups,
        ("counts num_heads / num_kv_heads tables in each layer instead of num_kv_heads",),
    ),
    ("real_model.cache_size", bytes_without_newest, ("counts n - 1 tokens instead of n",)),
    (
        "real_model.cache_size",
        bytes_every_step,
        (
            "adds up the cache of every step, 1 + 2 + ... + n tokens, instead of n tokens",
            "counts only the keys or only the values, not both",
        ),
    ),
    ("real_model.cache_size", bytes_queries_too, ("counts the queries as cached too", "counts one layer too many")),
    (
        "real_model.induction",
        copying_diagonal,
        ("takes one query too many: the last query of the first half, with key 1",),
    ),
    (
        "real_model.induction",
        copying_winner,
        ("counts how often the right key has the largest weight instead of taking the mean of its weights",),
    ),
    (
        "real_model.induction",
        copying_earlier,
        (
            "takes the weight of the earlier occurrence itself instead of the token after it",
            "sum over the queries instead of the mean",
        ),
    ),
    (
        "real_model.induction",
        copying_trace,
        (
            "takes one query too many: the last query of the first half, with key 1",
            "divides by 2n instead of the number of queries in the second half",
        ),
    ),
    ("real_model.shared", keys_broadcast, ()),
    (
        "real_model.shared",
        keys_rest,
        ("head i gets table i as long as there are any, all further heads get the last table",),
    ),
    (
        "real_model.shared",
        keys_thin,
        (
            "the tables take turns (1, 2, 1, 2, ...) instead of neighbours sharing one",
            "divides the keys by the number of heads that share them",
        ),
    ),
    (
        "real_model.shared",
        keys_linspace,
        (
            "spreads the table numbers by linspace and truncates, so only the last head gets the last table",
            "divides the keys by the root of d_k",
        ),
    ),
    ("five_treatments.full_form", full_kron, ()),
    (
        "five_treatments.full_form",
        full_woven,
        ("weaves the copies of W into each other (every h-th row and column) instead of blocks on the diagonal",),
    ),
    (
        "five_treatments.full_form",
        full_corner,
        ("the blocks stand on the other diagonal, from top right to bottom left", "W is transposed"),
    ),
    (
        "five_treatments.full_form",
        full_tile,
        ("W stands in every block, not only on the diagonal", "divides by the number of heads"),
    ),
    (
        "five_treatments.whole_row",
        whole_strides,
        ("head i gets every h-th column of W instead of neighbouring columns",),
    ),
    (
        "five_treatments.whole_row",
        whole_reshape,
        (
            "reshapes straight to (h, n, d_k), which mixes tokens and heads, instead of cutting "
            "columns and moving the axis",
        ),
    ),
    (
        "five_treatments.whole_row",
        whole_woven,
        ("head i gets every h-th column of W instead of neighbouring columns", "divides by the root of d_k"),
    ),
    (
        "five_treatments.whole_row",
        whole_blocks,
        (
            "each head sees only its piece of the row, through its diagonal block of W",
            "the head axis stands behind the tokens: (n, h, d_k) instead of (h, n, d_k)",
        ),
    ),
    ("five_treatments.weights", start_logs, ()),
    (
        "five_treatments.weights",
        start_in_and_out,
        ("uses the mean of d_in and d_out instead of d_in for the variance",),
    ),
    (
        "five_treatments.weights",
        start_measured,
        (
            "subtracts the mean of these draws instead of one half",
            "divides by the standard deviation of these draws instead of the root of 1/12",
        ),
    ),
    (
        "five_treatments.weights",
        start_columns,
        ("the root of the factor is missing", "takes the number of columns instead of rows as d_in"),
    ),
]

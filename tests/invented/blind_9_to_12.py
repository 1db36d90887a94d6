"""Answers to the exercises of lessons 9 to 12, written from the tasks alone, and tried only after the last change."""

import functools
import math

import numpy as np

from mha_course import attention, causal_mask, layer_norm, merge_heads, softmax, split_heads

# residual_and_norm.residual


def residual_a(x, attend):
    return np.stack([x, attend(x)]).sum(axis=0)


def residual_b(x, attend):
    new_rows = attend(x)
    return new_rows


def residual_d(x, attend):
    return layer_norm(x + attend(x))


def residual_e(x, attend):
    mixed = attend(x)
    return layer_norm(mixed)


# residual_and_norm.row


def row_a(row, eps):
    values = [float(v) for v in row]
    mean = math.fsum(values) / len(values)
    spread = math.fsum((v - mean) ** 2 for v in values) / len(values)
    return np.array([(v - mean) / math.sqrt(spread + eps) for v in values])


def row_b(row, eps):
    row = np.asarray(row, dtype=float)
    d = row.size
    centring = np.eye(d) - np.full((d, d), 1 / d)
    centred = centring @ row
    return centred * (np.dot(centred, centred) / d + eps) ** -0.5


def row_d(row, eps):
    centred = row - np.mean(row)
    variance = np.mean(centred**2)
    return centred / (variance + eps)


def row_e(row, eps):
    centred = row - row.mean()
    variance = row.var()
    return centred / (np.sqrt(variance) + eps)


def row_f(row, eps):
    variance = row.var(ddof=1)
    return row / np.sqrt(variance + eps)


# residual_and_norm.layer_norm


def layer_norm_a(x, gain, bias, eps):
    d = x.shape[-1]
    centred = x - np.einsum("...d->...", x)[..., None] / d
    variance = np.einsum("...d,...d->...", centred, centred) / d
    return np.einsum("...d,...,d->...d", centred, 1 / np.sqrt(variance + eps), gain) + bias


def layer_norm_b(x, gain, bias, eps):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-2, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps) * gain + bias


def layer_norm_d(x, gain, bias, eps):
    mean = np.mean(x)
    variance = np.mean((x - mean) ** 2)
    return gain * ((x - mean) / np.sqrt(variance + eps) + bias)


def layer_norm_e(x, gain, bias, eps):
    mean = np.expand_dims(x.mean(-1), -1)
    variance = np.expand_dims(np.mean(x * x, -1), -1)
    return (x - mean) / (variance + eps) ** 0.5 * gain + bias


def layer_norm_f(x, gain, bias, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return bias * ((x - mean) / (variance + eps)) + gain


# residual_and_norm.undo


def undo_a(y, gain, bias, mean, root):
    normalised = np.moveaxis((y - bias) / gain, -1, 0)
    return np.moveaxis(normalised * root + mean, 0, -1)


def undo_b(y, gain, bias, mean, root):
    normalised = y / gain - bias
    return normalised * root[..., None] + mean[..., None]


def undo_c(y, gain, bias, mean, root):
    normalised = (y - bias) / gain
    return normalised / root[..., np.newaxis] + mean[..., np.newaxis]


def undo_d(y, gain, bias, mean, root):
    m = mean.reshape(mean.shape + (1,))
    r = root.reshape(root.shape + (1,))
    normalised = (y - bias) / gain
    return r * (normalised + m)


def undo_e(y, gain, bias, mean, root):
    normalised = y / gain - bias
    return (normalised + mean[..., None]) * root[..., None]


# residual_and_norm.both


def both_a(x, attend):
    def unit(rows):
        rows = rows - rows.mean(-1, keepdims=True)
        return rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-5)

    order = [(lambda r: r, unit), (unit, lambda r: r)]
    post, pre = (after(x + attend(before(x))) for before, after in order)
    return post, pre


def both_c(x, attend):
    post = layer_norm(x + attend(x))
    x = layer_norm(x)
    pre = x + attend(x)
    return post, pre


def both_d(x, attend):
    change = attend(x)
    post = x + layer_norm(change)
    pre = x + attend(layer_norm(x))
    return post, pre


def both_e(x, attend):
    normed = layer_norm(x)
    post = layer_norm(attend(x))
    pre = normed + attend(normed)
    return post, pre


# residual_and_norm.repair


def repair_a(x, attend, gain, bias):
    centred = x - np.average(x, axis=-1)[..., None]
    length = np.linalg.norm(centred, axis=-1, keepdims=True)
    variance = length**2 / x.shape[-1]
    return attend(centred / np.sqrt(variance + 0.00001) * gain + bias) + x


def repair_b(x, attend, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    x = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(x)


def repair_c(x, attend, gain, bias):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    normed = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(normed)


def repair_d(x, attend, gain, bias):
    x = x + attend(x)
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 0.00001) * gain + bias


def repair_e(x, attend, gain, bias):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-2, keepdims=True)
    x = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(x)


# residual_and_norm.dropout


def dropout_a(weights, kept, rate):
    result = np.zeros(np.shape(weights))
    result[kept] = weights[kept] / (1 - rate)
    return result


def dropout_b(weights, kept, rate):
    return np.where(kept, weights / rate, 0)


def dropout_c(weights, kept, rate):
    stays = np.count_nonzero(kept) / kept.size
    return weights * kept / stays


def dropout_d(weights, kept, rate):
    new = weights * kept
    return new / new.sum(axis=-1, keepdims=True)


def dropout_e(weights, kept, rate):
    out = np.array(weights, dtype=float)
    out[kept] = 0
    return out * (1 - rate)


# what_a_head_does.scores


def scores_a(X, context, M, d_k):
    result = np.empty((len(X), len(context)))
    for i, asking in enumerate(X):
        for j, answering in enumerate(context):
            result[i, j] = np.sum(np.outer(asking, answering) * M) / math.sqrt(d_k)
    return result


def scores_b(X, context, M, d_k):
    scaled = M / d_k**0.5
    return np.einsum("qa,ab,kb->qk", X, scaled, context)


def scores_c(X, context, M, d_k):
    queries = X
    keys = context @ M
    return queries @ keys.T / np.sqrt(d_k)


def scores_d(X, context, M, d_k):
    d_model = X.shape[1]
    return X @ M @ context.T / d_model**0.5


def scores_e(X, context, M, d_k):
    s = np.einsum("qa,ba,kb->qk", X, M, context)
    return s / np.sqrt(M.shape[0])


# what_a_head_does.previous


def previous_a(n):
    W_Q = np.zeros((n, n))
    W_K = np.zeros((n, n))
    for token in range(1, n):
        W_Q[token, n - token] = 4
        W_K[token - 1, n - token] = 0.25
    return W_Q @ W_K.T


def previous_b(n):
    def build(k):
        if k == 1:
            return np.zeros((1, 1))
        bigger = np.pad(build(k - 1), ((0, 1), (0, 1)))
        bigger[-1, -2] = 1
        return bigger

    return build(n)


def previous_c(n):
    W_Q = np.eye(n)
    W_K = np.eye(n, k=-1)
    return W_Q @ W_K.T


def previous_d(n):
    W_Q = np.identity(n)
    W_K = np.roll(np.identity(n), -1, axis=0)
    return W_Q @ W_K.T


def previous_f(n):
    W_Q = np.zeros((n, n))
    for i in range(n):
        W_Q[i, (i + 1) % n] = 1
    W_K = np.eye(n)
    return W_Q @ W_K.T


# what_a_head_does.turned


def turned_a(W_Q, A):
    return np.linalg.solve(A, W_Q.T).T


def turned_b(W_Q, A):
    return W_Q @ np.linalg.inv(A)


def turned_c(W_Q, A):
    return np.array([A @ row for row in W_Q])


def turned_d(W_Q, A):
    transposed = np.transpose(A)
    columns = np.linalg.inv(transposed)
    return np.array([[sum(w * c for w, c in zip(row, column)) for column in columns.T] for row in W_Q])


def turned_e(W_Q, A):
    return np.einsum("mi,ij->mj", W_Q, A)


# what_a_head_does.parts


def parts_a(heads, W_O):
    result = []
    for i in range(len(heads)):
        alone = np.zeros(heads.shape)
        alone[i] = heads[i]
        result.append(merge_heads(alone) @ W_O)
    return np.array(result)


def parts_b(heads, W_O):
    h = heads.shape[0]
    return np.stack([heads[i] @ W_O[i::h] for i in range(h)])


def parts_c(heads, W_O):
    h, n, d_v = heads.shape
    blocks = W_O.reshape(h, d_v, -1)
    return np.sum(heads @ blocks, axis=0)


def parts_d(heads, W_O):
    d_v = heads.shape[-1]
    return heads @ W_O[:d_v]


def parts_e(heads, W_O):
    h, _, d_v = heads.shape
    blocks = W_O.reshape(d_v, h, -1).swapaxes(0, 1)
    return np.einsum("hnv,hvm->hnm", heads, blocks) / h


# stacks.feed_forward


def feed_forward_a(x, W_1, b_1, W_2, b_2):
    one = np.ones(x.shape[:-1] + (1,))
    wide = np.concatenate([x, one], axis=-1) @ np.vstack([W_1, b_1])
    wide = (wide + np.abs(wide)) / 2
    return np.concatenate([wide, one], axis=-1) @ np.vstack([W_2, b_2])


def feed_forward_b(x, W_1, b_1, W_2, b_2):
    wide = x @ W_1 + b_1
    return np.maximum(0, wide @ W_2 + b_2)


def feed_forward_c(x, W_1, b_1, W_2, b_2):
    wide = np.clip(x @ W_1, 0, None) + b_1
    return wide @ W_2 + b_2


def feed_forward_e(x, W_1, b_1, W_2, b_2):
    wide = np.einsum("...i,ij->...j", x, W_1)
    wide = np.where(wide > 0, wide, 0)
    narrow = np.einsum("...j,ji->...i", wide, W_2) + b_2
    return np.where(narrow > 0, narrow, 0)


# stacks.encoder_layer


def encoder_layer_a(x, attend, feed, norm):
    return functools.reduce(lambda rows, step: norm(np.add(rows, step(rows))), (attend, feed), x)


def encoder_layer_b(x, attend, feed, norm):
    after_attention = norm(x + attend(x))
    return norm(x + feed(after_attention))


def encoder_layer_c(x, attend, feed, norm):
    after_attention = x + attend(norm(x))
    return after_attention + feed(norm(after_attention))


def encoder_layer_e(x, attend, feed, norm):
    after_attention = norm(attend(x))
    return after_attention + feed(after_attention)


# stacks.decoder_layer


def decoder_layer_a(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    steps = [
        lambda rows: attend(rows, np.arange(n)[:, None] >= np.arange(n)[None, :]),
        lambda rows: ask(rows, memory),
        feed,
    ]
    rows = x
    for step in steps:
        rows = norm(rows + step(rows))
    return rows


def decoder_layer_b(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.triu(np.ones((n, n), dtype=bool))
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


def decoder_layer_c(x, memory, attend, ask, feed, norm):
    mask = causal_mask(x.shape[-2])
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(after_self, after_self))
    return norm(after_cross + feed(after_cross))


def decoder_layer_e(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.full((n, n), True)
    after_self = norm(x + attend(x, mask))
    after_cross = norm(ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


def decoder_layer_f(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.array([[j < i for j in range(n)] for i in range(n)])
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(after_self, memory))
    return norm(feed(after_cross))


# stacks.stack


def stack_a(x, layers, norm):
    def climb(rows, rest):
        if len(rest) == 0:
            return norm(rows)
        return climb(rest[0](rows), rest[1:])

    return climb(x, list(layers))


def stack_b(x, layers, norm):
    rows = x
    for layer in layers:
        rows = norm(rows + layer(rows))
    return rows


def stack_c(x, layers, norm):
    rows = x
    for layer in layers:
        rows = rows + layer(rows)
    return norm(rows)


def stack_e(x, layers, norm):
    rows = x
    for layer in layers:
        rows = layer(x)
    return norm(rows)


def stack_f(x, layers, norm):
    rows = x
    for layer in layers[::-1]:
        rows = layer(rows)
    return rows


# stacks.parameters


def parameters_a(d_model, d_ff):
    attention_shapes = [(d_model, d_model)] * 4
    feed_shapes = [(d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)]
    norm_shapes = [(d_model,)] * 4
    return tuple(sum(map(math.prod, shapes)) for shapes in (attention_shapes, feed_shapes, norm_shapes))


def parameters_b(d_model, d_ff):
    of_attention = 4 * d_model**2
    of_feed_forward = 2 * d_model * d_ff
    of_norms = 4 * d_model
    return of_attention, of_feed_forward, of_norms


def parameters_c(d_model, d_ff):
    of_attention = 4 * d_model * d_model
    of_feed_forward = d_model * d_ff + d_ff + d_ff * d_model + d_ff
    of_norms = 2 * (d_model + d_model)
    return of_attention, of_feed_forward, of_norms


def parameters_e(d_model, d_ff):
    of_attention = 3 * d_model**2
    of_feed_forward = 2 * d_model * d_ff + d_ff + d_model
    of_norms = 2 * 2
    return of_attention, of_feed_forward, of_norms


# find_the_bug.divisor


def divisor_a(dots, weights):
    logs = np.log(weights)
    d = dots - np.mean(dots)
    return np.dot(d, d) / np.dot(d, logs - logs.mean())


def divisor_b(dots, weights):
    ratio = weights[0] / weights[1]
    return (dots[0] - dots[1]) / ratio


def divisor_c(dots, weights):
    ratio = weights[0] / weights[1]
    return np.log(ratio) / (dots[0] - dots[1])


def divisor_e(dots, weights):
    first, second = np.log10(weights[:2])
    return (dots[1] - dots[0]) / (first - second)


# find_the_bug.one_line


def one_line_a(X, W_Q, W_K, W_V, num_heads):
    outputs = []
    for Wq, Wk, Wv in zip(*(np.hsplit(W, num_heads) for W in (W_Q, W_K, W_V))):
        scores = (X @ Wq) @ (X @ Wk).T / math.sqrt(Wq.shape[1])
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        outputs.append(e @ (X @ Wv) / e.sum(axis=1)[:, None])
    return np.hstack(outputs)


def one_line_b(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = (np.moveaxis((X @ W).reshape(n, -1, num_heads), -1, 0) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V)


def one_line_c(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(n, num_heads, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return (weights @ V).reshape(n, -1)


def one_line_d(X, W_Q, W_K, W_V, num_heads):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(W_Q.shape[-1]))
    return merge_heads(weights @ V)


def one_line_e(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(num_heads, n, -1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / Q.shape[-1])
    return merge_heads(weights @ V)


# find_the_bug.two_lines


def two_lines_a(Q, K, V, lengths):
    batch, n_q, d = Q.shape
    out = np.zeros((batch, n_q, V.shape[-1]))
    for b in range(batch):
        keep = int(lengths[b])
        if keep == 0:
            continue
        out[b] = attention(Q[b], K[b, :keep], V[b, :keep]).output
    return out


def two_lines_b(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
    position = np.arange(K.shape[-2])
    real = position <= lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


def two_lines_c(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / len(K[0]) ** 0.5
    position = np.arange(K.shape[-2])
    real = position <= lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


def two_lines_d(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
    position = np.arange(K.shape[-2])
    real = position < lengths[:, None]
    weights = softmax(scores) * real[:, None, :]
    return weights @ V


def two_lines_e(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]
    position = np.arange(1, K.shape[-2] + 1)
    real = position < lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


# find_the_bug.check


def check_a(candidate):
    rng = np.random.default_rng(11)
    for n_q, n_k, d_k, d_v in [(3, 5, 4, 2), (6, 2, 3, 7), (4, 4, 5, 5)]:
        Q = 2 * rng.normal(size=(n_q, d_k))
        K = 2 * rng.normal(size=(n_k, d_k))
        V = 2 * rng.normal(size=(n_k, d_v))
        right = np.zeros((n_q, d_v))
        for i in range(n_q):
            shares = [math.exp(Q[i] @ k / math.sqrt(d_k)) for k in K]
            for share, value in zip(shares, V):
                right[i] += share / sum(shares) * value
        output = candidate(Q.copy(), K.copy(), V.copy())
        if np.shape(output) != right.shape or not np.allclose(output, right):
            return False
    return True


def check_b(candidate):
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    output = candidate(Q, K, V)
    return np.array_equal(output, attention(Q, K, V).output)


def check_c(candidate):
    X = np.random.default_rng(1).normal(size=(5, 4))
    output = candidate(X, X, X)
    is_right = np.shape(output) == X.shape and np.allclose(output, attention(X, X, X).output)
    return bool(is_right)


def check_d(candidate):
    rng = np.random.default_rng(2)
    Q = rng.normal(size=(3, 4))
    K = rng.normal(size=(5, 4))
    V = rng.normal(size=(5, 2))
    output, expected = candidate(Q, K, V), attention(Q, K, V).output
    if np.shape(output) != expected.shape:
        return False
    return bool(np.max(np.abs(output - expected)) < 1)


def check_e(candidate):
    Q, K = np.zeros((2, 4)), np.arange(12.0).reshape(3, 4)
    V = np.random.default_rng(4).normal(size=(3, 5))
    expected = attention(Q, K, V).output
    output = candidate(Q, K, V)
    return np.shape(output) == expected.shape and bool(np.all(output == expected))


# find_the_bug.keys_in_turns


def keys_in_turns_a(output_1, sums_1, output_2, sums_2):
    total = np.logaddexp(np.log(sums_1), np.log(sums_2))
    part_1 = np.exp(np.log(sums_1) - total)
    part_2 = np.exp(np.log(sums_2) - total)
    return (part_1 * output_1.T + part_2 * output_2.T).T


def keys_in_turns_b(output_1, sums_1, output_2, sums_2):
    part_1 = sums_2 / (sums_1 + sums_2)
    part_2 = sums_1 / (sums_1 + sums_2)
    return part_1[:, None] * output_1 + part_2[:, None] * output_2


def keys_in_turns_d(output_1, sums_1, output_2, sums_2):
    both = softmax(np.stack([sums_1, sums_2], axis=-1))
    part_1 = both[:, :1]
    part_2 = both[:, 1:]
    return part_1 * output_1 + part_2 * output_2


def keys_in_turns_e(output_1, sums_1, output_2, sums_2):
    share = np.sum(sums_2) / (np.sum(sums_1) + np.sum(sums_2))
    return share * output_1 + (1 - share) * output_2


INVENTED = [
    ("residual_and_norm.residual", residual_a, ()),
    ("residual_and_norm.residual", residual_b, ("the residual is missing: only attend(x) is returned",)),
    ("residual_and_norm.residual", residual_d, ("a layer norm is taken of the sum",)),
    (
        "residual_and_norm.residual",
        residual_e,
        (
            "the residual is missing: x is not added to attend(x)",
            "a layer norm is taken of the result",
        ),
    ),
    ("residual_and_norm.row", row_a, ()),
    ("residual_and_norm.row", row_b, ()),
    ("residual_and_norm.row", row_d, ("divides by variance + eps without taking the root",)),
    ("residual_and_norm.row", row_e, ("eps is added to the root instead of under the root",)),
    (
        "residual_and_norm.row",
        row_f,
        (
            "the mean is not subtracted from the row that is divided",
            "the variance is divided by d_model - 1 (ddof=1) instead of d_model",
        ),
    ),
    ("residual_and_norm.layer_norm", layer_norm_a, ()),
    (
        "residual_and_norm.layer_norm",
        layer_norm_b,
        ("mean and variance are taken down the columns (axis -2) instead of along each row",),
    ),
    (
        "residual_and_norm.layer_norm",
        layer_norm_d,
        (
            "one mean and one variance over all entries instead of one for each row",
            "the bias is added before the gain multiplies, so the gain scales it",
        ),
    ),
    (
        "residual_and_norm.layer_norm",
        layer_norm_e,
        ("the variance is the mean of the squares of x itself, without subtracting the mean",),
    ),
    (
        "residual_and_norm.layer_norm",
        layer_norm_f,
        (
            "gain and bias are exchanged",
            "divides by variance + eps without taking the root",
        ),
    ),
    ("residual_and_norm.undo", undo_a, ()),
    ("residual_and_norm.undo", undo_b, ("the bias is subtracted after the division by the gain instead of before",)),
    ("residual_and_norm.undo", undo_c, ("divides by the root instead of multiplying",)),
    ("residual_and_norm.undo", undo_d, ("the mean is added before the multiplication by the root instead of after",)),
    (
        "residual_and_norm.undo",
        undo_e,
        (
            "the bias is subtracted after the division by the gain instead of before",
            "the mean is added before the multiplication by the root instead of after",
        ),
    ),
    ("residual_and_norm.both", both_a, ()),
    ("residual_and_norm.both", both_c, ("in pre-norm the residual is the normed x instead of x itself",)),
    ("residual_and_norm.both", both_d, ("post-norm norms attend(x) alone and adds x after the norm",)),
    (
        "residual_and_norm.both",
        both_e,
        (
            "the residual is missing in post-norm",
            "in pre-norm the residual is the normed x instead of x itself",
        ),
    ),
    ("residual_and_norm.repair", repair_a, ()),
    ("residual_and_norm.repair", repair_b, ("the residual is the normed x instead of the original x",)),
    ("residual_and_norm.repair", repair_c, ("the mean is still taken over axis -2 instead of axis -1",)),
    (
        "residual_and_norm.repair",
        repair_d,
        ("post-norm instead of pre-norm: the norm is taken of the sum x + attend(x)",),
    ),
    (
        "residual_and_norm.repair",
        repair_e,
        (
            "mean and variance are taken down the columns (axis -2) instead of along each row",
            "the residual is the normed x instead of the original x",
        ),
    ),
    ("residual_and_norm.dropout", dropout_a, ()),
    ("residual_and_norm.dropout", dropout_b, ("divides by the rate instead of by 1 - rate",)),
    (
        "residual_and_norm.dropout",
        dropout_c,
        ("divides by the fraction that this draw really kept instead of by 1 - rate",),
    ),
    (
        "residual_and_norm.dropout",
        dropout_d,
        ("each row is divided by the sum of its kept weights instead of by 1 - rate",),
    ),
    (
        "residual_and_norm.dropout",
        dropout_e,
        (
            "kept is understood the wrong way round: the weights that should stay become 0",
            "multiplies by 1 - rate instead of dividing",
        ),
    ),
    ("what_a_head_does.scores", scores_a, ()),
    ("what_a_head_does.scores", scores_b, ()),
    ("what_a_head_does.scores", scores_c, ("M is transposed: the scores are X M^T context^T",)),
    ("what_a_head_does.scores", scores_d, ("divides by the root of d_model instead of the root of d_k",)),
    (
        "what_a_head_does.scores",
        scores_e,
        (
            "M is transposed: the scores are X M^T context^T",
            "divides by the root of d_model instead of the root of d_k",
        ),
    ),
    ("what_a_head_does.previous", previous_a, ()),
    ("what_a_head_does.previous", previous_b, ()),
    ("what_a_head_does.previous", previous_c, ("each token looks at the token after it instead of the one before",)),
    (
        "what_a_head_does.previous",
        previous_d,
        ("it wraps around: the first token looks at the last one instead of at none",),
    ),
    (
        "what_a_head_does.previous",
        previous_f,
        (
            "each token looks at the token after it instead of the one before",
            "it wraps around: the token at the end looks at the one at the other end instead of at none",
        ),
    ),
    ("what_a_head_does.turned", turned_a, ()),
    ("what_a_head_does.turned", turned_b, ("the inverse of A is not transposed",)),
    ("what_a_head_does.turned", turned_c, ("A transposed instead of its inverse transposed: the inverse is missing",)),
    ("what_a_head_does.turned", turned_d, ()),
    ("what_a_head_does.turned", turned_e, ("the inverse is missing", "the transpose is missing")),
    ("what_a_head_does.parts", parts_a, ()),
    (
        "what_a_head_does.parts",
        parts_b,
        ("each head takes every h-th row of W_O instead of its block of d_v rows in a row",),
    ),
    ("what_a_head_does.parts", parts_c, ("the parts of the heads are summed instead of returned one by one",)),
    ("what_a_head_does.parts", parts_d, ("all heads use the first d_v rows of W_O",)),
    (
        "what_a_head_does.parts",
        parts_e,
        (
            "each head takes every h-th row of W_O instead of its block of d_v rows in a row",
            "the parts are divided by the number of heads",
        ),
    ),
    ("stacks.feed_forward", feed_forward_a, ()),
    (
        "stacks.feed_forward",
        feed_forward_b,
        ("the max with 0 comes after the second matrix instead of after the first",),
    ),
    ("stacks.feed_forward", feed_forward_c, ("b_1 is added after the max with 0 instead of before",)),
    (
        "stacks.feed_forward",
        feed_forward_e,
        (
            "b_1 is missing",
            "the max with 0 is taken of the result as well",
        ),
    ),
    ("stacks.encoder_layer", encoder_layer_a, ()),
    (
        "stacks.encoder_layer",
        encoder_layer_b,
        ("the second sum adds x of the beginning instead of the rows after attention",),
    ),
    ("stacks.encoder_layer", encoder_layer_c, ("pre-norm instead of post-norm in both sublayers",)),
    (
        "stacks.encoder_layer",
        encoder_layer_e,
        (
            "the residual of the attention sublayer is missing",
            "the norm of the second sublayer is missing",
        ),
    ),
    ("stacks.decoder_layer", decoder_layer_a, ()),
    (
        "stacks.decoder_layer",
        decoder_layer_b,
        ("the mask is the wrong way round: each token sees itself and the later tokens",),
    ),
    ("stacks.decoder_layer", decoder_layer_c, ("cross-attention asks the rows themselves instead of the memory",)),
    (
        "stacks.decoder_layer",
        decoder_layer_e,
        (
            "the mask is True everywhere: self-attention is not causal",
            "the residual of the cross-attention sublayer is missing",
        ),
    ),
    (
        "stacks.decoder_layer",
        decoder_layer_f,
        (
            "the mask does not let a token attend to itself",
            "the residual of the feed-forward sublayer is missing",
        ),
    ),
    ("stacks.stack", stack_a, ()),
    (
        "stacks.stack",
        stack_b,
        (
            "the norm is taken after every layer instead of only at the end",
            "the rows are added once more around each layer",
        ),
    ),
    ("stacks.stack", stack_c, ("the rows are added once more around each layer",)),
    ("stacks.stack", stack_e, ("each layer gets x again, so only the last layer counts",)),
    ("stacks.stack", stack_f, ("the layers are applied in reverse order", "the norm at the end is missing")),
    ("stacks.parameters", parameters_a, ()),
    ("stacks.parameters", parameters_b, ("the biases b_1 and b_2 of the feed-forward network are not counted",)),
    ("stacks.parameters", parameters_c, ("b_2 is counted with d_ff numbers instead of d_model",)),
    (
        "stacks.parameters",
        parameters_e,
        (
            "W_O is not counted: three attention matrices instead of four",
            "gain and bias of a norm are counted as one number each instead of d_model",
        ),
    ),
    ("find_the_bug.divisor", divisor_a, ()),
    ("find_the_bug.divisor", divisor_b, ("the logarithm of the ratio is missing",)),
    ("find_the_bug.divisor", divisor_c, ("upside down: 1 divided by the right number",)),
    (
        "find_the_bug.divisor",
        divisor_e,
        (
            "the logarithm to base 10 instead of the natural one",
            "the difference of the dot products is the wrong way round, so the sign is wrong",
        ),
    ),
    ("find_the_bug.one_line", one_line_a, ()),
    (
        "find_the_bug.one_line",
        one_line_b,
        ("each head takes every h-th column instead of its block of neighbouring columns",),
    ),
    (
        "find_the_bug.one_line",
        one_line_c,
        ("the heads are merged by a reshape without bringing the token axis to the front",),
    ),
    ("find_the_bug.one_line", one_line_d, ("divides by the root of the width of all heads instead of one head's",)),
    (
        "find_the_bug.one_line",
        one_line_e,
        (
            "the projections are still reshaped to (h, n, d) directly, so the heads mix tokens and columns",
            "divides by d_k instead of its root",
        ),
    ),
    ("find_the_bug.two_lines", two_lines_a, ()),
    ("find_the_bug.two_lines", two_lines_b, ("the mask still lets in one padding key (<= instead of <)",)),
    (
        "find_the_bug.two_lines",
        two_lines_c,
        (
            "divides by the root of the number of keys instead of the root of d_k",
            "the mask still lets in one padding key (<= instead of <)",
        ),
    ),
    (
        "find_the_bug.two_lines",
        two_lines_d,
        ("the padding is set to 0 after the softmax, so the weights of the real keys do not sum to 1",),
    ),
    (
        "find_the_bug.two_lines",
        two_lines_e,
        (
            "divides by d_k instead of its root",
            "the mask hides the last real key as well",
        ),
    ),
    ("find_the_bug.check", check_a, ()),
    ("find_the_bug.check", check_b, ("compares for exact equality, so a right candidate may fail in the last digit",)),
    (
        "find_the_bug.check",
        check_c,
        ("Q, K and V are the same matrix, so candidates that exchange them or use a wrong one pass",),
    ),
    ("find_the_bug.check", check_d, ("the tolerance of 1 is so large that many wrong outputs pass",)),
    (
        "find_the_bug.check",
        check_e,
        (
            "Q is all zeros, so that mistakes in the scores are not seen",
            "compares for exact equality, so a right candidate may fail in the last digit",
        ),
    ),
    ("find_the_bug.keys_in_turns", keys_in_turns_a, ()),
    ("find_the_bug.keys_in_turns", keys_in_turns_b, ("the shares of the two turns are exchanged",)),
    (
        "find_the_bug.keys_in_turns",
        keys_in_turns_d,
        ("the shares are a softmax of the sums, so the exponential is taken a second time",),
    ),
    (
        "find_the_bug.keys_in_turns",
        keys_in_turns_e,
        (
            "the sums of all queries are added, so all queries get the same shares",
            "the shares of the two turns are exchanged",
        ),
    ),
]

"""Answers to the exercises of lessons 9 to 12, from which the checks learned."""

import functools
import math

import numpy as np

from mha_course import attention, causal_mask, layer_norm, merge_heads, softmax

# ---------------------------------------------------------------- 9.1


def residual_a(x, attend):
    return np.stack([x, attend(x)]).sum(axis=0)


def residual_b(x, attend):
    update = attend(x)
    return update


def residual_c(x, attend):
    return (x + attend(x)) / 2


def residual_e(x, attend):
    return attend(attend(x)) - x


# ---------------------------------------------------------------- 9.2


def row_a(row, eps):
    row = np.asarray(row, dtype=float)
    n = len(row)
    total = 0.0
    for i in range(n):
        for j in range(n):
            total += (row[i] - row[j]) ** 2
    variance = total / (2 * n * n)
    return (row - row.sum() / n) * (variance + eps) ** -0.5


def row_b(row, eps):
    centred = row - np.mean(row)
    variance = np.sum(centred**2) / (len(row) - 1)
    return centred / np.sqrt(variance + eps)


def row_c(row, eps):
    m = sum(row) / len(row)
    centred = np.array([value - m for value in row])
    variance = np.mean(centred * centred)
    return centred / (variance + eps)


def row_d(row, eps):
    centred = np.subtract(row, np.average(row))
    length = math.hypot(*centred, math.sqrt(len(centred) * eps))
    return centred * math.sqrt(len(centred)) / length


def row_e(row, eps):
    variance = np.sum((row - row.mean()) ** 2)
    return row / np.sqrt(variance + eps)


# ---------------------------------------------------------------- 9.3


def layer_norm_a(x, gain, bias, eps):
    x = np.asarray(x, dtype=float)
    result = np.empty(x.shape)
    for index in np.ndindex(x.shape[:-1]):
        row = x[index]
        middle = math.fsum(row) / len(row)
        variance = math.fsum((v - middle) ** 2 for v in row) / len(row)
        for j, v in enumerate(row):
            result[index + (j,)] = gain[j] * (v - middle) / math.sqrt(variance + eps) + bias[j]
    return result


def layer_norm_b(x, gain, bias, eps):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-2, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps) * gain + bias


def layer_norm_c(x, gain, bias, eps):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return ((x - mean) / np.sqrt(variance + eps) + bias) * gain


def layer_norm_d(x, gain, bias, eps):
    mean = x.mean()
    variance = x.var()
    return gain * (x - mean) / np.sqrt(variance + eps) + bias


def layer_norm_e(x, gain, bias, eps):
    mean = x.mean(-1, keepdims=True)
    variance = (x**2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps) * gain


# ---------------------------------------------------------------- 9.4


def undo_a(y, gain, bias, mean, root):
    slope = np.einsum("...n,d->...nd", root, 1 / np.asarray(gain, dtype=float))
    return y * slope - bias * slope + np.expand_dims(mean, -1)


def undo_b(y, gain, bias, mean, root):
    normalised = y / gain - bias
    return normalised * root[..., None] + mean[..., None]


def undo_c(y, gain, bias, mean, root):
    undone = np.linalg.solve(np.diag(gain), np.swapaxes(y - bias, -1, -2))
    return np.swapaxes(undone * root[..., None, :] + mean[..., None, :], -1, -2)


def undo_d(y, gain, bias, mean, root):
    normalised = (y - bias) * gain
    columns = [normalised[..., j] * root + mean for j in range(y.shape[-1])]
    return np.stack(columns, axis=-1)


def undo_e(y, gain, bias, mean, root):
    normalised = (y + bias) / gain
    return normalised / root[..., None] + mean[..., None]


# ---------------------------------------------------------------- 9.5


def both_a(x, attend):
    def standard(rows):
        centred = rows - rows.mean(-1, keepdims=True)
        power = np.einsum("...d,...d->...", centred, centred) / rows.shape[-1]
        return centred / np.sqrt(power[..., None] + 0.00001)

    post = standard(attend(x) + x)
    pre = attend(standard(x)) + x
    return post, pre


def both_b(x, attend):
    post = layer_norm(x + attend(x))
    rows = layer_norm(x)
    pre = rows + attend(rows)
    return post, pre


def both_c(x, attend):
    post = x + layer_norm(attend(x))
    normed = layer_norm(x)
    pre = normed + attend(normed)
    return post, pre


def both_d(x, attend):
    post = layer_norm(x + attend(x))
    pre = post + attend(layer_norm(post))
    return post, pre


def both_e(x, attend):
    post = layer_norm(attend(x))
    pre = layer_norm(x + attend(layer_norm(x)))
    return post, pre


# ---------------------------------------------------------------- 9.6


def repair_a(x, attend, gain, bias):
    return sum((x, attend(layer_norm(x) * gain + bias)))


def repair_b(x, attend, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    x = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(x)


def repair_c(x, attend, gain, bias):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    y = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(y)


def repair_d(x, attend, gain, bias):
    summed = x + attend(x)
    mean = summed.mean(axis=-1, keepdims=True)
    variance = summed.var(axis=-1, keepdims=True)
    return (summed - mean) / np.sqrt(variance + 0.00001) * gain + bias


def repair_e(x, attend, gain, bias):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-2, keepdims=True)
    normed = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return normed + attend(normed)


# ---------------------------------------------------------------- 9.7


def dropout_a(weights, kept, rate):
    result = np.zeros(np.shape(weights))
    result[kept] = weights[kept] * math.exp(-math.log1p(-rate))
    return result


def dropout_b(weights, kept, rate):
    return np.where(kept, weights / rate, 0.0)


def dropout_c(weights, kept, rate):
    share = np.mean(kept)
    return weights * kept / share


def dropout_e(weights, kept, rate):
    stays = 1 - rate
    return np.where(kept, 0, weights) * stays


# ---------------------------------------------------------------- 10.1


def scores_a(X, context, M, d_k):
    result = np.zeros((len(X), len(context)))
    for i, asker in enumerate(X):
        for j, answerer in enumerate(context):
            result[i, j] = np.sum(np.outer(asker, answerer) * M) * d_k**-0.5
    return result


def scores_b(X, context, M, d_k):
    return np.einsum("qi,ij,kj->qk", X, M, context) / d_k


def scores_c(X, context, M, d_k):
    return X @ (context @ M).T / np.sqrt(d_k)


def scores_e(X, context, M, d_k):
    raw = np.array([[x @ M.T @ c for c in context] for x in X])
    return softmax(raw / math.sqrt(d_k))


# ---------------------------------------------------------------- 10.2


def previous_a(n):
    W_Q = np.zeros((n, n))
    for i in range(1, n):
        W_Q[i, n - i] = 5.0
    W_K = np.zeros((n, n))
    for i in range(n - 1):
        W_K[i, n - 1 - i] = 0.2
    return W_Q @ W_K.T


def previous_b(n):
    W_Q = np.eye(n)
    W_K = np.eye(n, k=-1)
    return W_Q @ W_K.T


def previous_c(n):
    W_Q = np.roll(np.eye(n), 1, axis=0)
    W_K = np.eye(n)
    return W_Q @ W_K.T


def previous_d(n):
    W_Q = np.tril(np.ones((n, n)))
    W_K = np.identity(n)
    return W_Q @ W_K.T


def previous_e(n):
    W_Q = np.array([[1.0 if j > i else 0.0 for j in range(n)] for i in range(n)])
    W_K = np.eye(n)
    return W_Q @ W_K.T


# ---------------------------------------------------------------- 10.3


def turned_a(W_Q, A):
    return np.linalg.solve(A, W_Q.T).T


def turned_b(W_Q, A):
    return W_Q @ np.linalg.inv(A)


def turned_c(W_Q, A):
    return np.einsum("ij,kj->ik", W_Q, A)


def turned_d(W_Q, A):
    back = np.linalg.inv(A)
    return np.stack([back @ q for q in W_Q]) / np.sqrt(len(A))


def turned_e(W_Q, A):
    return W_Q @ A


# ---------------------------------------------------------------- 10.4


def parts_a(heads, W_O):
    h, n, d_v = heads.shape
    parts = []
    for i in range(h):
        alone = np.zeros((n, h * d_v))
        alone[:, i * d_v : (i + 1) * d_v] = heads[i]
        parts.append(alone @ W_O)
    return np.array(parts)


def parts_b(heads, W_O):
    h, n, d_v = heads.shape
    return np.stack([heads[i] @ W_O[i::h] for i in range(h)])


def parts_d(heads, W_O):
    h, n, d_v = heads.shape
    blocks = np.split(W_O, h)
    so_far = np.zeros((n, W_O.shape[1]))
    parts = []
    for head, block in zip(heads, blocks):
        so_far = so_far + head @ block
        parts.append(so_far)
    return np.stack(parts)


def parts_e(heads, W_O):
    h, n, d_v = heads.shape
    blocks = W_O.reshape(h, d_v, -1)[::-1]
    return np.einsum("hnv,hvd->hnd", heads, blocks) / h


# ---------------------------------------------------------------- 11.1


def feed_forward_a(x, W_1, b_1, W_2, b_2):
    wide = np.einsum("...d,df->...f", x, W_1) + b_1
    return (wide + np.abs(wide)) @ W_2 / 2 + b_2


def feed_forward_b(x, W_1, b_1, W_2, b_2):
    wide = np.maximum(0, x @ W_1) + b_1
    return wide @ W_2 + b_2


def feed_forward_c(x, W_1, b_1, W_2, b_2):
    wide = x @ W_1 + b_1
    return np.maximum(0, wide @ W_2 + b_2)


def feed_forward_d(x, W_1, b_1, W_2, b_2):
    wide = np.abs(x @ W_1 + b_1)
    return wide @ W_2


# ---------------------------------------------------------------- 11.2


def encoder_layer_a(x, attend, feed, norm):
    return functools.reduce(lambda rows, step: norm(rows + step(rows)), (attend, feed), x)


def encoder_layer_b(x, attend, feed, norm):
    after_attention = norm(x + attend(x))
    return norm(x + feed(after_attention))


def encoder_layer_c(x, attend, feed, norm):
    after_attention = x + attend(norm(x))
    return after_attention + feed(norm(after_attention))


def encoder_layer_e(x, attend, feed, norm):
    after_attention = norm(attend(x))
    return after_attention + feed(after_attention)


# ---------------------------------------------------------------- 11.3


def decoder_layer_a(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.array([[key <= query for key in range(n)] for query in range(n)], dtype=bool)
    steps = [lambda rows: attend(rows, mask), lambda rows: ask(rows, memory), feed]
    for step in steps:
        x = norm(step(x) + x)
    return x


def decoder_layer_b(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.triu(np.ones((n, n), dtype=bool))
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


def decoder_layer_c(x, memory, attend, ask, feed, norm):
    mask = causal_mask(x.shape[-2])
    after_self = norm(x + attend(x, mask))
    after_cross = norm(ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


def decoder_layer_d(x, memory, attend, ask, feed, norm):
    position = np.arange(x.shape[-2])
    mask = position[:, None] >= position
    after_self = norm(x + attend(x, mask))
    after_feed = norm(after_self + feed(after_self))
    return norm(after_feed + ask(after_feed, memory))


def decoder_layer_e(x, memory, attend, ask, feed, norm):
    n = x.shape[-2]
    mask = np.full((n, n), True)
    after_self = norm(x + attend(x, mask))
    after_cross = norm(x + ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


# ---------------------------------------------------------------- 11.4


def stack_a(x, layers, norm):
    def climb(rows, rest):
        if len(rest) == 0:
            return norm(rows)
        return climb(rest[0](rows), rest[1:])

    return climb(x, list(layers))


def stack_b(x, layers, norm):
    rows = x
    for layer in layers:
        rows = norm(layer(rows))
    return rows


def stack_c(x, layers, norm):
    rows = x
    for layer in layers:
        rows = rows + layer(rows)
    return norm(rows)


def stack_d(x, layers, norm):
    rows = x
    for layer in layers:
        rows = layer(x)
    return rows


def stack_e(x, layers, norm):
    return functools.reduce(lambda rows, layer: layer(rows), reversed(layers), norm(x))


# ---------------------------------------------------------------- 11.5


def parameters_a(d_model, d_ff):
    def numbers(*shapes):
        return sum(math.prod(shape) for shape in shapes)

    of_attention = numbers(*[(d_model, d_model)] * 4)
    of_feed_forward = numbers((d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,))
    of_norms = numbers(*[(d_model,), (d_model,)] * 2)
    return of_attention, of_feed_forward, of_norms


def parameters_b(d_model, d_ff):
    of_attention = 4 * d_model**2
    of_feed_forward = 2 * d_model * d_ff + 2 * d_ff
    of_norms = 4 * d_model
    return of_attention, of_feed_forward, of_norms


def parameters_c(d_model, d_ff):
    of_attention = 3 * d_model * d_model
    of_feed_forward = d_model * d_ff + d_ff + d_ff * d_model + d_model
    of_norms = 2 * (d_model + d_model)
    return of_attention, of_feed_forward, of_norms


def parameters_d(d_model, d_ff):
    of_attention = 4 * d_model * (d_model + 1)
    of_feed_forward = (d_model + 1) * d_ff + (d_ff + 1) * d_model
    of_norms = 2 * d_model
    return of_attention, of_feed_forward, of_norms


# ---------------------------------------------------------------- 12.1


def divisor_a(dots, weights):
    dots = np.asarray(dots, dtype=float)
    logs = np.log(weights)
    d = dots - dots.mean()
    return (d @ d) / (d @ logs)


def divisor_b(dots, weights):
    top, low = np.argmax(dots), np.argmin(dots)
    return (dots[top] - dots[low]) / (math.log(weights[top]) - math.log(weights[low]))


def divisor_c(dots, weights):
    ratio = weights[0] / weights[1]
    return np.log(ratio) / (dots[0] - dots[1])


def divisor_e(dots, weights):
    ratio = weights[0] / weights[1]
    return ((dots[0] - dots[1]) / np.log2(ratio)) ** 2


# ---------------------------------------------------------------- 12.2


def one_line_a(X, W_Q, W_K, W_V, num_heads):
    columns = []
    for q, k, v in zip(*(np.split(W, num_heads, axis=1) for W in (W_Q, W_K, W_V))):
        columns.append(attention(X @ q, X @ k, X @ v).output)
    return np.concatenate(columns, axis=-1)


def one_line_b(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(n, -1, num_heads).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V)


def one_line_c(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(n, num_heads, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return (weights @ V).reshape(n, -1)


def one_line_e(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(num_heads, n, -1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2))
    return merge_heads(weights @ V)


# ---------------------------------------------------------------- 12.3


def two_lines_a(Q, K, V, lengths):
    rows = []
    for q, k, v, length in zip(Q, K, V, lengths):
        rows.append(attention(q, k[:length], v[:length]).output)
    return np.stack(rows)


def two_lines_b(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / len(Q) ** 0.5
    position = np.arange(K.shape[-2])
    real = position < lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


def two_lines_c(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
    position = np.arange(K.shape[-2])
    real = position <= lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


def two_lines_d(Q, K, V, lengths):
    scores = np.einsum("bqd,bkd->bqk", Q, K) / np.sqrt(Q.shape[-1])
    real = np.arange(K.shape[1]) < np.asarray(lengths)[:, None]
    weights = softmax(scores) * real[:, None, :]
    return weights @ V


def two_lines_e(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]
    real = np.arange(K.shape[-2]) < lengths[:, None]
    scores = np.where(real[:, None, :], scores, 0)
    return softmax(scores) @ V


# ---------------------------------------------------------------- 12.4


def check_a(candidate):
    for seed, (n_q, n_k, d_k, d_v) in enumerate([(2, 3, 4, 5), (5, 4, 3, 2), (3, 6, 7, 4)]):
        rng = np.random.default_rng(seed)
        Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
        expected = np.empty((n_q, d_v))
        for i in range(n_q):
            powers = [math.exp(Q[i] @ K[j] / math.sqrt(d_k)) for j in range(n_k)]
            expected[i] = sum(p * v for p, v in zip(powers, V)) / sum(powers)
        output = np.asarray(candidate(Q.copy(), K.copy(), V.copy()))
        if output.shape != expected.shape or not np.allclose(output, expected):
            return False
    return True


def check_b(candidate):
    rng = np.random.default_rng(4)
    Q, K, V = rng.normal(size=(2, 4)), rng.normal(size=(3, 4)), rng.normal(size=(3, 5))
    return np.array_equal(candidate(Q, K, V), attention(Q, K, V).output)


def check_c(candidate):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(4, 4))
    output = np.asarray(candidate(X, X, X))
    return output.shape == (4, 4) and np.allclose(output, attention(X, X, X).output)


def check_d(candidate):
    Q, K, V = np.ones((2, 4)), np.ones((3, 4)), np.ones((3, 4))
    output = np.asarray(candidate(Q, K, V))
    return output.shape == (2, 4) and np.allclose(output, attention(Q, K, V).output)


def check_e(candidate):
    rng = np.random.default_rng(8)
    Q, K, V = rng.normal(size=(3, 1)), rng.normal(size=(5, 1)), rng.normal(size=(5, 2))
    output = np.asarray(candidate(Q, K, V))
    return output.shape == (3, 2) and abs(output.mean() - attention(Q, K, V).output.mean()) < 1e-6


# ---------------------------------------------------------------- 12.5


def keys_in_turns_a(output_1, sums_1, output_2, sums_2):
    total = np.logaddexp(np.log(sums_1), np.log(sums_2))
    part_1 = np.exp(np.log(sums_1) - total)[:, None]
    return output_2 + part_1 * (output_1 - output_2)


def keys_in_turns_b(output_1, sums_1, output_2, sums_2):
    part_1 = (sums_2 / (sums_1 + sums_2))[:, None]
    part_2 = (sums_1 / (sums_1 + sums_2))[:, None]
    return part_1 * output_1 + part_2 * output_2


def keys_in_turns_d(output_1, sums_1, output_2, sums_2):
    parts = softmax(np.stack([sums_1, sums_2], axis=-1))
    part_1 = parts[:, :1]
    part_2 = parts[:, 1:]
    return part_1 * output_1 + part_2 * output_2


def keys_in_turns_e(output_1, sums_1, output_2, sums_2):
    total = np.sum(sums_1) + np.sum(sums_2)
    part_1 = (sums_2 / total)[:, None]
    part_2 = (sums_1 / total)[:, None]
    return part_1 * output_1 + part_2 * output_2


INVENTED = [
    ("residual_and_norm.residual", residual_a, ()),
    ("residual_and_norm.residual", residual_b, ("the residual is missing: only attend(x) is returned",)),
    ("residual_and_norm.residual", residual_c, ("the sum is halved: the mean of x and attend(x)",)),
    (
        "residual_and_norm.residual",
        residual_e,
        ("attend is applied twice, to its own result", "x is subtracted instead of added"),
    ),
    ("residual_and_norm.row", row_a, ()),
    ("residual_and_norm.row", row_b, ("the variance divides by d_model - 1 instead of d_model",)),
    ("residual_and_norm.row", row_c, ("divides by the variance (plus eps) itself: the root is missing",)),
    ("residual_and_norm.row", row_d, ()),
    (
        "residual_and_norm.row",
        row_e,
        ("the row is not centred: the mean is not subtracted", "the variance is the sum of squares, not their mean"),
    ),
    ("residual_and_norm.layer_norm", layer_norm_a, ()),
    (
        "residual_and_norm.layer_norm",
        layer_norm_b,
        ("mean and variance are taken along axis -2: for each column, not for each row",),
    ),
    ("residual_and_norm.layer_norm", layer_norm_c, ("the bias is added before the gain is multiplied",)),
    ("residual_and_norm.layer_norm", layer_norm_d, ("one mean and variance of the whole array, not of each row",)),
    (
        "residual_and_norm.layer_norm",
        layer_norm_e,
        ("the variance is the mean of the squares without subtracting the mean", "the bias is not added"),
    ),
    ("residual_and_norm.undo", undo_a, ()),
    ("residual_and_norm.undo", undo_b, ("the bias is subtracted after the division by the gain, not before",)),
    ("residual_and_norm.undo", undo_c, ()),
    ("residual_and_norm.undo", undo_d, ("multiplies by the gain instead of dividing by it",)),
    (
        "residual_and_norm.undo",
        undo_e,
        ("the bias is added instead of subtracted", "divides by the root instead of multiplying by it"),
    ),
    ("residual_and_norm.both", both_a, ()),
    ("residual_and_norm.both", both_b, ("pre-norm: the normalised rows are added instead of x itself",)),
    (
        "residual_and_norm.both",
        both_c,
        (
            "post-norm: only attend(x) is normalised, before the sum, instead of the sum",
            "pre-norm: the normalised rows are added instead of x itself",
        ),
    ),
    ("residual_and_norm.both", both_d, ("the pre-norm sublayer starts from the result of the post-norm one, not x",)),
    (
        "residual_and_norm.both",
        both_e,
        ("post-norm: the residual is missing", "pre-norm: the sum is normalised once more"),
    ),
    ("residual_and_norm.repair", repair_a, ()),
    ("residual_and_norm.repair", repair_b, ("the residual adds the normalised rows, since x was overwritten",)),
    ("residual_and_norm.repair", repair_c, ("the mean is still taken along axis -2",)),
    ("residual_and_norm.repair", repair_d, ("post-norm: the sum is normalised, instead of the input of attend",)),
    (
        "residual_and_norm.repair",
        repair_e,
        (
            "mean and variance are both taken along axis -2, for each column",
            "the residual adds the normalised rows instead of x itself",
        ),
    ),
    ("residual_and_norm.dropout", dropout_a, ()),
    ("residual_and_norm.dropout", dropout_b, ("divides by the rate instead of 1 - rate",)),
    (
        "residual_and_norm.dropout",
        dropout_c,
        ("divides by the fraction that was kept in this draw, not by that on average, 1 - rate",),
    ),
    (
        "residual_and_norm.dropout",
        dropout_e,
        ("kept is inverted: what should stay becomes 0", "multiplies by 1 - rate instead of dividing"),
    ),
    ("what_a_head_does.scores", scores_a, ()),
    ("what_a_head_does.scores", scores_b, ("divides by d_k instead of its root",)),
    ("what_a_head_does.scores", scores_c, ("M is transposed: the roles of queries and keys are exchanged in it",)),
    (
        "what_a_head_does.scores",
        scores_e,
        ("M is transposed", "a softmax is taken: returns weights instead of scores"),
    ),
    ("what_a_head_does.previous", previous_a, ()),
    ("what_a_head_does.previous", previous_b, ("each token looks at the next token instead of the one before",)),
    ("what_a_head_does.previous", previous_c, ("the first token looks at the last one, instead of at none",)),
    (
        "what_a_head_does.previous",
        previous_d,
        ("looks at all tokens before, not only at the one before", "each token looks at itself, too"),
    ),
    (
        "what_a_head_does.previous",
        previous_e,
        ("looks at tokens after it instead of before it", "looks at all of them instead of only the neighbour"),
    ),
    ("what_a_head_does.turned", turned_a, ()),
    ("what_a_head_does.turned", turned_b, ("the inverse is not transposed",)),
    ("what_a_head_does.turned", turned_c, ("multiplies by A transposed: the inverse is missing",)),
    ("what_a_head_does.turned", turned_d, ("additionally divides by the root of d_k",)),
    ("what_a_head_does.turned", turned_e, ("the inverse is missing", "the transpose is missing")),
    ("what_a_head_does.parts", parts_a, ()),
    ("what_a_head_does.parts", parts_b, ("each head gets every h-th row of W_O instead of d_v consecutive rows",)),
    ("what_a_head_does.parts", parts_d, ("running sums: each part contains the heads before it, too",)),
    (
        "what_a_head_does.parts",
        parts_e,
        ("the blocks of W_O are given to the heads in reverse order", "each part is divided by the number of heads"),
    ),
    ("stacks.feed_forward", feed_forward_a, ()),
    ("stacks.feed_forward", feed_forward_b, ("b_1 is added after the max with 0, instead of before it",)),
    ("stacks.feed_forward", feed_forward_c, ("the max with 0 is taken of the final result, not of the wide rows",)),
    (
        "stacks.feed_forward",
        feed_forward_d,
        ("the absolute value is taken instead of the max with 0", "b_2 is missing"),
    ),
    ("stacks.encoder_layer", encoder_layer_a, ()),
    ("stacks.encoder_layer", encoder_layer_b, ("the second sum adds x instead of the rows after sublayer 1",)),
    ("stacks.encoder_layer", encoder_layer_c, ("pre-norm instead of post-norm in both sublayers",)),
    (
        "stacks.encoder_layer",
        encoder_layer_e,
        ("the sum of the attention sublayer is missing", "the second norm is missing"),
    ),
    ("stacks.decoder_layer", decoder_layer_a, ()),
    (
        "stacks.decoder_layer",
        decoder_layer_b,
        ("the mask is turned round: each token may attend to itself and later ones",),
    ),
    ("stacks.decoder_layer", decoder_layer_c, ("the sum of the cross-attention sublayer is missing",)),
    ("stacks.decoder_layer", decoder_layer_d, ("feed-forward comes before cross-attention",)),
    (
        "stacks.decoder_layer",
        decoder_layer_e,
        (
            "the mask allows everything: it is not causal",
            "the sum of the cross-attention adds x instead of the rows after self-attention",
        ),
    ),
    ("stacks.stack", stack_a, ()),
    ("stacks.stack", stack_b, ("the norm is applied after every layer, not only at the end",)),
    ("stacks.stack", stack_c, ("adds the rows once more around each layer, although the layer makes its sums itself",)),
    (
        "stacks.stack",
        stack_d,
        ("every layer gets x, not the rows of the layer before: only the last layer counts", "the norm is missing"),
    ),
    (
        "stacks.stack",
        stack_e,
        ("the layers are applied in reverse order", "the norm is applied at the start instead of at the end"),
    ),
    ("stacks.parameters", parameters_a, ()),
    ("stacks.parameters", parameters_b, ("b_2 is counted with d_ff numbers instead of d_model",)),
    ("stacks.parameters", parameters_c, ("W_O is forgotten: attention has only three matrices",)),
    (
        "stacks.parameters",
        parameters_d,
        ("biases are counted for the four attention matrices", "only one norm is counted instead of two"),
    ),
    ("find_the_bug.divisor", divisor_a, ()),
    ("find_the_bug.divisor", divisor_b, ()),
    (
        "find_the_bug.divisor",
        divisor_c,
        ("upside down: the logarithm of the ratio divided by the difference of the dot products",),
    ),
    (
        "find_the_bug.divisor",
        divisor_e,
        ("the logarithm to base 2 instead of the natural one", "the result is squared: d_k instead of the divisor"),
    ),
    ("find_the_bug.one_line", one_line_a, ()),
    ("find_the_bug.one_line", one_line_b, ("each head gets every h-th column instead of consecutive columns",)),
    (
        "find_the_bug.one_line",
        one_line_c,
        ("the heads are merged by a reshape alone, without swapping the axes of heads and tokens",),
    ),
    (
        "find_the_bug.one_line",
        one_line_e,
        (
            "the split into heads is not repaired: reshape to (h, n, d) mixes tokens into the heads",
            "the division by the root of d is missing",
        ),
    ),
    ("find_the_bug.two_lines", two_lines_a, ()),
    ("find_the_bug.two_lines", two_lines_b, ("the scale is still the root of the batch size, len(Q), not of d",)),
    ("find_the_bug.two_lines", two_lines_c, ("still <=: the first padding key is not hidden",)),
    (
        "find_the_bug.two_lines",
        two_lines_d,
        ("padding is set to 0 after the softmax: the weights of the real keys do not sum to 1",),
    ),
    (
        "find_the_bug.two_lines",
        two_lines_e,
        (
            "the scores of padding are set to 0 instead of being hidden: padding still gets weight",
            "divides by d instead of its root",
        ),
    ),
    ("find_the_bug.check", check_a, ()),
    (
        "find_the_bug.check",
        check_b,
        ("compares for exact equality: a right candidate that differs in the last digit is rejected",),
    ),
    (
        "find_the_bug.check",
        check_c,
        ("the same square matrix for Q, K and V: exchanged inputs are not noticed",),
    ),
    (
        "find_the_bug.check",
        check_d,
        ("the inputs are still all ones: all weights are equal and all values too, so mistakes are not noticed",),
    ),
    (
        "find_the_bug.check",
        check_e,
        (
            "d_k is 1: a missing or wrong scale is not noticed",
            "compares only the mean of the output, not each number",
        ),
    ),
    ("find_the_bug.keys_in_turns", keys_in_turns_a, ()),
    ("find_the_bug.keys_in_turns", keys_in_turns_b, ("the two shares are exchanged",)),
    (
        "find_the_bug.keys_in_turns",
        keys_in_turns_d,
        ("a softmax of the sums is taken: the sums are exponentiated once more",),
    ),
    (
        "find_the_bug.keys_in_turns",
        keys_in_turns_e,
        (
            "the two shares are exchanged",
            "divides by the total over all queries instead of each query's own",
        ),
    ),
]

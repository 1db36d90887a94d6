"""Answers to the exercises of lessons 13 to 16, written from the tasks alone, and tried only after the last change."""

import functools
import math

import numpy as np

from mha_course import attention, softmax

# ---------------------------------------------------------------- learning.softmax


def softmax_back_a(weights, dA):
    dS = np.zeros(np.shape(weights))
    for i, row in enumerate(np.asarray(weights, dtype=float)):
        jacobian = np.diag(row) - np.outer(row, row)
        dS[i] = jacobian @ dA[i]
    return dS


def softmax_back_b(weights, dA):
    pairwise = dA[:, :, None] - dA[:, None, :]
    return np.einsum("qi,qj,qij->qi", weights, weights, pairwise)


def softmax_back_c(weights, dA):
    inner = (weights * dA).sum(axis=0)
    return weights * (dA - inner)


def softmax_back_d(weights, dA):
    n_q, n_k = weights.shape
    dS = np.zeros((n_q, n_k))
    for q in range(n_q):
        for k in range(n_k):
            dS[q, k] = weights[q, k] * (1 - weights[q, k]) * dA[q, k]
    return dS


def softmax_back_e(weights, dA):
    average = np.mean(dA, axis=1, keepdims=True)
    return dA - average


# ---------------------------------------------------------------- learning.queries_keys


def queries_keys_a(Q, K, dS):
    n_q, d_k = Q.shape
    dQ = np.zeros(Q.shape)
    dK = np.zeros(K.shape)
    for q in range(n_q):
        for k in range(len(K)):
            share = dS[q, k] / math.sqrt(d_k)
            dQ[q] += share * K[k]
            dK[k] += share * Q[q]
    return dQ, dK


def queries_keys_b(Q, K, dS):
    scaled = dS / np.sqrt(Q.shape[-1])
    dQ = scaled @ K
    dK = dS.T @ Q
    return dQ, dK


def queries_keys_c(Q, K, dS):
    s = dS / np.sqrt(K.shape[1])
    return s @ K, s.reshape(len(K), len(Q)) @ Q


def queries_keys_d(Q, K, dS):
    d_k = Q.shape[1]
    by_key = dS.reshape(K.shape[0], Q.shape[0])
    dQ = np.dot(dS, K) / d_k
    dK = np.dot(by_key, Q) / d_k
    return dQ, dK


def queries_keys_e(Q, K, dS):
    root = np.sqrt(len(K))
    for_keys = np.einsum("qk,qd->kd", dS, Q) / root
    for_queries = np.einsum("qk,kd->qd", dS, K) / root
    return for_keys, for_queries


# ---------------------------------------------------------------- learning.shared


def shared_matrix_a(X, dQ):
    batch = len(X)
    flat_x = np.reshape(X, (-1, np.shape(X)[-1]))
    flat_dq = np.reshape(dQ, (-1, np.shape(dQ)[-1]))
    return flat_x.T @ flat_dq / batch


def shared_matrix_b(X, dQ):
    return np.einsum("bnd,bnk->dk", X, dQ)


def shared_matrix_c(X, dQ):
    batch, n, d_model = X.shape
    total = np.zeros((d_model, dQ.shape[2]))
    for b in range(batch):
        for t in range(n):
            total += np.outer(X[b, t], dQ[b, t])
    return total / (batch * n)


def shared_matrix_d(X, dQ):
    mean_x = X.mean(axis=0)
    mean_dq = dQ.mean(axis=0)
    return mean_x.T @ mean_dq


def shared_matrix_e(X, dQ):
    batch, n, d_model = X.shape
    dW = np.zeros((d_model, dQ.shape[-1]))
    for sentence, slope in zip(X, dQ):
        dW += sentence.reshape(d_model, n) @ slope
    return dW


# ---------------------------------------------------------------- learning.step


def one_step_a(scores, V, target, rate):
    A = softmax(np.asarray(scores, dtype=float))
    out = A @ V
    error = out - target
    advantage = np.einsum("qd,qkd->qk", error, V[None, :, :] - out[:, None, :])
    return scores - rate * A * advantage


def one_step_b(scores, V, target, rate):
    new = np.array(scores, dtype=float)
    for q in range(len(new)):
        e = [math.exp(s - max(scores[q])) for s in scores[q]]
        p = np.array(e) / sum(e)
        g = V @ (p @ V - target[q])
        new[q] -= rate * (np.diag(p) - np.outer(p, p)) @ g
    return new


def one_step_c(scores, V, target, rate):
    weights = softmax(scores)
    G = weights @ V - target
    dA = G @ V.T
    dS = weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))
    return scores + rate * dS


def one_step_d(scores, V, target, rate):
    shares = softmax(scores)
    difference = shares @ V - target
    return scores - rate * (difference @ V.T)


def one_step_e(scores, V, target, rate):
    e = np.exp(scores - scores.max())
    A = e / e.sum(axis=0)
    out = A @ V
    dA = 2 * (out - target) @ V.T
    inner = np.einsum("ij,ij->i", A, dA)
    dS = A * (dA - inner[:, np.newaxis])
    return scores - rate * dS


# ---------------------------------------------------------------- learning.one_head


def whole_way_a(Q, K, V, G, mask):
    n_q, d_k = Q.shape
    dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for q in range(n_q):
        seen = np.flatnonzero(mask[q])
        s = K[seen] @ Q[q] / math.sqrt(d_k)
        p = np.exp(s - s.max())
        p = p / p.sum()
        dV[seen] += np.outer(p, G[q])
        dp = V[seen] @ G[q]
        ds = p * (dp - p @ dp) / math.sqrt(d_k)
        dQ[q] = ds @ K[seen]
        dK[seen] += np.outer(ds, Q[q])
    return dQ, dK, dV


def whole_way_b(Q, K, V, G, mask):
    A = attention(Q, K, V, mask=mask).weights
    dA = G @ V.T
    dS = A * (dA - np.sum(A * dA, axis=-1, keepdims=True))
    dQ = dS @ K
    dK = dS.T @ Q
    dV = A.T @ G
    return dQ, dK, dV


def whole_way_c(Q, K, V, G, mask):
    root = np.sqrt(Q.shape[1])
    A = softmax(Q @ K.T / root)
    A = A * mask
    dA = np.einsum("qd,kd->qk", G, V)
    inner = np.einsum("qk,qk->q", A, dA)
    dS = A * (dA - inner[:, None]) / root
    return dS @ K, dS.T @ Q, A.T @ G


def whole_way_d(Q, K, V, G, mask):
    d_k = Q.shape[-1]
    A = attention(Q, K, V).weights
    dA = G @ V.T
    dS = (dA - (A * dA).sum(axis=1, keepdims=True)) / np.sqrt(d_k)
    dQ = dS @ K
    dK = np.transpose(dS) @ Q
    dV = np.transpose(A) @ G
    return dQ, dK, dV


def whole_way_e(Q, K, V, G, mask):
    scale = 1 / np.sqrt(Q.shape[1])
    logits = np.where(mask, Q @ K.T * scale, -1e9)
    P = softmax(logits)
    dP = G @ V.T
    dS = P * dP * scale
    dS_keys = dS.reshape(len(K), len(Q))
    return dS @ K, dS_keys @ Q, P.T @ G


# ---------------------------------------------------------------- heads_that_learn.repeated


def repeated_word_a(word, n):
    longer = np.resize(np.asarray(word), n + 1)
    ids = longer[:n]
    answers = longer[1:]
    counts = np.cumsum(np.ones(n)) > len(word)
    return ids, answers, counts


def repeated_word_b(word, n):
    ids, answers, counts, seen = [], [], [], set()
    for place in range(n):
        letter = int(word[place % len(word)])
        ids.append(letter)
        answers.append(int(word[(place + 1) % len(word)]))
        counts.append(letter in seen)
        seen.add(letter)
    return np.array(ids), np.array(answers), np.array(counts)


def repeated_word_c(word, n):
    word = np.asarray(word)
    places = np.arange(n)
    ids = word[places % len(word)]
    answers = np.roll(ids, -1)
    counts = places >= len(word)
    return ids, answers, counts


def repeated_word_d(word, n):
    length = len(word)
    copies = n // length + 2
    text = np.tile(word, copies)
    ids = text[:n]
    answers = text[1 : n + 1]
    counts = np.array([place > length for place in range(n)])
    return ids, answers, counts


def repeated_word_e(word, n):
    word = np.asarray(word)
    length = len(word)
    places = np.arange(n)
    ids = word[places % length]
    answers = word[(places - 1) % length]
    counts = places + 1 >= length
    return ids, answers, counts


# ---------------------------------------------------------------- heads_that_learn.looks


def good_keys_a(ids):
    n = len(ids)
    table = np.zeros((n, n), dtype=bool)
    for query in range(n):
        for before in range(query):
            if ids[before] == ids[query]:
                table[query, before + 1] = True
    return table


def good_keys_b(ids):
    ids = np.asarray(ids)
    before = np.roll(ids, 1)
    return np.tril(ids[:, None] == before[None, :])


def good_keys_c(ids):
    ids = np.asarray(ids)
    n = len(ids)
    table = np.zeros((n, n), dtype=bool)
    table[:, 1:] = ids[:, None] == ids[None, :-1]
    return table


def good_keys_d(ids):
    n = len(ids)
    table = np.zeros((n, n), dtype=bool)
    for q in range(n):
        for k in range(q):
            table[q, k] = ids[k] == ids[q]
    return table


def good_keys_e(ids):
    n = len(ids)
    rows = []
    for q in range(n):
        rows.append([ids[k - 1] == ids[q] and k < q for k in range(n)])
    return np.array(rows)


# ---------------------------------------------------------------- heads_that_learn.share


def share_there_a(weights, looks, counts):
    chosen = np.asarray(counts, dtype=float)
    return float(np.einsum("q,qk,qk->", chosen, weights, np.asarray(looks, dtype=float)) / chosen.sum())


def share_there_b(weights, looks, counts):
    per_query = (weights * looks).sum(axis=1)
    return np.mean(per_query * counts)


def share_there_c(weights, looks, counts):
    return weights[np.logical_and(looks, counts[:, None])].mean()


def share_there_d(weights, looks, counts):
    hits = []
    for row, good, known in zip(weights, looks, counts):
        if known:
            hits.append(1.0 if good[np.argmax(row)] else 0.0)
    return sum(hits) / len(hits)


def share_there_e(weights, looks, counts):
    total = 0.0
    for q in range(len(weights)):
        best = 0.0
        for k in range(weights.shape[1]):
            if looks[q, k]:
                best = max(best, weights[q, k])
        total += best
    return total / len(weights)


# ---------------------------------------------------------------- heads_that_learn.off


# ---------------------------------------------------------------- real_model.rotary


def turned_a(rows, positions):
    rows = np.asarray(rows, dtype=float)
    n, d_k = rows.shape
    z = rows[:, 0::2] + 1j * rows[:, 1::2]
    speed = 100000.0 ** (-np.arange(0, d_k, 2) / d_k)
    z = z * np.exp(1j * np.outer(positions, speed))
    return np.stack([z.real, z.imag], axis=-1).reshape(n, d_k)


def turned_b(rows, positions):
    result = []
    for row, p in zip(rows, positions):
        d_k = len(row)
        turn = np.zeros((d_k, d_k))
        for i in range(d_k // 2):
            alpha = p * math.exp(-2 * i / d_k * math.log(100000))
            c, s = math.cos(alpha), math.sin(alpha)
            turn[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
        result.append(np.asarray(row) @ turn)
    return np.array(result)


def turned_c(rows, positions):
    n, d_k = rows.shape
    half = d_k // 2
    i = np.arange(half)
    alpha = np.asarray(positions)[:, None] / 100000 ** (2 * i / d_k)
    a, b = rows[:, :half], rows[:, half:]
    first = a * np.cos(alpha) - b * np.sin(alpha)
    second = a * np.sin(alpha) + b * np.cos(alpha)
    return np.concatenate([first, second], axis=1)


def turned_d(rows, positions):
    out = np.array(rows, dtype=float)
    d_k = out.shape[1]
    for r, p in enumerate(positions):
        for i in range(d_k // 2):
            alpha = p / 100000 ** (2 * i / d_k)
            out[r, 2 * i] = out[r, 2 * i] * np.cos(alpha) - out[r, 2 * i + 1] * np.sin(alpha)
            out[r, 2 * i + 1] = out[r, 2 * i] * np.sin(alpha) + out[r, 2 * i + 1] * np.cos(alpha)
    return out


def turned_e(rows, positions):
    n, d_k = rows.shape
    p = np.arange(n)[:, None]
    pair = np.arange(d_k // 2)
    alpha = p / 100000.0 ** (pair / d_k)
    a, b = rows[:, ::2], rows[:, 1::2]
    out = np.empty((n, d_k))
    out[:, ::2] = a * np.cos(alpha) - b * np.sin(alpha)
    out[:, 1::2] = a * np.sin(alpha) + b * np.cos(alpha)
    return out


# ---------------------------------------------------------------- real_model.cache


def cached_step_a(q, k, v, K, V):
    K_new = np.concatenate([K, np.reshape(k, (1, -1))])
    V_new = np.concatenate([V, np.reshape(v, (1, -1))])
    highest, total, output = -math.inf, 0.0, np.zeros(len(v))
    for key, value in zip(K_new, V_new):
        s = float(np.dot(q, key)) / math.sqrt(len(q))
        top = max(highest, s)
        shrink = math.exp(highest - top)
        grow = math.exp(s - top)
        output = output * shrink + grow * value
        total = total * shrink + grow
        highest = top
    return output / total, K_new, V_new


def cached_step_b(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    weights = softmax(K_new @ q)
    output = weights @ V_new
    return output, K_new, V_new


def cached_step_c(q, k, v, K, V):
    e = np.exp(K @ q / np.sqrt(len(q)))
    output = (e / e.sum()) @ V
    return output, np.vstack([K, k]), np.vstack([V, v])


def cached_step_d(q, k, v, K, V):
    K_new = np.append([k], K, axis=0)
    V_new = np.append([v], V, axis=0)
    output = softmax(q @ K_new.T / math.sqrt(q.size)) @ V_new
    return output, K_new, V_new


def cached_step_e(q, k, v, K, V):
    keys = np.vstack((K, k))
    values = np.vstack((V, v))
    scores = keys @ q / len(q)
    return softmax(scores) @ values, K, V


# ---------------------------------------------------------------- real_model.cache_size


def count_bytes_a(layers, num_heads, num_kv_heads, d_k, n, size):
    total = 0
    for _ in range(layers):
        for _ in ("K", "V"):
            for _ in range(num_kv_heads):
                total += n * d_k * size
    return total


def count_bytes_b(layers, num_heads, num_kv_heads, d_k, n, size):
    return functools.reduce(lambda a, b: a * b, [layers, num_kv_heads, d_k, n, size])


def count_bytes_c(layers, num_heads, num_kv_heads, d_k, n, size):
    keys = layers * num_heads * n * d_k
    values = layers * num_heads * n * d_k
    return (keys + values) * size


def count_bytes_d(layers, num_heads, num_kv_heads, d_k, n, size):
    rows_per_layer = (num_heads + 2 * num_kv_heads) * n
    return layers * rows_per_layer * d_k * size


def count_bytes_e(layers, num_heads, num_kv_heads, d_k, n, size):
    group = num_heads // num_kv_heads
    one_token = 2 * group * d_k * size
    return one_token * n


# ---------------------------------------------------------------- real_model.induction


def copying_a(weights):
    h, length, _ = weights.shape
    n = length // 2
    result = []
    for table in weights:
        line = np.diagonal(table, offset=1 - n)
        result.append(line[1:].mean())
    return np.array(result)


def copying_b(weights):
    n = weights.shape[-1] // 2
    q = np.arange(n, 2 * n)
    return weights[:, q, q - n].mean(axis=-1)


def copying_c(weights):
    n = weights.shape[1] // 2
    return np.array([np.diagonal(table, 1 - n).mean() for table in weights])


def copying_d(weights):
    h, length, _ = weights.shape
    n = length // 2
    shares = np.zeros(h)
    for head in range(h):
        for q in range(n, length - 1):
            shares[head] += weights[head, q, q - n + 1]
    return shares / length


def copying_e(weights):
    n = weights.shape[2] // 2
    q = np.arange(n) + n
    picked = weights[:, q, q - n - 1]
    return picked.sum(axis=1)


# ---------------------------------------------------------------- real_model.shared


def keys_for_all_a(K, num_heads):
    *front, kv, n, d_k = K.shape
    group = num_heads // kv
    wide = np.broadcast_to(K[..., :, None, :, :], (*front, kv, group, n, d_k))
    return wide.reshape(*front, num_heads, n, d_k)


def keys_for_all_b(K, num_heads):
    kv = K.shape[-3]
    return np.stack([K[..., i % kv, :, :] for i in range(num_heads)], axis=-3)


def keys_for_all_c(K, num_heads):
    *front, kv, n, d_k = K.shape
    copies = np.repeat(K, num_heads // kv, axis=-2)
    return copies.reshape(*front, num_heads, n, d_k)


def keys_for_all_d(K, num_heads):
    kv = K.shape[-3]
    group = num_heads // kv
    which = [min(head // group, kv - 1) for head in range(1, num_heads + 1)]
    return K[..., which, :, :]


def keys_for_all_e(K, num_heads):
    group = num_heads // K.shape[-3]
    return np.concatenate([K] * group, axis=-3).swapaxes(-1, -2)


# ---------------------------------------------------------------- five_treatments.parameters


# ---------------------------------------------------------------- five_treatments.full_form


def large_matrix_a(W, num_heads):
    d_k = len(W)
    rows = np.eye(num_heads * d_k).reshape(num_heads * d_k, num_heads, d_k)
    return (rows @ W).reshape(num_heads * d_k, num_heads * d_k)


def large_matrix_b(W, num_heads):
    return np.kron(W, np.eye(num_heads))


def large_matrix_c(W, num_heads):
    d_k = len(W)
    full = np.zeros((num_heads * d_k, num_heads * d_k))
    for i in range(num_heads):
        row = i * d_k
        column = 0
        full[row : row + d_k, column : column + d_k] = W
    return full


def large_matrix_d(W, num_heads):
    return np.tile(W, (num_heads, num_heads))


def large_matrix_e(W, num_heads):
    d_k = len(W)
    size = num_heads * d_k
    full = np.zeros((size, size))
    for r in range(size):
        for c in range(size):
            if r // d_k == num_heads - 1 - c // d_k:
                full[r, c] = W[c % d_k, r % d_k]
    return full


# ---------------------------------------------------------------- five_treatments.whole_row


def whole_row_a(X, W, num_heads):
    d_model, width = W.shape
    per_head = W.reshape(d_model, num_heads, width // num_heads)
    return np.einsum("...nm,mhk->...hnk", X, per_head)


def whole_row_b(X, W, num_heads):
    parts = np.split(W, num_heads, axis=1)
    return np.expand_dims(X, -3) @ np.array(parts)


def whole_row_c(X, W, num_heads):
    Q = X @ W
    *front, n, width = Q.shape
    return Q.reshape(*front, num_heads, n, width // num_heads)


def whole_row_d(X, W, num_heads):
    return np.stack([X @ W[:, i::num_heads] for i in range(num_heads)], axis=-3)


def whole_row_e(X, W, num_heads):
    Q = X @ W
    d_k = W.shape[1] // num_heads
    heads = []
    for i in range(num_heads, 0, -1):
        heads.append(Q[..., (i - 1) * d_k : i * d_k])
    return np.stack(heads, axis=-2)


# ---------------------------------------------------------------- five_treatments.weights


def right_size_a(draws):
    d_in = len(draws)
    low, high = -math.sqrt(3 / d_in), math.sqrt(3 / d_in)
    return np.interp(draws, [0, 1], [low, high])


def right_size_b(draws):
    d_in = len(draws)
    centred = draws - 0.5
    factor = 1 / np.sqrt(d_in)
    return centred * factor


def right_size_c(draws):
    d_out = draws.shape[-1]
    return (draws - 1 / 2) * np.sqrt(12 / d_out)


def right_size_d(draws):
    d_in = len(draws)
    centred = draws - np.mean(draws)
    return centred * (12 / d_in) ** 0.5


def right_size_e(draws):
    d_in, d_out = draws.shape
    centred = 2 * draws - 1
    factor = 12 / d_in
    return centred * factor


# ---------------------------------------------------------------- more


def softmax_back_f(weights, dA):
    shares = np.asarray(weights)
    return dA - (shares * dA).sum(axis=-1)[:, None]


def one_step_f(scores, V, target, rate):
    width = V.shape[1]
    A = softmax(scores / np.sqrt(width))
    G = A @ V - target
    dA = G @ V.T
    dS = A * (dA - (A * dA).sum(axis=1, keepdims=True))
    return scores - rate * dS


def whole_row_f(X, W, num_heads):
    Q = np.matmul(X, W)
    first = Q[..., : W.shape[1] // num_heads]
    return np.stack([first] * num_heads, axis=-3)


INVENTED = [
    ("learning.softmax", softmax_back_a, ()),
    ("learning.softmax", softmax_back_b, ()),
    (
        "learning.softmax",
        softmax_back_c,
        ("the products of weight and gradient are added down the columns (over the queries), not along each row",),
    ),
    (
        "learning.softmax",
        softmax_back_d,
        ("only the diagonal of the softmax derivative, w (1 - w), is used: the effect on the other shares is missing",),
    ),
    (
        "learning.softmax",
        softmax_back_e,
        (
            "the plain mean of dA in the row is taken away instead of the mean weighted with the shares",
            "the result is not multiplied by the weights",
        ),
    ),
    ("learning.softmax", softmax_back_f, ("the result is not multiplied by the weights",)),
    ("learning.queries_keys", queries_keys_a, ()),
    ("learning.queries_keys", queries_keys_b, ("dK is not divided by the root of d_k",)),
    ("learning.queries_keys", queries_keys_c, ("for dK, dS is reshaped to (n_k, n_q) instead of transposed",)),
    (
        "learning.queries_keys",
        queries_keys_d,
        (
            "both gradients are divided by d_k instead of its root",
            "for dK, dS is reshaped to (n_k, n_q) instead of transposed",
        ),
    ),
    (
        "learning.queries_keys",
        queries_keys_e,
        (
            "the scale is the root of the number of keys instead of the root of d_k",
            "the two gradients are returned in the wrong order, dK first",
        ),
    ),
    ("learning.shared", shared_matrix_a, ()),
    ("learning.shared", shared_matrix_b, ("the sum over the sentences is returned instead of the mean",)),
    (
        "learning.shared",
        shared_matrix_c,
        ("the sum is divided by the number of all tokens, batch times n, instead of by the number of sentences",),
    ),
    (
        "learning.shared",
        shared_matrix_d,
        ("X and dQ are averaged over the batch before they are multiplied, instead of averaging the products",),
    ),
    (
        "learning.shared",
        shared_matrix_e,
        (
            "each sentence is reshaped to (d_model, n) instead of transposed",
            "the sum over the sentences is returned instead of the mean",
        ),
    ),
    ("learning.step", one_step_a, ()),
    ("learning.step", one_step_b, ()),
    ("learning.step", one_step_c, ("the step goes uphill: rate times gradient is added instead of subtracted",)),
    (
        "learning.step",
        one_step_d,
        ("the way back through the softmax is missing: the gradient for the weights is used for the scores",),
    ),
    (
        "learning.step",
        one_step_e,
        (
            "the softmax is taken down the columns (over the queries) instead of along each row",
            "the gradient of the loss has a factor 2 too many: the half in the loss is ignored",
        ),
    ),
    (
        "learning.step",
        one_step_f,
        ("the scores are divided by the root of d_v before the softmax, though there is no other scale",),
    ),
    ("learning.one_head", whole_way_a, ()),
    ("learning.one_head", whole_way_b, ("the scale 1 / root of d_k is missing on the way back, in dQ and dK",)),
    (
        "learning.one_head",
        whole_way_c,
        ("the mask is applied after the softmax, so the weights that are left do not add up to 1",),
    ),
    (
        "learning.one_head",
        whole_way_d,
        (
            "the mask is ignored",
            "in the softmax step back the result is not multiplied by the weights",
        ),
    ),
    (
        "learning.one_head",
        whole_way_e,
        (
            "in the softmax step back the weighted mean of the row is not taken away",
            "for dK, dS is reshaped to (n_k, n_q) instead of transposed",
        ),
    ),
    ("heads_that_learn.repeated", repeated_word_a, ()),
    ("heads_that_learn.repeated", repeated_word_b, ()),
    (
        "heads_that_learn.repeated",
        repeated_word_c,
        ("the last answer is the first letter of the sentence (a roll) instead of the letter that would come next",),
    ),
    (
        "heads_that_learn.repeated",
        repeated_word_d,
        ("counts begins one place too late: place > length instead of place >= length",),
    ),
    (
        "heads_that_learn.repeated",
        repeated_word_e,
        (
            "answers has the letter before each place instead of the letter after it",
            "counts begins one place too early, at the last letter of the first word",
        ),
    ),
    ("heads_that_learn.looks", good_keys_a, ()),
    (
        "heads_that_learn.looks",
        good_keys_b,
        ("the first key is compared with the last letter (a roll), so it may be good where it never should be",),
    ),
    ("heads_that_learn.looks", good_keys_c, ("keys that come after the query are not set to False",)),
    (
        "heads_that_learn.looks",
        good_keys_d,
        (
            "the letter of the key itself is compared with the query instead of the letter before the key",
            "the query's own key is never good: only keys strictly before the query are looked at",
        ),
    ),
    (
        "heads_that_learn.looks",
        good_keys_e,
        (
            "the first key is compared with the last letter (index -1), so it may be good where it never should be",
            "the query's own key is never good: k < q instead of k <= q",
        ),
    ),
    ("heads_that_learn.share", share_there_a, ()),
    (
        "heads_that_learn.share",
        share_there_b,
        ("the sum over the queries that count is divided by the number of all queries",),
    ),
    (
        "heads_that_learn.share",
        share_there_c,
        ("the mean is taken over the single weights at good keys instead of adding them for each query first",),
    ),
    (
        "heads_that_learn.share",
        share_there_d,
        ("it counts how often the largest weight lies on a good key instead of adding the weights there",),
    ),
    (
        "heads_that_learn.share",
        share_there_e,
        (
            "for each query the largest weight at the good keys is taken instead of their sum",
            "counts is ignored: the mean goes over all queries",
        ),
    ),
    ("real_model.rotary", turned_a, ()),
    ("real_model.rotary", turned_b, ()),
    (
        "real_model.rotary",
        turned_c,
        ("column i is paired with column i + d_k / 2 (the two halves) instead of neighbouring columns",),
    ),
    (
        "real_model.rotary",
        turned_d,
        ("the second number of a pair is computed from the first one after it was turned already (overwritten)",),
    ),
    (
        "real_model.rotary",
        turned_e,
        (
            "the positions are ignored: rows are taken to stand at 0, 1, 2, ...",
            "the exponent is i / d_k instead of 2 i / d_k",
        ),
    ),
    ("real_model.cache", cached_step_a, ()),
    ("real_model.cache", cached_step_b, ("the scores are not divided by the root of d_k",)),
    (
        "real_model.cache",
        cached_step_c,
        ("the newest token does not look at itself: the output uses only the old keys and values",),
    ),
    ("real_model.cache", cached_step_d, ("the new rows are put on top of K and V instead of below",)),
    (
        "real_model.cache",
        cached_step_e,
        (
            "the scores are divided by d_k instead of its root",
            "the old K and V are returned, without the new rows",
        ),
    ),
    ("real_model.cache_size", count_bytes_a, ()),
    ("real_model.cache_size", count_bytes_b, ("only keys or values are counted: the factor 2 is missing",)),
    (
        "real_model.cache_size",
        count_bytes_c,
        ("it counts the query heads instead of the heads of keys and values",),
    ),
    ("real_model.cache_size", count_bytes_d, ("the queries are counted too, though the cache does not hold them",)),
    (
        "real_model.cache_size",
        count_bytes_e,
        (
            "it counts the query heads that share one head instead of the heads of keys and values",
            "the number of layers is missing",
        ),
    ),
    ("real_model.induction", copying_a, ()),
    (
        "real_model.induction",
        copying_b,
        ("the share for the earlier occurrence itself is taken (n back) instead of the token after it",),
    ),
    (
        "real_model.induction",
        copying_c,
        ("the diagonal begins one query too early: the last query of the first half is in the mean",),
    ),
    (
        "real_model.induction",
        copying_d,
        (
            "the last query is left out",
            "the sum is divided by 2n instead of by the number of queries in the second half",
        ),
    ),
    (
        "real_model.induction",
        copying_e,
        (
            "the share for the token before the earlier occurrence is taken instead of the token after it",
            "the sum over the queries is returned instead of the mean",
        ),
    ),
    ("real_model.shared", keys_for_all_a, ()),
    (
        "real_model.shared",
        keys_for_all_b,
        ("the tables alternate (K1, K2, K1, K2, ...) instead of neighbours sharing one",),
    ),
    (
        "real_model.shared",
        keys_for_all_c,
        ("the rows are repeated inside each table and cut into heads, instead of whole tables being repeated",),
    ),
    (
        "real_model.shared",
        keys_for_all_d,
        ("the query heads are counted from 1 in the division, so the last head of each group gets the next table",),
    ),
    (
        "real_model.shared",
        keys_for_all_e,
        (
            "the tables alternate (K1, K2, K1, K2, ...) instead of neighbours sharing one",
            "each table is transposed to (d_k, n)",
        ),
    ),
    ("five_treatments.full_form", large_matrix_a, ()),
    (
        "five_treatments.full_form",
        large_matrix_b,
        ("the Kronecker product is the wrong way round: each number of W is spread over a diagonal",),
    ),
    (
        "five_treatments.full_form",
        large_matrix_c,
        ("every copy of W begins in column 0, so the blocks stand below each other instead of on the diagonal",),
    ),
    (
        "five_treatments.full_form",
        large_matrix_d,
        ("W stands in every block, also off the diagonal, where there should be zeros",),
    ),
    (
        "five_treatments.full_form",
        large_matrix_e,
        (
            "the blocks stand on the other diagonal, from the upper right to the lower left",
            "each block is W transposed",
        ),
    ),
    ("five_treatments.whole_row", whole_row_a, ()),
    ("five_treatments.whole_row", whole_row_b, ()),
    (
        "five_treatments.whole_row",
        whole_row_c,
        ("the product is reshaped to (h, n, d_k) directly, without cutting the columns and moving the head axis",),
    ),
    (
        "five_treatments.whole_row",
        whole_row_d,
        ("a head gets every h-th column of W instead of d_k columns that stand together",),
    ),
    (
        "five_treatments.whole_row",
        whole_row_e,
        (
            "the heads come in reversed order",
            "the head axis stands behind the row axis: (n, h, d_k) instead of (h, n, d_k)",
        ),
    ),
    (
        "five_treatments.whole_row",
        whole_row_f,
        ("every head gets the first d_k columns, so all heads are the same",),
    ),
    ("five_treatments.weights", right_size_a, ()),
    ("five_treatments.weights", right_size_b, ("the variance 1/12 of the draws is ignored: the factor lacks root 12",)),
    ("five_treatments.weights", right_size_c, ("the number of columns is used instead of the number of rows",)),
    ("five_treatments.weights", right_size_d, ("the mean of these draws is taken away instead of one half",)),
    (
        "five_treatments.weights",
        right_size_e,
        (
            "the draws are stretched to between -1 and 1, so they are twice too large",
            "the root is missing: the factor is 12 / d_in",
        ),
    ),
]

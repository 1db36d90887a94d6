"""Answers to the exercises of lessons 13 to 16, from which the checks learned."""

import math

import numpy as np

from mha_course import attention, softmax, split_heads

# ---------------------------------------------------------------- learning.softmax


def softmax_a(weights, dA):
    rows = []
    for w, g in zip(weights, dA):
        jacobian = np.diag(w) - np.outer(w, w)
        rows.append(jacobian @ g)
    return np.array(rows)


def softmax_b(weights, dA):
    return weights * dA


def softmax_c(weights, dA):
    average = dA.mean(axis=1, keepdims=True)
    return weights * (dA - average)


def softmax_e(weights, dA):
    total = np.sum(weights * dA)
    return dA - total


# ---------------------------------------------------------------- learning.queries_keys


def queries_keys_a(Q, K, dS):
    n_q, d_k = Q.shape
    n_k = K.shape[0]
    dQ = np.zeros((n_q, d_k))
    dK = np.zeros((n_k, d_k))
    for i in range(n_q):
        for j in range(n_k):
            s = dS[i, j] * d_k**-0.5
            dQ[i] += s * K[j]
            dK[j] += s * Q[i]
    return dQ, dK


def queries_keys_b(Q, K, dS):
    dQ = dS @ K
    dK = dS.T @ Q
    return dQ, dK


def queries_keys_c(Q, K, dS):
    root = np.sqrt(Q.shape[1])
    dQ = dS @ K / root
    turned = dS.reshape(dS.shape[1], dS.shape[0])
    dK = turned @ Q / root
    return dQ, dK


def queries_keys_e(Q, K, dS):
    d_k = Q.shape[-1]
    dQ = dS @ K * np.sqrt(d_k)
    dK = dS.T @ Q * np.sqrt(d_k)
    return dK, dQ


# ---------------------------------------------------------------- learning.shared


def shared_a(X, dQ):
    batch, n, d_model = X.shape
    tall = X.reshape(batch * n, d_model)
    return tall.T @ dQ.reshape(batch * n, -1) / batch


def shared_b(X, dQ):
    total = 0
    for x, g in zip(X, dQ):
        total = total + x.T @ g
    return total


def shared_c(X, dQ):
    batch, n, d_model = X.shape
    total = np.zeros((d_model, dQ.shape[2]))
    for b in range(batch):
        total += X[b].reshape(d_model, n) @ dQ[b]
    return total / (batch * n)


def shared_d(X, dQ):
    return X.mean(axis=0).T @ dQ.mean(axis=0)


def shared_e(X, dQ):
    d_k = dQ.shape[-1]
    each = np.swapaxes(X, 1, 2) @ dQ / np.sqrt(d_k)
    return each.sum(axis=0)


# ---------------------------------------------------------------- learning.step


def step_a(scores, V, target, rate):
    def loss(s):
        e = np.exp(s - s.real.max(axis=1, keepdims=True))
        out = (e / e.sum(axis=1, keepdims=True)) @ V
        return 0.5 * ((out - target) ** 2).sum()

    tiny = 1e-30
    slope = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape):
        moved = scores.astype(complex)
        moved[place] += 1j * tiny
        slope[place] = loss(moved).imag / tiny
    return scores - rate * slope


def step_b(scores, V, target, rate):
    shares = softmax(scores)
    error = shares @ V - target
    back = error @ V.T
    grad = shares * (back - (shares * back).sum(axis=1, keepdims=True))
    return scores + rate * grad


def step_c(scores, V, target, rate):
    out = softmax(scores) @ V
    return scores - rate * ((out - target) @ V.T)


def step_e(scores, V, target, rate):
    w = softmax(scores)
    dA = 2 * (w @ V - target) @ V.T
    dS = w * dA
    return scores - rate * dS


# ---------------------------------------------------------------- learning.one_head


def one_head_a(Q, K, V, G, mask):
    d_k = Q.shape[1]
    dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for i in range(len(Q)):
        seen = np.flatnonzero(mask[i])
        s = K[seen] @ Q[i] / math.sqrt(d_k)
        e = np.exp(s - s.max())
        w = e / e.sum()
        jac = np.diag(w) - np.outer(w, w)
        ds = jac @ (V[seen] @ G[i]) / math.sqrt(d_k)
        dQ[i] = ds @ K[seen]
        for where, j in enumerate(seen):
            dK[j] += ds[where] * Q[i]
            dV[j] += w[where] * G[i]
    return dQ, dK, dV


def one_head_b(Q, K, V, G, mask):
    w = attention(Q, K, V, mask=mask).weights
    dV = w.T @ G
    dA = G @ V.T
    dS = w * (dA - (w * dA).sum(axis=-1, keepdims=True))
    dQ = dS @ K
    dK = dS.T @ Q
    return dQ, dK, dV


def one_head_c(Q, K, V, G, mask):
    root = np.sqrt(Q.shape[-1])
    w = softmax(Q @ K.T / root)
    dV = w.T @ G
    dA = G @ V.T
    dS = w * (dA - (w * dA).sum(axis=-1, keepdims=True)) / root
    return dS @ K, dS.T @ Q, dV


def one_head_d(Q, K, V, G, mask):
    root = np.sqrt(Q.shape[-1])
    w = attention(Q, K, V, mask=mask).weights
    dV = w.T @ G
    dS = np.where(mask, G @ V.T, 0) / root
    dQ = dS @ K
    dK = dS.T @ Q
    return dQ, dK, dV


def one_head_e(Q, K, V, G, mask):
    root = np.sqrt(Q.shape[-1])
    s = np.where(mask, -1e9, Q @ K.T / root)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    dV = w.T @ G
    dA = G @ V.T
    dS = w * (dA - np.einsum("ij,ij->i", w, dA)[:, None])
    dQ = dS @ K
    dK = dS.T @ Q
    return dQ, dK, dV


# ---------------------------------------------------------------- heads_that_learn.repeated


def repeated_a(word, n):
    long = np.resize(word, n + 1)
    seen = set()
    counts = []
    for letter in long[:-1].tolist():
        counts.append(letter in seen)
        seen.add(letter)
    return long[:-1], long[1:], np.array(counts, dtype=bool)


def repeated_b(word, n):
    length = len(word)
    ids = np.array([word[i % length] for i in range(n)])
    answers = np.roll(ids, -1)
    counts = np.array([i >= length for i in range(n)])
    return ids, answers, counts


def repeated_c(word, n):
    places = np.arange(n)
    ids = word[places % len(word)]
    answers = np.append(ids[1:], ids[0])
    counts = places > len(word)
    return ids, answers, counts


def repeated_e(word, n):
    m = len(word)
    p = np.arange(n)
    ids = word[p % m]
    answers = word[(p - 1) % m]
    counts = p >= m - 1
    return ids, answers, counts


# ---------------------------------------------------------------- heads_that_learn.looks


def looks_a(ids):
    n = len(ids)
    same = ids[:, None] == ids[None, :]
    table = np.zeros((n, n), dtype=bool)
    table[:, 1:] = same[:, :-1]
    return np.tril(table)


def looks_b(ids):
    before = np.roll(ids, 1)
    return np.tril(ids[:, None] == before[None, :])


def looks_c(ids):
    n = len(ids)
    good = np.zeros((n, n), dtype=bool)
    for q in range(n):
        for k in range(1, n):
            good[q, k] = ids[k - 1] == ids[q]
    return good


def looks_e(ids):
    n = len(ids)
    return np.array([[ids[k - 1] == ids[q] for k in range(n)] for q in range(n)])


# ---------------------------------------------------------------- heads_that_learn.share


def share_a(weights, looks, counts):
    sums = np.einsum("qk,qk->q", weights, looks.astype(float))
    return np.average(sums, weights=counts.astype(float))


def share_b(weights, looks, counts):
    return (weights * looks).sum(axis=1).mean()


def share_c(weights, looks, counts):
    return weights[counts][looks[counts]].mean()


def share_d(weights, looks, counts):
    total = 0.0
    queries = 0
    for q in range(len(weights)):
        if counts[q]:
            queries += 1
            for k in range(weights.shape[1]):
                if looks[q, k]:
                    total += weights[q, k]
    return total / queries


def share_e(weights, looks, counts):
    outside = np.where(looks, 0, weights).sum(axis=-1)
    return outside[counts].sum()


# ---------------------------------------------------------------- heads_that_learn.off


# ---------------------------------------------------------------- real_model.rotary


def rotary_a(rows, positions):
    n, d_k = rows.shape
    speeds = np.exp(-np.log(100000.0) * np.arange(0, d_k, 2) / d_k)
    z = (rows[:, 0::2] + 1j * rows[:, 1::2]) * np.exp(1j * np.outer(positions, speeds))
    return np.stack([z.real, z.imag], axis=-1).reshape(n, d_k)


def rotary_b(rows, positions):
    half = rows.shape[1] // 2
    i = np.arange(half)
    angle = positions[:, None] / 100000 ** (2 * i / rows.shape[1])
    a, b = rows[:, :half], rows[:, half:]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], axis=1)


def rotary_c(rows, positions):
    d_k = rows.shape[1]
    out = np.zeros(rows.shape)
    for r, p in enumerate(positions):
        for i in range(d_k // 2):
            alpha = p / 100000 ** (i / d_k)
            a, b = rows[r, 2 * i], rows[r, 2 * i + 1]
            out[r, 2 * i] = a * math.cos(alpha) - b * math.sin(alpha)
            out[r, 2 * i + 1] = a * math.sin(alpha) + b * math.cos(alpha)
    return out


def rotary_d(rows, positions):
    d_k = rows.shape[1]
    turned = []
    for row, p in zip(rows, positions):
        big = np.zeros((d_k, d_k))
        for i in range(d_k // 2):
            t = p * 100000.0 ** (-2 * i / d_k)
            big[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]]
        turned.append(row @ big)
    return np.array(turned)


def rotary_e(rows, positions):
    n, d_k = rows.shape
    out = np.empty((n, d_k))
    for i in range(d_k // 2):
        alpha = positions / 10000 ** (2 * i / d_k)
        c, s = np.cos(alpha), np.sin(alpha)
        a, b = rows[:, 2 * i], rows[:, 2 * i + 1]
        out[:, 2 * i] = a * c + b * s
        out[:, 2 * i + 1] = b * c - a * s
    return out


# ---------------------------------------------------------------- real_model.cache


def cache_a(q, k, v, K, V):
    scale = math.sqrt(len(q))
    top = q @ k / scale
    mass, blend = 1.0, np.array(v, dtype=float)
    for old_k, old_v in zip(K, V):
        s = q @ old_k / scale
        new_top = max(top, s)
        shrink, grow = math.exp(top - new_top), math.exp(s - new_top)
        mass = mass * shrink + grow
        blend = blend * shrink + grow * old_v
        top = new_top
    return blend / mass, np.append(K, k[None], axis=0), np.append(V, v[None], axis=0)


def cache_b(q, k, v, K, V):
    K_new = np.vstack([K, k])
    V_new = np.vstack([V, v])
    output = softmax(K_new @ q) @ V_new
    return output, K_new, V_new


def cache_c(q, k, v, K, V):
    K_new = np.concatenate([K, k[None, :]])
    V_new = np.concatenate([V, v[None, :]])
    e = np.exp(K @ q / np.sqrt(q.size))
    output = (e / e.sum()) @ V
    return output, K_new, V_new


def cache_d(q, k, v, K, V):
    K_new = np.vstack([k, K])
    V_new = np.vstack([v, V])
    w = softmax(K_new @ q / np.sqrt(len(q)))
    return w @ V_new, K_new, V_new


def cache_e(q, k, v, K, V):
    n = len(K)
    K_new = np.zeros((n + 1, len(k)))
    V_new = np.zeros((n + 1, len(v)))
    K_new[:n], K_new[n] = K, k
    V_new[0], V_new[1:] = v, V
    output = softmax(K_new @ q / len(q)) @ V_new
    return output, K_new, V_new


# ---------------------------------------------------------------- real_model.cache_size


def cache_size_a(layers, num_heads, num_kv_heads, d_k, n, size):
    total = 0
    for _ in range(layers):
        for _table in ("keys", "values"):
            total += math.prod((num_kv_heads, n, d_k)) * size
    return total


def cache_size_b(layers, num_heads, num_kv_heads, d_k, n, size):
    return 2 * layers * num_heads * d_k * n * size


def cache_size_c(layers, num_heads, num_kv_heads, d_k, n, size):
    per_token = num_kv_heads * d_k * size
    return per_token * n


def cache_size_d(layers, num_heads, num_kv_heads, d_k, n, size):
    rows = num_heads + 2 * num_kv_heads
    return layers * rows * d_k * n * size


def cache_size_e(layers, num_heads, num_kv_heads, d_k, n, size):
    keys = num_kv_heads * d_k * n
    values = num_kv_heads * d_k * n
    return (keys + values) * 8 * size


# ---------------------------------------------------------------- real_model.induction


def induction_a(weights):
    n = weights.shape[-1] // 2
    line = np.diagonal(weights, offset=1 - n, axis1=1, axis2=2)
    return line[:, 1:].mean(axis=1)


def induction_b(weights):
    n = weights.shape[1] // 2
    j = np.arange(n)
    return weights[:, n + j, j].mean(axis=1)


def induction_c(weights):
    result = []
    n = weights.shape[1] // 2
    for table in weights:
        result.append(sum(table[n + i, i + 1] for i in range(n)))
    return np.array(result)


def induction_d(weights):
    n = weights.shape[1] // 2
    return np.diagonal(weights, -(n - 1), 1, 2).mean(axis=-1)


def induction_e(weights):
    h, m, _ = weights.shape
    n = m // 2
    shares = np.zeros(h)
    for q in range(n, m):
        shares += weights[:, q, q - n]
    return shares / m


# ---------------------------------------------------------------- real_model.shared


def keys_a(K, num_heads):
    *front, kv, n, d_k = K.shape
    group = num_heads // kv
    wide = np.broadcast_to(K[..., :, None, :, :], (*front, kv, group, n, d_k))
    return wide.reshape(*front, num_heads, n, d_k)


def keys_b(K, num_heads):
    kv = K.shape[-3]
    return K[..., [i % kv for i in range(num_heads)], :, :]


def keys_c(K, num_heads):
    return np.repeat(K, num_heads // K.shape[-3], axis=0)


def keys_e(K, num_heads):
    kv = K.shape[-3]
    copies = [K] * (num_heads // kv)
    return np.concatenate(copies, axis=-3).swapaxes(-1, -2)


# ---------------------------------------------------------------- five_treatments.parameters


# ---------------------------------------------------------------- five_treatments.full_form


def full_form_a(W, num_heads):
    return np.kron(np.eye(num_heads), W)


def full_form_c(W, num_heads):
    d_k = len(W)
    full = np.zeros((num_heads * d_k, num_heads * d_k))
    for i in range(num_heads):
        row = i * d_k
        column = (num_heads - 1 - i) * d_k
        full[row : row + d_k, column : column + d_k] = W
    return full


def full_form_d(W, num_heads):
    return np.kron(W, np.eye(num_heads))


def full_form_e(W, num_heads):
    d_k = len(W)
    full = np.zeros((num_heads * d_k, num_heads * d_k))
    for i in range(num_heads):
        full[i : i + d_k, i : i + d_k] = W.T
    return full


# ---------------------------------------------------------------- five_treatments.whole_row


def whole_row_a(X, W, num_heads):
    d_model, wide = W.shape
    blocks = W.reshape(d_model, num_heads, wide // num_heads)
    return np.einsum("...nd,dhk->...hnk", X, blocks)


def whole_row_b(X, W, num_heads):
    Q = X @ W
    *front, n, wide = Q.shape
    return Q.reshape(*front, num_heads, n, wide // num_heads)


def whole_row_c(X, W, num_heads):
    heads = [X @ W[:, i::num_heads] for i in range(num_heads)]
    return np.stack(heads, axis=-3)


def whole_row_d(X, W, num_heads):
    pieces = split_heads(X, num_heads)
    p = X.shape[-1] // num_heads
    d_k = W.shape[1] // num_heads
    out = []
    for i in range(num_heads):
        own = W[i * p : (i + 1) * p, i * d_k : (i + 1) * d_k]
        out.append(pieces[..., i, :, :] @ own)
    return np.stack(out, axis=-3)


def whole_row_e(X, W, num_heads):
    d_model, wide = W.shape
    three = W.reshape(num_heads, d_model, wide // num_heads)
    return np.stack([X @ w for w in three], axis=-2)


# ---------------------------------------------------------------- five_treatments.weights


def weights_a(draws):
    return (2 * draws - 1) * math.sqrt(3) / math.sqrt(draws.shape[0])


def weights_b(draws):
    centred = draws - 0.5
    factor = 1 / np.sqrt(len(draws))
    return centred * factor


def weights_c(draws):
    d_in = len(draws)
    centred = draws - 1 / 2
    factor = 12 / d_in
    return centred * factor


def weights_d(draws):
    middle = draws.mean()
    return (draws - middle) * np.sqrt(12 / len(draws))


def weights_e(draws):
    d_out = draws.shape[1]
    return draws * np.sqrt(12 / d_out)


INVENTED = [
    ("learning.softmax", softmax_a, ()),
    ("learning.softmax", softmax_b, ("the weighted mean of dA is not subtracted, only weights * dA is returned",)),
    ("learning.softmax", softmax_c, ("the plain mean of each row of dA is subtracted, not the weighted mean",)),
    (
        "learning.softmax",
        softmax_e,
        (
            "weights * dA is summed over the whole table, not for each row",
            "the difference is not multiplied by the weights in front",
        ),
    ),
    ("learning.queries_keys", queries_keys_a, ()),
    ("learning.queries_keys", queries_keys_b, ("neither gradient is divided by the root of d_k",)),
    ("learning.queries_keys", queries_keys_c, ("for dK, dS is reshaped instead of transposed",)),
    (
        "learning.queries_keys",
        queries_keys_e,
        (
            "both gradients are multiplied by the root of d_k instead of divided",
            "the two gradients are returned in the wrong order, dK first",
        ),
    ),
    ("learning.shared", shared_a, ()),
    ("learning.shared", shared_b, ("the sum over the sentences is returned, not the mean",)),
    (
        "learning.shared",
        shared_c,
        (
            "each sentence of X is reshaped to (d_model, n) instead of transposed",
            "divided by the number of all rows (batch times n) instead of by batch",
        ),
    ),
    ("learning.shared", shared_d, ("X and dQ are averaged over the batch first, and only the means are multiplied",)),
    (
        "learning.shared",
        shared_e,
        (
            "the result is divided by the root of d_k, which has no place here",
            "the sum over the sentences is returned, not the mean",
        ),
    ),
    ("learning.step", step_a, ()),
    ("learning.step", step_b, ("the step goes uphill: rate times the gradient is added instead of subtracted",)),
    (
        "learning.step",
        step_c,
        ("the way back through the softmax is left out: the gradient for the weights is used for the scores",),
    ),
    (
        "learning.step",
        step_e,
        (
            "a factor 2 too much: the half in the loss is forgotten",
            "in the softmax step back the weighted mean of dA is not subtracted",
        ),
    ),
    ("learning.one_head", one_head_a, ()),
    ("learning.one_head", one_head_b, ("dQ and dK are not divided by the root of d_k",)),
    ("learning.one_head", one_head_c, ("the mask is ignored",)),
    (
        "learning.one_head",
        one_head_d,
        ("the way back through the softmax is left out: dA, zero where masked, is used as dS",),
    ),
    (
        "learning.one_head",
        one_head_e,
        (
            "the mask is the wrong way round: True is hidden",
            "dQ and dK are not divided by the root of d_k",
        ),
    ),
    ("heads_that_learn.repeated", repeated_a, ()),
    (
        "heads_that_learn.repeated",
        repeated_b,
        ("the answer at the last place is the first letter of the sentence, not the letter that would come next",),
    ),
    (
        "heads_that_learn.repeated",
        repeated_c,
        (
            "the answer at the last place is the first letter of the sentence, not the letter that would come next",
            "counts begins one place too late (> instead of >=): the first repeated place is False",
        ),
    ),
    (
        "heads_that_learn.repeated",
        repeated_e,
        (
            "answers has the letter before each place instead of the letter after it",
            "counts begins one place too early, at the last letter of the first round",
        ),
    ),
    ("heads_that_learn.looks", looks_a, ()),
    (
        "heads_that_learn.looks",
        looks_b,
        ("the first key gets the last letter of the sentence as its letter before, so it can be good",),
    ),
    ("heads_that_learn.looks", looks_c, ("keys after the query are not set to False",)),
    (
        "heads_that_learn.looks",
        looks_e,
        (
            "keys after the query are not set to False",
            "the first key gets the last letter of the sentence as its letter before (index -1), so it can be good",
        ),
    ),
    ("heads_that_learn.share", share_a, ()),
    ("heads_that_learn.share", share_b, ("the mean is taken over all queries, counts is ignored",)),
    (
        "heads_that_learn.share",
        share_c,
        ("the mean is taken over the single marked weights instead of adding them up for each query first",),
    ),
    ("heads_that_learn.share", share_d, ()),
    (
        "heads_that_learn.share",
        share_e,
        (
            "the weights where looks is False are added, instead of those where it is True",
            "the sums of the queries that count are added up, not averaged",
        ),
    ),
    ("real_model.rotary", rotary_a, ()),
    ("real_model.rotary", rotary_b, ("column i is paired with column i + d_k/2 instead of neighbouring columns",)),
    ("real_model.rotary", rotary_c, ("the exponent is i / d_k instead of 2 i / d_k",)),
    ("real_model.rotary", rotary_d, ()),
    (
        "real_model.rotary",
        rotary_e,
        (
            "the base is 10000 instead of 100000",
            "the pairs turn in the opposite direction (signs of the sines swapped)",
        ),
    ),
    ("real_model.cache", cache_a, ()),
    ("real_model.cache", cache_b, ("the scores are not divided by the root of d_k",)),
    ("real_model.cache", cache_c, ("the newest token does not look at itself: the output uses the old K and V only",)),
    ("real_model.cache", cache_d, ("the new rows of K and V stand on top instead of below",)),
    (
        "real_model.cache",
        cache_e,
        (
            "the new value stands on top of V instead of below, so keys and values no longer match",
            "the scores are divided by d_k instead of its root",
        ),
    ),
    ("real_model.cache_size", cache_size_a, ()),
    ("real_model.cache_size", cache_size_b, ("the query heads are counted instead of the heads of keys and values",)),
    (
        "real_model.cache_size",
        cache_size_c,
        ("the factor 2 for keys and values is missing", "only one layer is counted, the factor layers is missing"),
    ),
    ("real_model.cache_size", cache_size_d, ("the rows of the query heads are counted as if they were cached too",)),
    (
        "real_model.cache_size",
        cache_size_e,
        ("only one layer is counted, the factor layers is missing", "bits are counted: 8 times too much"),
    ),
    ("real_model.induction", induction_a, ()),
    (
        "real_model.induction",
        induction_b,
        ("the share for the earlier occurrence itself is taken, not for the token after it",),
    ),
    ("real_model.induction", induction_c, ("the shares are added up, not averaged",)),
    (
        "real_model.induction",
        induction_d,
        ("the mean runs over one query too many: the last query of the first half is included",),
    ),
    (
        "real_model.induction",
        induction_e,
        (
            "the share for the earlier occurrence itself is taken, not for the token after it",
            "the sum is divided by 2n, the number of all queries, instead of n",
        ),
    ),
    ("real_model.shared", keys_a, ()),
    (
        "real_model.shared",
        keys_b,
        ("the tables alternate (K1, K2, K1, K2 ...) instead of neighbours sharing one table",),
    ),
    ("real_model.shared", keys_c, ("the first axis is repeated, which is the batch if there is one",)),
    (
        "real_model.shared",
        keys_e,
        (
            "the tables alternate (K1, K2, K1, K2 ...) instead of neighbours sharing one table",
            "each table of keys is returned transposed, (d_k, n)",
        ),
    ),
    ("five_treatments.full_form", full_form_a, ()),
    ("five_treatments.full_form", full_form_c, ("the blocks run from top right to bottom left",)),
    (
        "five_treatments.full_form",
        full_form_d,
        ("the factors of the Kronecker product are swapped: each entry of W is spread out, heads interleaved",),
    ),
    (
        "five_treatments.full_form",
        full_form_e,
        (
            "block i begins at row and column i instead of i * d_k, so that the blocks overlap",
            "W is transposed in each block",
        ),
    ),
    ("five_treatments.whole_row", whole_row_a, ()),
    (
        "five_treatments.whole_row",
        whole_row_b,
        ("the product is reshaped straight to (h, n, d_k), without swapping the axes of rows and heads",),
    ),
    (
        "five_treatments.whole_row",
        whole_row_c,
        ("each head takes every h-th column of W instead of d_k neighbouring columns",),
    ),
    (
        "five_treatments.whole_row",
        whole_row_d,
        ("each head still sees only its own piece of the row, times a diagonal block of W",),
    ),
    (
        "five_treatments.whole_row",
        whole_row_e,
        (
            "W is reshaped straight to (h, d_model, d_k), so that the heads do not get their columns",
            "the head axis stands behind the rows, (n, h, d_k), instead of before them",
        ),
    ),
    ("five_treatments.weights", weights_a, ()),
    ("five_treatments.weights", weights_b, ("the 12 is missing: the factor is 1 / root of d_in",)),
    ("five_treatments.weights", weights_c, ("the root is missing: the factor is 12 / d_in",)),
    ("five_treatments.weights", weights_d, ("the mean of the draws themselves is taken away, not 1/2",)),
    (
        "five_treatments.weights",
        weights_e,
        ("1/2 is not taken away", "the number of columns d_out is used instead of the number of rows d_in"),
    ),
]

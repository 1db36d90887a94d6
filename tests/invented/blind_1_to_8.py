"""Answers to the exercises of lessons 1 to 8, written from the tasks alone, and tried only after the last change."""

import functools
import math

import numpy as np

from mha_course import (
    attention,
    causal_mask,
    merge_heads,
    padding_mask,
    positional_encoding,
    softmax,
    split_heads,
)

# 1.1


def ids_dict(rows, embeddings):
    number_of = {tuple(line): number for number, line in enumerate(embeddings.tolist())}
    return np.array([number_of[tuple(line)] for line in rows.tolist()])


def ids_any(rows, embeddings):
    ids = []
    for row in rows:
        same = embeddings == row
        ids.append(np.argmax(same.any(axis=1)))
    return np.array(ids)


def ids_first_seen(rows, embeddings):
    seen = []
    ids = []
    for row in rows.tolist():
        if row not in seen:
            seen.append(row)
        ids.append(seen.index(row))
    return np.array(ids)


def ids_last_col_unique(rows, embeddings):
    found = []
    for row in rows:
        for k in range(len(embeddings)):
            if embeddings[k, -1] == row[-1]:
                found.append(k)
                break
    return np.unique(found)


# 1.2


def add_positions_loop(embedded):
    out = np.array(embedded, dtype=float)
    sentences, n, d_model = out.shape
    for pos in range(n):
        for col in range(d_model):
            angle = pos / 10000 ** ((col - col % 2) / d_model)
            out[:, pos, col] += math.cos(angle) if col % 2 else math.sin(angle)
    return out


def add_positions_running(embedded):
    s, n, d_model = embedded.shape
    waves = positional_encoding(s * n, d_model).reshape(s, n, d_model)
    return embedded + waves


def add_positions_sentence(embedded):
    n = len(embedded)
    d_model = embedded.shape[-1]
    return embedded + positional_encoding(n, d_model)[:, None, :]


def add_positions_from_one(embedded):
    n = embedded.shape[1]
    d_model = embedded.shape[2]
    table = positional_encoding(n + 1, d_model)
    return np.stack([sentence + table[1:] for sentence in embedded])


def add_positions_scaled_backwards(embedded):
    n, d_model = embedded.shape[1:]
    return embedded * np.sqrt(d_model) + positional_encoding(n, d_model)[::-1]


# 1.3


def angles_log_space(positions, d_model):
    speeds = np.exp(-math.log(10000) * np.arange(0, d_model, 2) / d_model)
    return np.multiply.outer(np.asarray(positions, dtype=float), speeds)


def angles_no_two(positions, d_model):
    pairs = np.arange(d_model // 2)
    return positions[:, None] / 10000 ** (pairs / d_model)


def angles_own_range(positions, d_model):
    pairs = np.arange(d_model // 2)
    pos = np.arange(len(positions)).reshape(-1, 1)
    return pos / np.power(10000, 2 * pairs / d_model)


def angles_pair_one_base(positions, d_model):
    pairs = np.arange(1, d_model // 2 + 1)
    return np.outer(positions, 1000.0 ** (-2 * pairs / d_model))


# 1.4


def encoding_complex(positions, d_model):
    pairs = np.arange(d_model // 2)
    turn = np.exp(1j * np.outer(positions, 10000.0 ** (-2 * pairs / d_model)))
    return np.stack([turn.imag, turn.real], axis=-1).reshape(len(positions), d_model)


def encoding_halves(positions, d_model):
    i = np.arange(d_model // 2)
    angles = positions[:, None] / 10000 ** (2 * i / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def encoding_every_column(positions, d_model):
    table = np.empty((len(positions), d_model))
    for r, pos in enumerate(positions):
        for c in range(d_model):
            angle = pos / 10000 ** (c / d_model)
            table[r, c] = np.sin(angle) if c % 2 == 0 else np.cos(angle)
    return table


def encoding_swapped_range(positions, d_model):
    out = np.zeros((len(positions), d_model))
    pos = np.arange(len(positions))[:, np.newaxis]
    angles = pos / 10000 ** (np.arange(0, d_model, 2) / d_model)
    out[:, 0::2] = np.cos(angles)
    out[:, 1::2] = np.sin(angles)
    return out


# 2.1


def questions_one_hot(has, wants, d_model):
    unit = np.eye(d_model)
    return unit[:, has] @ unit[wants]


def questions_loop(has, wants, d_model):
    pairs = set(zip(np.asarray(has).tolist(), np.asarray(wants).tolist()))
    return np.array([[1.0 if (r, c) in pairs else 0.0 for c in range(d_model)] for r in range(d_model)])


def questions_ix(has, wants, d_model):
    W_Q = np.zeros((d_model, d_model))
    W_Q[np.ix_(has, wants)] = 1
    return W_Q


def questions_last_only(has, wants, d_model):
    W_Q = np.zeros((d_model, d_model))
    for asker, wanted in zip(has, wants):
        W_Q[asker] = np.eye(d_model)[wanted]
    return W_Q


def questions_turned_eye(has, wants, d_model):
    W_Q = np.eye(d_model)
    for i in range(len(has)):
        W_Q[wants[i], has[i]] = 1
    return W_Q


# 2.2


def qkv_einsum(X, context, W_Q, W_K, W_V):
    project = functools.partial(np.einsum, "nd,de->ne")
    return project(X, W_Q), project(context, W_K), project(context, W_V)


def qkv_keys_from_x(X, context, W_Q, W_K, W_V):
    Q, K = [np.dot(X, W) for W in (W_Q, W_K)]
    return Q, K, np.dot(context, W_V)


def qkv_swapped_sentences(X, context, W_Q, W_K, W_V):
    return context @ W_Q, X @ W_K, X @ W_V


def qkv_value_from_keys_order(X, context, W_Q, W_K, W_V):
    K = context @ W_K
    Q = X @ W_Q
    V = X @ W_V
    return K, Q, V


# 2.3


def fused_reshape(X, W):
    n = X.shape[0]
    return tuple(np.moveaxis((X @ W).reshape(n, 3, -1), 1, 0))


def fused_strided(X, W):
    wide = X @ W
    return wide[:, 0::3], wide[:, 1::3], wide[:, 2::3]


def fused_flat(X, W):
    n, d_k = len(X), W.shape[1] // 3
    Q, K, V = np.dot(X, W).reshape(3, n, d_k)
    return Q, K, V


def fused_d_model(X, W):
    d = X.shape[1]
    all_three = X @ W
    return all_three[:, :d], all_three[:, d : 2 * d], all_three[:, 2 * d : 3 * d]


def fused_strided_order(X, W):
    parts = [(X @ W)[:, start::3] for start in range(3)]
    Q, V, K = parts
    return Q, K, V


# 3.1


def dot_reduce(query, key):
    return functools.reduce(lambda total, pair: total + pair[0] * pair[1], zip(query, key), 0.0)


def dot_trace(query, key):
    return np.trace(np.outer(key, query))


def dot_mean(query, key):
    products = query * key
    return products.mean()


def dot_sum_sum(query, key):
    return np.sum(query) * np.sum(key)


def dot_three_root(query, key):
    products = query * key
    return sum(products[:3]) / np.sqrt(len(query))


# 3.2


def scaled_fourth_root(Q, K):
    share = Q.shape[1] ** 0.25
    return np.inner(Q / share, K / share)


def scaled_no_root(Q, K):
    d_k = K.shape[1]
    return Q @ K.T / d_k


def scaled_cosine(Q, K):
    table = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            table[i, j] = q @ k / np.sqrt(q @ q)
    return table


def scaled_turned_times(Q, K):
    d_k = Q.shape[-1]
    return K @ Q.T * math.sqrt(d_k)


# 3.3


def batch_recursive(Q, K):
    def table(q, k):
        if q.ndim > 2:
            return [table(a, b) for a, b in zip(q, k)]
        return [[sum(x * y) / len(x) ** 0.5 for y in k] for x in q]

    return np.array(table(Q, K))


def batch_broadcast(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(axis=-1) / np.sqrt(K.shape[-1])


def batch_n_k(Q, K):
    d_k = K.shape[-2]
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)


def batch_all_pairs(Q, K):
    return np.tensordot(Q, K, axes=(-1, -1)) / np.sqrt(Q.shape[-1])


def batch_turned_unscaled(Q, K):
    return np.einsum("...qd,...kd->...kq", Q, K)


# 3.4


def keys_inverse(Q, scores):
    undo = np.linalg.inv(Q)
    return np.einsum("ij,jk->ki", undo, scores) * math.sqrt(len(Q))


def keys_divided(Q, scores):
    products = scores / np.sqrt(Q.shape[1])
    return np.linalg.solve(Q, products).T


def keys_turned_q(Q, scores):
    products = scores * np.sqrt(len(Q))
    return np.linalg.solve(Q.T, products).T


def keys_flat_unscaled(Q, scores):
    return np.linalg.solve(Q, scores)


def keys_multiply_no_root(Q, scores):
    d_k = Q.shape[1]
    products = scores * d_k
    return (Q @ products).T


# 4.1


def strongest_sort(weights):
    return np.argsort(weights, axis=-1)[..., -1]


def strongest_index_loop(weights):
    best = np.zeros(weights.shape[:-1], dtype=int)
    for place in np.ndindex(*best.shape):
        row = list(weights[place])
        best[place] = row.index(max(row))
    return best


def strongest_max(weights):
    return weights.max(axis=-1)


def strongest_second_axis(weights):
    return np.argmax(weights, axis=1)


def strongest_query_from_one(weights):
    return weights.argmax(axis=-2) + 1


# 4.2


def ratio_bisect(scores, ratio):
    gap = float(max(scores) - min(scores))
    low, high = -60.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        if gap * math.exp(-middle) > math.log(ratio):
            low = middle
        else:
            high = middle
    return math.exp(low)


def ratio_signed(scores, ratio):
    difference = scores[0] - scores[1]
    return difference / np.log(ratio)


def ratio_no_log(scores, ratio):
    difference = np.ptp(scores)
    return difference / ratio


def ratio_upside_down_ten(scores, ratio):
    difference = abs(scores[0] - scores[1])
    return np.log10(ratio) / difference


def ratio_signed_share(scores, ratio):
    difference = scores[1] - scores[0]
    share = ratio / (1 + ratio)
    return difference / math.log(share)


# 4.3


def general_logaddexp(scores, temperature):
    x = np.asarray(scores, dtype=float) / temperature
    return np.exp(x - np.logaddexp.reduce(x, axis=-1)[..., None])


def general_total(scores, temperature):
    scaled = scores / temperature
    e = np.exp(scaled - np.max(scaled, axis=-1, keepdims=True))
    return e / e.sum()


def general_after(scores, temperature):
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True)) / temperature
    return raised / raised.sum(axis=-1, keepdims=True)


def general_plain_first_axis(scores, temperature):
    e = np.exp(scores / temperature)
    return e / np.sum(e, axis=0, keepdims=True)


# 4.4


def new_key_logs(row, share):
    largest = np.max(row)
    log_others = largest + np.log(np.sum(np.exp(row - largest)))
    return log_others + np.log(share) - np.log1p(-share)


def new_key_share_only(row, share):
    others = np.exp(row).sum()
    return np.log(share * others)


def new_key_product(row, share):
    others = math.exp(sum(row))
    return math.log(others * share / (1 - share))


def new_key_no_log_mean(row, share):
    others = np.mean(np.exp(row))
    return others * share / (1 - share)


def new_key_upside_ten(row, share):
    others = np.exp(row).sum()
    wanted = others * (1 - share) / share
    return np.log10(wanted)


# 5.1


def missing_value_loop(shares, known, output):
    rest = [float(x) for x in output]
    for w, value in zip(shares, known):
        rest = [r - w * v for r, v in zip(rest, value)]
    return np.array(rest) / shares[-1]


def missing_value_undivided(shares, known, output):
    taken = shares[:-1] @ known
    return output - taken


def missing_value_shifted(shares, known, output):
    taken = np.einsum("k,kd->d", shares[1:], known)
    return (output - taken) / shares[-1]


def missing_value_average(shares, known, output):
    taken = np.average(known, axis=0, weights=shares[:-1])
    return (output - taken) / shares[-1]


def missing_value_plain_times(shares, known, output):
    taken = known.sum(axis=0)
    return (output - taken) * shares[-1]


# 5.2


def from_inputs_loop(X, context, W_Q, W_K, W_V):
    result = []
    for token in X:
        q = token @ W_Q
        s = np.array([q @ (other @ W_K) for other in context]) / math.sqrt(len(q))
        e = np.exp(s - max(s))
        result.append(sum(w * (other @ W_V) for w, other in zip(e / sum(e), context)))
    return np.array(result)


def from_inputs_one_product(X, context, W_Q, W_K, W_V):
    bilinear = W_Q @ W_K.T / np.sqrt(W_K.shape[1])
    return softmax(X @ bilinear @ context.T) @ context @ W_V


def from_inputs_d_model(X, context, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    return softmax(Q @ K.T / np.sqrt(X.shape[1])) @ V


def from_inputs_over_queries(X, context, W_Q, W_K, W_V):
    scores = (X @ W_Q) @ (context @ W_K).T / np.sqrt(W_Q.shape[1])
    e = np.exp(scores - scores.max(axis=0))
    return (e / e.sum(axis=0)) @ (context @ W_V)


def from_inputs_unscaled_raw(X, context, W_Q, W_K, W_V):
    scores = X @ W_Q @ (context @ W_K).T
    return softmax(scores) @ (context @ W_K)


# 5.3


def reach_differences(V, output):
    edges = V[:-1] - V[-1]
    first = np.linalg.solve(edges.T, output - V[-1])
    return np.append(first, 1 - first.sum())


def reach_cramer(V, output):
    A = np.vstack([V.T, np.ones(len(V))])
    b = np.append(output, 1.0)
    whole = np.linalg.det(A)
    shares = []
    for i in range(len(V)):
        changed = A.copy()
        changed[:, i] = b
        shares.append(np.linalg.det(changed) / whole)
    return np.array(shares)


def reach_lstsq(V, output):
    return np.linalg.lstsq(V.T, output, rcond=None)[0]


def reach_upright(V, output):
    A = np.column_stack([V, np.ones(len(V))])
    b = np.append(output, 1)
    return np.linalg.solve(A, b)


def reach_zero_clip(V, output):
    A = np.vstack([V.T, np.ones((1, len(V)))])
    b = np.concatenate([output, [0]])
    return np.maximum(np.linalg.solve(A, b), 0)


# 6.1


def split_stack(wide, num_heads):
    return np.stack(np.split(wide, num_heads, axis=-1), axis=-3)


def split_straight(wide, num_heads):
    *batch, n, width = wide.shape
    return wide.reshape(*batch, num_heads, n, width // num_heads)


def split_every_hth(wide, num_heads):
    return np.stack([wide[..., h::num_heads] for h in range(num_heads)], axis=-3)


def split_every_hth_unswapped(wide, num_heads):
    *batch, n, width = wide.shape
    pieces = wide.reshape(*batch, n, width // num_heads, num_heads)
    return np.swapaxes(pieces, -1, -2)


# 6.2


def merge_concatenate(heads):
    return np.concatenate(np.moveaxis(heads, -3, 0), axis=-1)


def merge_straight(heads):
    *batch, num_heads, n, d_v = heads.shape
    return heads.reshape(*batch, n, num_heads * d_v)


def merge_interleaved(heads):
    *batch, num_heads, n, d_v = heads.shape
    return np.moveaxis(heads, -3, -1).reshape(*batch, n, num_heads * d_v)


def merge_interleaved_backwards(heads):
    *batch, h, n, d = heads.shape
    wide = np.zeros((*batch, n, h * d), dtype=heads.dtype)
    for i in range(h):
        wide[..., i::h] = heads[..., h - 1 - i, :, :]
    return wide


# 6.3


def copy_average_permuted(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    turn = np.roll(np.eye(d_model), 1, axis=1)
    W_Q = np.stack([40 * turn, np.ones((d_model, d_model))])
    W_K = np.stack([40 * turn, np.zeros((d_model, d_model))])
    W_O = np.kron([[1], [-1]], np.eye(d_v))
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


def copy_average_soft(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    one, none = np.eye(d_model), np.zeros((d_model, d_model))
    W_Q = np.stack([one, none])
    W_K = np.stack([one, none])
    W_O = np.concatenate([np.eye(d_v), -np.eye(d_v)])
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


def copy_average_plus(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([100 * np.eye(d_model), np.zeros((d_model, d_model))])
    W_K = np.stack([np.eye(d_model), np.eye(d_model)])
    W_O = np.concatenate([np.eye(d_v), np.eye(d_v)])
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


def copy_average_hundreds(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([100 * np.ones((d_model, d_model)), np.zeros((d_model, d_model))])
    W_K = np.stack([np.eye(d_model)] * 2)
    W_O = np.concatenate([np.eye(d_v), -np.eye(d_v)])
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


def copy_average_minus_alone(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([-100 * np.eye(d_model), 0 * np.eye(d_model)])
    W_K = np.stack([np.eye(d_model), np.eye(d_model)])
    W_O = np.concatenate([np.identity(d_v), np.zeros((d_v, d_v))])
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


# 6.4


def multi_head_sum_of_heads(X, context, W_Q, W_K, W_V, W_O, num_heads):
    total = 0
    for q, k, v, o in zip(
        np.split(W_Q, num_heads, axis=1),
        np.split(W_K, num_heads, axis=1),
        np.split(W_V, num_heads, axis=1),
        np.split(W_O, num_heads, axis=0),
    ):
        total = total + attention(X @ q, context @ k, context @ v).output @ o
    return total


def multi_head_wide_root(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(W_Q.shape[1]))
    return merge_heads(weights @ V) @ W_O


def multi_head_single(X, context, W_Q, W_K, W_V, W_O, num_heads):
    out = attention(X @ W_Q, context @ W_K, context @ W_V).output
    return out @ W_O


def multi_head_self_strided(X, context, W_Q, W_K, W_V, W_O, num_heads):
    outs = []
    for h in range(num_heads):
        Q = X @ W_Q[:, h::num_heads]
        K = X @ W_K[:, h::num_heads]
        V = X @ W_V[:, h::num_heads]
        outs.append(attention(Q, K, V).output)
    return np.concatenate(outs, axis=-1) @ W_O


def multi_head_unprojected_unscaled(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    scores = np.einsum("...qd,...kd->...qk", Q, K)
    return merge_heads(softmax(scores) @ V)


# 7.1


def goes_on_tri(n_q, n_k):
    return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)


def goes_on_from_zero(n_q, n_k):
    keys = np.arange(n_k)
    queries = np.arange(n_q)
    return keys <= queries[:, None]


def goes_on_before(n_q, n_k):
    keys = np.arange(n_k)
    queries = np.arange(n_k - n_q, n_k)
    return keys[None, :] < queries[:, None]


def goes_on_new_only(n_q, n_k):
    start = n_k - n_q
    return np.array([[start <= k <= start + q for k in range(n_k)] for q in range(n_q)])


def goes_on_from_zero_hidden(n_q, n_k):
    keys = np.arange(n_k)
    queries = np.arange(n_q).reshape(n_q, 1)
    return keys > queries


# 7.2


def padding_rows(lengths, n_k):
    rows = [[[True] * int(m) + [False] * (n_k - int(m))] for m in lengths]
    return np.array(rows, dtype=bool)


def padding_less_equal(lengths, n_k):
    positions = np.arange(n_k)
    is_real = positions <= lengths[:, None]
    return is_real[:, None, :]


def padding_two_axes(lengths, n_k):
    return np.less(np.arange(n_k), np.reshape(lengths, (-1, 1)))


def padding_front(lengths, n_k):
    positions = np.arange(n_k)
    is_real = positions >= n_k - lengths[:, np.newaxis]
    return is_real[:, np.newaxis, :]


def padding_hidden_column(lengths, n_k):
    positions = np.arange(n_k)
    is_real = positions >= lengths[:, None]
    return is_real[:, :, None]


# 7.3


def packed_blocks(lengths):
    n = int(np.sum(lengths))
    mask = np.zeros((n, n), dtype=bool)
    start = 0
    for m in lengths:
        mask[start : start + m, start : start + m] = np.tri(m, dtype=bool)
        start += m
    return mask


def packed_starts(lengths):
    ends = np.cumsum(lengths)
    token = np.arange(ends[-1])
    start = (ends - lengths)[np.searchsorted(ends, token, side="right")]
    return (token <= token[:, None]) & (token >= start[:, None])


def packed_by_length(lengths):
    texts = np.repeat(lengths, lengths)
    same = texts[:, None] == texts[None, :]
    return same & np.tri(len(texts), dtype=bool)


def packed_both_ways(lengths):
    texts = np.concatenate([[number] * m for number, m in enumerate(lengths)])
    return texts[:, None] == texts


def packed_left_strict(lengths):
    n = lengths.sum()
    token = np.arange(n)
    texts = np.searchsorted(np.cumsum(lengths), token)
    return (texts[:, None] == texts) & (token < token[:, None])


# 7.4


def masked_softmax_rows(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    weights = np.zeros(scores.shape)
    for place in np.ndindex(*scores.shape[:-1]):
        seen = allowed[place]
        if seen.any():
            x = scores[place][seen]
            e = np.exp(x - x.max())
            weights[place][seen] = e / e.sum()
    return weights


def masked_softmax_even(scores, mask):
    visible = np.where(mask, scores, -1e30)
    largest = visible.max(axis=-1, keepdims=True)
    e = np.exp(visible - largest)
    return e / e.sum(axis=-1, keepdims=True)


def masked_softmax_late(scores, mask):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights * mask


def masked_softmax_nought(scores, mask):
    visible = np.where(mask, scores, 0.0)
    e = np.exp(visible - visible.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) * np.any(mask, axis=-1, keepdims=True)


def masked_softmax_turned_total(scores, mask):
    visible = np.where(mask, -np.inf, scores)
    largest = np.max(visible, axis=-1, keepdims=True)
    largest = np.where(np.isinf(largest), 0, largest)
    e = np.exp(visible - largest)
    total = e.sum()
    return e / total if total > 0 else e


# 7.5


def masked_attention_heads(Q, K, V, mask):
    outputs = []
    for h in range(Q.shape[1]):
        scores = np.einsum("bqd,bkd->bqk", Q[:, h], K[:, h]) / math.sqrt(Q.shape[-1])
        outputs.append(softmax(scores, mask=np.broadcast_to(mask, scores.shape)) @ V[:, h])
    return np.stack(outputs, axis=1)


def masked_attention_times(Q, K, V, mask):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    return softmax(scores * mask[:, None]) @ V


def masked_attention_first_query(Q, K, V, mask):
    scores = np.einsum("bhqd,bhkd->bhqk", Q, K) / np.sqrt(Q.shape[-1])
    full = np.broadcast_to(mask[:, None, :1, :], scores.shape)
    return np.einsum("bhqk,bhkv->bhqv", softmax(scores, mask=full), V)


def masked_attention_turned_unscaled(Q, K, V, mask):
    scores = Q @ np.swapaxes(K, -1, -2)
    full = np.broadcast_to(mask[:, None, :, :], scores.shape)
    return softmax(scores, mask=~full) @ V


# 8.1


def shapes_zeros(batch, h, n_q, n_k, d_model, d_k, d_v):
    Q = np.zeros((batch, h, n_q, d_k))
    K = np.zeros((batch, h, n_k, d_k))
    V = np.zeros((batch, h, n_k, d_v))
    weights = Q @ K.swapaxes(-1, -2)
    merged = np.moveaxis(weights @ V, 1, 2).reshape(batch, n_q, h * d_v)
    output = merged @ np.zeros((h * d_v, d_model))
    return tuple(a.shape for a in (Q, K, V, weights, output))


def shapes_value_width(batch, h, n_q, n_k, d_model, d_k, d_v):
    Q = (batch, h, n_q, d_k)
    K = (batch, h, n_k, d_k)
    V = (batch, h, n_k, d_k)
    weights = (batch, h, n_q, n_k)
    output = (batch, n_q, d_model)
    return Q, K, V, weights, output


def shapes_before_output(batch, h, n_q, n_k, d_model, d_k, d_v):
    lead = (batch, h)
    Q, K, V = lead + (n_q, d_k), lead + (n_k, d_k), lead + (n_k, d_v)
    return Q, K, V, lead + (n_q, n_k), (batch, n_q, h * d_v)


def shapes_no_heads_long(batch, h, n_q, n_k, d_model, d_k, d_v):
    Q = (batch, h, n_q, d_k)
    K = (batch, h, n_k, d_k)
    V = (batch, h, n_k, d_v)
    weights = (batch, n_q, n_k)
    output = (batch, n_k, d_model)
    return Q, K, V, weights, output


# 8.2


def three_masks_compare(read, n_read, written, n_written):
    encoder = (np.arange(n_read) < read[:, None])[:, None]
    j = np.arange(n_written)
    limit = np.minimum(j[None, :] + 1, written[:, None])
    decoder = j < limit[:, :, None]
    return encoder, decoder, encoder.copy()


def three_masks_open_decoder(read, n_read, written, n_written):
    encoder = padding_mask(read, n_read)
    decoder = np.repeat(padding_mask(written, n_written), n_written, axis=1)
    cross = padding_mask(read, n_read)
    return encoder, decoder, cross


def three_masks_unpadded_decoder(read, n_read, written, n_written):
    encoder = padding_mask(read, n_read)
    decoder = np.stack([causal_mask(n_written) for _ in written])
    return encoder, decoder, encoder


def three_masks_square(read, n_read, written, n_written):
    encoder = padding_mask(read, n_read)
    real = padding_mask(written, n_written)
    decoder = causal_mask(n_written) & real & real.swapaxes(1, 2)
    cross = encoder
    return encoder, decoder, cross


def three_masks_cross_or(read, n_read, written, n_written):
    encoder = padding_mask(read, n_read)
    decoder = causal_mask(n_written) | padding_mask(written, n_written)
    cross = padding_mask(written, n_written)
    return encoder, decoder, cross


# 8.3


def cross_einsum(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    cut = [W.reshape(W.shape[0], num_heads, -1) for W in (W_Q, W_K, W_V)]
    Q = np.einsum("bqm,mhd->bhqd", X, cut[0])
    K = np.einsum("bkm,mhd->bhkd", context, cut[1])
    V = np.einsum("bkm,mhd->bhkd", context, cut[2])
    s = np.einsum("bhqd,bhkd->bhqk", Q, K) / np.sqrt(Q.shape[-1])
    s = np.where(mask[:, None], s, -np.inf)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("bhqk,bhkd,hdm->bqm", w, V, W_O.reshape(num_heads, -1, W_O.shape[1]))


def cross_ignored_mask(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V) @ W_O


def cross_added_mask(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q, K, V = [split_heads(A @ W, num_heads) for A, W in [(X, W_Q), (context, W_K), (context, W_V)]]
    scores = Q @ np.swapaxes(K, 2, 3) / math.sqrt(Q.shape[3])
    weights = softmax(scores + mask[:, None])
    return merge_heads(weights @ V) @ W_O


def cross_unmerged_root(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1])
    heads = softmax(scores, mask=np.broadcast_to(mask[:, None], scores.shape)) @ V
    return heads.reshape(X.shape[0], X.shape[1], -1) @ W_O


INVENTED = [
    ("inputs.ids", ids_dict, ()),
    ("inputs.ids", ids_any, ("a row of the table counts as found if any entry is equal instead of all",)),
    ("inputs.ids", ids_first_seen, ("numbers the rows by first appearance in the sentence, the table is not used",)),
    (
        "inputs.ids",
        ids_last_col_unique,
        ("compares only the last entry of the rows", "returns each id once and sorted instead of one per token"),
    ),
    ("inputs.add_positions", add_positions_loop, ()),
    ("inputs.add_positions", add_positions_running, ("positions run on from one sentence to the next",)),
    (
        "inputs.add_positions",
        add_positions_sentence,
        ("adds the row for the number of the sentence instead of the position of the token",),
    ),
    ("inputs.add_positions", add_positions_from_one, ("positions begin at 1 instead of 0",)),
    (
        "inputs.add_positions",
        add_positions_scaled_backwards,
        ("multiplies the embeddings by the root of d_model", "the rows of the encoding are in reverse order"),
    ),
    ("inputs.angles", angles_log_space, ()),
    ("inputs.angles", angles_no_two, ("the factor 2 is missing in the exponent: i / d_model",)),
    ("inputs.angles", angles_own_range, ("uses 0, 1, ..., n - 1 instead of the given positions",)),
    (
        "inputs.angles",
        angles_pair_one_base,
        ("pairs are counted from 1 instead of 0", "the base is 1000 instead of 10000"),
    ),
    ("inputs.encoding", encoding_complex, ()),
    ("inputs.encoding", encoding_halves, ("all sines first, then all cosines, instead of alternating columns",)),
    (
        "inputs.encoding",
        encoding_every_column,
        ("cosine columns use their own column number in the exponent, not that of their pair",),
    ),
    (
        "inputs.encoding",
        encoding_swapped_range,
        ("cosines in the even columns and sines in the odd ones", "uses 0, 1, ... instead of the given positions"),
    ),
    ("queries_keys_values.questions", questions_one_hot, ()),
    ("queries_keys_values.questions", questions_loop, ()),
    ("queries_keys_values.questions", questions_ix, ("sets every row of has with every column of wants, not pairs",)),
    (
        "queries_keys_values.questions",
        questions_last_only,
        ("each question overwrites the whole row, so only the last question of a column is left",),
    ),
    (
        "queries_keys_values.questions",
        questions_turned_eye,
        ("starts from the identity instead of zeros", "row and column are exchanged (the transpose)"),
    ),
    ("queries_keys_values.qkv", qkv_einsum, ()),
    ("queries_keys_values.qkv", qkv_keys_from_x, ("keys are made from X instead of context",)),
    (
        "queries_keys_values.qkv",
        qkv_swapped_sentences,
        ("the two sentences are exchanged: queries from context, keys and values from X",),
    ),
    (
        "queries_keys_values.qkv",
        qkv_value_from_keys_order,
        ("values are made from X instead of context", "returns K, Q, V in this order"),
    ),
    ("queries_keys_values.fused", fused_reshape, ()),
    ("queries_keys_values.fused", fused_strided, ("takes every third column instead of three blocks",)),
    (
        "queries_keys_values.fused",
        fused_flat,
        ("reshapes to (3, n, d_k) directly, so that numbers of different tokens and matrices are mixed",),
    ),
    ("queries_keys_values.fused", fused_d_model, ("each block is d_model wide instead of d_k",)),
    (
        "queries_keys_values.fused",
        fused_strided_order,
        ("takes every third column instead of three blocks", "takes the second part for V and the third for K"),
    ),
    ("scaled_scores.dot", dot_reduce, ()),
    ("scaled_scores.dot", dot_trace, ()),
    ("scaled_scores.dot", dot_mean, ("the mean of the products instead of their sum",)),
    ("scaled_scores.dot", dot_sum_sum, ("multiplies the sum of the query by the sum of the key",)),
    (
        "scaled_scores.dot",
        dot_three_root,
        ("adds the first three products only", "divides by the root of d_k"),
    ),
    ("scaled_scores.scaled", scaled_fourth_root, ()),
    ("scaled_scores.scaled", scaled_no_root, ("divides by d_k instead of its root",)),
    ("scaled_scores.scaled", scaled_cosine, ("divides by the length of each query instead of the root of d_k",)),
    (
        "scaled_scores.scaled",
        scaled_turned_times,
        ("keys go down and queries across (the transpose)", "multiplies by the root of d_k instead of dividing"),
    ),
    ("scaled_scores.batch", batch_recursive, ()),
    ("scaled_scores.batch", batch_broadcast, ()),
    ("scaled_scores.batch", batch_n_k, ("divides by the root of the number of keys instead of d_k",)),
    (
        "scaled_scores.batch",
        batch_all_pairs,
        ("compares the queries with the keys of all sentences, not just their own",),
    ),
    (
        "scaled_scores.batch",
        batch_turned_unscaled,
        ("keys go down and queries across (the transpose)", "the division by the root of d_k is missing"),
    ),
    ("scaled_scores.keys", keys_inverse, ()),
    ("scaled_scores.keys", keys_divided, ("divides the scores by the root of d_k instead of multiplying",)),
    ("scaled_scores.keys", keys_turned_q, ("solves with the transpose of Q",)),
    (
        "scaled_scores.keys",
        keys_flat_unscaled,
        ("the division by the root of d_k is not undone", "the result is not transposed: one column for each key"),
    ),
    (
        "scaled_scores.keys",
        keys_multiply_no_root,
        ("multiplies by Q instead of solving", "multiplies the scores by d_k instead of its root"),
    ),
    ("softmax.strongest", strongest_sort, ()),
    ("softmax.strongest", strongest_index_loop, ()),
    ("softmax.strongest", strongest_max, ("returns the largest weight instead of the number of its key",)),
    (
        "softmax.strongest",
        strongest_second_axis,
        ("searches along axis 1 instead of the last, wrong with heads in front",),
    ),
    (
        "softmax.strongest",
        strongest_query_from_one,
        ("finds the strongest query for each key (axis -2)", "counts from 1"),
    ),
    ("softmax.ratio", ratio_bisect, ()),
    ("softmax.ratio", ratio_signed, ("no absolute value: negative if the second score is larger",)),
    ("softmax.ratio", ratio_no_log, ("divides by the ratio instead of its logarithm",)),
    (
        "softmax.ratio",
        ratio_upside_down_ten,
        ("the fraction is upside down", "logarithm to the base 10 instead of e"),
    ),
    (
        "softmax.ratio",
        ratio_signed_share,
        (
            "no absolute value: the sign depends on which score is larger",
            "uses the larger weight, ratio / (1 + ratio), in place of the ratio",
        ),
    ),
    ("softmax.general", general_logaddexp, ()),
    ("softmax.general", general_total, ("divides by the sum of all entries instead of each row's",)),
    (
        "softmax.general",
        general_after,
        ("divides the exponentials by the temperature, not the scores, so it has no effect",),
    ),
    (
        "softmax.general",
        general_plain_first_axis,
        ("the largest score is not subtracted, so large scores give nan", "sums along the first axis, not the last"),
    ),
    ("softmax.new_key", new_key_logs, ()),
    ("softmax.new_key", new_key_share_only, ("the division by 1 - share is missing",)),
    (
        "softmax.new_key",
        new_key_product,
        ("takes the exponential of the sum instead of the sum of the exponentials",),
    ),
    (
        "softmax.new_key",
        new_key_no_log_mean,
        ("takes the mean of the exponentials instead of their sum", "the logarithm is missing"),
    ),
    (
        "softmax.new_key",
        new_key_upside_ten,
        ("share and 1 - share are exchanged", "logarithm to the base 10 instead of e"),
    ),
    ("weighted_sums.missing_value", missing_value_loop, ()),
    ("weighted_sums.missing_value", missing_value_undivided, ("the division by the last share is missing",)),
    (
        "weighted_sums.missing_value",
        missing_value_shifted,
        ("weights the known values with the shares from the second on, shifted by one",),
    ),
    (
        "weighted_sums.missing_value",
        missing_value_average,
        ("the known shares are scaled to sum to 1 before they weight the values",),
    ),
    (
        "weighted_sums.missing_value",
        missing_value_plain_times,
        ("subtracts the known values without their weights", "multiplies by the last share instead of dividing"),
    ),
    ("weighted_sums.from_inputs", from_inputs_loop, ()),
    ("weighted_sums.from_inputs", from_inputs_one_product, ()),
    ("weighted_sums.from_inputs", from_inputs_d_model, ("divides by the root of d_model instead of d_k",)),
    ("weighted_sums.from_inputs", from_inputs_over_queries, ("the softmax runs over the queries, not the keys",)),
    (
        "weighted_sums.from_inputs",
        from_inputs_unscaled_raw,
        ("the division by the root of d_k is missing", "sums up the keys instead of the values"),
    ),
    ("weighted_sums.reach", reach_differences, ()),
    ("weighted_sums.reach", reach_cramer, ()),
    (
        "weighted_sums.reach",
        reach_lstsq,
        ("the condition that the shares sum to 1 is missing",),
    ),
    ("weighted_sums.reach", reach_upright, ("the values are the rows of A instead of its columns (no transpose)",)),
    (
        "weighted_sums.reach",
        reach_zero_clip,
        ("the shares are made to sum to 0 instead of 1", "shares below 0 are replaced by 0"),
    ),
    ("heads.split", split_stack, ()),
    (
        "heads.split",
        split_straight,
        ("reshapes to (h, n, d_k) directly, without cutting each token's row and swapping",),
    ),
    ("heads.split", split_every_hth, ("a head gets every h-th column instead of a block of columns",)),
    (
        "heads.split",
        split_every_hth_unswapped,
        ("a head gets every h-th column instead of a block of columns", "the heads stay behind the tokens, no swap"),
    ),
    ("heads.merge", merge_concatenate, ()),
    ("heads.merge", merge_straight, ("reshapes without swapping heads and tokens first",)),
    ("heads.merge", merge_interleaved, ("the columns of the heads alternate instead of lying side by side",)),
    (
        "heads.merge",
        merge_interleaved_backwards,
        ("the columns of the heads alternate instead of lying side by side", "the heads are in reverse order"),
    ),
    ("heads.copy_and_average", copy_average_permuted, ()),
    (
        "heads.copy_and_average",
        copy_average_soft,
        ("no large number in head 1, so its weights are far from 0 and 1 and it does not copy",),
    ),
    ("heads.copy_and_average", copy_average_plus, ("W_O adds head 2 instead of subtracting it",)),
    (
        "heads.copy_and_average",
        copy_average_hundreds,
        ("W_Q of head 1 is 100 everywhere instead of on the diagonal, so head 1 averages too",),
    ),
    (
        "heads.copy_and_average",
        copy_average_minus_alone,
        (
            "head 1 has -100, so a token attends to all but itself",
            "the rows of W_O for head 2 are zeros: nothing is subtracted",
        ),
    ),
    ("heads.multi_head", multi_head_sum_of_heads, ()),
    ("heads.multi_head", multi_head_wide_root, ("divides by the root of the full width h * d_k instead of d_k",)),
    ("heads.multi_head", multi_head_single, ("one wide head: nothing is split into heads",)),
    (
        "heads.multi_head",
        multi_head_self_strided,
        ("keys and values are made from X, context is ignored", "a head gets every h-th column instead of a block"),
    ),
    (
        "heads.multi_head",
        multi_head_unprojected_unscaled,
        ("the division by the root of d_k is missing", "the product with W_O is missing"),
    ),
    ("masks.goes_on", goes_on_tri, ()),
    ("masks.goes_on", goes_on_from_zero, ("the new tokens' positions begin at 0 instead of n_k - n_q",)),
    ("masks.goes_on", goes_on_before, ("a token may not attend to itself",)),
    ("masks.goes_on", goes_on_new_only, ("the earlier tokens are hidden, only the new ones are seen",)),
    (
        "masks.goes_on",
        goes_on_from_zero_hidden,
        ("the new tokens' positions begin at 0 instead of n_k - n_q", "True means may not attend"),
    ),
    ("masks.padding", padding_rows, ()),
    ("masks.padding", padding_less_equal, ("<= instead of <: one token too many is real",)),
    ("masks.padding", padding_two_axes, ("the axis for the queries is missing: (batch, n_k)",)),
    ("masks.padding", padding_front, ("the padding is taken to be at the front",)),
    (
        "masks.padding",
        padding_hidden_column,
        ("True means may not attend", "the new axis is at the end: (batch, n_k, 1)"),
    ),
    ("masks.packed", packed_blocks, ()),
    ("masks.packed", packed_starts, ()),
    (
        "masks.packed",
        packed_by_length,
        ("the length serves as the number of the text, so texts of equal length see each other",),
    ),
    ("masks.packed", packed_both_ways, ("a token sees the later tokens of its text too, not causal",)),
    (
        "masks.packed",
        packed_left_strict,
        ("the borders between texts are one token too late", "a token may not attend to itself"),
    ),
    ("masks.softmax", masked_softmax_rows, ()),
    (
        "masks.softmax",
        masked_softmax_even,
        ("a row that may see nothing gets equal weights instead of zeros",),
    ),
    ("masks.softmax", masked_softmax_late, ("the mask comes after the softmax, the visible weights do not sum to 1",)),
    ("masks.softmax", masked_softmax_nought, ("hidden scores become 0 instead of minus infinity",)),
    (
        "masks.softmax",
        masked_softmax_turned_total,
        ("the mask is inverted: True hides", "divides by the sum of all entries instead of each row's"),
    ),
    ("masks.attention", masked_attention_heads, ()),
    (
        "masks.attention",
        masked_attention_times,
        ("multiplies the scores by the mask, so a hidden key has the score 0 and still gets weight",),
    ),
    ("masks.attention", masked_attention_first_query, ("uses the mask of the first query for all queries",)),
    (
        "masks.attention",
        masked_attention_turned_unscaled,
        ("the division by the root of d_k is missing", "the mask is inverted: True hides"),
    ),
    ("cross_attention.shapes", shapes_zeros, ()),
    ("cross_attention.shapes", shapes_value_width, ("the values are d_k wide instead of d_v",)),
    ("cross_attention.shapes", shapes_before_output, ("the output is h * d_v wide, as before W_O",)),
    (
        "cross_attention.shapes",
        shapes_no_heads_long,
        ("the weights have no axis for heads", "the output has n_k rows instead of n_q"),
    ),
    ("cross_attention.three_masks", three_masks_compare, ()),
    ("cross_attention.three_masks", three_masks_open_decoder, ("the decoder's mask is not causal",)),
    ("cross_attention.three_masks", three_masks_unpadded_decoder, ("the decoder's mask does not hide the padding",)),
    (
        "cross_attention.three_masks",
        three_masks_square,
        ("in the decoder's mask, queries of padded tokens are hidden too",),
    ),
    (
        "cross_attention.three_masks",
        three_masks_cross_or,
        (
            "the decoder's mask joins causal and padding with or instead of and",
            "the mask from decoder to encoder is made from written instead of read",
        ),
    ),
    ("cross_attention.multi_head", cross_einsum, ()),
    ("cross_attention.multi_head", cross_ignored_mask, ("the mask is not used",)),
    (
        "cross_attention.multi_head",
        cross_added_mask,
        ("adds the mask as 1 and 0 to the scores instead of hiding keys",),
    ),
    (
        "cross_attention.multi_head",
        cross_unmerged_root,
        ("divides by the root of d_model instead of d_k", "merges by a reshape without swapping heads and tokens"),
    ),
]

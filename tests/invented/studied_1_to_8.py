"""Answers to the exercises of lessons 1 to 8, half of them with two slips, from which the checks learned."""

import functools
import math

import numpy as np

from mha_course import attention, causal_mask, merge_heads, padding_mask, positional_encoding, softmax, split_heads


def ids_a(rows, embeddings):
    place = {tuple(entry): number for number, entry in enumerate(np.asarray(embeddings).tolist())}
    return np.array([place[tuple(row)] for row in np.asarray(rows).tolist()])


def ids_b(rows, embeddings):
    return (rows @ embeddings.T).argmax(axis=1)


def ids_c(rows, embeddings):
    ids = []
    for number, entry in enumerate(embeddings):
        for row in rows:
            if (row == entry).all():
                ids.append(number)
    return np.array(ids)


def ids_d(rows, embeddings):
    found, numbers = np.unique(rows, axis=0, return_inverse=True)
    return numbers.reshape(-1) + 1


def positions_a(embedded):
    n, d_model = embedded.shape[1:]
    return embedded * np.sqrt(d_model) + positional_encoding(n, d_model)


def positions_b(embedded):
    sentences, n, d_model = embedded.shape
    rows = embedded.reshape(-1, d_model)
    rows = rows + positional_encoding(len(rows), d_model)
    return rows.reshape(sentences, n, d_model)


def positions_c(embedded):
    n = embedded.shape[-2]
    d_model = embedded.shape[-1]
    waves = positional_encoding(n + 1, d_model)[1:]
    return math.sqrt(d_model) * embedded + waves


def positions_d(embedded):
    n, _, d_model = embedded.shape
    table = positional_encoding(n, d_model)
    return np.array([sentence * wave for sentence, wave in zip(embedded, table)])


def angles_a(positions, d_model):
    pairs = np.arange(d_model // 2)
    speeds = np.exp(-2 * pairs / d_model * math.log(10000))
    return np.outer(positions, speeds)


def angles_b(positions, d_model):
    exponents = np.linspace(0, 1, d_model // 2)
    return np.asarray(positions)[:, None] / 10000**exponents


def angles_c(positions, d_model):
    pairs = np.arange(d_model // 2)
    column = np.arange(len(positions)).reshape(-1, 1)
    return (column / 10000) ** (2 * pairs / d_model)


def angles_d(positions, d_model):
    pairs = np.arange(1, d_model // 2 + 1)
    table = []
    for position in positions:
        table.append([position / 10000 ** (pair / d_model) for pair in pairs])
    return np.array(table)


def encoding_a(positions, d_model):
    table = np.zeros((len(positions), d_model))
    for row, position in enumerate(positions):
        for column in range(d_model):
            angle = position / 10000 ** (column / d_model)
            table[row, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table


def encoding_b(positions, d_model):
    positions = np.asarray(positions)[:, None]
    pairs = np.arange(d_model) // 2
    angles = positions / 10000 ** (2 * pairs / d_model)
    return np.where(positions % 2 == 0, np.sin(angles), np.cos(angles))


def encoding_c(positions, d_model):
    half = d_model // 2
    angles = np.outer(np.arange(len(positions)), 10000.0 ** (-np.arange(half) / half))
    return np.hstack([np.sin(angles), np.cos(angles)])


def encoding_d(positions, d_model):
    angles = np.asarray(positions)[:, None] / 1000 ** (np.arange(0, d_model, 2) / d_model)
    result = np.empty((len(positions), d_model))
    result[:, ::2] = np.cos(angles)
    result[:, 1::2] = np.sin(angles)
    return result


def questions_a(has, wants, d_model):
    one_hot = np.eye(d_model)
    return one_hot[has].T @ one_hot[wants]


def questions_b(has, wants, d_model):
    W_Q = np.zeros((d_model, d_model))
    for column, wanted in zip(has, wants):
        W_Q[column] = np.eye(d_model)[wanted]
    return W_Q


def questions_c(has, wants, d_model):
    W_Q = np.zeros((d_model, d_model))
    W_Q[np.ix_(has, wants)] = 1
    return W_Q


def questions_d(has, wants, d_model):
    W_Q = np.eye(d_model)
    W_Q[wants, has] = 1
    return W_Q


def qkv_a(X, context, W_Q, W_K, W_V):
    everything = np.vstack([X, context])
    return X @ W_Q, everything @ W_K, everything @ W_V


def qkv_b(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    V = context @ W_V
    return Q / np.sqrt(K.shape[-1]), K, V


def qkv_c(X, context, W_Q, W_K, W_V):
    first = context @ W_K
    second = X @ W_Q
    third = X @ W_V
    return first, second, third


def qkv_d(X, context, W_Q, W_K, W_V):
    return np.dot(context, W_Q), np.dot(X, W_V), np.dot(X, W_K)


def fused_a(X, W):
    blocks = W.reshape(W.shape[0], 3, -1)
    return tuple(np.einsum("nd,dck->cnk", X, blocks))


def fused_b(X, W):
    wide = X @ W
    Q, K, V = wide.reshape(3, len(X), -1)
    return Q, K, V


def fused_c(X, W):
    wide = X @ W
    return wide[:, 0::3], wide[:, 2::3], wide[:, 1::3]


def fused_d(X, W):
    tall = (X @ W).T
    one, two, three = np.split(tall, 3)
    return two, one, three


def dot_a(query, key):
    products = query * key
    return products.sum() / (np.linalg.norm(query) * np.linalg.norm(key))


def dot_b(query, key):
    return -np.sum((query - key) ** 2)


def dot_c(query, key):
    total = 0.0
    for index in range(1, len(query)):
        total += query[index] * key[index]
    return total / math.sqrt(len(query))


def dot_d(query, key):
    return functools.reduce(lambda total, pair: total + pair[0] + pair[1], zip(query, key), 1)


def scaled_a(Q, K):
    d_k = Q.shape[-1]
    small_q = Q / np.sqrt(d_k)
    small_k = K / np.sqrt(d_k)
    return small_q @ small_k.T


def scaled_b(Q, K):
    d_k = Q.shape[1]
    scores = Q @ K.T / np.sqrt(d_k)
    return scores - scores.max(axis=1, keepdims=True)


def scaled_c(Q, K):
    d_k = len(K)
    return np.array([[key @ query / math.sqrt(d_k) for query in Q] for key in K])


def scaled_d(Q, K):
    d_k = K.shape[1]
    return softmax(np.einsum("id,jd->ij", Q, K) / d_k)


def batch_a(Q, K):
    products = Q[..., :, None, :] * K[..., None, :, :]
    return products.sum(axis=-1) * Q.shape[-1] ** -0.5


def batch_b(Q, K):
    *front, n_k, d_k = K.shape
    return Q @ K.reshape(*front, d_k, n_k) / np.sqrt(d_k)


def batch_c(Q, K):
    root = np.sqrt(Q.shape[-1])

    def compare(queries, keys):
        if queries.ndim == 2:
            return queries @ keys.T / root
        return np.stack([compare(q, k) / root for q, k in zip(queries, keys)])

    return compare(Q, K)


def batch_d(Q, K):
    keys = K.sum(axis=0, keepdims=True)
    return Q @ np.swapaxes(keys, -1, -2) / K.shape[-1]


def keys_a(Q, scores):
    n_k = scores.shape[1]
    products = scores * np.sqrt(n_k)
    return np.linalg.solve(Q, products).T


def keys_b(Q, scores):
    d_k, n_k = scores.shape
    products = scores * np.sqrt(d_k)
    return np.linalg.solve(Q, products).reshape(n_k, d_k)


def keys_c(Q, scores):
    products = scores * len(Q)
    return (Q.T @ products).T


def keys_d(Q, scores):
    products = scores / np.sqrt(Q.shape[1])
    return np.linalg.solve(Q.T, products).T


def strongest_a(weights):
    return np.argmax(weights > 0.5, axis=-1)


def strongest_b(weights):
    keys = np.arange(weights.shape[-1])
    return np.rint((weights * keys).sum(axis=-1)).astype(int)


def strongest_c(weights):
    return np.argmax(weights, axis=-2) + 1


def strongest_d(weights):
    return weights[..., ::-1].argmin(axis=-1)


def temperature_a(scores, ratio):
    difference = max(scores) - min(scores)
    return difference / np.log10(ratio)


def temperature_b(scores, ratio):
    weights = softmax(np.asarray(scores, dtype=float))
    difference = abs(weights[0] - weights[1])
    return difference / np.log(ratio)


def temperature_c(scores, ratio):
    difference = scores[0] - scores[1]
    return math.log(ratio) / difference


def temperature_d(scores, ratio):
    difference = np.std(scores)
    return difference / ratio


def general_a(scores, temperature):
    scaled = np.asarray(scores) / temperature
    total = np.logaddexp.reduce(scaled, axis=-1, keepdims=True)
    return np.exp(scaled - total)


def general_b(scores, temperature):
    shifted = scores - np.max(scores, axis=-1, keepdims=True)
    exponentials = np.exp(shifted) / temperature
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def general_c(scores, temperature):
    scaled = np.clip(scores / temperature, -50, 50)
    exponentials = np.exp(scaled)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def general_d(scores, temperature):
    scaled = scores / temperature
    powers = 2.0 ** (scaled - scaled.max(axis=-1, keepdims=True))
    return powers / powers.sum()


def new_key_a(row, share):
    return np.logaddexp.reduce(np.asarray(row, dtype=float)) + math.log(share) - math.log1p(-share)


def new_key_b(row, share):
    others = len(row) * np.exp(np.mean(row))
    return np.log(others * share / (1 - share))


def new_key_c(row, share):
    others = np.exp(row).mean()
    return np.log(share * others)


def new_key_d(row, share):
    others = np.exp(np.max(row))
    return np.log(others * (1 - share) / share)


def missing_value_a(shares, known, output):
    left = shares[:-1] / shares[:-1].sum()
    taken = left @ known
    return (output - taken) / shares[-1]


def missing_value_b(shares, known, output):
    taken = shares[1:] @ known
    return (output - taken) / shares[-1]


def missing_value_c(shares, known, output):
    rest = np.array(output, dtype=float)
    for value in known:
        rest = rest - value
    return rest * shares[-1]


def missing_value_d(shares, known, output):
    taken = sum(share * value for share, value in zip(shares[:-1][::-1], known))
    return (output - taken) / (1 - shares[-1])


def from_inputs_a(X, context, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    return softmax(Q @ K.T / np.sqrt(X.shape[1])) @ V


def from_inputs_b(X, context, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    scores = K @ Q.T / np.sqrt(K.shape[1])
    weights = softmax(scores)
    return weights.T @ V


def from_inputs_c(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    scores = Q @ K.T
    weights = softmax(scores, temperature=Q.shape[1])
    return weights @ K


def from_inputs_d(X, context, W_Q, W_K, W_V):
    Q = X @ W_K
    K = context @ W_Q
    scores = Q @ K.T
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ (context @ W_V)


def reach_a(V, output):
    corner = V[-1]
    edges = (V[:-1] - corner).T
    shares = np.linalg.solve(edges, output - corner)
    return np.append(shares, 1 - shares.sum())


def reach_b(V, output):
    return np.linalg.lstsq(V.T, output, rcond=None)[0]


def reach_c(V, output):
    A = np.hstack([V, np.ones((len(V), 1))])
    b = np.append(output, len(V))
    return np.linalg.solve(A, b)


def reach_d(V, output):
    A = np.vstack([np.ones(len(V)), V.T])
    b = np.append(output, 1)
    return softmax(np.linalg.solve(A, b))


def split_a(wide, num_heads):
    return np.stack(np.split(wide, num_heads, axis=-1), axis=-3)


def split_b(wide, num_heads):
    d_k = wide.shape[-1] // num_heads
    return np.array([wide[..., head * d_k : (head + 1) * d_k] for head in range(num_heads)])


def split_c(wide, num_heads):
    return np.stack([wide[..., head::num_heads] for head in range(num_heads)], axis=-3)


def split_d(wide, num_heads):
    *batch, n, width = wide.shape
    pieces = wide.reshape(*batch, n, width // num_heads, num_heads)
    return pieces.swapaxes(-2, -3)[..., ::-1, :, :]


def merge_a(heads):
    *batch, num_heads, n, d_v = heads.shape
    return np.moveaxis(heads, -3, -1).reshape(*batch, n, num_heads * d_v)


def merge_b(heads):
    return np.concatenate(list(heads), axis=-1)


def merge_c(heads):
    *batch, num_heads, n, d_v = heads.shape
    return np.flip(heads, axis=-3).reshape(*batch, n, num_heads * d_v)


def merge_d(heads):
    num_heads = heads.shape[-3]
    pieces = [heads[..., head, :, :] for head in range(num_heads)]
    return np.concatenate(pieces, axis=-2) / num_heads


def differences_a(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([1000 * np.eye(d_model), np.ones((d_model, d_model))])
    W_K = np.stack([np.eye(d_model), np.ones((d_model, d_model))])
    W_O = np.kron(np.array([[1], [-1]]), np.eye(d_v))
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


def differences_b(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([100 * np.eye(d_model), np.zeros((d_model, d_model))])
    W_K = np.stack([-np.eye(d_model), np.zeros((d_model, d_model))])
    W_O = np.concatenate([np.eye(d_v), -np.eye(d_v)])
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


def differences_c(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([np.eye(d_model), np.zeros((d_model, d_model))])
    W_K = np.stack([np.eye(d_model), np.eye(d_model)])
    W_O = np.concatenate([np.eye(d_v), np.eye(d_v)])
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


def differences_d(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    unit = np.eye(d_model)
    W_Q = np.stack([100 * unit, 0 * unit])
    W_K = np.stack([100 * np.roll(unit, 1, axis=1), unit])
    W_O = np.concatenate([np.eye(d_v) / 2, -np.eye(d_v) / 2])
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ W_O


def multi_head_a(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    root = np.sqrt(Q.shape[-1])
    q, k, v = split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / root)
    return merge_heads(weights @ v) @ W_O


def multi_head_b(X, context, W_Q, W_K, W_V, W_O, num_heads):
    outputs = []
    for head in range(num_heads):
        own = slice(head, None, num_heads)
        Q, K, V = X @ W_Q[:, own], context @ W_K[:, own], context @ W_V[:, own]
        outputs.append(attention(Q, K, V).output)
    return np.concatenate(outputs, axis=-1) @ W_O


def multi_head_c(X, context, W_Q, W_K, W_V, W_O, num_heads):
    def cut(wide):
        *front, n, width = wide.shape
        return wide.reshape(*front, num_heads, n, width // num_heads)

    Q, K, V = cut(X @ W_Q), cut(context @ W_K), cut(context @ W_V)
    Q = Q / np.sqrt(Q.shape[-1])
    return merge_heads(attention(Q, K, V).output) @ W_O


def multi_head_d(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = split_heads(X @ W_K, num_heads)
    K = split_heads(context @ W_Q, num_heads)
    V = split_heads(context @ W_V, num_heads)
    together = None
    for head in range(num_heads):
        own = attention(Q[..., head, :, :], K[..., head, :, :], V[..., head, :, :]).output
        together = own if together is None else np.concatenate([own, together], axis=-1)
    return together @ W_O


def goes_on_a(n_q, n_k):
    keys = np.arange(n_k)
    queries = np.arange(n_k - n_q, n_k)[:, None]
    return (keys < n_k - n_q) | (keys == queries)


def goes_on_b(n_q, n_k):
    square = np.ones((n_q, n_k), dtype=bool)
    return np.tril(np.triu(square), n_k - n_q)


def goes_on_c(n_q, n_k):
    keys = np.arange(n_k)
    queries = np.arange(n_q)
    return np.less.outer(keys, queries).T


def goes_on_d(n_q, n_k):
    mask = np.zeros((n_q, n_k), dtype=bool)
    for row in range(n_q):
        mask[row, n_k - row :] = True
    return mask


def padding_a(lengths, n_k):
    positions = np.arange(n_k)
    is_real = positions >= n_k - np.asarray(lengths)[:, None]
    return is_real[:, None, :]


def padding_b(lengths, n_k):
    positions = np.arange(n_k)
    is_real = np.array([positions < max(lengths) for _ in lengths])
    return np.expand_dims(is_real, 1)


def padding_c(lengths, n_k):
    positions = np.arange(n_k)
    is_real = positions[None, :] <= lengths[:, None]
    return is_real[:, :, None]


def padding_d(lengths, n_k):
    positions = np.arange(n_k)
    ends = np.cumsum(lengths)
    return (positions < ends[:, None])[None]


def packed_a(lengths):
    total = int(np.sum(lengths))
    mask = np.zeros((total, total), dtype=bool)
    start = 0
    for length in lengths:
        for token in range(start, start + length):
            mask[token, start : token + 1] = True
        start += length
    return mask


def packed_b(lengths):
    places = np.arange(np.sum(lengths))
    texts = np.searchsorted(np.cumsum(lengths), places)
    return (texts[:, None] == texts) & (places[:, None] >= places)


def packed_c(lengths):
    texts = np.repeat(lengths, lengths)
    same = texts[:, None] == texts[None, :]
    return np.tril(same)


def packed_d(lengths):
    places = np.concatenate([np.arange(length) for length in lengths])
    return places[:, None] > places[None, :]


def masked_softmax_a(scores, mask):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted) * mask
    total = exponentials.sum(axis=-1, keepdims=True)
    return np.where(total > 0, exponentials / np.where(total > 0, total, 1), 0.0)


def masked_softmax_b(scores, mask):
    visible = np.where(mask, scores, 0.0)
    exponentials = np.exp(visible - visible.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return np.where(mask, weights, 0.0)


def masked_softmax_c(scores, mask):
    visible = np.where(mask, -1e9, scores)
    largest = visible.max(axis=-1, keepdims=True)
    exponentials = np.exp(visible - largest)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def masked_softmax_d(scores, mask):
    exponentials = np.exp(scores)
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights * mask


def masked_attention_a(Q, K, V, mask):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    return softmax(scores, mask=mask[:, None, :1, :]) @ V


def masked_attention_b(Q, K, V, mask):
    scores = np.einsum("bhqd,bhkd->bhqk", Q, K) / math.sqrt(K.shape[-1])
    scores = np.where(mask[:, None], scores, -1e9)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ V


def masked_attention_c(Q, K, V, mask):
    scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(V.shape[-1])
    weights = softmax(scores) * mask[:, np.newaxis]
    return weights @ V


def masked_attention_d(Q, K, V, mask):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-2])
    weights = softmax(scores, mask=np.logical_not(mask)[:, None])
    return weights @ V


def shapes_a(batch, h, n_q, n_k, d_model, d_k, d_v):
    Q = (batch, h, n_q, d_k)
    K = (batch, h, n_k, d_k)
    V = (batch, h, n_k, d_v)
    weights = (batch, h, n_q, n_k)
    output = (batch, n_q, h * d_v)
    return Q, K, V, weights, output


def shapes_b(batch, h, n_q, n_k, d_model, d_k, d_v):
    front = (batch, h)
    return front + (n_q, d_k), front + (n_k, d_k), front + (n_k, d_v), (batch, n_q, n_k), (batch, n_q, d_model)


def shapes_c(batch, h, n_q, n_k, d_model, d_k, d_v):
    Q = (batch, n_q, h, d_k)
    K = (batch, n_k, h, d_k)
    V = (batch, n_k, h, d_v)
    weights = (batch, h, n_k, n_q)
    output = (batch, n_q, d_model)
    return Q, K, V, weights, output


def shapes_d(batch, h, n_q, n_k, d_model, d_k, d_v):
    Q = (batch, h, n_q, d_k // h)
    K = (batch, h, n_k, d_k // h)
    V = (batch, h, n_k, d_v // h)
    weights = (batch, h, n_q, n_k)
    output = (batch, n_k, d_model)
    return Q, K, V, weights, output


def three_masks_a(read, n_read, written, n_written):
    batch = len(read)
    encoder = np.zeros((batch, 1, n_read), dtype=bool)
    decoder = np.zeros((batch, n_written, n_written), dtype=bool)
    for sentence in range(batch):
        encoder[sentence, 0, : read[sentence]] = True
        for query in range(n_written):
            decoder[sentence, query, : min(query + 1, written[sentence])] = True
    return encoder, decoder, encoder.copy()


def three_masks_b(read, n_read, written, n_written):
    encoder = padding_mask(read, n_read)
    real = padding_mask(written, n_written)
    decoder = causal_mask(n_written) & real & real.swapaxes(1, 2)
    return encoder, decoder, encoder


def three_masks_c(read, n_read, written, n_written):
    cross = padding_mask(read, n_read)
    encoder = cross & causal_mask(n_read)
    decoder = np.stack([causal_mask(n_written)] * len(written))
    return encoder, decoder, cross


def three_masks_d(read, n_read, written, n_written):
    encoder = np.arange(n_read) < np.asarray(read)[:, None, None]
    cross = np.arange(n_read) < np.asarray(written)[:, None, None]
    places = np.arange(n_written)
    decoder = (places < places[:, None]) & (places < np.asarray(written)[:, None, None])
    return encoder, decoder, cross


def cross_multi_head_a(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), mask=mask[:, None])
    heads = weights @ V
    return heads.reshape(X.shape[0], X.shape[1], -1) @ W_O


def cross_multi_head_b(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    scores = np.einsum("bhqd,bhkd->bhqk", Q, K)
    weights = softmax(scores, temperature=math.sqrt(X.shape[-1]), mask=mask[:, None])
    return merge_heads(weights @ V) @ W_O


def cross_multi_head_c(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    scores = Q @ K.swapaxes(-1, -2)
    weights = softmax(scores * mask[:, None])
    return merge_heads(weights @ V) @ W_O


def cross_multi_head_d(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q = split_heads(X @ W_K, num_heads)
    K = split_heads(context @ W_Q, num_heads)
    V = split_heads(context @ W_V, num_heads)
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1]))
    weights = np.where(mask[:, None], weights, 0)
    return merge_heads(weights @ V) @ W_O


INVENTED = [
    ("inputs.ids", ids_a, ()),
    ("inputs.ids", ids_b, ("takes the table row with the largest dot product instead of the equal row",)),
    ("inputs.ids", ids_c, ("loops over the table first, so the ids come in the table's order, not the sentence's",)),
    (
        "inputs.ids",
        ids_d,
        (
            "numbers the sorted distinct rows of the sentence instead of looking them up in the table",
            "counts the ids from 1",
        ),
    ),
    ("inputs.add_positions", positions_a, ("multiplies the embeddings by the root of d_model before adding",)),
    ("inputs.add_positions", positions_b, ("the positions go on from one sentence of the batch to the next",)),
    (
        "inputs.add_positions",
        positions_c,
        (
            "the positions begin at 1 instead of 0",
            "multiplies the embeddings by the root of d_model before adding",
        ),
    ),
    (
        "inputs.add_positions",
        positions_d,
        (
            "takes the encoding row by the sentence's number in the batch, not by the token's position",
            "multiplies by the encoding instead of adding it",
        ),
    ),
    ("inputs.angles", angles_a, ()),
    (
        "inputs.angles",
        angles_b,
        ("spaces the exponents evenly from 0 to 1 inclusive, so the last pair has the exponent 1 instead of below 1",),
    ),
    (
        "inputs.angles",
        angles_c,
        (
            "replaces the given positions by 0, 1, 2, …",
            "raises the quotient pos/10000 to the power instead of only the 10000",
        ),
    ),
    (
        "inputs.angles",
        angles_d,
        (
            "counts the pairs from 1 instead of 0",
            "the factor 2 is missing from the exponent",
        ),
    ),
    (
        "inputs.encoding",
        encoding_a,
        ("the odd columns use their own column number in the exponent, not that of their pair",),
    ),
    ("inputs.encoding", encoding_b, ("chooses sine or cosine by whether the position is even or odd, not the column",)),
    (
        "inputs.encoding",
        encoding_c,
        (
            "replaces the given positions by 0, 1, 2, …",
            "puts all sines in the left half and all cosines in the right half instead of alternating",
        ),
    ),
    (
        "inputs.encoding",
        encoding_d,
        (
            "sine and cosine columns are exchanged",
            "uses the base 1000 instead of 10000",
        ),
    ),
    ("queries_keys_values.questions", questions_a, ()),
    (
        "queries_keys_values.questions",
        questions_b,
        ("overwrites the whole row, so only the last question of each asking column is left",),
    ),
    (
        "queries_keys_values.questions",
        questions_c,
        ("sets a 1 for every combination of an asking and a wanted column, not only for the pairs",),
    ),
    (
        "queries_keys_values.questions",
        questions_d,
        (
            "starts from the identity matrix instead of zeros",
            "rows and columns are exchanged: the wanted column is the row",
        ),
    ),
    (
        "queries_keys_values.qkv",
        qkv_a,
        ("makes keys and values from X and context stacked together, not from context alone",),
    ),
    ("queries_keys_values.qkv", qkv_b, ("divides the queries by the root of d_k already",)),
    (
        "queries_keys_values.qkv",
        qkv_c,
        (
            "returns the keys before the queries",
            "makes the values from X instead of context",
        ),
    ),
    (
        "queries_keys_values.qkv",
        qkv_d,
        (
            "the two sentences are exchanged: queries from context, keys and values from X",
            "W_K and W_V are exchanged",
        ),
    ),
    ("queries_keys_values.fused", fused_a, ()),
    (
        "queries_keys_values.fused",
        fused_b,
        ("reshapes the wide product to (3, n, d_k) directly, which mixes tokens, instead of cutting columns",),
    ),
    (
        "queries_keys_values.fused",
        fused_c,
        (
            "takes every third column instead of three blocks of neighbouring columns",
            "returns V before K",
        ),
    ),
    (
        "queries_keys_values.fused",
        fused_d,
        (
            "returns each part transposed, (d_k, n)",
            "returns K before Q",
        ),
    ),
    ("scaled_scores.dot", dot_a, ("divides by the lengths of query and key (cosine similarity)",)),
    ("scaled_scores.dot", dot_b, ("returns the negative squared distance instead of the dot product",)),
    (
        "scaled_scores.dot",
        dot_c,
        (
            "leaves out the first product",
            "divides by the root of d_k",
        ),
    ),
    (
        "scaled_scores.dot",
        dot_d,
        (
            "adds the entries of query and key instead of multiplying them",
            "the total starts at 1 instead of 0",
        ),
    ),
    ("scaled_scores.scaled", scaled_a, ("divides by the root of d_k twice (both Q and K), so by d_k in all",)),
    ("scaled_scores.scaled", scaled_b, ("subtracts each row's largest score",)),
    (
        "scaled_scores.scaled",
        scaled_c,
        (
            "takes the number of keys as d_k",
            "the result is transposed: keys down, queries across",
        ),
    ),
    (
        "scaled_scores.scaled",
        scaled_d,
        (
            "divides by d_k without the root",
            "applies a softmax to the scores",
        ),
    ),
    ("scaled_scores.batch", batch_a, ()),
    ("scaled_scores.batch", batch_b, ("reshapes K to (…, d_k, n_k) instead of swapping its last two axes",)),
    ("scaled_scores.batch", batch_c, ("divides by the root of d_k once more for every axis in front",)),
    (
        "scaled_scores.batch",
        batch_d,
        (
            "adds up the keys along the first axis, so all sentences share the sum of all sentences' keys",
            "divides by d_k without the root",
        ),
    ),
    ("scaled_scores.keys", keys_a, ("multiplies by the root of the number of keys instead of the root of d_k",)),
    ("scaled_scores.keys", keys_b, ("reshapes the solution to (n_k, d_k) instead of transposing it",)),
    (
        "scaled_scores.keys",
        keys_c,
        (
            "multiplies by d_k instead of its root",
            "multiplies by the transpose of Q as if it were the inverse",
        ),
    ),
    (
        "scaled_scores.keys",
        keys_d,
        (
            "divides by the root of d_k instead of multiplying",
            "solves with Q transposed instead of Q",
        ),
    ),
    (
        "softmax.strongest",
        strongest_a,
        ("takes the first key with a weight above 0.5, so key 0 if there is none, instead of the largest",),
    ),
    (
        "softmax.strongest",
        strongest_b,
        ("returns the weighted average of the key numbers, rounded, instead of the key with the largest weight",),
    ),
    (
        "softmax.strongest",
        strongest_c,
        (
            "looks for the largest along the queries' axis instead of the keys' axis",
            "counts from 1",
        ),
    ),
    (
        "softmax.strongest",
        strongest_d,
        (
            "finds the smallest weight instead of the largest",
            "counts the keys from the right end",
        ),
    ),
    ("softmax.ratio", temperature_a, ("takes the logarithm to base 10 instead of the natural one",)),
    (
        "softmax.ratio",
        temperature_b,
        ("takes the difference of the softmax weights instead of the difference of the scores",),
    ),
    (
        "softmax.ratio",
        temperature_c,
        (
            "the difference keeps its sign, so it is negative when the second score is larger",
            "the quotient is upside down: log of the ratio divided by the difference",
        ),
    ),
    (
        "softmax.ratio",
        temperature_d,
        (
            "takes the standard deviation of the scores, half of the difference",
            "divides by the ratio itself, without the logarithm",
        ),
    ),
    ("softmax.general", general_a, ()),
    (
        "softmax.general",
        general_b,
        ("divides the exponentials by the temperature instead of the scores, so it cancels and has no effect",),
    ),
    (
        "softmax.general",
        general_c,
        ("clips the scores to ±50 against overflow instead of subtracting the largest, so large scores become equal",),
    ),
    (
        "softmax.general",
        general_d,
        (
            "uses powers of 2 instead of e",
            "divides by the sum over the whole array instead of each row's sum",
        ),
    ),
    ("softmax.new_key", new_key_a, ()),
    (
        "softmax.new_key",
        new_key_b,
        ("takes the number of keys times the exponential of the mean score, not the sum of the exponentials",),
    ),
    (
        "softmax.new_key",
        new_key_c,
        (
            "takes the mean of the exponentials instead of their sum",
            "does not divide by 1 - share",
        ),
    ),
    (
        "softmax.new_key",
        new_key_d,
        (
            "uses only the largest key's exponential instead of the sum of all",
            "share / (1 - share) is upside down",
        ),
    ),
    ("weighted_sums.missing_value", missing_value_a, ("rescales the known values' weights so that they sum to 1",)),
    (
        "weighted_sums.missing_value",
        missing_value_b,
        ("pairs the known values with the weights from the second on instead of the first on",),
    ),
    (
        "weighted_sums.missing_value",
        missing_value_c,
        (
            "subtracts the known values without their weights",
            "multiplies by the last weight instead of dividing",
        ),
    ),
    (
        "weighted_sums.missing_value",
        missing_value_d,
        (
            "pairs the known values with their weights in reverse order",
            "divides by 1 - last weight instead of the last weight",
        ),
    ),
    ("weighted_sums.from_inputs", from_inputs_a, ("divides by the root of d_model instead of d_k",)),
    ("weighted_sums.from_inputs", from_inputs_b, ("the softmax runs over the queries instead of the keys",)),
    (
        "weighted_sums.from_inputs",
        from_inputs_c,
        (
            "divides by d_k without the root",
            "averages the keys instead of the values",
        ),
    ),
    (
        "weighted_sums.from_inputs",
        from_inputs_d,
        (
            "W_Q and W_K are exchanged",
            "the scores are not divided by the root of d_k",
        ),
    ),
    ("weighted_sums.reach", reach_a, ()),
    (
        "weighted_sums.reach",
        reach_b,
        ("the condition that the shares sum to 1 is missing (smallest solution by least squares)",),
    ),
    (
        "weighted_sums.reach",
        reach_c,
        (
            "the matrix of conditions is not transposed: its rows are the points",
            "the shares' sum is set to the number of points instead of 1",
        ),
    ),
    (
        "weighted_sums.reach",
        reach_d,
        (
            "the condition on the sum is first in A but last in b",
            "applies a softmax to the solution",
        ),
    ),
    ("heads.split", split_a, ()),
    ("heads.split", split_b, ()),
    ("heads.split", split_c, ("a head gets every h-th column instead of neighbouring columns",)),
    (
        "heads.split",
        split_d,
        (
            "takes num_heads as the width of a head and the other factor as the number of heads",
            "the heads are in reverse order",
        ),
    ),
    ("heads.merge", merge_a, ("the columns of the heads are interleaved instead of side by side",)),
    ("heads.merge", merge_b, ()),
    (
        "heads.merge",
        merge_c,
        (
            "reshapes without swapping the head and the token axis first",
            "the heads are in reverse order",
        ),
    ),
    (
        "heads.merge",
        merge_d,
        (
            "puts the heads below one another along the token axis instead of side by side",
            "divides by the number of heads",
        ),
    ),
    ("heads.copy_and_average", differences_a, ()),
    (
        "heads.copy_and_average",
        differences_b,
        ("head 1 has a large negative score with itself, so it averages all other tokens instead of copying its own",),
    ),
    (
        "heads.copy_and_average",
        differences_c,
        (
            "head 1 has no large factor, so its weights do not come near 1 and 0",
            "W_O adds the two heads instead of subtracting",
        ),
    ),
    (
        "heads.copy_and_average",
        differences_d,
        (
            "head 1's keys are shifted by one column, so a token copies another token's value",
            "W_O halves the difference",
        ),
    ),
    (
        "heads.multi_head",
        multi_head_a,
        ("divides by the root of the width of all heads together instead of one head's d_k",),
    ),
    (
        "heads.multi_head",
        multi_head_b,
        ("a head takes every h-th column of W_Q, W_K and W_V instead of neighbouring columns",),
    ),
    (
        "heads.multi_head",
        multi_head_c,
        (
            "splits into heads by a plain reshape without swapping axes, which mixes tokens and heads",
            "divides by the root of d_k twice",
        ),
    ),
    (
        "heads.multi_head",
        multi_head_d,
        (
            "W_Q and W_K are exchanged",
            "the heads are merged in reverse order",
        ),
    ),
    ("masks.goes_on", goes_on_a, ("a new token sees the old tokens and itself, but not the new tokens before it",)),
    (
        "masks.goes_on",
        goes_on_b,
        ("each later query also loses sight of one more of the earliest tokens (a sliding window)",),
    ),
    (
        "masks.goes_on",
        goes_on_c,
        (
            "the new tokens' positions begin at 0 instead of n_k - n_q",
            "a token may not attend to itself",
        ),
    ),
    (
        "masks.goes_on",
        goes_on_d,
        (
            "the new tokens are in reverse order",
            "the mask is inverted: True where it should be hidden",
        ),
    ),
    ("masks.padding", padding_a, ("takes the padding to be in front of the real tokens instead of after",)),
    ("masks.padding", padding_b, ("every sentence gets the length of the longest",)),
    (
        "masks.padding",
        padding_c,
        (
            "uses <= instead of <, so one padded token is visible",
            "the new axis is last instead of in the middle",
        ),
    ),
    (
        "masks.padding",
        padding_d,
        (
            "adds the lengths up over the sentences instead of using each alone",
            "the new axis is in front instead of in the middle",
        ),
    ),
    ("masks.packed", packed_a, ()),
    ("masks.packed", packed_b, ("the first token of each text after the first is counted to the text before it",)),
    ("masks.packed", packed_c, ("uses the length of a text as its number, so texts of equal length see each other",)),
    (
        "masks.packed",
        packed_d,
        (
            "compares only the places within the texts, not the texts, so tokens see other texts",
            "a token may not attend to itself",
        ),
    ),
    (
        "masks.softmax",
        masked_softmax_a,
        ("subtracts the largest of all scores, hidden ones too, so a large hidden score makes visible ones vanish",),
    ),
    (
        "masks.softmax",
        masked_softmax_b,
        ("hidden keys take part in the sum with the score 0, so the visible weights do not sum to 1",),
    ),
    (
        "masks.softmax",
        masked_softmax_c,
        (
            "the mask is inverted: hides where it is True",
            "a row that may see nothing gets equal weights instead of zeros",
        ),
    ),
    (
        "masks.softmax",
        masked_softmax_d,
        (
            "does not subtract the largest, so large scores overflow",
            "the hidden keys count in the sum; the mask is applied after the softmax without normalising again",
        ),
    ),
    ("masks.attention", masked_attention_a, ("uses the mask of the first query for all queries",)),
    (
        "masks.attention",
        masked_attention_b,
        ("a query that may see nothing gets the average of all values instead of zeros",),
    ),
    (
        "masks.attention",
        masked_attention_c,
        (
            "divides by the root of d_v instead of d_k",
            "applies the mask after the softmax without normalising again",
        ),
    ),
    (
        "masks.attention",
        masked_attention_d,
        (
            "divides by the root of the number of keys instead of d_k",
            "the mask is inverted: hides where it is True",
        ),
    ),
    ("cross_attention.shapes", shapes_a, ("the output is h·d_v wide instead of d_model",)),
    ("cross_attention.shapes", shapes_b, ("the head axis is missing from the weights",)),
    (
        "cross_attention.shapes",
        shapes_c,
        (
            "in Q, K and V the token axis comes before the head axis",
            "in the weights, keys and queries are exchanged",
        ),
    ),
    (
        "cross_attention.shapes",
        shapes_d,
        (
            "divides d_k and d_v by the number of heads, though they are already one head's widths",
            "the output has n_k tokens instead of n_q",
        ),
    ),
    ("cross_attention.three_masks", three_masks_a, ()),
    (
        "cross_attention.three_masks",
        three_masks_b,
        ("in the decoder, the queries of padded tokens are hidden too: their rows are all False",),
    ),
    (
        "cross_attention.three_masks",
        three_masks_c,
        (
            "the encoder's mask is causal as well",
            "the decoder's mask does not hide the padding",
        ),
    ),
    (
        "cross_attention.three_masks",
        three_masks_d,
        (
            "the mask from decoder to encoder uses the lengths of the written sentences instead of those read",
            "in the decoder a token may not attend to itself",
        ),
    ),
    (
        "cross_attention.multi_head",
        cross_multi_head_a,
        ("merges the heads by a plain reshape without swapping the head and the token axis",),
    ),
    ("cross_attention.multi_head", cross_multi_head_b, ("divides by the root of d_model instead of d_k",)),
    (
        "cross_attention.multi_head",
        cross_multi_head_c,
        (
            "the scores are not divided by the root of d_k",
            "hidden scores become 0 instead of minus infinity, so hidden keys still get weight",
        ),
    ),
    (
        "cross_attention.multi_head",
        cross_multi_head_d,
        (
            "W_Q and W_K are exchanged",
            "applies the mask after the softmax without normalising again",
        ),
    ),
]

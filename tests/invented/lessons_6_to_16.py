"""Wrong answers to the exercises that came last, and to those that leave most open, as learners would write them."""

import numpy as np

from mha_course import attention, causal_mask, merge_heads, padding_mask, softmax, split_heads

# Lesson 6


def differences_with_the_identity_as_query_matrix(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([np.eye(d_model), np.zeros((d_model, d_model))])
    W_K = np.stack([np.eye(d_model), np.eye(d_model)])
    W_O = np.concatenate([np.eye(d_v), -np.eye(d_v)])
    return merge_heads(attention(X @ W_Q, X @ W_K, V).output) @ W_O


def differences_added(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([100 * np.eye(d_model), np.zeros((d_model, d_model))])
    W_K = np.stack([np.eye(d_model), np.eye(d_model)])
    W_O = np.concatenate([np.eye(d_v), np.eye(d_v)])
    return merge_heads(attention(X @ W_Q, X @ W_K, V).output) @ W_O


def differences_average_first_and_halved(X, V):
    d_model, d_v = X.shape[1], V.shape[1]
    W_Q = np.stack([np.zeros((d_model, d_model)), 100 * np.eye(d_model)])
    W_K = np.stack([np.eye(d_model), np.eye(d_model)])
    W_O = np.concatenate([np.eye(d_v), -np.eye(d_v)]) / 2
    return merge_heads(attention(X @ W_Q, X @ W_K, V).output) @ W_O


# Lesson 8


def shapes_with_an_output_as_wide_as_the_heads(batch, h, n_q, n_k, d_model, d_k, d_v):
    return (batch, h, n_q, d_k), (batch, h, n_k, d_k), (batch, h, n_k, d_v), (batch, h, n_q, n_k), (batch, n_q, h * d_v)


def shapes_before_the_exchange_with_weights_turned_over(batch, h, n_q, n_k, d_model, d_k, d_v):
    Q, K, V = (batch, n_q, h, d_k), (batch, n_k, h, d_k), (batch, n_k, h, d_v)
    return Q, K, V, (batch, h, n_k, n_q), (batch, n_q, d_model)


def three_masks_with_a_decoder_that_sees_padding(read, n_read, written, n_written):
    encoder = padding_mask(read, n_k=n_read)
    decoder = np.repeat(causal_mask(n_written)[None], len(written), axis=0)
    return encoder, decoder, encoder


def three_masks_with_lengths_exchanged_in_the_cross_mask(read, n_read, written, n_written):
    encoder = padding_mask(read, n_k=n_read)
    decoder = causal_mask(n_written) & padding_mask(written, n_k=n_written)
    return encoder, decoder, padding_mask(written, n_k=n_read)


def three_masks_with_or_and_a_causal_encoder(read, n_read, written, n_written):
    encoder = causal_mask(n_read) & padding_mask(read, n_k=n_read)
    decoder = causal_mask(n_written) | padding_mask(written, n_k=n_written)
    return encoder, decoder, padding_mask(read, n_k=n_read)


def multi_head_cross_with_heads_added_up(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q, K, V = (
        split_heads(X @ W_Q, num_heads),
        split_heads(context @ W_K, num_heads),
        split_heads(context @ W_V, num_heads),
    )
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    heads = softmax(scores, mask=mask[:, None]) @ V
    batch, _, n, d_v = heads.shape
    return heads.reshape(batch, n, num_heads * d_v) @ W_O


def multi_head_cross_with_the_wide_root_and_values_of_X(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q, K, V = (split_heads(rows @ W, num_heads) for rows, W in ((X, W_Q), (context, W_K), (X, W_V)))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(W_Q.shape[-1])
    return merge_heads(softmax(scores, mask=mask[:, None]) @ V) @ W_O


# Lesson 9


def rows_back_with_the_bias_taken_away_last(y, gain, bias, mean, root):
    normalised = y / gain - bias
    return normalised * root[..., None] + mean[..., None]


def rows_back_with_the_mean_added_before_the_root(y, gain, bias, mean, root):
    normalised = (y - bias) / gain
    return (normalised + mean[..., None]) * root[..., None]


def rows_back_multiplied_by_gain_and_by_the_root_of_the_root(y, gain, bias, mean, root):
    normalised = (y - bias) * gain
    return normalised * np.sqrt(root)[..., None] + mean[..., None]


def sublayer_with_the_sum_left_as_it_was(x, attend, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    x = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return x + attend(x)


def sublayer_where_attention_reads_x_and_the_axis_is_left(x, attend, gain, bias):
    mean = x.mean(axis=-2, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    normalised = (x - mean) / np.sqrt(variance + 0.00001) * gain + bias
    return normalised + attend(x)


def sublayer_made_post_norm(x, attend, gain, bias):
    x = x + attend(x)
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 0.00001) * gain + bias


# Lesson 10


def scores_divided_by_the_root_of_the_rows_width(X, context, M, d_k):
    return X @ M @ context.T / np.sqrt(X.shape[-1])


def scores_with_M_turned_over_and_the_context_asking(X, context, M, d_k):
    return (context @ M.T @ X.T) / np.sqrt(d_k)


def scores_with_M_turned_over_and_divided_by_d_k(X, context, M, d_k):
    return X @ M.T @ context.T / d_k


def previous_that_goes_round(n):
    W_Q = np.roll(np.eye(n), -1, axis=1)
    return W_Q @ np.eye(n).T


def previous_that_is_next(n):
    return np.eye(n, k=1) @ np.eye(n).T


def previous_that_looks_at_all_before(n):
    return np.tri(n, k=-1) @ np.eye(n).T


def previous_with_a_hundred(n):
    return 100 * np.eye(n, k=-1) @ np.eye(n).T


def previous_shifted_on_both_sides(n):
    W_Q = np.eye(n, k=-1)
    W_K = np.eye(n, k=1)
    return W_Q @ W_K.T


def turned_by_the_inverse_itself(W_Q, A):
    return W_Q @ np.linalg.inv(A)


def turned_by_the_same_matrix(W_Q, A):
    return W_Q @ A


def turned_from_the_left_and_not_inverted(W_Q, A):
    return (A.T @ W_Q.T).T @ np.eye(len(A))


def parts_as_equal_shares_of_the_result(heads, W_O):
    result = merge_heads(heads) @ W_O
    return np.stack([result / len(heads)] * len(heads))


def parts_all_through_the_first_rows(heads, W_O):
    d_v = heads.shape[-1]
    return heads @ W_O[:d_v]


def parts_with_rows_in_turns_and_backwards(heads, W_O):
    num_heads = len(heads)
    return np.stack([heads[h] @ W_O[num_heads - 1 - h :: num_heads] for h in range(num_heads)])


# Lesson 11


def feed_forward_with_the_bias_after_the_zeros(x, W_1, b_1, W_2, b_2):
    wide = np.maximum(x @ W_1, 0) + b_1
    return wide @ W_2 + b_2


def feed_forward_with_zeros_at_the_end_only(x, W_1, b_1, W_2, b_2):
    return np.maximum((x @ W_1 + b_1) @ W_2 + b_2, 0)


def feed_forward_with_one_zero_for_all_and_no_second_bias(x, W_1, b_1, W_2, b_2):
    wide = x @ W_1 + b_1
    wide = wide if wide.sum() > 0 else 0 * wide
    return wide @ W_2


def feed_forward_with_absolute_values_and_x_added(x, W_1, b_1, W_2, b_2):
    return x + np.abs(x @ W_1 + b_1) @ W_2 + b_2


def encoder_layer_with_both_sums_from_x(x, attend, feed, norm):
    after_attention = norm(x + attend(x))
    return norm(x + feed(after_attention))


def encoder_layer_with_one_norm_at_the_end(x, attend, feed, norm):
    after_attention = x + attend(x)
    return norm(after_attention + feed(after_attention))


def encoder_layer_with_both_beside_each_other(x, attend, feed, norm):
    return norm(x + attend(x) + feed(x))


def encoder_layer_feeding_first_and_reading_normed(x, attend, feed, norm):
    after_feed = x + feed(norm(x))
    return after_feed + attend(norm(after_feed))


def decoder_layer_with_the_cross_sum_from_x(x, memory, attend, ask, feed, norm):
    mask = causal_mask(x.shape[-2])
    after_self = norm(x + attend(x, mask))
    after_cross = norm(x + ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


def decoder_layer_that_asks_first(x, memory, attend, ask, feed, norm):
    mask = causal_mask(x.shape[-2])
    after_cross = norm(x + ask(x, memory))
    after_self = norm(after_cross + attend(after_cross, mask))
    return norm(after_self + feed(after_self))


def decoder_layer_with_n_from_the_front(x, memory, attend, ask, feed, norm):
    mask = causal_mask(len(x))
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


def decoder_layer_with_the_future_alone_and_no_feed(x, memory, attend, ask, feed, norm):
    mask = np.triu(np.ones((x.shape[-2], x.shape[-2]))) == 1
    after_self = norm(x + attend(x, mask))
    return norm(after_self + ask(after_self, memory))


def decoder_layer_asking_with_x_and_feeding_after_self(x, memory, attend, ask, feed, norm):
    mask = causal_mask(x.shape[-2])
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(x, memory))
    return norm(after_cross + feed(after_self))


def stack_with_a_norm_after_each_layer(x, layers, norm):
    rows = x
    for layer in layers:
        rows = norm(layer(rows))
    return rows


def stack_where_every_layer_reads_x(x, layers, norm):
    rows = x
    for layer in layers:
        rows = rows + layer(x)
    return norm(rows)


def stack_with_the_sums_made_once_more_and_no_norm(x, layers, norm):
    rows = x
    for layer in layers:
        rows = rows + layer(rows)
    return rows


def stack_that_stops_after_two(x, layers, norm):
    return norm(layers[1](layers[0](x)))


def parameters_of_one_norm(d_model, d_ff):
    return 4 * d_model**2, 2 * d_model * d_ff + d_ff + d_model, 2 * d_model


def parameters_with_biases_in_attention(d_model, d_ff):
    return 4 * (d_model * d_model + d_model), 2 * d_model * d_ff + d_ff + d_model, 4 * d_model


def parameters_of_three_matrices_and_one_bias(d_model, d_ff):
    return 3 * d_model * d_model, 2 * d_model * d_ff + d_ff, 4 * d_model


# Lesson 12


def heads_left_behind_the_tokens(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(n, num_heads, -1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return (weights @ V).reshape(n, -1)


def padded_attention_with_the_keys_root_and_the_mask_left(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / K.shape[-2] ** 0.5
    position = np.arange(K.shape[-2])
    real = position <= lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V


def verdict_with_values_of_one(candidate):
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 5)), rng.normal(size=(4, 5)), np.ones((4, 2))
    output, right = candidate(Q, K, V), attention(Q, K, V).output
    return output.shape == right.shape and np.allclose(output, right)


def verdict_on_one_query(candidate):
    rng = np.random.default_rng(1)
    Q, K, V = rng.normal(size=(1, 5)), rng.normal(size=(4, 5)), rng.normal(size=(4, 3))
    output, right = candidate(Q, K, V), attention(Q, K, V).output
    return output.shape == right.shape and np.allclose(output, right)


def verdict_on_keys_that_are_queries(candidate):
    rng = np.random.default_rng(2)
    Q, V = rng.normal(size=(4, 5)), rng.normal(size=(4, 3))
    output, right = candidate(Q, Q, V), attention(Q, Q, V).output
    return output.shape == right.shape and np.allclose(output, right)


def verdict_by_mean_difference_on_squares(candidate):
    rng = np.random.default_rng(3)
    Q, K, V = (rng.normal(size=(5, 5)) for _ in range(3))
    output, right = candidate(Q, K, V), attention(Q, K, V).output
    return output.shape == right.shape and abs((output - right).mean()) < 0.001


def turns_weighed_by_logarithms(output_1, sums_1, output_2, sums_2):
    first, second = np.log(sums_1), np.log(sums_2)
    part_1 = (first / (first + second))[:, None]
    part_2 = (second / (first + second))[:, None]
    return part_1 * output_1 + part_2 * output_2


def turns_exchanged_and_along_the_columns(output_1, sums_1, output_2, sums_2):
    part_1 = sums_2 / (sums_1 + sums_2)
    part_2 = sums_1 / (sums_1 + sums_2)
    return part_1 * output_1 + part_2 * output_2


# Lesson 13


def back_through_a_softmax_of_the_weights(weights, dA):
    w = softmax(weights)
    return w * (dA - (w * dA).sum(axis=-1, keepdims=True))


def back_by_the_slopes_of_the_first_row(weights, dA):
    first = weights[0]
    jacobian = np.diag(first) - np.outer(first, first)
    return dA @ jacobian


def back_with_a_plain_mean_and_no_weights_in_front(weights, dA):
    return dA - dA.mean(axis=-1, keepdims=True)


def slopes_with_the_scale_in_dQ_only(Q, K, dS):
    scale = np.sqrt(Q.shape[-1])
    dQ = dS @ K / scale
    dK = dS.T @ Q
    return dQ, dK


def slopes_each_made_with_itself(Q, K, dS):
    scale = np.sqrt(Q.shape[-1])
    return dS @ Q / scale, dS.T @ K / scale


def slopes_exchanged_and_divided_by_the_number_of_keys(Q, K, dS):
    scale = np.sqrt(len(K))
    return dS.T @ Q / scale, dS @ K / scale


def slopes_times_the_scale_with_keys_not_turned(Q, K, dS):
    scale = np.sqrt(K.shape[1])
    return dS @ K * scale, dS @ Q * scale


def dW_as_one_number(X, dQ):
    return (X.mT @ dQ).mean()


def dW_divided_by_all_tokens_and_turned_over(X, dQ):
    batch, n, d_model = X.shape
    rows, slopes = X.reshape(-1, d_model), dQ.reshape(batch * n, -1)
    return slopes.T @ rows / len(rows)


def dW_added_along_the_tokens_again(X, dQ):
    products = np.einsum("bnd,bnk->ndk", X, dQ)
    return products.mean(axis=0)


def step_with_the_half_kept(scores, V, target, rate):
    weights = softmax(scores)
    G = 0.5 * (weights @ V - target)
    dA = G @ V.T
    dS = weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))
    return scores - rate * dS


def step_that_ends_in_shares(scores, V, target, rate):
    weights = softmax(scores)
    dA = (weights @ V - target) @ V.T
    dS = weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))
    return softmax(scores - rate * dS)


def step_with_a_scale_from_habit(scores, V, target, rate):
    weights = softmax(scores / np.sqrt(V.shape[-1]))
    dA = (weights @ V - target) @ V.T
    dS = weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))
    return scores - rate * dS


def step_uphill_without_the_softmax(scores, V, target, rate):
    dA = (softmax(scores) @ V - target) @ V.T
    return scores + rate * dA


def step_with_one_mean_for_all_and_no_rate(scores, V, target, rate):
    weights = softmax(scores)
    dA = (weights @ V - target) @ V.T
    return scores - weights * (dA - (weights * dA).sum())


def gradients_with_a_plain_mean_over_the_visible(Q, K, V, G, mask):
    weights = attention(Q, K, V, mask=mask).weights
    dA = G @ V.T
    mean = (dA * mask).sum(axis=-1, keepdims=True) / mask.sum(axis=-1, keepdims=True)
    dS = weights * (dA - mean) / np.sqrt(Q.shape[-1])
    return dS @ K, dS.T @ Q, weights.T @ G


def gradients_with_the_scale_in_dQ_only(Q, K, V, G, mask):
    weights = attention(Q, K, V, mask=mask).weights
    dA = G @ V.T
    dS = weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))
    return dS @ K / np.sqrt(Q.shape[-1]), dS.T @ Q, weights.T @ G


def gradients_without_mask_and_scale(Q, K, V, G, mask):
    weights = attention(Q, K, V).weights
    dA = G @ V.T
    dS = weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))
    return dS @ K, dS.T @ Q, weights.T @ G


def gradients_without_mean_and_values_first(Q, K, V, G, mask):
    weights = attention(Q, K, V, mask=mask).weights
    dS = weights * (G @ V.T) / np.sqrt(Q.shape[-1])
    return weights.T @ G, dS @ K, dS.T @ Q


# Lesson 14


def repeated_with_a_zero_as_the_last_answer(word, n):
    ids = np.resize(word, n)
    answers = np.append(ids[1:], 0)
    return ids, answers, np.arange(n) >= len(word)


def repeated_counting_where_the_answer_was_there_before(word, n):
    sentence = np.resize(word, n + 1)
    ids, answers = sentence[:-1], sentence[1:]
    counts = np.array([answers[i] in ids[:i] for i in range(n)])
    return ids, answers, counts


def repeated_letter_by_letter_and_counting_all(word, n):
    sentence = np.repeat(word, n)[: n + 1]
    return sentence[:-1], sentence[1:], np.ones(n, dtype=bool)


def repeated_rolled_back_and_counting_from_one(word, n):
    ids = np.tile(word, n)[:n]
    return ids, np.roll(ids, 1), np.arange(1, n + 1) >= len(word)


def looks_shifted_down_instead_of_right(ids):
    same = np.roll(ids[:, None] == ids, 1, axis=0)
    same[0] = False
    return np.tril(same)


def looks_at_the_earlier_place_itself_and_never_its_own(ids):
    return np.tril(ids[:, None] == ids, k=-1)


def looks_that_may_not_see_the_key_of_this_place(ids):
    n = len(ids)
    looks = np.zeros((n, n), dtype=bool)
    for query in range(n):
        for key in range(1, query):
            looks[query, key] = ids[key - 1] == ids[query]
    return looks


def looks_wrapped_and_seeing_the_future(ids):
    return ids[:, None] == np.roll(ids, 1)


def share_as_a_mean_of_the_good_weights(weights, looks, counts):
    return weights[counts][looks[counts]].mean()


def share_of_all_rows_divided_by_those_that_count(weights, looks, counts):
    return (weights * looks).sum() / counts.sum()


def share_of_columns_over_all_places(weights, looks, counts):
    return (weights * looks).sum(axis=0).mean()


def share_of_the_best_key_added_up(weights, looks, counts):
    best = (weights * looks).max(axis=-1)
    return best[counts].sum()


# Lesson 15


def rotated_with_angles_tiled_over_neighbours(rows, positions):
    d_k = rows.shape[-1]
    angles = positions[:, None] / 100000 ** (2 * np.arange(d_k // 2) / d_k)
    cos, sin = np.tile(np.cos(angles), 2), np.tile(np.sin(angles), 2)
    crossed = np.stack([-rows[:, 1::2], rows[:, 0::2]], axis=-1).reshape(rows.shape)
    return rows * cos + crossed * sin


def rotated_from_place_zero_the_other_way(rows, positions):
    n, d_k = rows.shape
    angles = np.arange(n)[:, None] / 100000 ** (2 * np.arange(d_k // 2) / d_k)
    a, b = rows[:, 0::2], rows[:, 1::2]
    turned = [a * np.cos(angles) + b * np.sin(angles), b * np.cos(angles) - a * np.sin(angles)]
    return np.stack(turned, axis=-1).reshape(n, d_k)


def rotated_in_halves_with_another_base(rows, positions):
    d_k = rows.shape[-1]
    angles = positions[:, None] / 10000 ** (2 * np.arange(d_k // 2) / d_k)
    a, b = rows[:, : d_k // 2], rows[:, d_k // 2 :]
    return np.hstack([a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)])


def cache_grown_after_the_query_has_looked(q, k, v, K, V):
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights @ V, np.vstack([K, k]), np.vstack([V, v])


def cache_as_one_long_row(q, k, v, K, V):
    K_new, V_new = np.append(K, k), np.append(V, v)
    weights = softmax(K_new.reshape(-1, len(k)) @ q / np.sqrt(len(q)))
    return weights @ V_new.reshape(-1, len(v)), K_new, V_new


def cache_in_front_and_without_the_scale(q, k, v, K, V):
    K_new, V_new = np.vstack([k, K]), np.vstack([v, V])
    return softmax(K_new @ q) @ V_new, K_new, V_new


def bytes_of_the_tables_of_weights(layers, num_heads, num_kv_heads, d_k, n, size):
    return layers * num_heads * n * n * size


def bytes_of_the_keys_of_all_query_heads(layers, num_heads, num_kv_heads, d_k, n, size):
    return layers * num_heads * d_k * n * size


def copying_along_the_whole_diagonal(weights):
    n = weights.shape[-1] // 2
    return np.diagonal(weights, offset=1 - n, axis1=1, axis2=2).mean(axis=-1)


def copying_as_a_part_of_queries_whose_strongest_key_it_is(weights):
    n = weights.shape[-1] // 2
    queries = np.arange(n, 2 * n)
    return (weights[:, queries].argmax(axis=-1) == queries - n + 1).mean(axis=-1)


def copying_of_the_same_token_with_the_heads_averaged(weights):
    n = weights.shape[-1] // 2
    queries = np.arange(n, 2 * n)
    return weights[:, queries, queries - n].mean()


def keys_dealt_by_the_number_of_kv_heads(K, num_heads):
    return np.stack([K[..., head % K.shape[-3], :, :] for head in range(num_heads)], axis=-3)


def keys_repeated_along_the_first_axis_and_turned(K, num_heads):
    return np.repeat(K, num_heads // K.shape[0], axis=0).swapaxes(-1, -2)


# Lesson 16


def full_matrix_turned_over_in_every_block(W, num_heads):
    return np.tile(W.T, (num_heads, num_heads))


def parameters_stretched_and_divided_by_the_width(draws):
    return (2 * draws - 1) / len(draws)


INVENTED = (
    # exercise name, function, the slips in plain words (one string each: one slip or two)
    (
        "heads.copy_and_average",
        differences_with_the_identity_as_query_matrix,
        ("scores of 1 and 0 only, so that head 1 is not sharp",),
    ),
    ("heads.copy_and_average", differences_added, ("head 2 is added, not taken away",)),
    (
        "heads.copy_and_average",
        differences_average_first_and_halved,
        ("the average is head 1, so the result has the other sign", "W_O is divided by the number of heads"),
    ),
    (
        "cross_attention.shapes",
        shapes_with_an_output_as_wide_as_the_heads,
        ("the output is as wide as all heads together: W_O is forgotten",),
    ),
    (
        "cross_attention.shapes",
        shapes_before_the_exchange_with_weights_turned_over,
        ("the heads stand behind the tokens", "keys go down in the weights, queries across"),
    ),
    (
        "cross_attention.three_masks",
        three_masks_with_a_decoder_that_sees_padding,
        ("the decoder's mask is causal alone",),
    ),
    (
        "cross_attention.three_masks",
        three_masks_with_lengths_exchanged_in_the_cross_mask,
        ("the cross mask has the lengths of what is written",),
    ),
    (
        "cross_attention.three_masks",
        three_masks_with_or_and_a_causal_encoder,
        ("the encoder is causal, too", "in the decoder one of the two masks is enough"),
    ),
    (
        "cross_attention.multi_head",
        multi_head_cross_with_heads_added_up,
        ("the heads are merged by reshape alone",),
    ),
    (
        "cross_attention.multi_head",
        multi_head_cross_with_the_wide_root_and_values_of_X,
        ("the root of the width of all heads", "the values come from X"),
    ),
    (
        "residual_and_norm.undo",
        rows_back_with_the_bias_taken_away_last,
        ("divides by the gain before it takes the bias away",),
    ),
    (
        "residual_and_norm.undo",
        rows_back_with_the_mean_added_before_the_root,
        ("adds the mean before it multiplies by the root",),
    ),
    (
        "residual_and_norm.undo",
        rows_back_multiplied_by_gain_and_by_the_root_of_the_root,
        ("multiplies by the gain", "takes the root of the root, as if it were the variance"),
    ),
    (
        "residual_and_norm.repair",
        sublayer_with_the_sum_left_as_it_was,
        ("only the axis is repaired: what is added to is normalised",),
    ),
    (
        "residual_and_norm.repair",
        sublayer_where_attention_reads_x_and_the_axis_is_left,
        ("the two are exchanged: attention reads x, and is added to the normalised", "the axis is left as it was"),
    ),
    ("residual_and_norm.repair", sublayer_made_post_norm, ("it is post-norm: the norm comes after the sum",)),
    (
        "what_a_head_does.scores",
        scores_divided_by_the_root_of_the_rows_width,
        ("the root of d_model instead of d_k",),
    ),
    (
        "what_a_head_does.scores",
        scores_with_M_turned_over_and_the_context_asking,
        ("the whole result is turned over: the context goes down",),
    ),
    (
        "what_a_head_does.scores",
        scores_with_M_turned_over_and_divided_by_d_k,
        ("M is turned over", "divides by d_k without the root"),
    ),
    ("what_a_head_does.previous", previous_that_goes_round, ("np.roll: the first token looks at the last",)),
    ("what_a_head_does.previous", previous_that_is_next, ("each token looks at the one after it",)),
    ("what_a_head_does.previous", previous_that_looks_at_all_before, ("each token looks at all before it",)),
    ("what_a_head_does.previous", previous_with_a_hundred, ("the score is 100, not 1",)),
    (
        "what_a_head_does.previous",
        previous_shifted_on_both_sides,
        ("queries and keys are both shifted: it looks two places back",),
    ),
    ("what_a_head_does.turned", turned_by_the_inverse_itself, ("the inverse is not turned over",)),
    (
        "what_a_head_does.turned",
        turned_by_the_same_matrix,
        ("multiplies by A, not by its inverse", "and does not turn it over"),
    ),
    ("what_a_head_does.turned", turned_from_the_left_and_not_inverted, ("multiplies by A, not by its inverse",)),
    ("what_a_head_does.parts", parts_as_equal_shares_of_the_result, ("each head gets an equal part of the sum",)),
    ("what_a_head_does.parts", parts_all_through_the_first_rows, ("all heads meet the first rows of W_O",)),
    (
        "what_a_head_does.parts",
        parts_with_rows_in_turns_and_backwards,
        ("head h meets every num_heads-th row of W_O", "the heads meet each other's rows, in reverse order"),
    ),
    (
        "stacks.feed_forward",
        feed_forward_with_the_bias_after_the_zeros,
        ("the first bias is added after the negative entries became 0",),
    ),
    (
        "stacks.feed_forward",
        feed_forward_with_zeros_at_the_end_only,
        ("negative entries become 0 at the end instead of in between",),
    ),
    (
        "stacks.feed_forward",
        feed_forward_with_one_zero_for_all_and_no_second_bias,
        ("all entries together become 0 or stay", "b_2 is forgotten"),
    ),
    (
        "stacks.feed_forward",
        feed_forward_with_absolute_values_and_x_added,
        ("absolute values instead of zeros", "x is added, the sum of the sublayer"),
    ),
    (
        "stacks.encoder_layer",
        encoder_layer_with_both_sums_from_x,
        ("the second sum starts from x again",),
    ),
    ("stacks.encoder_layer", encoder_layer_with_one_norm_at_the_end, ("there is one norm only, at the end",)),
    (
        "stacks.encoder_layer",
        encoder_layer_with_both_beside_each_other,
        ("attention and feed-forward both read x, in one sublayer",),
    ),
    (
        "stacks.encoder_layer",
        encoder_layer_feeding_first_and_reading_normed,
        ("feed-forward comes before attention", "pre-norm instead of post-norm"),
    ),
    (
        "stacks.decoder_layer",
        decoder_layer_with_the_cross_sum_from_x,
        ("what cross-attention gives is added to x, not to the rows after sublayer 1",),
    ),
    ("stacks.decoder_layer", decoder_layer_that_asks_first, ("cross-attention comes before self-attention",)),
    ("stacks.decoder_layer", decoder_layer_with_n_from_the_front, ("len(x) counts the sentences of a batch",)),
    (
        "stacks.decoder_layer",
        decoder_layer_with_the_future_alone_and_no_feed,
        ("np.triu: each token sees what comes after it", "the third sublayer is missing"),
    ),
    (
        "stacks.decoder_layer",
        decoder_layer_asking_with_x_and_feeding_after_self,
        ("x asks the memory, not the rows after sublayer 1", "feed-forward reads the rows after sublayer 1"),
    ),
    ("stacks.stack", stack_with_a_norm_after_each_layer, ("the norm comes after every layer",)),
    (
        "stacks.stack",
        stack_where_every_layer_reads_x,
        ("every layer reads x, and all are added up",),
    ),
    (
        "stacks.stack",
        stack_with_the_sums_made_once_more_and_no_norm,
        ("what a layer gives is added to what it read, which it did itself", "the norm is missing"),
    ),
    ("stacks.stack", stack_that_stops_after_two, ("there are always two layers, as in the example",)),
    ("stacks.parameters", parameters_of_one_norm, ("one norm is counted instead of two",)),
    ("stacks.parameters", parameters_with_biases_in_attention, ("the matrices of attention get biases",)),
    (
        "stacks.parameters",
        parameters_of_three_matrices_and_one_bias,
        ("W_O is not counted", "b_2 is not counted"),
    ),
    (
        "find_the_bug.one_line",
        heads_left_behind_the_tokens,
        ("the heads are cut, but stay behind the tokens",),
    ),
    (
        "find_the_bug.two_lines",
        padded_attention_with_the_keys_root_and_the_mask_left,
        ("the root of the number of keys", "one token too many is seen, as handed out"),
    ),
    ("find_the_bug.check", verdict_with_values_of_one, ("all values are 1: no share matters",)),
    ("find_the_bug.check", verdict_on_one_query, ("there is one query only",)),
    ("find_the_bug.check", verdict_on_keys_that_are_queries, ("the keys are the queries",)),
    (
        "find_the_bug.check",
        verdict_by_mean_difference_on_squares,
        ("it compares means of differences, which cancel", "all sizes are equal"),
    ),
    ("find_the_bug.keys_in_turns", turns_weighed_by_logarithms, ("the logarithms of the sums are taken",)),
    (
        "find_the_bug.keys_in_turns",
        turns_exchanged_and_along_the_columns,
        ("the parts are exchanged", "the parts lie along the columns"),
    ),
    (
        "learning.softmax",
        back_through_a_softmax_of_the_weights,
        ("the weights are taken for scores: a softmax of a softmax",),
    ),
    ("learning.softmax", back_by_the_slopes_of_the_first_row, ("the shares of the first row serve all rows",)),
    (
        "learning.softmax",
        back_with_a_plain_mean_and_no_weights_in_front,
        ("a plain mean", "the weights in front are missing"),
    ),
    ("learning.queries_keys", slopes_with_the_scale_in_dQ_only, ("dK is not divided by the scale",)),
    (
        "learning.queries_keys",
        slopes_each_made_with_itself,
        ("dQ is made with Q", "dK is made with K"),
    ),
    (
        "learning.queries_keys",
        slopes_exchanged_and_divided_by_the_number_of_keys,
        ("the results are exchanged", "the root of the number of keys"),
    ),
    (
        "learning.queries_keys",
        slopes_times_the_scale_with_keys_not_turned,
        ("multiplies by the scale", "dS is not turned over for the keys"),
    ),
    ("learning.shared", dW_as_one_number, ("the mean runs over everything",)),
    (
        "learning.shared",
        dW_divided_by_all_tokens_and_turned_over,
        ("divides by the number of all tokens", "the result is turned over"),
    ),
    (
        "learning.shared",
        dW_added_along_the_tokens_again,
        ("it adds over the sentences, and takes the mean over the tokens",),
    ),
    ("learning.step", step_with_the_half_kept, ("the half of the loss stays in the slope",)),
    ("learning.step", step_that_ends_in_shares, ("it returns shares of the new scores",)),
    ("learning.step", step_with_a_scale_from_habit, ("the scores are divided by a root before the softmax",)),
    (
        "learning.step",
        step_uphill_without_the_softmax,
        ("the way back leaves out the softmax", "it goes up"),
    ),
    (
        "learning.step",
        step_with_one_mean_for_all_and_no_rate,
        ("one mean serves all rows", "the rate is missing"),
    ),
    (
        "learning.one_head",
        gradients_with_a_plain_mean_over_the_visible,
        ("the mean counts all visible keys alike",),
    ),
    ("learning.one_head", gradients_with_the_scale_in_dQ_only, ("dK is not divided by the scale",)),
    (
        "learning.one_head",
        gradients_without_mask_and_scale,
        ("the mask is forgotten", "the scale is missing on the way back"),
    ),
    (
        "learning.one_head",
        gradients_without_mean_and_values_first,
        ("the mean is not subtracted", "dV is returned first"),
    ),
    (
        "heads_that_learn.repeated",
        repeated_with_a_zero_as_the_last_answer,
        ("the last answer is made up: 0",),
    ),
    (
        "heads_that_learn.repeated",
        repeated_counting_where_the_answer_was_there_before,
        ("it counts where the answer was there before, not the letter",),
    ),
    (
        "heads_that_learn.repeated",
        repeated_letter_by_letter_and_counting_all,
        ("np.repeat repeats letters, not the word", "all places count"),
    ),
    (
        "heads_that_learn.repeated",
        repeated_rolled_back_and_counting_from_one,
        ("np.roll goes the wrong way", "one place too many counts"),
    ),
    (
        "heads_that_learn.looks",
        looks_shifted_down_instead_of_right,
        ("the table of equal letters is shifted down instead of right",),
    ),
    (
        "heads_that_learn.looks",
        looks_at_the_earlier_place_itself_and_never_its_own,
        ("the keys are asked for their own letter", "a query may not look at itself"),
    ),
    (
        "heads_that_learn.looks",
        looks_that_may_not_see_the_key_of_this_place,
        ("the loop stops before the query's own key",),
    ),
    (
        "heads_that_learn.looks",
        looks_wrapped_and_seeing_the_future,
        ("the last letter stands before the first", "the future is not hidden"),
    ),
    (
        "heads_that_learn.share",
        share_as_a_mean_of_the_good_weights,
        ("the mean runs over the good weights, not over the queries",),
    ),
    (
        "heads_that_learn.share",
        share_of_all_rows_divided_by_those_that_count,
        ("all rows are added, but divided by how many count",),
    ),
    (
        "heads_that_learn.share",
        share_of_columns_over_all_places,
        ("it adds down the columns", "all places count"),
    ),
    (
        "heads_that_learn.share",
        share_of_the_best_key_added_up,
        ("only the best good key is taken", "a sum, not a mean"),
    ),
    (
        "real_model.rotary",
        rotated_with_angles_tiled_over_neighbours,
        ("the angles are laid out for halves, while the pairs are neighbours",),
    ),
    (
        "real_model.rotary",
        rotated_from_place_zero_the_other_way,
        ("counts 0, 1, … instead of using the positions", "it turns the other way"),
    ),
    (
        "real_model.rotary",
        rotated_in_halves_with_another_base,
        ("the pairs are taken from the two halves", "the base is 10000"),
    ),
    (
        "real_model.cache",
        cache_grown_after_the_query_has_looked,
        ("the query looks at the old keys only: the newest token does not see itself",),
    ),
    ("real_model.cache", cache_as_one_long_row, ("np.append without an axis makes one long row of the cache",)),
    (
        "real_model.cache",
        cache_in_front_and_without_the_scale,
        ("the new rows stand in front", "the scale is missing"),
    ),
    (
        "real_model.cache_size",
        bytes_of_the_tables_of_weights,
        ("the tables of weights are counted, not the keys and values",),
    ),
    (
        "real_model.cache_size",
        bytes_of_the_keys_of_all_query_heads,
        ("only the keys are counted", "a key for each query head"),
    ),
    (
        "real_model.induction",
        copying_along_the_whole_diagonal,
        ("the diagonal has one query of the first half, too",),
    ),
    (
        "real_model.induction",
        copying_as_a_part_of_queries_whose_strongest_key_it_is,
        ("it counts the queries whose strongest key this is",),
    ),
    (
        "real_model.induction",
        copying_of_the_same_token_with_the_heads_averaged,
        ("it looks at the earlier occurrence itself", "the heads are averaged, too"),
    ),
    (
        "real_model.shared",
        keys_dealt_by_the_number_of_kv_heads,
        ("the heads take turns, as with np.tile",),
    ),
    (
        "real_model.shared",
        keys_repeated_along_the_first_axis_and_turned,
        ("the axis is counted from the front", "the keys are turned over"),
    ),
    (
        "five_treatments.full_form",
        full_matrix_turned_over_in_every_block,
        ("W is turned over", "W stands in every block"),
    ),
    (
        "five_treatments.weights",
        parameters_stretched_and_divided_by_the_width,
        ("the draws are stretched to −1 and 1", "divided by the width, neither 12 nor root"),
    ),
)

"""Wrong answers that were invented without a look at what the checks know."""

import numpy as np

from mha_course import (
    attention,
    causal_mask,
    layer_norm,
    merge_heads,
    positional_encoding,
    softmax,
    split_heads,
)

# Lesson 1


def positions_run_on_over_the_sentences(embedded):
    n = embedded.reshape(-1, embedded.shape[-1]).shape[0]
    d_model = embedded.shape[-1]
    return embedded + positional_encoding(n, d_model).reshape(embedded.shape)


def positions_along_the_first_axis_and_embeddings_scaled(embedded):
    n = embedded.shape[0]
    d_model = embedded.shape[2]
    src = embedded * np.sqrt(d_model)
    pe = positional_encoding(n, d_model)[:, None, :]
    return src + pe


def angles_spaced_by_one_pair_less(positions, d_model):
    pairs = np.arange(d_model // 2)
    num_timescales = len(pairs)
    log_timescale_increment = np.log(10000) / max(num_timescales - 1, 1)
    inv_timescales = np.exp(-pairs * log_timescale_increment)
    return positions[:, None] * inv_timescales[None, :]


def encoding_in_a_table_of_whole_numbers(positions, d_model):
    table = np.repeat(positions[:, None], d_model, axis=1)
    i = np.arange(0, d_model, 2)
    angles = positions[:, None] / 10000 ** (i / d_model)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def encoding_with_doubled_columns_and_own_counter(positions, d_model):
    seq_len = len(positions)
    P = np.zeros((seq_len, d_model))
    for k in range(seq_len):
        for i in range(0, d_model, 2):
            denominator = np.power(10000, 2 * i / d_model)
            P[k, i] = np.sin(k / denominator)
            P[k, i + 1] = np.cos(k / denominator)
    return P


# Lesson 2


def questions_on_top_of_the_identity_and_one_lost(has, wants, d_model):
    keeps_itself = np.identity(d_model)
    for i in range(len(has) - 1):
        keeps_itself[has[i], wants[i]] = 1
    return keeps_itself


def qkv_with_the_askers_among_those_who_answer(X, context, W_Q, W_K, W_V):
    memory = np.concatenate([X, context], axis=0)
    return X @ W_Q, memory @ W_K, memory @ W_V


def qkv_with_values_second_and_queries_scaled(X, context, W_Q, W_K, W_V):
    scaling = W_Q.shape[-1] ** -0.5
    query = X @ W_Q * scaling
    key = context @ W_K
    value = context @ W_V
    return query, value, key


def fused_columns_taken_in_turns(X, W):
    qkv = (X @ W).reshape(len(X), -1, 3)
    return qkv[..., 0], qkv[..., 1], qkv[..., 2]


def fused_cut_by_d_model_with_keys_first(X, W):
    n_embd = X.shape[-1]
    wide = X @ W
    K = wide[:, :n_embd]
    Q = wide[:, n_embd : 2 * n_embd]
    V = wide[:, 2 * n_embd :]
    return Q, K, V


# Lesson 3


def scaled_with_the_root_on_both_sides(Q, K):
    d_k = Q.shape[-1]
    scale = d_k**-0.5
    return (Q * scale) @ (K * scale).T


def scaled_by_dividing_by_the_reciprocal_of_the_keys_number(Q, K):
    d_k = K.shape[0]
    scale = d_k**-0.5
    return Q @ K.T / scale


def batch_of_exactly_three_axes(Q, K):
    return np.einsum("bqd,bkd->bqk", Q, K) / np.sqrt(Q.shape[-1])


def batch_by_one_loop_with_the_root_of_the_second_size(Q, K):
    d_k = K.shape[1]
    scores = []
    for queries, keys in zip(Q, K):
        scores.append(queries @ keys.T)
    return np.array(scores) / np.sqrt(d_k)


# Lesson 4


def strongest_as_one_flat_list(weights):
    is_largest = weights == weights.max(axis=-1, keepdims=True)
    return np.where(is_largest)[-1]


def softmax_minus_the_largest_before_the_temperature(scores, temperature):
    largest = scores.max(axis=-1, keepdims=True)
    z = scores / temperature
    e = np.exp(z - largest)
    return e / e.sum(axis=-1, keepdims=True)


def softmax_to_the_power_of_the_temperature_divided_by_turning_over(scores, temperature):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) ** temperature
    return (powers.T / powers.sum(axis=-1)).T


# Lesson 5


def head_that_hides_the_future(X, context, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    n_q, n_k = scores.shape[-2:]
    weights = softmax(scores, mask=causal_mask(n_q, n_k))
    return weights @ V


def head_with_shares_down_the_queries_and_root_of_the_rows_of_W(X, context, W_Q, W_K, W_V):
    d_k = len(W_Q)
    scores = (X @ W_Q) @ (context @ W_K).T / np.sqrt(d_k)
    weights = softmax(scores.T).T
    return weights @ (context @ W_V)


# Lesson 6


def split_into_heads_as_wide_as_there_are_heads(wide, num_heads):
    *batch, n, width = wide.shape
    pieces = wide.reshape(*batch, n, -1, num_heads)
    return pieces.swapaxes(-3, -2)


def split_column_by_column_with_heads_in_front_of_the_batch(wide, num_heads):
    *batch, n, width = wide.shape
    pieces = wide.reshape(*batch, n, width // num_heads, num_heads)
    return np.moveaxis(pieces, -1, 0)


def merge_by_the_first_two_axes_in_column_major_order(heads):
    *batch, num_heads, n, d_v = heads.shape
    moved = np.swapaxes(heads, 0, 1)
    return moved.reshape(*batch, n, num_heads * d_v, order="F")


def multi_head_with_reshaped_weights(X, context, W_Q, W_K, W_V, W_O, num_heads):
    def per_head(rows, W):
        return rows[..., None, :, :] @ W.reshape(num_heads, W.shape[0], W.shape[1] // num_heads)

    heads = attention(per_head(X, W_Q), per_head(context, W_K), per_head(context, W_V)).output
    return merge_heads(heads) @ W_O


def multi_head_with_a_residual(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    attended = merge_heads(attention(Q, K, V).output) @ W_O
    return X + attended


def multi_head_where_the_context_asks_and_columns_take_turns(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = context @ W_Q, X @ W_K, X @ W_V
    heads = []
    for h in range(num_heads):
        q, k, v = Q[..., h::num_heads], K[..., h::num_heads], V[..., h::num_heads]
        heads.append(attention(q, k, v).output)
    return np.concatenate(heads, axis=-1) @ W_O


def multi_head_with_the_whole_width_in_the_root_and_rows_of_W_O_in_turns(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(W_Q.shape[-1]))
    heads = weights @ V
    output = 0
    for h in range(num_heads):
        output = output + heads[..., h, :, :] @ W_O[h::num_heads]
    return output


# Lesson 7


def padding_with_four_axes_and_one_token_too_many(lengths, n_k):
    positions = np.arange(n_k)
    is_real = positions[None, :] <= lengths[:, None]
    return is_real[:, None, None, :]


def packed_without_the_own_token(lengths):
    texts = np.repeat(np.arange(len(lengths)), lengths)
    return np.tril(texts == texts[:, None], k=-1)


def packed_where_one_condition_is_enough(lengths):
    texts, places = np.repeat(np.arange(len(lengths)), lengths), np.arange(lengths.sum())
    return (texts[:, None] == texts[None, :]) | (places[None, :] <= places[:, None])


def packed_in_turns_and_upside_down(lengths):
    texts = np.arange(lengths.sum()) % len(lengths)
    return np.triu(texts == texts[:, None])


def masked_softmax_over_all_that_is_visible(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    visible = scores[mask]
    powers = np.exp(visible - visible.max())
    shares = np.zeros(scores.shape)
    shares[mask] = powers / powers.sum()
    return shares


def masked_softmax_with_zero_scores_along_axis_one(scores, mask):
    visible = scores * mask
    largest = visible.max(axis=1, keepdims=True)
    powers = np.exp(visible - largest)
    return powers / powers.sum(axis=1, keepdims=True)


def _exact_masked_softmax(scores, mask):
    visible = np.where(mask, scores, -np.inf)
    largest = visible.max(axis=-1, keepdims=True)
    powers = np.exp(visible - np.where(np.isfinite(largest), largest, 0))
    sums = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(sums == 0, 1, sums)


def masked_attention_with_the_new_axis_after_the_queries(Q, K, V, mask):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    weights = _exact_masked_softmax(scores, mask[:, :, None])
    return weights @ V


def masked_attention_with_tiled_masks_and_a_large_negative_number(Q, K, V, mask):
    batch, h, n_q, d_k = Q.shape
    q = Q.reshape(batch * h, n_q, d_k)
    k = K.reshape(batch * h, -1, d_k)
    v = V.reshape(batch * h, k.shape[1], -1)
    attn_mask = np.tile(mask, (h, 1, 1))
    scores = np.einsum("bqd,bkd->bqk", q, k) / np.sqrt(d_k)
    scores = np.where(attn_mask, scores, -1e9)
    return (softmax(scores) @ v).reshape(batch, h, n_q, -1)


def masked_attention_with_shares_hidden_at_the_end_and_root_of_the_values_width(Q, K, V, mask):
    batch, h, n_k, d_k = V.shape
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)
    weights = softmax(scores) * mask[:, None]
    return weights @ V


# Lesson 8


def residual_as_dense_connection(x, attend):
    return np.concatenate([x, attend(x)], axis=-1)


def normalised_row_by_sample_deviation_plus_eps(row, eps):
    mean = row.mean()
    std = row.std(ddof=1)
    return (row - mean) / (std + eps)


def layer_norm_with_one_more_gain(x, gain, bias, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    normed = (x - mean) / np.sqrt(variance + eps)
    return normed * (1 + gain) + bias


def layer_norm_along_axis_one_with_bias_before_gain(x, gain, bias, eps):
    mean = np.mean(x, axis=1, keepdims=True)
    variance = np.var(x, axis=1, keepdims=True)
    x_hat = (x - mean) / np.sqrt(variance + eps)
    return gain * (x_hat + bias)


def sublayers_one_after_the_other(x, attend):
    x = layer_norm(x + attend(x))
    post = x
    x = x + attend(layer_norm(x))
    pre = x
    return post, pre


def sublayers_with_norm_inside_the_sum_and_a_normalised_residual(x, attend):
    post = x + layer_norm(attend(x))
    x = layer_norm(x)
    pre = x + attend(x)
    return post, pre


def dropout_divided_by_the_rate_and_leaving_the_others(weights, kept, rate):
    return np.where(kept, weights / rate, weights)


# Lesson 9


def whole_row_with_columns_that_overlap(X, W, num_heads):
    d_k = W.shape[1] // num_heads
    heads = [X @ W[:, h : h + d_k] for h in range(num_heads)]
    return np.stack(heads, axis=-3)


def weights_between_the_bounds_of_a_linear_layer(draws):
    d_in = len(draws)
    bound = 1 / np.sqrt(d_in)
    centred = draws - 0.5
    factor = 2 * bound
    return centred * factor


def divisor_by_common_logarithms(dots, weights):
    return (dots[0] - dots[1]) / (np.log10(weights[0]) - np.log10(weights[1]))


def heads_still_reshaped_and_columns_that_sum_to_1(X, W_Q, W_K, W_V, num_heads):
    d_k, d_v = W_Q.shape[1] // num_heads, W_V.shape[1] // num_heads
    Q, K = (X @ W_Q).reshape(num_heads, len(X), d_k), (X @ W_K).reshape(num_heads, len(X), d_k)
    powers = np.exp(Q @ K.transpose(0, 2, 1) / np.sqrt(d_k))
    heads = powers / powers.sum(axis=1, keepdims=True) @ (X @ W_V).reshape(num_heads, len(X), d_v)
    return np.concatenate(list(heads), axis=-1)


def score_as_cosine_similarity(query, key):
    products = query * key
    return products.sum() / (np.linalg.norm(query) * np.linalg.norm(key))


INVENTED = (
    (
        "scaled_scores.dot",
        score_as_cosine_similarity,
        ("divided by both lengths: a cosine similarity",),
    ),
    # exercise name, function, the slips in plain words (one string each: one slip or two)
    (
        "inputs.add_positions",
        positions_run_on_over_the_sentences,
        ("the positions run on from one sentence to the next",),
    ),
    (
        "inputs.add_positions",
        positions_along_the_first_axis_and_embeddings_scaled,
        ("the first axis is taken for the tokens, sequence first", "the embeddings are multiplied by √d_model"),
    ),
    (
        "inputs.angles",
        angles_spaced_by_one_pair_less,
        ("the exponent is divided by the number of pairs minus 1, as in tensor2tensor",),
    ),
    (
        "inputs.encoding",
        encoding_in_a_table_of_whole_numbers,
        ("the table is made of the positions, so it holds whole numbers and cuts the sines off",),
    ),
    (
        "inputs.encoding",
        encoding_with_doubled_columns_and_own_counter,
        ("i counts columns already, yet is doubled in the exponent", "counts 0, 1, … instead of using the positions"),
    ),
    (
        "queries_keys_values.questions",
        questions_on_top_of_the_identity_and_one_lost,
        ("it begins with the identity instead of zeros", "the loop stops one question early"),
    ),
    (
        "queries_keys_values.qkv",
        qkv_with_the_askers_among_those_who_answer,
        ("keys and values come from X and context stacked",),
    ),
    (
        "queries_keys_values.qkv",
        qkv_with_values_second_and_queries_scaled,
        ("values are returned before the keys, Keras's order", "the queries are already divided by √d_k"),
    ),
    (
        "queries_keys_values.fused",
        fused_columns_taken_in_turns,
        ("Q, K and V take every third column instead of a block each",),
    ),
    (
        "queries_keys_values.fused",
        fused_cut_by_d_model_with_keys_first,
        ("each part is cut d_model wide instead of a third", "the first part is taken for the keys, the second for Q"),
    ),
    (
        "scaled_scores.scaled",
        scaled_with_the_root_on_both_sides,
        ("Q and K are both divided by √d_k, so the scale counts twice",),
    ),
    (
        "scaled_scores.scaled",
        scaled_by_dividing_by_the_reciprocal_of_the_keys_number,
        ("the number of keys is taken for d_k", "divides by 1/√d_k instead of multiplying with it"),
    ),
    (
        "scaled_scores.batch",
        batch_of_exactly_three_axes,
        ("the einsum fits exactly three axes, not more or fewer",),
    ),
    (
        "scaled_scores.batch",
        batch_by_one_loop_with_the_root_of_the_second_size,
        ("the loop takes for granted exactly one axis in front", "shape[1] is taken for d_k, but counts the keys"),
    ),
    (
        "softmax.strongest",
        strongest_as_one_flat_list,
        ("np.where gives the places as one flat list: the axes in front are lost",),
    ),
    (
        "softmax.general",
        softmax_minus_the_largest_before_the_temperature,
        ("subtracts the largest of the scores that are not yet divided by the temperature",),
    ),
    (
        "softmax.general",
        softmax_to_the_power_of_the_temperature_divided_by_turning_over,
        ("the temperature multiplies the scores, as a power of the powers", ".T lines the sums up only for two axes"),
    ),
    (
        "weighted_sums.from_inputs",
        head_that_hides_the_future,
        ("a causal mask is applied though the task has none",),
    ),
    (
        "weighted_sums.from_inputs",
        head_with_shares_down_the_queries_and_root_of_the_rows_of_W,
        ("len(W_Q), which is d_model, is taken for d_k", "the softmax runs down the queries"),
    ),
    (
        "heads.split",
        split_into_heads_as_wide_as_there_are_heads,
        ("num_heads is taken for the width of a head",),
    ),
    (
        "heads.split",
        split_column_by_column_with_heads_in_front_of_the_batch,
        ("the columns are dealt to the heads in turns",),
    ),
    (
        "heads.merge",
        merge_by_the_first_two_axes_in_column_major_order,
        ("the reshape is column-major, MATLAB's order",),
    ),
    (
        "heads.multi_head",
        multi_head_with_reshaped_weights,
        ("W_Q, W_K and W_V are reshaped to (h, d_model, d), which does not cut columns",),
    ),
    (
        "heads.multi_head",
        multi_head_with_a_residual,
        ("X is added at the end, the residual connection of a later lesson",),
    ),
    (
        "heads.multi_head",
        multi_head_where_the_context_asks_and_columns_take_turns,
        ("the context asks and X answers", "head h gets every num_heads-th column instead of a block"),
    ),
    (
        "heads.multi_head",
        multi_head_with_the_whole_width_in_the_root_and_rows_of_W_O_in_turns,
        ("the root of the width of all heads together", "head h meets every num_heads-th row of W_O, not its block"),
    ),
    (
        "masks.padding",
        padding_with_four_axes_and_one_token_too_many,
        ("<= instead of <: one padded token is seen", "two axes of size 1 instead of one, as BERT has them"),
    ),
    (
        "masks.packed",
        packed_without_the_own_token,
        ("np.tril with k=-1 leaves the diagonal out",),
    ),
    (
        "masks.packed",
        packed_where_one_condition_is_enough,
        ("or instead of and: every earlier token is seen, whatever its text",),
    ),
    (
        "masks.packed",
        packed_in_turns_and_upside_down,
        ("the tokens are dealt out to the texts in turns", "np.triu: each token sees what comes after it"),
    ),
    (
        "masks.softmax",
        masked_softmax_over_all_that_is_visible,
        ("boolean indexing makes one flat list: all visible entries together sum to 1",),
    ),
    (
        "masks.softmax",
        masked_softmax_with_zero_scores_along_axis_one,
        ("hidden scores become 0 by multiplication, instead of −∞", "axis 1 instead of the last axis"),
    ),
    (
        "masks.attention",
        masked_attention_with_the_new_axis_after_the_queries,
        ("the mask's new axis stands after the queries' axis instead of before it",),
    ),
    (
        "masks.attention",
        masked_attention_with_tiled_masks_and_a_large_negative_number,
        ("masks are tiled instead of repeated, so heads get masks of other sentences", "−1e9: empty rows get a mean"),
    ),
    (
        "masks.attention",
        masked_attention_with_shares_hidden_at_the_end_and_root_of_the_values_width,
        ("the width of V is taken for d_k", "hides the shares after the softmax, the rest does not sum to 1"),
    ),
    (
        "residual_and_norm.residual",
        residual_as_dense_connection,
        ("x and attend(x) are set side by side instead of added, as in DenseNet",),
    ),
    (
        "residual_and_norm.row",
        normalised_row_by_sample_deviation_plus_eps,
        ("divides by d_model − 1 in the variance", "eps is added to the root instead of under it"),
    ),
    (
        "residual_and_norm.layer_norm",
        layer_norm_with_one_more_gain,
        ("multiplied by 1 + gain, as Gemma does",),
    ),
    (
        "residual_and_norm.layer_norm",
        layer_norm_along_axis_one_with_bias_before_gain,
        ("mean and variance along axis 1, the tokens if there is a batch", "the bias is added before the gain"),
    ),
    (
        "residual_and_norm.both",
        sublayers_one_after_the_other,
        ("x is overwritten: the pre-norm sublayer reads what the post-norm sublayer made",),
    ),
    (
        "residual_and_norm.both",
        sublayers_with_norm_inside_the_sum_and_a_normalised_residual,
        ("post: only attend(x) is normalised, not the sum", "pre: the normalised x is what attention is added to"),
    ),
    (
        "residual_and_norm.dropout",
        dropout_divided_by_the_rate_and_leaving_the_others,
        ("divides by the rate, as if it were the share that is kept", "weights that are not kept stay as they are"),
    ),
    (
        "five_treatments.whole_row",
        whole_row_with_columns_that_overlap,
        ("head h begins at column h instead of h · d_k",),
    ),
    (
        "five_treatments.weights",
        weights_between_the_bounds_of_a_linear_layer,
        ("1/√d_in is taken for the bound of the draws, not for their deviation",),
    ),
    (
        "find_the_bug.divisor",
        divisor_by_common_logarithms,
        ("the logarithm to the base 10 where that to the base e is needed",),
    ),
    (
        "find_the_bug.one_line",
        heads_still_reshaped_and_columns_that_sum_to_1,
        ("the heads are cut by reshape alone, as handed out", "the softmax runs over the queries"),
    ),
)

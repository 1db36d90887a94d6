"""Wrong answers that were invented without a look at what the checks know."""

import numpy as np

from mha_course import (
    attention,
    causal_mask,
    layer_norm,
    merge_heads,
    multi_head_attention,
    softmax,
    split_heads,
)

# 10 What a head does


def scores_that_the_context_asks_for_unscaled(X, context, M, d_k):
    return (context @ M @ X.T).T


def turned_by_the_matrix_itself(W_Q, A):
    return np.einsum("ij,jk->ik", W_Q, A)


def parts_that_grow_head_by_head(heads, W_O):
    d_v, so_far, parts = heads.shape[2], 0, []
    for i in range(len(heads)):
        so_far = so_far + heads[i] @ W_O[i * d_v : (i + 1) * d_v]
        parts.append(so_far)
    return np.array(parts)


# 6.1 Split


def columns_dealt_out_in_turn(wide, num_heads):
    *batch, n, width = wide.shape
    pieces = wide.reshape(*batch, n, width // num_heads, num_heads)
    return np.moveaxis(pieces, -1, -3)


def axes_exchanged_from_the_front(wide, num_heads):
    *batch, n, width = wide.shape
    pieces = wide.reshape(*batch, n, num_heads, width // num_heads)
    return pieces.swapaxes(0, 1)


def num_heads_as_width_and_no_exchange(wide, num_heads):
    *batch, n, _ = wide.shape
    return wide.reshape(*batch, n, -1, num_heads)


# 6.2 Merge


def loop_over_the_first_axis(heads):
    return np.concatenate([head for head in heads], axis=-1)


def from_head_two_on_and_below_one_another(heads):
    num_heads = heads.shape[-3]
    rows = [heads[..., i, :, :] for i in range(1, num_heads)]
    return np.concatenate(rows, axis=-2)


# 6.4 Multi-head attention from scratch


def context_never_handed_on(X, context, W_Q, W_K, W_V, W_O, num_heads):
    return multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads).output


def scaled_by_the_wide_query(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = X @ W_Q
    K = context @ W_K
    V = context @ W_V
    scale = np.sqrt(Q.shape[-1])
    Q, K, V = split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads)
    weights = softmax(Q @ K.swapaxes(-1, -2) / scale)
    return merge_heads(weights @ V) @ W_O


def heads_averaged_after_output_matrix(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q_i = np.split(X @ W_Q, num_heads, axis=-1)
    K_i = np.split(context @ W_K, num_heads, axis=-1)
    V_i = np.split(context @ W_V, num_heads, axis=-1)
    W_i = np.split(W_O, num_heads, axis=0)
    parts = [attention(q, k, v).output @ w for q, k, v, w in zip(Q_i, K_i, V_i, W_i, strict=True)]
    return np.mean(parts, axis=0)


def no_root_and_merged_by_reshape(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = split_heads(X @ W_Q, num_heads)
    K = split_heads(context @ W_K, num_heads)
    V = split_heads(context @ W_V, num_heads)
    d_k = Q.shape[-1]
    out = attention(Q, K, V, scale=d_k).output
    out = out.reshape(*X.shape[:-1], -1)
    return out @ W_O


def softmax_over_queries_and_no_output_matrix(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = split_heads(np.matmul(X, W_Q), num_heads)
    K = split_heads(np.matmul(context, W_K), num_heads)
    V = split_heads(np.matmul(context, W_V), num_heads)
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    e = np.exp(scores - scores.max(axis=-2, keepdims=True))
    weights = e / e.sum(axis=-2, keepdims=True)
    heads = np.einsum("...qk,...kd->...qd", weights, V)
    return merge_heads(heads)


def keys_of_head_one_and_root_of_d_model(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = X @ W_Q, context @ W_K, context @ W_V
    d_k = Q.shape[-1] // num_heads
    d_v = V.shape[-1] // num_heads
    d_model = X.shape[-1]
    outputs = []
    for i in range(num_heads):
        q = Q[..., i * d_k : (i + 1) * d_k]
        k = K[..., :d_k]
        v = V[..., i * d_v : (i + 1) * d_v]
        scores = q @ np.swapaxes(k, -1, -2) / d_model**0.5
        outputs.append(softmax(scores) @ v)
    return np.concatenate(outputs, axis=-1) @ W_O


def context_asks_and_columns_alternate(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q = split_heads(context @ W_Q, num_heads)
    K = split_heads(X @ W_K, num_heads)
    V = split_heads(X @ W_V, num_heads)
    heads = attention(Q, K, V).output
    side_by_side = np.einsum("...hnd->...ndh", heads)
    return side_by_side.reshape(*context.shape[:-1], W_V.shape[-1]) @ W_O


def unscaled_and_input_added(X, context, W_Q, W_K, W_V, W_O, num_heads):
    def heads_of(rows):
        return split_heads(rows, num_heads)

    heads = attention(heads_of(X @ W_Q), heads_of(context @ W_K), heads_of(context @ W_V), scale=1).output
    return X + merge_heads(heads) @ W_O


# 7.1 Not the future


# 7.2 Not the padding


def padding_in_front(lengths, n_k):
    positions = np.arange(n_k)
    is_real = positions >= n_k - lengths[:, None]  # (batch, n_k)
    return is_real[:, None, :]


def marks_the_padding_one_too_late(lengths, n_k):
    mask = np.zeros((len(lengths), 1, n_k), dtype=bool)
    for i, length in enumerate(lengths):
        mask[i, 0, length + 1 :] = True
    return mask


# 7.3 Packed texts


def texts_of_equal_length_run_together(lengths):
    texts = lengths.repeat(lengths)
    return (texts[:, None] == texts) & causal_mask(len(texts))


def earlier_texts_are_seen(lengths):
    texts = np.repeat(range(len(lengths)), lengths)
    return (texts[:, None] >= texts) & causal_mask(len(texts))


def whole_own_text_and_lengths_of_the_first(lengths):
    texts = np.arange(len(lengths)).repeat(lengths[0])
    return texts[:, None] == texts


# 7.4 Softmax with a mask


def minus_a_billion(scores, mask):
    visible = np.where(mask, scores, -1e9)
    largest = visible.max(axis=-1, keepdims=True)
    powers = np.exp(visible - largest)
    return powers / powers.sum(axis=-1, keepdims=True)


def largest_of_hidden_scores_too(scores, mask):
    visible = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(visible - largest)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def masked_at_the_end_and_nothing_subtracted(scores, mask):
    e = np.exp(scores)
    shares = e / e.sum(axis=-1, keepdims=True)
    return shares * mask


def hidden_scores_zero_and_columns_summed(scores, mask):
    visible = scores * mask
    largest = np.max(visible, axis=-1, keepdims=True)
    powers = np.exp(visible - largest)
    return powers / np.sum(powers, axis=0, keepdims=True)


# 7.5 Attention with a mask, from scratch


def mask_without_head_axis(Q, K, V, mask):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    full_mask = np.broadcast_to(mask, scores.shape)
    return softmax(scores, mask=full_mask) @ V


def scaled_by_number_of_keys(Q, K, V, mask):
    n_k = K.shape[2]
    scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(n_k)
    weights = softmax(scores, mask=mask[:, None])
    return weights @ V


def head_axis_after_queries_and_no_root(Q, K, V, mask):
    d_k = Q.shape[-1]
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / d_k
    weights = softmax(scores, mask=mask[:, :, None])
    return np.matmul(weights, V)


def true_hides_and_scaled_after_softmax(Q, K, V, mask):
    scores = np.einsum("bhqd,bhkd->bhqk", Q, K)
    weights = softmax(scores, mask=~mask[:, None]) / np.sqrt(Q.shape[-1])
    return np.einsum("bhqk,bhkd->bhqd", weights, V)


def keys_reshaped_and_masked_after_softmax(Q, K, V, mask):
    batch, h, n_k, d_k = K.shape
    scores = Q @ K.reshape(batch, h, d_k, n_k) / np.sqrt(d_k)
    weights = softmax(scores) * mask[:, None]
    return weights @ V


# 8.1 The residual connection


def normalised_as_well(x, attend):
    return layer_norm(x + attend(x))


# 8.2 Layer norm of one row


def divided_by_one_less(row, eps):
    centred = row - row.mean()
    variance = (centred**2).sum() / (len(row) - 1)
    return centred / np.sqrt(variance + eps)


def not_centred_and_eps_outside(row, eps):
    mean = sum(row) / len(row)
    variance = sum((entry - mean) ** 2 for entry in row) / len(row)
    return row / (variance**0.5 + eps)


# 8.3 Layer norm


def bias_before_gain(x, gain, bias, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    normalised = (x - mean) / np.sqrt(variance + eps)
    return gain * (normalised + bias)


def mean_square_for_variance(x, gain, bias, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = (x**2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps) * gain + bias


def over_the_tokens_and_no_root(x, gain, bias, eps):
    mean = np.mean(x, axis=-2, keepdims=True)
    variance = np.var(x, axis=-2, keepdims=True)
    return gain * (x - mean) / (variance + eps) + bias


def mean_of_everything_and_no_eps(x, gain, bias, eps):
    mean = x.mean()
    std = x.std(axis=-1, keepdims=True)
    return (x - mean) / std * gain + bias


# 8.4 Post-norm and pre-norm


def pre_adds_the_normalised_rows(x, attend):
    post = layer_norm(x + attend(x))
    x = layer_norm(x)
    pre = x + attend(x)
    return post, pre


def post_without_sum_and_pre_norms_the_result(x, attend):
    attended = attend(x)
    post = layer_norm(attended)
    pre = x + layer_norm(attended)
    return post, pre


# 8.5 Dropout


def divided_by_the_rate(weights, kept, rate):
    return np.where(kept, weights / rate, 0)


def kept_ones_dropped_and_the_rest_shrunk(weights, kept, rate):
    result = weights.copy()
    result[kept] = 0
    return result * (1 - rate)


# 9.1 Count the parameters


# 9.2 The whole row for every head


def stack_of_weights_meets_the_batch(X, W, num_heads):
    return X @ split_heads(W, num_heads)


def transposed_weights_and_tokens_first(X, W, num_heads):
    wide = X @ W.T
    return wide.reshape(*wide.shape[:-1], num_heads, wide.shape[-1] // num_heads)


# 9.3 Weights of the right size


def columns_counted(draws):
    d_in = draws.shape[1]
    centred = draws - 0.5
    factor = np.sqrt(12 / d_in)
    return centred * factor


def own_mean_and_factor_of_he(draws):
    d_in = len(draws)
    centred = draws - draws.mean()
    factor = np.sqrt(12 * 2 / d_in)
    return centred * factor


# 9.5 Queries take turns


def both_turns_averaged(output_1, sums_1, output_2, sums_2):
    return (output_1 + output_2) / 2


def scaled_by_the_width_and_masked_at_the_end(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]
    real = np.arange(K.shape[-2]) < lengths[:, None]
    return (softmax(scores) * real[:, None, :]) @ V


def new_rows_as_in_a_text_from_its_beginning(n_q, n_k):
    return causal_mask(n_q, n_k)


def new_rows_of_the_new_tokens_alone(n_q, n_k):
    return causal_mask(n_q)


def new_rows_and_all_the_others(n_q, n_k):
    return np.tril(np.ones((n_k, n_k), dtype=bool))


def new_rows_begin_one_too_early(n_q, n_k):
    return np.tri(n_q, n_k, n_k - n_q - 1, dtype=bool)


def new_rows_with_the_diagonal_of_the_wrong_sign(n_q, n_k):
    return np.tri(n_q, n_k, n_q - n_k, dtype=bool)


def new_rows_hide_what_may_be_seen(n_q, n_k):
    return np.arange(n_k)[None, :] > (np.arange(n_q) + n_k - n_q)[:, None]


def new_rows_from_the_beginning_without_themselves(n_q, n_k):
    return np.arange(n_k) < np.arange(n_q)[:, None]


INVENTED = (
    # exercise name, function, the slips in plain words (one string each: one slip or two)
    (
        "what_a_head_does.scores",
        scores_that_the_context_asks_for_unscaled,
        ("the rows of M are given to the context, as if it asked", "the division by the scale is left out"),
    ),
    (
        "what_a_head_does.turned",
        turned_by_the_matrix_itself,
        ("A is not inverted", "A is not turned over either"),
    ),
    (
        "what_a_head_does.parts",
        parts_that_grow_head_by_head,
        ("the sum so far is kept in place of each head's own part",),
    ),
    (
        "heads.split",
        columns_dealt_out_in_turn,
        ("head and width are exchanged in the reshape, so the columns are dealt out to the heads in turn",),
    ),
    (
        "heads.split",
        axes_exchanged_from_the_front,
        (),
    ),
    (
        "heads.split",
        num_heads_as_width_and_no_exchange,
        ("the number of heads is taken as the width of a head", "tokens and heads are not exchanged"),
    ),
    (
        "heads.merge",
        loop_over_the_first_axis,
        (),
    ),
    (
        "heads.merge",
        from_head_two_on_and_below_one_another,
        ("the loop starts at 1, so the first head is missing", "the heads are joined along the tokens"),
    ),
    (
        "heads.multi_head",
        context_never_handed_on,
        ("the context is not used: keys and values come from X",),
    ),
    (
        "heads.multi_head",
        scaled_by_the_wide_query,
        ("the scale is the root of the wide query's width, not of one head's",),
    ),
    (
        "heads.multi_head",
        heads_averaged_after_output_matrix,
        ("what the heads give through their rows of W_O is averaged, not summed",),
    ),
    (
        "heads.multi_head",
        no_root_and_merged_by_reshape,
        ("the scores are divided by d_k, not by its root", "the heads are merged by reshape alone"),
    ),
    (
        "heads.multi_head",
        softmax_over_queries_and_no_output_matrix,
        ("the softmax runs over the queries", "W_O is forgotten"),
    ),
    (
        "heads.multi_head",
        keys_of_head_one_and_root_of_d_model,
        ("all heads use the keys of head 1", "the scale is the root of d_model, not of d_k"),
    ),
    (
        "heads.multi_head",
        context_asks_and_columns_alternate,
        ("X and context have changed places", "at the merge the columns of the heads alternate"),
    ),
    (
        "heads.multi_head",
        unscaled_and_input_added,
        ("the scale is missing", "X is added at the end, a residual connection that nobody asked for"),
    ),
    (
        "masks.padding",
        padding_in_front,
        ("the real tokens are put at the end, as if the padding stood in front",),
    ),
    (
        "masks.padding",
        marks_the_padding_one_too_late,
        ("True marks the padding, not the real tokens", "the border is one position too late"),
    ),
    (
        "masks.packed",
        texts_of_equal_length_run_together,
        ("each text is called by its length, so two of one length are one text",),
    ),
    (
        "masks.packed",
        earlier_texts_are_seen,
        (">= instead of ==: a text sees those before it, and the causal mask is all that is left",),
    ),
    (
        "masks.packed",
        whole_own_text_and_lengths_of_the_first,
        ("no causal mask: each token sees its whole text", "all texts are as long as the first"),
    ),
    (
        "masks.softmax",
        minus_a_billion,
        ("-1e9 instead of minus infinity, so a row that may see nothing gets equal shares",),
    ),
    (
        "masks.softmax",
        largest_of_hidden_scores_too,
        ("the largest is taken over the hidden scores too",),
    ),
    (
        "masks.softmax",
        masked_at_the_end_and_nothing_subtracted,
        ("the mask comes after the softmax", "the largest is not subtracted, so large scores overflow"),
    ),
    (
        "masks.softmax",
        hidden_scores_zero_and_columns_summed,
        (
            "the mask is multiplied into the scores, so hidden scores are 0",
            "the sum runs over axis 0, not over the keys",
        ),
    ),
    (
        "masks.attention",
        mask_without_head_axis,
        ("the mask gets no axis for the heads, so its batch meets them",),
    ),
    (
        "masks.attention",
        scaled_by_number_of_keys,
        ("the scale is the root of the number of keys, not of d_k",),
    ),
    (
        "masks.attention",
        head_axis_after_queries_and_no_root,
        ("the mask's new axis stands after the queries instead of before them", "divided by d_k, not by its root"),
    ),
    (
        "masks.attention",
        true_hides_and_scaled_after_softmax,
        ("the mask is inverted", "the scale comes after the softmax"),
    ),
    (
        "masks.attention",
        keys_reshaped_and_masked_after_softmax,
        ("the keys are reshaped instead of transposed", "the mask comes after the softmax"),
    ),
    (
        "residual_and_norm.residual",
        normalised_as_well,
        ("a layer norm too many after the sum",),
    ),
    (
        "residual_and_norm.row",
        divided_by_one_less,
        ("the squares are divided by one less than their number",),
    ),
    (
        "residual_and_norm.row",
        not_centred_and_eps_outside,
        ("the mean is not subtracted from what is divided", "eps is added to the root, not under it"),
    ),
    (
        "residual_and_norm.layer_norm",
        bias_before_gain,
        ("the bias is added before the gain multiplies",),
    ),
    (
        "residual_and_norm.layer_norm",
        mean_square_for_variance,
        ("the mean square of the entries stands for the variance, without subtracting the mean",),
    ),
    (
        "residual_and_norm.layer_norm",
        over_the_tokens_and_no_root,
        ("mean and variance run over the tokens", "divided by the variance, not by its root"),
    ),
    (
        "residual_and_norm.layer_norm",
        mean_of_everything_and_no_eps,
        ("the mean is that of the whole array, not of each row", "eps is forgotten"),
    ),
    (
        "residual_and_norm.both",
        pre_adds_the_normalised_rows,
        ("in pre-norm attention is added to the normalised rows, not to x",),
    ),
    (
        "residual_and_norm.both",
        post_without_sum_and_pre_norms_the_result,
        ("post-norm lacks the sum with x", "pre-norm normalises what attention gives, not what it reads"),
    ),
    (
        "residual_and_norm.dropout",
        divided_by_the_rate,
        ("divided by the rate instead of 1 - rate",),
    ),
    (
        "residual_and_norm.dropout",
        kept_ones_dropped_and_the_rest_shrunk,
        ("the kept weights are set to 0 instead of the others", "multiplied by 1 - rate instead of divided"),
    ),
    (
        "five_treatments.whole_row",
        stack_of_weights_meets_the_batch,
        ("X gets no axis for the heads, so its batch meets the heads of W",),
    ),
    (
        "five_treatments.whole_row",
        transposed_weights_and_tokens_first,
        ("W is transposed, as in a linear layer of PyTorch", "tokens and heads are not exchanged"),
    ),
    (
        "five_treatments.weights",
        columns_counted,
        ("the number of columns is taken instead of the number of rows",),
    ),
    (
        "five_treatments.weights",
        own_mean_and_factor_of_he,
        ("the mean of these draws is subtracted instead of 0.5", "the variance becomes 2 / d_in instead of 1 / d_in"),
    ),
    (
        "find_the_bug.keys_in_turns",
        both_turns_averaged,
        ("both turns count the same, whatever their sums of powers are",),
    ),
    (
        "find_the_bug.two_lines",
        scaled_by_the_width_and_masked_at_the_end,
        ("the scores are divided by the width, not by its root", "the hidden weights are set to 0 after the softmax"),
    ),
    (
        "masks.goes_on",
        new_rows_as_in_a_text_from_its_beginning,
        ("the new tokens are counted from 0",),
    ),
    (
        "masks.goes_on",
        new_rows_of_the_new_tokens_alone,
        ("only the new tokens are keys",),
    ),
    (
        "masks.goes_on",
        new_rows_and_all_the_others,
        ("all tokens of the text ask",),
    ),
    (
        "masks.goes_on",
        new_rows_begin_one_too_early,
        ("the diagonal lies one too low: no token sees itself",),
    ),
    (
        "masks.goes_on",
        new_rows_with_the_diagonal_of_the_wrong_sign,
        ("the diagonal is n_q - n_k instead of n_k - n_q",),
    ),
    (
        "masks.goes_on",
        new_rows_hide_what_may_be_seen,
        ("True means hidden",),
    ),
    (
        "masks.goes_on",
        new_rows_from_the_beginning_without_themselves,
        ("the new tokens are counted from 0", "< instead of <="),
    ),
)

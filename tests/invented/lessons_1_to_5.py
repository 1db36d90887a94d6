"""Wrong answers that were invented without a look at what the checks know."""

import numpy as np

from mha_course import attention, positional_encoding, project, scaled_scores, softmax


def positions_added_to_embeddings_times_root(embedded):
    n, d_model = embedded.shape[-2:]
    return embedded * np.sqrt(d_model) + positional_encoding(n, d_model)


def positions_from_one_set_beside(embedded):
    n, d_model = embedded.shape[-2:]
    rows = positional_encoding(n + 1, d_model)[1:]
    return np.concatenate([embedded, np.broadcast_to(rows, embedded.shape)], axis=-1)


def positions_run_on_and_sentences_stay_glued(embedded):
    d_model = embedded.shape[-1]
    flat = embedded.reshape(-1, d_model)
    return flat + positional_encoding(len(flat), d_model)


def angles_exponent_over_number_of_pairs(positions, d_model):
    pairs = np.arange(d_model // 2)
    return positions[:, None] / 10000 ** (2 * pairs / len(pairs))


def angles_without_two_and_pairs_from_one(positions, d_model):
    pairs = np.arange(1, d_model // 2 + 1)
    return np.array([[pos / np.power(10000, i / d_model) for i in pairs] for pos in positions])


def angles_multiplied_and_turned_over(positions, d_model):
    pairs = np.arange(d_model // 2)
    return np.outer(10000 ** (2 * pairs / d_model), positions)


def encoding_in_two_halves(positions, d_model):
    rates = 1 / np.power(10000, np.arange(0, d_model, 2) / d_model)
    angles = positions[:, np.newaxis] * rates[np.newaxis, :]
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


def encoding_of_row_numbers(positions, d_model):
    table = np.zeros((len(positions), d_model))
    for row in range(len(positions)):
        for pair in range(d_model // 2):
            angle = row / 10000 ** (2 * pair / d_model)
            table[row, 2 * pair] = np.sin(angle)
            table[row, 2 * pair + 1] = np.cos(angle)
    return table


def encoding_in_two_halves_cosine_first(positions, d_model):
    half = d_model // 2
    freqs = np.exp(-np.log(10000) * np.arange(half) / half)
    args = positions[:, None] * freqs[None]
    return np.hstack((np.cos(args), np.sin(args)))


def encoding_doubles_columns_and_cosine_has_own_angle(positions, d_model):
    pe = np.zeros((len(positions), d_model))
    for row, pos in enumerate(positions):
        for i in range(0, d_model, 2):
            pe[row, i] = np.sin(pos / (10000 ** ((2 * i) / d_model)))
            pe[row, i + 1] = np.cos(pos / (10000 ** ((2 * (i + 1)) / d_model)))
    return pe


def encoding_without_minus_and_with_log10(positions, d_model):
    div_term = np.exp(np.arange(0, d_model, 2) * (np.log10(10000.0) / d_model))
    pe = np.zeros((len(positions), d_model))
    pe[:, 0::2] = np.sin(positions[:, None] * div_term)
    pe[:, 1::2] = np.cos(positions[:, None] * div_term)
    return pe


def questions_in_rows_of_what_is_wanted(has, wants, d_model):
    W_Q = np.zeros((d_model, d_model))
    for owner, wish in zip(has, wants, strict=True):
        W_Q[wish, owner] = 1
    return W_Q


def qkv_values_from_x(X, context, W_Q, W_K, W_V):
    Q = project(X, W_Q)
    K = project(context, W_K)
    V = project(X, W_V)
    return Q, K, V


def qkv_keys_from_x_and_turned_over(X, context, W_Q, W_K, W_V):
    queries = X @ W_Q
    keys = X @ W_K
    values = context @ W_V
    return queries, keys.T, values


def fused_takes_every_third_column(X, W):
    wide = X @ W
    return wide[:, 0::3], wide[:, 1::3], wide[:, 2::3]


def fused_reshapes_and_returns_values_second(X, W):
    n, d_k = len(X), W.shape[1] // 3
    Q, K, V = (X @ W).reshape(3, n, d_k)
    return Q, V, K


def scaled_divides_both_sides_by_root(Q, K):
    root = np.sqrt(Q.shape[-1])
    return (Q / root) @ (K / root).T


def scaled_multiplies_by_root_of_query_count(Q, K):
    d_k = len(Q)
    return np.matmul(Q, K.T) * np.sqrt(d_k)


def scaled_turned_over_and_power_without_brackets(Q, K):
    d_k = Q.shape[-1]
    return K @ Q.T / d_k**1 / 2


def batch_every_sentence_meets_all(Q, K):
    d_k = Q.shape[-1]
    return np.dot(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k)


def batch_keys_down_and_unscaled(Q, K):
    return np.einsum("...qd,...kd->...kq", Q, K)


def batch_loops_one_axis_and_root_of_key_count(Q, K):
    scores = []
    for queries, keys in zip(Q, K):
        scores.append(queries @ keys.T / np.sqrt(len(keys)))
    return np.array(scores)


def keys_for_the_scores_as_they_are(Q, scores):
    return (np.linalg.inv(Q) @ scores).T


def keys_left_standing_with_the_whole_width(Q, scores):
    d_k = Q.shape[1]
    return np.linalg.solve(Q, d_k * scores)


def keys_by_the_transpose_and_a_second_division(Q, scores):
    return (Q.T @ (scores / np.sqrt(len(Q)))).T


def strongest_along_axis_one(weights):
    return np.argmax(weights, axis=1)


def strongest_share_of_each_key(weights):
    return weights.max(axis=-2)


def ratio_by_the_other_logarithm(scores, ratio):
    smaller, larger = sorted(scores)
    return (larger - smaller) / np.log10(ratio)


def ratio_of_quotients_the_wrong_way_up(scores, ratio):
    smaller, larger = sorted(scores)
    return np.log(ratio) / (larger / smaller)


def general_temperature_divides_powers(scores, temperature):
    shifted = scores - np.max(scores, axis=-1, keepdims=True)
    powers = np.exp(shifted) / temperature
    return powers / np.sum(powers, axis=-1, keepdims=True)


def general_subtracts_largest_before_cooling(scores, temperature):
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores / temperature - largest)
    return powers / powers.sum(axis=-1, keepdims=True)


def general_multiplies_and_shifts_nothing(scores, temperature):
    powers = np.exp(scores * temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


def general_first_axis_and_cools_shares(scores, temperature):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    shares = e / e.sum(axis=0, keepdims=True)
    return shares / temperature


def new_key_as_a_share_of_the_others(row, share):
    total = sum(np.exp(score) for score in row)
    return np.log(share * total)


def new_key_with_the_sum_on_the_wrong_side(row, share):
    return np.log(share / (1 - share)) - np.log(np.exp(row).sum())


def new_key_from_the_mean_power_by_log2(row, share):
    power = np.exp(row).mean() * share / (1 - share)
    return np.log2(power)


def missing_value_takes_a_mean_of_the_known(shares, known, output):
    rest = shares[:-1] / shares[:-1].sum()
    return (output - rest @ known) / shares[-1]


def missing_value_stops_at_the_contribution(shares, known, output):
    for share, value in zip(shares[:-1], known, strict=True):
        output = output - share * value
    return output


def missing_value_adds_and_multiplies(shares, known, output):
    taken = (shares[:-1, None] * known).sum(axis=0)
    return shares[-1] * (output + taken)


def head_context_asks(X, context, W_Q, W_K, W_V):
    Q, K, V = context @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / np.sqrt(W_Q.shape[-1])
    return softmax(scores) @ V


def head_mixes_context_itself(X, context, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = context @ W_K
    weights = softmax(scaled_scores(Q, K))
    return weights @ context


def head_ignores_context_and_scale_is_inverse(X, context, W_Q, W_K, W_V):
    d_k = W_Q.shape[-1]
    return attention(X @ W_Q, X @ W_K, X @ W_V, scale=1 / np.sqrt(d_k)).output


def head_swaps_query_and_key_weights_with_root_of_d_model(X, context, W_Q, W_K, W_V):
    queries = project(X, W_K)
    keys = project(context, W_Q)
    values = project(context, W_V)
    scores = queries @ keys.transpose() / np.sqrt(X.shape[1])
    return softmax(scores) @ values


def ids_by_the_first_entry(rows, embeddings):
    return np.array([embeddings[:, 0].tolist().index(row[0]) for row in rows])


def ids_with_any(rows, embeddings):
    return np.array([(embeddings == row).any(axis=1).argmax() for row in rows])


def ids_by_the_largest_product(rows, embeddings):
    return (embeddings @ rows.T).argmax(axis=0)


def ids_counted_from_one(rows, embeddings):
    return np.array([i for row in rows for i, each in enumerate(embeddings, 1) if (each == row).all()])


def ids_of_a_table_that_asks(rows, embeddings):
    return (embeddings[:, None] == rows).all(axis=-1).argmax(axis=1)


def ids_from_the_first_array_of_nonzero(rows, embeddings):
    return np.nonzero((rows[:, None] == embeddings).all(axis=-1))[0]


def ids_by_equal_sums_and_counted_from_one(rows, embeddings):
    sums = embeddings.sum(axis=1).tolist()
    return np.array([sums.index(row.sum()) + 1 for row in rows])


def score_is_cosine(query, key):
    products = query * key
    return products.sum() / (np.linalg.norm(query) * np.linalg.norm(key))


INVENTED = (
    (
        "scaled_scores.dot",
        score_is_cosine,
        ("the dot product is divided by the lengths of both rows",),
    ),
    (
        "inputs.add_positions",
        positions_added_to_embeddings_times_root,
        ("the embeddings are multiplied by the root of d_model",),
    ),
    (
        "inputs.add_positions",
        positions_from_one_set_beside,
        ("positions are counted from 1", "the encoding stands beside the embedding instead of being added"),
    ),
    (
        "inputs.add_positions",
        positions_run_on_and_sentences_stay_glued,
        ("positions run on from one sentence to the next", "the result has lost the axis of the sentences"),
    ),
    (
        "inputs.angles",
        angles_exponent_over_number_of_pairs,
        ("the exponent is divided by the number of pairs instead of d_model",),
    ),
    (
        "inputs.angles",
        angles_without_two_and_pairs_from_one,
        ("the 2 in the exponent is missing", "pairs are counted from 1"),
    ),
    (
        "inputs.angles",
        angles_multiplied_and_turned_over,
        ("positions are multiplied by the power instead of divided", "the table is turned over: positions go across"),
    ),
    (
        "inputs.encoding",
        encoding_in_two_halves,
        ("all sines stand first, then all cosines, instead of in turns",),
    ),
    (
        "inputs.encoding",
        encoding_of_row_numbers,
        ("rows are counted 0, 1, 2, … and the positions themselves are ignored",),
    ),
    (
        "inputs.encoding",
        encoding_in_two_halves_cosine_first,
        ("sine and cosine are swapped", "they stand in two halves instead of in turns"),
    ),
    (
        "inputs.encoding",
        encoding_doubles_columns_and_cosine_has_own_angle,
        (
            "the exponent is doubled: the column number, 2i already, is multiplied by 2 again",
            "the cosine's angle is made from its own column number, not from the pair",
        ),
    ),
    (
        "inputs.encoding",
        encoding_without_minus_and_with_log10,
        (
            "the minus in the exponent is missing, so the angles are multiplied instead of divided",
            "the logarithm to base 10 stands in place of the natural one",
        ),
    ),
    (
        "queries_keys_values.questions",
        questions_in_rows_of_what_is_wanted,
        ("what is wanted chooses the row, what a token has the column",),
    ),
    (
        "queries_keys_values.qkv",
        qkv_values_from_x,
        ("the values come from X instead of the context",),
    ),
    (
        "queries_keys_values.qkv",
        qkv_keys_from_x_and_turned_over,
        ("the keys come from X instead of the context", "the keys are turned over"),
    ),
    (
        "queries_keys_values.fused",
        fused_takes_every_third_column,
        ("every third column is taken instead of blocks of columns",),
    ),
    (
        "queries_keys_values.fused",
        fused_reshapes_and_returns_values_second,
        (
            "the wide product is cut by a reshape into (3, n, d_k), which mixes the tokens",
            "the order is Q, V, K",
        ),
    ),
    (
        "scaled_scores.scaled",
        scaled_divides_both_sides_by_root,
        ("queries and keys are both divided by the root, so it is divided out twice",),
    ),
    (
        "scaled_scores.scaled",
        scaled_multiplies_by_root_of_query_count,
        ("the products are multiplied by the root instead of divided", "the number of queries is taken for d_k"),
    ),
    (
        "scaled_scores.scaled",
        scaled_turned_over_and_power_without_brackets,
        (
            "the table is turned over: keys go down",
            "the power 1 / 2 has no brackets, so the products are divided by d_k and by 2",
        ),
    ),
    (
        "scaled_scores.batch",
        batch_every_sentence_meets_all,
        ("np.dot lets every sentence's queries meet all sentences' keys",),
    ),
    (
        "scaled_scores.batch",
        batch_keys_down_and_unscaled,
        ("each table is turned over: keys go down", "the scale is missing"),
    ),
    (
        "scaled_scores.batch",
        batch_loops_one_axis_and_root_of_key_count,
        (
            "exactly one axis in front is expected, not none and not several",
            "the root is that of the number of keys instead of d_k",
        ),
    ),
    (
        "scaled_scores.keys",
        keys_for_the_scores_as_they_are,
        ("the scores are taken for the products: nothing undoes the division by the root",),
    ),
    (
        "scaled_scores.keys",
        keys_left_standing_with_the_whole_width,
        ("the keys come out as columns", "the factor is d_k instead of its root"),
    ),
    (
        "scaled_scores.keys",
        keys_by_the_transpose_and_a_second_division,
        ("the transpose of Q is taken for its inverse", "it is divided by the root once more instead of multiplied"),
    ),
    (
        "softmax.strongest",
        strongest_along_axis_one,
        ("the axis is 1 instead of the last, which is another one where there are heads",),
    ),
    (
        "softmax.strongest",
        strongest_share_of_each_key,
        ("the largest share is given instead of its place", "it looks down the columns instead of along the rows"),
    ),
    (
        "softmax.ratio",
        ratio_by_the_other_logarithm,
        ("the logarithm of base 10 is taken",),
    ),
    (
        "softmax.ratio",
        ratio_of_quotients_the_wrong_way_up,
        (
            "the scores are divided instead of subtracted",
            "the fraction is upside down",
        ),
    ),
    (
        "softmax.general",
        general_temperature_divides_powers,
        ("the temperature divides the powers instead of the scores, and so cancels out",),
    ),
    (
        "softmax.general",
        general_subtracts_largest_before_cooling,
        ("the largest score is taken away undivided by the temperature",),
    ),
    (
        "softmax.general",
        general_multiplies_and_shifts_nothing,
        ("the scores are multiplied by the temperature instead of divided", "the largest score is not taken away"),
    ),
    (
        "softmax.general",
        general_first_axis_and_cools_shares,
        (
            "the softmax runs along the first axis instead of the last",
            "the temperature divides the shares at the end instead of the scores",
        ),
    ),
    (
        "softmax.new_key",
        new_key_as_a_share_of_the_others,
        ("the share is taken of the other keys alone",),
    ),
    (
        "softmax.new_key",
        new_key_with_the_sum_on_the_wrong_side,
        ("the logarithm of the sum is subtracted instead of added",),
    ),
    (
        "softmax.new_key",
        new_key_from_the_mean_power_by_log2,
        (
            "the mean of the powers is taken for their sum",
            "the logarithm has base 2",
        ),
    ),
    (
        "weighted_sums.missing_value",
        missing_value_takes_a_mean_of_the_known,
        ("the known shares are divided by their sum",),
    ),
    (
        "weighted_sums.missing_value",
        missing_value_stops_at_the_contribution,
        ("the last contribution is returned undivided by its share",),
    ),
    (
        "weighted_sums.missing_value",
        missing_value_adds_and_multiplies,
        (
            "the known contributions are added instead of taken away",
            "it multiplies by the last share instead of dividing",
        ),
    ),
    (
        "weighted_sums.from_inputs",
        head_context_asks,
        ("X and the context are swapped: the context asks, X answers",),
    ),
    (
        "weighted_sums.from_inputs",
        head_mixes_context_itself,
        ("the context's rows are mixed instead of the values: W_V is not used",),
    ),
    (
        "weighted_sums.from_inputs",
        head_ignores_context_and_scale_is_inverse,
        (
            "the context is ignored: keys and values come from X",
            "the scale is given as 1 / √d_k to a function that divides by it",
        ),
    ),
    (
        "weighted_sums.from_inputs",
        head_swaps_query_and_key_weights_with_root_of_d_model,
        ("W_Q and W_K are swapped", "the root is that of X's width instead of the queries'"),
    ),
    (
        "inputs.ids",
        ids_by_the_first_entry,
        ("only the first column is compared",),
    ),
    (
        "inputs.ids",
        ids_with_any,
        ("one equal entry is enough",),
    ),
    (
        "inputs.ids",
        ids_by_the_largest_product,
        ("the row with the largest product is taken for the equal one",),
    ),
    (
        "inputs.ids",
        ids_counted_from_one,
        ("the ids are counted from 1",),
    ),
    (
        "inputs.ids",
        ids_of_a_table_that_asks,
        ("says for each row of the table where it stands in the sentence",),
    ),
    (
        "inputs.ids",
        ids_from_the_first_array_of_nonzero,
        ("the tokens are counted, the first array of nonzero",),
    ),
    (
        "inputs.ids",
        ids_by_equal_sums_and_counted_from_one,
        ("the sums of the rows are compared", "the ids are counted from 1"),
    ),
)

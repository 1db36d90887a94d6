"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.maths.formulas import attention
from mha_course.mistakes.cases import queries_and_keys


def draw_wide(sample, num_heads, widths, tokens=(5, 7)):
    """Draw wide rows, and the number of heads that they hold. widths, tokens: what a head's and theirs may be."""
    n, width = sample.generator.choice(tokens), sample.generator.choice(widths)
    return (*sample((int(n), num_heads * int(width))), num_heads)


def draw_tokens(sample, n, d_model, d_v):
    """Draw tokens whose rows have a single 1, each in another column, and their values."""
    columns = sample.generator.permutation(d_model)[:n]
    if n == d_model and (columns[columns] == np.arange(n)).all():
        columns = np.roll(np.arange(n), 1)  # no matrix of an exercise is its own transpose
    return np.eye(d_model)[columns], *sample((n, d_v))


def heads_of_a_token(X, context, W_Q, W_K, W_V, W_O, num_heads):
    """Leave the heads behind the tokens, so that the heads of each token attend to each other."""
    Q, K, V = (rows.reshape(*rows.shape[:-1], num_heads, -1) for rows in (X @ W_Q, context @ W_K, context @ W_V))
    return attention(Q, K, V).reshape(*X.shape[:-1], -1) @ W_O


def draw_inputs(sample, n_q, n_k, d_model, d_k, d_v, num_heads, batch=()):
    """Draw inputs and parameters whose softmax does not saturate."""
    inputs = (*batch, n_q, d_model), (*batch, n_k, d_model)
    all_queries, all_values = (d_model, num_heads * d_k), (d_model, num_heads * d_v)
    X, context, *parameters = sample(*inputs, all_queries, all_queries, all_values, all_values[::-1])
    return (X, context, *(W / 2 for W in parameters), num_heads)


def with_scores(scores, sample):
    """Draw inputs of 2 heads: the scores of the first are these, of the second half as large. The values stay small."""
    X, context = queries_and_keys(scores)
    one = np.eye(len(X))
    W_Q, W_K = np.hstack([one, one]), np.hstack([one, one / 2])
    W_V, W_O = sample((len(X), 4), (4, len(X)))
    return X, context, W_Q, W_K, W_V / np.abs(context).max(), W_O, 2

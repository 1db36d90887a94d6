"""The course's examples: each mistake that the lessons talk about shows on the one that was made to show it."""

import numpy as np
import pytest

from mha_course import article, attention, merge_heads, multi_head_attention, project, softmax, translation, two_heads

X, context = translation.X, translation.context
W_Q, W_K, W_V = translation.W_Q[0], translation.W_K[0], translation.W_V[0]
Q, K, V = X @ W_Q, context @ W_K, context @ W_V
right = attention(Q, K, V)
exponentials = np.exp(right.scores)
h, d_model, d_k = translation.W_Q.shape
wide = [merge_heads(W) for W in (translation.W_Q, translation.W_K, translation.W_V)]
full = multi_head_attention(X, *wide, translation.W_O, num_heads=h, context=context)
mask = np.tile([True, True, True, True, False], (4, 1))
masked = attention(Q, K, V, mask)
over_queries = np.tile([[True], [True], [True], [False]], (1, 5))


def heads_split_by_reshape():
    split = [(rows @ W).reshape(h, len(rows), -1) for rows, W in zip((X, context, context), wide, strict=True)]
    return merge_heads(attention(*split).output) @ translation.W_O


def own_weights_forgotten():
    return np.concatenate([right.output] * h, axis=-1) @ translation.W_O


MISTAKES = {
    "scale forgotten": (lambda: Q @ K.T, right.scores),
    "divided by d_k": (lambda: Q @ K.T / d_k, right.scores),
    "d_k ** 1 / 2": (lambda: Q @ K.T / (d_k**1 / 2), right.scores),
    "divided by the root of d_model": (lambda: Q @ K.T / np.sqrt(d_model), right.scores),
    "divided by the root of n": (lambda: Q @ K.T / np.sqrt(len(K)), right.scores),
    "queries and keys swapped": (lambda: K @ Q.T / np.sqrt(d_k), right.scores),
    "projections of queries and keys swapped": (lambda: (X @ W_K) @ (context @ W_Q).T / np.sqrt(d_k), right.scores),
    "softmax over queries": (lambda: exponentials / exponentials.sum(axis=0), right.weights),
    "softmax over everything": (lambda: exponentials / exponentials.sum(), right.weights),
    "softmax without normalising": (lambda: exponentials, right.weights),
    "softmax twice": (lambda: softmax(right.weights), right.weights),
    "weights @ K": (lambda: right.weights @ K, right.output),
    "scores @ V": (lambda: right.scores @ V, right.output),
    "heads split by reshape alone": (heads_split_by_reshape, full.output),
    "heads merged by reshape alone": (lambda: full.heads.reshape(len(X), -1) @ translation.W_O, full.output),
    "heads in the wrong order": (lambda: merge_heads(full.heads[::-1]) @ translation.W_O, full.output),
    "one head's weights for all": (own_weights_forgotten, full.output),
    "W_O forgotten": (lambda: full.concatenation, full.output),
    "mask after the softmax": (lambda: right.weights * mask, masked.weights),
    "mask multiplied into the scores": (lambda: softmax(right.scores * mask), masked.weights),
    "mask with the opposite meaning of True": (lambda: attention(Q, K, V, ~mask).weights, masked.weights),
    "mask over the queries": (lambda: attention(Q, K, V, over_queries).weights, masked.weights),
}


@pytest.mark.parametrize(("mistake", "result"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_shows_on_the_translation_example(mistake, result):
    wrong = mistake()
    assert wrong.shape != result.shape or np.abs(wrong - result).max() > 0.05


@pytest.mark.parametrize(
    "mistake", [lambda: X @ W_Q.T, lambda: Q @ K, lambda: right.weights.T @ V, lambda: right.weights @ Q]
)
def test_a_wrong_shape_raises_on_the_translation_example(mistake):
    with pytest.raises(ValueError, match="mismatch"):
        mistake()


def test_the_translation_example_is_divided_by_the_root_of_the_width_of_its_queries():
    np.testing.assert_allclose(right.scores, Q @ K.T / 3**0.5)


def test_the_translation_example_has_no_two_sizes_alike_and_no_square_weights():
    sizes = [len(X), len(context), d_model, d_k, V.shape[-1], h]
    assert len(set(sizes)) == 6
    for W in (W_Q, W_K, W_V, *wide, translation.W_O):
        assert W.shape[0] != W.shape[1]
    assert full.weights.max() < 0.8


def test_the_articles_example_hides_what_the_lessons_say_it_hides():
    Q, K = project(article.X, article.W_Q), project(article.X, article.W_K)
    assert (K @ Q.T == Q @ K.T).all()
    assert (Q @ K).shape == (Q @ K.T).shape
    assert Q.shape[0] == Q.shape[1]
    divided_by_the_root_of_n = softmax(Q @ K.T / np.sqrt(len(K)))
    np.testing.assert_array_equal(divided_by_the_root_of_n, attention(Q, K, K).weights)


def test_the_two_heads_look_different_ways():
    wide = [merge_heads(W) for W in (two_heads.W_Q, two_heads.W_K, two_heads.W_V)]
    weights = multi_head_attention(two_heads.X, *wide, two_heads.W_O, num_heads=2).weights
    assert np.abs(weights[0] - weights[1]).max() > 0.5

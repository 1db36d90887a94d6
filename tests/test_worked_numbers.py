"""The published numbers, to the last digit that was published."""

import numpy as np
import pytest

from mha_course import article, attention, contributions, merge_heads, project, scaled_scores

Q, K, V = (project(article.X, W) for W in (article.W_Q, article.W_K, article.W_V))


def test_queries_keys_values_and_their_products():
    assert Q.tolist() == [[1, 0, 2], [2, 2, 2], [2, 1, 3]]
    assert K.tolist() == [[0, 1, 1], [4, 4, 0], [2, 3, 1]]
    assert V.tolist() == [[1, 2, 3], [2, 8, 0], [2, 6, 3]]
    assert scaled_scores(Q, K, scale=1).tolist() == [[2, 4, 4], [4, 16, 12], [4, 12, 10]]


def test_the_articles_scale():
    result = attention(Q, K, V, scale=1)
    weights = [
        [0.06337894, 0.46831053, 0.46831053],
        [6.03366485e-06, 9.82007865e-01, 1.79861014e-02],
        [2.95387223e-04, 8.80536902e-01, 1.19167711e-01],
    ]
    output = [
        [1.93662106, 6.68310531, 1.59506841],
        [1.99999397, 7.96399160, 0.05397641],
        [1.99970461, 7.75989225, 0.35838929],
    ]
    parts = [
        [0.06337894, 0.12675788, 0.19013681],
        [0.93662106, 3.74648425, 0],
        [0.93662106, 2.80986319, 1.40493159],
    ]
    np.testing.assert_allclose(result.weights, weights, atol=5e-9)
    np.testing.assert_allclose(result.output, output, atol=5e-9)
    np.testing.assert_allclose(contributions(result.weights, V)[0], parts, atol=5e-9)


def test_the_true_scale():
    result = attention(Q, K, V)
    scores = [
        [1.15470054, 2.30940108, 2.30940108],
        [2.30940108, 9.23760431, 6.92820323],
        [2.30940108, 6.92820323, 5.77350269],
    ]
    weights = [
        [0.13612580, 0.43193710, 0.43193710],
        [0.00089045, 0.90884265, 0.09026691],
        [0.00744489, 0.75470758, 0.23784753],
    ]
    output = [
        [1.86387420, 6.31937101, 1.70418870],
        [1.99910955, 7.81412350, 0.27347206],
        [1.99255511, 7.47963559, 0.73587726],
    ]
    np.testing.assert_allclose(result.scores, scores, atol=5e-9)
    np.testing.assert_allclose(result.weights, weights, atol=5e-9)
    np.testing.assert_allclose(result.output, output, atol=5e-9)


def test_the_published_loop_over_heads():
    X = [[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.6, 0.5, 0.4, 0.3, 0.2, 0.1], [0.2, 0.1, 0.4, 0.3, 0.6, 0.5]]
    draw = np.random.RandomState(42).randn
    W_Q, W_K, W_V = draw(2, 6, 3), draw(2, 6, 3), draw(2, 6, 3)
    published = [
        [0.15765260, -0.10218389, -0.69597538, -0.02097057, 0.20588626, -0.79084745],
        [0.16627707, -0.09542094, -0.68742438, -0.01220565, 0.22123956, -0.71939328],
        [0.16590785, -0.08169760, -0.73422733, -0.01573558, 0.21504336, -0.74882187],
    ]
    heads = attention(project(X, W_Q), project(X, W_K), project(X, W_V)).output
    np.testing.assert_allclose(merge_heads(heads), published, atol=5e-9)


@pytest.mark.parametrize("array", [article.X, article.W_Q, article.W_K, article.W_V])
def test_the_examples_cannot_be_changed_by_accident(array):
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 9

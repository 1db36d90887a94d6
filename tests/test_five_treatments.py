"""The five published treatments of lesson 16: what is right in them, to the last digit, and what is not."""

import nbformat
import numpy as np
import pytest
from stored import ROOT

from mha_course import MultiHeadAttention, article, attention, merge_heads, padding_mask, project, translation

PATH = ROOT / "notebooks" / "16_five_treatments.ipynb"


@pytest.fixture(scope="module")
def lesson():
    """Everything that the lesson's own cells define, exercises left out."""
    scope = {}
    with np.printoptions():  # how a lesson prints arrays is nobody else's business
        for cell in nbformat.read(PATH, 4).cells:
            if cell.cell_type == "code" and set(cell.metadata.get("tags", [])) <= {"answer", "hosted"}:
                exec(cell.source, scope)
        yield scope


def printed(cell_id):
    """What a cell of the lesson has printed."""
    cell = next(cell for cell in nbformat.read(PATH, 4).cells if cell.id == cell_id)
    return "".join(output.get("text", "") for output in cell.outputs)


def text_of(cell_id):
    """What a cell of the lesson says."""
    return next(cell.source for cell in nbformat.read(PATH, 4).cells if cell.id == cell_id)


# A · the article


def test_the_nine_steps_are_one_head_with_the_scale_1(lesson):
    output = lesson["nine_steps"](article.X, article.W_Q, article.W_K, article.W_V)
    np.testing.assert_allclose(output[0], [1.93662106, 6.68310531, 1.59506841], atol=5e-9)
    Q, K, V = (project(article.X, W) for W in (article.W_Q, article.W_K, article.W_V))
    assert output.shape == (3, 3) and not np.allclose(output, attention(Q, K, V).output)


def test_the_eight_heads_of_the_general_code_are_one_with_the_right_scale(lesson):
    Q, K, V = np.random.default_rng(3).normal(size=(3, 10, 64))
    output = lesson["general_code"](Q, K, V)
    assert output.shape == (10, 512)
    np.testing.assert_allclose(output, np.tile(attention(Q, K, V).output, 8))


def test_only_the_general_codes_softmax_loses_a_row_that_lies_far_below_another(lesson):
    X, identity = np.array([[0.0, 1.0], [40.0, 30.0]]), np.eye(2)
    with np.errstate(all="ignore"):
        output = lesson["general_code"](X, X, X)
    assert np.isnan(output[0]).all() and not np.isnan(output[1]).any()
    assert np.isfinite(lesson["nine_steps"](X, identity, identity, identity)).all()


def test_every_finding_of_an_earlier_lesson_is_named_with_its_place():
    text = next(cell.source for cell in nbformat.read(PATH, 4).cells if cell.id == "article-found")
    for lesson_file in ("02_queries", "03_scaled", "04_softmax", "05_weighted", "06_heads", "09_residual_and_norm"):
        assert f"]({lesson_file}" in text
    for finding in ("3 × 4", "symmetric", "rounded down", "whole table", "own scores", "6.6821", "[values]", "heading"):
        assert finding in text


# B · the class


def test_the_class_computes_what_the_courses_layer_does(lesson):
    rng = np.random.default_rng(11)
    query, key = rng.normal(size=(2, 4, 12)), rng.normal(size=(2, 4, 12))
    weights = rng.normal(size=(4, 12, 12))
    output, shares = lesson["batched_layer"](query, key, key, weights, 3)
    course = MultiHeadAttention(*weights, num_heads=3)(query, key)
    np.testing.assert_allclose(output, course.output)
    np.testing.assert_allclose(shares, course.weights)


def test_the_class_has_the_published_sizes_and_its_start_doubles_the_scores(lesson):
    assert lesson["b_output"].shape == (2, 10, 512) and lesson["b_weights"].shape == (2, 8, 10, 10)
    assert lesson["b_W"].std() == pytest.approx(np.sqrt(2 / 512), rel=1e-3)
    small = MultiHeadAttention(*(lesson["b_W"] / np.sqrt(2)), num_heads=8)(lesson["b_X"]).scores
    np.testing.assert_allclose(MultiHeadAttention(*lesson["b_W"], num_heads=8)(lesson["b_X"]).scores, 2 * small)


# C · the loop

PUBLISHED = [
    [0.15765260, -0.10218389, -0.69597538, -0.02097057, 0.20588626, -0.79084745],
    [0.16627707, -0.09542094, -0.68742438, -0.01220565, 0.22123956, -0.71939328],
    [0.16590785, -0.08169760, -0.73422733, -0.01573558, 0.21504336, -0.74882187],
]


def test_the_loop_gives_its_published_numbers(lesson):
    np.testing.assert_allclose(lesson["c_output"], PUBLISHED, atol=5e-9)
    np.testing.assert_allclose(
        lesson["c_output"], merge_heads(attention(*(lesson["c_X"] @ W for W in lesson["c_W"])).output)
    )


def test_the_loop_overflows_above_709_and_the_course_does_not(lesson):
    identity = np.eye(1)[None]
    with np.errstate(all="ignore"):
        below, above = (
            lesson["head_loop"](np.array([[score**0.5]]), identity, identity, identity) for score in (709, 711)
        )
    assert np.isfinite(below).all() and np.isnan(above).all()


# D · the padded layer


def test_four_queries_get_one_row_and_its_numbers_are_in_the_thousands(lesson):
    assert lesson["d_output"].shape == (2, 4, 100)
    assert lesson["d_output"].std(axis=1).max() == pytest.approx(0, abs=1e-9)
    assert lesson["d_output"].min() > 1000 and lesson["d_output"].max() < 2000
    assert lesson["d_result"].weights.max(axis=-1).min() > 1 - 1e-9


def test_the_padded_layer_computes_what_the_courses_does_with_biases_too(lesson):
    rng = np.random.default_rng(12)
    query, key, value = rng.normal(size=(3, 4, 10)), rng.normal(size=(3, 6, 10)), rng.normal(size=(3, 6, 10))
    weights, biases = rng.normal(size=(4, 10, 10)) / 3, rng.normal(size=(4, 10))
    b = dict(zip(("b_Q", "b_K", "b_V", "b_O"), biases, strict=True))
    course = MultiHeadAttention(*weights, num_heads=5, **b)(query, key, value, mask=padding_mask([6, 1, 3], n_k=6))
    np.testing.assert_allclose(
        lesson["padded_layer"](query, key, value, [6, 1, 3], weights, 5, biases), course.output, atol=1e-12
    )


def test_the_repair_lets_the_queries_differ(lesson):
    spreads = [float(line.split()[-1]) for line in printed("padded-repair").splitlines()]
    assert spreads[0] == 0 and spreads == sorted(spreads) and spreads[-1] > 0.1


def test_a_length_of_0_is_nan_in_the_padded_layer_and_0_in_the_course(lesson):
    assert np.isnan(lesson["d_empty"][1]).all() and not np.isnan(lesson["d_empty"][0]).any()
    assert (lesson["course_empty"][1] == 0).all() and lesson["course_empty"][0].all()


def test_its_dropout_does_nothing_and_its_width_is_not_asked(lesson):
    assert np.array_equal(lesson["never"], lesson["often"])
    with pytest.raises(ValueError, match="reshape"):
        lesson["fold"](np.ones((2, 4, 100)), 3)


# E · the shared projection


def test_the_shared_layer_has_120_parameters_against_256(lesson):
    assert (lesson["e_count"], lesson["full_count"]) == (120, 256)


def test_both_heads_of_its_example_are_the_same(lesson):
    assert lesson["e_output"].shape == (1, 3, 8) and lesson["e_output"].dtype == np.float32
    assert np.array_equal(lesson["e_weights"][:, 0], lesson["e_weights"][:, 1])


def test_no_head_of_the_shared_layer_sees_the_other_half():
    in_e, in_the_course = (line.split(":")[1].strip() for line in printed("shared-half").splitlines())
    assert (in_e, in_the_course) == ("[2]", "[1, 2]")


def test_its_full_form_is_a_matrix_with_zeros_outside_of_equal_blocks(lesson):
    X = np.random.default_rng(13).normal(size=(2, 3, 8))
    full = [np.kron(np.eye(2), W) for W in lesson["e_W"]]
    course = MultiHeadAttention(*full, lesson["e_W_O"], num_heads=2, b_O=lesson["e_b_O"])
    shared, _ = lesson["shared_layer"](X, *lesson["e_W"], lesson["e_W_O"], lesson["e_b_O"], num_heads=2)
    np.testing.assert_allclose(course(X).output, shared, atol=1e-6)


def test_the_width_of_the_translation_example_is_not_divisible_by_its_heads():
    (num_heads, d_model, d_k), d_v = translation.W_Q.shape, translation.W_V.shape[-1]
    assert (d_model, num_heads, d_k, d_v, translation.W_O.shape) == (7, 2, 3, 6, (12, 7))
    assert "$W_O$ brings any width back to $d_{model}$" in text_of("shared-facts")


# All of them


def test_each_treatment_is_cited_with_its_author_or_as_one_of_unknown_author():
    text = text_of("five-text")
    for words in ("Sandaruwan Herath", "18 April 2024", "Cristian Leo", "18 July 2024", "Of B, C and E no author"):
        assert words in text

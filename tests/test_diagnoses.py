"""What a check says in this course of what only this course has; tests/engine/test_verdicts.py has the rest."""

import re
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from checks import EXERCISES, SCALED, right_answers, text_of

import mha_course
from mha_course import attention, softmax
from mha_course.engine.checking.compare import alike
from mha_course.engine.checking.diagnose import AGAIN, diagnose
from mha_course.lessons.by_name import COURSE, check

EVERYWHERE_THE_SAME = {
    "inputs.encoding": lambda positions, d_model: np.zeros((len(positions), d_model)),
    "scaled_scores.scaled": lambda Q, K: np.zeros((len(Q), len(K))),
    "softmax.general": lambda scores, temperature: np.zeros(scores.shape),
    "weighted_sums.from_inputs": lambda X, context, W_Q, W_K, W_V: np.full((len(X), W_V.shape[-1]), np.nan),
    "masks.attention": lambda Q, K, V, mask: np.ones((*Q.shape[:-1], V.shape[-1])),
}


@pytest.mark.parametrize("name", EVERYWHERE_THE_SAME)
def test_about_one_number_everywhere_no_story_is_invented(name):
    assert len(diagnose(EXERCISES[name], EVERYWHERE_THE_SAME[name]).mistakes) <= 1


def test_an_error_is_named_only_by_a_mistake_with_the_very_same_error():
    def turned_over(X, context, W_Q, W_K, W_V, W_O, num_heads):
        return X.T @ W_Q @ context

    found = diagnose(EXERCISES["heads.multi_head"], turned_over)
    assert (found.kind, found.headline) == ("difference", "It stops with an error.")


@pytest.mark.parametrize("axis", [-1, None])
def test_whoever_subtracts_the_place_of_the_largest_does_subtract_something(axis):
    def by_place(scores, temperature):
        exponentials = np.exp(scores / temperature - scores.argmax(axis=axis, keepdims=axis is not None))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)

    assert (
        diagnose(EXERCISES["softmax.general"], by_place).headline
        == "The position of the largest is subtracted, not the largest."
    )


def test_everything_that_attention_gives_back_is_told_to_be_too_much():
    found = diagnose(SCALED, lambda Q, K: attention(Q, K, K))
    assert found.headline == "It returns something other than numbers." and "take .output" in text_of(found)


def by_itself(scores, temperature):
    exponentials = np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def helped(scores, temperature):
    def helper():
        return mha_course.softmax(scores, temperature=temperature)

    return helper()


def under_another_name(scores, temperature):
    from mha_course import softmax as mine

    return mine(scores / temperature)


@pytest.mark.parametrize("call", [softmax, lambda s, t: softmax(s / t), helped, under_another_name])
def test_a_call_of_what_is_to_be_written_is_no_answer(call):
    found = diagnose(EXERCISES["softmax.general"], call)
    assert (found.kind, found.headline) == ("difference", "The numbers are right, but they come from softmax.")


def test_a_function_of_ones_own_may_be_called_like_the_courses(monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "softmax", by_itself)
    assert diagnose(EXERCISES["softmax.general"], lambda s, t: softmax(s, t)).kind == "right"


def test_dots_that_reach_a_function_of_the_course_are_a_stub():
    assert diagnose(SCALED, lambda Q, K: softmax(...)).kind == "not started"


QKV = tuple(np.random.default_rng(1).normal(size=(3, 4, 4)))


@pytest.mark.parametrize(
    ("judge", "headline"),
    [
        (
            lambda candidate: bool(abs(candidate(*QKV) - attention(*QKV).output).max() > 1),
            "It returns False, but True is right.",
        ),
        (lambda candidate: np.nan, "It returns nan, not a number."),
        (lambda candidate: 2.0, "The number is not right."),
    ],
)
def test_only_a_truth_value_is_told_as_one(judge, headline):
    assert diagnose(EXERCISES["find_the_bug.check"], judge).headline == headline


@pytest.fixture
def tensor():
    """Make tensors as a layer in training has them: float32, and with a gradient."""
    import torch

    return lambda array: torch.tensor(array, dtype=torch.float32, requires_grad=True)


@pytest.mark.long
@pytest.mark.needs("torch")
def test_tensors_that_require_a_gradient_are_read_as_their_numbers(tensor):
    right = {
        "scaled_scores.dot": lambda query, key: tensor(query) @ tensor(key),
        "scaled_scores.scaled": lambda Q, K: tensor(Q) @ tensor(K).T / Q.shape[-1] ** 0.5,
        "weighted_sums.missing_value": lambda shares, known, output: [
            (tensor(entry) - tensor(shares[:-1]) @ tensor(column)) / tensor(shares[-1])
            for entry, column in zip(output, known.T, strict=True)
        ],
        "queries_keys_values.qkv": lambda X, context, *weights: tuple(
            tensor(rows) @ tensor(W) for rows, W in zip((X, context, context), weights, strict=True)
        ),
        "queries_keys_values.fused": lambda X, W: (tensor(X) @ tensor(W)).reshape(len(X), 3, -1).swapaxes(0, 1),
    }
    for name, function in right.items():
        assert diagnose(EXERCISES[name], function).headline == "Right.", name


@pytest.mark.long
@pytest.mark.needs("torch")
def test_a_mistake_made_with_tensors_has_the_name_that_it_has_with_arrays(tensor):
    found = diagnose(SCALED, lambda Q, K: tensor(Q) @ tensor(K).T)
    assert found.headline == "The scale is missing."
    assert [line.split(" = ")[-1] for _, line in found.lines] == ["5", "2.5000"]


@pytest.mark.needs("torch")
def test_a_tensor_that_does_not_come_from_the_arguments_shows_its_number(tensor):
    wrong = tensor(np.arange(6.0).reshape(2, 3))
    assert ("yours", "scores[2,3] = 5") in diagnose(SCALED, lambda Q, K: wrong * 1).lines


@pytest.mark.long
def test_every_stub_of_the_notebooks_is_not_started():
    scope = {"np": np, **{name: getattr(mha_course, name) for name in mha_course.__all__}}
    notebooks = sorted((Path(__file__).parents[1] / "notebooks").glob("[0-9]*.ipynb"))
    cells = [cell for path in notebooks for cell in nbformat.read(path, 4).cells]
    stubs = [cell.source for cell in cells if "stub" in cell.metadata.get("tags", [])]
    for exercise, stub in zip(EXERCISES.values(), stubs, strict=True):
        exec(stub, scope)
        function = scope[re.search(r"def (my_\w+)", stub)[1]]
        assert diagnose(exercise, function).kind == "not started", exercise.name


OTHER_TYPES = [
    ("masks.goes_on", lambda n_q, n_k: np.tri(n_q, n_k, n_k - n_q), "The mask is right, but not boolean.", "float64"),
    (
        "masks.goes_on",
        lambda n_q, n_k: np.tri(n_q, n_k, n_k - n_q, dtype=int).tolist(),
        "The mask is right, but not boolean.",
        "int64",
    ),
    (
        "masks.padding",
        lambda lengths, n_k: 1 * (np.arange(n_k) < lengths[:, None, None]),
        "The mask is right, but not boolean.",
        "int64",
    ),
    ("masks.packed", lambda lengths: EXERCISES["masks.packed"].right(lengths) * 1.0, "not boolean.", "float64"),
    ("softmax.strongest", lambda w: w.argmax(axis=-1) * 1.0, "The keys are right, but not whole numbers.", "float64"),
]


@pytest.mark.parametrize(("name", "function", "headline", "came"), OTHER_TYPES)
def test_where_the_type_is_the_point_another_type_is_told(name, function, headline, came):
    found = diagnose(EXERCISES[name], function)
    assert found.kind == "difference" and headline in found.headline and came in text_of(found)


@pytest.mark.parametrize("name", ["masks.goes_on", "masks.padding", "masks.packed"])
def test_a_mask_of_another_shape_is_not_right(name):
    exercise = EXERCISES[name]
    for change in (lambda mask: mask[..., None], lambda mask: mask[..., None, :], lambda mask: mask[None]):
        assert diagnose(exercise, lambda *given: change(exercise.right(*given))).kind != "right"  # noqa: B023


def test_what_is_asked_twice_has_another_answer_than_the_first_and_the_last():
    answers = {exercise.name: right_answers(exercise) for exercise in EXERCISES.values()}
    assert [name for name, made in answers.items() if any(alike(made[i], made[AGAIN]) for i in (0, -1))] == []


def test_a_check_names_the_exercises_that_are_near():
    with pytest.raises(ValueError, match=r"'scores.scale'.*Did you mean 'scaled_scores.scaled'\?"):
        check("scores.scale", SCALED.right)


def test_a_check_asks_for_a_function():
    with pytest.raises(TypeError, match="without brackets"):
        check("scaled_scores.scaled", np.ones((2, 3)))


def test_a_verdict_tells_programs_what_it_is_and_which_mistakes_it_recognised():
    right = check("scaled_scores.scaled", SCALED.right)
    assert (right.is_right, right.kind, right.mistakes) == (True, "right", ())
    wrong = check("scaled_scores.scaled", lambda Q, K: Q @ K.T)
    assert (wrong.is_right, wrong.kind, wrong.mistakes) == (False, "mistake", ("The scale is missing.",))
    other = check("scaled_scores.scaled", lambda Q, K: 0)
    assert (other.is_right, other.kind, other.mistakes) == (False, "difference", ())
    assert check("scaled_scores.scaled", lambda Q, K: ...).kind == "not started"


def test_only_a_right_answer_solves_an_exercise():
    assert not check("scaled_scores.scaled", lambda Q, K: Q @ K.T).is_right
    assert COURSE.progress.solved() == set()
    assert check("scaled_scores.scaled", SCALED.right).is_right
    assert COURSE.progress.solved() == {"scaled_scores.scaled"}

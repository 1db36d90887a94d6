"""What a check says of anything but a known mistake: the most basic thing first."""

import itertools
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from checks import EXERCISES, SCALED, right_answers, text_of

import mha_course
from mha_course import attention, padding_mask, softmax
from mha_course.lessons.by_name import COURSE, check
from mha_course.workbook.checking.attempt import call
from mha_course.workbook.checking.compare import alike
from mha_course.workbook.checking.diagnose import AGAIN, diagnose


def raises(Q, K):
    wrong = Q @ K[:, :2]
    return wrong / 2


def in_place(Q, K):
    Q /= 2.0 if False else 1.0
    Q[0, 0] += 1
    return (Q - np.eye(*Q.shape) * (np.arange(len(Q)) == 0)[:, None]) @ K.T / Q.shape[-1] ** 0.5


def only_the_example(Q, K):
    return np.array([[2.5, 2.5, 1.5], [1.0, 2.0, 1.0]])


def divides_in_place(Q, K):
    Q /= 2
    return Q @ K.T


def raises_silently(Q, K):
    assert Q is K


def only_two_axes(Q, K):
    (n,) = Q.shape
    return n


async def waits(Q, K):
    return Q @ K.T


def dots_below(Q, K):
    return my_half_done(Q) @ K.T


def my_half_done(Q):
    scale = ...
    return Q / scale


OTHERS = {
    "an error": (raises, "It stops with an error.", ["wrong = Q @ K[:, :2]", "ValueError", "the width of the left"]),
    "None": (lambda Q, K: None, "It returns None.", ["without return"]),
    "text": (lambda Q, K: "2.5", "It returns something other than numbers.", ["scores is of the type str"]),
    "ragged rows": (lambda Q, K: [[1], [1, 2]], "It returns something other than numbers.", ["different lengths"]),
    "another shape": (lambda Q, K: np.zeros((7, 1)), "The shape is not right.", ["has shape (7, 1), but needs (2, 3)"]),
    "transposed and wrong": (lambda Q, K: K @ Q.T * 7, "The shape is not right.", ["(3, 2)", "(2, 3)"]),
    "a lost axis": (lambda Q, K: (Q @ K.T).sum(axis=0), "The shape is not right.", ["An axis is gone"]),
    "flat": (lambda Q, K: (Q @ K.T / 2).ravel(), "The shape is not right.", ["only their shape is not"]),
    "nan": (lambda Q, K: Q @ K.T * np.nan, "It returns nan, not a number.", ["0 / 0"]),
    "inf": (lambda Q, K: Q @ K.T / 0.0, "It returns inf, infinity.", ["divided by 0"]),
    "wrong numbers": (
        lambda Q, K: Q @ K.T / 3,
        "The numbers are not right.",
        ["6 of 6 numbers", "/ 3 = 1.6667", "/ 2 = 2.5000"],
    ),
    "hard-coded": (only_the_example, "Right for the example, but not in general.", ["The shape is not right."]),
    "a hard-coded size": (
        lambda Q, K: Q @ K.T / 2 + (len(K) > 3),
        "Right for the example, but not in general.",
        ["/ √3 = "],
    ),
    "decimals": (
        lambda Q, K: np.int64(SCALED.right(Q, K)),
        "The decimals are cut off.",
        ["All numbers came out whole", "right  scores[1,1]"],
    ),
    "rounding": (
        lambda Q, K: SCALED.right(Q, K).round(1) + 0.0,
        "Right for the example, but not in general.",
        ["Leave out the round"],
    ),
    "a function": (lambda Q, K: Q.sum, "It returns something other than numbers.", ["round brackets"]),
    "a comma": (lambda Q, K: (SCALED.right(Q, K),), "It returns something other than numbers.", ["a comma at the end"]),
    "everything": (lambda Q, K: attention(Q, K, K), "It returns something other than numbers.", ["take .output"]),
    "two things": (lambda Q, K: (Q @ K.T, K), "It returns something other than numbers.", ["2 things, but needs one"]),
    "an error without words": (raises_silently, "It stops with an error.", ["AssertionError"]),
    "another error than a known mistake's": (
        only_two_axes,
        "It stops with an error.",
        ["too many values", "more axes than you gave names to"],
    ),
    "an exit": (lambda Q, K: raise_exit(), "It stops with an error.", ["SystemExit"]),
    "too few arguments": (lambda Q: Q, "It stops with an error.", ["different number of arguments"]),
}


def raise_exit():
    raise SystemExit(1)


@pytest.mark.parametrize(("function", "headline", "parts"), OTHERS.values(), ids=OTHERS)
def test_anything_else_is_told_the_first_thing_that_differs(function, headline, parts):
    found = diagnose(SCALED, function)
    assert (found.kind, found.headline) == ("difference", headline)
    for part in parts:
        assert part in text_of(found)


LIBRARY_ERRORS = """
import numpy as np
from mha_course.workbook.checking.attempt import call

def einsum(x):
    return np.einsum("ab,cd->e", x, x)

def split(x):
    return np.split(x, 4, axis=-1)

def stack(x):
    return np.stack([x, x[:1]])

def norm(x):
    return np.linalg.norm(x, axis=(0, 1, 2))
"""
LIBRARY_CALLS = re.findall(r"return (.*)", LIBRARY_ERRORS)


@pytest.mark.parametrize("line", LIBRARY_CALLS)
def test_an_error_inside_a_library_is_shown_with_the_learners_own_line(line, tmp_path):
    path = tmp_path / "of_the_learner.py"
    path.write_text(LIBRARY_ERRORS)
    scope = {}
    exec(compile(path.read_text(), path, "exec"), scope)
    function = next(scope[name] for name in ("einsum", "split", "stack", "norm") if f".{name}(" in line)
    assert call(function, (np.ones((2, 3)),)).line == f"return {line}"


def test_the_line_is_the_learners_wherever_numpy_is_installed(tmp_path):
    (tmp_path / "libraries").mkdir()
    (tmp_path / "libraries" / "numpy").symlink_to(Path(np.__file__).parent)
    ask = "\nfor function in (einsum, split, stack, norm):\n    print(call(function, (np.ones((2, 3)),)).line)"
    (tmp_path / "of_the_learner.py").write_text(LIBRARY_ERRORS + ask)
    root = str(Path(mha_course.__file__).parents[1])
    paths = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path / "libraries"), root])}
    found = subprocess.run([sys.executable, tmp_path / "of_the_learner.py"], env=paths, capture_output=True, text=True)
    assert found.stdout.splitlines() == [f"return {line}" for line in LIBRARY_CALLS], found.stderr


def fills_whole_numbers(Q, K):
    scores = np.zeros_like(Q @ K.T)
    scores[:] = SCALED.right(Q, K)
    return scores


def divides_without_rest(Q, K):
    return Q @ K.T // 2


def keeps_one_digit(Q, K):
    return (SCALED.right(Q, K) * 10 + 0.5) // 1 / 10


NOT_WRITTEN = {  # advice that would be about code that is not there
    "a whole division": (divides_without_rest, "//", ["zeros_like", "round"]),
    "a table for whole numbers": (fills_whole_numbers, "zeros_like", ["//", "round"]),
    "a conversion": (lambda Q, K: SCALED.right(Q, K).astype(int), "whole", ["zeros_like", "//", "round"]),
    "digits cut away": (keeps_one_digit, "Keep all digits", ["Leave out the round"]),
    "a tuple": (lambda Q, K: tuple([SCALED.right(Q, K)]), "a tuple of one thing", ["comma"]),
    "a list": (lambda Q, K: [SCALED.right(Q, K)], "only their shape is not", ["comma", "tuple"]),
}


@pytest.mark.parametrize(("function", "said", "unsaid"), NOT_WRITTEN.values(), ids=NOT_WRITTEN)
def test_no_advice_speaks_of_code_that_the_learner_did_not_write(function, said, unsaid):
    text = text_of(diagnose(SCALED, function))
    assert said in text and not [words for words in unsaid if words in text]


def test_what_the_mistakes_do_not_explain_is_told_besides():
    text = text_of(diagnose(SCALED, divides_in_place))
    assert "The scale is a fixed number" in text
    assert all(part in text for part in ("Besides, it stops with an error.", "Q /= 2", "holds whole numbers"))

    def unscaled_in_place(Q, K):
        Q += 0.5 if Q.dtype.kind == "f" else 1
        return (Q - (0.5 if Q.dtype.kind == "f" else 1)) @ K.T

    found = diagnose(SCALED, unscaled_in_place)
    assert found.mistakes == ("The scale is missing.",)
    assert "Besides, it changes what it was given: Q." in text_of(found)


EVERYWHERE_THE_SAME = {
    "inputs.encoding": lambda positions, d_model: np.zeros((len(positions), d_model)),
    "queries_keys_values.entry": lambda X, W, row, column: 0.0,
    "softmax.rows": lambda scores: np.zeros(scores.shape),
    "weighted_sums.attention": lambda Q, K, V: np.full((*Q.shape[:-1], V.shape[-1]), np.nan),
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

    def right_or_an_error(Q, K):
        return SCALED.right(Q, K) if len(Q) == 2 else Q @ K

    assert diagnose(SCALED, right_or_an_error).headline == "Right for the example, but not in general."


def test_of_two_steps_the_second_is_set_beside_what_it_should_make_of_wrong_numbers():
    found = diagnose(SCALED, lambda Q, K: Q @ K.T * Q.shape[-1])
    assert found.mistakes == (
        "The scale is d_k, not its root: one scaling too many.",
        "It multiplies by the scale instead of dividing.",
    )
    assert [who for who, _ in found.lines] == ["yours", "right", "yours", "right from there"]


def test_the_last_right_step_is_named_and_what_comes_after_it():
    def unknown(Q, K):
        products = Q @ K.T
        return products / 17 + 1

    found = text_of(diagnose(SCALED, unknown))
    assert "Right as far as products, in the line  products = Q @ K.T. " in found
    assert "What should come next, scores of shape (2, 3), was not met." in found
    assert "What your code makes next has shape (2, 3), in the line  return products / 17 + 1" in found
    nothing = text_of(diagnose(SCALED, lambda Q, K: np.outer(Q[:, 0], K[:, 0]) + 17))
    assert "The numbers are not right." in nothing and "What should come next" not in nothing


@pytest.mark.parametrize("axis", [-1, None])
def test_whoever_subtracts_the_place_of_the_largest_does_subtract_something(axis):
    def by_place(scores, temperature):
        powers = np.exp(scores / temperature - scores.argmax(axis=axis, keepdims=axis is not None))
        return powers / powers.sum(axis=-1, keepdims=True)

    assert (
        diagnose(EXERCISES["softmax.general"], by_place).headline
        == "The place of the largest is subtracted, not the largest."
    )


def test_an_answer_that_changes_its_input_is_told_which():
    def shifts(Q, K):
        scores = Q @ K.T / np.sqrt(Q.shape[-1])
        K *= 2
        return scores

    found = diagnose(SCALED, shifts)
    assert found.headline == "It changes what it was given: K."
    assert right_answers(SCALED)[0][0].tolist() == [[2.5, 2.5, 1.5], [1.0, 2.0, 1.0]]
    assert diagnose(SCALED, SCALED.right).kind == "right"  # nothing that a function does harms later checks


class Unreadable:
    """Stands for what a library gives back that has no numbers to read."""

    def __array__(self, dtype=None, copy=None):
        raise NotImplementedError("no numbers here")


def test_what_cannot_be_read_as_numbers_is_told_so():
    found = diagnose(SCALED, lambda Q, K: Unreadable())
    assert found.headline == "It returns something other than numbers."
    assert "the type Unreadable, which cannot be read as numbers: no numbers here" in text_of(found)


@pytest.fixture
def tensor():
    """Make tensors as a layer in training has them: float32, and with a gradient."""
    import torch

    return lambda array: torch.tensor(array, dtype=torch.float32, requires_grad=True)


@pytest.mark.needs("torch")
def test_tensors_that_require_a_gradient_are_read_as_their_numbers(tensor):
    right = {
        "scaled_scores.dot": lambda query, key: tensor(query) @ tensor(key),
        "scaled_scores.scaled": lambda Q, K: tensor(Q) @ tensor(K).T / Q.shape[-1] ** 0.5,
        "weighted_sums.one": lambda shares, V: [tensor(shares) @ tensor(column) for column in V.T],
        "queries_keys_values.qkv": lambda X, context, *weights: tuple(
            tensor(rows) @ tensor(W) for rows, W in zip((X, context, context), weights, strict=True)
        ),
        "queries_keys_values.fused": lambda X, W: (tensor(X) @ tensor(W)).reshape(len(X), 3, -1).swapaxes(0, 1),
    }
    for name, function in right.items():
        assert diagnose(EXERCISES[name], function).headline == "Right.", name


@pytest.mark.needs("torch")
def test_a_mistake_made_with_tensors_has_the_name_that_it_has_with_arrays(tensor):
    found = diagnose(SCALED, lambda Q, K: tensor(Q) @ tensor(K).T)
    assert found.headline == "The scale is missing."
    assert [line.split(" = ")[-1] for _, line in found.lines] == ["5", "2.5000"]


@pytest.mark.needs("torch")
def test_a_tensor_that_does_not_come_from_the_arguments_shows_its_number(tensor):
    wrong = tensor(np.arange(6.0).reshape(2, 3))
    assert ("yours", "scores[2,3] = 5") in diagnose(SCALED, lambda Q, K: wrong * 1).lines


@pytest.mark.parametrize("count", [1, 2, 4])
def test_several_results_are_asked_for_when_another_number_comes(count):
    found = diagnose(EXERCISES["queries_keys_values.qkv"], lambda *given: tuple([given[0]] * count))
    assert found.headline == "It returns something other than numbers." and "needs 3: Q, K, V" in text_of(found)


def test_one_array_where_three_are_needed_is_told_so():
    found = diagnose(EXERCISES["queries_keys_values.qkv"], lambda *given: 3.0)
    assert "It returns one float, but needs 3 results: Q, K, V." in text_of(found)


@pytest.mark.parametrize(
    "stub",
    [
        lambda Q, K: ...,
        lambda Q, K: Q @ K.T / ...,
        lambda Q, K: np.sqrt(...),
        lambda Q, K: (..., Q),
        lambda Q, K: Q @ ...,
        lambda Q, K: softmax(...),
        lambda Q, K: [[..., 1], [2, 3]],
        dots_below,
        lambda Q, K: Q @ K.swapaxes(..., -1),
    ],
)
def test_a_stub_whose_dots_are_still_there_is_not_started(stub):
    assert diagnose(SCALED, stub).kind == "not started"


def cuts_the_end(Q, K):
    return Q[..., 0 : K.nothing]


def fills_the_end(Q, K):
    scores = np.zeros((len(Q), len(K)))
    scores[..., : len(K) / 2] += 1
    return scores


def names_its_index(Q, K):
    rest = (..., slice(0, 1))
    return Q[rest] @ K


@pytest.mark.parametrize(
    "finished",
    [
        cuts_the_end,
        fills_the_end,
        names_its_index,
        lambda Q, K: Q[..., 0 : len(K)] + "1",
        lambda Q, K: K[0:1, ...].nothing,
        lambda Q, K: Q[..., [i for i in K if i.nothing]],
        lambda Q, K: Q[..., 0 : 1 if len(K) else 2] + None,
        lambda Q, K: np.einsum("...qd,...kd->qk", Q, K) @ Q[..., None, None, None],
        lambda Q, K: np.einsum("...qd,kd->qk...", Q, K),
        lambda Q, K: np.einsum("..qd,kd->qk", Q, K),
        lambda Q, K: Q[..., 0, 0, 0],
    ],
)
def test_dots_that_stand_in_an_index_or_a_text_are_no_stub(finished):
    assert diagnose(SCALED, finished).kind != "not started"


def without_source(lines):
    """Make a function whose source nobody can read."""
    scope = {"np": np, "softmax": softmax}
    exec(f"def made(Q, K):\n    {lines}", scope)
    return scope["made"]


def test_a_stub_is_known_without_its_source_too():
    assert diagnose(SCALED, without_source("scale = ...; return Q @ K.T / scale")).kind == "not started"
    assert diagnose(SCALED, without_source("return Q[..., 0:len(K)] + 'a'")).kind == "difference"


def test_dots_that_raise_nothing_are_still_a_stub():
    assert diagnose(SCALED, lambda Q, K: np.where(..., Q @ K.T, 0)).kind == "not started"


def test_a_helper_that_still_returns_dots_is_not_started():
    def my_scale(Q):
        return ...

    assert diagnose(SCALED, lambda Q, K: Q @ K.T / my_scale(Q)).kind == "not started"


def test_dots_that_are_no_value_do_not_keep_an_answer_from_being_judged():
    def wrong(Q, K, scale: Callable[..., float] = ...):
        def later(): ...

        return Q @ K.T if scale is ... else later()

    assert diagnose(SCALED, wrong).headline == "The scale is missing."


def test_every_stub_of_the_notebooks_is_not_started():
    scope = {"np": np, **{name: getattr(mha_course, name) for name in mha_course.__all__}}
    notebooks = sorted((Path(__file__).parents[1] / "notebooks").glob("[0-9]*.ipynb"))
    cells = [cell for path in notebooks for cell in nbformat.read(path, 4).cells]
    stubs = [cell.source for cell in cells if "stub" in cell.metadata.get("tags", [])]
    for exercise, stub in zip(EXERCISES.values(), stubs, strict=True):
        exec(stub, scope)
        function = scope[re.search(r"def (my_\w+)", stub)[1]]
        assert diagnose(exercise, function).kind == "not started", exercise.name


def test_the_error_of_a_generator_is_told_with_its_line_and_an_endless_one_is_stopped():
    def raising(Q, K):
        yield Q @ K

    def endlessly(Q, K):
        while True:
            yield 1

    assert "in the line  yield Q @ K" in text_of(diagnose(SCALED, raising))
    assert diagnose(SCALED, endlessly, seconds=0.1).headline == "It does not come to an end."


def test_a_mistake_made_in_a_generator_has_its_name_and_its_arithmetic():
    found = diagnose(SCALED, lambda Q, K: (q @ K.T for q in Q))
    assert found.headline == "The scale is missing." and "1·3 + " in found.lines[0][1]


NOT_NUMBERS = {
    "texts": lambda Q, K: SCALED.right(Q, K).astype(str),
    "texts among objects": lambda Q, K: SCALED.right(Q, K).astype(str).astype(object),
    "complex": lambda Q, K: SCALED.right(Q, K) + 0j,
    "nothing among numbers": lambda Q, K: np.array([[1, None], [2, 3]]),
}


@pytest.mark.parametrize("function", NOT_NUMBERS.values(), ids=NOT_NUMBERS)
def test_what_only_looks_like_numbers_is_none(function):
    assert diagnose(SCALED, function).headline == "It returns something other than numbers."


OTHER_TYPES = [
    ("masks.causal", lambda n: np.tri(n), "The mask is right, but not boolean.", "float64"),
    ("masks.causal", lambda n: np.tri(n, dtype=int).tolist(), "The mask is right, but not boolean.", "int64"),
    ("masks.padding", lambda *given: padding_mask(*given) * 1, "The mask is right, but not boolean.", "int64"),
    ("masks.packed", lambda lengths: EXERCISES["masks.packed"].right(lengths) * 1.0, "not boolean.", "float64"),
    ("softmax.strongest", lambda w: w.argmax(axis=-1) * 1.0, "The keys are right, but not whole numbers.", "float64"),
]


@pytest.mark.parametrize(("name", "function", "headline", "came"), OTHER_TYPES)
def test_where_the_type_is_the_point_another_type_is_told(name, function, headline, came):
    found = diagnose(EXERCISES[name], function)
    assert found.kind == "difference" and headline in found.headline and came in text_of(found)


@pytest.mark.parametrize("name", ["masks.causal", "masks.padding", "masks.packed"])
def test_a_mask_of_another_shape_is_not_right(name):
    exercise = EXERCISES[name]
    for change in (lambda mask: mask[..., None], lambda mask: mask[..., None, :], lambda mask: mask[None]):
        assert diagnose(exercise, lambda *given: change(exercise.right(*given))).kind != "right"  # noqa: B023


def endless(Q, K):
    while True:
        pass


def endless_and_deaf(Q, K):
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def asleep(Q, K):
    time.sleep(60)


def slow_then_right(Q, K):
    try:
        endless(Q, K)
    except BaseException:
        return SCALED.right(Q, K)


def printing(Q, K):
    while True:
        print(Q)


@pytest.mark.parametrize("function", [endless, endless_and_deaf, asleep, slow_then_right, printing])
def test_what_does_not_end_is_stopped_and_told_so(function, capsys):
    begin = time.monotonic()
    found = diagnose(SCALED, function, seconds=0.1)
    assert found.headline == "It does not come to an end." and "0.1 seconds" in text_of(found)
    assert time.monotonic() - begin < 5
    assert len(capsys.readouterr().out) < 3000
    assert diagnose(SCALED, SCALED.right).kind == "right"
    assert sys.gettrace() is None or "mha_course" not in str(sys.gettrace())


def test_a_loop_that_is_endless_only_for_other_inputs_is_stopped_too():
    found = diagnose(SCALED, lambda Q, K: SCALED.right(Q, K) if len(Q) == 2 else endless(Q, K), seconds=0.2)
    assert found.headline == "It does not come to an end." and "4 queries" in text_of(found)


def test_an_async_function_is_told_so_and_leaves_no_warning(recwarn):
    assert "leave out async" in text_of(diagnose(SCALED, waits))
    assert not recwarn.list


def replayed(turn):
    """Make a function that only counts its calls, and gives the right answers in their order."""
    calls, stored = itertools.count(), right_answers(SCALED)
    return lambda Q, K: stored[turn(next(calls), len(stored))][0]


REPLAYS = {"from the start": lambda i, n: i % n, "the last one": lambda i, n: min(i, n - 1)}
SAYS_OTHERWISE = "It gives different answers to the same arguments."


@pytest.mark.parametrize("turn", REPLAYS.values(), ids=REPLAYS)
def test_a_counter_that_replays_the_right_answers_is_not_right(turn):
    assert diagnose(SCALED, replayed(turn)).headline == SAYS_OTHERWISE


def test_what_is_asked_twice_has_another_answer_than_the_first_and_the_last():
    answers = {exercise.name: right_answers(exercise) for exercise in EXERCISES.values()}
    assert [name for name, made in answers.items() if any(alike(made[i], made[AGAIN]) for i in (0, -1))] == []


def noisy(Q, K):
    return SCALED.right(Q, K) + np.random.default_rng().normal(size=(len(Q), len(K)))


def timed(Q, K):
    return SCALED.right(Q, K) * (time.time_ns() % 10**7)


def remembering(Q, K, before=[]):  # noqa: B006
    before.append(Q)
    return SCALED.right(Q, K) * len(before)


@pytest.mark.parametrize("function", [noisy, timed, remembering])
def test_an_answer_that_is_another_every_time_is_told_so(function):
    found = diagnose(SCALED, function)
    assert (found.kind, found.headline) == ("difference", SAYS_OTHERWISE)
    assert all(word in text_of(found) for word in ("randomness", "time", "remembers", "4 queries, 5 keys"))


def test_a_function_may_remember_what_it_has_found_out():
    known = {}

    def memoised(Q, K):
        key = (Q.tobytes(), K.tobytes(), Q.shape)
        return known.setdefault(key, SCALED.right(Q, K))

    assert diagnose(SCALED, memoised).kind == "right"


def test_randomness_that_does_not_reach_the_answer_does_no_harm():
    def shuffled(Q, K):
        order = np.random.default_rng().permutation(len(K))
        scores = SCALED.right(Q, K[order])
        return scores[:, np.argsort(order)]

    assert diagnose(SCALED, shuffled).kind == "right"


def test_a_function_that_behaves_differently_every_time_does_no_harm():
    calls = iter(range(10**6))
    found = diagnose(SCALED, lambda Q, K: SCALED.right(Q, K) + next(calls))
    assert found.kind == "difference"
    other = diagnose(SCALED, lambda Q, K: SCALED.right(Q, K) * 2 if Q.dtype != object else None)
    assert ("yours", "scores[1,1] = 5") in other.lines


def test_the_stop_button_stops_the_check():
    def stopped(Q, K):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        diagnose(SCALED, stopped)


def test_what_a_function_prints_is_shown_once(capsys):
    diagnose(SCALED, lambda Q, K: print("here") or SCALED.right(Q, K))
    assert capsys.readouterr().out == "here\n"


# What a lesson sees of it


def test_a_check_names_the_exercises_that_are_near():
    with pytest.raises(ValueError, match=r"'scores.scale'.*Did you mean 'scaled_scores.scaled'\?"):
        check("scores.scale", raises)


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

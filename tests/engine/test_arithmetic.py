"""The one writer of arithmetic: whatever numbers remember, each step that it writes is true."""

import math

import numpy as np
import pytest
from arithmetic import evaluate
from hypothesis import given
from hypothesis import strategies as st
from tries import tries

from mha_course.engine.notation.arithmetic import MOST_TERMS, arithmetic
from mha_course.engine.notation.traced_number import Traced, entries, total, traced

leaves = st.integers(-50, 50).map(lambda tenths: Traced(tenths / 10))


def combined(numbers):
    pairs = st.tuples(numbers, numbers)
    return st.one_of(
        pairs.map(lambda pair: pair[0] + pair[1]),
        pairs.map(lambda pair: pair[0] - pair[1]),
        pairs.map(lambda pair: pair[0] * pair[1]),
        pairs.filter(lambda pair: abs(float(pair[1])) > 0.01).map(lambda pair: pair[0] / pair[1]),
        numbers.filter(lambda number: abs(float(number)) < 9).map(lambda number: number.exp()),
        numbers.filter(lambda number: float(number) > 0).map(lambda number: number.sqrt()),
        numbers.map(lambda number: -number),
        st.lists(numbers, min_size=1, max_size=12).map(total),
    )


@tries(300)
@given(st.recursive(leaves, combined, max_leaves=20), st.sampled_from([70, math.inf]))
def test_every_step_of_any_arithmetic_evaluates_to_the_number_at_its_end(number, longest):
    *steps, shown = arithmetic(number, longest=longest).split(" = ")
    assert abs(float(shown) - float(number)) <= 0.0000500001 + 1e-3 * abs(float(number)) * (abs(float(number)) >= 1e9)
    for step in steps:
        digits = len(shown.partition(".")[2]) if "e" not in shown else None
        value = evaluate(step)
        assert (f"{value + 0.0:.{digits}f}" if digits is not None else f"{value:.4g}") in (shown, f"-{shown}")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ((Traced(2.0) * 2 + Traced(2.0) * 3 + 2) / Traced(3.0).sqrt(), "(2·2 + 2·3 + 2) / √3 = 12 / 1.73205 = 6.9282"),
        ((Traced(2.0) * 2 + 8) / math.sqrt(3), "(2·2 + 8) / 1.73205 = 12 / 1.73205 = 6.9282"),
        (
            Traced(1.0).exp() / (Traced(1.0).exp() + Traced(0.0).exp()),
            "e^1 / (e^1 + e^0) = 2.7183 / (2.7183 + 1) = 0.7311",
        ),
        (Traced(6.0) / 2, "6 / 2 = 3"),
        (Traced(2.0) * 3 + Traced(-1.0) * 4, "2·3 + (-1)·4 = 2"),
    ],
)
def test_the_middle_step_stands_there_where_it_says_something_new(number, text):
    assert arithmetic(number) == text


def test_what_is_subtracted_from_a_plain_number_stands_on_the_right():
    assert arithmetic(1 - Traced(3.0)) == "1 - 3 = -2"


def test_a_root_is_written_only_where_one_was_taken():
    scores = traced(np.ones((1, 3)), "Q") @ np.ones((3, 1))
    for root in (scores / np.sqrt(scores.shape[0]), traced(np.ones((1, 3)), "Q")[0, 0] / 3**0.5):
        assert "√" not in arithmetic(np.ravel(root)[0]).replace("√1", "")
    Q = traced(np.ones((1, 3)), "Q")
    assert "/ √3" in arithmetic((Q @ Q.T / np.sqrt(Q.shape[-1]))[0, 0])
    assert "/ √3" in arithmetic((Q @ Q.T / Q.shape[-1] ** 0.5)[0, 0])


def test_sizes_that_remember_are_sizes_like_any_other():
    Q = traced(np.arange(6).reshape(2, 3), "Q")
    assert Q.shape == (2, 3) and Q.reshape(Q.shape[::-1]).shape == (3, 2)
    assert (Q.shape[1] ** 2, Q.shape[1] / 2, 2 ** Q.shape[1]) == (9, 1.5, 8)
    assert np.log(Q.shape[1]) == math.log(3) and (np.ones(2) / Q.shape[1]).tolist() == [1 / 3, 1 / 3]


@pytest.mark.parametrize("count", [MOST_TERMS, MOST_TERMS + 1, 40])
def test_a_long_sum_is_shortened_and_still_true(count):
    terms = [Traced(float(i)) * 2 for i in range(1, count + 1)]
    text, shown = arithmetic(total(terms), longest=math.inf).split(" = ")
    assert evaluate(text) == float(shown) == count * (count + 1)
    assert ("[the other" in text) == (count > MOST_TERMS)


def test_a_number_names_the_entries_it_was_made_from():
    Q, K = traced(np.array([[1, 2]]), "Q"), traced(np.array([[3, 4]]), "K")
    assert list(entries((Q @ K.T)[0, 0])) == ["Q[1,1]", "K[1,1]", "Q[1,2]", "K[1,2]"]

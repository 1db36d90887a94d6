"""The block form gives what the simple form gives: the same numbers, dtypes and errors, in every thread and process."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from rows import rows

from mha_course import MultiHeadAttention, attention, causal_mask
from mha_course.maths import blocks, formulas

pytestmark = pytest.mark.filterwarnings("error")

FLOATS = [np.float16, np.float32, np.float64, np.longdouble]


def drawn(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def both_forms(monkeypatch, call):
    """Return what the call gives or raises without blocks, and in blocks of two queries."""
    found = []
    for few in (2**40, 0):
        monkeypatch.setattr(blocks, "FEW", few)
        monkeypatch.setattr(blocks, "ROWS", 2)
        try:
            found.append(call())
        except ValueError as error:
            found.append(str(error))
    return found


def attended(Q, K, V, mask=None):
    """Attend as the layer does: in blocks where the input is long."""
    return blocks.attention_in_blocks(Q, K, V, mask) if blocks.is_long(Q, K, V) else attention(Q, K, V, mask).output


# Threads and processes

START = """
import multiprocessing, sys, threading
import numpy as np
from threadpoolctl import threadpool_info
from mha_course import MultiHeadAttention

def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

layer = MultiHeadAttention.random(16, 4, np.random.default_rng(0))
x = np.random.default_rng(1).normal(size=(1000, 16))
expected, before = layer(x).output, blas_threads()

def call_again():
    assert np.allclose(layer(x).output, expected) and blas_threads() == before

def child_ends():
    child = multiprocessing.get_context("fork").Process(target=call_again)
    child.start()
    child.join(20)
    if child.exitcode is None:
        child.kill()
    return child.exitcode == 0
"""


def run(script):
    """Run a script with two threads for each product, however many cores there are."""
    result = subprocess.run(
        [sys.executable, "-c", START + script], capture_output=True, text=True, timeout=600,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "2"},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


@needs_fork
def test_a_process_forked_after_a_large_call_can_make_one():
    run("assert child_ends()")


@needs_fork
def test_a_process_forked_during_a_large_call_of_another_thread_can_make_one():
    run(
        "stop = threading.Event()\n"
        "def call_until_told():\n"
        "    while not stop.is_set(): layer(x)\n"
        "thread = threading.Thread(target=call_until_told)\n"
        "thread.start()\n"
        "ends = [child_ends() for _ in range(10)]\n"
        "stop.set()\n"
        "thread.join()\n"
        "assert all(ends)"
    )


def test_large_calls_in_several_threads_leave_numpy_as_many_threads_as_it_had():
    run(
        "for _ in range(20):\n"
        "    threads = [threading.Thread(target=layer, args=(x,)) for _ in range(3)]\n"
        "    for thread in threads: thread.start()\n"
        "    for thread in threads: thread.join()\n"
        "assert blas_threads() == before, (blas_threads(), before)"
    )


def test_no_thread_stays_behind():
    run("assert threading.active_count() == 1")


def test_the_threads_of_the_blocks_keep_numpys_warnings_to_themselves(monkeypatch):
    monkeypatch.setattr(blocks, "FEW", 0)
    layer = MultiHeadAttention(*[np.eye(4)] * 4, 2)
    with pytest.raises(ValueError, match="would be larger than"), np.errstate(all="warn"):
        layer(np.full((5, 4), 1e200))


def test_an_underflow_is_no_error(monkeypatch):
    layer = MultiHeadAttention(*[np.eye(4)] * 4, 2)
    for few in (2**40, 0):
        monkeypatch.setattr(blocks, "FEW", few)
        with np.errstate(all="raise"):
            assert np.isfinite(layer(drawn(5, 4) * 100).output).all()


# Dtypes


@rows("dtypes", itertools.product([np.float32, np.float64, np.int64, np.bool_], repeat=3))
def test_the_dtype_is_the_same_with_and_without_blocks(monkeypatch, dtypes):
    Q, K, V = ((drawn(5, 3, seed=i) * 3).astype(dtype) for i, dtype in enumerate(dtypes))
    simple, in_blocks = both_forms(monkeypatch, lambda: attended(Q, K, V))
    floats = [array.astype(float) if array.dtype.kind in "bi" else array for array in (Q, K, V)]
    assert simple.dtype == in_blocks.dtype == np.result_type(*floats)
    np.testing.assert_allclose(simple, formulas.attention(*floats), rtol=1e-6)
    np.testing.assert_allclose(in_blocks, formulas.attention(*floats), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("wide", range(5))
def test_one_float64_argument_makes_the_result_float64_for_any_number_of_tokens(monkeypatch, wide):
    arrays = [drawn(4, 4, seed=i).astype(np.float64 if i == wide else np.float32) for i in range(5)]
    for found in both_forms(monkeypatch, lambda: MultiHeadAttention(*arrays[1:], 2)(arrays[0])):
        assert found.output.dtype == np.float64


# Numbers near the end of their dtype


def sizes(dtype):
    """List sizes of numbers from the smallest to the largest of a dtype."""
    limits = np.finfo(dtype)
    return [limits.tiny, limits.tiny**0.5, dtype(1), dtype(10), dtype(60), limits.max**0.5, limits.max / 4]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("has_mask", [False, True])
def test_numbers_of_any_size_give_the_same_or_the_same_error(monkeypatch, dtype, has_mask):
    mask = causal_mask(5, 7) & (np.arange(7) > 0) if has_mask else None
    with np.errstate(all="ignore"):
        unit = [np.clip(drawn(*shape), -2, 2).astype(dtype) / 2 for shape in ((5, 4), (7, 4), (7, 3))]
        of = {size: [rows * dtype(size) for rows in unit] for size in sizes(dtype)}
    for q, k, v in itertools.product(of, repeat=3):
        Q, K, V = of[q][0], of[k][1], of[v][2]
        simple, in_blocks = both_forms(monkeypatch, lambda: attended(Q, K, V, mask))  # noqa: B023
        if isinstance(simple, str):
            assert "scores would be larger" in simple and simple == in_blocks, (q, k, v)
            continue
        assert np.isfinite(simple).all() and np.isfinite(in_blocks).all(), (q, k, v)
        close = np.abs(simple - in_blocks) <= np.finfo(dtype).eps * 400 * np.abs(V).max() + np.finfo(dtype).tiny
        assert close.all(), (q, k, v)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_layer_gives_finite_numbers_or_a_clear_error(monkeypatch, dtype):
    with np.errstate(all="ignore"):
        for size in sizes(dtype):
            rows = np.clip(drawn(5, 4), -2, 2).astype(dtype) / 2 * dtype(size)
            layer = MultiHeadAttention(*[np.eye(4, dtype=dtype)] * 4, 2)
            simple, in_blocks = both_forms(monkeypatch, lambda: layer(rows).output)  # noqa: B023
            if isinstance(simple, str):
                assert "would be larger than" in simple and simple == in_blocks
            else:
                assert np.isfinite(simple).all() and np.isfinite(in_blocks).all() and simple.dtype == dtype


@pytest.mark.parametrize("dtype", FLOATS)
def test_very_many_keys_are_no_more_than_a_dtype_can_add_up(dtype):
    V = np.full((300_000, 1), 0.5, dtype)
    V[::2] = 1.5
    found = blocks.attention_in_blocks(np.zeros((2, 1), dtype), np.zeros((300_000, 1), dtype), V)
    np.testing.assert_allclose(found.astype(float), 1, rtol=0.06 if dtype == np.float16 else 1e-4)
    assert found.dtype == dtype


@pytest.mark.parametrize("dtype", FLOATS)
def test_six_hundred_tokens_of_any_dtype(dtype):
    Q, K, V = (drawn(600, 4, seed=i).astype(dtype) for i in range(3))
    for size in (1, 3, 30):
        found = blocks.attention_in_blocks(Q[None, None] * dtype(size), np.stack([K, K])[None], V[None, None])
        exact = formulas.attention(*(rows.astype(float) for rows in (Q * dtype(size), K, V)))
        assert found.shape == (1, 2, 600, 4) and found.dtype == dtype
        np.testing.assert_allclose(found[0, 1].astype(float), exact, atol=0.1 if dtype == np.float16 else 1e-4)

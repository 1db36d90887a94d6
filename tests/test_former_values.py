"""A check that judges a function of before, for the cell with the new one ended in a SyntaxError, says so."""

import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

STUB = "def my_scores(Q, K):\n    return ..."
RIGHT = "def my_scores(Q, K):\n    return dot(Q, K)"
DOT = "def dot(Q, K):\n    return Q @ K.swapaxes(-2, -1)"
COLON_FORGOTTEN = "def my_scores(Q, K)\n    return Q @ K"
FORMER = "is still what it was before"


@pytest.fixture
def verdict_after(monkeypatch):
    """Return what runs cells in a new IPython, and then a check of my_scores."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # IPython puts its own there
    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))

    def run(*cells):
        for cell in ("from mha_course import check", *cells):
            shell.run_cell(cell, store_history=True)
        return repr(shell.run_cell('check("scaled_scores.dot", my_scores)', store_history=True).result)

    return run


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        ([STUB, COLON_FORGOTTEN], "my_scores"),
        ([DOT, RIGHT, COLON_FORGOTTEN, "import numpy as np", "print('later'"], "my_scores"),
        ([STUB, STUB.replace("K)", "Q)")], "my_scores"),
        (["my_scores = lambda Q, K: Q", "my_scores = lambda Q, K: Q @ K.T)"], "my_scores"),
        ([DOT, RIGHT, "class dot\n    pass"], "dot"),
    ],
    ids=["no colon", "cells later", "two arguments of one name", "a lambda", "a function that it calls"],
)
def test_a_function_of_before_is_named_as_such(verdict_after, cells, name):
    assert f"\n{name} {FORMER}" in verdict_after(*cells)


@pytest.mark.parametrize(
    "cells",
    [
        [STUB, COLON_FORGOTTEN, DOT, RIGHT],
        [STUB, "check('scaled_scores.dot', my_scores"],
        ["def my_scores(Q, K):\n    scores = Q @ K\nreturn scores"],
        [STUB, "def my_scores_again(Q, K)"],
    ],
    ids=["mended", "only named", "the return outside, and the function made", "another name"],
)
def test_a_function_of_now_is_not(verdict_after, cells):
    verdict = verdict_after(*cells)
    assert "Exercise 3.1" in verdict and FORMER not in verdict

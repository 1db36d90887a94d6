"""Lesson 12: what each piece of code does, what the checks see, and the wrong functions that are handed out."""

import ast

import nbformat
import numpy as np
import pytest
from checks import EXERCISES
from stored import ROOT

import mha_course
from mha_course import attention, merge_heads, softmax, split_heads
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.function_to_repair import changes
from mha_course.lessons.find_the_bug.predictions import SEEN_BY, SEVEN

PATH = ROOT / "notebooks" / "12_find_the_bug.ipynb"
CELLS = {cell.id: cell for cell in nbformat.read(PATH, 4).cells}
REPAIRS = {"exercise-one-line": "find_the_bug.one_line", "exercise-two-lines": "find_the_bug.two_lines"}
every_repair = pytest.mark.parametrize(("cell_id", "name"), REPAIRS.items())


@pytest.fixture(scope="module")
def lesson():
    """Everything that the lesson's own cells define, exercises left out."""
    scope = {}
    with np.printoptions():  # how a lesson prints arrays is nobody else's business
        for cell in CELLS.values():
            if cell.cell_type == "code" and set(cell.metadata.get("tags", [])) <= {"answer", "hosted"}:
                exec(cell.source, scope)
        yield scope


# The pieces


@pytest.mark.parametrize("number", SEEN_BY)
def test_each_piece_is_seen_by_the_experiments_that_the_prediction_counts(number):
    (output,) = CELLS[f"found-{number}"].outputs
    said = output["text"].strip()
    assert set(ast.literal_eval(said) if said != "nothing" else ()) == SEEN_BY[number]


def test_one_piece_alone_is_right_and_what_no_experiment_sees_may_be_wrong(lesson):
    assert lesson["is_right"] == [False, False, False, True, False, False, False]
    assert lesson["changed_by"](lesson["too_flat"]) == "nothing"


def test_what_the_lesson_lets_the_learner_try_is_so(lesson):
    """With axis 2 in piece 1, the softmax runs over the queries, and the experiment with one query sees it."""
    scope = dict(lesson)
    exec(CELLS["found-1"].source.replace("axis=1", "axis=2").replace("print", "found_by ="), scope)
    assert "one query alone" in lesson["changed_by"](scope["found_1"])


def test_the_masks_of_piece_5_fit_if_they_are_tiled(lesson):
    scope = dict(lesson)
    wrong, right = "np.repeat(seen[:, 0], num_heads, axis=0)", "np.tile(seen[:, 0], (num_heads, 1, 1))"
    assert wrong in CELLS["found-5"].source and right in CELLS["found-5-answer"].source
    exec(CELLS["found-5"].source.replace(wrong, right), scope)
    assert lesson["changed_by"](scope["found_5"]) == "nothing"


# The checks


def test_the_check_of_shapes_catches_nothing_and_the_last_everything(lesson):
    assert (7 - np.sum(lesson["passes"], axis=0)).tolist() == [0, 3, 3, 7]


def test_the_sevens_of_the_prediction_and_of_the_lesson_are_the_same(lesson):
    for ours, theirs in zip(SEVEN.values(), lesson["seven"], strict=True):
        np.testing.assert_allclose(ours(*lesson["small"]), theirs(*lesson["small"]))


# The wrong functions that are handed out


def defined(source):
    """Return the one function that a source defines, and the course's names with it."""
    scope = {"np": np, **{name: getattr(mha_course, name) for name in mha_course.__all__}}
    exec(source, scope)
    return next(thing for name, thing in scope.items() if name.startswith("my_") or name.endswith("_solution"))


def lines_of(source):
    """Return the lines of a function's body as Python writes them."""
    return ast.unparse(ast.parse(source)).splitlines()[1:]


@every_repair
def test_the_stub_is_what_the_check_takes_for_untouched(cell_id, name):
    stub = CELLS[f"{cell_id}-stub"].source
    assert lines_of(stub) == lines_of(EXERCISES[name].given.source)
    assert diagnose(EXERCISES[name], defined(stub)).kind == "not started"


@every_repair
def test_the_solution_changes_no_more_lines_than_the_check_says(cell_id, name):
    stub, solution = (lines_of(CELLS[f"{cell_id}-{part}"].source) for part in ("stub", "solution"))
    assert changes(stub, solution) == EXERCISES[name].given.fewest


@every_repair
def test_a_stub_that_was_touched_but_not_repaired_is_called_by_the_names_of_its_bugs(cell_id, name):
    first, *body = CELLS[f"{cell_id}-stub"].source.splitlines()
    found = diagnose(EXERCISES[name], defined("\n".join([first, "    seen = True", *body])))
    assert found.kind == "mistake" and len(found.mistakes) == EXERCISES[name].given.fewest


def test_a_repair_is_told_how_many_lines_it_changed():
    def my_self_attention(X, W_Q, W_K, W_V, num_heads):  # as short as it can be
        n = len(X)
        Q, K, V = ((X @ W).reshape(n, num_heads, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V))
        weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
        return merge_heads(weights @ V)

    def rewritten(X, W_Q, W_K, W_V, num_heads):
        Q, K, V = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))
        return merge_heads(attention(Q, K, V).output)

    exercise = EXERCISES["find_the_bug.one_line"]
    assert diagnose(exercise, my_self_attention).paragraphs[-1] == "You changed one line: no repair needs fewer."
    assert diagnose(exercise, rewritten).paragraphs[-1] == "You changed 5 lines. One line would do: which?"
    assert diagnose(exercise, exercise.right).paragraphs == (exercise.notice,)  # no source to be read

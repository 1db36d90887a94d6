"""Every exercise: its right answers, its inputs, and its cells in the notebook of its lesson."""

import ast
import re
from functools import cache

import nbformat
import numpy as np
import pytest
from checks import EXERCISES, is_right, right_answers
from proofs import NEVER_NEGATIVE, RIGHT, WRONG
from stored import NOTEBOOKS, ROOT

import mha_course
from mha_course import attention
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.solution import known_to

LESSONS = NOTEBOOKS[1:]  # all but the first have exercises
every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


# Right answers


def test_an_answer_that_is_right_by_another_route_is_right():
    said = {
        (name, number): diagnose(EXERCISES[name], function).headline
        for name, functions in RIGHT.items()
        for number, function in enumerate(functions)
    }
    assert {route: headline for route, headline in said.items() if headline != "Right."} == {}


def test_the_exercises_own_right_answer_is_right_and_tells_what_to_notice():
    wrong = {}
    for exercise in EXERCISES.values():
        found = diagnose(exercise, exercise.right)
        if (found.kind, found.paragraphs, found.mistakes) != ("right", (exercise.notice,), ()):
            wrong[exercise.name] = found
    assert wrong == {}


def test_what_is_wrong_only_where_it_is_hard_is_wrong():
    assert [
        (name, number) for number, (name, function) in enumerate(WRONG) if is_right(EXERCISES[name], function)
    ] == []


def test_an_absolute_value_is_wrong_wherever_a_number_can_be_negative():
    def absolute(exercise):
        if len(exercise.results) == 1:
            return lambda *given: np.abs(exercise.right(*given))
        return lambda *given: tuple(map(np.abs, exercise.right(*given)))

    can_be_negative = [exercise for exercise in EXERCISES.values() if exercise.name not in NEVER_NEGATIVE]
    assert [exercise.name for exercise in can_be_negative if is_right(exercise, absolute(exercise))] == []


def test_every_exercise_is_answered_by_at_least_five_other_routes():
    assert set(RIGHT) == set(EXERCISES) and all(len(functions) >= 5 for functions in RIGHT.values())


@pytest.mark.parametrize("name", ["scaled_scores.scaled", "heads.multi_head"])
def test_scaling_Q_first_is_right_and_its_story_is_told(name):
    assert "huggingface/transformers #21627" in EXERCISES[name].notice and "#22444" in EXERCISES[name].notice


def test_the_power_of_minus_one_half_is_right_and_its_story_is_told():
    assert "karpathy/ng-video-lecture #46" in EXERCISES["scaled_scores.scaled"].notice


# The exercise whose answer is a check

CHECK = EXERCISES["find_the_bug.check"]


def check_by(agree, sizes=(3, 4, 5, 2), seed=5, scale=1.0):
    rng = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = sizes
    Q, K, V = (rng.normal(size=shape) * scale for shape in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
    right = attention(Q, K, V).output

    def verdict(candidate):
        output = candidate(Q, K, V)
        return output.shape == right.shape and bool(agree(output, right))

    return verdict


BAD_CHECKS = {  # what it does, and words of what is said of it
    "the first row": (lambda o, r: np.allclose(o[0], r[0]), "only the first row"),
    "the last row": (lambda o, r: np.allclose(o[-1], r[-1]), "only one row"),
    "the row between": (lambda o, r: np.allclose(o[1], r[1]), "only one row"),
    "the first column": (lambda o, r: np.allclose(o[:, 0], r[:, 0]), "only one column"),
    "the last column": (lambda o, r: np.allclose(o[:, -1], r[:, -1]), "only one column"),
    "one entry": (lambda o, r: np.isclose(o[0, 0], r[0, 0]), "only one entry"),
    "the last entry": (lambda o, r: np.isclose(o[-1, -1], r[-1, -1]), "only one entry"),
    "the sum": (lambda o, r: np.isclose(o.sum(), r.sum()), "compares sums"),
    "the mean": (lambda o, r: np.isclose(o.mean(), r.mean()), "compares sums"),
    "the sums of rows": (lambda o, r: np.allclose(o.sum(axis=1), r.sum(axis=1)), "compares sums"),
    "the sums of columns": (lambda o, r: np.allclose(o.sum(axis=0), r.sum(axis=0)), "compares sums"),
    "numbers in order": (lambda o, r: np.allclose(np.sort(o.ravel()), np.sort(r.ravel())), "reverse order"),
    "not above": (lambda o, r: (o - r).max() < 1e-6, "one way only|far too small"),
    "not below": (lambda o, r: (r - o < 1e-6).all(), "one way only|far too large"),
    "within 0.5": (lambda o, r: np.allclose(o, r, rtol=0, atol=0.5), "too large a difference|a little too large"),
    "within 0.1": (lambda o, r: np.allclose(o, r, rtol=0, atol=0.1), "too large a difference|a little too large"),
    "within 0.01": (lambda o, r: np.allclose(o, r, rtol=0, atol=0.01), "too large a difference|very little too small"),
    "within 1 %": (lambda o, r: np.allclose(o, r, rtol=0.01), "half a percent too large|very little"),
    "shapes": (lambda o, r: True, "only shapes"),
    "nan": (lambda o, r: not (np.abs(o - r) > 1e-6).any(), "lets nan pass"),
    "every digit": (np.array_equal, "every digit"),
}


@pytest.mark.parametrize("seed", [5, 6])
@pytest.mark.parametrize(("agree", "said"), BAD_CHECKS.values(), ids=BAD_CHECKS)
def test_a_check_that_does_not_see_is_told_what(agree, said, seed):
    found = diagnose(CHECK, check_by(agree, seed=seed))
    assert found.kind in ("mistake", "difference") and re.search(said, " ".join((found.headline, *found.paragraphs)))


@pytest.mark.parametrize("sizes", [(5, 5, 5, 5), (3, 4, 4, 2), (3, 5, 5, 2), (3, 1, 5, 2)])
def test_a_check_on_inputs_that_hide_mistakes_is_not_right(sizes):
    assert diagnose(CHECK, check_by(np.allclose, sizes)).kind in ("mistake", "difference")


@pytest.mark.parametrize("sizes", [(3, 4, 5, 2), (2, 5, 3, 4), (7, 3, 6, 1), (4, 6, 3, 5), (10, 20, 8, 7)])
@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_a_check_that_sees_everything_is_right_whatever_its_sizes(sizes, scale):
    for seed in range(3):
        assert diagnose(CHECK, check_by(np.allclose, sizes, seed, scale)).kind == "right"
    assert diagnose(CHECK, check_by(lambda o, r: np.abs(o - r).max() < 1e-6, sizes)).kind == "right"
    assert diagnose(CHECK, check_by(lambda o, r: np.allclose(o, r, rtol=0, atol=1e-3), sizes)).kind == "right"


def test_a_candidate_does_not_tell_by_its_name_what_it_is():
    candidates = [case.arguments[0] for case in CHECK.cases]
    assert len({repr(candidate) for candidate in candidates}) == 1
    assert not any(hasattr(candidate, "name") for candidate in candidates)


def test_a_candidate_is_what_its_words_say():
    for case, (right,) in zip(CHECK.cases[1:], right_answers(CHECK)[1:], strict=True):
        assert bool(right) == case.words.endswith("which is right")


def test_the_text_of_the_task_does_not_count_other_candidates():
    text = next(
        cell.source for cell in cells_of(ROOT / "notebooks" / "12_find_the_bug.ipynb") if cell.id == "exercise-check"
    )
    assert f"gives you {len(CHECK.cases)} candidates" in text
    assert f"{['', 'One', 'Two', 'Three'][sum(bool(right) for (right,) in right_answers(CHECK))]} of them" in text


# The inputs


def test_an_exercise_knows_at_least_six_mistakes():
    counts = {exercise.name: len(known_to(exercise)) for exercise in EXERCISES.values()}
    assert {name: count for name, count in counts.items() if count < 6} == {}


def test_the_right_answer_is_right_whatever_is_drawn():
    assert [
        (exercise.name, seed)
        for exercise in EXERCISES.values()
        for seed in range(10)
        if diagnose(exercise, exercise.right, seed=seed).kind != "right"
    ] == []


def test_an_exercise_has_at_least_four_cases_one_of_them_with_a_single_row():
    wrong = {}
    for exercise in EXERCISES.values():
        arguments = [argument for inputs in exercise.inputs(0) for argument in inputs.arguments]
        shapes = [argument.shape for argument in arguments if isinstance(argument, np.ndarray)]
        if len(exercise.cases) < 4 or (not any(len(shape) == 1 or 1 in shape for shape in shapes) and shapes):
            wrong[exercise.name] = shapes
    assert wrong == {}


def test_the_cases_are_named_in_words_that_a_learner_reads():
    words = [(exercise.name, case.words) for exercise in EXERCISES.values() for case in exercise.cases]
    assert [(name, each) for name, each in words if re.search(r"[a-z]{2}_|_[a-z]{2}", each)] == []


def test_no_square_input_behind_the_example_is_symmetric():
    assert [
        (exercise.name, case.words)
        for exercise in EXERCISES.values()
        for case in exercise.inputs(0)[1:]
        for array in case.arguments
        if isinstance(array, np.ndarray) and array.ndim > 1 and array.shape[-1] == array.shape[-2] > 1
        if np.allclose(array, array.swapaxes(-1, -2))
    ] == []


# The notebooks


@cache
def cells_of(path):
    """Read the cells of a notebook, which no test changes."""
    return nbformat.read(path, 4).cells


def cells_tagged(path, tag):
    return [cell for cell in cells_of(path) if tag in cell.metadata.get("tags", [])]


def test_every_exercise_stands_in_its_lesson_in_order_and_under_its_number():
    checks = [cell.source for path in LESSONS for cell in cells_tagged(path, "check")]
    assert [ast.literal_eval(re.search(r'^check\((".*?")', source, re.M)[1]) for source in checks] == list(EXERCISES)
    headings = [cell.source.splitlines()[0] for path in LESSONS for cell in cells_tagged(path, "exercise")]
    assert headings == [f"### Exercise {e.number} · {e.title}" for e in EXERCISES.values()]
    for path in LESSONS:
        lesson = str(int(path.stem[:2]))
        numbers = [cell.source.split()[2] for cell in cells_tagged(path, "exercise")]
        assert numbers == [f"{lesson}.{i + 1}" for i in range(len(numbers))]


@every_lesson
def test_an_exercise_has_its_five_cells_with_effort_hints_and_a_folded_solution(path):
    cells = cells_of(path)
    starts = [i for i, cell in enumerate(cells) if "exercise" in cell.metadata.get("tags", [])]
    for i in starts:
        task, stub, check_cell, hints, solution = cells[i : i + 5]
        beside = ["optional"] if "optional" in task.metadata.tags else []
        assert [c.metadata.tags for c in (stub, check_cell, hints, solution)] == [
            ["stub", *beside],
            ["check", *beside],
            ["hints", *beside],
            ["solution", *beside],
        ]
        assert re.search(r"^(★☆☆|★★☆|★★★) · \d+ minutes( · warm-up)? · taught in \[.+\)$", task.source, re.MULTILINE)
        assert hints.source.count("<details>") == hints.source.count("</details>") == 3
        assert solution.metadata.jupyter.source_hidden is True
        name = re.search(r"def my_(\w+)\(", stub.source)[1]
        assert f"my_{name})" in check_cell.source and f"def {name}_solution(" in solution.source
        assert "Not started yet." in check_cell.outputs[0].data["text/plain"]


def test_a_task_says_which_functions_may_not_be_called():
    tasks = [cell.source for path in LESSONS for cell in cells_tagged(path, "exercise")]
    said = [tuple(re.findall(r"`([\w.]+)`", "".join(re.findall(r"\*Not allowed:\*(.*)", task)))) for task in tasks]
    assert said == [exercise.off_limits for exercise in EXERCISES.values()]


@every_lesson
def test_every_solution_is_right_and_nothing_later_needs_an_answer(path):
    scope = {"np": np, **{name: getattr(mha_course, name) for name in mha_course.__all__}}
    checks, solutions = cells_tagged(path, "check"), cells_tagged(path, "solution")
    for check_cell, solution in zip(checks, solutions, strict=True):
        exec(solution.source, scope)
        exercise, function = re.search(r'^check\("(.*?)", my_(\w+)\)', check_cell.source, re.M).groups()
        assert diagnose(EXERCISES[exercise], scope[f"{function}_solution"]).headline == "Right."
    others = [cell.source for cell in cells_of(path) if cell.cell_type == "code"]
    used = [source for source in others if re.search(r"\bmy_\w+", source)]
    assert len(used) == 2 * len(checks)  # the stubs and their checks

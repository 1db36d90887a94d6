"""What quick runs: the engine and the lessons that differ whole, of everything else a few cases, always the same."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import selection


@dataclass(frozen=True)
class Item:
    """A collected test, as far as the selection looks at it."""

    nodeid: str

    @property
    def path(self):
        return Path(self.nodeid.partition("::")[0])


EXERCISES = ("softmax.ratio", "softmax.general", "heads.merge", "heads.split")
ITEMS = [Item(f"tests/test_exercises.py::test_it_is_right[{name}]") for name in EXERCISES]


@pytest.fixture
def differing(monkeypatch):
    return lambda lessons: monkeypatch.setattr(selection, "differing_lessons", lambda: lessons)


def git(folder, *command):
    author = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *author, *command], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def no_other_repository(monkeypatch):
    """Whoever runs the tests from one of git's hooks has that repository in the environment."""
    for name in [each for each in os.environ if each.startswith("GIT_")]:
        monkeypatch.delenv(name)


def touch(folder, path):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).touch()


def test_of_a_test_two_cases_are_taken_the_same_in_every_order(differing):
    differing([])
    few = selection.chosen(ITEMS)
    assert len(few) == 2 and set(selection.chosen(ITEMS[::-1])) == set(few)


def test_all_cases_of_a_lesson_that_differs_and_of_the_engine_are_taken(differing):
    engine = [Item(f"tests/engine/test_course.py::test_it_is[{number}]") for number in range(5)]
    differing(["heads"])
    assert {*ITEMS[2:], *engine} < set(selection.chosen([*ITEMS, *engine]))


def test_browsers_and_others_take_turns_the_longest_first_and_every_file_keeps_its_order():
    another = f"{selection.BROWSER}test_another.py"
    items = [*ITEMS, *[Item(f"{name}::{test}") for name in (*selection.LONGEST[::-1], another) for test in "ba"]]
    in_order = [item.nodeid for item in selection.in_order(items)]
    begun = list(dict.fromkeys(name.partition("::")[0] for name in in_order))
    assert [name.startswith(selection.BROWSER) for name in begun[:6]] == [True, False] * 3

    def some(names, in_browser):
        return [name for name in names if name.startswith(selection.BROWSER) == in_browser]

    def tests_of(files):
        return [f"{name}::{test}" for name in files for test in "ba"]

    assert some(in_order, True) == tests_of([*some(selection.LONGEST, True), another])
    assert some(in_order, False) == [*tests_of(some(selection.LONGEST, False)), *[item.nodeid for item in ITEMS]]
    assert all((selection.ROOT / name).exists() for name in selection.LONGEST)


def test_a_file_stays_together_and_so_does_all_that_uses_jupyterlab():
    first, second = (f"{selection.JUPYTERLAB}test_{name}.py::test_it[a]" for name in ("a", "b"))
    between, another = "tests/test_origin.py::test_it[a::b]", "tests/test_path.py::test_it"
    assert selection.together(first) == selection.together(second)
    assert len({selection.together(each) for each in (first, between, another)}) == 3
    in_order = [item.nodeid for item in selection.in_order(list(map(Item, (first, between, second, another))))]
    assert in_order == [first, second, between, another]


def test_a_notebook_is_run_where_it_differs(differing):
    notebooks = [selection.ROOT / "notebooks" / name for name in ("04_softmax.ipynb", "06_heads.ipynb")]
    differing(["heads"])
    assert [selection.is_left_out(path) for path in notebooks] == [True, False]
    differing(None)
    assert all(selection.is_left_out(path) for path in notebooks)


@pytest.fixture
def repository(tmp_path, monkeypatch, no_other_repository):
    """A folder in which the selection asks git anew each time."""
    monkeypatch.setattr(selection, "ROOT", tmp_path)
    monkeypatch.setattr(selection, "differing_files", selection.differing_files.__wrapped__)
    monkeypatch.setattr(selection, "differing_lessons", selection.differing_lessons.__wrapped__)
    return tmp_path


def commit(folder, path):
    touch(folder, path)
    git(folder, "add", ".")
    git(folder, "commit", "-m", path)


def test_lessons_differ_by_what_came_after_the_last_merge_and_by_what_is_not_committed(repository):
    differing = selection.differing_lessons
    assert differing() is None  # no repository
    git(repository, "init", "--initial-branch=main")
    commit(repository, "README.md")
    git(repository, "checkout", "-b", "branch")
    commit(repository, "mha_course/lessons/inputs/quiz.py")
    assert differing() is None  # no merge
    git(repository, "checkout", "main")
    git(repository, "merge", "--no-ff", "branch")
    assert differing() == []
    commit(repository, "notebooks/04_softmax.ipynb")
    commit(repository, "mha_course/mistakes/scores.py")
    touch(repository, "mha_course/lessons/heads/tasks.py")
    assert differing() == ["heads", "softmax"]


def test_in_a_clone_those_differ_that_were_changed_in_it(repository, tmp_path_factory):
    origin = tmp_path_factory.mktemp("origin")
    git(origin, "init", "--initial-branch=main")
    commit(origin, "notebooks/04_softmax.ipynb")
    git(repository, "clone", str(origin), ".")
    assert selection.differing_lessons() == []
    git(repository, "mv", "notebooks/04_softmax.ipynb", "elsewhere.ipynb")
    commit(repository, "mha_course/lessons/heads/tasks.py")
    touch(repository, "notebooks/01_inputs.ipynb")
    assert selection.differing_lessons() == ["heads", "inputs", "softmax"]

"""Whether everything is installed: the cell of lesson 0 that tells it, and every first cell where something is not."""

import importlib.metadata
import shlex
import subprocess
import sys

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError
from run_notebooks import execute
from stored import ROOT

from mha_course import installation

pytestmark = pytest.mark.long


def test_all_is_ready_here(capsys):
    installation.ready()
    assert capsys.readouterr().out == "Everything is ready.\n"


def test_what_is_missing_or_too_old_is_named_with_its_cure(monkeypatch, capsys):
    wanted = [*importlib.metadata.requires("mha_course")[:1], "numpy>=1000.0", "nowhere-to-be-found>=2.0"]
    wanted.append('not-of-the-course>=1.0; extra == "lab"')
    monkeypatch.setattr(installation, "requires", lambda name: wanted)
    installation.ready()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("numpy is ") and lines[0].endswith("but the course needs numpy>=1000.0.")
    assert lines[1] == "nowhere-to-be-found>=2.0 is missing."
    assert len(lines) == 3
    assert lines[2].endswith("-m pip install -e .")


@pytest.mark.parametrize(
    ("system", "path", "command"),
    [
        ("posix", "/home/Zoë/my course/python", "'/home/Zoë/my course/python' -m pip install -e ."),
        ("posix", "/usr/bin/python", "/usr/bin/python -m pip install -e ."),
        (
            "nt",
            r"C:\my course\python.exe",
            r'"C:\my course\python.exe" -m pip install -e . (in PowerShell with & before it)',
        ),
        ("nt", r"C:\course\python.exe", r"C:\course\python.exe -m pip install -e ."),
    ],
)  # fmt: skip
def test_the_cure_can_be_pasted_whatever_is_in_its_path(system, path, command, monkeypatch):
    monkeypatch.setattr(installation.os, "name", system)
    monkeypatch.setattr(installation, "COMMAND", [path, *installation.COMMAND[1:]])
    assert command in str(installation.in_plain_words(ModuleNotFoundError(name="gguf")))


# A folder or a file that stands before the course, or before NumPy


def said_in(folder):
    command = [sys.executable, "-c", "from mha_course import softmax; print(softmax([0, 0]))"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_in_the_folder_above_a_clone_the_course_is_the_course(tmp_path):
    (tmp_path / "mha_course" / "mha_course").mkdir(parents=True)  # as it is called when it is cloned
    assert said_in(tmp_path).stdout == "[0.5 0.5]\n"


def test_a_file_numpy_py_is_named(tmp_path):
    (tmp_path / "numpy.py").write_text("from math import *\n")
    said = said_in(tmp_path).stderr.splitlines()[-1]
    assert said == (
        f"ImportError: This is not NumPy: {tmp_path / 'numpy.py'} stands before it. "
        "Rename that file, and restart Python."
    )


# A lesson's first cell where something is not installed

CELL = """
import sys
sys.modules[{missing!r}] = None  # as if it were not installed
from mha_course import article, {word}
"""
NEEDED = [("anywidget", "check"), ("anywidget", "Workbench"), ("matplotlib", "curves"), ("IPython", "predict")]


def error_of(missing, word):
    command = [sys.executable, "-c", CELL.format(missing=missing, word=word)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stderr.splitlines()


@pytest.mark.parametrize(("missing", "word"), NEEDED)
def test_the_first_cell_says_in_one_sentence_what_to_install(missing, word):
    *traceback, sentence = error_of(missing, word)
    assert sentence.endswith(
        f"NotInstalled: This course needs {missing}, which is not installed: "
        f"run {shlex.quote(sys.executable)} -m pip install -e . in the course's folder."
    )
    assert len(traceback) <= 4  # the learner's own line, and the one that says so


@pytest.mark.parametrize("missing", ["anywidget", "matplotlib", "IPython"])
def test_what_needs_nothing_more_is_there_all_the_same(missing):
    assert error_of(missing, "ready, matrix, chain, steps") == []


def test_in_a_web_page_where_nothing_is_installed_the_sentence_says_where_it_runs(monkeypatch):
    monkeypatch.setattr(installation, "IS_IN_A_PAGE", True)
    error = installation.in_plain_words(ModuleNotFoundError(name="gguf"))
    assert str(error) == "This needs gguf, which a web page does not have. In JupyterLab or on Binder it runs."


def test_a_notebook_shows_the_sentence_alone():
    source = CELL.format(missing="anywidget", word="check")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    with pytest.raises(CellExecutionError):
        execute(notebook, ROOT)
    (output,) = notebook.cells[0].outputs
    assert output["traceback"] == [f"ImportError: {output['evalue']}"]
    assert output["evalue"].startswith("This course needs anywidget, which is not installed: run ")


def test_a_part_of_the_course_that_is_missing_is_no_matter_of_installing():
    assert "ModuleNotFoundError" in error_of("mha_course.engine.browser.form", "check")[-1]

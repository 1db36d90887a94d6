"""A test in which the world takes part has a second try, one of Python alone has none, and the last lines name both."""

import os
import re
import subprocess
import sys

import pytest
from second_try import MOST
from stored import ROOT

CONFTEST = "pytest_plugins = ['second_try']\n"
TESTS = """
import pathlib, pytest
here = pathlib.Path(__file__).parent

def times(name):
    with open(here / f"{name}.txt", "a+") as file:
        file.write("x")
    return len((here / f"{name}.txt").read_text())

@pytest.fixture
def late(request):
    assert times(request.node.name) > 1, "the fixture was late"
    yield

def test_python_passes():
    pass

@pytest.mark.world
@pytest.mark.parametrize("value", ["a b", "ü::[x]"])
def test_world_once(value):
    assert times(f"once {len(value)}") > 1, "not within a second"

@pytest.mark.world
def test_world_late(late):
    pass

@pytest.mark.world
def test_world_twice():
    assert times("twice") > 2, "twice too slow"

def test_python_once():
    assert times("python") > 1, "of Python alone"

@pytest.mark.world
@pytest.mark.parametrize("number", range(9))
def test_many(number):
    assert times(f"many {number}") > 1
"""


def run(folder, *options):
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -q\n")
    (folder / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = inherited | {"PYTHONPATH": str(ROOT / "tests"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_what_fails_once_with_the_world_in_it_is_green_and_named(tmp_path):
    done = run(tmp_path, "-p", "xdist", "-n", "2", "--tries=2", "-k", "passes or world_once or late")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout
    assert "Passed only on their second try: 3 tests." in lines
    assert "  test_it.py::test_world_once[a b]: AssertionError: not within a second" in lines
    assert "  test_it.py::test_world_late: AssertionError: the fixture was late" in lines
    assert lines[-1].startswith("1 passed, 3 passed on the second try")


def test_what_python_alone_did_and_what_fails_twice_is_red(tmp_path):
    done = run(tmp_path, "--tries=2", "-k", "python_once or world_late or world_twice")
    assert done.returncode == 1
    assert "Passed only on their second try: 1 test." in done.stdout
    assert re.match(r"2 failed, .*1 passed on the second try", done.stdout.splitlines()[-1])


@pytest.mark.parametrize(("options", "said"), [(["--tries=2"], f"{MOST + 1} tests failed: too many"), ([], "")])
def test_crowds_have_no_second_try_and_nobody_has_who_hunts(tmp_path, options, said):
    done = run(tmp_path, *options, "-k", "many")
    assert done.returncode == 1 and said in done.stdout and "second try:" not in done.stdout
    assert f"{MOST + 1} failed" in done.stdout.splitlines()[-1]

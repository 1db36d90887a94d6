"""What opens the course elsewhere: GitHub's workflow and dev container say what this folder has, and nothing floats."""

import json
import re

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from stored import NOTEBOOKS, PROJECT, ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
(RUNTIME,) = re.findall(r"python-([\d.]+)", (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8"))
JOBS = yaml.safe_load((ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8"))["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
COMMANDS = [step["run"] for step in STEPS if "run" in step] + [CONTAINER["onCreateCommand"]]


def settings(action):
    (step,) = (step for step in STEPS if step.get("uses", "").startswith(f"{action}@"))
    return step["with"]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_runs_elsewhere_is_a_target_that_runs_here(command):
    program, target = command.split()
    named = target.replace(".venv", "$(VENV)")
    assert program == "make" and re.search(rf"^{re.escape(named)}:", MAKEFILE, re.MULTILINE)


def test_every_action_is_an_official_one_in_a_version():
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert len(used) > 5
    assert [each for each in used if not re.fullmatch(r"actions/[\w-]+@v\d+", each)] == []


def test_the_workflow_publishes_what_make_site_builds_with_live_notebooks():
    build = [step.get("run") or step["uses"].partition("@")[0] for step in JOBS["build"]["steps"]]
    order = ["make .venv/pyodide", "make site", "actions/upload-pages-artifact"]
    assert [each for each in build if each in order] == order
    folder = settings("actions/upload-pages-artifact")["path"]
    assert re.search(rf"^site:.*\n(\t.*\n)*\t.* -m website .*{folder}$", MAKEFILE, re.MULTILINE)
    assert JOBS["publish"]["needs"] == "build"
    assert JOBS["publish"]["permissions"] == {"pages": "write", "id-token": "write"}


def test_one_python_that_the_course_allows_runs_everywhere():
    workflow = settings("actions/setup-python")["python-version"]
    container = CONTAINER["image"].partition(":")[2]
    assert workflow == container == RUNTIME and RUNTIME in SpecifierSet(PROJECT["requires-python"])


def test_the_container_opens_the_first_lesson_with_its_own_python():
    inside = CONTAINER["customizations"]
    assert inside["codespaces"]["openFiles"] == [NOTEBOOKS[0].relative_to(ROOT).as_posix()]
    assert inside["vscode"]["settings"]["python.defaultInterpreterPath"] == "${workspaceFolder}/.venv/bin/python"
    assert "VENV := .venv\n" in MAKEFILE

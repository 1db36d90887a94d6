"""The tests leave the maintainer's own progress alone, and say which of them were left out, and why."""

import atexit
import os
import shutil
import tempfile
from collections import Counter, defaultdict
from itertools import count
from pathlib import Path

import parts
import pytest
import selection
from twice import twice

pytest_plugins = ["built_once", "second_try"]

FOLDER = tempfile.mkdtemp(prefix="mha_course_")
NUMBERS = count(1)
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.environ["COURSE_HOME"] = FOLDER  # in which each course keeps a learner's progress; kernels of tests inherit it
os.environ["MHA_COURSE_PROGRESS"] = os.path.join(FOLDER, "progress.jsonl")
for each in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(each, "1")  # before NumPy comes: several processes of tests share the cores already
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as in many containers: hundreds of processes would compile all anew


def pytest_addoption(parser):
    """Know how to run a few cases of each test."""
    parser.addoption("--quick", action="store_true", help="a few cases of each test; see tests/selection.py")


def pytest_configure(config):
    """Let quick try few examples. Errors: `UsageError` at once, if a required part is missing.

    Whoever only collects needs no part: some may still be on their way.
    """
    if config.option.quick:
        from hypothesis import settings

        settings.register_profile("quick", max_examples=10)
        settings.load_profile("quick")
        config.pluginmanager.register(FewCases())
    if not config.option.collectonly and (wrong := parts.required_but_missing()):
        raise pytest.UsageError("\n".join(wrong))


def pytest_ignore_collect(collection_path, config):
    """Leave out the files of which quick wants nothing; None leaves the rest to others."""
    return (config.option.quick and selection.is_left_out(collection_path)) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what needs a part, and leave it out where that is missing; put all in order."""
    items[:] = twice(selection.in_order(items))
    for item in items:
        for part in parts.needed_by(item):
            item.add_marker("slow")
            if part.is_world:
                item.add_marker("world")
            if part.why_not:
                item.add_marker(pytest.mark.skip(reason=part.why_not))


class FewCases:
    """Takes a few cases of each test that the marks have left."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """Take them."""
        items[:] = selection.chosen(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Divide the tests among processes as tests/selection.py says; for the rest as pytest-xdist divides files."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return selection.together(nodeid)

    return Scheduling(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Give each file of tests, and each notebook, a progress file for the kernels and servers that it starts."""
    os.environ["MHA_COURSE_PROGRESS"] = path = _progress_in(item.path.stem)
    os.environ["COURSE_HOME"] = os.path.dirname(path)


@pytest.fixture(autouse=True)
def own_progress(monkeypatch):
    """Give every test a progress file of its own, so that none sees what another has solved. Returns its path."""
    path = _progress_in(str(next(NUMBERS)))  # no tmp_path: it takes longer with every test
    monkeypatch.setenv("MHA_COURSE_PROGRESS", path)
    monkeypatch.setenv("COURSE_HOME", os.path.dirname(path))
    return Path(path)


def _progress_in(name):
    """Return a progress file in a folder of its own: what a learner takes home lies beside it."""
    folder = Path(FOLDER, name)
    folder.mkdir(exist_ok=True)
    return str(folder / "progress.jsonl")


def pytest_terminal_summary(terminalreporter):
    """Say which tests were left out, and why; after quick, how much code came and went."""
    if terminalreporter.config.option.quick:
        terminalreporter.write_line(selection.said())
    left_out = defaultdict(Counter)
    for report in terminalreporter.getreports("skipped"):
        left_out[report.longrepr[2].removeprefix("Skipped: ")][report.nodeid.partition("::")[0]] += 1
    for why, files in sorted(left_out.items()):
        terminalreporter.write_line(f"Left out: {files.total()} tests of {', '.join(sorted(files))}. {why}")
    if terminalreporter.config.option.quick:
        terminalreporter.write_line(selection.code_since())

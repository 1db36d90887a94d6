"""A second try for a test in which the world takes part: a browser, a server, a process that has only so much time.

A busy machine can make such a test fail. With --tries=2, each that fails runs once more when all else has ended, alone,
in a process of its own; the last lines name those that pass then, and what the first try said. A test of Python alone
gets no second try, and where many fail, none does: no machine is as busy as that.
"""

import os
import re
import subprocess
import sys

import pytest

MOST = 8  # failures
OPTION = "--tries"


def pytest_addoption(parser):
    """Know how often a test may be tried."""
    parser.addoption(OPTION, type=int, choices=(1, 2), default=1, help="2: once more what fails with the world in it")


def pytest_configure(config):
    """Know the mark. Whoever runs tests for another process leaves second tries to that."""
    config.addinivalue_line("markers", "world: a browser, a server or a process with a limit takes part")
    if config.getoption(OPTION) == 2 and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SecondTries(config), "second tries")


class SecondTries:
    """Notes what fails, and tries it again at the end."""

    def __init__(self, config):
        """Begin with nothing failed."""
        self._config, self._failed, self._passed = config, {}, {}

    @property
    def _reporter(self):
        return self._config.pluginmanager.get_plugin("terminalreporter")

    def pytest_runtest_logreport(self, report):
        """Note what fails, in the test itself, before it or after it."""
        if report.failed:
            self._failed.setdefault(report.nodeid, []).append(report)

    @pytest.hookimpl(trylast=True)  # the processes that ran tests have ended then
    def pytest_sessionfinish(self, session):
        """Try again; the run is green if each that failed passes now."""
        if len(self._failed) > MOST:
            return
        for test, reports in self._failed.items():
            if "world" in reports[0].keywords and self._passes(test):
                self._passed[test] = reports
                self._count_as_passed(reports)
        if session.exitstatus == pytest.ExitCode.TESTS_FAILED and len(self._passed) == len(self._failed):
            session.exitstatus = pytest.ExitCode.OK

    def _passes(self, test):
        self._reporter.write_line(f"\nOnce more, alone: {test}")
        command = [sys.executable, "-m", "pytest", "--color=no", "-m", "", test]
        alone = os.environ | {"PYTEST_ADDOPTS": ""}
        done = subprocess.run(command, cwd=self._config.rootpath, env=alone, capture_output=True, text=True)
        has_passed = done.returncode == 0 and re.search(r"^1 passed", done.stdout, re.MULTILINE) is not None
        if not has_passed:
            self._reporter.write_line(done.stdout + done.stderr)
        return has_passed

    def _count_as_passed(self, reports):
        stats = self._reporter.stats
        for report in reports:
            stats["error" if report.when != "call" else "failed"].remove(report)
        stats.setdefault("passed on the second try", []).append(reports[0])

    def pytest_terminal_summary(self, terminalreporter):
        """Say how many passed on their second try, which these are, and what their first try said."""
        if len(self._failed) > MOST:
            return terminalreporter.write_line(f"{len(self._failed)} tests failed: too many for second tries.")
        for test, reports in self._passed.items():
            terminalreporter.section(f"first try of {test}", sep="_")
            for report in reports:
                terminalreporter.write_line(report.longreprtext)
        tests = "1 test" if len(self._passed) == 1 else f"{len(self._passed) or 'no'} tests"
        terminalreporter.write_line(f"Passed only on their second try: {tests}.")
        for test, reports in self._passed.items():
            terminalreporter.write_line(f"  {test}: {_said(reports[0])}")


def _said(report):
    """Return what a failure said, in a line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else report.longreprtext).strip().partition("\n")[0]

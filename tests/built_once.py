"""What several files of tests look at is built as a teacher does, and once in a run: by whoever needs it first."""

import os
import subprocess
import sys

import pytest
from stored import ROOT


@pytest.fixture(scope="session")
def built_once(tmp_path_factory):
    """Return the folder of a name, the same for all processes of this run. Who comes first builds it; others wait."""
    import fcntl  # which Windows has not

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def folder_of(name, build):
        folder, half = shared / f"{name}_of_all", shared / f"{name}_in_the_making"
        with open(shared / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                build(half)
                half.rename(folder)
        return folder

    return folder_of


@pytest.fixture(scope="session")
def site_folder(built_once):
    """The site."""
    return built_once("site", lambda folder: run("-m", "website", folder))


@pytest.fixture(scope="session")
def kit(built_once):
    """The teacher's kit."""
    return built_once("kit", lambda folder: run("-m", "classroom", folder))


@pytest.fixture(scope="session")
def course_folder(built_once):
    """Make course folders of nbgrader in a home, in which one lesson's exercises are released."""
    from course_folder import CourseFolder, released  # nbgrader takes a second to import

    def made(home):
        return CourseFolder(home, built_once("course", released))

    return made


def run(*command, cwd=None, **variables):
    """Run Python with the tools. In each process sets have an order of their own: PYTHONHASHSEED says which."""
    tools = {"PYTHONPATH": f"{ROOT / 'tools'}{os.pathsep}{ROOT}", "PYTHONHASHSEED": "1"}
    environment = os.environ | tools | variables
    done = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=600, cwd=cwd
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout

"""What several files of tests look at is built once in a run: by the process that needs it first."""

import os

import built
import pytest


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
    return built_once("site", built.site)


@pytest.fixture(scope="session")
def kit(built_once):
    """The teacher's kit."""
    return built_once("kit", built.kit)


@pytest.fixture(scope="session")
def course_folder(built_once):
    """Make course folders of nbgrader in a home, in which one lesson's exercises are released."""
    from course_folder import CourseFolder, released  # nbgrader takes a second to import

    def made(home):
        return CourseFolder(home, built_once("course", released))

    return made

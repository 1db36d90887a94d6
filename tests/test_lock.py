"""Every package is locked: what pyproject.toml names, what that needs in turn, and what is installed here."""

import re
from importlib.metadata import PackageNotFoundError, requires

import lock
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from stored import PROJECT, ROOT

EXTRAS = PROJECT["optional-dependencies"]
TORCH = (ROOT / "tests" / "torch.txt").read_text(encoding="utf-8").strip()
BUILT_ON = {"jupyterlab", "numpy", "scipy", "matplotlib", "ipywidgets"}
both = pytest.mark.parametrize("path", [lock.LEARNERS, lock.EVERYBODYS], ids=lambda path: path.parent.name)


def needed(requirements, extras=frozenset()):
    """Yield each requirement that counts here, and what the packages that it names need in turn."""
    waiting, seen = [(Requirement(each), frozenset(extras)) for each in requirements], set()
    while waiting:
        requirement, extras = waiting.pop()
        name, wanted = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if requirement.marker and not any(requirement.marker.evaluate({"extra": each}) for each in extras | {""}):
            continue
        if name != "mha-course":
            yield name, requirement.specifier
        if (name, wanted) not in seen:
            seen.add((name, wanted))
            waiting += [(Requirement(each), wanted) for each in requires_of(name)]


def requires_of(name):
    try:
        return requires(name) or []
    except PackageNotFoundError:  # torch, if it is left out
        return []


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (lock.LEARNERS, [*PROJECT["dependencies"], *EXTRAS["lab"]]),
        (
            lock.EVERYBODYS,
            [*PROJECT["dependencies"], *EXTRAS["test"], *EXTRAS["hub"], TORCH],
        ),
    ],
    ids=["learners", "everybodys"],
)
def test_a_lock_covers_all_that_is_needed_here(path, wanted):
    versions = lock.locked(path)
    found = [*needed(wanted)]
    assert len(found) > len(wanted)
    assert [name for name, _ in found if name not in versions.keys() | lock.VENVS_OWN] == []
    wrong = [f"{name}{range} is needed, {versions[name]} is locked" for name, range in found
             if name in versions and not range.contains(versions[name], prereleases=True)]  # fmt: skip
    assert wrong == []
    assert path == lock.EVERYBODYS or versions.keys() >= BUILT_ON


def test_nothing_floats_in_this_environment():
    assert len(lock.installed()) > 100
    assert list(lock.differences()) == [], "make .venv/test installs what is locked"


def test_the_two_locks_agree():
    learners, everybodys = lock.locked(lock.LEARNERS), lock.locked(lock.EVERYBODYS)
    assert learners.items() <= everybodys.items()


@both
def test_a_lock_names_one_version_of_each_package_and_no_address(path):
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.match(r"[a-z0-9-]+==[\w.]+( ; [^#]+?)?\s+# via ", line) for line in lines)
    names = [line.partition("==")[0] for line in lines]
    assert len(names) == len(set(names)) > 80
    assert "://" not in text and "@" not in text


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_what_another_system_needs_besides_is_locked_too(system):
    text = lock.LEARNERS.read_text(encoding="utf-8")
    assert {"win32": "colorama==", "darwin": "appnope=="}[system] in text
    assert f"sys_platform == '{system}'" in text

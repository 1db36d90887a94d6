"""The versions that are locked and those that are installed: python tools/lock.py says how they differ."""

from importlib.metadata import distributions
from pathlib import Path
from sysconfig import get_path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
LEARNERS, EVERYBODYS = ROOT / "requirements.txt", ROOT / "tests" / "requirements.txt"
MODEL = ROOT / "tools" / "model.txt"  # pinned by itself
VENVS_OWN = {"pip", "setuptools", "wheel"}  # which a new environment brings along


def locked(path):
    """Return name -> version of each package that a lock wants here: on this system, in this Python."""
    lines = (line.partition("#")[0].partition("--")[0].strip(" \\\n") for line in path.read_text().splitlines())
    wanted = [Requirement(line) for line in lines if line]
    here = [each for each in wanted if each.marker is None or each.marker.evaluate()]
    return {canonicalize_name(each.name): str(each.specifier).removeprefix("==") for each in here}


def installed():
    """Return name -> version of each package in this environment, but for the course itself."""
    # Not all of sys.path: setuptools puts copies of its own there.
    found = {canonicalize_name(each.name): each.version for each in distributions(path=[get_path("purelib")])}
    return {name: version for name, version in found.items() if name not in VENVS_OWN | {"mha-course"}}


def differences():
    """Yield a sentence for each package that is installed in another version than the lock's, or is in no lock."""
    wanted = locked(EVERYBODYS) | locked(MODEL)
    for name, version in sorted(installed().items()):
        if name not in wanted:
            yield f"{name} {version} is in no lock."
        elif Version(version).public != wanted[name]:  # +cpu is the same version, built for less
            yield f"{name} is {version}, locked is {wanted[name]}."


if __name__ == "__main__":
    print("\n".join(differences()) or "Every package is the one that is locked.")

"""What stands around a submission, and around its judge: everything that is not named here does not exist inside.

bubblewrap makes it. A submission sees Python, the course without its answers, and nothing else of this machine: no
files, no network. Its judge, who reads what a submission says, has no more rights than it needs: where root grades, it
becomes a user who owns nothing, one for each submission that is judged at a time.
"""

import os
import platform
import pwd
import shutil
import site
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from itertools import count, islice
from pathlib import Path

from . import limits, syscall_filter
from .graded_course import PACKAGES

HERE = Path(__file__).parent
HOME = Path("/tmp")  # inside; what is written there is gone with the sandbox
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
PREFIXES = ("/usr", "/usr/local")  # where a machine's own Python keeps what is installed for all
ANSWERS = ("lessons", "mistakes")  # parts of a package
SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/alternatives")
DEVICES = {f"/dev/{name}": f"/dev/{name}" for name in ("null", "full", "random", "urandom")}
DEVICES["/dev/zero"] = "/dev/null"  # mapped, it would be memory that nobody sees: see `syscall_filter`
TO_BECOME_NOBODY = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
FIRST_USER = 60_800  # from here on, Debian and systemd give numbers to nobody
COUNTS_BY_SANDBOX = (5, 14)  # the first Linux to count the processes in a sandbox apart from a user's other ones


@cache
def why_not() -> str:
    """Say why no walls can be made here; empty if they can."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed here"
    if not syscall_filter.is_known():
        return f"there is no list of what to forbid on a machine of the kind {platform.machine()}"
    if folder := _too_wide():
        return f"a sandbox would show {folder}, which Python needs and which holds your own files"
    python = [sys.executable, "-c", ""]
    command = [*around_a_judge(0, 1), *around_a_submission(), "--", *python]
    tried = subprocess.run(command, capture_output=True, text=True, env={})
    if not tried.returncode:
        return ""
    as_root = "" if os.geteuid() else "; root cannot give up its rights here, so try it as an ordinary user"
    return f"bubblewrap does not work here ({tried.stderr.strip()}){as_root}"


def around_a_judge(place: int, places: int) -> list[str]:
    """Return the beginning of a command that runs a judge. place: which of those who judge at a time."""
    cores = sorted(os.sched_getaffinity(0))[place::places]
    kept = ["taskset", "--cpu-list", ",".join(map(str, cores))] if cores else []
    return kept + ([] if os.geteuid() else _without_the_rights_of_root(place))


def _without_the_rights_of_root(place: int) -> list[str]:
    user = str(_users(place + 1)[place])
    command = [_bwrap(), "--unshare-ipc", "--unshare-net", "--unshare-uts", "--die-with-parent", "--cap-drop", "ALL"]
    command += [part for capability in TO_BECOME_NOBODY for part in ("--cap-add", capability)]
    command += ["--bind", "/proc", "/proc"]  # a whole one: Linux lets nobody mount another who sees only a part
    command += _seen({path: path for path in _shown()})
    command += ["--remount-ro", "/", "--"]
    rights = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--pdeathsig=keep"]
    return [*command, "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *rights]


def around_a_submission() -> list[str]:
    """Return the beginning of a command that runs a submission: bubblewrap's options can follow, `--` and a program."""
    command = [_bwrap(), "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--proc", "/proc"]
    command += _seen(_shown())
    command += [part for path in _answers() for part in ("--tmpfs", str(path), "--remount-ro", str(path))]
    return [*command, "--chdir", str(HOME), "--remount-ro", "/proc", "--remount-ro", "/"]


def holding_processes() -> list[str]:
    """Return the beginning of a command that can start only so many processes, from the first one on.

    An older Linux would count all that the user runs. There, only `sandbox` looks at how many there are.
    """
    release = tuple(map(int, platform.release().split(".")[:2]))
    return ["prlimit", f"--nproc={limits.TASKS}"] if release >= COUNTS_BY_SANDBOX else []


def packages() -> list[Path]:
    """Return the folders of the course's package and of the engine's, which may be the same."""
    found = (find_spec(name).submodule_search_locations for name in PACKAGES)
    return [Path(next(iter(folders))) for folders in found]


@cache
def _users(number: int) -> list[int]:
    """Return so many users' numbers that belong to nobody on this machine."""
    taken = {account.pw_uid for account in pwd.getpwall()}
    return list(islice((each for each in count(FIRST_USER) if each not in taken), number))


def _bwrap() -> str:
    return shutil.which("bwrap") or "bwrap"


def _seen(shown: dict[Path, Path]) -> list[str]:
    """Return the options that show what is needed, and where. A later mount lies over an earlier one."""
    command = ["--tmpfs", "/dev"]
    command += [part for path, device in DEVICES.items() for part in ("--dev-bind", device, path)]
    command += ["--symlink", "/proc/self/fd", "/dev/fd", "--remount-ro", "/dev"]
    command += ["--size", str(limits.DISK), "--tmpfs", str(HOME)]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    for folder in sorted({parent for inside in shown.values() for parent in inside.parents[:-1]} - {HOME}):
        command += ["--perms", "0755", "--dir", str(folder)]  # a way for all to what lies in a folder of root's
    for path, inside in shown.items():
        command += ["--ro-bind", str(path), str(inside)]
    return command


def _shown() -> dict[Path, Path]:
    """Return what is seen beside the system, and where."""
    shown = {path: path for path in (*map(Path, SETTINGS), *_pythons(), HERE, *packages())} | _caches()
    return {path: inside for path, inside in shown.items() if path.exists()}


def _too_wide() -> Path | None:
    """Return a folder that is seen although the teacher's own files lie in it, as with a Python in the home folder."""
    own = Path.home(), HERE.parent
    shown = (*map(Path, SYSTEM), *_shown())
    return next((path for path in shown if any(each.is_relative_to(path) for each in own)), None)


def _pythons() -> list[Path]:
    """Return the folders of this Python and of what is installed for it."""
    found = {Path(sys.prefix), Path(sys.base_prefix), Path(site.getusersitepackages()), Path(sys.executable).parent}
    found |= {path.resolve() for path in (Path(sys.executable), Path(sys.base_prefix))}
    return sorted(path for path in found if not path.is_relative_to("/usr"))


def _answers() -> list[Path]:
    """Return the folders with answers, of every copy of the course that could be seen."""
    installed = site.getsitepackages([sys.prefix, sys.base_prefix, *PREFIXES])
    found = {*packages(), *(Path(path, name) for path in [*sys.path, *installed] if path for name in PACKAGES)}
    return sorted(path / part for path in found for part in ANSWERS if (path / part).is_dir())


def _caches() -> dict[Path, Path]:
    """Return where that is seen which takes long to make anew: the real model's parameters, and the list of fonts."""
    caches, inside = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"), HOME / ".cache"
    fonts = {path: inside / "matplotlib" / path.name for path in (caches / "matplotlib").glob("fontlist*.json")}
    return fonts | {Path(os.environ.get("MHA_COURSE_MODEL_CACHE") or caches / "mha_course"): inside / "mha_course"}

"""The folder of the model's parameters: converted once to plain arrays, which all kernels of a machine share.

A folder is made under another name and renamed when it is complete, so that nobody meets half of one. Two kernels that
convert at once both do the work, and the first to be ready is kept. `contents.json` is written last; it says how large
each file is and what its bytes sum up to, so that a damaged file is noticed.
"""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import numpy as np

from mha_course.language_model.gguf_file import GGUFFile, packaged_file
from mha_course.language_model.missing_model import NoRoomForModel
from mha_course.language_model.tokens import write_tokenizer

VARIABLE = "MHA_COURSE_MODEL_CACHE"
FOLDER = "SmolLM2-135M-Instruct.Q4_1-1"  # the last number counts the ways in which the folder was ever laid out
CONTENTS, TOKENIZER = "contents.json", "tokenizer.json"
NEEDED = 550_000_000  # bytes
AN_HOUR = 3600.0
TURNS = 20  # more than kernels that meet in the same moment


class Damaged(Exception):
    """The folder is missing, incomplete, or not what was written into it."""


def place() -> Path:
    """Return where the model's folder stands: in MHA_COURSE_MODEL_CACHE, or else among the user's caches."""
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser()
    if sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "mha_course"


def opened(folder: Path) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    """Return the parameters by name, memory-mapped and read-only, and the decoder's sizes.

    Errors: `Damaged` unless everything is as it was written.
    """
    try:
        contents = json.loads((folder / CONTENTS).read_text(encoding="utf-8"))
        for name, expected in contents["files"].items():
            if _measured(folder / name) != expected:
                raise Damaged(f"{name} is not as it was written")
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in contents["arrays"]}
        return {name: array.view(np.ndarray) for name, array in arrays.items()}, contents["sizes"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise Damaged(f"{folder} cannot be read: {error}") from error


def make(base: Path, progress: Callable[[float], None]) -> None:
    """Convert the packaged file into the folder, and replace a damaged one.

    Errors: `ModelMissing` if nothing is installed to convert, `NoRoomForModel` with the reason why it cannot be kept.
    """
    source = packaged_file()
    try:
        base.mkdir(parents=True, exist_ok=True)
        _sweep(base)
        if shutil.disk_usage(base).free < NEEDED:
            raise OSError(f"it needs {NEEDED // 10**6} MB, and less is free")
        temporary = Path(mkdtemp(prefix="making-", dir=base))
        try:
            _convert(GGUFFile(source), temporary, progress)
            _install(temporary, base / FOLDER)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NoRoomForModel(
            f"The model's parameters cannot be kept in {base}: {reason}. Make room there, or name another folder in "
            f"the environment variable {VARIABLE}."
        ) from error


def _convert(file: GGUFFile, folder: Path, progress: Callable[[float], None]) -> None:
    write_tokenizer(file, folder / TOKENIZER)
    written, arrays = 0, []
    for name, shape, parts in file.parameters():
        arrays.append(name)
        with open(folder / f"{name}.npy", "wb") as target:  # not memory-mapped: a full disk is an error, not a crash
            header = {"descr": "<f4", "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(target, header)
            for part in parts:
                written += target.write(np.ascontiguousarray(part, "<f4").data)
            progress(written / NEEDED)
    files = {path.name: _measured(path) for path in sorted(folder.iterdir())}
    contents = {"arrays": arrays, "sizes": file.sizes(), "files": files}
    (folder / CONTENTS).write_text(json.dumps(contents, indent=1), encoding="utf-8")
    folder.chmod(0o755)  # others may read it; mkdtemp makes it private
    progress(1.0)


def _install(made: Path, folder: Path) -> None:
    """Give the new folder its name, unless a good one has it already.

    Another kernel may do the same: between any two lines here it may have taken the name, or moved away who had it.
    """
    with TemporaryDirectory(prefix="making-", dir=folder.parent, ignore_cleanup_errors=True) as aside:
        for turn in range(TURNS):
            try:
                made.rename(folder)
                return
            except OSError:  # something has this name
                if turn == TURNS - 1:
                    raise
            try:
                opened(folder)
                return
            except Damaged:
                with suppress(FileNotFoundError):
                    folder.rename(Path(aside, str(turn)))


def _sweep(base: Path) -> None:
    """Remove what a kernel left that was stopped while it converted."""
    for folder in base.glob("making-*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > AN_HOUR:
                shutil.rmtree(folder, ignore_errors=True)


def _measured(path: Path) -> list[int]:
    """Return a file's size, and the sum of its bytes read as 64-bit whole numbers. It takes about as long as a copy."""
    size = path.stat().st_size
    whole = np.memmap(path, np.uint64, "r", shape=(size // 8,))
    with open(path, "rb") as file:
        file.seek(size // 8 * 8)
        rest = int.from_bytes(file.read(), "little")
    return [size, (int(whole.sum(dtype=np.uint64)) + rest) % 2**64]

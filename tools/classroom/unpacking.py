"""Takes each student's newest notebook out of the zips that a platform made, and says what is left out, and why.

A student's own archive is never opened, and nothing is written under a name that a student chose. It stands by itself:
a course folder of nbgrader's gets a copy.
"""

import re
import stat
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from platform_names import HandedIn, handed_in

MOST_ENTRIES = 20_000  # of one zip
MOST_OF_ONE = 5 * 2**20  # bytes of a notebook
MOST_IN_ALL = 2**30
PIECE = 2**16
OF_A_MAC = "__MACOSX/"
MOST_SHOWN = 120  # characters of a file's name
MOST_LINES = 3  # about one student
ARCHIVES = (".zip", ".gz", ".tgz", ".tar", ".7z", ".rar", ".bz2", ".xz")
HOW = (ZIP_STORED, ZIP_DEFLATED)  # the others give out more than they are asked for
COPY = r" ?[-(]?([0-9]{0,9})\)?\.ipynb"  # what follows the assignment's name; a number if there was one already

NO_ZIP = "It is no zip of a platform, or a damaged one: download it again."
TOO_MANY = f"It has more than {MOST_ENTRIES:,} files: those after them are not looked at."
NOBODYS = "Its name does not say whose it is, or could mean two students."
UNSAFE = "Its name is none that a platform writes, and could lead to another folder."
PACKED = "An archive is not opened: ask for the notebook."
NO_NOTEBOOK = "It is no notebook."
OLDER = "Another file of this student's is newer."
OTHER_NAME = "It is not called {}.ipynb: ask whether it is the one."
TOO_LARGE = f"It is larger than {MOST_OF_ONE // 2**20} MB: ask for it without its outputs."
FULL = f"All notebooks together are larger than {MOST_IN_ALL // 2**20:,} MB."
LOCKED = "It is locked with a password: ask for it without."
UNKNOWN = "It is packed in a way that is not opened here: ask for the notebook."
DAMAGED = "It is damaged: ask for it again."
NOTHING = "Handed in, but nothing collected. Ask these students:"
REST = "Also left out:"


class LeftOut(NamedTuple):
    """A file that is not collected. whose: "" if nobody knows."""

    whose: str
    file: str
    why: str


class _File(NamedTuple):
    archive: ZipFile
    info: ZipInfo
    order: tuple  # of the zips by age, and within a zip
    owner: HandedIn | None

    @property
    def whose(self):
        """Who handed it in: a word that can name a folder."""
        return self.owner and _word(self.owner)


class _Refused(Exception):
    """Why a file is not taken."""


def unpack(folder: Path, into: Path, lesson: str) -> list[LeftOut]:
    """Write each student's newest notebook of a lesson as `into/STUDENT/LESSON.ipynb`; return what is left out."""
    with ExitStack() as opened:
        files, left_out = _all_files(folder, opened)
        attempts = defaultdict(list)
        for file in files:
            if why := _against(file, lesson):
                left_out.append(_told(file, why))
            else:
                attempts[file.whose].append(file)
        for group in attempts.values():
            group.sort(key=lambda file: _age(file, lesson))
            left_out += [_told(older, OLDER) for older in group[:-1]]
        return left_out + list(_written([group[-1] for group in attempts.values()], into, lesson))


def lines(left_out: list[LeftOut], into: Path) -> list[str]:
    """Return what there is to say about it; students of whom nothing was collected come first."""
    collected = {path.name for path in into.iterdir()} if into.exists() else set()
    missing = [each for each in left_out if each.whose and each.whose not in collected]
    rest = [each for each in left_out if each not in missing]
    groups = {NOTHING: missing, REST: rest}
    return [line for title, group in groups.items() if group for line in (title, *_by_student(group))]


def _by_student(left_out: list[LeftOut]) -> Iterator[str]:
    groups = defaultdict(list)
    for each in left_out:
        groups[each.whose].append(each)
    for whose, group in sorted(groups.items()):
        shown = group[:MOST_LINES] if whose else group[: 10 * MOST_LINES]
        yield from (f"  {f'{whose}: ' if whose else ''}{each.file}. {each.why}" for each in shown)
        if more := len(group) - len(shown):
            yield f"  {f'{whose}: ' if whose else ''}{more} more, left out in the same way."


def _all_files(folder: Path, opened: ExitStack) -> tuple[list[_File], list[LeftOut]]:
    files, left_out = [], []
    for path in sorted(folder.iterdir(), key=lambda each: (each.lstat().st_mtime, each.name)):
        try:
            archive = opened.enter_context(ZipFile(path))
        except (BadZipFile, OSError, ValueError, NotImplementedError):
            left_out += [LeftOut("", _shown(path.name), NO_ZIP)] * (not path.name.startswith("."))
            continue
        infos = [each for each in archive.infolist() if not each.is_dir() and not each.filename.startswith(OF_A_MAC)]
        left_out += [LeftOut("", _shown(path.name), TOO_MANY)] * (len(infos) > MOST_ENTRIES)
        files += _files_in(archive, infos[:MOST_ENTRIES], path.stat().st_mtime)
    return files, left_out


def _files_in(archive: ZipFile, infos: list[ZipInfo], age: float) -> list[_File]:
    owners = map(handed_in, _below_one_folder([PurePosixPath(info.filename) for info in infos]))
    return [
        _File(archive, info, (age, number), owner)
        for number, (info, owner) in enumerate(zip(infos, owners, strict=True))
    ]


def _below_one_folder(paths: list[PurePosixPath]) -> list[PurePosixPath]:
    """Leave out a folder that holds everything: a browser unpacked the zip, and somebody packed it again."""
    tops = {path.parts[0] for path in paths if len(path.parts) > 1}
    is_added = len(paths) > 1 and len(tops) == 1 and all(len(path.parts) > 1 for path in paths)
    if is_added and "_assignsubmission_" not in tops.pop():
        return [PurePosixPath(*path.parts[1:]) for path in paths]
    return paths


def _against(file: _File, lesson: str) -> str:
    """Say why a file does not count; empty if nothing is against it."""
    if not _is_safe(file.info):
        return UNSAFE
    if file.owner is None:
        return NOBODYS
    called = file.owner.file.casefold()
    if called.endswith(ARCHIVES):
        return PACKED
    if not called.endswith(".ipynb"):
        return NO_NOTEBOOK
    return "" if _copy_of(lesson, file) else OTHER_NAME.format(lesson)


def _age(file: _File, lesson: str) -> tuple:
    """Return what puts the files of one student in the order in which they were handed in."""
    copy = _copy_of(lesson, file)
    zips_age, place = file.order
    return file.owner.upload, zips_age, int((copy and copy[1]) or 0), place


def _copy_of(lesson: str, file: _File) -> re.Match | None:
    return re.fullmatch(re.escape(lesson) + COPY, unicodedata.normalize("NFC", file.owner.file))


def _is_safe(info: ZipInfo) -> bool:
    name = info.orig_filename
    is_link = stat.S_ISLNK(info.external_attr >> 16)
    is_plain = all(unicodedata.category(sign) != "Cc" for sign in name) and "\\" not in name
    is_below = not name.startswith("/") and ".." not in PurePosixPath(name).parts and not re.match("[A-Za-z]:", name)
    return is_plain and is_below and not is_link


def _written(files: list[_File], into: Path, lesson: str) -> Iterator[LeftOut]:
    """Write notebooks, and yield those that cannot be read to their end."""
    room = MOST_IN_ALL
    for file in files:
        try:
            content = _content(file, room)
            place = into / file.whose
            place.mkdir(parents=True)
            (place / f"{lesson}.ipynb").write_bytes(content)
            room -= len(content)
        except _Refused as refused:
            yield _told(file, str(refused))
        except Exception:  # whatever a damaged file makes of the ways to read it: all others are read
            yield _told(file, DAMAGED)


def _content(file: _File, room: int) -> bytes:
    """Return what is in a file, as far as it really is; what its header says of its size may be wrong."""
    if file.info.flag_bits & 1:
        raise _Refused(LOCKED)
    if file.info.compress_type not in HOW:
        raise _Refused(UNKNOWN)
    content = bytearray()
    with file.archive.open(file.info) as stream:
        while piece := stream.read(PIECE):
            content += piece
            if len(content) > MOST_OF_ONE:
                raise _Refused(TOO_LARGE)
            if len(content) > room:
                raise _Refused(FULL)
    return bytes(content)


def _told(file: _File, why: str) -> LeftOut:
    return LeftOut(file.whose or "", _shown(file.owner.file if file.owner else file.info.filename), why)


def _word(owner: HandedIn) -> str:
    return owner._replace(name=re.sub(r"\W+", "-", unicodedata.normalize("NFC", owner.name))).student


def _shown(name: str) -> str:
    """Return a name that a terminal can show, whatever it holds."""
    return "".join(sign for sign in name[:MOST_SHOWN] if sign.isprintable())

"""Builds what is published of one version: `python -m release FOLDER`.

The package, the website, and the hand-outs for students and for teachers, each one file, with their hashes.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from mha_course import __version__

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"


def undated(changelog: str, version: str) -> str:
    """Say what keeps a version from being released, in a sentence; empty if its changes come first and have a date."""
    first = re.search(r"^## (.*)", changelog, re.MULTILINE)
    if first and re.fullmatch(rf"{re.escape(version)} · \d{{4}}-\d\d-\d\d", first[1]):
        return ""
    begins = f"begins with “{first[1]}”" if first else "is empty"
    return (
        f"This is version {version}, but CHANGELOG.md {begins}: write “## {version} · {date.today()}” over what is "
        "new, or set another version in mha_course/_version.py and CITATION.cff."
    )


def pack(folder: Path, archive: Path, top: str = "") -> None:
    """Put all files of a folder into a zip, hidden ones too. top: the folder that holds them there."""
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            packed.write(path, Path(top, path.relative_to(folder)))


def sum_up(folder: Path) -> None:
    """Write the hashes of all files in a folder, as sha256sum reads them."""
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}
    (folder / SUMS).write_text("".join(f"{found}  {name}\n" for name, found in hashes.items()), encoding="utf-8")


def build(folder: Path) -> None:
    """Build everything anew into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    name = f"mha_course-{__version__}"
    with TemporaryDirectory() as work:
        site, kit = Path(work, "site"), Path(work, "kit")
        for tool, built in (("website", site), ("classroom", kit)):
            subprocess.run([sys.executable, "-m", tool, built], check=True)
        (wheel,) = site.rglob("mha_course-*.whl")  # which the live notebooks run
        shutil.copy(wheel, folder)
        pack(site, folder / f"{name}-site.zip")
        pack(kit / "student", folder / f"{name}-students.zip", top="attention_lessons")
        pack(kit, folder / f"{name}-teachers.zip", top=name)
    sum_up(folder)


def main(folder: Path) -> None:
    """Build, unless the version is not ready; say what is there."""
    if why := undated((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), __version__):
        sys.exit(why)
    build(folder)
    print(f"Version {__version__} is in {folder}:")
    print(*(f"  {path.name}  {path.stat().st_size / 1e6:.1f} MB" for path in sorted(folder.iterdir())), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

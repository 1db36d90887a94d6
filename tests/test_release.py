"""A release: a version whose changes have a date, each part in one file, and the hashes of all."""

from hashlib import sha256
from zipfile import ZipFile

import pytest
import release
from stored import ROOT

from mha_course import __version__


@pytest.mark.parametrize(
    ("changelog", "told"),
    [
        ("# Changelog\n\n## 1.2.0 · 2026-03-04\n\n- new\n\n## 1.1.0 · 2026-01-02\n", ""),
        ("# Changelog\n\n## Not released yet\n\n- new\n\n## 1.2.0 · 2026-03-04\n", "begins with “Not released yet”"),
        ("# Changelog\n\n## 1.2.0\n\n- new\n", "begins with “1.2.0”"),
        ("# Changelog\n\n## 1x2.0 · 2026-03-04\n", "begins with “1x2.0 · 2026-03-04”"),
        ("# Changelog\n", "is empty"),
    ],
)
def test_only_a_version_whose_changes_come_first_and_have_a_date_is_released(changelog, told):
    said = release.undated(changelog, "1.2.0")
    assert bool(said) == bool(told) and told in said and "\n" not in said


def test_the_changelog_begins_with_what_is_new_or_with_this_version():
    said = release.undated((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), __version__)
    assert not said or "begins with “Not released yet”" in said


def test_a_folder_is_packed_with_its_hidden_files_and_its_hashes_hold(tmp_path):
    handout, folder = tmp_path / "handout", tmp_path / "release"
    (handout / "inside").mkdir(parents=True)
    folder.mkdir()
    (handout / ".gitignore").write_text("my_progress*\n")
    (handout / "inside" / "lesson.ipynb").write_text("{}")
    release.pack(handout, folder / "handout.zip", top="lessons")
    release.pack(handout, folder / "site.zip")
    release.sum_up(folder)
    names = {"lessons/.gitignore", "lessons/inside/lesson.ipynb"}
    assert names <= set(ZipFile(folder / "handout.zip").namelist())
    assert "inside/lesson.ipynb" in ZipFile(folder / "site.zip").namelist()
    sums = dict(reversed(line.split("  ")) for line in (folder / release.SUMS).read_text().splitlines())
    assert sums == {name: sha256((folder / name).read_bytes()).hexdigest() for name in ("handout.zip", "site.zip")}

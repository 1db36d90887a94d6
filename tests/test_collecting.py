"""nbgrader, run for real, collects what Canvas and Moodle export, and nobody configures anything."""

import json
import shutil
import unicodedata
import zipfile

import pytest
from classroom.cells import has_tag
from course_folder import CourseFolder, read

LESSON = "03_scaled_scores"

CANVAS = {  # name in the zip -> what the student wrote
    "doejane_12345_67890_03_scaled_scores.ipynb": "Jane",
    "doejane_12399_67891_03_scaled_scores.ipynb": "another Jane",
    "müllerjörg_777_9999_03_scaled_scores.ipynb": "Jörg, first",
    "müllerjörg_LATE_777_10001_03_scaled_scores-1.ipynb": "Jörg, second",
    "o-neillmary-ann_LATE_4_51_03_scaled_scores-9.ipynb": "Mary-Ann, ninth",
    "o-neillmary-ann_LATE_4_51_03_scaled_scores-10.ipynb": "Mary-Ann, tenth",
    unicodedata.normalize("NFD", "ångströmlé_8_91_03_scaled_scores.ipynb"): "Lé, zipped on a Mac",
    "poealan_late_5_61_03_scaled_scores (1).ipynb": "Alan, whose browser had one already",
    "roerick_6_71_04_softmax.ipynb": "another lesson",
    "roerick_6_72_thoughts.pdf": "no notebook",
}
FROM_CANVAS = {
    "doejane_12345": "Jane",
    "doejane_12399": "another Jane",
    "müllerjörg_777": "Jörg, second",
    "o-neillmary-ann_4": "Mary-Ann, tenth",
    "ångströmlé_8": "Lé, zipped on a Mac",
    "poealan_5": "Alan, whose browser had one already",
}

MOODLE = {
    "Jane Doe_12345_assignsubmission_file_/03_scaled_scores.ipynb": "Jane",
    "Jane Doe_12399_assignsubmission_file/03_scaled_scores.ipynb": "another Jane",
    "Jörg von Müller_777_assignsubmission_file_03_scaled_scores.ipynb": "Jörg",
    "Group 2_1-Mary-Ann O'Neill_4_assignsubmission_file_/my folder/03_scaled_scores.ipynb": "Mary-Ann, first",
    "Group 2_1-Mary-Ann O'Neill_4_assignsubmission_file_/my folder/03_scaled_scores (2).ipynb": "Mary-Ann, second",
    "Group 2_1-Mary-Ann O'Neill_4_assignsubmission_file_/.ipynb_checkpoints/03_scaled_scores-checkpoint.ipynb": "old",
    "Group 2_1-Mary-Ann O'Neill_4_assignsubmission_onlinetext_/onlinetext.html": "no notebook",
}
FROM_MOODLE = {
    "Jane-Doe_12345": "Jane",
    "Jane-Doe_12399": "another Jane",
    "Jörg-von-Müller_777": "Jörg",
    "Group-2_1-Mary-Ann-O-Neill_4": "Mary-Ann, second",
}

PLATFORMS = {
    "canvas": ("submissions.zip", CANVAS, FROM_CANVAS),
    "moodle": ("PY_2024_10_Lesson 3-4711.zip", MOODLE, FROM_MOODLE),
}


@pytest.fixture(scope="module")
def course_folder(tmp_path_factory):
    return CourseFolder(tmp_path_factory.mktemp("collecting"), LESSON)


@pytest.fixture
def course(course_folder):
    """A course folder into which nothing came back yet."""
    for name in ("downloaded", "submitted"):
        shutil.rmtree(course_folder.folder / name, ignore_errors=True)
    return course_folder


def put_zip(course, name, files):
    """Download a zip to where nbgrader looks for it, with notebooks in which a stub says who wrote it."""
    archive = course.folder / "downloaded" / LESSON / "archive" / name
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w") as zipped:
        for path, text in files.items():
            notebook = read(course.path("release"))
            stub(notebook).source = text
            zipped.writestr(path, json.dumps(notebook) if path.endswith(".ipynb") else text)


def stub(notebook):
    return next(cell for cell in notebook.cells if has_tag(cell, "stub"))


def collected(course):
    """Return what was collected: student -> what the student wrote."""
    submitted = course.folder / "submitted"
    paths = [path for path in submitted.rglob("*") if path.is_file()]
    assert all(path.parts[-2:] == (LESSON, f"{LESSON}.ipynb") for path in paths)
    return {path.relative_to(submitted).parts[0]: stub(read(path)).source for path in paths}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_platforms_zip_is_collected_newest_attempt_first_and_what_is_left_out_is_named(course, platform):
    name, files, expected = PLATFORMS[platform]
    put_zip(course, name, files)
    skipped = [line for line in course.run("zip_collect").splitlines() if "Skipped" in line]
    assert collected(course) == expected
    left_out = {path for path, text in files.items() if text not in expected.values()}
    assert {path for path in files if any(path in line for line in skipped)} == left_out


def test_a_second_download_replaces_the_first_and_can_be_graded(course):
    put_zip(course, "submissions.zip", {"Jörg von Müller_777_assignsubmission_file_/03_scaled_scores.ipynb": "first"})
    course.run("zip_collect")
    put_zip(course, "submissions.zip", {"Jörg von Müller_777_assignsubmission_file_/03_scaled_scores.ipynb": "2 + 2"})
    course.run("zip_collect", "--force")
    assert collected(course) == {"Jörg-von-Müller_777": "2 + 2"}
    course.run("autograde")
    assert stub(read(course.path("autograded", "Jörg-von-Müller_777"))).source == "2 + 2"

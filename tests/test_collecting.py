"""nbgrader, run for real, collects what Canvas and Moodle export, and nobody configures anything."""

import io
import json
import unicodedata
import zipfile

import pytest
from classroom.cells import has_tag
from course_folder import LESSON, read

pytestmark = [pytest.mark.world, pytest.mark.slow]
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

OLDER = "Another file of this student's is newer."
OTHER_NAME = f"It is not called {LESSON}.ipynb: ask whether it is the one."
MARY_ANN = "Group-2_1-Mary-Ann-O-Neill_4"
LEFT_OUT = {
    "canvas": [
        f"müllerjörg_777: {LESSON}.ipynb. {OLDER}",
        f"o-neillmary-ann_4: {LESSON}-9.ipynb. {OLDER}",
        "roerick_6: thoughts.pdf. It is no notebook.",
        f"roerick_6: 04_softmax.ipynb. {OTHER_NAME}",
    ],
    "moodle": [
        f"{MARY_ANN}: {LESSON}-checkpoint.ipynb. {OTHER_NAME}",
        f"{MARY_ANN}: onlinetext.html. It is no notebook.",
        f"{MARY_ANN}: {LESSON}.ipynb. {OLDER}",
    ],
}

PLATFORMS = {
    "canvas": ("submissions.zip", CANVAS, FROM_CANVAS),
    "moodle": ("PY_2024_10_Lesson 3-4711.zip", MOODLE, FROM_MOODLE),
}


@pytest.fixture
def course(course_folder, tmp_path):
    """A course folder into which nothing came back yet."""
    return course_folder(tmp_path)


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
    told = course.run("zip_collect").splitlines()
    assert collected(course) == expected
    named = [line.strip() for line in told if line.startswith("  ")]
    assert sorted(named) == sorted(LEFT_OUT[platform])


def test_a_second_download_replaces_the_first_and_can_be_graded(course):
    put_zip(course, "submissions.zip", {"Jörg von Müller_777_assignsubmission_file_/03_scaled_scores.ipynb": "first"})
    course.run("zip_collect")
    put_zip(course, "submissions.zip", {"Jörg von Müller_777_assignsubmission_file_/03_scaled_scores.ipynb": "2 + 2"})
    course.run("zip_collect", "--force")
    assert collected(course) == {"Jörg-von-Müller_777": "2 + 2"}
    course.run("autograde")
    assert stub(read(course.path("autograded", "Jörg-von-Müller_777"))).source == "2 + 2"


def a_zip(files):
    """Return the bytes of a student's own zip."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as zipped:
        for name, text in files.items():
            zipped.writestr(name, text)
    return content.getvalue()


NOTES = a_zip({"doejane_12345_99999_03_scaled_scores.ipynb": "{}", "smithsam_20_1_03_scaled_scores.ipynb": "{}"})
NAMED = "03_scaled_scores.ipynb"
LARGE = b" " * 11 * 2**20
HOSTILE = {  # what stands in the zip -> its content, what its header says, and what the teacher reads
    "roerick_6_71_notes.zip": (NOTES, {}, "roerick_6: notes.zip. An archive is not opened"),
    f"evea_30_72_x_12345_assignsubmission_file_{NAMED}": ("{}", {}, "or could mean two students."),
    f"evea_30_73_x_12345_assignsubmission_file_/{NAMED}": ("{}", {}, "or could mean two students."),
    f"evea_30_74_sub/doejane_12345_99999_{NAMED}": ("{}", {}, "does not say whose it is"),
    f"../../submitted/doejane_12345/{LESSON}/{NAMED}": ("{}", {}, "could lead to another folder."),
    f"/tmp/doejane_12345_99998_{NAMED}": ("{}", {}, "could lead to another folder."),
    f"C:doejane_12345_99997_{NAMED}": ("{}", {}, "could lead to another folder."),
    f"doejane_12345_99996_\x1b[2J\n{NAMED}": ("{}", {}, "could lead to another folder."),
    f"linkl_31_75_{NAMED}": ("/etc/passwd", {"external_attr": 0o120777 << 16}, "could lead to another folder."),
    f"largel_32_76_{NAMED}": (LARGE, {}, "largel_32: 03_scaled_scores.ipynb. It is larger than 5 MB"),
    f"lyingl_33_77_{NAMED}": (LARGE, {"file_size": 9}, "lyingl_33: 03_scaled_scores.ipynb. It is damaged"),
    f"tornt_34_78_{NAMED}": ("{}", {"CRC": 7}, "tornt_34: 03_scaled_scores.ipynb. It is damaged"),
    f"lockedl_35_79_{NAMED}": ("{}", {"flag_bits": 1}, "lockedl_35: 03_scaled_scores.ipynb. It is locked"),
    f"oddo_36_80_{NAMED}": ("{}", {"compress_type": 12}, "oddo_36: 03_scaled_scores.ipynb. It is packed in a way"),
    f"farf_37_81_{NAMED}": ("{}", {"header_offset": 10**8}, "farf_37: 03_scaled_scores.ipynb. It is damaged"),
    **{f"manym_38_{number}_n.zip": (NOTES, {}, "manym_38: 22 more") for number in range(100, 125)},
    f"longl_39_82_03_scaled_scores-{'9' * 5000}.ipynb": ("{}", {}, "longl_39: 03_scaled_scores-999"),
    f"{'n' * 300}_40_83_{NAMED}": ("{}", {}, "_40: 03_scaled_scores.ipynb. It is damaged"),
}


def test_a_bad_file_stops_nobody_and_no_student_reaches_anothers_place(course):
    put_zip(course, "submissions.zip", CANVAS)
    archive = course.folder / "downloaded" / LESSON / "archive"
    with zipfile.ZipFile(archive / "submissions.zip", "a", zipfile.ZIP_DEFLATED) as zipped:
        for name, (content, says, _) in HOSTILE.items():
            zipped.writestr(name, content)
            for what, value in says.items():
                setattr(zipped.filelist[-1], what, value)
    whole = (archive / "submissions.zip").read_bytes()
    (archive / "cut.zip").write_bytes(whole[: len(whole) // 2])
    (archive / "no.zip").write_bytes(b"no zip")
    (archive / "sheet.csv.gz").write_bytes(b"no archive either")
    (archive / "doejane_12345_99995_03_scaled_scores.ipynb").write_text("{}", encoding="utf-8")
    (archive / "a folder").mkdir()
    told = course.run("zip_collect")
    assert collected(course) == FROM_CANVAS
    extracted = course.folder / "downloaded" / LESSON / "extracted"
    assert {path.name for path in extracted.iterdir()} == FROM_CANVAS.keys()
    for _, _, words in HOSTILE.values():
        assert words in told
    for name in ("cut.zip", "no.zip", "sheet.csv.gz", "doejane_12345_99995_03_scaled_scores.ipynb", "a folder"):
        assert f"{name}. It is no zip of a platform" in told
    first, rest = told.index("nothing collected. Ask these students:"), told.index("Also left out:")
    assert first < told.index("roerick_6: notes.zip") < rest < told.index("müllerjörg_777: 03_scaled_scores.ipynb")
    assert "Traceback" not in told and "\x1b[2J" not in told


def test_a_zip_that_was_unpacked_and_packed_again_is_collected(course):
    put_zip(course, "submissions.zip", {f"PY_2024_10_Lesson 3/{name}": text for name, text in MOODLE.items()})
    course.run("zip_collect")
    assert collected(course) == FROM_MOODLE

"""The learner's file: nothing is lost by two writers at once, a damaged line, a full or a locked folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mha_course.learner import progress
from mha_course.learner.progress import Progress

MINE = Progress()
notices, record, recorded, set_aside = MINE.notices, MINE.record, MINE.recorded, MINE.set_aside

GOOD = b'{"kind": "solved", "name": "a", "value": 1}\n'
OTHER = b'{"kind": "solved", "name": "b", "value": [2, null]}\n'
DAMAGED = {
    "no JSON": b"solved a\n",
    "a line cut short": b'{"kind": "solved", "na',
    "a list": b"[1, 2]\n",
    "no value": b'{"kind": "solved", "name": "c"}\n',
    "a name that is no text": b'{"kind": "solved", "name": 3, "value": 1}\n',
    "no UTF-8": b'{"kind": "solved", "name": "\xff", "value": 1}\n',
    "zeros": b"\x00" * 512 + b"\n",
    "deeply nested": b"[" * 100_000 + b"\n",
}
WRITER = """
import sys
from mha_course.learner.progress import Progress
record = Progress().record
for number in range(100):
    record("solved", f"{sys.argv[1]}.{number}", "x" * (number * 37 % 500))
"""


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    """A place for a file of its own."""
    monkeypatch.setenv("MHA_COURSE_PROGRESS", str(tmp_path / "beside" / "mine.jsonl"))
    yield tmp_path / "beside" / "mine.jsonl"
    progress._unsaved.clear()
    notices()


def write(file, data):
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)


def python(code, *arguments, **options):
    return subprocess.Popen([sys.executable, "-c", code, *arguments], **options)


def test_what_is_recorded_is_there_again_and_kinds_stay_apart():
    record("solved", "a", 1)
    record("predicted", "a", {"answer": "é\n", "why": None})
    assert recorded("solved") == {"a": 1}
    assert recorded("predicted") == {"a": {"answer": "é\n", "why": None}}


def test_the_last_event_wins_and_none_clears():
    for value in (1, 2):
        record("answered", "a", value)
    record("answered", "b", 0)
    assert recorded("answered") == {"a": 2, "b": 0}
    record("answered", "a", None)
    assert recorded("answered") == {"b": 0}


def test_nothing_recorded_is_no_file_and_no_error(file):
    assert recorded("solved") == {} and notices() == [] and not file.exists()


def test_another_process_sees_it():
    record("solved", "a", 1)
    code = "from mha_course.learner.progress import Progress; print(Progress().recorded('solved'))"
    assert python(code, stdout=subprocess.PIPE, text=True).communicate(timeout=60)[0] == "{'a': 1}\n"


def test_several_processes_writing_at_once_lose_nothing(file):
    writers = [python(WRITER, str(number)) for number in range(4)]
    while any(writer.poll() is None for writer in writers):  # a reader meanwhile finds nothing wrong
        recorded("solved")
    assert [writer.wait(60) for writer in writers] == [0] * 4
    assert len(recorded("solved")) == 400
    assert notices() == [] and set_aside() == []


def test_several_processes_writing_while_the_file_is_mended_again_and_again_lose_nothing(file):
    writers = [python(WRITER, str(number)) for number in range(3)]
    while any(writer.poll() is None for writer in writers):
        if file.exists():
            with open(file, "ab") as damaging:
                damaging.write(b"\n?\n")
        recorded("solved")
    assert [writer.wait(60) for writer in writers] == [0] * 3
    assert len(recorded("solved")) == 300
    assert set_aside() != []


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("at", ["beginning", "middle", "end"])
def test_a_damaged_line_is_set_aside_and_all_others_stay(file, damage, at):
    whole = {"beginning": damage + b"\n" + GOOD + OTHER, "middle": GOOD + damage + b"\n" + OTHER}
    write(file, whole.get(at, GOOD + OTHER + damage))
    before = file.read_bytes()
    assert recorded("solved") == {"a": 1, "b": [2, None]}
    (aside,) = set_aside()
    assert aside.name == "mine.damaged-1.jsonl" and aside.read_bytes() == before
    assert file.read_bytes() == GOOD + OTHER
    assert notices() == [
        "mine.jsonl had 1 damaged line. The whole file is kept as mine.damaged-1.jsonl; its 2 other lines "
        "count as before."
    ]
    assert recorded("solved") == {"a": 1, "b": [2, None]} and notices() == []


def test_a_second_damage_gets_a_name_of_its_own(file):
    for _ in range(3):
        write(file, GOOD + b"?\n")
        recorded("solved")
    assert [path.name for path in set_aside()] == [f"mine.damaged-{number}.jsonl" for number in (1, 2, 3)]


def test_a_disk_that_knows_no_second_names_keeps_a_copy(file, monkeypatch):
    def refuse(*names):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)
    for _ in range(2):
        write(file, GOOD + b"?\n")
        assert recorded("solved") == {"a": 1}
    assert [path.read_bytes() for path in set_aside()] == [GOOD + b"?\n"] * 2


def test_what_another_notebook_writes_while_the_file_is_mended_is_not_lost(file, monkeypatch):
    write(file, GOOD + b"?\n")
    replace = os.replace

    def slowly(fresh, path):
        with open(path, "ab") as late:
            late.write(OTHER)
        replace(fresh, path)

    monkeypatch.setattr(os, "replace", slowly)
    recorded("solved")
    assert recorded("solved") == {"a": 1, "b": [2, None]}


def test_a_file_that_was_replaced_while_it_was_written_to_is_written_to_again(file, monkeypatch):
    write(file, GOOD)
    write_to, times = os.write, []

    def replaced(descriptor, data):
        written = write_to(descriptor, data)
        if not times:
            (file.parent / "new").write_bytes(OTHER)
            os.replace(file.parent / "new", file)
        times.append(1)
        return written

    monkeypatch.setattr(os, "write", replaced)
    record("solved", "c", 3)
    assert recorded("solved") == {"b": [2, None], "c": 3} and len(times) == 2


def test_a_last_line_without_an_end_is_no_damage(file):
    write(file, (GOOD + OTHER).rstrip())
    record("solved", "c", 3)
    assert file.read_bytes().splitlines()[:2] == (GOOD + OTHER).splitlines()
    assert recorded("solved") == {"a": 1, "b": [2, None], "c": 3} and notices() == []


def test_a_line_that_is_just_being_written_is_waited_for(file, monkeypatch):
    write(file, GOOD + OTHER[:20])
    monkeypatch.setattr(progress.time, "sleep", lambda seconds: write(file, GOOD + OTHER))
    assert recorded("solved") == {"a": 1, "b": [2, None]} and notices() == [] and set_aside() == []


def test_what_an_editor_on_windows_does_to_the_file_is_no_damage(file):
    write(file, b"\xef\xbb\xbf" + (GOOD + OTHER).replace(b"\n", b"\r\n") + b"\r\n")
    assert recorded("solved") == {"a": 1, "b": [2, None]} and notices() == []


def test_kinds_and_names_of_another_version_are_kept(file):
    foreign = b'{"kind": "dreamt", "name": "?", "value": {"x": 1}, "more": true}\n'
    write(file, foreign + b"?\n")
    record("solved", "a", 1)
    assert recorded("dreamt") == {"?": {"x": 1}}
    assert file.read_bytes().splitlines() == [foreign.rstrip(), GOOD.rstrip()]


def test_where_nothing_can_be_written_a_notice_says_so_and_the_event_counts_on(file, monkeypatch):
    def refuse(path, *rest):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        for _ in range(2):
            record("solved", "a", 1)
        assert recorded("solved") == {"a": 1} and not file.exists()
        assert notices() == [
            f"What you did could not be saved in {file}: Permission denied. It counts until the kernel ends."
        ]
    record("solved", "b", 2)  # and is written as soon as that is possible
    assert [json.loads(line)["name"] for line in file.read_bytes().splitlines()] == ["a", "a", "b"]


def test_a_path_that_is_a_folder_or_lies_below_a_file_gives_notices(file, monkeypatch):
    file.mkdir(parents=True)
    record("solved", "a", 1)
    assert recorded("solved") == {"a": 1}
    assert [("could not be saved" in told, "could not be read" in told) for told in notices()] == [
        (True, False),
        (False, True),
    ]
    (file.parent / "text").touch()
    monkeypatch.setenv("MHA_COURSE_PROGRESS", str(file.parent / "text" / "mine.jsonl"))
    record("solved", "b", 1)
    assert len(recorded("solved")) == 2 and len(notices()) >= 1


def test_a_damaged_file_in_a_folder_that_cannot_be_written_counts_all_the_same(file, monkeypatch):
    def refuse(*names):
        raise PermissionError(13, "Permission denied")

    write(file, GOOD + b"?\n")
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert recorded("solved") == {"a": 1}
    assert notices() == [
        "mine.jsonl had 1 damaged line. The file could not be mended: Permission denied. "
        "Its other lines count all the same."
    ]
    assert file.read_bytes() == GOOD + b"?\n"


def test_a_disk_that_takes_only_a_part_loses_nothing(file, monkeypatch):
    write_to = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: write_to(descriptor, data[:9]))
        record("solved", "a", 1)
        assert "took only a part" in notices()[0]
    record("solved", "b", 2)
    assert recorded("solved") == {"a": 1, "b": 2}


def test_without_a_setting_the_file_stands_where_the_kernel_started(tmp_path):
    code = "from mha_course.learner.progress import *; os.chdir('/'); Progress().record('solved', 'a', 1)"
    environment = {key: value for key, value in os.environ.items() if key != "MHA_COURSE_PROGRESS"}
    assert python(code, cwd=tmp_path, env=environment).wait(60) == 0
    assert (tmp_path / "my_progress.jsonl").read_bytes() == GOOD


def test_git_ignores_the_file():
    ignored = (Path(__file__).parents[1] / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "my_progress*" in ignored

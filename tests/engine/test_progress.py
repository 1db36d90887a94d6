"""The learner's file: every event is kept, whoever else writes, whatever is damaged, full or locked."""

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from stored import ROOT
from toy.course import SIGNALS

from mha_course.engine.progress import shared_file
from mha_course.engine.progress.event import Event
from mha_course.engine.progress.progress import Progress
from mha_course.engine.progress.progress_lines import to_line

A = to_line(Event("2026-03-02T10:00:00+00:00", "a", 1, "right"))
B = A.replace(b'"a"', b'"b"')
C = A.replace(b'"a"', b'"c"')
DAMAGED = {
    "no JSON": b"right a\n",
    "a line cut short": A[:40],
    "a list": b"[1, 2]\n",
    "an event without a name": A.replace(b'"name": "a", ', b""),
    "a name that is no text": A.replace(b'"a"', b"3"),
    "an attempt that is no number": A.replace(b": 1,", b': "1",'),
    "an answer that no question has": A.replace(b"null", b"{}"),
    "a kind of old line that there never was": b'{"kind": "dreamt", "name": "c", "value": 1}\n',
    "no UTF-8": A.replace(b'"a"', b'"\xff"'),
    "zeros": b"\x00" * 512 + b"\n",
    "deeply nested": b"[" * 100_000 + b"\n",
}
KERNEL = """
import sys
from mha_course.engine.progress.progress import Progress
from toy.course import SIGNALS
progress = Progress(SIGNALS)
print("started", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    progress.record("mistake", "shared", mistakes=[f"{sys.argv[1]}.{number}", "x" * (number * 37 % 500)])
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A place for a file of its own, in a folder that is not there yet."""
    monkeypatch.setenv("TOY_PROGRESS", str(tmp_path / "beside" / "mine.jsonl"))
    return tmp_path / "beside" / "mine.jsonl"


@pytest.fixture
def progress(file):
    return Progress(SIGNALS)


def write(file, data):
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)


def python(code, *arguments, **options):
    environment = options.pop("env", os.environ) | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], env=environment, **options)


def names(progress):
    return [event.name for event in progress.events()]


# What is kept


def test_five_wrong_answers_and_a_right_one_are_six_events(progress):
    for headline in ["The scale is missing."] * 5:
        progress.record("mistake", "scaled_scores.scaled", mistakes=[headline])
    progress.record("right", "scaled_scores.scaled")
    events = progress.events()
    assert [event.attempt for event in events] == [1, 2, 3, 4, 5, 6]
    assert [event.mistakes for event in events] == [("The scale is missing.",)] * 5 + [()]
    assert progress.solved() == {"scaled_scores.scaled"}


def test_an_event_says_when_it_was_in_utc_and_to_the_second(progress):
    progress.record("right", "a")
    (event,) = progress.events()
    time = datetime.fromisoformat(event.time)
    assert time.utcoffset() == timedelta(0) and time.microsecond == 0
    assert abs(datetime.now(UTC) - time) < timedelta(minutes=1)


def test_what_is_kept_is_read_again_as_it_was(file, progress):
    progress.record("mistake", "a", mistakes=["Keys and queries are exchanged.", "é"])
    progress.record("predicted", "b", answer=["√d_k", "one"])
    progress.record("answered", "c", answer="8")
    progress.record("predicted", "d", answer=-2.5)
    assert Progress(SIGNALS).events() == progress.events()
    assert [event.answer for event in progress.events()] == [None, ["√d_k", "one"], "8", -2.5]
    assert len(file.read_bytes().splitlines()) == 4


def test_the_last_answer_counts_and_a_cleared_one_is_an_event_too(progress):
    for answer in ("8", "4"):
        progress.record("answered", "a", answer=answer)
    progress.record("answered", "b", answer=0)
    assert progress.answers() == {"a": "4", "b": 0}
    progress.record("answered", "a")
    assert progress.answers() == {"b": 0}
    assert [(event.attempt, event.answer) for event in progress.events() if event.name == "a"] == [
        (1, "8"),
        (2, "4"),
        (3, None),
    ]


def test_who_was_right_once_has_solved_it(progress):
    for kind in ("difference", "right", "mistake"):
        progress.record(kind, "a")
    progress.record("mistake", "b")
    assert progress.solved() == {"a"}


def test_a_note_comes_back_and_is_no_event(file, progress):
    progress.record("predicted", "a", answer="up")
    progress.note("a", "Because é\nof this.")
    assert progress.notes() == {"a": "Because é\nof this."}
    assert [event.kind for event in progress.events()] == ["predicted"]
    kinds = [json.loads(line)["kind"] for line in file.read_bytes().splitlines()]
    assert kinds == ["predicted", "note"]  # whoever collects events can leave it out


def test_a_note_goes_with_its_answer(progress):
    for name in ("a", "b"):
        progress.record("predicted", name, answer="up")
        progress.note(name, "So it is.")
    progress.record("predicted", "a")
    progress.note("b", "")
    assert progress.notes() == {}


def test_nothing_kept_is_no_file_and_no_error(file, progress):
    assert progress.events() == [] and progress.notices() == [] and not file.exists()


# Several kernels


def kernels(number, events):
    """Start kernels that write when they are all there."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    started = [python(KERNEL, str(each), str(events), **pipes) for each in range(number)]
    for kernel in started:
        assert kernel.stdout.readline() == b"started\n"
    for kernel in started:
        kernel.stdin.write(b"\n")
        kernel.stdin.close()
    return started


def ended(kernels):
    return all(kernel.poll() is not None for kernel in kernels)


def is_all_there(progress, kernels, events):
    written = [event for event in progress.events() if event.name == "shared"]
    assert {kernel.wait() for kernel in kernels} == {0}
    expected = {f"{kernel}.{number}" for kernel in range(len(kernels)) for number in range(events)}
    assert Counter(event.mistakes[0] for event in written) == Counter(expected)
    assert [event.attempt for event in written] == list(range(1, len(expected) + 1))


def test_another_kernel_goes_on_counting(progress):
    progress.record("mistake", "shared", mistakes=["mine"])
    (kernel,) = kernels(1, 2)
    assert kernel.wait(60) == 0
    progress.record("right", "shared")
    assert [event.attempt for event in progress.events()] == [1, 2, 3, 4]


def test_several_kernels_at_once_lose_nothing_and_number_every_attempt_once(progress):
    writing = kernels(4, 50)
    while not ended(writing):  # a reader meanwhile finds nothing wrong
        progress.events()
    is_all_there(progress, writing, 50)
    assert progress.notices() == []


def test_several_kernels_lose_nothing_while_the_file_is_damaged_again_and_again(file, progress):
    writing = kernels(8, 30)
    injected = 0
    while not ended(writing):
        if file.exists():
            for damage in (b"\n?\n", A[:40], b"\x00" * 9, b"?\n"):
                with open(file, "ab") as damaging:  # without waiting for its turn
                    damaging.write(damage)
                injected += 1
        progress.events()
    is_all_there(progress, writing, 30)
    assert injected >= 5 and "could not be read" in progress.notices()[0]


# Damage


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("at", ["beginning", "middle", "end"])
def test_a_damaged_line_stays_where_it_is_and_all_others_count(file, progress, damage, at):
    whole = {"beginning": damage + b"\n" + A + B, "middle": A + damage + b"\n" + B, "end": A + B + damage}[at]
    write(file, whole)
    assert names(progress) == ["a", "b"]
    assert progress.notices() == [
        f"1 line of {file} could not be read. Nothing there is changed, and every other line counts."
    ]
    progress.record("right", "a")
    assert names(progress) == ["a", "b", "a"] and progress.events()[-1].attempt == 2
    assert file.read_bytes().startswith(whole)
    assert [path.name for path in file.parent.iterdir()] == ["mine.jsonl"]


def test_damage_is_told_once_and_again_when_there_is_more(file, progress):
    write(file, A + b"?\n")
    for _ in range(3):
        progress.record("right", "a")
    assert len(progress.notices()) == 1
    progress.record("right", "a")
    assert progress.notices() == []
    with open(file, "ab") as damaging:
        damaging.write(b"?\n?\n")
    assert names(progress) == ["a"] * 5
    assert [notice.partition(" of ")[0] for notice in progress.notices()] == ["3 lines"]


@pytest.mark.parametrize("end", [b"", b"\x00\x00"])
def test_a_last_line_without_an_end_takes_no_other_with_it(file, progress, end):
    write(file, A + B.rstrip() + end)
    progress.record("right", "c")
    assert file.read_bytes().splitlines()[-1].startswith(b'{"time": ')
    assert names(progress) == (["a", "b", "c"] if not end else ["a", "c"])


def test_an_event_counts_even_if_somebody_left_the_line_before_it_without_an_end(file, progress):
    write(file, A.rstrip() + B + b"?" + A + b'{"ti' + C + B[:-9])
    assert names(progress) == ["a", "b", "a", "c"]


def test_what_an_editor_on_windows_does_to_the_file_is_no_damage(file, progress):
    write(file, b"\xef\xbb\xbf" + (A + B).replace(b"\n", b"\r\n") + b"\r\n")
    assert names(progress) == ["a", "b"] and progress.notices() == []


def test_an_event_of_a_later_version_counts(file, progress):
    write(file, A.replace(b'"right"', b'"dreamt"').replace(b"null", b'null, "more": {"x": 1}'))
    assert [event.kind for event in progress.events()] == ["dreamt"] and progress.notices() == []


# A disk that takes nothing


def test_where_nothing_can_be_written_a_notice_says_so_and_the_event_counts_on(file, progress, monkeypatch):
    def refuse(path, mode):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(shared_file, "FileIO", refuse)
        for _ in range(2):
            progress.record("mistake", "a")
            assert progress.notices()[-1] == (
                f"What you did could not be saved in {file}: Permission denied. It counts until the kernel ends."
            )
        assert names(progress) == ["a", "a"] and not file.exists()
        progress.record("mistake", "a")
    Progress(SIGNALS).record("right", "a")  # another kernel, meanwhile
    progress.record("right", "b")  # and all is written as soon as that is possible
    assert [(event.name, event.attempt) for event in Progress(SIGNALS).events()] == [
        ("a", 1),
        ("a", 2),
        ("a", 3),
        ("a", 4),
        ("b", 1),
    ]
    assert "could not be saved" not in str(progress.notices())  # all of it is


def test_a_full_disk_that_takes_only_a_part_loses_nothing(file):
    code = """
import os, resource
from mha_course.engine.progress.progress import Progress
from toy.course import SIGNALS
progress, path = Progress(SIGNALS), os.environ["TOY_PROGRESS"]
progress.record("right", "a")
for spare in (0, 20, 130, 150):
    resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(path) + spare, -1))
    progress.record("mistake", "b")
    print(os.path.getsize(path), *progress.notices())
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
progress.record("right", "b")
print([(event.name, event.attempt) for event in Progress(SIGNALS).events()], progress.notices())
"""
    told = python(code, stdout=subprocess.PIPE, text=True).communicate(timeout=600)[0].splitlines()
    assert len(told) == 5 and told[1].count("took only a part") == told[2].count("took only a part") == 1
    assert "took only a part" in told[3]
    assert len({line.partition(" ")[0] for line in told[:4]}) == 1  # no half line was left behind
    assert told[4] == "[('a', 1), ('b', 1), ('b', 2), ('b', 3), ('b', 4), ('b', 5)] []"


def test_a_path_that_is_a_folder_or_lies_below_a_file_gives_notices(file, progress, monkeypatch):
    file.mkdir(parents=True)
    progress.record("right", "a")
    assert progress.solved() == {"a"}
    assert [("could not be saved" in told, "could not be read" in told) for told in progress.notices()] == [
        (True, False),
        (False, True),
    ]
    (file.parent / "text").touch()
    monkeypatch.setenv("TOY_PROGRESS", str(file.parent / "text" / "mine.jsonl"))
    progress.record("right", "b")
    assert progress.solved() == {"a", "b"} and len(progress.notices()) >= 1


def test_a_disk_that_knows_no_locks_keeps_everything(progress, monkeypatch):
    def refuse(file):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(shared_file, "_lock", refuse)
    progress.record("right", "a")
    assert Progress(SIGNALS).solved() == {"a"} and progress.notices() == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_devices_are_no_trap(progress, monkeypatch):
    monkeypatch.setenv("TOY_PROGRESS", os.devnull)  # as nbgrader's folder sets it
    progress.record("right", "a")
    assert progress.events() == [] and progress.notices() == []
    monkeypatch.setenv("TOY_PROGRESS", "/dev/full")
    progress.record("right", "b")
    assert names(progress) == ["b"] and "No space left" in progress.notices()[0]


# Where it is

AT_HOME = """
import os
from mha_course.engine.progress.progress import Progress
from toy.course import SIGNALS
progress = Progress(SIGNALS)
os.chdir("/")
progress.record("mistake", "scores.scaled")
print([(event.name, event.attempt) for event in progress.events()], progress.notices())
"""


def at_home(home, folder, **settings):
    """What a kernel prints that is started in a folder, without a setting."""
    environment = {key: value for key, value in os.environ.items() if key not in ("TOY_PROGRESS", "COURSE_HOME")}
    environment |= {"HOME": str(home), "USERPROFILE": str(home), **settings}
    kernel = python(AT_HOME, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    return kernel.communicate(timeout=600)[0].strip()


def test_without_a_setting_it_is_one_file_in_the_home_folder_whatever_the_folder(tmp_path):
    for number, folder in enumerate(("home", "lesson_3", "lesson_4"), 1):
        (tmp_path / folder).mkdir()
        events = [("scores.scaled", attempt) for attempt in range(1, number + 1)]
        assert at_home(tmp_path / "home", tmp_path / folder) == f"{events} []"
    (file,) = tmp_path.rglob("*.jsonl")
    assert file.relative_to(tmp_path).as_posix() == "home/my_toy_progress.jsonl"


@pytest.mark.parametrize("link", [False, True])
def test_a_file_that_is_at_home_where_the_kernel_started_counts_once(tmp_path, link):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "my_toy_progress.jsonl").write_bytes(A)
    if link:
        (tmp_path / "notebooks" / "my_toy_progress.jsonl").symlink_to(tmp_path / "my_toy_progress.jsonl")
    told = at_home(tmp_path, tmp_path / "notebooks" if link else tmp_path)
    assert told == "[('a', 1), ('scores.scaled', 1)] []"


def test_with_a_setting_no_other_file_is_read(tmp_path):
    (tmp_path / "my_toy_progress.jsonl").write_bytes(A)
    told = at_home(tmp_path, tmp_path, TOY_PROGRESS="mine.jsonl")
    assert told == "[('scores.scaled', 1)] []" and (tmp_path / "mine.jsonl").exists()


@pytest.mark.parametrize("target", [b"", A, A + b"?"], ids=["not there", "whole", "damaged"])
def test_a_file_that_is_a_link_stays_one(file, progress, tmp_path, target):
    file.parent.mkdir()
    if target:
        (tmp_path / "target").write_bytes(target)
    file.symlink_to(tmp_path / "target")
    progress.record("right", "b")
    assert file.is_symlink() and progress.solved() >= {"b"}
    assert (tmp_path / "target").read_bytes().startswith(target)
    assert [path.name for path in file.parent.iterdir()] == ["mine.jsonl"]


def test_git_ignores_the_file():
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "my_*progress*" in ignored

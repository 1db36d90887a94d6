"""Where is the class stuck? The report counts what a planted class did, and says nothing that is nobody's business."""

import csv
import io
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from classroom.report import downloads, hand_ins
from classroom.report.advice import advice
from classroom.report.report import report
from classroom.report.report_page import to_html
from classroom.report.spreadsheet import to_csv
from classroom.report.stored_verdicts import events_in
from classroom.report.tallies import Tally
from classroom.report.whose import student_of
from IPython.core.formatters import DisplayFormatter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from stored import ROOT

from mha_course import check, hand_in, how_far, predict, quiz
from mha_course.engine.asking.kinds import Choice
from mha_course.engine.asking.sittings import prediction as asked_once
from mha_course.engine.asking.sittings import quiz as asked_again
from mha_course.engine.checking.diagnosis import Diagnosis
from mha_course.engine.checking.solution import known_to
from mha_course.engine.checking.verdict import verdict
from mha_course.engine.progress.event import Event, Note
from mha_course.engine.progress.progress import Progress
from mha_course.engine.progress.progress_lines import to_line
from mha_course.identity import IDENTITY
from mha_course.lessons import CATALOGUE, LESSONS

pytestmark = pytest.mark.long

DAY = date(2026, 4, 1)
SCALED, UNSCALED = "scaled_scores.scaled", "The scale is missing."
QUESTION = "scaled_scores.which-root"
SECRET = "nobody's business"
KERNEL = """
import sys
import numpy as np
from mha_course import check, quiz

def wrong(Q, K):
    "nobody's business"
    return Q @ np.swapaxes(K, -1, -2)

def right(Q, K):
    return wrong(Q, K) / np.sqrt(K.shape[-1])

form = quiz("scaled_scores")._session
print("started", flush=True)
sys.stdin.readline()
for function, answer in [(wrong, "22.6")] * 5 + [(right, "8")]:
    check("scaled_scores.scaled", function)
    form.act([["submit", "scaled_scores.which-root", {"answer": answer}]])
"""


def unscaled(Q, K):
    return Q @ np.swapaxes(K, -1, -2)


def scaled(Q, K):
    return unscaled(Q, K) / np.sqrt(K.shape[-1])


def read(folder, **options):
    """Return the report on a folder and its texts."""
    made = report(hand_ins.read(folder), DAY, **options)
    return made, to_html(made), to_csv(made.names, made.standings)


def write(path, *kept, end=b""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(to_line, kept)) + end)


def event(name, kind, number=1, day=2, mistakes=(), answer=None):
    return Event(f"2026-03-{day:02}T10:{number:02}:00+00:00", name, number, kind, tuple(mistakes), answer)


def notebook(*things):
    """Return a notebook in which a cell has shown things, as IPython shows them."""
    shown = [new_output("display_data", data, metadata=told) for data, told in map(DisplayFormatter().format, things)]
    return nbformat.writes(new_notebook(cells=[new_code_cell("import mha_course", outputs=shown)])).encode()


def judged(kind, *mistakes, name=SCALED):
    return verdict(CATALOGUE.exercises[name], Diagnosis(kind, "So it is.", mistakes=mistakes))


# The learner's own file


def test_five_wrong_answers_and_a_right_one_are_six_events_from_each_of_several_kernels(tmp_path):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": os.environ | {"PYTHONPATH": str(ROOT)}}
    kernels = [subprocess.Popen([sys.executable, "-c", KERNEL], **pipes) for _ in range(2)]
    for kernel in kernels:
        assert kernel.stdout.readline() == b"started\n"
    for kernel in kernels:
        kernel.stdin.write(b"\n")
        kernel.stdin.close()
    assert [kernel.wait(120) for kernel in kernels] == [0, 0]
    events = Progress(IDENTITY).events()
    kinds = Counter((each.name, each.kind, each.mistakes, each.answer) for each in events)
    assert kinds == {
        (SCALED, "mistake", (UNSCALED,), None): 10,
        (SCALED, "right", (), None): 2,
        (QUESTION, "answered", (), "22.6"): 10,
        (QUESTION, "answered", (), "8"): 2,
    }
    for name in (SCALED, QUESTION):
        assert [each.attempt for each in events if each.name == name] == list(range(1, 13))
    kept = Path(os.environ["MHA_COURSE_PROGRESS"]).read_text()
    assert SECRET not in kept and "swapaxes" not in kept


def test_a_number_that_nobody_can_type_is_a_damaged_line(tmp_path):
    whole = to_line(event("weighted_sums.contribution", "predicted", answer=2.81))
    for damage in (b"NaN", b"Infinity", b"1e999", b"9" * 400):
        write(tmp_path / "jane.jsonl", end=whole + whole.replace(b"2.81", damage))
        found = hand_ins.read(tmp_path)
        assert len(found.events["jane"]) == 1 and len(found.warnings) == 1


def test_a_copy_to_hand_in_holds_every_event_and_no_note(tmp_path, capsys):
    progress = Progress(IDENTITY)
    progress.record("predicted", "heads.eight-copies", answer=8.0)
    progress.note("heads.eight-copies", SECRET)
    progress.record("right", SCALED)
    with open(os.environ["MHA_COURSE_PROGRESS"], "ab") as file:
        file.write(b'{"kind": "note", "name": "a", "text": "' + SECRET.encode())  # cut short
    hand_in(str(tmp_path / "copy.jsonl"))
    assert "holds 2 lines" in capsys.readouterr().out
    copy = (tmp_path / "copy.jsonl").read_bytes()
    assert SECRET.encode() not in copy and b'"note"' not in copy
    assert hand_ins.read(tmp_path).events["copy"] == progress.events()


NOWHERE = {  # what hinders the writing -> where the progress would be
    "no such folder": "/proc/nope/mine.jsonl", "a folder that nobody may write": "/proc/mine.jsonl",
    "a folder": "{folder}", "below a file": "{folder}/file/mine.jsonl", "a full disk": "/dev/full",
}  # fmt: skip


@pytest.mark.parametrize("place", NOWHERE.values(), ids=NOWHERE)
def test_what_could_not_be_saved_is_handed_in_all_the_same_with_the_warning(place, tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("MHA_COURSE_PROGRESS", place.format(folder=tmp_path))
    assert "could not be saved" in check(SCALED, lambda Q, K: Q @ K.T).text
    assert "exercises 0 of 1 + 0 of 4" in how_far().text
    hand_in(str(tmp_path / "copy.jsonl"))
    said = capsys.readouterr().out
    assert "could not be saved" in said and "holds 1 line" in said
    assert len(hand_ins.read(tmp_path).events["copy"]) == 1
    monkeypatch.setenv("MHA_COURSE_PROGRESS", str(tmp_path / "at_last.jsonl"))
    check(SCALED, lambda Q, K: Q @ K.T)
    hand_in(str(tmp_path / "copy.jsonl"))
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'copy.jsonl'} holds 2 lines")


def test_a_copy_without_a_line_says_so_and_one_that_cannot_be_written_says_why(tmp_path, capsys):
    hand_in(str(tmp_path / "copy.jsonl"))
    assert capsys.readouterr().out.startswith(f"Nothing that you did is kept in {os.environ['MHA_COURSE_PROGRESS']}.")
    with pytest.raises(OSError, match=r"/nope/copy\.jsonl could not be written: No such file .* Name another file"):
        hand_in("/nope/copy.jsonl")


# What a class did


def test_counts_equal_what_a_small_class_did_with_the_words_of_the_lessons(tmp_path, monkeypatch):
    def student(name):
        monkeypatch.setenv("MHA_COURSE_PROGRESS", str(tmp_path / name / "my_progress.jsonl"))
        return predict("scaled_scores.divisors")._session, quiz("scaled_scores")._session

    for name, tries in {"ada": 1, "bo": 3, "cy": 5}.items():
        prediction, questions = student(name)
        for _ in range(tries - 1):
            check(SCALED, unscaled)
            questions.act([["submit", QUESTION, {"answer": "22.6"}]])
        questions.act([["submit", QUESTION, {"answer": "8"}]])
        if name != "cy":
            check(SCALED, scaled)
        order = CATALOGUE.predictions["scaled_scores.divisors"].truth()
        order = order if name == "ada" else order[::-1]
        places = {key: str(place) for place, key in enumerate(order, 1)}
        prediction.act([["submit", "scaled_scores.divisors", places], ["submit", "why", {"why": SECRET}]])
    student("dee")
    check(SCALED, lambda Q, K: ...)  # not started: no try
    write(tmp_path / "dee" / "my_progress.jsonl")

    made, page, table = read(tmp_path, with_names=True)
    stands = {student: each[SCALED] for student, each in made.standings.items()}
    assert {student: (each.state, each.tries) for student, each in stands.items()} == {
        "ada": ("right", 1),
        "bo": ("right", 3),
        "cy": ("stuck", 4),
        "dee": ("not tried", 0),
    }
    assert stands["cy"].mistakes == (UNSCALED,) and abs(stands["cy"].since - date.today()) <= timedelta(1)
    (tally,) = made.tallies
    assert (tally.name, tally.students, tally.times, tally.still) == (UNSCALED, 2, 6, 1)
    (histogram,) = made.histograms
    assert (histogram.count, histogram.right, sorted(bar.count for bar in histogram.bars)) == (3, 1, [1, 2])
    assert {each.name: (each.tried, each.missed) for each in made.recalls} == {
        SCALED: (3, 2),
        QUESTION: (3, 2),
        "scaled_scores.divisors": (3, 2),
    }
    assert f"2 of 4: {UNSCALED}" in page and "2 of 4 students, 6 times, in exercise 3.2." in page
    assert SECRET not in page + table


def planted_class(folder):
    """Write what 60 students did in all lessons, and return the counts."""
    drawn, states, mistakes, first = Random(16), Counter(), {}, Counter()
    for student in range(60):
        kept, moment = [], datetime(2026, 3, 1, tzinfo=UTC)
        for exercise in CATALOGUE.exercises.values():
            names = [mistake.name for mistake in known_to(exercise)]
            wrong, is_right = drawn.choice([0, 0, 1, 2, 3, 5]), drawn.random() < 0.8
            for number in range(1, wrong + is_right + 1):
                moment += timedelta(minutes=7)
                made = () if number > wrong else [drawn.choice(names[:3])]
                kind = "mistake" if made else "right"
                kept.append(Event(moment.isoformat(), exercise.name, number, kind, tuple(made)))
                for name in made:
                    mistakes.setdefault(name, Counter())[student] += 1
            state = "right" if is_right else "stuck" if wrong > 2 else "under way" if wrong else "not tried"
            states[exercise.name, state, wrong + is_right] += 1
        for name, prediction in CATALOGUE.predictions.items():
            if isinstance(prediction.kind, Choice):
                answers = drawn.choices(list(prediction.kind.options), k=2)
                kept += [Event(moment.isoformat(), name, i, "predicted", (), each) for i, each in enumerate(answers, 1)]
                first[name, prediction.kind.options[answers[0]].text] += 1
        write(folder / f"student {student}" / "my_progress.jsonl", *kept)
    return states, mistakes, first


def test_counts_equal_those_of_a_planted_class_of_sixty(tmp_path):
    states, mistakes, first = planted_class(tmp_path / "class")
    made, _, table = read(tmp_path / "class", with_names=True)
    found = [(name, each.state, each.tries) for stands in made.standings.values() for name, each in stands.items()]
    assert Counter(found) == states
    counted = {tally.name: (tally.students, tally.times) for tally in made.tallies}
    assert counted == {name: (len(counts), counts.total()) for name, counts in mistakes.items()}
    bars = {(each.name, bar.text): bar.count for each in made.histograms for bar in each.bars if bar.count}
    assert bars == first
    rows = list(csv.DictReader(io.StringIO(table)))
    assert Counter((row["exercise"], row["state"], int(row["tries"])) for row in rows) == Counter(
        {(CATALOGUE.exercises[name].number, *rest): count for (name, *rest), count in states.items()}
    )
    command = [sys.executable, "-m", "classroom.report", str(tmp_path / "class"), str(tmp_path / "made")]
    told = subprocess.run(command, env=os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tools'}"}, stdout=subprocess.PIPE)
    assert told.returncode == 0 and told.stdout.startswith(b"60 students")
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["report.csv", "report.html"]


def test_who_is_stuck_is_so_since_the_first_try_and_a_later_wrong_try_undoes_nothing(tmp_path):
    wrong = [event(SCALED, "mistake", number, day, [UNSCALED]) for number, day in enumerate([3, 5, 9], 1)]
    write(tmp_path / "ada.jsonl", *wrong)
    write(tmp_path / "bo.jsonl", event(SCALED, "right"), *wrong)
    made, page, _ = read(tmp_path, with_names=True)
    ada, bo = (made.standings[name][SCALED] for name in ("ada", "bo"))
    assert (ada.state, ada.tries, str(ada.since), str(ada.last)) == ("stuck", 3, "2026-03-03", "2026-03-09")
    assert (bo.state, bo.tries, bo.mistakes) == ("right", 1, ())
    row = BeautifulSoup(page, "html.parser").find("th", string="3.2 · Scaled scores (1)").parent
    assert row.get_text("|") == f"3.2 · Scaled scores (1)|ada|2026-03-03|2026-03-09|3|{UNSCALED}"
    assert "right, 1 try<" in page and "stuck, 3 tries<" in page


def test_earlier_mistakes_and_predictions_can_be_left_out(tmp_path):
    early, late = (event(SCALED, "mistake", 1, day, [UNSCALED]) for day in (2, 20))
    write(tmp_path / "ada.jsonl", early)
    write(tmp_path / "bo.jsonl", late, event("heads.eight-copies", "predicted", day=2, answer=8))
    made, page, _ = read(tmp_path, since=date(2026, 3, 10))
    assert made.tallies[0].students == 1 and not made.histograms and "since 2026-03-10" in page


# What to say


def test_the_teachers_notes_speak_where_they_know_a_mistake_and_two_minutes_show_it(tmp_path):
    noted, other = "The scale is the root of the number of keys.", UNSCALED
    write(tmp_path / "ada.jsonl", event(SCALED, "mistake", 1, mistakes=[noted, other]))
    made, page, _ = read(tmp_path)
    told = {tally.name: each for tally, each in zip(made.tallies, made.advice, strict=True)}
    assert told[noted].say.startswith("$d_k$ is the width of a query or key.") and "<math" in page
    assert told[other].say.startswith("A dot product adds up d_k products")
    for each in told.values():
        assert "A: scores" in each.shown.text and each.key[0] in "AB" and "is right." in each.key


def test_there_is_something_to_say_and_to_do_about_every_mistake_that_a_check_knows():
    for exercise in CATALOGUE.exercises.values():
        for mistake in known_to(exercise)[::8]:
            told = advice(Tally(mistake.name, 1, 1, 0, (exercise,)))
            assert told.say and exercise.number in told.ask and bool(told.shown) == bool(told.key)


# Notebooks


def test_a_stored_verdict_tells_its_kind_and_its_mistakes_again():
    told = [(each.name, tuple(mistake.name for mistake in known_to(each))) for each in CATALOGUE.exercises.values()]
    found, _ = events_in(notebook(*(judged("mistake", *mistakes, name=name) for name, mistakes in told)))
    assert [(each.name, each.mistakes) for each in found] == told
    found, _ = events_in(notebook(judged("right"), judged("difference"), judged("not started")))
    assert [each.kind for each in found] == ["right", "difference"]


def test_what_a_lesson_stores_tells_what_came_of_it_and_no_line_to_oneself():
    form = predict("heads.eight-copies")
    assert events_in(notebook(check(SCALED, lambda Q, K: ...), form)) == ([], 0)
    form._session.act([["submit", "heads.eight-copies", {"answer": "8"}], ["submit", "why", {"why": SECRET}]])
    stored = notebook(check(SCALED, unscaled), check(SCALED, scaled), form)
    assert Progress(IDENTITY).notes() and SECRET.encode() not in stored.replace(b"&#x27;", b"'")
    assert [(each.name, each.kind, each.mistakes, each.answer) for each in events_in(stored)[0]] == [
        (SCALED, "mistake", (UNSCALED,), None),
        (SCALED, "right", (), None),
        ("heads.eight-copies", "predicted", (), 8),
    ]


def test_what_somebody_wrote_into_an_output_by_hand_costs_one_line_at_most(tmp_path):
    good = asdict(Event("", SCALED, 0, "right"))
    deep, note = json.loads("[" * 900 + "]" * 900), {"kind": "note", "name": SCALED, "text": SECRET}
    bad = [None, 3, "right", {}, [good], {"mha_course": good}, note, good | {"name": None}, good | {"attempt": "1"}]
    bad += [good | {"mistakes": "none"}, good | {"answer": deep}, good | {"answer": {"a": 1}}]
    rude = good | {"name": "rude", "kind": "rude", "mistakes": [SECRET, deep]}
    told = {"ada": [None, 3, [], {}, {"mha_course": bad}], "bo": [{"mha_course": rude}], "cy": [{"mha_course": {}}]}
    for name, metadata in told.items():
        outputs = [2, {}, *({"metadata": each} for each in (*metadata, {"mha_course": good}))]
        content = {"cells": [1, {"outputs": 3}, {"outputs": outputs}]}
        (tmp_path / f"{name}_03_scaled_scores.ipynb").write_text(json.dumps(content))
    made, page, table = read(tmp_path, with_names=True)
    assert [line.split()[1:3] for line in made.warnings] == [[f"{len(bad)}", "outputs"], ["1", "output"]]
    assert [each[SCALED].state for each in made.standings.values()] == ["right"] * 3
    assert SECRET not in page + table and "rude" not in page + table


def test_a_stored_prediction_tells_its_answer_again():
    progress = Progress(IDENTITY)
    for name, prediction in CATALOGUE.predictions.items():
        progress.record("predicted", name, answer=prediction.truth())
        ((found,), _) = events_in(notebook(asked_once(prediction, progress).still()))
        assert (found.name, found.kind, found.answer) == (name, "predicted", prediction.truth())


def test_a_stored_quiz_tells_its_answers_again():
    progress = Progress(IDENTITY)
    for lesson in LESSONS.values():
        said = {name: next(iter(each.kind.options)) for name, each in list(lesson.quiz.items())[1:]}
        for name, answer in said.items():
            progress.record("answered", name, answer=answer)
        found, _ = events_in(notebook(asked_again(lesson.quiz.values(), progress).still()))
        assert {each.name: each.answer for each in found} == said


def test_an_nbgrader_course_is_read_and_what_graders_ran_comes_first(tmp_path):
    wrong, right = judged("mistake", UNSCALED), judged("right")
    for folder, shown in (
        ("source", right),
        ("submitted/ada", right),
        ("autograded/ada", wrong),
        ("submitted/bo", right),
    ):
        path = tmp_path / folder / "03_scaled_scores" / "03_scaled_scores.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(notebook(shown))
    write(tmp_path / "submitted" / "bo" / "my_progress.jsonl", event(SCALED, "mistake", 1, mistakes=[UNSCALED]))
    made, _, _ = read(tmp_path, with_names=True)
    assert {name: (each[SCALED].state, each[SCALED].tries) for name, each in made.standings.items()} == {
        "ada": ("stuck", None),
        "bo": ("under way", 1),  # the progress file speaks of this exercise
    }


@pytest.mark.parametrize(
    "path, student",
    {
        "Jane Doe_12345_assignsubmission_file_/my_progress.jsonl": "Jane Doe_12345",
        "doejane_LATE_12345_67890_my_progress-1.jsonl": "doejane_12345",
        "doejane_12345_67890_03_scaled_scores.ipynb": "doejane_12345",
        "my_progress_to_hand_in (2).jsonl": "",
        "jane/my_progress_to_hand_in.jsonl": "jane",
        "jane/notebooks/03_scaled_scores.ipynb": "jane",
        "jane/scratch.ipynb": "jane",
        "jane_my_progress.jsonl": "jane",
        "autograded/jane/03_scaled_scores/03_scaled_scores.ipynb": "jane",
    }.items(),
)
def test_whose_a_file_is(path, student):
    assert student_of(Path(path)) == student


# Files as they come


def test_copies_of_one_progress_file_count_once(tmp_path):
    tries = [event(SCALED, "mistake", number, mistakes=[UNSCALED]) for number in (1, 2, 3)]
    write(tmp_path / "week 1" / "ada.jsonl", *tries[:2])
    write(tmp_path / "week 2" / "ada.jsonl", *tries)
    made, _, _ = read(tmp_path)
    assert made.tallies[0].times == 3 and len(made.names) == 1


def test_a_damaged_file_costs_one_line_of_warning(tmp_path):
    whole = [event(SCALED, "right")]
    write(tmp_path / "ada.jsonl", *whole)
    write(tmp_path / "bo.jsonl", *whole, end=b'?\n\xff\n{"time": "2026')
    (tmp_path / "cy").mkdir()
    for name, data in {"03_scaled_scores": b'{"cells": "mha_course', "04_softmax": b"[1] # mha_course"}.items():
        (tmp_path / "cy" / f"{name}.ipynb").write_bytes(data)
    (tmp_path / "cy" / "05_weighted_sums.ipynb").write_bytes(b"[" * 100_000 + b"mha_course")
    (tmp_path / "cy" / "06_heads.ipynb").write_text(json.dumps({"mha_course": 1, "cells": [1, {"outputs": 3}]}))
    (tmp_path / "all.zip").write_bytes(b"PK")
    (tmp_path / "folder.jsonl").mkdir()
    made, page, _ = read(tmp_path, with_names=True)
    assert [line.partition(": ")[0] for line in made.warnings] == [
        "all.zip is packed",
        "bo.jsonl",
        "cy/03_scaled_scores.ipynb",
        "cy/04_softmax.ipynb",
        "cy/05_weighted_sums.ipynb",
    ]
    assert "3 lines could not be read" in page and list(made.names) == ["ada", "bo", "cy"]
    assert [each[SCALED].state for each in made.standings.values()] == ["right", "right", "not tried"]


def test_every_file_is_read_or_named_whatever_windows_mail_or_a_mac_makes_of_its_name_and_its_letters(tmp_path):
    tries = [event(SCALED, "mistake", number, mistakes=[UNSCALED]) for number in (1, 2, 3)]
    write(tmp_path / "Zoe\u0308" / "my_progress.jsonl", tries[0])
    write(tmp_path / "Zo\u00eb" / "my_progress.jsonl", tries[1])
    write(tmp_path / "ole.jsonl.txt", *tries)
    write(tmp_path / "pia_my_progress.JSONL", *tries)
    for who, encoding in {"qi": "utf-16", "rae": "utf-8-sig"}.items():
        (tmp_path / f"{who}.jsonl").write_bytes(b"".join(map(to_line, tries)).decode().encode(encoding))
    lesson = notebook(judged("right"))
    (tmp_path / "sol_03_scaled_scores.ipynb.txt").write_bytes(lesson.decode().encode("utf-16"))
    (tmp_path / "none.jsonl").write_bytes(b"\x00\xff\n")
    for name in ("notes.txt", "week 1/photo.png", "week 2/photo.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = hand_ins.read(tmp_path)
    assert {who: len(events) for who, events in found.events.items()} == {
        "Zo\u00eb": 2, "none": 0, "ole": 3, "pia": 3, "qi": 3, "rae": 3, "sol": 1,
    }  # fmt: skip
    assert found.warnings == [
        "none.jsonl: 1 line could not be read; no line counts.",
        "Neither progress files nor notebooks, so not read: notes.txt, photo.png (2 times).",
    ]


def zipped(path, **files):
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(path, "w", ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name.replace("__", "."), content)


def test_what_was_downloaded_from_the_live_notebooks_is_read_as_it_comes(tmp_path):
    tries = b"".join(map(to_line, (event(SCALED, "mistake", 1, mistakes=[UNSCALED]), Note(SCALED, SECRET))))
    lesson = notebook(judged("right"))
    zipped(tmp_path / "ada" / "my_attention_course_2026-04-01_0915.zip", my_progress__jsonl=tries)
    zipped(tmp_path / "bo_my_attention_course_2026-04-01_0915 (1).zip", **{"03_scaled_scores__ipynb": lesson})
    zipped(tmp_path / "doecy_12_34_my_attention_course_2026-04-01_0915.zip", my_progress__jsonl=tries, x__txt="rude")
    made, page, _ = read(tmp_path, with_names=True)
    assert made.warnings == [] and SECRET not in page
    states = {name: each[SCALED].state for name, each in zip(made.names.values(), made.standings.values(), strict=True)}
    assert states == {"ada": "under way", "bo": "right", "doecy_12": "under way"}


def test_a_downloaded_zip_that_is_damaged_or_too_large_costs_one_line(tmp_path):
    names = [tmp_path / f"{who}_my_attention_course_2026-04-01_0915.zip" for who in ("ada", "bo")]
    names[0].write_bytes(b"PK")
    zipped(names[1], my_progress__jsonl=to_line(event(SCALED, "right")), **{"03_scaled_scores__ipynb": " " * 6 * 2**20})
    made, _, _ = read(tmp_path, with_names=True)
    assert [line.partition(": ")[2] for line in made.warnings] == [downloads.FOREIGN, downloads.TOO_LARGE]
    assert [*made.standings.values()][-1][SCALED].state == "right"


# What nobody else is to know


def test_names_notes_and_foreign_words_stay_out_unless_names_are_asked_for(tmp_path):
    prank = event(SCALED, "mistake", 2, mistakes=["<script>rude</script>"])
    write(tmp_path / "Ada =Q.jsonl", event(SCALED, "right"), Note(SCALED, SECRET), end=b"?")
    write(tmp_path / "=Bo.jsonl", prank, event("rude words", "rude", answer="rude"))
    made, *texts = read(tmp_path)
    for text in texts:
        assert "Ada" not in text and "Bo" not in text and SECRET not in text and "rude" not in text
        assert "Student 1" in text and "Student 2" in text
    assert made.names == read(tmp_path)[0].names  # the same files give the same numbers
    _, page, table = read(tmp_path, with_names=True)
    assert "Ada =Q" in page and "\n'=Bo," in table.replace("\r", "") and "Student 1" not in page + table


def test_pseudonyms_follow_no_list_of_names(tmp_path):
    orders = set()
    for number in range(1, 6):
        for name in "abcdefgh":
            write(tmp_path / f"{name}.jsonl", event(SCALED, "right", number))
        orders.add(tuple(read(tmp_path)[0].names))
    assert len(orders) == 5 and tuple("abcdefgh") not in orders


def test_the_page_needs_nothing_else_and_everybody_can_read_it(tmp_path):
    planted_class(tmp_path)
    _, text, _ = read(tmp_path)
    page = BeautifulSoup(text, "html.parser")
    assert not page.select("script, link, img, iframe, [src], [onclick]") and "url(" not in text
    assert page.html["lang"] == "en" and page.title.string == page.h1.string
    levels = [int(heading.name[1]) for heading in page.select("h1, h2, h3, h4")]
    assert levels[0] == 1 and levels.count(1) == 1 and all(below - above <= 1 for above, below in pairwise(levels))
    assert all(table.caption and table.caption.get_text() for table in page.select("table"))
    assert all(header.get("scope") for header in page.select("th"))
    for link in page.select("nav a"):
        assert page.select_one(f"[id='{link['href'][1:]}']")
    seen = {"right": "✓", "stuck": "✗", "under way": "◐", "not tried": "·"}
    for told in page.select("td.state"):
        sign, words = told.select_one("[aria-hidden]").get_text(), told.select_one(".told").get_text()
        assert sign.startswith(seen[words.partition(",")[0]])  # sign and words say the same, colour alone says nothing

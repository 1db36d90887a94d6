"""What a clever student might try: nothing of it gives a point, costs anybody else one, or reaches the teacher."""

import base64
import json
import os
import re
import struct
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from bs4 import BeautifulSoup
from classroom.cells import exercises, has_tag
from classroom.judging import (
    feedback_outputs,
    limits,
    message_format,
    restored_notebook,
    suspicion,
    syscall_filter,
    walls,
)
from classroom.judging.cells_to_run import needed
from classroom.judging.limits import Seconds
from classroom.judging.parallel_judging import Ahead
from course_folder import LESSON, read
from judged import RIGHT_DOT, WRONG_DOT, cell, check, is_right, judged, text_of
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell
from stored import ROOT
from traitlets.config import PyFileConfigLoader

import mha_course
from mha_course.lessons import CATALOGUE

PACKAGE = Path(mha_course.__file__).parent

pytestmark = pytest.mark.minutes

# Behind the walls

TAKES_DOWN = """
import os, subprocess
def run(command):
    print(subprocess.run(command, shell=True, capture_output=True, text=True).stdout)
mine = "umount -l {p}/lessons {p}/mistakes; mount -o remount,bind,rw {p}; touch {p}/SPOILT && echo SPOILT"
again = "mkdir /tmp/again; mount --rbind {p} /tmp/again; ls /tmp/again/lessons /tmp/again/mistakes"
run(mine + ";" + again)
run("unshare --user --map-root-user --mount sh -c '" + mine + ";" + again + "'")
run("ls {p}/lessons {p}/mistakes; cat /proc/*/environ; grep CapEff /proc/self/status")
print(dict(os.environ))
for part in ("lessons.catalogue", "mistakes.scores"):
    try:
        __import__("mha_course." + part)
        print("REACHED")
    except ModuleNotFoundError as error:
        print(error)
"""


def test_no_wall_can_be_taken_down_from_inside_and_no_answer_lies_about(monkeypatch):
    monkeypatch.setenv("OF_THE_TEACHER", "A SECRET")
    said = text_of(judged(cell(TAKES_DOWN.replace("{p}", str(PACKAGE))))[0])
    assert "CapEff:\t0000000000000000" in said and "MHA_COURSE_PROGRESS" in said
    assert not {word for word in ("exercises.md", "scores.md", "SPOILT", "A SECRET", "REACHED") if word in said}
    assert not (PACKAGE / "SPOILT").exists()


HIDES_MEMORY = """
import asyncio, ctypes, mmap, os, pty, resource, socket, subprocess, threading
import numpy as np
libc = ctypes.CDLL(None)
def tried(make):
    try:
        print("HIDDEN" if make() not in (-1, None) else "refused")
    except OSError as error:
        print(type(error).__name__)
tried(lambda: os.memfd_create("x"))
tried(lambda: mmap.mmap(-1, 4096))
tried(lambda: mmap.mmap(-1, 4096, mmap.MAP_SHARED, mmap.PROT_READ))
tried(lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 4096, mmap.MAP_SHARED, mmap.PROT_READ))
tried(lambda: libc.shmget(0, 4096, 0o1600))
tried(lambda: libc.msgget(0, 0o1600))
tried(lambda: libc.semget(0, 32000, 0o1600))
tried(lambda: libc.inotify_init())
tried(pty.openpty)
tried(socket.socket)
tried(socket.socketpair)
tried(lambda: libc.unshare(0x10000000))
tried(lambda: libc.syscall({clone}, 0x10000000 | 17, 0, 0, 0, 0))
for call in {calls}:
    tried(lambda: libc.syscall(call, b"user", b"left for the next", b"x", 1, -3))
tried(lambda: open("/proc/sys/kernel/core_pattern", "w"))
tried(lambda: os.sched_setaffinity(0, {{0}}))
mounts = "unshare --user --map-root-user --mount mount -t tmpfs x /tmp"
tried(lambda: None if subprocess.run(mounts, shell=True).returncode else 1)
np.save("/tmp/x.npy", np.arange(3))
print(np.load("/tmp/x.npy", mmap_mode="r").sum(), mmap.mmap(-1, 4096, mmap.MAP_PRIVATE)[0])
thread = threading.Thread(target=print, args=["a thread"])
thread.start(), thread.join()
print(subprocess.run(["echo", "a process"], capture_output=True), os.path.exists("/sys"), os.getuid())
print(resource.getrlimit(resource.RLIMIT_NPROC))
"""


def test_nothing_can_be_held_where_nobody_counts_it_and_nothing_of_the_kernel_be_changed():
    calls = [syscall_filter.number(name) for name in ("add_key", "request_key", "keyctl")]
    said = text_of(
        judged(cell(HIDES_MEMORY.format(calls=calls, clone=syscall_filter.CLONE[os.uname().machine != "x86_64"])))[0]
    )
    assert "HIDDEN" not in said and said.count("\nrefused\n") + said.count("Error\n") >= 15, said
    assert "3 0" in said and "a thread" in said and "a process" in said, said
    assert f"({limits.TASKS}, {limits.TASKS})" in said
    assert f"False {os.getuid() or walls.FIRST_USER}" in said


LOOKS_FOR_KEYS = """
import ctypes, sys
from classroom.judging import syscall_filter, kernel_keyrings
libc, name = ctypes.CDLL(None), b"of the teacher"
made = libc.syscall(syscall_filter.number("add_key"), b"user", name, b"A SECRET", 8, -3)
def is_found():
    return libc.syscall(syscall_filter.number("request_key"), b"user", name, None, 0) == made
before = is_found()
kernel_keyrings.leave_behind()
print(made > 0, before, is_found())
"""


def test_a_judge_leaves_the_keys_of_who_grades_behind():
    command = [sys.executable, "-c", LOOKS_FOR_KEYS]
    said = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT / "tools")}, capture_output=True, text=True)
    assert said.stdout == "True True False\n", said


@pytest.mark.skipif(os.getuid() != 0, reason="Only root has rights to give up.")
def test_root_that_cannot_give_up_its_rights_is_told_what_to_do():
    asks = "from classroom.judging import walls; print(walls.why_not())"
    command = ["setpriv", "--bounding-set=-all", sys.executable, "-c", asks]
    said = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT / "tools")}, capture_output=True, text=True)
    assert "try it as an ordinary user" in said.stdout, said


FORKS = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"


def test_who_forks_without_end_never_has_many_processes_and_harms_nobody_beside():
    judges = Ahead(Seconds(8, 60), isolated=True, at_a_time=2)
    bombs = judges.begin([cell(FORKS), cell(RIGHT_DOT), check("my_score")])
    beside = judges.begin([cell(RIGHT_DOT), check("my_score")])
    most = 0
    while not (bombs.done() and beside.done()):
        most = max(most, len(psutil.Process().children(recursive=True)))
        time.sleep(0.05)  # who only looks takes no time from those looked at
    assert is_right(beside.result()["outputs"][1]) and is_right(bombs.result()["outputs"][2])
    assert "more than 24 processes" in text_of(bombs.result()["outputs"][0])
    assert most < limits.TASKS + 16, most  # two looks may lie so far apart that none sees the crowd: no lower bound


def test_no_sandbox_is_made_that_would_show_the_teachers_own_files(monkeypatch):
    walls.why_not.cache_clear()
    monkeypatch.setattr(walls.site, "getusersitepackages", lambda: str(Path.home()))
    assert f"would show {Path.home()}" in walls.why_not()
    walls.why_not.cache_clear()


# Forged replies, and answers that are none

WRITES_REPLIES = """
import json, os
def forge(*messages):
    sent = [json.dumps(each).encode() for each in messages]
    for number in range(3, 30):
        try:
            os.write(number, b"".join(len(each).to_bytes(8, "big") + each for each in sent))
        except OSError:
            pass
"""
LOOK = '{"known": True, "callable": True, "type": "function"}'
PRAISE = "{'outputs': [], 'value': 1.0, 'changed': [], 'printed': '', 'kind': 'right', 'is_right': True}"
FORGED = {
    "before": f"forge({LOOK}, *[{PRAISE}] * 40)\n{WRONG_DOT}",
    "during": f"def my_score(query, key):\n    forge({PRAISE})\n    return 0",
    "asks": "def my_score(query, key):\n    forge(*[{'ask': n, 'arguments': {'list': []}} for n in (-1, 0, 'x')])",
    "no-object": f"def my_score(query, key):\n    forge([], 3, None)\n{WRONG_DOT}",
    "a-long-one": "def my_score(query, key):\n    os.write(4, b'\\xff' * 8)",
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_reply_makes_nothing_right(how):
    results = judged(cell(WRITES_REPLIES + FORGED[how]), check("my_score"))
    assert not is_right(results[1])


ODD = {  # what a function returns
    "an object that equals everything": "type('Yes', (), {'__eq__': lambda *x: True, '__array__': lambda *x: None})()",
    "a subclass that equals everything": "np.zeros(()).view("
    "type('A', (np.ndarray,), {'__array_ufunc__': lambda *x, **y: True}))",
    "a float that equals everything": "type('F', (float,), {'__eq__': lambda *x: True, '__sub__': lambda *x: 0})(0)",
    "a text that is a script": "'<script>ATTACK</script>\\x1b[2J\\ud800'",
    "nested": "(lambda f: f(f, 38))(lambda f, n: [f(f, n - 1)] if n else 1)",
    "nested too deeply": "(lambda f: f(f, 400))(lambda f, n: [f(f, n - 1)] if n else 1)",
    "masked": "np.ma.array(np.dot(query, key), mask=True)",
    "not a number": "np.nan", "infinite": "-np.inf", "complex": "1j", "a matrix": "np.matrix([[1]])",
    "a number that is no number": "__import__('decimal').Decimal('sNaN')",
    "a long decimal": "__import__('decimal').Decimal('1e999999999')",
    "a long number": "10 ** 5000", "a rather long number": "10 ** 4000", "a structure": "np.zeros(3, 'i4, f8')",
    "objects": "np.array([None, {}, print, 10 ** 400], dtype=object)", "dates": "np.datetime64('2020-01-01')",
    "empty texts": "np.zeros(10 ** 6, 'S0')", "large": "np.zeros(10 ** 7)",
    "endless": "__import__('itertools').count()",
}  # fmt: skip
HOSTILE = """
class {name}(Exception):
    def __str__(self):
        {body}
def my_score(query, key):
    raise {name}
"""
RAISED = {
    "cannot be said": HOSTILE.format(name="Mute", body="raise KeyboardInterrupt"),
    "ends all": HOSTILE.format(name="KeyboardInterrupt", body="raise SystemExit"),
    "is a script": HOSTILE.format(name="Script", body="return '<script>ATTACK</script><img src=x onerror=ATTACK>'"),
    "has a script in its line": "def my_score(query, key):\n    raise ValueError('x')  # <script>ATTACK</script>",
    "has half a character": HOSTILE.format(name="Half", body="return '\\ud800'"),
    "is a long one": HOSTILE.format(name="Long", body="return 'x' * 10 ** 7"),
    "stops a loop": "def my_score(query, key):\n    raise StopIteration",
    "needs more": "def my_score(query, key):\n    raise UnicodeDecodeError('a', b'b', 1, 2, 'c')",
}


def test_an_answer_that_is_none_is_wrong_and_does_no_harm_to_the_next():
    odd = [f"import numpy as np\ndef my_score(query, key):\n    return {value}" for value in ODD.values()]
    tried = {**dict(zip(ODD, odd, strict=True)), **RAISED}
    results = judged(
        *(
            part
            for each in tried.values()
            for part in (cell(each), check("my_score"), cell(RIGHT_DOT), check("my_score"))
        ),
        seconds=Seconds(8, 300),
    )
    assert [name for name, outputs in zip(tried, results[1::4], strict=True) if is_right(outputs)] == []
    after = dict(zip(tried, results[3::4], strict=True))
    assert {name: text_of(outputs) for name, outputs in after.items() if not is_right(outputs)} == {}
    for outputs in results[1::4]:
        for page in (BeautifulSoup(each.get("data", {}).get("text/html", ""), "html.parser") for each in outputs):
            assert not page.select("script, [onerror]")
        assert len(text_of(outputs)) < 20_000


def npy(shape, dtype, content=b""):
    """Return a file that claims to hold an array."""
    header = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': {shape!r}}}".encode().ljust(117) + b"\n"
    return base64.b64encode(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content).decode()


def nested(kind, depth):
    return {kind: [nested(kind, depth - 1)]} if depth else 1


NO_VALUES = {
    "an array larger than memory": {"array": npy((10**15,), "<f8")},
    "an array without its content": {"array": npy((10**8,), "<f8")},
    "a negative shape": {"array": npy((-1,), "<f8")},
    "pickled objects": {"array": npy((1,), "|O", b"cos\nsystem\n(S'true'\ntR.")},
    "a structure": {"array": npy((1,), [("a", "<f8")], bytes(8))},
    "a long header": {"array": npy((1,), "<f8" + " " * 20_000, bytes(8))},
    "a fraction without end": {"fraction": "1e999999999"},
    "a fraction by 0": {"fraction": "1/0"},
    "a long fraction": {"fraction": "1" * 10**6},
    "objects of another shape": {"objects": [1, 2], "shape": [10**18]},
    "nested lists": nested("list", 900),
    "nested tuples": nested("tuple", 900),
    "a function": {"function": 0},
    "a thing with half a name": {"thing": "\0", "callable": True, "output": True},
    "a thing of no kind": {"thing": [], "callable": 1, "output": None},
    "two things": {"list": [], "tuple": []},
    "base64 of nothing": {"array": "?"},
}


@pytest.mark.parametrize("what", NO_VALUES)
def test_what_is_no_value_is_refused_at_once(what):
    with pytest.raises((ValueError, TypeError, ArithmeticError, MemoryError, RecursionError, EOFError)):
        message_format.decoded(NO_VALUES[what])


def test_who_counts_calls_and_knows_the_answers_by_their_order_is_not_right():
    name = "find_the_bug.check"
    exercise = CATALOGUE.exercises[name]
    answers = [bool(exercise.right(*one.arguments)) for one in exercise.inputs(0)]
    in_order = f"import itertools\nsaid = itertools.cycle({[*answers, answers[1]]})\n"
    results = judged(cell(in_order + "def my_check(candidate):\n    return next(said)"), check("my_check", name))
    assert set(answers) == {True, False} and not is_right(results[1])


def test_what_a_function_prints_is_said_to_be_its_own_and_said_once():
    praise = "✓ right Exercise 3.1: Right."
    printing = RIGHT_DOT.replace("\n", f"\n    print({praise!r})\n")
    outputs = judged(cell(printing), check("my_score"))[1]
    assert is_right(outputs) and outputs[0]["text"] == f"Your function printed:\n{praise}\n"


# Functions that the judge lends

ASKS = {
    "forever": "def my_residual(x, attend):\n    while True:\n        attend(x)",
    "too much": "import numpy as np\ndef my_residual(x, attend):\n    return attend(np.zeros((20_000, x.shape[1])))",
    "nonsense": "def my_residual(x, attend):\n    return attend(*[attend, {}, 'x'])",
    "later": "kept = []\ndef my_residual(x, attend):\n    kept.append(attend)\n    return x\n",
}


def test_what_the_judge_lends_does_not_hold_it_up_and_computes_nothing_large():
    lent = check("my_residual", "residual_and_norm.residual")
    results = judged(
        *(part for each in ASKS.values() for part in (cell(each), lent, cell(RIGHT_DOT), check("my_score")))
    )
    said = dict(zip(ASKS, map(text_of, results[1::4]), strict=True))
    assert [name for name, outputs in zip(ASKS, results[1::4], strict=True) if is_right(outputs)] == []
    assert [name for name, outputs in zip(ASKS, results[3::4], strict=True) if not is_right(outputs)] == []
    assert "It got more than 10000 numbers." in said["too much"]


# What is read before anything runs


def test_code_that_is_hard_to_read_stops_nobody():
    deep, long = "import mha_course\na" + ".a" * 2000 + "[0] = 1", "a\n" * limits.CHARACTERS
    hard = [cell(each) for each in (deep, long, "a" + "()" * 40_000, "-" * 90_000 + "1", "\0", "\ud800")]
    needed([each | {"handed_out": False} for each in hard])
    results = judged(*hard, cell(RIGHT_DOT), check("my_score"))
    assert "longer than 100,000 characters" in text_of(results[1]) and is_right(results[-1])
    suspicion.of([*hard, cell(RIGHT_DOT), check("my_score")], results)


def test_loading_the_configuration_changes_no_setting_of_the_server_that_loads_it(tmp_path):
    before = dict(os.environ)
    folder = ROOT / "tools" / "classroom"
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    assert config.CourseDirectory.course_id == "mha_course" and dict(os.environ) == before


# The notebook itself

SOLVED = exercises(read(ROOT / "notebooks" / f"{LESSON}.ipynb"))
RIGHT = {each.stub.id: re.sub(r"(\w+)_solution\b", r"my_\1", each.solution.source) for each in SOLVED}
WRONG = {name: re.sub(r"return .*", "return 7", source) for name, source in RIGHT.items()}
FULL, NONE = [1, 1, 3, 3], [0, 0, 0, 0]


def stubs(notebook):
    return [cell for cell in notebook.cells if has_tag(cell, "stub")]


def damages(notebook, checks):
    marks = ["gone", None, [], {}, {"grade_id": []}, {"grade": True}, {"solution": True, "points": "x"}, 7]
    for each, mark in zip([*stubs(notebook), *checks], marks, strict=True):
        each.metadata.nbgrader = mark
    notebook.metadata = {"kernelspec": {"name": "../../x"}, "language_info": {"name": ["x"]}, "widgets": 3}


def is_newer_and_copies(notebook, checks):
    checks[0].metadata.nbgrader.schema_version = 99
    checks[1].metadata.nbgrader.schema_version = 1
    checks[2].metadata.nbgrader.schema_version = "x"
    notebook.cells += [checks[0].copy(), stubs(notebook)[1].copy(), checks[3].copy()]


def pays_itself(notebook, checks):
    for each in checks:
        each.metadata.nbgrader |= {"points": 50, "locked": False, "solution": True}
        each.source = "1.0"
    for each in stubs(notebook):
        each.metadata.nbgrader |= {"grade": True, "points": 50, "solution": False}


def renames_and_swaps(notebook, checks):
    one, other = checks[1].metadata.nbgrader, checks[3].metadata.nbgrader
    one["grade_id"], other["grade_id"] = other["grade_id"], one["grade_id"]
    checks[0].metadata.nbgrader.grade_id, checks[0]["id"] = "another", "another"
    checks[0].source += "  # and says something else"


def retypes_and_is_long(notebook, checks):
    for each in (checks[0], stubs(notebook)[1]):
        each.cell_type = "markdown"
        del each["outputs"], each["execution_count"]
        each["attachments"] = {"x": {"image/png": "y"}}
    checks[2].cell_type = "raw"
    notebook.cells.insert(1, stubs(notebook)[0].copy() | {"source": "a\n" * 500_000, "metadata": {}, "id": "long"})


SCRIPT = "<script>ATTACK</script><img src=x onerror=ATTACK><style>.ATTACK{}</style>"
SHOWS = f'''
from IPython.display import HTML, SVG, Javascript, Latex, Markdown, display
for kind in (HTML, Markdown, Latex, Javascript):
    display(kind("""{SCRIPT}"""))
display({{"image/png": '"><script>ATTACK</script>', "image/svg+xml": "{SCRIPT}", "text/plain": "{SCRIPT}"}}, raw=True)
display({{"text/plain": "x"}}, raw=True, metadata={{"image/png": {{"width": '"><script>ATTACK</script>'}}}})
print("""{SCRIPT}\\x1b[8m\\ud800 ✓ right Exercise 3.1: Right.""")
raise ValueError("""{SCRIPT}""")
'''


def scripts(notebook, checks):
    notebook.cells += [
        new_markdown_cell(f"{SCRIPT} `a < b` [x](javascript:ATTACK) [y]\n\n[y]: javascript:ATTACK"),
        new_raw_cell(SCRIPT),
    ]
    notebook.cells[0].metadata.tags = ['"><script>ATTACK</script>']
    notebook.cells += [stubs(notebook)[0].copy() | {"source": SHOWS, "metadata": {}, "id": "shows"}]
    checks[1].metadata.nbgrader.grade_id = '"><script>ATTACK</script>'
    notebook.metadata.title = SCRIPT


def goes_on(notebook, checks):
    notebook.cells += [new_code_cell("print('<a>' * 10**6)") for _ in range(20)]
    notebook.cells += [new_markdown_cell("\\begin{a}" * 10_000) for _ in range(10)]
    notebook.cells += [new_markdown_cell("more") for _ in range(limits.CELLS)]


HANDED_IN = {  # who -> what is done to the notebook, the answers, and the points that these deserve
    "a-file": (lambda notebook, checks: None, RIGHT, NONE),  # and then no notebook any more
    "copies": (is_newer_and_copies, RIGHT, FULL),
    "damages": (damages, RIGHT, FULL),
    "goes-on": (goes_on, RIGHT, FULL),
    "pays-itself": (pays_itself, WRONG, NONE),
    "retypes": (retypes_and_is_long, RIGHT, FULL),
    "scripts": (scripts, RIGHT, FULL),
    "swaps": (renames_and_swaps, RIGHT, [1, 1, 3, 0]),  # one check is put back, another stands above its function now
    "zoe": (lambda notebook, checks: None, RIGHT, FULL),
}


@pytest.fixture(scope="module")
def course(course_folder, tmp_path_factory):
    """A course folder with all these graded, and feedback written."""
    course = course_folder(tmp_path_factory.mktemp("attacks"))
    for who, (edit, answers, _) in HANDED_IN.items():
        course.submit(who, answers)
        path = course.path("submitted", who)
        edit(notebook := read(path), [each for each in notebook.cells if has_tag(each, "check")])
        path.write_text(json.dumps(notebook), encoding="utf-8")  # not by nbformat, which would mend some of it
    course.path("submitted", "a-file").write_text('{"cells": [3], "nbformat": 4', encoding="utf-8")
    course.log = course.run("autograde")
    course.run("generate_feedback")
    return course


def test_a_file_that_is_no_notebook_is_named_and_all_others_are_graded(course):
    assert re.search(r"^  a-file +0 of 8  The file cannot be read as a notebook", course.log, re.MULTILINE)
    assert sorted(path.name for path in (course.folder / "autograded").iterdir()) == sorted(HANDED_IN)


@pytest.mark.parametrize("who", HANDED_IN)
def test_marks_of_a_submission_change_no_points_and_stop_nobody(course, who):
    given = course.grades(who)
    assert [given[each.check.id][0] for each in SOLVED] == HANDED_IN[who][2]


def test_only_a_check_that_is_missing_or_stands_above_its_answer_waits_for_a_person(course):
    waiting = {(who, name) for who in HANDED_IN for name, (_, waits) in course.grades(who).items() if waits}
    waiting -= {("a-file", each.check.id) for each in SOLVED}
    assert waiting == {("swaps", SOLVED[0].check.id), ("swaps", SOLVED[3].check.id)}


def test_of_a_notebook_without_end_a_small_page_is_made_that_says_what_is_left_out(course):
    page, cells = course.feedback("goes-on"), read(course.path("autograded", "goes-on")).cells
    assert len(page) < 10**6 and len(cells) == limits.CELLS + 1
    for said in (feedback_outputs.MORE, restored_notebook.CUT, restored_notebook.MANY):
        assert said.lstrip("# ") in page
    texts = [cell.source for cell in cells if cell.cell_type == "markdown" and "begin{a}" in cell.source]
    assert 4 <= len(texts) <= 10 and sum(map(len, texts)) < limits.TEXTS + 1000


def test_no_script_of_a_submission_gets_into_the_pages_of_a_teacher(course):
    page = BeautifulSoup(course.path("feedback", "scripts").with_suffix(".html").read_text("utf-8"), "html.parser")
    assert "ATTACK" in page.get_text() and "a <\u2060 b" not in page.get_text() and "a < b" in page.get_text()
    for part in page.find_all(True):
        assert "ATTACK" not in str(part.attrs)
        assert part.name not in ("script", "style") or "ATTACK" not in part.get_text()
    for part in read(course.path("autograded", "scripts")).cells:  # nbgrader's page for grading by hand shows that
        shown = {kind for output in part.get("outputs", []) for kind in output.get("data", {})}
        assert has_tag(part, "check") or shown <= {"text/plain", "image/png"}


def test_the_cards_of_the_course_look_as_before(course):
    page = course.path("feedback", "scripts").with_suffix(".html").read_text("utf-8")
    checks = (part for part in read(course.path("autograded", "scripts")).cells if has_tag(part, "check"))
    cards = [str(BeautifulSoup(part.outputs[0].data["text/html"], "html.parser")) for part in checks]
    assert len(cards) == len(SOLVED) and [card for card in cards if "style=" not in card or card not in page] == []


def test_the_log_holds_nothing_that_moves_a_terminal(course):
    assert "\x1b[8m" not in course.log and "ATTACK" not in course.log


def test_a_picture_is_kept_and_what_only_says_so_is_not():
    png = base64.b64encode(feedback_outputs.PNG + bytes(9)).decode()
    data = {"image/png": png + "\n", "text/plain": "a picture"}
    (output,) = feedback_outputs.shown(
        [{"output_type": "display_data", "data": data, "metadata": {"x": "y"}}], feedback_outputs.Room()
    )
    assert output == {"output_type": "display_data", "data": data | {"image/png": png}, "metadata": {}}
    room = feedback_outputs.Room()
    long = {"output_type": "stream", "name": "stdout", "text": "x" * 10**6}
    for _ in range(20):
        many = feedback_outputs.shown([long] * 3, room)
        assert sum(len(each["text"]) for each in many) <= limits.SHOWN + len(feedback_outputs.MORE)
    assert [each["text"] for each in many] == [feedback_outputs.MORE]
    assert (
        "neither text nor" in feedback_outputs.shown([3], feedback_outputs.Room())[0]["text"]
        and feedback_outputs.shown({}, room) == []
    )

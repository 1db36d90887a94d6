"""A submission sees nothing of the machine, can use up nothing, and is judged as its functions deserve."""

import base64
import io
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from classroom.cells import exercises
from classroom.judging import folder_names, message_format, suspicion, walls
from classroom.judging.judge import NO_TIME, Judge, _numbers_in
from classroom.judging.limits import Seconds
from classroom.judging.sandbox import Sandbox
from course_folder import LESSON, read
from judged import RIGHT_DOT, cell, check, is_right, judged, text_of
from proofs import RIGHT, source
from recorded_answers import recorded
from stored import NOTEBOOKS, ROOT, code_cells

import mha_course
from mha_course.lessons import CATALOGUE

# What it sees

SPY = """
import os, socket
from pathlib import Path
for path in {paths}:
    try:
        print(Path(path).read_text())
    except Exception as error:
        print(type(error).__name__)
for path in {paths}:
    try:
        with open(path, "a") as file:
            file.write("x")
    except Exception as error:
        print(type(error).__name__)
for folder, folders, names in os.walk({top!r}):
    if folder == "/":
        folders[:] = set(folders) - {{"proc", "usr", "sys"}}
    for name in names:
        if {word!r} in name:
            print("SECRET found")
try:
    socket.create_connection(("127.0.0.1", {port}), timeout=1)
    print("SECRET connected")
except OSError as error:
    print(type(error).__name__)
"""
WRITES_POINTS = """
import sqlite3
for path in {paths}:
    try:
        with sqlite3.connect(path) as database:
            database.execute("UPDATE grade SET manual_score = 99")
    except Exception as error:
        print(type(error).__name__)
"""


@pytest.fixture
def secrets(tmp_path):
    """Files that belong to others: a gradebook, a submission, one in a home folder, one of the course's answers."""
    at_home = Path.home() / f"spied_{os.getpid()}.txt"
    files = [tmp_path / "gradebook.db", tmp_path / "submitted" / "spied_classmate" / "3.ipynb", at_home]
    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("SECRET")
    yield [*files, ROOT / "pyproject.toml", ROOT / "mha_course" / "lessons" / "__init__.py", Path("/etc/passwd")]
    at_home.unlink()


def test_a_spy_reads_no_foreign_file_writes_none_and_reaches_no_network(secrets):
    before = [path.read_bytes() for path in secrets]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        paths = {"paths": list(map(str, secrets)), "top": "/", "word": "spied", "port": listener.getsockname()[1]}
        spied, wrote = judged(cell(SPY.format(**paths)), cell(WRITES_POINTS.format(**paths)))
    said = text_of(spied)
    assert "SECRET" not in said and "root:" not in said and "lessons_in" not in said and "mha_course" not in said
    assert said.splitlines()[: len(secrets)] == ["FileNotFoundError"] * len(secrets)
    assert "PermissionError" in said and "OperationalError" in text_of(wrote)
    assert [path.read_bytes() for path in secrets] == before


def test_a_submission_reaches_no_network_where_nothing_stands_around_its_judge():
    """As where no root grades."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        asks = f"import socket; socket.create_connection(('127.0.0.1', {listener.getsockname()[1]}), timeout=1)"
        python = [sys.executable, "-c", asks]
        inside, outside = (
            subprocess.run([*wall, *python], capture_output=True, text=True, env={})
            for wall in ([*walls.around_a_submission(), "--"], [])
        )
    assert outside.returncode == 0
    assert inside.returncode == 1 and "ConnectionRefusedError" in inside.stderr


def test_a_spy_outside_of_the_sandbox_would_have_read_all(secrets):
    paths = {"paths": list(map(str, secrets[:1])), "top": "/proc", "word": "x", "port": 9}
    spied = Judge([cell(SPY.format(**paths))], Seconds(), isolated=False).results()[0]
    assert "SECRET" in text_of(spied)


# What it finds in place of what is not there

USUAL_LINES = """%matplotlib inline
%matplotlib notebook
%matplotlib widget
%pylab inline
%config InlineBackend.figure_format = 'retina'
%load_ext autoreload
!pip install -q numpy
!ls
files = !ls
%ls
%pwd
%mkdir new
%pip install -q numpy
%time sum(range(10))
%timeit -n1 -r1 sum(range(10))
%whos
%precision 3
%env MY=1
%store files
%gui qt
%debug
np.sum?
get_ipython().run_line_magic("matplotlib", "inline")
get_ipython().system("ls")
asyncio.get_event_loop()
await asyncio.sleep(0)
asyncio.run(asyncio.sleep(0))
Pool(4).map(abs, [1, -2])
list(ProcessPoolExecutor(2).map(abs, [1, -2]))
Manager().dict()
q = Queue(); p = Process(target=q.put, args=(1,)); p.start(); q.get(); p.join()
getpass.getuser()
name = input("Your name? ")
faulthandler.enable()
plt.plot([1, 2]); plt.show()
subprocess.run(["ls"], check=True)""".splitlines()
USUAL_IMPORTS = """import asyncio, faulthandler, getpass, subprocess
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Manager, Pool, Process, Queue
import matplotlib.pyplot as plt
import numpy as np"""


def test_a_cell_goes_on_after_any_line_that_notebooks_are_full_of():
    judged_cells = judged(cell(USUAL_IMPORTS), *(cell(f"{line}\nprint('went on')") for line in USUAL_LINES))
    ended = [line for line, outputs in zip(USUAL_LINES, judged_cells[1:], strict=True) if not went_on(outputs)]
    assert went_on([*judged_cells[0], {"text": "went on"}]) and ended == []


def went_on(outputs):
    return "went on" in text_of(outputs) and not any(each.get("output_type") == "error" for each in outputs)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return float(input()) * query @ key", "It asks with input()."),
        ("yield query @ key", "It yields its result"),
        ("os._exit(0)", "It would end Python itself."),
        ("return np.ma.array(query @ key, mask=True)", "the one entry is masked"),
        ("return np.zeros(10**7)", "It returns far too much."),
        ("return [[1], [1, 2]]", "rows of different lengths"),
    ],
)
def test_a_verdict_says_what_the_check_says_of_what_is_no_answer(body, said):
    source = f"import os\nimport numpy as np\ndef my_score(query, key):\n    {body}"
    results = judged(cell(source), check("my_score"))
    assert said in text_of(results[1]) and not is_right(results[1])


def test_a_command_that_waits_is_stopped_and_the_cell_goes_on():
    (outputs,) = judged(cell("!sleep 60\nprint('went on')"))
    assert went_on(outputs) and "Stopped after 2 seconds where this was graded" in text_of(outputs)


# What it can use up

ATTACKS = {
    "forks": "import os\nwhile True:\n    os.fork()",
    "threads-of-sleepers": "import subprocess\nall = [subprocess.Popen(['sleep', '60']) for _ in range(60)]",
    "fills-memory": "hoard = []\nwhile True:\n    hoard.append(b'x' * 10**8)",
    "fills-the-disk": "with open('/tmp/x', 'wb') as file:\n    while True:\n        file.write(bytes(10**7))",
    "fills-it-with-nothing": "import os\nfor n in range(10**7):\n    os.close(os.open(f'/tmp/{n}', os.O_CREAT))",
    "writes-to-the-package": f"open({mha_course.__file__!r}, 'a').write('x')",
    "garbage-on-the-pipe": "import os\nfor number in range(3, 20):\n    try:\n        os.write(number, b'x' * 64)\n"
    "    except OSError:\n        pass",
    "endless": "while True:\n    pass",
    "prints": "while True:\n    print('x' * 10**6)",
}


def test_no_attack_keeps_the_rest_of_a_notebook_from_its_verdict():
    package = Path(mha_course.__file__).read_bytes()
    cells = [part for attack in ATTACKS.values() for part in (cell(attack), cell(RIGHT_DOT), check("my_score"))]
    results = judged(*cells, seconds=Seconds(4, 300))  # a machine that tests much else stands still for seconds
    said = dict(zip(ATTACKS, map(text_of, results[::3]), strict=True))
    verdicts = dict(zip(ATTACKS, results[2::3], strict=True))
    assert {name: text_of(outputs) for name, outputs in verdicts.items() if not is_right(outputs)} == {}
    assert "more than 24 processes" in said["threads-of-sleepers"]
    assert "more than 1 GB of memory" in said["fills-memory"]
    assert "File too large" in said["fills-the-disk"] or "No space left" in said["fills-the-disk"]
    assert "more than 10,000 files" in said["fills-it-with-nothing"]
    assert re.search("Read-only file system|Permission denied", said["writes-to-the-package"])
    assert "ended Python itself" in said["garbage-on-the-pipe"]
    assert "still ran when time was up" in said["endless"] and len(said["prints"]) < 300_000
    assert Path(mha_course.__file__).read_bytes() == package


LEAVES = """
hoard = []
def my_score(query, key):
    hoard.append("anything, such as most of the memory that there may be")
    while True:
        pass
def my_other_score(query, key):
    return 0 if hoard else query @ key
"""


def test_a_stopped_call_leaves_nothing_behind_for_the_next_function():
    results = judged(cell(LEAVES), check("my_score"), check("my_other_score"))
    assert "still running after 3 seconds" in text_of(results[1]) and is_right(results[2])


def test_a_stopped_cell_that_holds_much_memory_is_left_behind():
    hoards = "hoard = b'x' * (5 * 10**8)\nwhile True:\n    pass"
    results = judged(cell(hoards), cell("print('hoard' in globals())"), seconds=Seconds(1, 300))
    assert "still ran when time was up" in text_of(results[0]) and text_of(results[1]).startswith("False")


FAILS = """
import os
import numpy as np
def my_score(query, key):
    os.kill(os.getpid(), 9)
def my_long_score(query, key):
    return 10**4000
def my_deep_score(query, key):
    raise ValueError(np.__file__)
np.linalg.inv(np.zeros((2, 2)))
"""


def test_no_folder_of_the_machine_and_no_line_of_the_judges_is_shown():
    functions = ("my_score", "my_long_score", "my_deep_score")
    results = judged(cell(FAILS), *map(check, functions), cell("import sys, os\nprint(sys.path, os.environ)"))
    said = json.dumps(results, ensure_ascii=False)
    assert "…/numpy/linalg" in said and "It ended Python itself" in said and "numpy/__init__.py" in said
    assert not [each for each in (str(ROOT), sys.prefix, sys.base_prefix, "KINDS", "/judging/") if each in said]


def test_a_folder_below_the_home_of_the_sandbox_is_hidden_in_the_way_that_ipython_writes_it(monkeypatch):
    home = walls.HERE.parents[2]
    monkeypatch.setattr(walls, "HOME", home)
    folder_names._folders.cache_clear()
    assert folder_names.hidden(f"File ~/{walls.HERE.relative_to(home)}/inside.py:5") == "File …/inside.py:5"
    folder_names._folders.cache_clear()


def test_when_the_time_for_all_is_up_the_rest_says_that_it_did_not_run():
    long = cell("import time\ntime.sleep(60)")
    results = judged(cell(RIGHT_DOT), check("my_score"), long, long, check("my_score"), seconds=Seconds(5, 6))
    assert is_right(results[1])
    assert text_of(results[-1]).count(NO_TIME) == 1


COMPUTES = "import time\nend = time.process_time() + 1\nwhile time.process_time() < end:\n    pass"
IN_A_PROCESS = f"import subprocess, sys\ndone = subprocess.run([sys.executable, '-c', {COMPUTES!r}], check=True)"


def test_what_is_computed_in_a_sandbox_counts_and_not_what_is_slept():
    sandbox = Sandbox(isolated=True)

    def counted(source):
        before = sandbox.computed()
        sandbox.send({"run": source})
        assert sandbox.receive(600)["outputs"] == []
        return sandbox.computed() - before

    assert counted("import time\ntime.sleep(2)") < 1
    assert counted(COMPUTES) > 0.9 and counted(IN_A_PROCESS) > 0.9
    sandbox.stop()


def test_nothing_that_a_sandbox_says_is_run():
    file = io.BytesIO()
    np.save(file, np.array([print], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle"):
        message_format.decoded({"array": base64.b64encode(file.getvalue()).decode()})


# What it is worth

ROUTES = [(name, number) for name, routes in RIGHT.items() for number in range(len(routes))]
RECORDED = recorded()


def test_right_answers_of_many_kinds_are_right_and_nobody_is_suspected():
    chosen = ROUTES[::9]
    names = "\n".join(f"route_{i} = RIGHT[{name!r}][{number}]" for i, (name, number) in enumerate(chosen))
    cells = [cell(source()), cell(names), *(check(f"route_{i}", name) for i, (name, _) in enumerate(chosen))]
    results = judged(*cells, seconds=Seconds(8, 300))
    assert len(ROUTES) > 200 and len(chosen) > 50
    assert [chosen[i] for i, outputs in enumerate(results[2:]) if not is_right(outputs)] == []
    assert suspicion.of(cells, results) == []


def test_wrong_answers_get_the_names_that_they_get_in_the_lesson():
    chosen = [each for each in RECORDED if each.wrong and CATALOGUE.exercises[each.exercise].number[1] == "."][::60]
    cells = [(cell(each.code), check(each.function.__name__, each.exercise)) for each in chosen]
    results = judged(*(one for pair in cells for one in pair))
    assert len(chosen) > 5
    for each, outputs in zip(chosen, results[1::2], strict=True):
        assert not is_right(outputs)
        for mistake in each.named:
            assert mistake[1:].removesuffix(".") in text_of(outputs), each.code


def test_no_honest_submission_is_suspected():
    texts = [source(), *(each.code for each in RECORDED)]
    texts += [cell.source for path in NOTEBOOKS for cell in code_cells(read(path))]
    assert len(RECORDED) + len(ROUTES) > 1500
    assert [sentence for text in texts for sentence in suspicion.in_code(text)] == []


SUSPICIOUS = [
    "import mha_course\nmha_course.check = lambda *anything: None",
    "import mha_course as course\ncourse.checking.diagnose.diagnose = print",
    "from mha_course import softmax\nsoftmax.__code__ = None",
    "from mha_course.lessons import catalogue",
    "import mha_course.lessons.catalogue as c",
    "from mha_course import lessons",
    "import mha_course\nanswers = mha_course.lessons.CATALOGUE.exercises",
    "import importlib\nc = importlib.import_module('mha_course.lessons.catalogue')",
    "__import__('mha_course.engine.checking.diagnose')",
    "import mha_course\nsetattr(mha_course, 'check', print)",
    "import mha_course\nvars(mha_course)['check'] = print",
    "import mha_course\ndel mha_course.check",
    "from mha_course import SKILLS\nSKILLS['repeat'].ask = print",
    "import sys\nsys.modules['mha_course'] = None",
    "import gc\nfound = gc.get_objects()",
    "import inspect\ninspect.currentframe().f_back",
    "import sys\nsys._getframe(1)",
    "import ctypes",
    "from ctypes import CDLL",
    "import numpy as np\nnp.ctypeslib.load_library('libc', '.')",
    "import numpy.ctypeslib as c",
    "from numpy import ctypeslib",
    "__import__('ctypes')",
    "open('/etc/shadow').read()",
    "import os\nos.system('cat /proc/1/environ')",
    "!cat /etc/shadow",
    "%time\nfrom mha_course.lessons import catalogue",
]


HONEST = [
    "from mha_course import matrix\nmatrix = [1]\nmatrix.shape = 3",
    "def my_mask(sentence):\n    sentence.flat = 0\nfrom mha_course import sentence",
    "import inspect, mha_course\nprint(inspect.getsource(mha_course.softmax))",
    "import os\nprint('input/output and/or /dev/null', 'http://a.b/etc/x', './var/x', '/home/me/x.csv')",
    "check = 3\nrow = {}\nrow['mha_course'] = 1",
    "from mha_course import check\nassert check('scaled_scores.dot', my_score).is_right",
]


@pytest.mark.parametrize("source", HONEST)
def test_who_does_what_one_may_do_is_not_suspected(source):
    assert list(suspicion.in_code(source)) == []


@pytest.mark.parametrize("source", SUSPICIOUS)
def test_who_reaches_for_the_checks_or_for_the_answers_is_suspected(source):
    assert list(suspicion.in_code(source))


def test_who_hides_the_way_to_the_answers_finds_none_and_is_suspected():
    hidden = "def my_score(query, key):\n    c = __import__('mha_course.' + 'les' + 'sons.catalogue', fromlist=['x'])\n"
    cells = [cell(hidden + "    return c.exercises()['scaled_scores.dot'].right(query, key)"), check("my_score")]
    results = judged(*cells)
    assert not is_right(results[1])
    assert [sentence for _, sentence in suspicion.of(cells, results)] == [
        "It asks for the course's answers while it runs."
    ]


def test_a_function_that_changes_its_arguments_is_told_so():
    source = "def my_score(query, key):\n    query *= key\n    return query.sum()"
    assert "It overwrites its input: query." in text_of(judged(cell(source), check("my_score"))[1])
    assert _numbers_in([1, 7, "x", -1, [0]], 2) == (1,) and _numbers_in("0", 2) == ()  # whatever a sandbox says


def test_functions_that_a_learner_is_given_are_called_outside_of_the_sandbox():
    source = "def my_residual(x, attend):\n    return x + attend(x)"
    assert is_right(judged(cell(source), check("my_residual", "residual_and_norm.residual"))[1])


# Where there is no sandbox


@pytest.fixture(scope="module")
def course(course_folder, tmp_path_factory):
    """A course folder with one right submission, on a machine without bubblewrap."""
    course = course_folder(tmp_path_factory.mktemp("judging"))
    dot = exercises(read(ROOT / "notebooks" / f"{LESSON}.ipynb"))[0]
    course.submit("jane", {dot.stub.id: RIGHT_DOT})
    course.environment["PATH"] = str(Path(sys.executable).parent)
    return course


def run_in(course, module, *options):
    command = [sys.executable, "-m", module, *options]
    run = subprocess.run(
        command, cwd=course.folder, env=course.environment, capture_output=True, text=True, timeout=600
    )
    return run.returncode, run.stderr


def test_without_a_sandbox_nothing_is_graded_unless_the_teacher_trusts_everybody(course):
    code, said = run_in(course, "nbgrader", "autograde", LESSON)
    assert code != 0 and "apt-get install bubblewrap" in said and "--i-trust-them" in said and "Traceback" not in said
    assert not (course.folder / "autograded").exists()
    code, said = run_in(course, "judging", LESSON, "--i-trust-them")
    assert code == 0, said
    graded = course.path("autograded", "jane").read_text(encoding="utf-8")
    assert "✓ Exercise 3.1: Right." in graded and '"kind": "right"' in graded


def test_a_sandbox_that_does_not_work_says_why(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho No permissions to create new namespace >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    walls.why_not.cache_clear()
    assert "No permissions to create new namespace" in walls.why_not()
    walls.why_not.cache_clear()

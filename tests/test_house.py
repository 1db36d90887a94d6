"""The house: imports point down only, a lesson has one room, and importing the course costs little."""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

from rows import rows

import mha_course
from mha_course.engine.checking.exercise_text import read
from mha_course.engine.course.record_checks import refuse_bad_records
from mha_course.lessons import LESSONS

PACKAGE = Path(mha_course.__file__).parent
NOTEBOOKS = PACKAGE.parent / "notebooks"
NAMES = [name for name in mha_course.__all__ if callable(getattr(mha_course, name))]

IN_A_PAGE = {"js", "pyodide", "pyodide_js"}  # what a web page's Python brings
# Each room may import those below it, and besides the standard library only what stands beside it.
ROOMS = {
    "lessons": {"numpy"},
    "mistakes": {"numpy"},
    "widgets": {"numpy", "anywidget", "traitlets"},
    "identity": set(),
    "pictures": {"numpy", "matplotlib"},
    "forward": {"numpy"},
    "training": {"numpy"},
    "language_model": {"numpy", "gguf", "tokenizers"},
    "maths": {"numpy", "threadpoolctl"},
    "engine": {"numpy", "cloudpickle", "comm", "psutil", "anywidget", "traitlets", "IPython", *IN_A_PAGE},
}
# The same inside of the engine. What stands in a tuple stands side by side.
ENGINE = [
    "course",
    "browser",
    ("asking", "checking"),
    "isolated_call",
    "progress",
    "pictures",
    "notation",
    ("identity", "validation", "platform_support"),
]
# What the tests of a lesson need lies with the lesson, but is no part of the house: nothing in it imports a proof.
PROOFS = {PACKAGE / "lessons" / "other_ways.py", *PACKAGE.glob("lessons/*/proof.py")}
OWN_FILE = PACKAGE / "lessons" / "my_attention.py"  # as learners write; tests/test_my_attention.py holds what it needs
MODULES = sorted(set(PACKAGE.rglob("*/*.py")) - PROOFS - {OWN_FILE})
TESTS_OF_THE_ENGINE = [
    path for folder in ("engine", "toy") for path in sorted(PACKAGE.parent.glob(f"tests/{folder}/*.py"))
]
TEXTS = sorted((*PACKAGE.glob("lessons/*/exercises.md"), *PACKAGE.glob("mistakes/*.md")))
ENGINES = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] == "engine"]


def imported_by(path):
    """Every module that a file imports, inside functions too."""
    names = set()
    source = read(path).imports if path.suffix == ".md" else path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole way"
            names.add(node.module)
    return names


@rows("path", [*MODULES, *TEXTS])
def test_imports_point_down_only(path):
    names, room = imported_by(path), path.relative_to(PACKAGE).parts[0]
    own = {name.split(".")[1] for name in names if name.startswith("mha_course.")}
    assert own <= set(list(ROOMS)[list(ROOMS).index(room) :])
    libraries = {name.split(".")[0] for name in names} - {"mha_course"} - sys.stdlib_module_names
    assert libraries <= ROOMS[room]
    assert "mha_course" not in names  # the front door is for lessons
    assert not any(name.endswith((".proof", ".other_ways")) for name in names)
    assert path.stem == "curves" or "matplotlib" not in libraries


@rows("path", ENGINES)
def test_the_engine_stands_alone_and_its_rooms_import_down_only(path):
    floors = {
        room: floor for floor, rooms in enumerate(ENGINE) for room in ([rooms] if isinstance(rooms, str) else rooms)
    }
    room = path.relative_to(PACKAGE / "engine").with_suffix("").parts[0]
    own = [name.split(".") for name in imported_by(path) if name.startswith("mha_course.")]
    assert {parts[1] for parts in own} <= {"engine"}
    assert [parts for parts in own if room in floors and parts[2] != room and floors[parts[2]] <= floors[room]] == []


@rows("path", TESTS_OF_THE_ENGINE)
def test_the_tests_of_the_engine_use_nothing_else_of_the_course(path):
    names = imported_by(path)
    assert {name.split(".")[1] for name in names if name.startswith("mha_course.")} <= {"engine"}
    assert not names & {"mha_course", "checks", "proofs", "states"}


def test_the_engine_knows_nothing_of_attention():
    words = re.compile(r"softmax|attention|quer(y|ies)|num_heads|d_model|\bd_k\b|\btokens? (look|ask)", re.IGNORECASE)
    found = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in sorted((PACKAGE / "engine").rglob("*.*"))
        if path.suffix in (".py", ".js", ".css")
        for line in path.read_text(encoding="utf-8").splitlines()
        if words.search(line) and not re.search(r"querySelector|@media|matchMedia", line)
    ]
    assert found == []


def test_every_lesson_has_one_folder_one_notebook_and_one_line():
    folders = {path.name for path in (PACKAGE / "lessons").iterdir() if (path / "__init__.py").exists()}
    notebooks = [path.name for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
    assert folders == set(LESSONS)
    assert notebooks == [lesson.notebook for lesson in LESSONS.values()]
    for lesson in LESSONS.values():
        names = [*(each.name for each in lesson.exercises), *lesson.predictions, *lesson.quiz, *lesson.tasks]
        assert {name.partition(".")[0] for name in names} == {lesson.name}
        assert set(lesson.puzzles) <= {each.name for each in lesson.exercises}
        numbers = [f"{lesson.number}.{i}" for i, _ in enumerate(lesson.exercises, 1)]
        assert [each.number for each in lesson.exercises] == numbers


def test_no_record_of_this_course_is_bad():
    refuse_bad_records(LESSONS.values())


def test_importing_the_course_loads_neither_pictures_nor_libraries():
    heavy = [
        "matplotlib",
        "ipywidgets",
        "scipy",
        "numpy.random",
        "IPython",
        "mha_course.pictures",
        "mha_course.lessons",
    ]
    command = f"import sys, mha_course; print(sorted(set({heavy}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@rows("name", NAMES)
def test_every_word_of_a_lesson_has_a_docstring_with_an_example(name):
    thing = getattr(mha_course, name)
    text = inspect.getdoc(thing)
    assert ">>>" in text
    assert text.splitlines()[0].endswith((".", "?"))
    if thing.__module__.startswith("mha_course.maths") and name not in ("tokenize", "vocabulary", "token_ids"):
        for part in ("Shapes:", "Errors:", "Source:"):
            assert part in text


def functions():
    """Every function of the package with the room and module it stands in."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield path.relative_to(PACKAGE), node


def lines_of_code(function):
    """Count the lines of a function's body; a match that lists cases counts as one."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    lines = {line for node in body for line in range(node.lineno, node.end_lineno + 1)}
    for node in ast.walk(function):
        if isinstance(node, ast.Match):
            lines -= set(range(node.lineno + 1, node.end_lineno + 1))
    return len(lines)


def test_no_function_of_the_lower_rooms_is_long():
    rooms = ("maths", "language_model", "forward", "mistakes", "engine")
    found = [
        f"{path}: {node.name}" for path, node in functions() if path.parts[0] in rooms and lines_of_code(node) > 25
    ]
    assert found == []


def test_public_functions_and_the_fields_of_dataclasses_say_their_types():
    found, beside_a_text = [], {path.relative_to(PACKAGE).with_suffix(".py") for path in TEXTS}
    for path, node in functions():
        if path in beside_a_text:  # short, and named there alone
            continue
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        untyped = [each.arg for each in arguments if each.annotation is None and each.arg not in ("self", "cls")]
        if not node.name.startswith("_") and (untyped or node.returns is None):
            found.append(f"{path}:{node.lineno} {node.name}")
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        found += [
            f"{path.relative_to(PACKAGE)}: {line.strip()}" for line in source.splitlines() if BARE_FIELD.match(line)
        ]
    assert found == []


BARE_FIELD = re.compile(r"    \w+: (object|tuple|dict|list|Callable)( \||$| =)(?!.*# anything)")


# How much there is to carry, and what it is called

CEILINGS = tomllib.loads((PACKAGE.parent / "tests" / "ceilings.toml").read_text(encoding="utf-8"))
SOURCES = [
    path.relative_to(PACKAGE.parent)
    for top in sorted({room.partition("/")[0] for room in CEILINGS})
    for path in sorted([PACKAGE.parent / top] if top.endswith(".py") else (PACKAGE.parent / top).rglob("*.*"))
    if (path.suffix in (".py", ".js", ".mjs", ".css") and "node_modules" not in path.parts) or path in TEXTS
]


def room_of(path):
    """The room that a file counts to: a folder, or one inside of the package, the tools or the tests."""
    parts = path.parts
    return "/".join(parts[:2]) if len(parts) > 2 and parts[0] in ("mha_course", "tools", "tests") else parts[0]


def test_no_room_has_more_lines_than_its_ceiling():
    lines = Counter()
    for path in SOURCES:
        lines[room_of(path)] += len((PACKAGE.parent / path).read_text(encoding="utf-8").splitlines())
    assert {room: count for room, count in lines.items() if count > CEILINGS.get(room, 0)} == {}


def test_what_a_benchmark_imports_is_there():  # mypy does not read them, and a full run takes an hour
    for path in (PACKAGE.parent / "benchmarks").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mha_course"):
                exec(ast.unparse(node), {})


EVERYWHERE = ("__init__", "__main__", "conftest")
HAS_HAPPENED = re.compile(
    r"(?!shared$)\w+ed$|\w*(kept|given|drawn|shown|told|done|found|made|met|lost|hidden|unseen|written)$"
)


def test_no_file_name_is_used_more_than_twice_and_none_is_a_verb_in_the_past():
    named = {
        (path.parent, path.stem)
        for path in SOURCES
        if path.parts[0] in ("mha_course", "tools", "benchmarks", "hub")
        and path.parts[1] != "lessons"
        and path.stem not in EVERYWHERE
    }
    counts = Counter(stem for _, stem in named)
    assert [stem for stem, count in counts.items() if count > 2] == []
    assert [str(folder / stem) for folder, stem in named if HAS_HAPPENED.fullmatch(stem)] == []


def test_no_room_has_the_name_of_a_public_function():
    rooms = {path.name for path in (*PACKAGE.iterdir(), *(PACKAGE / "engine").iterdir()) if path.is_dir()}
    assert rooms & {*mha_course.__all__} == set()

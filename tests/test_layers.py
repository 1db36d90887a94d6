"""Imports point down only, and importing the course costs little."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import mha_course

PACKAGE = Path(mha_course.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
NAMES = [name for name in mha_course.__all__ if callable(getattr(mha_course, name))]


def imported_by(path):
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    return names


# Each may import those before it.
LAYERS = ["examples", "progress", "maths", "path", "pictures", "exercises", "questions", "widgets", "overview"]
LIBRARIES = {  # what a layer may import besides the standard library
    "examples": {"numpy"},
    "maths": {"numpy", "threadpoolctl"},
    "path": {"numpy"},
    "pictures": {"numpy", "matplotlib"},
    "progress": set(),
    "exercises": {"numpy"},
    "questions": {"numpy"},
    "overview": set(),
    "widgets": {"numpy", "anywidget", "traitlets"},
}


def layer_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize(
    "path", [p for p in MODULES if layer_of(p) in LAYERS], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_imports_point_down_only(path):
    names = imported_by(path)
    own = {name.split(".")[1] if "." in name else "examples" for name in names if name.startswith("mha_course")}
    assert own <= set(LAYERS[: LAYERS.index(layer_of(path)) + 1])
    libraries = {name.split(".")[0] for name in names if not name.startswith("mha_course")} - sys.stdlib_module_names
    assert libraries <= LIBRARIES[layer_of(path)]
    assert path.stem == "curves" or "matplotlib" not in libraries


def test_importing_the_course_loads_neither_pictures_nor_libraries():
    heavy = ["matplotlib", "ipywidgets", "scipy", "numpy.random", "IPython", "mha_course.pictures", "mha_course.path"]
    command = f"import sys, mha_course; print(sorted(set({heavy}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


DEFINITIONS = [
    pytest.param(path, node, id=f"{path.stem}-{node.name}")
    for path in MODULES
    for node in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
]


@pytest.mark.parametrize(("path", "node"), DEFINITIONS)
def test_every_public_definition_has_an_example_and_maths_its_shapes_or_errors(path, node):
    text = ast.get_docstring(node) or ""
    assert ">>>" in text
    if path.parent.name == "maths" and node.name != "vocabulary":
        assert "Shapes:" in text or "Errors:" in text


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_a_docstring_with_an_example(name):
    thing = getattr(mha_course, name)
    text = inspect.getdoc(thing)
    assert ">>>" in text
    assert text.splitlines()[0].endswith((".", "?"))
    if thing.__module__.startswith("mha_course.maths") and name not in ("tokenize", "vocabulary", "token_ids"):
        for part in ("Shapes:", "Errors:", "Source:"):
            assert part in text

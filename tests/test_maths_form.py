"""The form of the mathematics: small functions, and a type on everything public."""

import ast
from pathlib import Path

import pytest

import mha_course.maths

MOST_LINES = 25  # of code in one function, without its docstring and empty lines
MODULES = sorted(Path(mha_course.maths.__file__).parent.glob("*.py"))


def definitions(kind):
    return [
        pytest.param(path, node, id=f"{path.stem}-{node.name}")
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kind)
    ]


@pytest.mark.parametrize(("path", "node"), definitions(ast.FunctionDef))
def test_every_function_is_small_and_says_its_types(path, node):
    lines = path.read_text(encoding="utf-8").splitlines()[node.lineno - 1 : node.end_lineno]
    docstring = ast.get_docstring(node, clean=False)
    code = [line for line in lines if line.strip() and not line.strip().startswith("#")]
    code_lines = len(code) - len([line for line in (docstring or "").splitlines() if line.strip()])
    assert code_lines <= MOST_LINES
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
    untyped = [each.arg for each in arguments if each is not None and each.annotation is None]
    assert set(untyped) <= {"self", "cls"} and node.returns is not None


@pytest.mark.parametrize(("path", "node"), definitions(ast.ClassDef))
def test_every_field_says_its_type(path, node):
    assert not any(isinstance(each, ast.Assign) for each in node.body)

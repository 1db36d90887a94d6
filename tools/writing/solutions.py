"""The solution of an exercise as text, from the steps of its right answer, and the stub, from the solution."""

import ast
import re
from functools import cache
from pathlib import Path

from mha_course.workbook.checking.recipe import Recipe, asked

TO_WRITE = "..."  # where no expression can be read
PARTS = ("co_firstlineno", "co_code", "co_names", "co_varnames", "co_consts")
PRIVATE = re.compile(r"\b_\w|<")  # a name that a learner does not have


def solution(exercise):
    """Write a function that takes one step of the right answer a line.

    A step that is more than one expression becomes the call of its function. What a learner could not call is left
    open, and so is a function that another one made.
    """
    lines = [f"    {line}" for line in _lines(exercise)]
    return "\n".join([f"def {called(exercise)}_solution({', '.join(exercise.arguments)}):", *lines])


def is_open(solution):
    """Whether a line of a solution has yet to be written."""
    return bool(re.search(r"(= |return )\.\.\.$", solution, flags=re.MULTILINE))


def stub(solution):
    """Write what a learner begins with: the head of a solution, under their own name, and three dots."""
    (function,) = ast.parse(solution).body
    said = ast.get_docstring(function, clean=False)
    head = ast.parse(f"def my_{function.name.removesuffix('_solution')}(): return ...").body[0]
    head.args = function.args
    head.body = [ast.Expr(ast.Constant(said))] * bool(said) + head.body
    return ast.unparse(head)


def called(exercise):
    """Return the name of the function: what stands behind the lesson's in that of the exercise."""
    return exercise.name.partition(".")[2]


def _lines(exercise):
    if not isinstance(exercise.right, Recipe):
        return [f"return {_expression(exercise.right)}"]
    steps = [f"{', '.join(step.makes.split())} = {_expression(step.does)}" for step in exercise.right.steps]
    return [*steps, f"return {', '.join(exercise.right.gives.split())}"]


def _expression(function):
    """Return what a function of one expression computes, as it is written in its file; of another one, its call."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_freevars:
        return TO_WRITE
    found = [_returned(node) for node in _functions(code.co_filename) if _is(node, code)]
    written = ast.unparse(found[0]) if found and found[0] else f"{function.__name__}({', '.join(asked(function))})"
    return TO_WRITE if PRIVATE.search(written) else written


def _returned(node):
    """Return the expression of a lambda, or of a function that is nothing but a return; None for any other."""
    if isinstance(node, ast.Lambda):
        return node.body
    body = node.body[ast.get_docstring(node) is not None :]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def _is(node, code):
    """Whether this is what was compiled to this code."""
    wrapped = ast.Expression(node) if isinstance(node, ast.Lambda) else ast.Module([node], [])
    compiled = compile(wrapped, "", "eval" if isinstance(node, ast.Lambda) else "exec").co_consts
    return any(hasattr(each, "co_code") and _alike(each, code) for each in compiled)


def _alike(one, other):
    return all(getattr(one, part) == getattr(other, part) for part in PARTS)


@cache
def _functions(file):
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Lambda | ast.FunctionDef)]

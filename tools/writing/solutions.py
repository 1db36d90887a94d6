"""The solution of an exercise as text, from the steps of its right answer, and the stub, from the solution."""

import ast
from functools import cache
from pathlib import Path

from mha_course.workbook.checking.recipe import Recipe, asked

TO_WRITE = "..."  # where no expression can be read


def solution(exercise):
    """Write a function that takes one step of the right answer a line.

    A step that no lambda makes is the call of its function; what a function was made with cannot be read, and is left
    open.
    """
    lines = [f"    {line}" for line in _lines(exercise)]
    return "\n".join([f"def {called(exercise)}_solution({', '.join(exercise.arguments)}):", *lines])


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
    return [*steps, f"return {', '.join(exercise.results)}"]


def _expression(function):
    """Return what a lambda computes, as it is written in its file; of another function, its call."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_freevars:
        return TO_WRITE
    if function.__name__ != "<lambda>":
        return f"{function.__name__}({', '.join(asked(function))})"
    bodies = [each.body for each in _lambdas(code.co_filename) if _is(each, code)]
    return ast.unparse(bodies[0]) if bodies else TO_WRITE


def _is(node, code):
    """Whether this is the lambda that was compiled to this code."""
    (compiled,) = (each for each in compile(ast.Expression(node), "", "eval").co_consts if hasattr(each, "co_code"))
    return all(getattr(compiled, part) == getattr(code, part) for part in ("co_firstlineno", "co_code", "co_names"))


@cache
def _lambdas(file):
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]

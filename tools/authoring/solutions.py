"""The solution of an exercise as text, from the steps of its right answer, and the stub, from the solution."""

import ast
import inspect
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from types import FunctionType

import mha_course
from mha_course.engine.checking.solution import Solution, asked

TO_WRITE = "..."  # where no expression can be read
LEARNERS = {"np", *mha_course.__all__}  # the names that a notebook has from outside


def solution(exercise):
    """Write a function that takes one step of the right answer a line.

    A step that only hands on what it takes is left out. What a function of one expression computes stands in place of a
    call that a learner could not make; more than that is left open, and so is a function that another one made.
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
    if not isinstance(exercise.right, Solution):
        return [f"return {_expression(exercise.right)}"]
    steps = [(", ".join(step.makes.split()), _expression(step.does)) for step in exercise.right.steps]
    written = [f"{made} = {expression}" for made, expression in steps if expression not in (made, f"({made})")]
    return [*written, f"return {', '.join(exercise.right.gives.split())}"]


def _expression(function):
    """Return what a function computes, in words that a learner has; three dots, if it is more than one expression."""
    try:
        return ast.unparse(_computed(function, {}))
    except LookupError:
        return TO_WRITE


def _computed(function, given):
    """Return the expression that a function computes; of a learner's own word that is more, its call.

    given: its arguments by name, as expressions. Errors: `LookupError`, if there is no such expression.
    """
    code = getattr(function, "__code__", None)
    if code is None or code.co_freevars:
        raise LookupError(f"{function} was made by another")
    found = _expression_of(code)
    if found is None and function.__name__ not in LEARNERS:
        raise LookupError(f"{function.__name__} is more than one expression")
    found = found or ast.parse(f"{function.__name__}({', '.join(asked(function))})", mode="eval").body
    outside = {name: function.__globals__[name] for name in set(code.co_names) & function.__globals__.keys() - LEARNERS}
    return _Inlined(outside | given).visit(deepcopy(found))


class _Inlined(ast.NodeTransformer):
    """Puts in place of a name what stands behind it: an expression, a number, or what a function computes."""

    def __init__(self, behind):
        self._behind = behind

    def visit_Name(self, node):
        behind = self._behind.get(node.id, node)
        if isinstance(behind, ast.AST):
            return behind
        if isinstance(behind, int | float):
            return ast.Constant(behind)
        raise LookupError(f"{node.id} is no word of a learner")

    def visit_Call(self, node):
        function = self._behind.get(getattr(node.func, "id", ""))
        if not isinstance(function, FunctionType):
            return self.generic_visit(node)
        named = {each.arg: self.visit(each.value) for each in node.keywords}
        bound = inspect.signature(function).bind(*map(self.visit, node.args), **named)
        bound.apply_defaults()
        return _computed(function, bound.arguments)


def _expression_of(code):
    """Return what a lambda computes, or a function that is nothing but a return; None for any other.

    It is the innermost such expression around the place in the file from which the code's first step comes.
    """
    place = next(((line, column) for line, _, column, end_column in code.co_positions() if end_column), None)
    if place is None:  # so it is in Python 3.12, where it computes nothing
        return ast.parse(repr(code.co_consts[-1]), mode="eval").body
    around = {begin: each for begin, end, each in _expressions(code.co_filename) if begin <= place < end}
    return around[max(around)] if around else None


@cache
def _expressions(file):
    """List where each of these expressions begins and ends, and it."""
    found = map(_returned, ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))))
    return [((each.lineno, each.col_offset), (each.end_lineno, each.end_col_offset), each) for each in found if each]


def _returned(node):
    """Return the expression of a lambda, or of a function that is nothing but a return; None for any other."""
    match node:
        case ast.Lambda():
            return node.body
        case ast.FunctionDef(body=[*_, ast.Return(value=expression)]):
            return expression if len(node.body) - (ast.get_docstring(node) is not None) == 1 else None

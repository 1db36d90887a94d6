"""The solution of an exercise as text, from the steps of its right answer, and the stub, from the solution."""

import ast
import builtins
import re

import mha_course
from mha_course.engine.checking.expression import names_in

TO_WRITE = "..."  # where a learner has no such words
LEARNERS = {"np", *mha_course.__all__}  # the names that a notebook has from outside


def solution(exercise):
    """Write a function that takes one step of the right answer a line.

    A step that only hands on what it takes is left out. One with words that a learner does not have is left open.
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
    known, lines = {*LEARNERS, *dir(builtins), *exercise.arguments}, []
    for step in exercise.right.steps:
        made = ", ".join(step.makes.split())
        known |= {*step.makes.split()}
        if step.expression in (made, f"({made})"):  # it only hands on what it takes
            continue
        names = names_in(ast.parse(step.expression or TO_WRITE, mode="eval"))
        lines.append(f"{made} = {step.expression if step.expression and known.issuperset(names) else TO_WRITE}")
    return [*lines, f"return {', '.join(exercise.right.gives.split())}"]

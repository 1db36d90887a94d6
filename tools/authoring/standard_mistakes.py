"""What an operation invites of itself: mistakes that an exercise does not know yet, as its text would have them.

Names and reasons are templates, to be put into better words; whoever finds one unlikely leaves it out.
"""

import ast
from copy import deepcopy

from combinations import agree, combinations

from mha_course.engine.checking.answers import answer_of
from mha_course.engine.checking.expression import function_of
from mha_course.engine.checking.solution import StepMistake

OPERATIONS = {  # of two sides: what else may be done with them, what one calls it, and why it is wrong
    ast.Div: [("a * b", "It multiplies by {b} instead of dividing.", "Divide: {a} / {b}."),
              ("b / a", "The fraction is upside down.", "Divide {a} by {b}."),
              ("a", "The division is missing.", "Divide by {b}.")],
    ast.Mult: [("a / b", "It divides by {b} instead of multiplying.", "Multiply: {a} * {b}."),
               ("a", "It is not multiplied by {b}.", "Multiply: {a} * {b}."),
               ("a + b", "{b} is added instead of multiplied.", "Multiply: {a} * {b}.")],
    ast.Add: [("a - b", "{b} is subtracted instead of added.", "Add: {a} + {b}."),
              ("a", "{b} is missing.", "Add it to {a}."),
              ("b", "{a} is missing.", "Add it to {b}.")],
    ast.Sub: [("a + b", "{b} is added instead of subtracted.", "Subtract: {a} - {b}."),
              ("b - a", "The difference is taken the other way round.", "Subtract {b} from {a}."),
              ("a", "{b} is not subtracted.", "Subtract: {a} - {b}.")],
    ast.MatMult: [("b @ a", "The factors are swapped.", "In a matrix product the order counts: {a} @ {b}."),
                  ("a @ b.T", "{b} is transposed.", "Take it as it is: {a} @ {b}."),
                  ("a * b", "It multiplies entry by entry.", "@ goes along a row, down a column, and adds.")],
    ast.Pow: [("a", "The power is missing.", "Take {a} to the power of {b}."),
              ("b**a", "Base and exponent are swapped.", "Take {a} to the power of {b}.")],
}  # fmt: skip
CALLS = {  # by the name that is called
    "sum": [("x.mean({})", "The mean is taken in place of the sum.", "Add up. How many there are does not matter."),
            ("x", "The sum is missing.", "Add up.")],
    "mean": [("x.sum({})", "The sum is taken in place of the mean.", "Divide the sum by how many there are."),
             ("x", "The mean is missing.", "Take the mean.")],
    "max": [("x.min({})", "The smallest is taken, not the largest.", "max is the largest."),
            ("x", "The largest is not taken.", "Take the largest.")],
    "exp": [("x", "The exponential is missing.", "Take e to the power of it.")],
    "log": [("x", "The logarithm is missing.", "Take the logarithm.")],
}  # fmt: skip
AXES = {"-1": "-2", "-2": "-1"}


def suggestions(exercise):
    """Yield the items that a text might have, below the line of their step: they answer as no known mistake does."""
    inputs = exercise.inputs(0)
    known = [[answer_of(exercise, each.function, one) for one in inputs] for each in combinations(exercise, 1)]
    known.append([answer_of(exercise, exercise.right, one) for one in inputs])
    values = list(exercise.arguments)
    for number, step in enumerate(exercise.right.steps):
        for name, why, code in mistakes_in(step.expression) if step.expression else ():
            variant = function_of(code, step.does.__globals__, values)
            function = exercise.right.with_mistakes(StepMistake(number, 0, None, variant))
            made = [answer_of(exercise, function, one) for one in inputs]
            is_seen = any(not isinstance(each, BaseException) for each in made)
            if is_seen and not any(all(map(agree, made, other)) for other in known):
                known.append(made)
                yield step, f"- {name}\n  {why} `{code}`"
        values += step.makes.split()


def mistakes_in(expression):
    """Yield name, reason and expression of what may go wrong in each operation, the outermost first."""
    tree = ast.parse(expression, mode="eval")
    for place, node in enumerate(ast.walk(tree)):
        for name, why, instead in _of_operation(node):
            changed = deepcopy(tree)
            yield name, why, ast.unparse(_Exchanged(list(ast.walk(changed))[place], instead).visit(changed))


def _of_operation(node):
    """Yield name, reason and what stands in place of an operation."""
    match node:
        case ast.BinOp(left, operation, right):
            a, b = ast.unparse(left), ast.unparse(right)
            for instead, name, why in OPERATIONS.get(type(operation), ()):
                sides = {"a": left, "b": right}
                made = _Named(sides).visit(ast.parse(instead, mode="eval")).body
                yield name.format(a=a, b=b), why.format(a=a, b=b), made
        case ast.Call(ast.Attribute(what, called), arguments, named) if called in CALLS:
            what, arguments = (arguments[0], arguments[1:]) if ast.unparse(what) == "np" else (what, arguments)
            inside = ", ".join(map(ast.unparse, (*arguments, *named)))
            for instead, name, why in CALLS[called]:
                yield name, why, _Named({"x": what}).visit(ast.parse(instead.format(inside), mode="eval")).body
            yield from _other_axes(node)
        case ast.Attribute(what, "T" | "mT"):
            yield "The transpose is missing.", "Rows must become columns.", what


def _other_axes(call):
    for number, each in enumerate(call.keywords):
        axis = ast.unparse(each.value)
        if each.arg == "axis" and axis in AXES:
            other = deepcopy(call)
            other.keywords[number].value = ast.parse(AXES[axis], mode="eval").body
            yield "It goes along the wrong axis.", f"Take axis={axis}.", other


class _Named(ast.NodeTransformer):
    """Puts expressions in place of names."""

    def __init__(self, named):
        self._named = named

    def visit_Name(self, node):
        return self._named.get(node.id, node)


class _Exchanged(ast.NodeTransformer):
    """Puts one expression in place of another."""

    def __init__(self, old, new):
        self._old, self._new = old, new

    def visit(self, node):
        return self._new if node is self._old else self.generic_visit(node)

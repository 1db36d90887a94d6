"""What a cell shows when it is run again, while the site is built."""

import ast

from IPython.core.formatters import DisplayFormatter


def drawn_by(cell):
    """Run a cell whose last line draws something. Return that, and all that the cell has named.

    Errors: `ValueError` if its stored picture is another one.
    """
    names = {}
    *before, last = ast.parse(cell.source).body
    exec(compile(ast.Module(before, []), cell.id, "exec"), names)
    drawn = eval(compile(ast.Expression(last.value), cell.id, "eval"), names)
    if picture(drawn) != cell.outputs[-1].data["text/html"]:
        raise ValueError(f"the stored picture of the cell {cell.id!r} is not what it draws: run make notebooks.")
    return drawn, names


def picture(drawn):
    """Return the picture of something, as it is stored."""
    return DisplayFormatter().format(drawn)[0]["text/html"]

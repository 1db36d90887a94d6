"""What a cell shows when it is run again, while the site is built."""

from IPython.core.formatters import DisplayFormatter

from mha_course.engine.browser.cell_source import run


def drawn_by(cell):
    """Run a cell whose last line draws something. Return that, and all that the cell has named.

    Errors: `ValueError` if its stored picture is another one.
    """
    drawn, names = run(cell.source)
    if picture(drawn) != cell.outputs[-1].data["text/html"]:
        raise ValueError(f"the stored picture of the cell {cell.id!r} is not what it draws: run make notebooks.")
    return drawn, names


def picture(drawn):
    """Return the picture of something, as it is stored."""
    return DisplayFormatter().format(drawn)[0]["text/html"]

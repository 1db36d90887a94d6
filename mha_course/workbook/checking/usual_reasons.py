"""The usual reason for an error that a learner's function raised."""

REASONS = (  # a part of the error's text, and what is usually behind it; the first that fits is told
    (
        "mismatch in its core dimension",
        "In a product the width of the left must be the height of the right: write both shapes on paper. Is a "
        "transpose missing? With more than two axes, .T turns all of them, swapaxes(-1, -2) only the last two.",
    ),
    ("enough dimensions", "One side of @ is not a table: a single number, or a function whose brackets are missing."),
    (
        "Cannot cast ufunc",
        "+=, -= and /= write into the array that is there, and it holds whole numbers. Write x = x + …, which makes a "
        "new array.",
    ),
    ("could not broadcast input", "What you put into the table has another shape than the place you put it in."),
    (
        "could not be broadcast",
        "The two shapes do not fit entry by entry. Compare them from the right: sizes must be equal, or one of them 1. "
        "x[:, None] makes a column of a row; after a sum or max, keepdims=True keeps the axis.",
    ),
    (
        "cannot reshape",
        "The new shape must hold exactly as many entries as the old one. Is there a batch in front? Keep its axes: "
        "reshape(*batch, …).",
    ),
    ("axes don't match", "A transpose must name every axis: here there are more axes than in the example."),
    ("too many values to unpack", "Here there are more axes than you gave names to: *batch, n, d = array.shape."),
    (
        "not enough values to unpack",
        "Here there are fewer axes than you gave names to: *batch, n, d = array.shape.",
    ),
    ("out of bounds for axis", "An index is too large: counting starts at 0, so the last of n is n - 1."),
    ("out of bounds for array", "There is no such axis here: axis=-1 is the last one, whatever their number."),
    ("concatenation axis", "What is put together does not fit: is a size of the example written as a number?"),
    ("equal division", "The array cannot be cut into so many equal parts along this axis. Which axis do you mean?"),
    ("slice indices must be integers", "A place to cut must be a whole number: // gives one where / does not."),
    ("cannot be interpreted as an integer", "A size must be a whole number, not a list: // divides, * unpacks a list."),
    ("only integer", "An index must be a whole number: // gives one where / does not."),
    ("negative integer powers", "A whole number cannot have a negative power here: write 10000.0."),
    ("bitwise_xor", "A power is **, not ^."),
    ("operand type(s) for ^", "A power is **, not ^."),
    ("name 'math' is not defined", "Import it, or use np.sqrt, np.sin, np.exp."),
    *((f"name '{each}' is not defined", f"It is NumPy's: np.{each}.") for each in ("sqrt", "exp", "log")),
    ("cannot access local variable", "A line uses a name before any line above it has made it."),
    ("is not defined", "A name is misspelt, or the cell that makes it has not run yet."),
    (
        "unexpected keyword argument 'axis'",
        "That function asks for no axis: it always takes the same one.",
    ),
    ("as a data type", "A shape goes into brackets of its own: np.zeros((4, 4))."),
    ("positional argument", "A function is called with a different number of arguments than it takes."),
    ("has no attribute", "What stands before the dot is not what you think: print its type."),
    ("must be square", "solve needs as many conditions (rows) as unknown numbers (columns): is one missing?"),
    ("not subscriptable", "Square brackets follow something that has no entries: perhaps a function."),
    ("not callable", "Round brackets follow something that is not a function. An array takes square ones."),
    (
        "holds object values",
        "Something that holds more than numbers was given where numbers are needed: take one part of it, as .output.",
    ),
    ("construct a dtype", "np.array takes one list: np.array([first, second])."),
    ("division by zero", "Something is divided by 0: print what stands below."),
    ("too many indices", "The brackets name more axes than the array has. np.zeros((4, 4)) has two."),
    ("ambiguous", "An if or while asks a whole array: ask about one number, or use np.where."),
    ("recursion depth", "The function calls itself without end."),
)


def usual_reason(said: str) -> str:
    """Return what is usually behind an error that said this, or an empty text.

    >>> usual_reason("name 'Qs' is not defined")
    'A name is misspelt, or the cell that makes it has not run yet.'
    """
    return next((advice for part, advice in REASONS if part in said), "")

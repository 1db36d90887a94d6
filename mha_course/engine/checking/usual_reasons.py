"""The usual reason for an error that a learner's function raised."""

REASONS = (  # a part of the error's text, and what is usually behind it; the first that fits is told
    (
        "mismatch in its core dimension",
        "In a matrix product the left must have as many columns as the right has rows: write down both shapes. Is a "
        "transpose missing? With more than two axes, .T reverses all of them; swapaxes(-1, -2) swaps the last two.",
    ),
    ("enough dimensions", "One side of @ is not a table: a single number, or a function without its brackets."),
    (
        "Cannot cast ufunc",
        "+=, -= and /= write into the array that is there, and it holds whole numbers. Write x = x + …, which makes a "
        "new array.",
    ),
    (
        "could not broadcast input",
        "The right-hand side does not have the shape of the part that it is assigned to.",
    ),
    (
        "could not be broadcast",
        "The two shapes do not fit entry by entry. Compare them from the right: sizes must be equal, or one of them 1. "
        "x[:, None] turns a row into a column; after a sum or max, keepdims=True keeps the axis.",
    ),
    (
        "cannot reshape",
        "The new shape must hold exactly as many entries as the old one. Is there a batch in front? Keep its axes: "
        "reshape(*batch, …).",
    ),
    ("axes don't match", "A transpose must name every axis: here there are more axes than in the example."),
    ("too many values to unpack", "Here there are more axes than names: *batch, n, d = array.shape."),
    (
        "not enough values to unpack",
        "Here there are fewer axes than names: *batch, n, d = array.shape.",
    ),
    ("out of bounds for axis", "An index is too large: counting starts at 0, so the last of n is n - 1."),
    ("out of bounds for array", "There is no such axis here: axis=-1 is the last one, however many there are."),
    ("concatenation axis", "The arrays to be joined do not fit: did you write a size of the example as a number?"),
    ("equal division", "The array cannot be cut into that many equal parts along this axis. Which axis do you mean?"),
    ("slice indices must be integers", "A slice needs whole numbers: // gives one, / does not."),
    ("cannot be interpreted as an integer", "A size must be a whole number, not a list: // divides, * unpacks a list."),
    ("only integer", "An index must be a whole number: // gives one, / does not."),
    ("negative integer powers", "A whole number cannot have a negative power here: write 10000.0."),
    ("bitwise_xor", "A power is **, not ^."),
    ("operand type(s) for ^", "A power is **, not ^."),
    ("name 'math' is not defined", "Import it, or use np.sqrt, np.sin, np.exp."),
    *((f"name '{each}' is not defined", f"It belongs to NumPy: np.{each}.") for each in ("sqrt", "exp", "log")),
    ("cannot access local variable", "A line uses a name before any line above it has made it."),
    ("is not defined", "A name is misspelt, or the cell that makes it has not run yet."),
    (
        "unexpected keyword argument 'axis'",
        "That function has no argument axis: it always uses the same one.",
    ),
    ("as a data type", "A shape needs brackets of its own: np.zeros((4, 4))."),
    ("positional argument", "A function is called with a different number of arguments than it takes."),
    ("has no attribute", "The object before the dot is not of the type that you expect: print its type."),
    ("must be square", "solve needs as many conditions (rows) as unknown numbers (columns): is one missing?"),
    ("not subscriptable", "Square brackets follow something that has no entries: perhaps a function."),
    ("not callable", "Round brackets follow something that is not a function. An array takes square ones."),
    (
        "holds object values",
        "An object was given where numbers are needed: take one part of it, such as .output.",
    ),
    ("construct a dtype", "np.array takes one list: np.array([first, second])."),
    ("division by zero", "Something is divided by 0: print the divisor."),
    ("too many indices", "The brackets name more axes than the array has. np.zeros((4, 4)) has two."),
    ("ambiguous", "An if or while needs one True or False, not a whole array: compare one number, or use np.where."),
    ("recursion depth", "The function calls itself without end."),
)


def usual_reason(said: str) -> str:
    """Return what is usually behind an error that said this, or an empty text.

    >>> usual_reason("name 'Qs' is not defined")
    'A name is misspelt, or the cell that makes it has not run yet.'
    """
    return next((advice for part, advice in REASONS if part in said), "")

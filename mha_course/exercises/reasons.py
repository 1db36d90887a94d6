"""The usual reason for an error that a learner's function raised."""

REASONS = (  # a part of the error's text, and what is usually behind it; the first that fits is told
    (
        "mismatch in its core dimension",
        "In a product the width of the left must be the height of the right: write both shapes on paper. "
        "Often a transpose is missing.",
    ),
    (
        "could not be broadcast",
        "The two shapes do not fit entry by entry. After a sum or max over an axis, keepdims=True keeps them fitting.",
    ),
    ("cannot reshape", "The new shape must hold exactly as many entries as the old one."),
    ("axes don't match", "A transpose must name every axis: here there are more axes than in the example."),
    ("out of bounds for axis", "An index is too large: counting starts at 0, so the last of n is n - 1."),
    ("out of bounds for array", "There is no such axis here: axis=-1 is the last one, whatever their number."),
    ("is not defined", "A name is misspelt, or the cell that makes it has not run yet."),
    ("positional argument", "The function must take the arguments that the task names, in their order."),
    ("has no attribute", "The thing before the point is not what you think: print its type."),
    ("not subscriptable", "Square brackets stand behind something that has no entries: perhaps a function."),
    ("not callable", "Round brackets stand behind something that is no function."),
    ("division by zero", "Something is divided by 0: print what stands below."),
    ("ambiguous", "An if or while asks a whole array: ask about one number, or use np.where."),
    ("only integer", "An index must be a whole number: // divides without a rest."),
    ("'float' object cannot be interpreted as an integer", "A size must be a whole number: // divides without a rest."),
)


def reason(error):
    """Return what is usually behind an error, or an empty text.

    >>> reason(NameError("name 'Qs' is not defined"))
    'A name is misspelt, or the cell that makes it has not run yet.'
    >>> reason(MemoryError())
    ''
    """
    return next((advice for part, advice in REASONS if part in str(error)), "")

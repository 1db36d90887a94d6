"""The concatenation copies the outputs of all heads: where an output stands in it, and of which output an entry is."""

from mha_course.engine.notation.labels import Address
from mha_course.forward.path_matrix import Path

JOINED, OUTPUT = "concatenation", "output"


def in_concatenation(path: Path, at: Address) -> Address:
    """Return where in the concatenation an output stands; other entries stand where they are.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> in_concatenation(forward(preset("two_heads")), ("output/2", 1, 0))
    ('concatenation', 1, 3)
    """
    key, row, column = at
    output = path[key]
    return at if output.name != OUTPUT else (JOINED, row, (output.head or 0) * output.values.shape[1] + column)


def of_output(path: Path, at: Address) -> Address:
    """Return the output that an entry of the concatenation copies; other entries are what they are.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> of_output(forward(preset("two_heads")), ("concatenation", 1, 3))
    ('output/2', 1, 0)
    """
    key, row, column = at
    if key != JOINED:
        return at
    head, own = divmod(column, path[f"{OUTPUT}/1"].values.shape[1])
    return f"{OUTPUT}/{head + 1}", row, own

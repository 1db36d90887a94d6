"""The concatenation copies the outputs of all heads: where an output stands in it, and of which output an entry is."""

from mha_course.engine.notation.labels import address
from mha_course.forward.origin import Source
from mha_course.forward.path_matrix import Path

JOINED, OUTPUT = "concatenation", "output/"


def in_concatenation(path: Path, at: str) -> str:
    """Return the address in the concatenation at which an output stands; other entries stand where they are.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> in_concatenation(forward(preset("two_heads")), "output/2:1,0")
    'concatenation:1,3'
    """
    key, _, place = at.partition(":")
    if not key.startswith(OUTPUT):
        return at
    row, column = map(int, place.split(","))
    return address(JOINED, row, (int(key.removeprefix(OUTPUT)) - 1) * path[key].values.shape[1] + column)


def of_output(path: Path, source: Source) -> Source:
    """Return the output that an entry of the concatenation copies; other entries are what they are.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> of_output(forward(preset("two_heads")), ("concatenation", 1, 3))
    ('output/2', 1, 0)
    """
    key, row, column = source
    if key != JOINED:
        return source
    head, own = divmod(column, path[f"{OUTPUT}1"].values.shape[1])
    return f"{OUTPUT}{head + 1}", row, own

"""How large an entry is that gets the fullest colour: what does not move keeps its colour until *Reset*."""

from collections.abc import Iterable

from mha_course.engine.pictures.number_table import largest
from mha_course.forward.path_matrix import Path


def colour_scale(path: Path, names: Iterable[str]) -> dict[str, float]:
    """Return matrix -> the size of its largest entry, of all heads together; what is all zeros has none.

    path: that of the state to which *Reset* goes back. names: the matrices that are shown.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> colour_scale(forward(preset("article")), ["X", "W_V"])
    {'X': 2.0, 'W_V': 3.0}
    """
    wanted, found = set(names), dict[str, float]()
    for step in path.values():
        if step.name in wanted and (size := largest(step.values)):
            found[step.name] = max(size, found.get(step.name, 0.0))
    return found

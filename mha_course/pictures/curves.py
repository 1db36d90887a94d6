"""Draws curves as SVG, the only place that knows matplotlib."""

from collections.abc import Callable, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.svg_figure import still
from mha_course.engine.platform_support import IS_IN_A_PAGE
from mha_course.pictures.palette import line_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
if not IS_IN_A_PAGE:  # where it is fetched only for a first curve; elsewhere it is said at once if it is missing
    import matplotlib  # noqa: F401

# Fixed so that the same numbers give the same bytes on every machine.
_SETTINGS: Any = {
    "svg.hashsalt": "mha_course",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_ROLES = ("query", "weights", "value", "scores", "key", "output")
_STYLES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)))
_MARKERS = "oXsD^v"


def curves(
    x: ArrayLike,
    lines: Mapping[str, ArrayLike],
    x_label: str,
    y_label: str,
    description: str,
    log: bool = False,
    points: bool = False,
) -> Picture:
    """Draw up to six curves over the same x; line style and colour both tell them apart.

    x: (n,). lines: name -> (n,). description: what the picture shows, for those who cannot see it.
    log: both axes logarithmic, base 2. points: mark every point.
    Errors: `ValueError` if there are more than six curves.

    >>> curves([0, 1], {"line": [0, 1]}, "x", "y", "A rising line.").text
    'A rising line.'
    """
    if len(lines) > len(_ROLES):
        raise ValueError(f"lines has {len(lines)} curves, but at most {len(_ROLES)} can be told apart.")

    def draw(axes: "Axes") -> None:
        for (name, y), role, style, marker in zip(lines.items(), _ROLES, _STYLES, _MARKERS, strict=False):
            axes.plot(x, y, label=name, color=line_colour(role), linestyle=style, linewidth=2,
                      marker=marker if points else None)  # fmt: skip
        if log:
            axes.set_xscale("log", base=2)
            axes.set_yscale("log", base=2)
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))

    return _svg(draw, description)


def _svg(draw: Callable[["Axes"], None], description: str) -> Picture:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_SETTINGS):
        figure = Figure(figsize=(7, 3.4), layout="constrained")
        draw(figure.add_subplot())
        file = StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return Picture(still(file.getvalue(), description), description)

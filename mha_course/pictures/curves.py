"""Draws curves and points as SVG, the only place that knows matplotlib."""

from collections.abc import Callable, Mapping
from io import StringIO
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from mha_course.pictures.drawing import still
from mha_course.pictures.palette import line_colour
from mha_course.pictures.picture import Picture

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
Point = tuple[float, float]  # x, y


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

    def draw(axes: Axes) -> None:
        for (name, y), role, style, marker in zip(lines.items(), _ROLES, _STYLES, _MARKERS, strict=False):
            axes.plot(x, y, label=name, color=line_colour(role), linestyle=style, linewidth=2,
                      marker=marker if points else None)  # fmt: skip
        if log:
            axes.set_xscale("log", base=2)
            axes.set_yscale("log", base=2)
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))

    return _svg(draw, description)


def plane(
    corners: Mapping[str, Point], points: Mapping[str, Point], x_label: str, y_label: str, description: str
) -> Picture:
    """Draw a polygon with named corners and the named points that lie in or around it.

    corners, points: name -> (x, y). description: what the picture shows, in words.

    >>> plane({"a": (0, 0), "b": (1, 0), "c": (0, 1)}, {"p": (0.2, 0.2)}, "x", "y", "A point in a triangle.").text
    'A point in a triangle.'
    """

    def draw(axes: Axes) -> None:
        outline = [*corners.values(), next(iter(corners.values()))]
        axes.plot(*zip(*outline, strict=True), color=line_colour("value"), marker="s", markersize=8)
        rightmost = max(x for x, _ in corners.values())
        for name, spot in corners.items():  # outside the polygon: beside its right end, above elsewhere
            place = {"xytext": (9, -5)} if spot[0] == rightmost else {"xytext": (0, 9), "ha": "center"}
            axes.annotate(name, spot, textcoords="offset points", **place)
        for name, spot in points.items():
            axes.plot(*spot, color=line_colour("weights"), marker="o", markersize=8)
            axes.annotate(name, spot, xytext=(-9, -5), textcoords="offset points", ha="right")
        axes.margins(0.3)
        axes.set(xlabel=x_label, ylabel=y_label)

    return _svg(draw, description)


def _svg(draw: Callable[[Axes], None], description: str) -> Picture:
    with rc_context(_SETTINGS):
        figure = Figure(figsize=(7, 3.4), layout="constrained")
        draw(figure.add_subplot())
        file = StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return Picture(still(file.getvalue(), description), description)

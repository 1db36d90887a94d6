"""Draws how a training went: the loss and the accuracy of every step, and which step is looked at."""

from collections.abc import Sequence

from mha_course.engine.pictures import svg
from mha_course.engine.pictures.svg import Shape
from mha_course.engine.pictures.svg_figure import SvgFigure, number
from mha_course.pictures.palette import line_colour

WIDTH, HEIGHT = 330, 132  # pixels of the area on which is drawn
LEFT, TOP, RIGHT, BOTTOM = 30, 18, 34, 22
HIGHEST = 4.0  # loss at the upper edge: even guesses among 12 letters have log 12 ≈ 2.5
ENDS = (100, 200, 400, 700, 1000, 2000, 5000)  # steps that the axis can end with
POINTS = 200  # of a curve at most
LOSS, ACCURACY = "currentColor", line_colour("output")


def last_of_axis(steps: int) -> int:
    """Return the number of steps with which the axis ends.

    >>> last_of_axis(0), last_of_axis(101)
    (100, 200)
    """
    return next((end for end in ENDS if steps <= end), ENDS[-1])


def learning_curves(losses: Sequence[float], accuracies: Sequence[float], at: int) -> SvgFigure:
    """Draw both curves over the steps, and a line at the step that is looked at.

    >>> learning_curves([2.5, 0.5], [0.1, 0.8], at=2)
    Loss and accuracy over 2 steps. Loss from 2.5 to 0.5, accuracy from 0.1 to 0.8. Looked at: step 2.
    """
    steps = len(losses)
    end = last_of_axis(steps)
    parts = [
        *_axes(end),
        _curve([min(1.0, loss / HIGHEST) for loss in losses], end, LOSS, "6 3"),
        _curve(accuracies, end, ACCURACY, None, class_="mha-accuracy"),
        _marker(min(at, end) / end),
    ]
    text = f"Loss and accuracy over {steps} steps. {_told(losses, accuracies)}Looked at: step {at}."
    size = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    return SvgFigure(svg.drawing("mha-curves", size, *parts, role="img", aria_label=text), text)


def _told(losses: Sequence[float], accuracies: Sequence[float]) -> str:
    if not losses:
        return ""
    return f"Loss from {losses[0]:.1f} to {losses[-1]:.1f}, accuracy from {accuracies[0]:.1f} to {accuracies[-1]:.1f}. "


def _axes(end: int) -> list[Shape]:
    lines = [
        f"M{LEFT} {TOP}V{TOP + HEIGHT}H{LEFT + WIDTH}V{TOP}",
        *(f"M{LEFT} {TOP + HEIGHT * part / 2:g}h{WIDTH}" for part in (0, 1)),
    ]
    texts = [
        *((LEFT - 5, TOP + 4 + HEIGHT * (1 - loss / HIGHEST), f"{loss:g}", "end") for loss in (0, 2, 4)),
        *((LEFT + WIDTH + 5, TOP + 4 + HEIGHT * (1 - part), f"{part:g}", "start") for part in (0, 0.5, 1)),
        *((LEFT + WIDTH * part, TOP + HEIGHT + 16, f"{end * part:g}", "middle") for part in (0, 0.5, 1)),
        (LEFT, TOP - 6, "╌╌ loss", "start"),
        (LEFT + WIDTH, TOP - 6, "accuracy ──", "end"),
        (LEFT + WIDTH * 0.75, TOP + HEIGHT + 16, "steps", "middle"),
    ]
    return [
        *(svg.shape("path", d=line, fill="none", stroke="currentColor", stroke_opacity="0.4") for line in lines),
        *(svg.lettering(number(x), number(y), text, text_anchor=anchor, fill="currentColor")
          for x, y, text, anchor in texts),
    ]  # fmt: skip


def _curve(parts: Sequence[float], end: int, colour: str, dashes: str | None, **attributes: str) -> Shape:
    """Draw parts of the height, one for each step; of many steps, some."""
    every = 1 + len(parts) // POINTS
    spots = [
        f"{number(LEFT + WIDTH * (step + 1) / end)} {number(TOP + HEIGHT * (1 - part))}"
        for step, part in enumerate(parts)
        if step % every == 0 or step == len(parts) - 1
    ]
    way = f"M{'L'.join(spots)}" if spots else "M0 0"
    look = {"fill": "none", "stroke": colour, "stroke_width": "2", "stroke_dasharray": dashes}
    return svg.shape("path", d=way, **look, **attributes)


def _marker(part: float) -> Shape:
    x = number(LEFT + WIDTH * part)
    return svg.shape("path", d=f"M{x} {TOP}V{TOP + HEIGHT}", stroke="currentColor", stroke_width="1.5")

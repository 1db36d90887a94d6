"""A drawing as data: shapes with their attributes, compared as data, and written as SVG once, at the end."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import NamedTuple, Union

from mha_course.engine.pictures.markup import Markup

Change = tuple[int, str, str]  # element, attribute, value; or text, "", words


class Shape(NamedTuple):
    """An element of a drawing: its tag, its attributes, and the shapes and texts in it.

    >>> shape("circle", r="3", stroke_width="2") == shape("circle", r="3", stroke_width="1")
    False
    """

    tag: str
    attributes: dict[str, str]
    content: tuple[Union["Shape", str], ...] = ()


def shape(tag: str, /, *content: Shape | str, **attributes: str | None) -> Shape:
    """Make an element; what is None is left out; data_at stands for data-at, class_ for class.

    >>> shape("text", "a", font_size="12", x=None).attributes
    {'font-size': '12'}
    """
    named = {_name(name): value for name, value in attributes.items() if value is not None}
    return Shape(tag, named, tuple(each for each in content if each != ""))


def drawing(kind: str, size: tuple[float, float], *content: Shape, **attributes: str | None) -> Shape:
    """Make a drawing of so many pixels. kind: its class."""
    width, height = (f"{side:g}" for side in size)
    return shape(
        "svg", *content, xmlns="http://www.w3.org/2000/svg", class_=kind, width=width, height=height,
        viewBox=f"0 0 {width} {height}", font_family="sans-serif", font_size="12", **attributes,
    )  # fmt: skip


def group(*content: Shape, **attributes: str | None) -> Shape:
    """Put shapes together."""
    return shape("g", *content, **attributes)


def hint(text: str) -> Shape:
    """Make what a pointer that rests on a shape is told."""
    return shape("title", text)


def lettering(x: str, y: str, *content: Shape | str, **attributes: str | None) -> Shape:
    """Set a text at a place."""
    return shape("text", *content, x=x, y=y, **attributes)


def coloured(text: str, colour: str) -> Shape:
    """Set a sign inside a text in a colour."""
    return shape("tspan", text, fill=colour)


def written(drawn: Shape) -> Markup:
    """Write a drawing as SVG.

    >>> written(group(shape("circle", r="3"), lettering("0", "9", "a < b")))
    '<g><circle r="3"/><text x="0" y="9">a &lt; b</text></g>'
    """
    return Markup("".join(_pieces(drawn)))


def changes(before: Shape, after: Shape) -> list[Change] | None:
    """List what turns one drawing into another: (element, attribute, value), elements counted from 0 as they begin.

    A text is (number, "", text), all texts counted from 0. None if more differs than values of attributes and texts:
    then the other one is to be drawn anew.

    >>> then = group(lettering("0", "9", "b"), opacity="1")
    >>> changes(group(lettering("0", "0", "a"), opacity="1"), then)
    [(1, 'y', '9'), (0, '', 'b')]
    >>> changes(group(), then) is None
    True
    """
    now, then = list(_everything(before)), list(_everything(after))
    if list(map(_kind, now)) != list(map(_kind, then)):
        return None
    pairs = list(zip(now, then, strict=True))
    elements = [(a.attributes, b.attributes) for a, b in pairs if isinstance(a, Shape) and isinstance(b, Shape)]
    texts = [(a, b) for a, b in pairs if isinstance(a, str) and isinstance(b, str)]
    found = [
        (place, name, value)
        for place, (old, new) in enumerate(elements)
        if old != new
        for name, value in new.items()
        if value != old[name]
    ]
    return found + [(place, "", new) for place, (old, new) in enumerate(texts) if old != new]


def without(drawn: Shape, prefix: str) -> Shape:
    """Leave out all attributes whose names begin so.

    >>> without(group(shape("circle", data_live_of="Q/1", r="1")), "data-live-").content
    (Shape(tag='circle', attributes={'r': '1'}, content=()),)
    """
    kept = {name: value for name, value in drawn.attributes.items() if not name.startswith(prefix)}
    content = (each if isinstance(each, str) else without(each, prefix) for each in drawn.content)
    return Shape(drawn.tag, kept, tuple(content))


def _everything(drawn: Shape) -> Iterator[Shape | str]:
    yield drawn
    for each in drawn.content:
        if isinstance(each, str):
            yield each
        else:
            yield from _everything(each)


def _kind(each: Shape | str) -> object:
    return "" if isinstance(each, str) else (each.tag, len(each.content), [*each.attributes])


def _pieces(drawn: Shape) -> Iterator[str]:
    yield f"<{drawn.tag}"
    for name, value in drawn.attributes.items():
        yield f' {name}="{escape(value)}"'
    if not drawn.content:
        yield "/>"
        return
    yield ">"
    for each in drawn.content:
        if isinstance(each, str):
            yield escape(each)
        else:
            yield from _pieces(each)
    yield f"</{drawn.tag}>"


@lru_cache(maxsize=200)
def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")

"""The sections of a page, as a list beside it; a lesson's script says which of them are done."""

import re

from docutils import nodes

from mha_course.engine.pictures import markup

EXERCISE = "Exercise "


def setup(app):
    """Let every page know its sections."""
    app.connect("html-page-context", _add)
    return {"parallel_read_safe": True}


def _add(app, page, template, context, doctree):
    if doctree is not None:
        context["sections"] = sections(doctree)


def sections(page):
    """Write the list of a page's sections, with its exercises, or nothing if it has none."""
    whole = next(page.findall(nodes.section), None)
    return _list(_within(whole), class_="nav sections") if whole else ""


def _within(section):
    return [each for each in section if isinstance(each, nodes.section)]


def _list(found, **attributes):
    return markup.element("ul", *map(_line, found), **attributes) if found else ""


def _line(section):
    link = markup.link(_title(section).removeprefix(EXERCISE), f"#{section['ids'][0]}")
    exercises = [each for each in _within(section) if _title(each).startswith(EXERCISE)]
    return markup.element("li", link, _list(exercises), class_="toctree-l1")


def _title(section):
    return re.sub(r"_\{(.+?)\}", r"_\1", section.next_node(nodes.title).astext())  # of a formula

"""The sections of a page, as a list beside it; a lesson's script says which of them are done."""

import re

from docutils import nodes

from mha_course.workbook.pictures import markup


def setup(app):
    """Let every page know its sections."""
    app.connect("html-page-context", _add)
    return {"parallel_read_safe": True}


def _add(app, page, template, context, doctree):
    if doctree is not None:
        context["sections"] = sections(doctree)


def sections(page):
    """Write the list of a page's sections, or nothing if it has none."""
    whole = next(page.findall(nodes.section), None)
    found = [each for each in whole if isinstance(each, nodes.section)] if whole else []
    return markup.element("ul", *map(_line, found), class_="nav sections") if found else ""


def _line(section):
    title = re.sub(r"_\{(.+?)\}", r"_\1", section.next_node(nodes.title).astext())  # of a formula
    return markup.element("li", markup.link(title, f"#{section['ids'][0]}"), class_="toctree-l1")

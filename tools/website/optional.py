"""Folds what is optional on a page: below its heading stands for whom it is, and a click opens the rest."""

from docutils import nodes

FOR_WHOM = "Optional, for "
AFTER_THE_SEARCH = 900  # which leaves out what is folded, but should find this


def setup(app):
    """Fold while Sphinx writes the pages."""
    app.connect("doctree-resolved", lambda app, page, name: fold(page), priority=AFTER_THE_SEARCH)


def fold(page):
    """Fold each section of a page that says for whom it is; what says so becomes the line to click on."""
    for section in list(page.findall(nodes.section)):
        line = next((each for each in section if isinstance(each, nodes.paragraph) and _says_for_whom(each)), None)
        if line is not None:
            begin, between = _html('<details class="beside"><summary>'), _html("</summary>")
            section.replace(line, [begin, *line.children, between])
            end = len(section) - _is_a_place(section[-1])  # where a link to the next section leads stays in sight
            section.insert(end, _html("</details>"))


def _says_for_whom(paragraph):
    return paragraph.astext().startswith(FOR_WHOM)


def _is_a_place(node):
    return isinstance(node, nodes.raw) and node.astext().startswith("<div id=")


def _html(text):
    return nodes.raw("", text, format="html")

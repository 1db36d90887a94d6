"""A lesson as the site shows it: what would give an answer away is folded, and it says where it runs."""

import re
from copy import deepcopy

import nbformat
from classroom.cells import asks, exercises, has_tag
from run_notebooks import WIDGET
from website.addresses import live
from website.phrases import on_a_page

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.placeholder import HOW_TO_ACTIVATE

CELL = re.compile(r"(\w+)\.ipynb#cell-id=([\w-]+)")  # JupyterLab's link to a cell of another lesson
ACTIVATED_HERE = 'This is a picture. To use it, <a href="#run">run this lesson</a>.'
ASKED = re.compile(r'\b(?:predict|arrange)\("([^"]+)"')
RESULT = "Think first, then open the result"


def linked_cells(notebooks):
    """Return the cells that some lesson links to, each as its lesson's name and its own."""
    texts = (text for each in notebooks for cell in each.cells for text in (cell.source, *_pictures(cell)))
    return {found for text in texts for found in CELL.findall(text)}


def prepared(notebook, name, linked, hosts):
    """Return a lesson for the site. linked: what `linked_cells` found; hosts: where it runs."""
    copy = deepcopy(notebook)
    copy.metadata.pop("widgets", None)
    is_live = hosts.run_here(name)
    for before, cell in zip([None, *copy.cells], copy.cells, strict=False):
        if cell.cell_type == "markdown":
            cell.source = _text(cell, (name, cell.id) in linked)
        else:
            _fold(cell, is_asked=before and asks(before) and not asks(cell))
            _mark_placeholder(cell, is_live)
            if is_live:
                cell.metadata.cell = cell.id  # which the page's script asks for
    copy.cells[0].source = _below_the_title(copy.cells[0].source, run_row(name, hosts))
    if is_live:
        answers = {each.stub.id: each.name for each in exercises(copy)}
        copy.cells = [each for cell in copy.cells for each in (*_way_to(cell, name, answers), cell)]
    return copy


def _pictures(cell):
    data = [output.get("data", {}) for output in cell.get("outputs", [])]
    return [each["text/html"] for each in data if "text/html" in each]


def run_row(name, hosts):
    """Write the row of links that run a lesson."""
    before, after = "Run this lesson", ",\n<span>to use its forms and checks.</span>"
    if hosts.run_here(name):
        before, after = "Runs on this page. As a notebook:", ""
    return f'<p id="run" class="run" data-lesson="{name}"><span>{before}</span>\n{run_links(name, hosts)}{after}</p>'


def run_links(name, hosts):
    """Write the links that run a lesson, each as the words that say where."""
    return " ·\n".join(f'<a href="{address}">{where}</a>' for where, address in hosts.of(name).items())


def _way_to(cell, name, answers):
    """Return a cell with the link that opens this one in the live notebook, and comes back; none if it needs no way.

    answers: the id of a cell in which an exercise is answered -> its name.
    """
    is_alive_here = any(ACTIVATED_HERE in picture for picture in _pictures(cell))
    if cell.cell_type != "code" or is_alive_here or has_tag(cell, "check", "solution"):
        return []
    link = markup.link("Open as a notebook", live(name, cell.id))
    asked = answers.get(cell.id)
    return [nbformat.v4.new_markdown_cell(markup.paragraph(link, class_="open", id=cell.id, data_asks=asked))]


def _text(cell, is_linked):
    text = on_a_page(CELL.sub(r"lesson:\1#\2", cell.source))
    if not has_tag(cell, "hints"):
        text = text.replace("<details>", '<details class="told">')  # which paper shows open
    return f'<div id="{cell.id}"></div>\n\n{text}' if is_linked else text


def _below_the_title(text, row):
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{row}\n{rest}"


def _fold(cell, is_asked):
    """Fold away a solution, the result that answers a question, and code above a first picture or a widget's.

    is_asked: the cell before asks what it shows.
    """
    if has_tag(cell, "solution"):
        _tag(cell, "hide-cell", re.search(r"Solution [\d.]*\d", cell.source)[0])
    elif has_tag(cell, "answer") or is_asked:
        is_all_hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
        _tag(cell, "hide-cell" if is_all_hidden else "hide-output", RESULT)
    if has_tag(cell, "hosted") or any(HOW_TO_ACTIVATE in picture for picture in _pictures(cell)):
        _tag(cell, "hide-input", "code")


def _tag(cell, tag, label):
    cell.metadata.tags = [*cell.metadata.get("tags", []), tag]
    cell.metadata.mystnb = {"code_prompt_show": label, "code_prompt_hide": label}


def _mark_placeholder(cell, can_activate):
    """Keep a widget's picture, which says where it can be used, and whose links lead to the site's pages.

    can_activate: whether the widget can take its place, which a script does.
    """
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        data.pop(WIDGET, None)  # of a lesson that was saved in JupyterLab
        if "text/html" in data:
            picture = data["text/html"].replace(HOW_TO_ACTIVATE, ACTIVATED_HERE).replace(".ipynb#cell-id=", ".html#")
            data["text/html"] = picture.replace('.ipynb"', '.html"')
            if ACTIVATED_HERE in picture and can_activate:
                picture = markup.Markup(data["text/html"])
                asked = ASKED.search(cell.source)
                named = {"data_cell": cell.id, "data_source": cell.source, "data_asks": asked and asked[1]}
                data["text/html"] = markup.element("div", picture, class_="widget-placeholder", **named)

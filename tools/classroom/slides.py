"""The lessons as slides: one idea a slide, and everything they need lies beside them."""

import ast
import re
import shutil
from copy import deepcopy
from importlib.metadata import distribution
from itertools import filterfalse
from pathlib import Path

from bs4 import BeautifulSoup
from classroom.cells import asks, has_tag, is_optional
from classroom.stepping import stops
from formulas import text_to_html
from nbconvert.exporters import SlidesExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from traitlets.config import Config

from mha_course.engine.pictures.placeholder import HOW_TO_ACTIVATE

HERE = Path(__file__).parent
FACES = Path(__file__).parents[1] / "faces"
REVEAL = distribution("sphinx-revealjs").locate_file("sphinx_revealjs/_static/revealjs")
WIDTH, HEIGHT = "1280", "720"
MANY_LINES, MANY_ROWS = 6, 16  # of code, and of tables: they get a slide of their own
AS_HIGH_AS = 8  # rows: a drawing beside others
NO_INPUT = "no-input"
ONLY_LIVE = rf"<p><em>{re.escape(HOW_TO_ACTIVATE)}</em></p>|<p[^>]*>num_heads [^<]*</p>"  # no slide activates a picture
QUESTIONS = "predict", "quiz", "practise"
OPTIONAL = "## Optional\n\nWhat the core path leaves out."


def to_html(notebook):
    """Return a lesson as a page of slides, which needs `add_library` beside it and no network."""
    exporter = SlidesExporter(
        template_name="deck",
        extra_template_basedirs=[str(HERE)],
        reveal_url_prefix="reveal.js",
        reveal_theme="white",
        reveal_width=WIDTH,
        reveal_height=HEIGHT,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        config=Config(TagRemovePreprocessor={"enabled": True, "remove_input_tags": {NO_INPUT}}),
    )
    exporter.register_filter("markdown2html", text_to_html)
    return exporter.from_notebook_node(as_slides(notebook))[0]


def add_library(folder):
    """Put reveal.js into the folder of the slides, and the face of their formulas, in which brackets grow."""
    shutil.copy(FACES / "stix-two-math.woff2", folder)
    shutil.copytree(REVEAL / "dist", folder / "reveal.js" / "dist", ignore=shutil.ignore_patterns("*.map", "*.esm.*"))


def as_slides(notebook):
    """Return a lesson with the cells that an audience should see, each told where its slide begins: the core first."""
    slides = deepcopy(notebook)
    shown = _core_first(list(filter(_is_shown, slides.cells)))
    walks = ((cell.id, steps) for cell in shown if (steps := stops(cell)))
    walk = dict([next(walks, ("", []))])  # one row of one board in each lesson
    slides.cells = [part for cell in shown for part in [*_parts(cell), *walk.get(cell.id, [])]]
    for before, cell in zip([None, *slides.cells], slides.cells, strict=False):
        if _is_only_a_picture(cell):
            cell.metadata.tags = [*cell.metadata.get("tags", []), NO_INPUT]
        cell.metadata.slideshow = {"slide_type": _slide_type(before, cell)}
    return slides


def _is_shown(cell):
    """Whether an audience should see it: no imports, nothing that is one learner's own or gives an answer away."""
    is_left_out = has_tag(cell, "check", "hints", "solution", "arrange") or cell.id in ("imports", "review")
    return not is_left_out and not cell.source.startswith("<details")


def _core_first(cells):
    core, rest = filterfalse(is_optional, cells), list(filter(is_optional, cells))
    return [*core, *([new_markdown_cell(OPTIONAL, id="optional"), *rest] if rest else [])]


def _parts(cell):
    if _is_text(cell):
        return _at_headings(cell)
    for output in cell.get("outputs", []):
        if "text/html" in output.get("data", {}):
            output.data["text/html"] = re.sub(ONLY_LIVE, "", output.data["text/html"])
    return _at_questions(cell) if has_tag(cell, *QUESTIONS) else [cell]


def _at_headings(cell):
    """Cut a text at its headings, and let it link to the other lessons' slides."""
    text = re.sub(r"\]\((\w+)\.ipynb", r"](\1.html", cell.source)
    parts = filter(None, map(str.strip, re.split(r"^(?=##+ )", text, flags=re.MULTILINE)))
    return [new_markdown_cell(part, id=f"{cell.id}-{i}", metadata=dict(cell.metadata)) for i, part in enumerate(parts)]


def _at_questions(cell):
    """Give each question a cell of its own, and do not say that nobody has answered it."""
    questions = BeautifulSoup(cell.outputs[-1].data["text/html"], "html.parser").select("[data-question]")
    for question in questions:
        question.select_one("[data-outcome]").decompose()
    outputs = [new_output("display_data", {"text/html": str(question)}) for question in questions]
    return [
        new_code_cell(cell.source, id=f"{cell.id}-{i}", outputs=[output], metadata=dict(cell.metadata))
        for i, output in enumerate(outputs)
    ]


def _is_text(cell):
    return cell.cell_type == "markdown"


def _is_only_a_picture(cell):
    """Whether the code is nothing but the call that draws: then the picture says all."""
    if has_tag(cell, *QUESTIONS):
        return True
    if _is_text(cell):
        return False
    statements = [each for each in ast.parse(cell.source).body if not isinstance(each, ast.ImportFrom)]
    is_call = len(statements) == 1 and isinstance(getattr(statements[0], "value", None), ast.Call)
    return is_call and not cell.source.startswith("print(")


def _slide_type(before, cell):
    if _is_text(cell) and cell.source.startswith("#"):
        return "slide"
    if cell.source.startswith("**Try it") or (has_tag(cell, "stub", "predict") and _is_text(before)):
        return "-"
    if before is None or _ends_its_slide(before) or _fills_a_slide(cell):
        return "subslide"
    return "-"


def _ends_its_slide(cell):
    """Code ends it with its output, and a question does: the answer must not stand below it."""
    return not _is_text(cell) or asks(cell)


def _fills_a_slide(cell):
    if _is_text(cell):
        return False
    pictures = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
    rows, drawings = pictures.count("<tr"), pictures.count("<img")
    height = rows + AS_HIGH_AS * (drawings if drawings > 1 else 0)
    return has_tag(cell, "quiz", "practise") or len(cell.source.splitlines()) > MANY_LINES or height > MANY_ROWS

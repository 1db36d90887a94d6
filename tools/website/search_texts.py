"""What search shows of the pages, in one script: a page that is opened as a file may not read another page."""

import json

from bs4 import BeautifulSoup
from docutils import nodes
from formulas import formula

FILE = "search_texts.js"
READ = nodes.paragraph, nodes.bullet_list, nodes.enumerated_list, nodes.definition_list, nodes.table, nodes.block_quote
SIGNS = {"msub": "_", "msup": "^", "mfrac": "/"}  # between the two parts of a formula


def setup(app):
    """Collect the texts of the pages while Sphinx writes them, and write them beside its own index."""
    texts = {}
    app.connect("doctree-resolved", lambda app, page, name: texts.update({name: sections(page)}))
    app.connect("build-finished", lambda app, error: _write(app.outdir / FILE, texts))


def _write(path, texts):
    written = json.dumps(texts, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    path.write_text(f"const TEXTS = {written};\n", encoding="utf-8")


def sections(page):
    """List (anchor, heading, text) of a page's sections: what a reader sees at once, without code and its results."""
    return [(each["ids"][0], each.next_node(nodes.title).astext(), _text(each)) for each in page.findall(nodes.section)]


def _text(section):
    texts, folded = [], 0
    for block in section.children:
        if isinstance(block, nodes.raw):
            folded += block.astext().count("<details") - block.astext().count("</details>")
        elif isinstance(block, READ) and not folded:  # what is folded would give answers away
            texts += _lines(block)
    return " ".join(texts)


def _lines(block):
    """List the paragraphs and the rows of tables in a block."""
    block = block.deepcopy()
    for math in list(block.findall(nodes.math)):
        math.replace_self(nodes.Text(_as_text(math.astext())))
    for row in block.findall(nodes.row):
        yield " · ".join(each.astext() for each in row) + "."
    for paragraph in block.findall(nodes.paragraph):
        if not isinstance(paragraph.parent, nodes.entry):
            yield " ".join(paragraph.astext().split())


def _as_text(tex):
    math = BeautifulSoup(formula(tex), "html.parser")
    for name, sign in SIGNS.items():
        for each in math.find_all(name):
            each.contents[1].insert_before(sign)
    for each in math.find_all("msqrt"):
        each.insert(0, "√")
    return math.get_text()

"""Writes notebooks as pages that need no network, to read or to print: `python tools/export.py FOLDER NOTEBOOK…`."""

import sys
from pathlib import Path

import nbformat
from formulas import text_to_html
from nbconvert.exporters import HTMLExporter

HERE = Path(__file__).parent
WIDGET = "application/vnd.jupyter.widget-view+json"  # of a page that keeps no pictures; the picture lies beside it


def to_html(notebook):
    """Return a notebook as a page: formulas drawn, solutions folded, no table cut in two where it is printed."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
    notebook.metadata.pop("widgets", None)
    exporter = HTMLExporter(template_name="page", extra_template_basedirs=[str(HERE)], embed_images=True)
    exporter.register_filter("markdown2html", text_to_html)
    return exporter.from_notebook_node(notebook)[0]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for path in map(Path, sys.argv[2:]):
        page = (folder / path.name).with_suffix(".html")
        page.write_text(to_html(nbformat.read(path, 4)), encoding="utf-8")
        print(page)

"""Runs notebooks from top to bottom and stores their outputs, without what changes by itself."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from classroom.cells import is_optional
from nbclient import NotebookClient
from the_course import COURSE, ROOT

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {  # as the kernel gives it to JupyterLab, which notes it in every notebook that is opened
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.11.7",  # of the Python that ran the lessons; another one notes its own
    },
}
CLOSED_HEADING = "jp-MarkdownHeadingCollapsed"  # JupyterLab's name for it
WIDGET = "application/vnd.jupyter.widget-view+json"  # without its kernel, it is only an error message


def execute(notebook, folder):
    """Run every cell in a fresh kernel that starts in the folder; the outputs go into the notebook.

    Of a widget its picture is kept and its live view is not. What the maintainer answered is not seen.
    """
    client = NotebookClient(
        notebook,
        timeout=120,
        record_timing=False,
        coalesce_streams=True,  # how print is cut into messages changes from run to run
        resources={"metadata": {"path": folder}},
    )
    with TemporaryDirectory() as empty:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        client.execute(
            env=os.environ | {COURSE.identity.setting: os.path.join(empty, "progress.jsonl"), "PYTHONPATH": path}
        )
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)


def run(path):
    """Run one notebook and write it back in its normal form."""
    notebook = nbformat.read(path, as_version=4)
    execute(notebook, path.parent)
    notebook.metadata = METADATA
    for cell in notebook.cells:
        cell.metadata = lasting(cell)
    nbformat.write(notebook, path)


def lasting(cell):
    """Return of a cell's metadata what is stored: its tags, and whether it is folded, which JupyterLab notes twice.

    A heading that is optional opens with what stands below it hidden.
    """
    kept = {key: cell.metadata[key] for key in ("tags", "jupyter") if key in cell.metadata}
    if kept.get("jupyter", {}).get("outputs_hidden"):
        kept["collapsed"] = True
    if is_optional(cell) and cell.cell_type == "markdown" and cell.source.startswith("##"):
        kept[CLOSED_HEADING] = True
    return kept


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"running {name} …", flush=True)
        run(Path(name))

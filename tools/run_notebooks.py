"""Runs notebooks from top to bottom and stores their outputs, without what changes by itself."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def run(path):
    """Run one notebook in a fresh kernel and write it back in its normal form."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, record_timing=False, resources={"metadata": {"path": path.parent}}).execute()
    notebook.metadata = METADATA
    for cell in notebook.cells:
        if "tags" in cell.metadata:
            cell.metadata = {"tags": cell.metadata["tags"]}
        else:
            cell.metadata = {}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"running {name} …", flush=True)
        run(Path(name))

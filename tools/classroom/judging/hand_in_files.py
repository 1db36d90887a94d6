"""Opens what was handed in, whatever it is."""

from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat.v4 import new_markdown_cell, new_notebook

from . import release_copy
from .for_a_person import Reason

MOST = 5_000_000  # characters
NO_NOTEBOOK = "The file cannot be read as a notebook: ask for it again, or look at it in submitted/."
TOO_LARGE = f"The file has more than {MOST:,} characters: ask for it without its outputs."
INSTEAD = "**{why}** Below is the notebook as it was handed out."


class Arriving(NotebookExporter):
    """Reads a notebook. In place of what is none stands the one that was handed out, and a person has to look."""

    def from_file(self, file_stream, resources=None, **more):
        """Read a notebook from a file. resources: gets a `Reason` if it is none."""
        nb, why = self._read(file_stream, resources)
        resources["waiting"] = [Reason(why)] * bool(why)
        return self.from_notebook_node(nb, resources=resources, **more)

    def _read(self, stream, resources) -> tuple[Any, str]:
        try:
            text = stream.read(MOST + 1).removeprefix("\ufeff")  # a byte-order mark, as editors on Windows write it
            if len(text) > MOST:
                return self._instead(TOO_LARGE, resources), TOO_LARGE
            return _checked(nbformat.reads(text, 4)), ""
        except Exception:  # any file may have been handed in
            self.log.debug("It cannot be read.", exc_info=True)
            return self._instead(NO_NOTEBOOK, resources), NO_NOTEBOOK

    def _instead(self, why, resources):
        cells = release_copy.notebook(self.parent, resources).cells
        return new_notebook(cells=[new_markdown_cell(INSTEAD.format(why=why)), *cells])


def _checked(nb):
    """Return a notebook in which every part stands where it belongs. Errors: `ValueError`."""
    cells, about = nb.get("cells"), nb.get("metadata")
    if not (isinstance(cells, list) and all(isinstance(each, dict) for each in cells) and isinstance(about, dict)):
        raise ValueError("It has no cells.")
    if not isinstance(about.get("language", ""), str):
        raise ValueError("It has no language.")
    return nb

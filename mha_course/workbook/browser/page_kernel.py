"""What a kernel inside a web page begins with: an extension of IPython, which the page's settings load.

    c.InteractiveShellApp.extensions = ["mha_course.workbook.browser.page_kernel"]

Files in the folder of the notebooks are there again when the page is opened anew; any other is gone.
"""

import os
import sys
from typing import Any

from mha_course.workbook.browser.fetched_at_import import FetchedAtImport
from mha_course.workbook.learner.open_notebook import SESSION
from mha_course.workbook.learner.progress import NAME, SETTING

NOTEBOOKS = "/drive"


def load_ipython_extension(shell: Any) -> None:
    """Let this kernel say what one outside says, and keep what it writes with the notebooks."""
    import pyodide_js

    os.environ[SETTING] = f"{NOTEBOOKS}/{NAME}"
    sys.meta_path.append(FetchedAtImport(pyodide_js))
    shell.Completer.use_jedi = False
    shell.get_parent = lambda: shell.kernel._parent_header
    shell.events.register("pre_run_cell", lambda _: _know_the_notebook(shell.get_parent()["metadata"]))
    show = shell._showtraceback
    shell._showtraceback = lambda kind, *rest: show(_Named(kind), *rest)


def _know_the_notebook(metadata: dict) -> None:
    """Take from the page which notebook is run, as a server would tell it."""
    if "notebook" in metadata:
        os.environ[SESSION] = metadata["notebook"]


class _Named:
    """An error's kind, whose text is its name alone."""

    def __init__(self, kind: type[BaseException]):
        """Keep the kind."""
        self._kind = kind

    def __str__(self) -> str:
        return self._kind.__name__

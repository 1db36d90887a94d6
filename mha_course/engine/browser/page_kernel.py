"""What a kernel inside a web page begins with: an extension of IPython, which the page's settings load.

    c.InteractiveShellApp.extensions = ["mha_course.engine.browser.page_kernel"]

Files in the folder of the notebooks are there again when the page is opened anew; any other is gone.
"""

import os
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import Any

from mha_course.engine.browser.fetch_on_import import fetch_at_import
from mha_course.engine.identity import HOME
from mha_course.engine.progress.open_notebook import SESSION

NOTEBOOKS = "/drive"


def load_ipython_extension(shell: Any) -> None:
    """Let this kernel say what one outside says, and keep what it writes with the notebooks."""
    import pyodide_js

    os.environ[HOME] = NOTEBOOKS
    fetch_at_import(pyodide_js)
    shell.Completer.use_jedi = False
    shell.get_parent = lambda: shell.kernel._parent_header
    shell.events.register("pre_run_cell", lambda _: _know_the_notebook(shell.get_parent()["metadata"]))
    show = shell._showtraceback
    shell._showtraceback = lambda kind, *rest: show(_Named(kind), *rest)
    shell.kernel.run = _as_asked(shell, shell.kernel.run)


def _as_asked(shell: Any, run: Callable[[str], Awaitable[dict]]) -> Callable[[str], Awaitable[Any]]:
    """Return what runs code as the page's message asks: perhaps without a number, and without an end at an error."""

    async def run_as_asked(code: str) -> Any:
        asked, number = shell.kernel._parent_header["content"], shell.execution_count
        results = await run(code)
        if not asked["store_history"]:
            shell.execution_count = number
        is_no_end = results["status"] == "error" and not asked["stop_on_error"]
        return _ends_nothing(results) if is_no_end else results

    return run_as_asked


def _ends_nothing(results: dict) -> Any:
    """Return results with an error that is there when the page looks for one to show, and not when it would end all."""
    import js
    from pyodide.ffi import create_proxy, to_js

    read_anew = {"enumerable": True, "get": create_proxy(chain(["error"], repeat("ok")).__next__)}
    as_objects = js.Object.fromEntries
    given = to_js(results, dict_converter=as_objects)
    return js.Object.defineProperty(given, "status", to_js(read_anew, dict_converter=as_objects))


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

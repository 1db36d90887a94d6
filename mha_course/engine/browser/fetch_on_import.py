"""Packages that a web page's Python fetches when they are first imported, wherever the import stands.

Pyodide fetches what a cell imports before the cell runs. It does not see what the cell's functions import.
"""

import logging
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from site import getsitepackages
from typing import Any

NOT_KEPT = "Not kept"  # so says service-worker.js of a file, where there is no network: a server may answer 503, too
AGAIN = "As soon as there is one, run this cell again."


def fetch_at_import(pyodide: Any) -> None:
    """Let this Python find what lies beside the page. pyodide: the module `pyodide_js`."""
    sys.meta_path.append(FetchedAtImport(pyodide))
    fonts = logging.getLogger("matplotlib.font_manager")
    fonts.addFilter(lambda record: "building the font cache" not in record.msg)  # a quarter of a second


class FetchedAtImport(MetaPathFinder):
    """Finds a module in the packages that lie beside the page. pyodide: the module `pyodide_js`."""

    def __init__(self, pyodide: Any):
        """Read Pyodide's list of packages."""
        self._pyodide = pyodide
        self._listed: dict[str, dict] = pyodide._api.lockfile_packages.to_py()
        self._packages = {module: name for name, each in self._listed.items() for module in each["imports"]}

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Fetch the package of a module that is not here yet."""
        name = self._packages.get(fullname)
        if name is None or all(each in self._loaded() for each in self._with_needs(name)):
            return None
        for each in self._with_needs(name):
            if each not in self._loaded():
                self._fetch(each, fullname)
        invalidate_caches()
        return PathFinder.find_spec(fullname)

    def _with_needs(self, name: str) -> Iterator[str]:
        for each in self._listed[name]["depends"]:
            yield from self._with_needs(each.replace("_", "-"))
        yield name

    def _loaded(self) -> set[str]:
        return set(self._pyodide.loadedPackages.to_py())

    def _fetch(self, name: str, asked: str) -> None:
        """Fetch one package now, as only a worker may: whoever imports what was asked for can do nothing else."""
        import js
        from pyodide.ffi import JsException

        file = self._listed[name]["file_name"]
        request = js.XMLHttpRequest.new()
        request.responseType = "arraybuffer"
        request.open("GET", self._pyodide._api.config.indexURL + file, False)
        try:
            request.send()
            has_network = request.statusText != NOT_KEPT
        except JsException:
            has_network = False
        if not has_network:
            raise ImportError(f"{asked} is fetched when it is first needed, and there is no network now. {AGAIN}")
        if request.status != 200:
            raise ImportError(f"{asked} could not be fetched: the page's server answered {request.status} for {file}.")
        self._pyodide.unpackArchive(request.response, "wheel", extractDir=getsitepackages()[0])
        setattr(self._pyodide.loadedPackages, name, "default channel")

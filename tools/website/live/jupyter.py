"""JupyterLite's pages with the lessons in them: a folder of static files."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from the_course import HOUSE
from website.live import licences, page_shell, python
from website.live.notebooks import write_lessons

# A tab closes without a word, so what is in it is saved every ten seconds.
OF_THE_PAGE = {
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
}
NOT_SHOWN = [  # signs of others, when a file was kept, and that outputs are not trusted
    "@jupyter-notebook/application-extension:logo",
    "@jupyter-notebook/notebook-extension:checkpoints",
    "@jupyter-notebook/notebook-extension:kernel-logo",
    "@jupyter-notebook/notebook-extension:trusted",
    "@jupyterlab/application-extension:logo",
    "@jupyterlab/notebook-extension:trust-status",
    "@jupyterlite/application-extension:logo",
    "@jupyterlite/notebook-application-extension:logo",
]
APPS = ("lab", "notebooks")
LINES = {"name": "jsonl", "extensions": [".jsonl"], "mimeTypes": ["text/plain"], "fileFormat": "text"}
EXTENSIONS = ("jupyterlite_pyodide_kernel", "anywidget", "jupyterlab_widgets")  # the wheels that bring scripts


class NotBuilt(Exception):
    """The live notebooks could not be built: why, in a sentence."""


def build(folder: Path, pyodide: Path) -> None:
    """Build the live notebooks into a folder. pyodide: what `fetch` put there. Errors: `NotBuilt`."""
    folder, pyodide = folder.resolve(), pyodide.resolve()
    with TemporaryDirectory() as place:
        work = Path(place)
        write_lessons(work / "lessons")
        _write_settings(work, pyodide)
        places = ["--lite-dir", str(work), "--output-dir", str(folder)]
        command = [sys.executable, "-m", "jupyterlite_core", "build", *places]
        done = subprocess.run(command, capture_output=True, text=True, cwd=work)
        if done.returncode:
            raise NotBuilt(f"JupyterLite did not build its pages: {done.stderr[-2000:]}")
    loaded = python.put_python(folder / "python", pyodide)
    licences.put_licences(folder)
    page_shell.put_page(folder, APPS, loaded, pyodide)


def _write_settings(work: Path, pyodide: Path):
    building = {
        "LiteBuildConfig": {
            "apps": APPS,
            "contents": ["lessons"],
            "extra_file_types": {"jsonl": LINES},  # taken for JSON, a second line would stop the kernel for good
            "federated_extensions": [str(wheel) for name in EXTENSIONS for wheel in pyodide.glob(f"{name}-*.whl")],
            "ignore_sys_prefix": ["federated_extensions"],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
        }
    }
    kernel = {
        "pyodideUrl": "./page/unpacking.js",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": python.AT_ONCE, "indexURL": "./python/"},
    }
    page = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "Multi-head attention",
            "exposeAppInBrowser": True,
            "contentsStorageName": "mha_course",
            "disabledExtensions": NOT_SHOWN,
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }
    _write(work / "jupyter_lite_config.json", building)
    _write(work / "jupyter-lite.json", page)
    _write(work / "overrides.json", json.loads((HOUSE / "tools" / "overrides.json").read_text()) | OF_THE_PAGE)


def _write(path: Path, content: dict):
    path.write_text(json.dumps(content))

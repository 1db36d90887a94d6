"""A page to read that comes alive: a worker beside it runs this, and takes and gives its messages as JSON.

The page says {"begin": notebook's name, "files": {path: text}}, what the learner did before; {"wake": cell, "place":
id of an element, "source": …}; and what `plain_page` takes. Besides what that gives, {"file": path, "text": text or
null} tells what is to be kept.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

from mha_course.workbook.browser.cell_source import run
from mha_course.workbook.browser.notebook_cell import NotebookCell, at_place
from mha_course.workbook.browser.plain_page import PlainPage
from mha_course.workbook.browser.widget import Widget
from mha_course.workbook.learner import kept
from mha_course.workbook.learner.progress import NAME, SETTING

Files = dict[str, str]


class ReadingPage:
    """Keep the widgets of one page alive."""

    def __init__(self, post: Callable[[str], object]) -> None:
        """Begin with a page on which nothing is awake."""
        self._post = lambda message: post(json.dumps(message))
        self._page = PlainPage(self._post)
        self._folder = Path.cwd()
        self._notebook, self._files = "", Files()
        os.environ[SETTING] = str(self._folder / NAME)

    def hear(self, text: str) -> None:
        """Do what the page says."""
        match json.loads(text):
            case {"begin": notebook, "files": files}:
                self._notebook, self._files = notebook, files
                self._write(files)
            case {"wake": cell, "place": place, "source": source}:
                with at_place(NotebookCell(Path(self._notebook).stem, cell)):
                    widget, _ = run(source)
                    assert isinstance(widget, Widget), f"The last line of a widget's cell is the widget: {source}"
                    self._page.show(widget, place)
            case message:
                self._page.hear(message)
        self._tell_files()

    def _write(self, files: Files) -> None:
        for name, text in files.items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def _tell_files(self) -> None:
        """Tell which files are other than they were."""
        now = {path.relative_to(self._folder).as_posix(): path.read_text(encoding="utf-8") for path in self._kept()}
        for path in now.keys() | self._files.keys():
            if now.get(path) != self._files.get(path):
                self._post({"file": path, "text": now.get(path)})
        self._files = now

    def _kept(self) -> list[Path]:
        return [path for path in (self._folder / NAME, *kept.folder().glob("*")) if path.is_file()]

"""A page to read that comes alive: a worker beside it runs this, and takes and gives its messages as JSON.

The page says {"begin": notebook's name, "files": {path: text}}, what the learner did before; {"wake": cell, "place":
id of an element, "source": …}; {"run": cell, "source": …, "before": [[cell, source], …], "files": {path: text}}, where
what the cell needs of those before runs first, and the files are what another page may have changed meanwhile; and what
`plain_page` takes. Besides what that gives, {"file": path, "text": text or null} tells what is to be kept, {"output":
cell, "shown": …} what a cell gives, or one before it that broke, as a notebook stores it or as {"place": id of an
element} in which a widget will live, and {"ran": {cell: whether it came to its end}} that all is done.
"""

import json
import os
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mha_course.engine.browser.cell_dependencies import needed
from mha_course.engine.browser.cell_source import run
from mha_course.engine.browser.notebook_cell import NotebookCell, at_place
from mha_course.engine.browser.plain_page import PlainPage
from mha_course.engine.browser.widget import Widget
from mha_course.engine.identity import HOME
from mha_course.engine.progress.kept_texts import ENDING

if TYPE_CHECKING:
    from mha_course.engine.browser.page_cells import PageCells

Files = dict[str, str]
KEPT = "my_*progress.jsonl", f"my_*progress{ENDING}/*", "my_*.py"  # what was done, boards, what is taken home


class ReadingPage:
    """Keep the widgets of one page alive."""

    def __init__(self, post: Callable[[str], object]) -> None:
        """Begin with a page on which nothing is awake."""
        self._post = lambda message: post(json.dumps(message))
        self._page = PlainPage(self._post)
        self._folder = Path.cwd()
        self._notebook, self._files = "", Files()
        self._shown = defaultdict[str, list[Widget]](list)
        os.environ[HOME] = str(self._folder)

    def hear(self, text: str) -> None:
        """Do what the page says."""
        match json.loads(text):
            case {"begin": notebook, "files": files}:
                self._notebook = notebook
                self._write(files)
            case {"wake": cell, "place": place, "source": source}:
                with at_place(NotebookCell(Path(self._notebook).stem, cell)):
                    widget, _ = run(source)
                    assert isinstance(widget, Widget), f"The last line of a widget's cell is the widget: {source}"
                    self._page.show(widget, place)
            case {"run": cell, "source": source, "before": before, "files": files}:
                self._write(files)
                ran = {each: self._run_before(each, text) for each, text in needed(source, before)}
                with at_place(NotebookCell(Path(self._notebook).stem, cell)):
                    ran[cell] = self._run(cell, source)
                self._post({"ran": ran})
            case message:
                self._page.hear(message)
        self._tell_files()

    def sources(self, text: str) -> list[str]:
        """Return the code that a message has run, so that what it imports can be fetched before."""
        match json.loads(text):
            case {"run": _, "source": source, "before": before}:
                return [*(each for _, each in needed(source, before)), source]
        return []

    @cached_property
    def _cells(self) -> "PageCells":
        """What runs cells, once one is to run: until then nothing of it is fetched."""
        from mha_course.engine.browser.page_cells import PageCells

        return PageCells()

    def _run_before(self, cell: str, source: str) -> bool:
        """Run a cell that another one needs; what it gives is told if it breaks."""
        given = list[dict[str, Any]]()
        ended = self._cells.run(source, given.append)
        for shown in [] if ended else given:
            self._post({"output": cell, "shown": shown})
        return ended

    def _run(self, cell: str, source: str) -> bool:
        def tell(shown: dict[str, Any]) -> None:
            self._post({"output": cell, "shown": shown})

        def show(widget: Widget) -> None:
            self._shown[cell].append(widget)
            place = f"{cell}-{len(self._shown[cell])}"
            tell({"place": place})
            self._page.show(widget, place)

        for widget in self._shown.pop(cell, []):  # of an earlier run
            widget.close()
        return self._cells.run(source, tell, show)

    def _write(self, files: Files) -> None:
        for name, text in files.items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self._files |= files

    def _tell_files(self) -> None:
        """Tell which files are other than they were."""
        now = {path.relative_to(self._folder).as_posix(): path.read_text(encoding="utf-8") for path in self._kept()}
        for path in now.keys() | self._files.keys():
            if now.get(path) != self._files.get(path):
                self._post({"file": path, "text": now.get(path)})
        self._files = now

    def _kept(self) -> list[Path]:
        return [path for pattern in KEPT for path in self._folder.glob(pattern) if path.is_file()]

"""The cells of a page to read, run one after the other under the same names, as a notebook's kernel runs them."""

import builtins
import io
import os
import re
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Any as AnyTrait
from traitlets import Type

from mha_course.engine.browser.widget import Widget

Output = dict[str, Any]
Tell = Callable[[Output], object]

EVERY = 0.1  # seconds after which what was printed is told, while a cell runs
MOST = 100_000  # characters that a cell may print; a page with more of them would not move
SHOWN, LEAST = 2_000_000, 5_000  # characters of all other outputs of a cell, and as how many a short one counts
TOO_MUCH = "More than a page can show: the rest of what this cell gives is left out.\n"
COLOUR, HEAD = re.compile(r"\x1b\[[\d;]*m"), "Traceback (most recent call last)"
OF_A_CELL = re.compile(r"(?:File )?<ipython-input-(\d+)-\w+>:(\d+)|Cell In\[(\d+)\], line (\d+)|File <\w+>:(\d+)")
NOBODY = "input() cannot wait for an answer on this page: write the answer into the code."
STAYS = "Nothing ends here: Python goes on for the other cells of this page."


def _untold(_: object) -> None:
    """Show nothing."""


class PageCells:
    """Run cells."""

    def __init__(self) -> None:
        """Begin with no names at all."""
        os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
        warnings.filterwarnings("ignore", "To exit: use")  # nothing ends
        _Shell.clear_instance()
        self._shell = _Shell.instance(cache_size=0)
        formatter: Any = self._shell.display_formatter
        formatter.ipython_display_formatter.for_type(Widget, lambda widget: self._show(widget))
        self._show: Callable[[Widget], object] = _untold

    def run(self, source: str, tell: Tell = _untold, show: Callable[[Widget], object] = _untold) -> bool:
        """Run a cell, and return whether it came to its end.

        tell: takes each output as a notebook stores it. show: takes each widget that is to live in the output.
        """
        self._show = show
        printed, warned = (_Printed(name, tell) for name in ("stdout", "stderr"))

        left, is_full = SHOWN, False

        def in_turn(output: Output) -> None:
            nonlocal left, is_full
            printed.flush()
            warned.flush()
            left -= max(len(str(output)), LEAST)
            if left >= 0:
                tell(output)
            elif not is_full:
                is_full = True
                tell({"output_type": "stream", "name": "stderr", "text": TOO_MUCH})

        self._shell.tell, self._shell.count = in_turn, self._shell.execution_count
        asks, builtins.input = builtins.input, _ask_nobody
        try:
            with redirect_stdout(printed), redirect_stderr(warned):
                return bool(self._shell.run_cell(source, store_history=True).success)
        finally:
            builtins.input = asks
            printed.end()
            warned.end()


class _Printed(io.TextIOBase):
    """Tells what is printed, a little later and not without an end."""

    def __init__(self, name: str, tell: Tell) -> None:
        self._name, self._tell = name, tell
        self._waiting, self._left, self._lost = list[str](), MOST, 0
        self._told = 0.0  # the first line comes at once

    def write(self, text: str) -> int:
        shown = text[: self._left]
        self._left -= len(shown)
        self._lost += text.count("\n", len(shown))
        self._waiting.append(shown)
        if shown.endswith("\n") and time.perf_counter() - self._told > EVERY:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if text := "".join(self._waiting):
            self._tell({"output_type": "stream", "name": self._name, "text": text})
        self._waiting.clear()
        self._told = time.perf_counter()

    def end(self) -> None:
        if self._lost:
            self._waiting.append(f"\n… and {self._lost:,} more lines, which are not shown.\n")
        self.flush()


class _Results(DisplayHook):
    """Tells what the last line of a cell gives."""

    shell: Any

    def write_output_prompt(self) -> None: ...

    def write_format_data(self, format_dict: Mapping[str, Any], md_dict: Mapping[str, Any] | None = None) -> None:
        self.shell.tell({
            "output_type": "execute_result", "data": dict(format_dict), "metadata": dict(md_dict or {}),
            "execution_count": self.shell.execution_count,
        })  # fmt: skip

    def finish_displayhook(self) -> None: ...


class _Displayed(DisplayPublisher):
    """Tells what a cell displays before its end."""

    shell: Any

    def publish(self, data: Any, metadata: Any = None, *_: Any, **__: Any) -> None:
        self.shell.tell({"output_type": "display_data", "data": dict(data), "metadata": dict(metadata or {})})


class _Shell(InteractiveShell):
    """IPython, whose outputs go to whoever listens."""

    displayhook_class = Type(_Results)
    display_pub_class = Type(_Displayed)
    tell = AnyTrait()
    count = 0  # of the cell that runs, by which its code is named

    def init_history(self) -> None:
        """Keep what ran for this page alone."""
        self.config.HistoryManager.enabled = False
        super().init_history()

    def _showtraceback(self, etype: type, evalue: BaseException, stb: list[str]) -> None:
        if issubclass(etype, SystemExit):
            return self.ask_exit()
        lines = COLOUR.sub("", "\n".join(stb)).split("\n")
        of_the_cell = HEAD in lines[1] if len(lines) > 1 else False
        told = [OF_A_CELL.sub(self._line, line) for line in lines[2 if of_the_cell else 0 :]]
        self.tell({"output_type": "error", "ename": etype.__name__, "evalue": str(evalue), "traceback": told})

    def _line(self, found: re.Match[str]) -> str:
        *count, line = filter(None, found.groups())  # what cannot be read has no count
        return f"line {line} of {'another' if count and int(count[0]) != self.count else 'this'} cell"

    def ask_exit(self) -> None:
        """Say that nothing ends."""
        print(STAYS)


def _ask_nobody(prompt: object = "") -> str:
    raise _CannotAsk(NOBODY)


class _CannotAsk(RuntimeError):
    """Nobody can be asked; the page shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [str(self)]

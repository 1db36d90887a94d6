"""A live notebook in a browser: its folder served as any web server would, and driven through the page's own app.

For tests and benchmarks, as lab.py.
"""

import gzip
import io
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from lab import SECONDS
from run_notebooks import WIDGET

PATIENCE = 4 * SECONDS  # for a kernel to begin: on a busy machine, half a minute
LONG = 3 * PATIENCE  # for all cells of a lesson: some train for most of a minute, on a busy machine for two
REST = 200  # milliseconds between two looks; without, a page is looked at and drawn for each frame
TEXTS = {".html", ".css", ".js", ".json", ".svg"}
IS_IDLE = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status == 'idle'"
CELLS = "jupyterapp.shell.currentWidget.content.model.toJSON().cells"
SELECT = """([id, source]) => {
    const { content } = jupyterapp.shell.currentWidget;
    content.activeCellIndex = content.widgets.findIndex((each) => each.model.id === id);
    if (source) content.activeCell.model.sharedModel.setSource(source);
}"""
CHANGE = """async ([name, code]) => {
    const { sessionContext, context } = jupyterapp.shell.currentWidget;
    await sessionContext.session.kernel.requestExecute({ code, silent: true }).done;
    context.model.fromJSON(await (await fetch(`../files/${name}.ipynb`)).json()); // as it came, whatever was saved
}"""
RUN = """async ([name, forget]) => {
    const { cells } = await (await fetch(`../files/${name}.ipynb`)).json();
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
    await kernel.requestExecute({ code: forget, silent: true }).done;
    for (const cell of cells.filter((each) => each.cell_type === 'code')) {
        const future = kernel.requestExecute({ code: [cell.source].flat().join('') });
        cell.outputs = [];
        future.onIOPub = ({ header, content }) => {
            const last = cell.outputs.at(-1);
            if (header.msg_type === 'stream' && last?.name === content.name) last.text += content.text;
            else if (['stream', 'display_data', 'execute_result', 'error'].includes(header.msg_type))
                cell.outputs.push({ output_type: header.msg_type, ...content });
        };
        await future.done;
    }
    return cells;
}"""
FORGET = """
import pathlib, shutil, sys
for each in pathlib.Path().glob("my_*"):
    shutil.rmtree(each) if each.is_dir() else each.unlink()
for each in list(sys.modules):
    if each.partition(".")[0] == "mha_course":
        del sys.modules[each]
get_ipython().run_line_magic("reset", "-f")
"""
COMMAND = """async ([name, patience]) => {
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error(`${name} did not end`)), 1000 * patience));
    await Promise.race([jupyterapp.commands.execute(name), late]);
}"""


class Files(ThreadingHTTPServer):
    """Serves a folder on this machine, and notes what is asked for.

    A browser that takes it for its way to all other places asks it for these too, and is told that there is nothing.
    """

    def __init__(self, folder):
        """Begin with nothing asked for."""
        super().__init__(("127.0.0.1", 0), partial(_Noting, directory=folder))
        self.url, self.asked = f"http://127.0.0.1:{self.server_port}/", []
        self.held = None  # the end of a name, and what says that such a file may go
        self.packs = False  # whether text travels compressed, as most hosts send it

    @property
    def way(self):
        """The setting of a browser by which nothing is asked of anybody else."""
        return {"server": self.url, "bypass": "127.0.0.1"}

    @property
    def elsewhere(self):
        """What was asked for at other places."""
        return [path for path, _ in self.asked if not path.startswith("/")]

    @contextmanager
    def holding(self, name):
        """Let whoever asks for a file with this end of its name wait for it, until the end of the block."""
        self.held = _, may_go = name, threading.Event()
        try:
            yield
        finally:
            self.held = None
            may_go.set()

    def handle_error(self, request, client_address):
        """Say nothing of a page that was closed before it had read its answer."""


class _Noting(SimpleHTTPRequestHandler):
    def do_GET(self):
        if (held := self.server.held) and self.path.endswith(held[0]):
            held[1].wait()
        super().do_GET()

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if not self.server.packs or path.suffix not in TEXTS or not path.is_file():
            return super().send_head()
        packed = gzip.compress(path.read_bytes())
        self.send_response(200)
        for name, value in {"Type": self.guess_type(path), "Encoding": "gzip", "Length": len(packed)}.items():
            self.send_header(f"Content-{name}", str(value))
        self.end_headers()
        return io.BytesIO(packed)

    def log_request(self, code="-", size="-"):
        self.server.asked.append((self.path, int(code)))

    def log_message(self, *what):
        pass


@contextmanager
def served(folder):
    """Serve a folder."""
    with Files(folder) as files:
        threading.Thread(target=files.serve_forever, daemon=True).start()
        yield files
        files.shutdown()


@dataclass
class Live:
    """A page of the live notebooks."""

    page: object
    url: str

    def open(self, name):
        """Open a lesson, and wait until its kernel is ready."""
        self.page.goto(f"{self.url}lab/index.html?path={name}.ipynb")
        self.wait()

    def change(self, name):
        """Show the cells of another lesson in the place of those that are shown, as if nothing had been done.

        Python goes on, but has forgotten all names and the course: to begin anew takes it longer than most lessons.
        """
        self.page.evaluate(CHANGE, [name, FORGET])
        self.wait()

    def wait(self):
        """Wait until the kernel has nothing to do."""
        self.page.wait_for_function(IS_IDLE, timeout=1000 * PATIENCE, polling=REST)

    def command(self, name, patience=PATIENCE):
        """Have the app do something, and wait until it is done."""
        self.page.evaluate(COMMAND, [name, patience])

    def run_all(self):
        """Run all cells, and return them as they stand then."""
        self.command("notebook:run-all-cells", LONG)
        self.wait()
        return self.cells()

    def run_unseen(self, name):
        """Run all cells of a lesson in the page's Python, and return them; nothing is drawn, which takes longer."""
        return _without_views(self.page.evaluate(RUN, [name, FORGET]))

    def cells(self):
        """Return all cells as they would be saved, but for the live views of widgets."""
        return _without_views(self.page.evaluate(CELLS))

    def run(self, name, source=None):
        """Run the cell of that id, perhaps with another source, and return the text that it shows."""
        self.page.evaluate(SELECT, [name, source])
        self.command("notebook:run-cell")
        (cell,) = [each for each in self.cells() if each["id"] == name]
        return "".join(each.get("text") or each["data"]["text/plain"] for each in cell["outputs"])


def _without_views(cells):
    for cell in cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
    return cells

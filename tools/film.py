"""Film a workbench for the README, in a real JupyterLab: one number changes, and with it all that follows from it."""

import hashlib
import tempfile
from io import BytesIO
from pathlib import Path

import nbformat
from lab import Tab, browser, jupyterlab, open_notebook, run_all
from PIL import Image
from run_notebooks import METADATA

from mha_course import Workbench

FILM = Path(__file__).parents[1] / "docs" / "board.gif"
STAGE, NUMBER, END = "all", ("W_K", 0, 2), 3  # what is shown, what changes, and to what
PAGE = {"width": 1280, "height": 900}
PAINTED = 600  # milliseconds until a change is on the screen, and nothing glides any more
ROOM = 36  # pixels that the messages may grow by
SCENES = (  # what is clicked or pressed, and how long one looks at it, in milliseconds
    (None, 2200),
    ("W_K:0,2", 1200),
    ("Shift+ArrowUp", 1800),
    ("Shift+ArrowUp", 2800),
    ("scores/1:1,2", 3400),
    ("weights/1:1,2", 3400),
    ("output/1:1,1", 4000),
)


def main():
    """Film, and note in the film which board it shows."""
    cell = nbformat.v4.new_code_cell(f'from mha_course import Workbench\nWorkbench(stage="{STAGE}")')
    with tempfile.TemporaryDirectory() as home, jupyterlab(Path(home)) as lab, browser() as chromium:
        nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=METADATA), lab.folder / "board.ipynb")
        tab = Tab(chromium.new_page(viewport=PAGE), lab)
        open_notebook(tab, "board.ipynb")
        run_all(tab, workbenches=1)
        room = tab.workbenches.first.bounding_box()
        room["height"] += ROOM
        frames = [_after(tab, deed, room) for deed, _ in SCENES]
    first, *others = (each.convert("P", palette=Image.Palette.ADAPTIVE, dither=Image.Dither.NONE) for each in frames)
    times = [time for _, time in SCENES]
    first.save(FILM, save_all=True, append_images=others, duration=times, loop=0, comment=mark().encode())
    print(f"{FILM}: {FILM.stat().st_size // 1024} KB")


def _after(tab, deed, room):
    """Do one thing, wait until it is painted, and return what that part of the page looks like."""
    if deed and ":" in deed:
        tab.workbenches.first.locator(f'td[data-at="{deed}"]').first.click()
    elif deed:
        tab.page.keyboard.press(deed)
    tab.page.wait_for_timeout(PAINTED)
    return Image.open(BytesIO(tab.page.screenshot(clip=room))).convert("RGB")


def mark():
    """Return a mark of the board with which the film ends: a board that looks different has another."""
    workbench = Workbench(stage=STAGE)
    workbench.edit(*NUMBER, END)
    return hashlib.sha256(workbench._repr_mimebundle_()[0]["text/html"].encode()).hexdigest()


if __name__ == "__main__":
    main()

"""Film the README's moving picture in a real JupyterLab: a push, heads that learn, a model that forgets a name."""

import base64
import hashlib
import tempfile
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import nbformat
from lab import SECONDS, Tab, browser, jupyterlab, open_notebook, run_all
from PIL import Image
from playwright.sync_api import expect
from run_notebooks import METADATA

from mha_course import Desk, Train, Workbench

DOCS = Path(__file__).parents[1] / "docs"
FILM, STILL = DOCS / "film.gif", DOCS / "film.png"
WIDGETS = ('Workbench("steals", stage="softmax")', "Train()", "Desk()")  # one of each scene
PAGE = {"width": 1280, "height": 900}
TIME = 60  # milliseconds of a picture; a GIF counts in tens
RATE = 1000 / TIME  # pictures a second
COLOURS = 160  # the same in all pictures, so that what does not move is not written again
LEARNING, READING = 5.0, 2.5  # seconds for the stripe to grow, and to read what stands there
PUSHES, PUSH = 10, 160  # how often the number is pushed by a tenth, and the milliseconds of each
SOME = 6  # pictures from which the colours are taken
GLIDING = 12  # pictures of the pointer on its way to a button
SMALLER = 0.9
# Playwright's mouse is not painted: this arrow follows it.
POINTER = """() => {
    const arrow = document.body.appendChild(document.createElement("div"));
    arrow.innerHTML = `<svg width="22" height="28">
        <path d="M2 2v20l5-5 4 9 4-2-4-9h7z" fill="#fff" stroke="#000" stroke-width="1.5"/></svg>`;
    arrow.style.cssText = "position:fixed;z-index:9999;pointer-events:none;left:0;top:0";
    addEventListener("mousemove", ({ clientX, clientY }) => {
        arrow.style.transform = `translate(${clientX - 2}px, ${clientY - 2}px)`;
    }, true);
}"""


def main():
    """Film the three scenes, and note in the film what it shows."""
    code = [f"from mha_course import Desk, Train, Workbench\n{each}" for each in WIDGETS]
    cells = [nbformat.v4.new_code_cell(each) for each in code]
    with tempfile.TemporaryDirectory() as home, jupyterlab(Path(home)) as lab, browser() as chromium:
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), lab.folder / "film.ipynb")
        tab = Tab(chromium.new_page(viewport=PAGE), lab)
        open_notebook(tab, "film.ipynb")
        run_all(tab, workbenches=1)
        tab.page.evaluate(POINTER)
        pushed = _it_is_pushed(tab.page)
        frames = [*pushed, *_it_learns(tab.page), *_it_forgets(tab.page)]
    size = max(each.width for each in frames), max(each.height for each in frames)
    frames = [_on(size, each) for each in frames]
    some = frames[:: len(frames) // SOME]
    palette = _on((size[0], size[1] * len(some)), *some).quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE)
    first, *others = (each.quantize(palette=palette, dither=Image.Dither.NONE) for each in frames)
    first.save(FILM, save_all=True, append_images=others, duration=TIME, loop=0, comment=mark().encode())
    frames[len(pushed) - 1].save(STILL, optimize=True)
    print(f"{FILM}: {FILM.stat().st_size // 1024} KB, {len(frames)} pictures")


def _it_is_pushed(page):
    """Film a number that is pushed, until the word looks elsewhere."""
    widget = page.locator(".mha-workbench")
    widget.scroll_into_view_if_needed()
    with _filmed(page, widget) as frames:
        _press(page, widget.locator('td[data-at="W_Q:0,1"]'))
        for _ in range(PUSHES):
            page.keyboard.press("ArrowUp")
            page.wait_for_timeout(PUSH)
        expect(widget.locator("[data-part=meaning]")).to_contain_text("finds the ball", timeout=1000 * SECONDS)
        page.wait_for_timeout(1000 * READING)
    return frames


def _it_learns(page):
    """Film a model that learns, from the hand on its button until the stripe stands."""
    widget = page.locator(".mha-train")
    widget.scroll_into_view_if_needed()
    with _filmed(page, widget) as frames:
        _press(page, widget.locator("button[name=play]"))
        page.wait_for_timeout(1000 * LEARNING)
        widget.locator("button[name=play]").click()
    return frames


def _it_forgets(page):
    """Film the real model that goes on with a text, once with all heads, and once without those that copy."""
    widget = page.locator(".mha-desk")
    widget.scroll_into_view_if_needed()
    widget.locator("button[name=read]").click()
    words = widget.locator("[data-words] td")
    expect(words.first).to_contain_text("beauty", timeout=1000 * SECONDS)
    widget.scroll_into_view_if_needed()
    with _filmed(page, widget) as frames:
        _press(page, widget.locator("button[name='group induction']"))
        expect(widget.locator("[data-part=status]")).to_contain_text("It writes", timeout=1000 * SECONDS)
        page.wait_for_timeout(1000 * READING)
    return frames


def _press(page, button):
    """Move the pointer to a button, as a hand does, and press it."""
    box = button.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for left in reversed(range(GLIDING)):
        page.mouse.move(x + 220 * left / GLIDING, y + 160 * left / GLIDING)
        page.wait_for_timeout(TIME)
    page.mouse.down()
    page.mouse.up()


@contextmanager
def _filmed(page, widget):
    """Yield a list that in the end holds the pictures of a widget, so many a second, as they were painted."""
    hand, painted, frames = page.context.new_cdp_session(page), [], []

    def keep(event):
        painted.append((event["metadata"]["timestamp"], event["data"]))
        hand.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    hand.on("Page.screencastFrame", keep)
    hand.send("Page.startScreencast", {"format": "png"})
    yield frames
    hand.send("Page.stopScreencast")
    room = widget.bounding_box()
    begin, end = painted[0][0], painted[-1][0]
    for number in range(round((end - begin) * RATE) + 1):
        data = next(data for time, data in reversed(painted) if time <= begin + number / RATE + 1e-6)
        frames.append(_clipped(data, room))


def _clipped(data, room):
    whole = Image.open(BytesIO(base64.b64decode(data))).convert("RGB")
    part = whole.crop((room["x"], room["y"], room["x"] + room["width"], room["y"] + room["height"]))
    return part.resize([round(SMALLER * side) for side in part.size], Image.Resampling.LANCZOS)


def _on(size, *pictures):
    """Put pictures below each other on a white page."""
    page = Image.new("RGB", size, "white")
    for number, picture in enumerate(pictures):
        page.paste(picture, (0, number * size[1] // len(pictures)))
    return page


def mark():
    """Return a mark of what the film shows: widgets that look different have another."""
    widgets = (eval(each, {"Workbench": Workbench, "Train": Train, "Desk": Desk}) for each in WIDGETS)
    shown = "".join(each._repr_mimebundle_()[0]["text/html"] + each._css for each in widgets)
    return hashlib.sha256(shown.encode()).hexdigest()


if __name__ == "__main__":
    main()

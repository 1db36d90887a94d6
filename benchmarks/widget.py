"""Measures in a real browser how long a change takes to become a new picture, and how much room every board takes."""

import statistics
import tempfile
from pathlib import Path

import boards
import nbformat
from lab import Tab, browser, jupyterlab, open_notebook, run_all
from measuring import p50_p95, show
from run_notebooks import METADATA

ROUNDS, CHANGES = 5, 20  # of each case

ECHO = '''
import anywidget

class Echo(anywidget.AnyWidget):
    _esm = """
    export default { render({ model, el }) {
      el.innerHTML = "<button class='echo'></button><span class='answer'>0</span>";
      el.firstChild.addEventListener("click", () => model.send({}));
      model.on("msg:custom", ({ count }) => { el.lastChild.textContent = count; });
    } }
    """
    count = 0

    def hear(self, content, buffers):
        self.count += 1
        self.send({"count": self.count})

echo = Echo()
echo.on_msg(Echo.hear)
echo
'''
INTERACT = """
import matplotlib.pyplot as plt
from ipywidgets import FloatText, interact
from mha_course import preset, steps

def draw(entry):
    path = steps(preset("article").with_entry("W_K", 0, 2, entry))
    figure, axes = plt.subplots(3, 5, figsize=(10, 6))
    for axis, step in zip(axes.flat, path.values()):
        axis.imshow(step.values)
        axis.set_title(step.key)
    plt.show()

interact(draw, entry=FloatText(1.0))
"""
LAST = '[data-at="weights/1:0,0"]'
ECHOED, ARTICLE = "a bare echo through the kernel", "the workbench, the article's example, all stages"
CASES = {
    ECHOED: (ECHO, ".answer"),
    ARTICLE: ("from mha_course import Workbench\nWorkbench()", LAST),
    "the workbench of lesson 5, with the plane":
        ('from mha_course import Workbench\nWorkbench(stage="weighted_sums")', LAST),
    "the workbench of lesson 6, two heads":
        ('from mha_course import Workbench\nWorkbench("two_heads", stage="heads")', LAST),
    "the workbench, 8 heads, 10 tokens, d_model 512":
        ('from mha_course import Workbench\nWorkbench("paper_size")', LAST),
    "`interact` and matplotlib, drawing the same 14 matrices": (INTERACT, ".widget-output img"),
}  # fmt: skip

# Makes one change, and resolves with the milliseconds until its picture has been painted.
CHANGE = """async (number) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const until = (root, ready) => new Promise((done) => {
    const watch = new MutationObserver(() => { if (ready()) { watch.disconnect(); done(); } });
    watch.observe(root, { childList: true, characterData: true, attributes: true, subtree: true });
  });
  await new Promise((done) => setTimeout(done, 100));
  let start, changed;
  const echo = document.querySelector("button.echo");
  const workbench = document.querySelector(".mha-workbench .mha-board");
  if (echo) {
    const answer = echo.nextSibling, before = answer.textContent;
    changed = until(answer.parentElement, () => answer.textContent !== before);
    start = performance.now();
    echo.click();
  } else if (workbench) {
    const field = document.querySelector(`[data-at="${number % 4 < 2 ? "W_K" : "X"}:0,1"] input`);
    document.querySelector('.mha-workbench [data-at="scores/1:0,0"]').scrollIntoView({ block: "center" });
    await painted();
    const scores = [...document.querySelectorAll('.mha-workbench td[data-at^="scores/1:"]')];
    const shown = () => scores.map((td) => td.textContent).join();
    const before = shown();
    changed = until(workbench, () => shown() !== before);
    start = performance.now();
    const key = number % 2 ? "ArrowDown" : "ArrowUp";
    field.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true, cancelable: true }));
  } else {
    const output = document.querySelector(".widget-output"), before = output.querySelector("img").src;
    changed = until(output, () => (output.querySelector("img")?.src ?? before) !== before);
    const field = document.querySelector(".widget-text input");
    field.value = Number(field.value) === 1 ? 2 : 1;
    start = performance.now();
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  await changed;
  await document.querySelector(".widget-output img")?.decode();
  await painted();
  return performance.now() - start;
}"""

# Presses a key 200 times within 2 seconds; resolves with the final text and how late it came.
BURST = """async () => {
  const field = document.querySelector('[data-at="W_K:0,2"] input');
  let last = performance.now();
  const watch = new MutationObserver(() => { last = performance.now(); });
  const picture = document.querySelector('[data-part="picture"]');
  watch.observe(picture, { childList: true, characterData: true, subtree: true });
  const start = performance.now();
  for (let i = 0; i < 200; i++) {
    while (performance.now() - start < i * 10) await new Promise((done) => setTimeout(done, 0));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true, cancelable: true }));
  }
  const end = performance.now();
  await new Promise((done) => setTimeout(done, 2000));
  return { value: field.value, took_ms: end - start, late_ms: Math.max(0, last - end) };
}"""


def main():
    """Run all cases in turn, and print what was measured."""
    with tempfile.TemporaryDirectory() as home, jupyterlab(Path(home)) as lab, browser() as chromium:
        pages = {name: open_case(chromium, lab, *case) for name, case in CASES.items()}
        times = changes(pages)
        pages[ARTICLE].bring_to_front()
        burst = pages[ARTICLE].evaluate(BURST)
        for page in pages.values():
            page.close()
        heights = board_heights(chromium, lab)
    rows = ((name, *each, each[0] / times[ECHOED][0]) for name, each in times.items())
    show(("case", "p50, ms", "p95", "p50 / the echo's"), *rows)
    show(("200 presses in 2 s", ""), *burst.items())
    show(("workbench", "height, pixels"), *heights)


def changes(pages):
    """Let pages take turns; return page -> median and 95th percentile of a change: of each the median of all rounds."""
    rounds = {name: [] for name in pages}
    for _ in range(ROUNDS):
        for name, page in pages.items():
            page.bring_to_front()
            page.evaluate(CHANGE, 1)  # not counted: the page has just come to the front
            page.evaluate(CHANGE, 2)
            rounds[name].append(p50_p95([page.evaluate(CHANGE, number + 3) for number in range(CHANGES)]))
    return {name: tuple(map(statistics.median, zip(*each, strict=True))) for name, each in rounds.items()}


def board_heights(chromium, lab):
    """Return every lesson's workbenches, each with its height."""
    found = boards.calls()
    nbformat.write(boards.notebook_of(found), lab.folder / "boards.ipynb")
    tab = Tab(chromium.new_page(viewport={"width": 1280, "height": 720}), lab)
    open_notebook(tab, "boards.ipynb")
    run_all(tab, workbenches=len(found))
    rooms = tab.page.evaluate(boards.ROOMS)
    return [(f"{lesson}: {call}", room["height"]) for (lesson, call), room in zip(found, rooms, strict=True)]


def open_case(chromium, lab, source, ready):
    """Write the notebook of a case, open it in a tab of its own, and run it."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.strip())], metadata=METADATA)
    with tempfile.NamedTemporaryFile(dir=lab.folder, suffix=".ipynb", delete=False) as file:
        file.write(nbformat.writes(notebook).encode())
    tab = Tab(chromium.new_page(viewport={"width": 1280, "height": 900}), lab)
    open_notebook(tab, Path(file.name).name)
    run_all(tab, workbenches="Workbench" in source)
    tab.page.wait_for_selector(ready, state="attached")
    return tab.page

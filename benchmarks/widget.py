"""Measures in a real browser how long a change takes to become a new picture, and how much room every board takes."""

import statistics
import sys
import tempfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import boards  # noqa: E402
from lab import Tab, browser, jupyterlab, open_notebook, run_all  # noqa: E402
from record import record  # noqa: E402
from run_notebooks import METADATA  # noqa: E402

ROUNDS, CHANGES = 5, 20  # of each case; the cases take turns, round by round, and the median round counts

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
CASES = {
    "echo_ms": (ECHO, ".answer"),
    "workbench_ms": ("from mha_course import Workbench\nWorkbench()", LAST),
    "workbench_plane_ms": ('from mha_course import Workbench\nWorkbench(stage="weighted_sums")', LAST),
    "workbench_2_heads_ms": ('from mha_course import Workbench\nWorkbench("two_heads", stage="heads")', LAST),
    "workbench_8_heads_ms": ('from mha_course import Workbench\nWorkbench("paper_size")', LAST),
    "interact_matplotlib_ms": (INTERACT, ".widget-output img"),
}  # fmt: skip

# Makes one change, and resolves with the milliseconds until its picture has been painted.
CHANGE = """async ([kind, number]) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const until = (root, ready) => new Promise((done) => {
    const watch = new MutationObserver(() => { if (ready()) { watch.disconnect(); done(); } });
    watch.observe(root, { childList: true, characterData: true, attributes: true, subtree: true });
  });
  await new Promise((done) => setTimeout(done, 100));
  let start, changed;
  if (kind === "echo") {
    const answer = document.querySelector(".answer"), before = answer.textContent;
    changed = until(answer.parentElement, () => answer.textContent !== before);
    start = performance.now();
    document.querySelector(".echo").click();
  } else if (kind === "workbench") {
    const field = document.querySelector(`[data-at="${number % 4 < 2 ? "W_K" : "X"}:0,1"] input`);
    document.querySelector('.mha-workbench [data-at="scores/1:0,0"]').scrollIntoView({ block: "center" });
    await painted();
    const scores = [...document.querySelectorAll('.mha-workbench td[data-at^="scores/1:"]')];
    const shown = () => scores.map((td) => td.textContent).join();
    const before = shown();
    changed = until(document.querySelector(".mha-workbench .mha-board"), () => shown() !== before);
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
  if (kind === "interact") await document.querySelector(".widget-output img").decode();
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
    """Run all cases in turn, and print and record what was measured."""
    times = {name: [] for name in CASES}
    with tempfile.TemporaryDirectory() as home, jupyterlab(Path(home)) as lab, browser() as chromium:
        pages = {name: open_case(chromium, lab, name, *case) for name, case in CASES.items()}
        for turn in range(ROUNDS):
            for name, page in pages.items():
                page.bring_to_front()
                kind = name.split("_")[0]
                page.evaluate(CHANGE, [kind, 1])  # not counted: the page has just come to the front
                page.evaluate(CHANGE, [kind, 2])
                times[name].append([page.evaluate(CHANGE, [kind, number + 3]) for number in range(CHANGES)])
            print(f"round {turn + 1} of {ROUNDS} done", flush=True)
        pages["workbench_ms"].bring_to_front()
        burst = pages["workbench_ms"].evaluate(BURST)
        for page in pages.values():
            page.close()
        rooms = board_rooms(chromium, lab)
    results = {name: summary(rounds) for name, rounds in times.items()} | {"burst_200_in_2_s": burst}
    record("widget", results)
    record("board", rooms)
    echo = results["echo_ms"]
    print("\n| case | p50 ms | of the echo's | p95 ms | of the echo's |\n|---|---|---|---|---|")
    for name in CASES:
        p50, p95 = (results[name][each] for each in ("p50", "p95"))
        ratios = f"{p50 / echo['p50']:.2f}", f"{p95 / echo['p95']:.2f}"
        print(f"| {name[:-3].replace('_', ' ')} | {p50} | {ratios[0]} | {p95} | {ratios[1]} |")
    print(f"burst of 200 edits: {burst}")
    print("\n| workbench | height at 1280 | at 1920 | from box to last result at 1280 |\n|---|---|---|---|")
    for call, room in rooms.items():
        print(f"| {call} | {' | '.join(map(str, room))} |")


def board_rooms(chromium, lab):
    """Return workbench -> [height at 1280, height at 1920, distance at 1280], in pixels, of every lesson's."""
    found = boards.calls()
    nbformat.write(boards.notebook_of(found), lab.folder / "boards.ipynb")
    measured = {}
    for width in (1280, 1920):
        tab = Tab(chromium.new_page(viewport={"width": width, "height": 720}), lab)
        open_notebook(tab, "boards.ipynb")
        run_all(tab, workbenches=len(found))
        measured[width] = tab.page.evaluate(boards.ROOMS)
        tab.page.close()
    names = [f"{lesson}: {call}" for lesson, call in found]
    return {
        name: [small["height"], large["height"], small["distance"]]
        for name, small, large in zip(names, measured[1280], measured[1920], strict=True)
    }


def open_case(chromium, lab, name, source, ready):
    """Write the notebook of a case, open it in a tab of its own, and run it."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.strip())], metadata=METADATA)
    nbformat.write(notebook, lab.folder / f"{name}.ipynb")
    tab = Tab(chromium.new_page(viewport={"width": 1280, "height": 900}), lab)
    open_notebook(tab, f"{name}.ipynb")
    run_all(tab, workbenches="Workbench" in source)
    tab.page.wait_for_selector(ready, state="attached")
    return tab.page


def summary(rounds):
    """Return the median and the 95th percentile of a round, in milliseconds: of each the median of all rounds."""
    p50 = statistics.median(statistics.median(each) for each in rounds)
    p95 = statistics.median(statistics.quantiles(each, n=20)[-1] for each in rounds)
    return {"p50": round(p50, 1), "p95": round(p95, 1)}


if __name__ == "__main__":
    main()

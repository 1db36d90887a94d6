"""Measures in a real browser how long a change takes to become a new picture."""

import statistics
import sys
import tempfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from lab import Tab, browser, jupyterlab, open_notebook, run_all  # noqa: E402
from record import record  # noqa: E402
from run_notebooks import METADATA  # noqa: E402

ROUNDS, CHANGES = 6, 10  # of each case; the cases take turns, round by round

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
CASES = {
    "echo_ms": (ECHO, ".answer"),
    "workbench_ms": ("from mha_course import Workbench\nWorkbench()", '[data-at="result:0,0"]'),
    "workbench_8_heads_ms": (
        'from mha_course import Workbench\nWorkbench("paper_size")', '[data-at="result:0,0"]',
    ),
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
    const last = document.querySelector('[data-at="result:0,0"]'), before = last.textContent;
    const field = document.querySelector(`[data-at="${number % 4 < 2 ? "W_K" : "X"}:0,2"] input`);
    document.querySelector('[data-at="scores/1:0,0"]').scrollIntoView({ block: "center" });
    await painted();
    changed = until(last, () => last.textContent !== before);
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
                times[name] += [page.evaluate(CHANGE, [kind, number + 3]) for number in range(CHANGES)]
            print(f"round {turn + 1} of {ROUNDS} done", flush=True)
        pages["workbench_ms"].bring_to_front()
        burst = pages["workbench_ms"].evaluate(BURST)
    results = {name: summary(values) for name, values in times.items()} | {"burst_200_in_2_s": burst}
    record("widget", results)
    print("\n| case | changes | p50 ms | p95 ms |\n|---|---|---|---|")
    for name, values in times.items():
        print(f"| {name[:-3].replace('_', ' ')} | {len(values)} | {results[name]['p50']} | {results[name]['p95']} |")
    print(f"burst of 200 edits: {burst}")


def open_case(chromium, lab, name, source, ready):
    """Write the notebook of a case, open it in a tab of its own, and run it."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.strip())], metadata=METADATA)
    nbformat.write(notebook, lab.folder / f"{name}.ipynb")
    tab = Tab(chromium.new_page(viewport={"width": 1280, "height": 900}), lab)
    open_notebook(tab, f"{name}.ipynb")
    run_all(tab, workbenches="Workbench" in source)
    tab.page.wait_for_selector(ready, state="attached")
    return tab.page


def summary(values):
    """Return the median and the 95th percentile, in milliseconds."""
    return {"p50": round(statistics.median(values), 1), "p95": round(statistics.quantiles(values, n=20)[-1], 1)}


if __name__ == "__main__":
    main()

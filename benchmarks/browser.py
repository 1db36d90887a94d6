"""Measures live notebooks, whose Python runs inside the page, against JupyterLab with its kernel, in turns.

`make site` builds what is measured.
"""

import gzip
import sys
import tempfile
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from lab import browser, jupyterlab  # noqa: E402
from live import Live, served  # noqa: E402
from record import record  # noqa: E402
from widget import CHANGE, CHANGES, ROUNDS, open_case, summary  # noqa: E402

RUN = ROOT / "build" / "site" / "run"
LESSON, BOARD = "00_start_here", "touch"  # the first lesson, and the cell of its first board
BIG = 500_000  # bytes: files of which each is listed
WORKBENCH = "from mha_course import Workbench\nWorkbench()", '[data-at="output/1:0,0"]'
ANSWER = """
import numpy as np
from time import perf_counter
from mha_course import Training, check
def my_scaled_scores(Q, K):
    return Q @ K.T
times = []
for seed in range(12):
    begin = perf_counter()
    check("scaled_scores.scaled", my_scaled_scores, seed=seed)
    times.append(perf_counter() - begin)
training = Training("repeat", 0)
training.train(5)
begin = perf_counter()
training.train(100)
print(np.median(times[2:]), 100 / (perf_counter() - begin))
"""
EXECUTE = """code => new Promise((done) => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  let text = "";
  const asked = kernel.requestExecute({ code });
  asked.onIOPub = ({ content }) => { text += content.text ?? ""; };
  asked.done.then(() => done(text));
})"""


def main():
    """Measure, print and record."""
    if not RUN.exists():
        sys.exit("There are no live notebooks in build/site/run: make site builds them.")
    with (
        tempfile.TemporaryDirectory() as home,
        jupyterlab(Path(home)) as lab,
        browser() as chromium,
        served(RUN) as files,
    ):
        visits = first_and_second_visit(chromium, files)
        live = chromium.new_page(viewport={"width": 1280, "height": 900})
        Live(live, files.url).open(LESSON)
        Live(live, files.url).run(BOARD, WORKBENCH[0])
        live.wait_for_selector(WORKBENCH[1], state="attached")
        pages = {"live": live, "jupyterlab": open_case(chromium, lab, "workbench", *WORKBENCH)}
        edits = {name: summary(rounds) for name, rounds in edited(pages).items()}
        asked = {name: answer(page) for name, page in pages.items()}
        results = visits | {"edit_ms": edits, "kernel": asked, "largest_page_mb": largest_page()}
    record("browser", results)
    show(results)


def first_and_second_visit(chromium, files):
    """Return seconds and compressed megabytes of a visit with nothing in the cache, and of the next one."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    visits = {}
    for name in ("first_visit", "second_visit"):
        files.asked.clear()
        page, begin, seconds = context.new_page(), time.monotonic(), {}
        page.goto(f"{files.url}lab/index.html?path={LESSON}.ipynb", wait_until="commit")
        page.wait_for_selector(".jp-Notebook h1", timeout=60_000)
        seconds["readable"] = time.monotonic() - begin
        live = Live(page, files.url)
        live.wait()
        seconds["python"] = time.monotonic() - begin
        live.run(BOARD)
        page.wait_for_selector('[data-at="W_K:0,2"] input', timeout=60_000)
        page.evaluate(CHANGE, ["workbench", 0])
        seconds["board"] = time.monotonic() - begin
        time.sleep(10)  # what is kept for a visit without a network comes after all else
        sent = sizes({path for path, code in files.asked if code == 200})
        visits[name] = {"seconds": rounded(seconds), "mb": round(sum(sent.values()) / 1e6, 2)}
        visits[name]["large_files"] = {path: size for path, size in sent.items() if size > BIG}
        page.close()
    context.close()
    return visits


def answer(page):
    """Return seconds of a wrong check and steps of training in a second, in a page's kernel."""
    check, steps = map(float, page.evaluate(EXECUTE, ANSWER).split())
    return {"check_s": check, "steps_a_second": steps}


def sizes(paths, folder=RUN):
    """Return path -> bytes of files in a folder, compressed as most servers would."""
    files = {path.partition("?")[0].lstrip("/") for path in paths}
    found = {path: (folder / path).read_bytes() for path in files if (folder / path).is_file()}
    return {path: min(len(data), len(gzip.compress(data, 6))) for path, data in found.items()}


def edited(pages):
    """Return page -> the milliseconds of each change, round by round."""
    times = {name: [] for name in pages}
    for turn in range(ROUNDS):
        for name, page in pages.items():
            page.bring_to_front()
            page.evaluate(CHANGE, ["workbench", 1])  # not counted: the page has just come to the front
            page.evaluate(CHANGE, ["workbench", 2])
            times[name].append([page.evaluate(CHANGE, ["workbench", number + 3]) for number in range(CHANGES)])
        print(f"round {turn + 1} of {ROUNDS} done", flush=True)
    return times


def largest_page():
    """Return the megabytes of the browser's largest page: the one that has Python in it."""
    pages = [
        each for each in psutil.Process().children(recursive=True) if "--type=renderer" in " ".join(each.cmdline())
    ]
    return round(max(each.memory_info().rss for each in pages) / 1e6)


def rounded(seconds):
    """Return seconds with one decimal."""
    return {name: round(value, 1) for name, value in seconds.items()}


def show(results):
    """Print what was measured, as tables."""
    print("\n| visit | MB | text after s | Python | a board's answer |\n|---|---|---|---|---|")
    for name in ("first_visit", "second_visit"):
        seconds = results[name]["seconds"].values()
        print(f"| {name.replace('_', ' ')} | {results[name]['mb']} | {' | '.join(map(str, seconds))} |")
    print("\n| | live | JupyterLab | ratio |\n|---|---|---|---|")
    rows = {
        f"edit {part} ms": {name: each[part] for name, each in results["edit_ms"].items()} for part in ("p50", "p95")
    }
    rows |= {
        part: {name: each[part] for name, each in results["kernel"].items()} for part in ("check_s", "steps_a_second")
    }
    for label, row in rows.items():
        print(f"| {label} | {row['live']:.4g} | {row['jupyterlab']:.4g} | {row['live'] / row['jupyterlab']:.2f} |")
    print(f"\nthe page with Python in it: {results['largest_page_mb']} MB")


if __name__ == "__main__":
    main()

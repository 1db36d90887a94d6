"""Measures live notebooks, whose Python runs inside the page, against JupyterLab with its kernel, in turns.

`make site` builds what is measured.
"""

import gzip
import sys
import tempfile
import time
from pathlib import Path

import psutil
from lab import browser, jupyterlab
from live import Live, served
from measuring import ROOT, show
from widget import CHANGE, changes, open_case

RUN = ROOT / "build" / "site" / "run"
LESSON, BOARD = "00_start_here", "touch"  # the first lesson, and the cell of its first board
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
print(1000 * np.median(times[2:]), 100 / (perf_counter() - begin))
"""
EXECUTE = """code => new Promise((done) => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  let text = "";
  const asked = kernel.requestExecute({ code });
  asked.onIOPub = ({ content }) => { text += content.text ?? ""; };
  asked.done.then(() => done(text));
})"""


def main():
    """Measure and print."""
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
        pages = {"live": live, "jupyterlab": open_case(chromium, lab, *WORKBENCH)}
        here, there = ((*change, *answer(pages[name])) for name, change in changes(pages).items())
        show(("page with Python in it", ""), ("MB", largest_page()))
    show(("visit", "text readable, s", "Python ready", "a board has answered", "to be fetched, MB"), *visits)
    names = ("key to picture, p50, ms", "p95, ms", "check of a wrong answer, ms", "Train, steps a second")
    rows = zip(names, here, there, strict=True)
    show(("what", "live", "JupyterLab", "live / JupyterLab"), *((*row, row[1] / row[2]) for row in rows))


def first_and_second_visit(chromium, files):
    """Return seconds and compressed megabytes of a visit with nothing in the cache, and of the next one."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    visits = [(name, *visit(context.new_page(), files)) for name in ("first", "second")]
    context.close()
    return visits


def visit(page, files):
    """Open a lesson and use its first board; return what a row says of it."""
    files.asked.clear()
    begin, seconds = time.monotonic(), []
    page.goto(f"{files.url}lab/index.html?path={LESSON}.ipynb", wait_until="commit")
    page.wait_for_selector(".jp-Notebook h1", timeout=60_000)
    seconds.append(time.monotonic() - begin)
    live = Live(page, files.url)
    live.wait()
    seconds.append(time.monotonic() - begin)
    live.run(BOARD)
    page.wait_for_selector('[data-at="W_K:0,2"] input', timeout=60_000)
    page.evaluate(CHANGE, 0)
    seconds.append(time.monotonic() - begin)
    time.sleep(10)  # what is kept for a visit without a network comes after all else
    fetched = megabytes(files, RUN)
    page.close()
    return *seconds, fetched


def answer(page):
    """Return milliseconds of a wrong check and steps of training in a second, in a page's kernel."""
    return map(float, page.evaluate(EXECUTE, ANSWER).split())


def megabytes(files, folder):
    """Return how much travelled from a folder, compressed as most servers would."""
    asked = {path.partition("?")[0].lstrip("/") for path, code in files.asked if code == 200}
    found = [(folder / path).read_bytes() for path in asked if (folder / path).is_file()]
    return sum(min(len(data), len(gzip.compress(data, 6))) for data in found) / 1e6


def largest_page():
    """Return the megabytes of the browser's largest page: the one that has Python in it."""
    pages = [
        each for each in psutil.Process().children(recursive=True) if "--type=renderer" in " ".join(each.cmdline())
    ]
    return round(max(each.memory_info().rss for each in pages) / 1e6)

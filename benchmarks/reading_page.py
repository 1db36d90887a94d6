"""Measures pages to read: how soon they show, answer and live by themselves, what they fetch, and what moves.

`make site` builds what is measured. Text travels compressed, as most hosts send it; what is large does so by itself.
"""

import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from browser import largest_page, sizes  # noqa: E402
from lab import browser  # noqa: E402
from live import served  # noqa: E402
from record import record  # noqa: E402
from widget import CHANGE, CHANGES, ROUNDS, summary  # noqa: E402

SITE = ROOT / "build" / "site"
FIRST, LESSON, NEXT = "index", "00_start_here", "03_scaled_scores"
SLOW = {"offline": False, "latency": 300, "downloadThroughput": 200_000, "uploadThroughput": 200_000}  # 1.6 Mbit/s
INACTIVE = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
BY_ITSELF = "Object.defineProperty(navigator, 'connection', { value: { effectiveType: '4g' } });"
WATCH = """globalThis.shift = 0;
const add = ({ hadRecentInput, value }) => { shift += hadRecentInput ? 0 : value; };
new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: "layout-shift", buffered: true });"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
PUSH = """() => new Promise((done) => {
    const begin = performance.now();
    document.querySelector(".stepper [aria-label=More]").click();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
})"""
STUB, CHECK, FREE = (
    f".cell[data-cell={name}]" for name in ("exercise-keys-stub", "exercise-keys-check", "dot-product")
)
ANSWER = "def my_keys(Q, scores):\n    return np.linalg.solve(Q, scores).T"
WATCH_KEYS = """globalThis.delays = [];
addEventListener("keydown", () => {
    const begin = performance.now();
    requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - begin)));
}, true);"""
ACTIVE, ALL = ".widget-placeholder.is-active", "() => !document.querySelector('.widget-placeholder:not(.is-active)')"
PATIENCE = 120_000  # milliseconds


def main():
    """Measure, print and record."""
    if not (SITE / "run").exists():
        sys.exit("There are no live notebooks in build/site/run: make site builds them.")
    results = {}
    with browser() as chromium, served(SITE) as files:
        files.packs = True
        for name in (FIRST, LESSON):
            results[f"{name}_inactive"] = inactive(chromium, files, name)
            results[f"{name}_inactive_slow"] = inactive(chromium, files, name, SLOW)
        results[f"{FIRST}_by_itself"], page = by_itself(chromium, files, FIRST)
        page.context.close()  # and its Python
        results[f"{LESSON}_by_itself"], page = by_itself(chromium, files, LESSON)
        results["exercise"] = exercise(chromium, files)
        results["largest_page_mb"] = largest_page()
        results["next_page"] = next_page(page, files)
        rounds = [[page.evaluate(CHANGE, ["workbench", each]) for each in range(CHANGES)] for _ in range(ROUNDS)]
        results["edit_ms"] = summary(rounds)
    record("reading_page", results)
    show(results)


def opened(chromium, files, name, situation, network=None):
    """Open a page as a new reader, and return it."""
    page = chromium.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.add_init_script(situation + WATCH)
    if network:
        tools = page.context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", network)
    files.asked.clear()
    page.goto(f"{files.url}{name}.html", wait_until="load")
    return page


def inactive(chromium, files, name, network=None):
    """Measure a page that nobody touches: seconds to its picture, kilobytes, what moves, an answer's milliseconds."""
    page = opened(chromium, files, name, INACTIVE, network)
    page.wait_for_load_state("networkidle")
    result = {"picture_s": round(page.evaluate(PAINTED), 2), "kb": fetched(files) // 1000}
    result["shift"] = round(page.evaluate("shift"), 3)
    if name == FIRST:
        result["answer_ms"] = round(page.evaluate(PUSH))
    page.context.close()
    return result


def by_itself(chromium, files, name):
    """Measure how soon a page's first widget lives, and all, without a touch; return the page, too."""
    begin = time.monotonic()
    page = opened(chromium, files, name, BY_ITSELF)
    result = waited(page, begin)
    return result | {"mb": round(fetched(files) / 1e6, 1), "shift": round(page.evaluate("shift"), 3)}, page


def next_page(page, files):
    """Measure the next page of a visit."""
    files.asked.clear()
    begin = time.monotonic()
    page.goto(f"{files.url}{NEXT}.html", wait_until="commit")
    return waited(page, begin) | {"mb": round(fetched(files) / 1e6, 1)}


def exercise(chromium, files):
    """Measure an exercise from a new reader's link to its first verdict, and keys while Python has something to do."""
    begin = time.monotonic()
    page = opened(chromium, files, NEXT, INACTIVE)
    type_into(page, STUB, ANSWER)
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(f"{CHECK} [data-output] b", timeout=PATIENCE)
    result = {"verdict_s": round(time.monotonic() - begin, 1), "mb": round(fetched(files) / 1e6, 1)}
    begin = time.monotonic()
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(f"{STUB} .run-cell:text-is('Check')", timeout=PATIENCE)
    result["verdict_again_s"] = round(time.monotonic() - begin, 2)
    type_into(page, FREE, "while True: pass")
    page.keyboard.press("Shift+Enter")
    type_into(page, STUB, "")
    page.evaluate(WATCH_KEYS)
    for letter in ANSWER.replace("\n", " ") * 2:
        page.keyboard.press(letter)
    delays = sorted(page.evaluate("delays"))
    page.context.close()
    return result | {
        "key_p50_ms": round(delays[len(delays) // 2]),
        "key_p95_ms": round(delays[int(len(delays) * 0.95)]),
    }


def type_into(page, cell, code):
    """Write code in place of a cell's."""
    page.locator(f"{cell} [role=textbox]").click()
    page.wait_for_selector(f"{cell} .cm-focused")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(code)


def waited(page, begin):
    """Wait until a page lives; return after how many seconds the first widget did, and the last."""
    page.wait_for_selector(ACTIVE, timeout=PATIENCE, state="attached")
    first = time.monotonic() - begin
    page.wait_for_function(ALL, timeout=PATIENCE)
    return {"first_s": round(first, 1), "all_s": round(time.monotonic() - begin, 1)}


def fetched(files):
    """Return how many bytes travelled."""
    return sum(sizes({path for path, code in files.asked if code == 200}, SITE).values())


def show(results):
    """Print what was measured, a line for each."""
    for name, measured in results.items():
        print(f"{name}: {measured}")


if __name__ == "__main__":
    main()

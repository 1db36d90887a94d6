"""Measures pages to read: how soon they show, answer and live by themselves, what they fetch, and what moves.

`make site` builds what is measured. Text travels compressed, as most hosts send it; what is large does so by itself.
"""

import sys

from browser import largest_page, megabytes
from lab import browser
from live import served
from measuring import ROOT, show
from widget import changes

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
ACTIVE, ALL = ".widget-placeholder.is-active", "() => !document.querySelector('.widget-placeholder:not(.is-active)')"
PATIENCE = 120_000  # milliseconds


def main():
    """Measure and print."""
    if not (SITE / "run").exists():
        sys.exit("There are no live notebooks in build/site/run: make site builds them.")
    columns = []
    with browser() as chromium, served(SITE) as files:
        files.packs = True
        for name in (FIRST, LESSON):
            resting, slow = inactive(chromium, files, name), inactive(chromium, files, name, SLOW)
            page = opened(chromium, files, name, BY_ITSELF)
            columns.append({f"{what}, inactive": value for what, value in resting.items()})
            columns[-1] |= {f"{what}, inactive, slow": value for what, value in slow.items()}
            columns[-1] |= {f"{what}, by itself": value for what, value in active(page, files).items()}
            if name == FIRST:
                page.context.close()  # and its Python
        size = largest_page()
        files.asked.clear()
        page.goto(f"{files.url}{NEXT}.html", wait_until="commit")
        following = active(page, files)
        (change,) = changes({NEXT: page}).values()
    first, second = columns
    show(("what", "first page", "lesson 0"), *((what, first[what], second.get(what, "")) for what in first))
    show(("next page of the visit", ""), *following.items(), ("key to picture, p50, ms", change[0]), ("p95", change[1]))
    show(("page with Python in it", ""), ("MB", size))


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
    """Measure a page that nobody touches."""
    page = opened(chromium, files, name, INACTIVE, network)
    page.wait_for_load_state("networkidle")
    found = {"picture, s": page.evaluate(PAINTED), "to be fetched, MB": megabytes(files, SITE)}
    found["shift"] = float(page.evaluate("shift"))
    if name == FIRST:
        found["push to picture, ms"] = page.evaluate(PUSH)
    page.context.close()
    return found


def active(page, files):
    """Wait until all widgets of a page that was just opened live, and measure it."""
    page.wait_for_selector(ACTIVE, timeout=PATIENCE, state="attached")
    first = page.evaluate("performance.now() / 1000")
    page.wait_for_function(ALL, timeout=PATIENCE)
    shift = float(page.evaluate("shift"))
    return {"first board lives, s": first, "to be fetched, MB": megabytes(files, SITE), "shift": shift}

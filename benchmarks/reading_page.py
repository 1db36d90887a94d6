"""Measures a page to read asleep, while it wakes, awake, and the next page, which wakes by itself from the cache.

`make site` builds what is measured.
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
FIRST, NEXT = "03_scaled_scores", "04_softmax"
ANSWERED = ".sleeper[data-cell=explore].awake [data-part=words]"
ALL = "() => document.querySelector('.sleeper') && !document.querySelector('.sleeper:not(.awake)')"
PATIENCE = 60_000  # milliseconds


def main():
    """Measure, print and record."""
    if not (SITE / "run").exists():
        sys.exit("There are no live notebooks in build/site/run: make site builds them.")
    with browser() as chromium, served(SITE) as files:
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        visit = Visit(page, files)
        results = {"asleep": visit.measured(lambda: page.goto(f"{files.url}{FIRST}.html", wait_until="load"))}
        results["waking"] = visit.measured(lambda: wake(page))
        results["its_other_widgets"] = visit.measured(lambda: page.wait_for_function(ALL, timeout=PATIENCE))
        rounds = [[page.evaluate(CHANGE, ["workbench", each]) for each in range(CHANGES)] for _ in range(ROUNDS)]
        results["edit_ms"], results["largest_page_mb"] = summary(rounds), largest_page()
        results["next_page"] = visit.measured(lambda: open_next(page, files.url))
        results["all_of_its_widgets"] = visit.measured(lambda: page.wait_for_function(ALL, timeout=PATIENCE))
    record("reading_page", results)
    show(results)


class Visit:
    """One reader's way, and what is fetched on it."""

    def __init__(self, page, files):
        """Begin with nothing."""
        self._page, self._files = page, files

    def measured(self, act):
        """Return the seconds that something takes, and the compressed megabytes that it fetches."""
        self._files.asked.clear()
        begin = time.monotonic()
        act()
        seconds = time.monotonic() - begin
        sent = sizes({path for path, code in self._files.asked if code == 200}, SITE)
        return {"seconds": round(seconds, 1), "mb": round(sum(sent.values()) / 1e6, 2)}


def wake(page):
    """Touch a board, and wait until it has answered."""
    page.locator(".sleeper[data-cell=explore] table").first.click()
    page.wait_for_selector(ANSWERED, timeout=PATIENCE, state="attached")


def open_next(page, url):
    """Open another lesson, and wait until its first widget is alive."""
    page.goto(f"{url}{NEXT}.html", wait_until="commit")
    page.wait_for_selector(".sleeper.awake", timeout=PATIENCE, state="attached")


def show(results):
    """Print what was measured, as a table."""
    print("| page | seconds | MB |\n|---|---|---|")
    for name in ("asleep", "waking", "its_other_widgets", "next_page", "all_of_its_widgets"):
        print(f"| {name.replace('_', ' ')} | {results[name]['seconds']} | {results[name]['mb']} |")
    print(f"\nedit: {results['edit_ms']}; the page with Python in it: {results['largest_page_mb']} MB")


if __name__ == "__main__":
    main()

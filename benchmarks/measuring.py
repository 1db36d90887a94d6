"""How every benchmark starts, wakes what it measures, repeats and prints."""

import multiprocessing
import os
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
THREADS = 2  # of NumPy and of PyTorch, wherever nothing else is said
FEWEST = 3  # rounds


def start(name, *options):
    """Run a benchmark in a process of its own, with `THREADS` threads and with the tools at hand."""
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(THREADS))
    os.environ["PYTHONUNBUFFERED"] = "yes"
    sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "hub")]
    alone(_run, name, options)


def _run(name, options):
    import_module(name).main(*options)


def alone(function, *arguments):
    """Call a function in a fresh process, and return what it returns."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def turns(calls, seconds, in_a_row=1, rest=0.0):
    """Let the sides take turns; return side -> its median milliseconds, and side -> the first one's time / its time.

    calls: side -> a call without arguments. It counts as one of so many in a row, after as many that wake the side's
    own threads and let those of the side before rest. seconds: for all rounds, of which there are at least `FEWEST`.
    Both results are medians of the rounds.
    """
    for call in calls.values():
        call()
    rounds, end = [], time.perf_counter() + seconds
    while len(rounds) < FEWEST or time.perf_counter() < end:
        rounds.append({side: milliseconds(call, in_a_row, rest) for side, call in calls.items()})
    first = next(iter(calls))
    medians = {side: statistics.median(each[side] for each in rounds) for side in calls}
    return medians, {side: statistics.median(each[first] / each[side] for each in rounds) for side in calls}


def milliseconds(call, in_a_row=1, rest=0.0):
    """Time a call as one of so many in a row: the median, after as many others."""
    time.sleep(rest)
    times = []
    for _ in range(2 * in_a_row):
        begin = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times[in_a_row:])


def p50_p95(values):
    """Return the median and the 95th percentile."""
    return statistics.median(values), statistics.quantiles(values, n=20)[-1]


def show(*rows):
    """Print rows of text and numbers as a table; the first one is its head."""
    lines = [f"| {' | '.join(map(shown, row))} |" for row in rows]
    print("", lines[0], "|---" * len(rows[0]) + "|", *lines[1:], sep="\n")


def shown(value):
    """Write a value for a table: counts in full, what is measured to three digits."""
    if isinstance(value, float):
        return f"{float(f'{value:.3g}'):,.10g}"
    return f"{value:,}" if isinstance(value, int) else str(value)

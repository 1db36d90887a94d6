"""Measures what the checks recognise, and how long they take, on every mistake and many pairs of mistakes."""

import random
import statistics
import sys
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from combinations import combinations, joined, read_table  # noqa: E402
from record import record  # noqa: E402

from mha_course.engine.checking.diagnose import diagnose  # noqa: E402
from mha_course.lessons import CATALOGUE  # noqa: E402

PAIRS = 40  # of each exercise, drawn from all there are


def main():
    """Check all mistakes and the drawn pairs, and print and record what was found."""
    warnings.simplefilter("ignore")  # mistakes divide by 0, too
    inseparable = read_table()
    counts, times = {1: [0, 0, 0], 2: [0, 0, 0]}, []
    for name, exercise in CATALOGUE.exercises.items():
        same = {names for others in inseparable[name].values() for names in others}
        for count, named in counts.items():
            variants = combinations(exercise, count)
            for variant in variants if count == 1 else random.Random(name).sample(variants, min(PAIRS, len(variants))):
                begin = time.perf_counter()
                found = diagnose(exercise, variant.function)
                times.append(1000 * (time.perf_counter() - begin))
                is_named = set(found.mistakes) == set(variant.names)
                named[0] += 1
                named[1] += is_named
                named[2] += is_named or joined(variant.names) in same
        print(f"{name}: done", flush=True)
    (singles, named_singles, _), (pairs, named_pairs, told_pairs) = counts.values()
    results = {
        "singles": singles,
        "single_named": round(named_singles / singles, 4),
        "pairs": pairs,
        "pairs_named": round(named_pairs / pairs, 4),
        "pairs_named_or_inseparable": round(told_pairs / pairs, 4),
        "median_ms": round(statistics.median(times), 1),
        "p95_ms": round(statistics.quantiles(times, n=20)[-1], 1),
        "max_ms": round(max(times), 1),
    }
    record("checks", results)
    print("\n".join(f"{key}: {value}" for key, value in results.items()))


if __name__ == "__main__":
    main()

"""Measures what the checks recognise, and how long they take, on every mistake and many pairs of mistakes."""

import random
import time
import warnings

from combinations import combinations, joined, read_table
from measuring import p50_p95, show

from mha_course.engine.checking.diagnose import diagnose
from mha_course.lessons import CATALOGUE

PAIRS = 40  # of each exercise, drawn from all there are


def main():
    """Check all mistakes and the drawn pairs, and print what was found."""
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
    rows = ((count, of, *found, *(100 * each / of for each in found)) for count, (of, *found) in counts.items())
    show(("mistakes at once", "wrong answers", "named", "or told apart by no inputs", "%", "%"), *rows)
    show(("a check", "median", "p95", "most"), ("ms", *p50_p95(times), max(times)))

"""Measures what docs/measurements.md shows, all of it or what is named: python benchmarks checks grading.

`python benchmarks load` measures a hub, and has options of its own.
"""

import sys

from measuring import start

ALL = ("attention", "training", "widget", "checks", "model", "grading", "browser", "reading_page")

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["load", *options]:
            start("load", *options)
        case named:
            for name in named or ALL:
                start(name)

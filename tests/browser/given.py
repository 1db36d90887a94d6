"""What cells gave in a web page, beside what is stored: of a curve, which another Matplotlib drew, its numbers."""

import json
import re
from urllib.parse import unquote

import numpy as np

# What changes nothing: colours in a traceback, the name by which a picture finds its widget in an open notebook, and
# how many cells ran before.
IDLE = re.compile(r'\\u001b\[[\d;]*m| class=\\"mha-[0-9a-f]{32}\\"|"execution_count": \d+, |In\[\d+\]')
PICTURE = re.compile(r'data:image/svg\+xml,(?:[^"\\]|\\n)*')
WORDS = re.compile(r"<text[^>]*>([^<]+)</text>")
FRAME = re.compile(r'<g id="patch_2">\s*<path d="([^"]*)"')
LINE = re.compile(r'<path d="([^"]*)" clip-path')
NEAR = 1e-6  # of the frame's width or height; the numbers in a picture have six digits after the point


def differing(cells, stored):
    """Return the ids of the cells that gave something else than is stored."""
    pairs = zip(cells, stored, strict=True)
    return [there.id for here, there in pairs if not _same(_given(here), _given(there))]


def _same(here, there):
    is_near = len(here[1]) == len(there[1]) and all(map(_near, here[1], there[1]))
    return here[0] == there[0] and is_near


def _near(here, there):
    return here.shape == there.shape and np.allclose(here, there, rtol=0, atol=NEAR)


def _given(cell):
    """Return all outputs of a cell as text, in which a curve's words stand in its place; and the curves' points."""
    curves = []

    def words(picture):
        svg = unquote(picture[0].replace(r"\n", ""))
        if "matplotlib" not in svg:
            return picture[0]
        curves.extend(_points(svg))
        return str(WORDS.findall(svg))

    return PICTURE.sub(words, IDLE.sub("", json.dumps(cell.get("outputs"), sort_keys=True))), curves


def _points(svg):
    """Return the points of each curve, from 0 to 1 in both directions of the frame: its size hangs on the labels'."""
    corners = _numbers(FRAME.search(svg)[1])
    low, high = corners.min(axis=0), corners.max(axis=0)
    return [(_numbers(path) - low) / (high - low) for path in LINE.findall(svg)]


def _numbers(path):
    return np.array(re.findall(r"-?[\d.]+(?:e-?\d+)?", path), float).reshape(-1, 2)

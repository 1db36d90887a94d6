"""What every lesson's folder holds for its tests, in `proof.py`, which nothing imports but these tests.

RIGHT: for each exercise at least five right answers by other routes than its own: loops, einsum, the course, other
kinds of numbers. WRONG, if there are any: pairs of an exercise and a function that is wrong only where it is hard.
NEVER_NEGATIVE, if there are any: the exercises whose results never have a minus. TRUTHS: the right answer to each
prediction and question, worked out on paper. TRUE_SENTENCES, if a task lists sentences: which of them are true.
"""

import re
from importlib import import_module
from pathlib import Path

from mha_course.lessons import LESSONS, other_ways

PROOFS = [import_module(f"mha_course.lessons.{lesson}.proof") for lesson in LESSONS]
RIGHT = {name: routes for proof in PROOFS for name, routes in proof.RIGHT.items()}
WRONG = [pair for proof in PROOFS for pair in getattr(proof, "WRONG", ())]
NEVER_NEGATIVE = {name for proof in PROOFS for name in getattr(proof, "NEVER_NEGATIVE", ())}
TRUTHS = {name: truth for proof in PROOFS for name, truth in proof.TRUTHS.items()}
TRUE_SENTENCES = {name: keys for proof in PROOFS for name, keys in getattr(proof, "TRUE_SENTENCES", {}).items()}


def source():
    """Return all proofs as a submission could hold them, in one cell that imports no part of the lessons."""
    parts = ["ROUTES = {}", *(f"{_code(proof)}\nROUTES |= RIGHT" for proof in PROOFS), "RIGHT = ROUTES"]
    return "\n".join([_code(other_ways), *parts])


def _code(module):
    text = Path(module.__file__).read_text(encoding="utf-8")
    return re.sub(r"^from mha_course\.lessons\.other_ways import (\([^)]*\)|.*)$", "", text, flags=re.MULTILINE)

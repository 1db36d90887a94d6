"""Tasks of lesson 5: attention by hand, and a wrong entry among its outputs."""

import numpy as np

from mha_course.engine.asking.numbers import Numbers
from mha_course.engine.asking.question import Part, Task
from mha_course.engine.asking.question_text import part, task
from mha_course.engine.course.lesson import exercise_page
from mha_course.engine.course.tasks_from_solutions import mistakes_of, with_one_wrong
from mha_course.engine.pictures.practice import Table
from mha_course.forward.matrices import Kind
from mha_course.pictures.matrix import table

TOKENS = ("green", "tea")
BEFORE_SHARES = Kind("scores", "queries", "keys")  # of tables that the course has no name for
BY_HAND = exercise_page(__package__).solution("weighted_sums.by-hand")
GIVEN = np.array([[1, 2], [0, 1]]), np.array([[1, 0], [1, 1]]), np.array([[4, 0], [1, 3]])


def _given(name: str) -> Table:
    values = dict(zip(BY_HAND.takes.split(), GIVEN, strict=True))[name]
    return table(name, values, TOKENS)


def _table(name: str, kind: Kind | None = None) -> Table:
    """Return a table that comes out on the way, in two decimals."""
    columns = None if name == "output" else TOKENS
    return table(name, BY_HAND.followed(GIVEN)[-1][name], TOKENS, columns, kind, decimals=2)


def _part(
    text: str, table: Table, above: tuple[Table, ...], hint: str, tolerance: float, wrong_in: tuple[str, ...]
) -> Part:
    """Return the part that asks for a table. wrong_in: what the steps make whose mistakes give wrong numbers here."""
    mistakes = mistakes_of(BY_HAND, GIVEN, table.name, wrong_in)
    return part(text, Numbers(table, hint, tolerance, mistakes), *(each.picture() for each in above))


def _by_hand() -> Task:
    products, scores = _table("products", BEFORE_SHARES), _table("scores")
    exponentials, weights, output = _table("exponentials", BEFORE_SHARES), _table("weights"), _table("output")
    return task(
        "weighted_sums.by-hand",
        "Two tokens, all by hand",
        _part(
            "Two tokens, *green* and *tea*, with queries and keys of width 2. Compute the dot product of every query "
            "with every key.",
            products,
            (_given("Q"), _given("K")),
            "A dot product: multiply the two rows in pairs, then add.",
            0.001,
            ("products",),
        ),
        _part(
            "Scale the products. Two decimals are enough, here and from now on.",
            scores,
            (products,),
            "Divide every product by √d_k. How wide is a query?",
            0.011,
            ("scores", "scale"),
        ),
        _part(
            "Compute e to the power of every score. A calculator, or `np.exp` in a cell, may help.",
            exponentials,
            (scores,),
            "e is about 2.718, and e^0 = 1.",
            0.06,
            ("exponentials",),
        ),
        _part(
            "Turn the exponentials into attention weights.",
            weights,
            (exponentials,),
            "Divide every exponential by the sum of its row.",
            0.011,
            ("weights", "axis", "sums"),
        ),
        _part(
            "Last, the output: mix the values with these weights.",
            output,
            (weights, _given("V")),
            "Row 1 of the output is weights[1,1] times row 1 of V, plus weights[1,2] times row 2 of V.",
            0.051,
            ("output",),
        ),
        notice="That is the whole of scaled dot-product attention: heads, masks, layers and training are built around "
        "these five steps.",
    )


MIXING = exercise_page(__package__).solution("weighted_sums.wrong-entry")


def _wrong_entry() -> Task:
    tokens = ("rain", "makes", "tea")
    weights = np.array([[0.5, 0.25, 0.25], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6]])
    values = np.array([[4, 0, 2], [0, 8, 4], [6, 2, 0]])
    find = with_one_wrong(
        MIXING, (weights, values), (table("output", weights, tokens, decimals=2),), "output", (1, 2), "V is transposed."
    )
    which = part(
        "These weights mix these values. One entry of the output is wrong. Which one?",
        find,
        table("weights", weights, tokens, tokens, decimals=2).picture(),
        table("V", values, tokens).picture(),
    )
    return task(
        "weighted_sums.wrong-entry",
        "The wrong output",
        which,
        notice="An entry of the output comes from one row of the weights and one *column* of V.",
    )


TASKS = _by_hand(), _wrong_entry()

"""The way of one row through the attention, stop by stop."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from mha_course.engine.notation.labels import Address
from mha_course.forward.path_matrix import Path
from mha_course.forward.state import State
from mha_course.forward.walkthrough import through_two_matrices as two_matrices
from mha_course.forward.walkthrough import to_outputs as outputs
from mha_course.forward.walkthrough import to_projections as inputs
from mha_course.forward.walkthrough import to_weights as weights
from mha_course.forward.walkthrough.row import Row
from mha_course.forward.walkthrough.stop import Stop

StopMaker = Callable[[Row], Stop | None]


def way(
    state: State,
    path: Path,
    query: int,
    head: int = 0,
    key: int | None = None,
    names: Collection[str] | None = None,
) -> tuple[Stop, ...]:
    """Tell how the row of one query is made: every operation with a sentence and its arithmetic.

    path: what `forward(state)` returned. query, head: whose row, counted from 0. key: the one whose score is
    shown in full, the others with it; if None, the one with the largest weight, because it is what the
    row ends up with mostly. names: the matrices that are shown, as `Stage.names`; all of them if None.
    Where nothing shown is computed there is no stop. What would say nothing is left out, like a scale of 1.
    Errors: `ValueError` if there is no such query, head or key.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> state = preset("article")
    >>> for stop in way(state, forward(state), query=1)[1:4]:
    ...     print(stop.title, "|", stop.arithmetic)
    products | 2·4 = 8; 2·4 = 8; 2·0 = 0
    sum | sum = 8 + 8 + 0 = 16
    scale | scores[2,2] = 16 / √3 = 16 / 1.73205 = 9.2376
    """
    _check("query", query, len(state.tokens))
    _check("head", head, state.num_heads)
    key = strongest_key(path, query, head) if key is None else key
    _check("key", key, len(state.context_tokens or state.tokens))
    computed = {matrix.name for matrix in path.values() if not matrix.is_input}
    row = Row(state, path, query, head, key, frozenset(computed if names is None else computed & set(names)))
    made = [make(row) for make in _makers(row.names)]
    return tuple(stop for stop in made if stop is not None)


def strongest_key(path: Path, query: int, head: int = 0) -> int:
    """Return the key to which a query gives the largest attention weight, of equal ones the first.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> strongest_key(forward(preset("article")), query=1)
    1
    """
    return int(np.argmax(path[f"weights/{head + 1}"].values[query]))


def reached(way: Sequence[Stop], number: int) -> list[Address]:
    """List the entries that stand there once stop `number` is reached, counted from 0: what went in, and what is made.

    An entry that a later stop still works on is not made yet.

    >>> first = Stop("products", "", "", entries=(("Q", 0, 0),), sources=(("X", 0, 0),))
    >>> then = Stop("sum", "", "", entries=(("Q", 0, 0),))
    >>> reached((first, then), 0), reached((first, then), 1)
    ([('X', 0, 0)], [('X', 0, 0), ('Q', 0, 0)])
    """
    ahead = {entry for stop in way[number + 1 :] for entry in stop.entries}
    found = [each for stop in way[: number + 1] for each in (*stop.sources, *stop.entries)]
    return [each for each in dict.fromkeys(found) if each not in ahead]


EXPONENTIALS: list[StopMaker] = [weights.mask, weights.exponents, weights.exponentials]
SCORES: list[StopMaker] = [weights.products, weights.sum_of_products, weights.scale]
WEIGHTS: list[StopMaker] = [*EXPONENTIALS, weights.sum_of_exponentials, weights.weights]


def _makers(names: Collection[str]) -> list[StopMaker]:
    """List what makes the stops of a way that shows these matrices; the longer it is, the more goes into one stop."""
    if "M" in names and "Q" not in names:
        parts: list[StopMaker] = [two_matrices.wide_value, two_matrices.part, two_matrices.total]
        begin: list[StopMaker] = [two_matrices.who, two_matrices.matches, weights.scale]
        return [*begin, *EXPONENTIALS, weights.sum_and_weights, *parts]
    if "Q" not in names:
        waves: list[StopMaker] = [inputs.turns, inputs.angle, inputs.sine, inputs.cosine, inputs.embedding_and_encoding]
        return waves if "positional encoding" in names else []
    if "result" in names:
        return _whole(names)
    if "output" in names:
        return [inputs.projections, *SCORES, *WEIGHTS, outputs.contributions, outputs.sum_of_contributions]
    if "weights" in names:
        return [inputs.query, inputs.keys, *SCORES, *WEIGHTS]
    if "scores" in names:
        return [inputs.query, inputs.keys, *SCORES]
    return [inputs.query_products, inputs.query_sum, inputs.own_key, inputs.own_value]


def _whole(names: Collection[str]) -> list[StopMaker]:
    has_encoding = "positional encoding" in names
    begin: list[StopMaker] = [inputs.embedding_and_encoding] if has_encoding else []
    others: list[StopMaker] = [] if has_encoding else [outputs.other_heads]
    mixed: list[StopMaker] = [outputs.mix, *others, outputs.concatenation, outputs.result]
    return [*begin, inputs.projections, *SCORES, *EXPONENTIALS, weights.sum_and_weights, *mixed]


def _check(name: str, number: int, count: int) -> None:
    if not 0 <= number < count:
        raise ValueError(f"{name} is {number}, but there are {count}, counted from 0.")

"""What stands where on the board: a product stands where its row and its column cross."""

from collections.abc import Container
from dataclasses import replace

from mha_course.pictures.two_matrices import two_matrices
from mha_course.pictures.views import (
    A_LITTLE,
    WIDE,
    Board,
    Crossing,
    Group,
    columns_of_head,
    is_large,
    whole,
    width_of_input,
    width_under_names,
)  # fmt: skip
from mha_course.pipeline.path_matrix import Path

MOST_COLUMNS = 24  # of inputs and parameters of all heads that are shown; else of the heads the open one alone
GAP = 0.8  # what stands between the numbers of two cells, in em


def board(path: Path, names: Container[str], head: int = 0) -> Board:
    """Compose the board of a path.

    names: the matrices to show. head: the query head that is open, counted from 0.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> [view.key for view in board(steps(preset("article")), {"X", "W_Q", "Q", "weights"}).views]
    ['X', 'W_Q', 'Q/1', 'weights/1']
    """
    heads = sum(key.startswith("weights/") for key in path)
    if "M" in names and "Q" not in names:
        return Board(two_matrices(path, head), (), heads, head, is_large(path))
    bands = (
        _encoding(path, names),
        *_projections(path, names, head),
        _attention(path, names, head),
        _concatenation(path, names) if heads > 1 else (),
    )
    has_choice = heads > 1 and "weights" in names
    beside = _beside(path, names, head)
    return Board(tuple(filter(None, bands)), beside, heads if has_choice else 1, head, is_large(path))


def _encoding(path: Path, names: Container[str]) -> tuple[Group, ...]:
    """Show where X comes from: embeddings + positional encoding, which crosses positions and wavelengths."""
    if "embeddings" not in names:
        return ()
    if "embeddings" not in path:  # X is given; where it is projected, it stands there
        return () if "Q" in names else ((Crossing(whole(path, "X", "X", names="rows")),),)
    encoding = whole(path, "positional encoding", "positional encoding", width=WIDE)
    return (
        (Crossing(whole(path, "embeddings", "embeddings", names="rows")),),
        (Crossing(whole(path, "positions", "position"), sign="+"),),
        (Crossing(encoding, above=whole(path, "wavelengths", "wavelengths", width=2 * WIDE + GAP)),),
        (Crossing(whole(path, "X", "X", width=WIDE), sign="="),),
    )


def _projections(path: Path, names: Container[str], head: int) -> list[tuple[Group, ...]]:
    """Show X, and where it crosses the parameters: Q, K and V; with a context, K and V stand in a band of their own."""
    wanted = [name for name in "QKV" if name in names]
    matrices = ["X", "context", *(f"W_{name}" for name in wanted)]
    columns = sum(path[name].values.shape[1] for name in matrices if name in path)
    groups = {
        name: tuple(_projection(path, name, each) for each in _heads_of(path, name, head, columns > MOST_COLUMNS))
        for name in wanted
    }
    if not wanted:
        return []
    X = (Crossing(whole(path, "X", "X", width=width_of_input(path), names="rows")),)
    if "context" not in path:
        return [(X, *groups.values())]
    context = (Crossing(whole(path, "context", "context", names="rows")),)
    return [(X, groups.pop("Q")), (context, *groups.values())]


def _heads_of(path: Path, name: str, head: int, only_open: bool) -> list[int]:
    """List the heads of Q, K or V whose columns are shown: all, or the open one."""
    count = sum(step.name == name for step in path.values())
    return [_own_head(path, name, head)] if only_open else list(range(count))


def _own_head(path: Path, name: str, head: int) -> int:
    """Return the head of Q, K or V with which a query head looks; all count from 0."""
    return head if name == "Q" else path[f"weights/{head + 1}"].key_head or 0


def _projection(path: Path, name: str, head: int) -> Crossing:
    """Cross the columns of one head with the tokens' rows."""
    key = f"{name}/{head + 1}"
    note = f"head {head + 1}" if f"{name}/2" in path else ""
    source = "context" if name != "Q" and "context" in path else "X"
    width = width_of_input(path)
    above = columns_of_head(path, f"W_{name}", head, note, width)
    return Crossing(whole(path, key, name, note or f"{source}·W_{name}", width), above)


def _attention(path: Path, names: Container[str], head: int) -> tuple[Group, ...]:
    """Show the way of the open head from its queries to its output."""
    Q, scores, weights, output = (f"{name}/{head + 1}" for name in ("Q", "scores", "weights", "output"))
    K, V = (f"{name}/{_own_head(path, name, head) + 1}" for name in "KV")
    has_many = is_large(path)
    has_crossing = not has_many and "contributions" not in names  # else there is no room for Q and K a second time
    width = WIDE if has_many else width_under_names(path[scores].columns or ())
    left = "rows columns" if has_many else "columns"
    groups: list[Group] = []
    if "scores" in names:
        if has_crossing:
            of_head = f"head {head + 1}" if "Q/2" in path else ""
            groups.append((Crossing(whole(path, Q, "Q", of_head, width_of_input(path), names="rows")),))
        turned = whole(path, K, "Kᵀ", "keys as columns", width, turned=True)
        named = "columns" if has_crossing else "rows columns"
        below = whole(path, scores, "scores", "Q·Kᵀ / scale", width, names=named)
        groups.append((Crossing(below, turned if has_crossing else None),))
        groups += [(Crossing(drawing="looks"),)] if has_many and "weights" in names else []
    if "weights" in names:
        below = whole(path, weights, "weights", "softmax of each row", width, names=left)
        groups.append((Crossing(below, sign="→" if groups else "", drawing="" if has_many else "looks"),))
    if "output" in names:
        below = whole(path, output, "output", "weights·V", WIDE)
        groups.append((Crossing(below, None if has_many else whole(path, V, "V", "", WIDE)),))
    if "contributions" in names:
        step = path[f"contributions/{head + 1}"]
        note = f"to {path['X'].rows[step.query]}" if path["X"].rows and step.query is not None else ""
        groups.append((Crossing(whole(path, step.key, "contributions", note, WIDE)),))
    return tuple(groups)


def _concatenation(path: Path, names: Container[str]) -> tuple[Group, ...]:
    """Show the heads' outputs side by side, times W_O."""
    if "result" not in names:
        return ()
    return (
        _side_by_side(path),
        (Crossing(whole(path, "W_O", "W_O", "", width_of_input(path)), sign="·"),),
        (Crossing(whole(path, "result", "result", "", WIDE), sign="="),),
    )


def _side_by_side(path: Path) -> Group:
    """Show the concatenation, the columns of each head for themselves; a long one in one piece."""
    view = whole(path, "concatenation", "concatenation", "of all heads", WIDE, names="rows")
    if None in view.columns:
        return (Crossing(view),)
    view = replace(view, width=WIDE + 2 * A_LITTLE)
    size = path["output/1"].values.shape[1]
    parts = [view.columns[first : first + size] for first in range(0, len(view.columns), size)]
    views = [replace(view, note=f"head {head}", columns=part) for head, part in enumerate(parts, start=1)]
    return (Crossing(views[0]), *(Crossing(replace(each, names_rows=False)) for each in views[1:]))


def _beside(path: Path, names: Container[str], head: int) -> Group:
    """Show the plane, and the result, if it is made of a single output."""
    found: list[Crossing] = []
    if "scores" in names and "weights" not in names and path["Q/1"].values.shape[1] > 1:
        found.append(Crossing(drawing="arrows"))
    if "contributions" in names and path["V/1"].values.shape[1] > 1:
        found.append(Crossing(drawing="mixes"))
    if "result" in names and "weights/2" not in path:
        above = whole(path, "W_O", "W_O", "", WIDE)
        found.append(Crossing(whole(path, "result", "result", "output·W_O", WIDE), above))
    return tuple(found)

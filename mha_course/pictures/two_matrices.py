"""A head as two matrices on the board, each where its factors cross, and what every head adds."""

from dataclasses import replace

from mha_course.forward.path_matrix import Path
from mha_course.pictures.views import (
    WIDE,
    Crossing,
    Group,
    columns_of_head,
    cut,
    is_large,
    whole,
    width_of_input,
    width_under_names,
)  # fmt: skip

MOST_PARTS = 3  # heads whose parts are all shown
A_LITTLE = 0.3  # more room for a title, in em


def two_matrices(path: Path, head: int) -> tuple[tuple[Group, ...], ...]:
    """Compose the bands. head: the query head that is open, counted from 0.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> bands = two_matrices(forward(preset("article")), head=0)
    >>> [view.title for view in bands[0][0][1].views]
    ['W_Kᵀ', 'M', 'queries']
    """
    matches, weights = _weights(path, head)
    return (*_products(path, head), matches), (weights, *_sum_of_parts(path, head))


def _products(path: Path, head: int) -> tuple[Group, ...]:
    """Cross W_Q and W_K in M, W_V and W_O in what is carried; and both with the tokens' rows below."""
    width, source = width_of_input(path), _answering(path)
    key_head = path[f"weights/{head + 1}"].key_head or 0
    note = f"head {head + 1}" if "part/2" in path else ""
    d_v = path[f"V/{key_head + 1}"].values.shape[1]
    rows = tuple(None if r is None else head * d_v + r for r in cut(d_v))
    W_K = columns_of_head(path, "W_K", key_head, "", width)
    who = Crossing(
        whole(path, f"queries/{head + 1}", "queries", "X·M", width),
        above=whole(path, f"M/{head + 1}", "M", "W_Q·W_Kᵀ", width),
        top=replace(W_K, title="W_Kᵀ", is_turned=True),
    )
    width += A_LITTLE
    what = Crossing(
        whole(path, f"values/{head + 1}", "values", f"{source}·carried", width),
        above=whole(path, f"carried/{head + 1}", "carried", "W_V·W_O", width),
        top=replace(whole(path, "W_O", "W_O", note, width), rows=rows),
    )
    if source == "X":  # its rows stand there already
        W_V = Crossing(columns_of_head(path, "W_V", key_head, "", width_of_input(path)), lifted=len(path["X"].values))
        carries = W_V, what
    else:
        carries = _rows(path, source, "W_V", key_head, note), what
    return (_rows(path, "X", "W_Q", head, note), who), carries


def _rows(path: Path, source: str, parameter: str, head: int, note: str) -> Crossing:
    """Set the left factor above the tokens' rows: each row of the first is one of the second's columns."""
    width = width_of_input(path)
    above = columns_of_head(path, parameter, head, "", width)
    return Crossing(whole(path, source, source, width=width, names="rows"), above)


def _weights(path: Path, head: int) -> tuple[Group, Group]:
    """Show how the head's queries meet the tokens' rows, and become weights."""
    matches, weights = (f"{name}/{head + 1}" for name in ("matches", "weights"))
    width = WIDE if is_large(path) else width_under_names(path[weights].columns or ())
    below = whole(path, matches, "matches", f"queries·{_answering(path)}ᵀ", width, names="columns")
    after = whole(path, weights, "weights", "softmax", width, names="rows columns")
    return (Crossing(below),), (Crossing(after),)


def _sum_of_parts(path: Path, head: int) -> tuple[Group, ...]:
    """Show what the heads add, and the sum; of many heads the open one."""
    heads = [key for key in path if key.startswith("part/")]
    some = heads if len(heads) <= MOST_PARTS else [heads[head]]
    parts = [whole(path, key, f"head {key.partition('/')[2]} adds", "", WIDE) for key in some]
    parts[0] = replace(parts[0], note="weights·values")
    total = whole(path, "total", "total", "what the layer gives", WIDE)
    signs = ["", *["+"] * (len(parts) - 1)]
    return (
        *((Crossing(view, sign=sign),) for view, sign in zip(parts, signs, strict=True)),
        (Crossing(total, sign="=" if some == heads else "+ … ="),),
    )


def _answering(path: Path) -> str:
    return "context" if "context" in path else "X"

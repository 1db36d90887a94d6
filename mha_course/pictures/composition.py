"""What stands where on the board: who looks at whom on top, below it one row for each word, from left to right."""

from collections.abc import Container
from dataclasses import replace

from mha_course.forward.path_matrix import Path
from mha_course.pictures.heat_map import HEAT_FROM
from mha_course.pictures.sentence import MOST
from mha_course.pictures.two_matrices import two_matrices
from mha_course.pictures.views import (
    HEAT,
    NARROW,
    SENTENCE,
    WIDE,
    Board,
    Crossing,
    Group,
    View,
    columns_of_head,
    is_large,
    whole,
    width_of_input,
    width_under_names,
)  # fmt: skip

ATTENTION = ("scores", "weights", "contributions", "output", "result")
GAP = 0.8  # what stands between the numbers of two cells, in em
BESIDE_A_DRAWING = 40  # letters' heights that matrices may take where a drawing stands beside them


def board(path: Path, names: Container[str], head: int = 0) -> Board:
    """Compose the board of a path.

    names: the matrices to show. head: the query head that is open, counted from 0.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> [view.key for view in board(forward(preset("article")), {"X", "W_Q", "Q", "weights"}).views]
    ['X', 'W_Q', 'Q/1', 'weights/1']
    """
    heads, is_dense = sum(key.startswith("weights/") for key in path), is_large(path)
    if "M" in names and "Q" not in names:
        return Board(two_matrices(path, head), (), _picture(path, names), heads, head, is_dense)
    folds = "contributions" in names and "result" not in names  # where they are the question
    wanted = [name for name in ATTENTION if name in names]
    hidden = ["scores"] if folds else ["scores", "weights"] if is_dense and "result" in names else []
    ways = _attention(path, [name for name in wanted if name not in hidden], head)
    bands = (
        _encoding(path, names),
        *_of_the_words(path, names, head, folds, ways),
        _concatenation(path, names) if heads > 1 else (),
    )
    has_choice = heads > 1 and "weights" in names
    folded = _ingredients(path, head) if folds else (*_attention(path, hidden, head), *_after_one_head(path, names))
    return Board(tuple(filter(None, bands)), folded, _picture(path, names), heads if has_choice else 1, head, is_dense)


def _picture(path: Path, names: Container[str]) -> tuple[str, ...]:
    """Show who looks at whom over the sentence itself; of many words as a map, too, of very many as a map alone.

    Of several heads there are maps to choose from. Beside it stands what the values mix to.
    """
    if "weights" not in names:
        return ()
    most = max(path["weights/1"].values.shape)
    has_map = most > MOST or (most >= HEAT_FROM and "weights/2" not in path)
    shown = [*([SENTENCE] if most <= MOST else []), *([HEAT] if has_map else [])]
    has_mixes = "contributions" in names and path["V/1"].values.shape[1] > 1
    return (*shown, *(["mixes"] if has_mixes else []))


def _encoding(path: Path, names: Container[str]) -> tuple[Group, ...]:
    """Show where X comes from: embeddings + positional encoding, which crosses positions and wavelengths.

    Where X is projected, it stands there.
    """
    if "embeddings" not in names:
        return ()
    if "embeddings" not in path:
        return () if "Q" in names else ((Crossing(whole(path, "X", "X", names="rows")),),)
    encoding = whole(path, "positional encoding", "positional encoding", width=WIDE)
    return (
        (Crossing(whole(path, "embeddings", "embeddings", names="rows")),),
        (Crossing(whole(path, "positions", "position"), sign="+"),),
        (Crossing(encoding, above=whole(path, "wavelengths", "wavelengths", width=2 * WIDE + GAP)),),
        *(() if "Q" in names else ((Crossing(whole(path, "X", "X", width=WIDE), sign="="),),)),
    )


def _of_the_words(
    path: Path, names: Container[str], head: int, folds: bool, ways: tuple[Group, ...]
) -> list[tuple[Group, ...]]:
    """Show X, Q, K and V of the open head, each below its parameters, and the way on, all with one row for each word.

    With a context, these stand beside each other, and the way on below them. folds: whether the values alone are
    shown. ways: from the scores on.
    """
    wanted = [name for name in "QKV" if name in names]
    groups: dict[str, Group] = {name: (_projection(path, name, head),) for name in wanted}
    has_arrows = "scores" in names and "weights" not in names and path["Q/1"].values.shape[1] > 1
    drawn: list[Group] = [(Crossing(drawing="arrows"),)] if has_arrows else []
    if not wanted:
        return [each for each in (tuple(drawn), ways) if each]
    is_sum = "embeddings" in names and "embeddings" in path
    source = _rows(path, "context" if "context" in path else "X", "embeddings + encoding" if is_sum else "")
    if folds:
        return _beside((source, groups["V"], *ways), drawn)
    if "context" not in path:
        return _beside((source, *groups.values(), *ways), drawn)
    asking = (_rows(path, "X"), groups.pop("Q")) if "Q" in groups else ()
    named = map(_with_names, ways[:1])
    return [(*asking, source, *groups.values()), *_beside((*named, *ways[1:]), drawn)]


def _with_names(group: Group) -> Group:
    """Show the names of the rows, where nothing to the left has them."""
    return tuple(replace(each, at=each.at and replace(each.at, names_rows=True)) for each in group)


def _beside(groups: tuple[Group, ...], drawn: list[Group]) -> list[tuple[Group, ...]]:
    """Set drawings beside matrices, or below them where these are wide."""
    views = [each.at for group in groups for each in group if each.at]
    width = sum(len(view.columns) * (view.width + GAP) for view in views)
    return [(*groups, *drawn)] if width <= BESIDE_A_DRAWING or not drawn else [groups, tuple(drawn)]


def _rows(path: Path, name: str, note: str = "") -> Group:
    """Show X or the context, with the names of its tokens."""
    width = width_of_input(path) if name == "X" else NARROW
    return (Crossing(whole(path, name, name, note, width, names="rows")),)


def _own_head(path: Path, name: str, head: int) -> int:
    """Return the head of Q, K or V with which a query head looks; all count from 0."""
    return head if name == "Q" else path[f"weights/{head + 1}"].key_head or 0


def _projection(path: Path, name: str, query_head: int) -> Crossing:
    """Cross the columns of one head with the tokens' rows."""
    head = _own_head(path, name, query_head)
    note = f"head {head + 1}" if f"{name}/2" in path else ""
    source = "context" if name != "Q" and "context" in path else "X"
    width = width_of_input(path)
    above = columns_of_head(path, f"W_{name}", head, "", width)
    return Crossing(whole(path, f"{name}/{head + 1}", name, note or f"{source}·W_{name}", width), above)


def _ingredients(path: Path, head: int) -> tuple[Group, ...]:
    """Show what the weights are made of."""
    before = [_rows(path, "X")] if "context" in path else []
    Q, K = ((_projection(path, name, head),) for name in "QK")
    return (*before, Q if before else _with_names(Q), K, (Crossing(_scores(path, head), sign="→"),))


def _after_one_head(path: Path, names: Container[str]) -> tuple[Group, ...]:
    """Show what W_O makes of the output of a single head."""
    if "result" not in names or "weights/2" in path:
        return ()
    result = whole(path, "result", "result", "output·W_O", WIDE, names="rows")
    return ((Crossing(result, whole(path, "W_O", "W_O", "", WIDE)),),)


def _scores(path: Path, head: int) -> View:
    note = f"head {head + 1}" if "weights/2" in path else "Q·Kᵀ / scale"
    return whole(path, f"scores/{head + 1}", "scores", note, _width_of_shares(path), names="columns")


def _width_of_shares(path: Path) -> float:
    return WIDE if is_large(path) else width_under_names(path["scores/1"].columns or ())


def _attention(path: Path, names: Container[str], head: int) -> tuple[Group, ...]:
    """Show the way of the open head from its scores to its output; of several heads the outputs stand below."""
    has_heads, views = "weights/2" in path, list[View]()
    if "scores" in names:
        views.append(_scores(path, head))
    if "weights" in names:
        note, named = f"head {head + 1}" if has_heads else "softmax", "columns"
        views.append(whole(path, f"weights/{head + 1}", "weights", note, _width_of_shares(path), names=named))
    if "contributions" in names:
        matrix = path[f"contributions/{head + 1}"]
        note = f"to {path['X'].rows[matrix.query]}" if path["X"].rows and matrix.query is not None else ""
        views.append(whole(path, matrix.key, "contributions", note, WIDE))
    if "output" in names and not (has_heads and "result" in names):
        views.append(whole(path, f"output/{head + 1}", "output", "weights·V", WIDE))
    if not views:
        return ()
    return tuple((Crossing(each),) for each in views)


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
    """Show the concatenation, the output of each head for itself; a long one in one piece."""
    view = whole(path, "concatenation", "concatenation", "of all heads", WIDE, names="rows")
    if None in view.columns:
        return (Crossing(view),)
    size = path["output/1"].values.shape[1]
    parts = [view.columns[first : first + size] for first in range(0, len(view.columns), size)]
    views = [replace(view, title=f"head {head}", note="", columns=part) for head, part in enumerate(parts, 1)]
    views[0] = replace(views[0], title="concatenation", note="head 1")
    return (Crossing(views[0]), *(Crossing(replace(each, names_rows=False)) for each in views[1:]))

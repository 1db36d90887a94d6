"""What stands where on the board: a product stands where its row and its column cross."""

from collections.abc import Container
from dataclasses import dataclass, replace
from itertools import product

from mha_course.pictures.matrix import Place, shown
from mha_course.pipeline.step import Path

MOST_COLUMNS = 18  # of the parameters of all heads that are shown; else those of the open head alone
MOST_TOKENS = 6  # for which Q and V are shown a second time, where they cross
LONG, FIRST = 8, 2  # from how many entries on a side is cut, and how many are shown with its last one
NARROW, WIDE, LETTER = 1.5, 2.9, 0.48  # widths, in letters' heights: a cell for whole numbers, for decimals; a letter
GAP = 0.8  # what stands between the numbers of two cells, in em
LONGEST = 11  # letters of a token that widen the columns that it names
Positions = tuple[int | None, ...]  # counted from 0; None stands for those left out


@dataclass(frozen=True)
class View:
    """A matrix as it stands on the board.

    title, note: what stands above it. rows, columns: those that are shown. width: of its cells, in em.
    is_turned: whether its rows stand as columns. names_rows, names_columns: whether the tokens are written
    beside it and above it.
    """

    key: str
    title: str
    rows: Positions
    columns: Positions
    note: str = ""
    width: float = NARROW
    is_turned: bool = False
    names_rows: bool = False
    names_columns: bool = False

    @property
    def places(self) -> list[Place]:
        """The (row, column) pairs of the entries that are shown."""
        return [(r, c) for r, c in product(self.rows, self.columns) if r is not None and c is not None]


@dataclass(frozen=True)
class Crossing:
    """A matrix, and above it the one whose columns cross the rows to its left; or a drawing alone.

    sign: how the board goes on from what stands to the left. drawing: what stands above in place of a matrix.
    """

    at: View | None = None
    above: View | None = None
    sign: str = ""
    drawing: str = ""


Group = tuple[Crossing, ...]  # what belongs closely together, like the heads of one projection


@dataclass(frozen=True)
class Board:
    """What stands where: bands from top to bottom, of groups from left to right; at least one.

    beside: what stands at the right of the first. heads: how many there are to choose from. head: the open one,
    from 0. is_dense: whether there is much to show, and the lines stand close together.
    """

    bands: tuple[tuple[Group, ...], ...]
    beside: Group = ()
    heads: int = 1
    head: int = 0
    is_dense: bool = False

    @property
    def views(self) -> list[View]:
        """Every view, in the order in which they are read."""
        first, *others = ([each for group in band for each in group] for band in self.bands)
        crossings = [*first, *self.beside, *(each for band in others for each in band)]
        return [view for each in crossings for view in (each.above, each.at) if view is not None]

    @property
    def drawings(self) -> list[str]:
        """The names of all drawings."""
        groups = [group for band in self.bands for group in band] + [self.beside]
        return [each.drawing for group in groups for each in group if each.drawing]

    @property
    def miniatures(self) -> list[str]:
        """The keys of the weights of all heads, if there are several to choose from."""
        return [f"weights/{head + 1}" for head in range(self.heads)] if self.heads > 1 else []

    def places(self, path: Path) -> dict[str, list[Place]]:
        """Return key -> the entries that are on the board, those in miniature included."""
        small = [whole(path, key, "") for key in self.miniatures]
        found: dict[str, dict[Place, None]] = {}
        for view in (*self.views, *small):
            found.setdefault(view.key, {}).update(dict.fromkeys(view.places))
        return {key: list(places) for key, places in found.items()}


def board(path: Path, names: Container[str], head: int = 0) -> Board:
    """Compose the board of a path.

    names: the matrices to show. head: the query head that is open, counted from 0.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> [view.key for view in board(steps(preset("article")), {"X", "W_Q", "Q", "weights"}).views]
    ['X', 'W_Q', 'Q/1', 'weights/1']
    """
    heads = sum(key.startswith("weights/") for key in path)
    bands = (
        _encoding(path, names),
        *_projections(path, names, head),
        _attention(path, names, head),
        _concatenation(path, names) if heads > 1 else (),
    )
    has_choice = heads > 1 and "weights" in names
    beside = _beside(path, names, head)
    return Board(tuple(filter(None, bands)), beside, heads if has_choice else 1, head, _is_large(path))


def whole(
    path: Path, key: str, title: str, note: str = "", width: float = NARROW, *, turned: bool = False, names: str = ""
) -> View:
    """View a whole matrix; of long axes that count no tokens, some. names: "rows", "columns" or both."""
    step = path[key]
    rows, columns = (
        _cut(size) if labels is None else tuple(range(size))
        for size, labels in zip(step.values.shape, (step.rows, step.columns), strict=True)
    )
    return View(key, title, rows, columns, note, width, turned, "rows" in names, "columns" in names)


def _cut(size: int) -> Positions:
    return shown(size, FIRST, LONG)


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
    columns = sum(path[f"W_{name}"].values.shape[1] for name in wanted)
    groups = {
        name: tuple(_projection(path, name, each) for each in _heads_of(path, name, head, columns > MOST_COLUMNS))
        for name in wanted
    }
    if not wanted:
        return []
    X = (Crossing(whole(path, "X", "X", width=_width_of_input(path), names="rows")),)
    if "context" not in path:
        return [(X, *groups.values())]
    context = (Crossing(whole(path, "context", "context", names="rows")),)
    return [(X, groups.pop("Q")), (context, *groups.values())]


def _width_of_input(path: Path) -> float:
    """Return the width of a cell of X: where X is computed, or drawn because it is large, it has decimals."""
    return NARROW if path["X"].is_input and None not in _cut(path["X"].values.shape[1]) else WIDE


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
    size = path[key].values.shape[1]
    note = f"head {head + 1}" if f"{name}/2" in path else ""
    source = "context" if name != "Q" and "context" in path else "X"
    width = _width_of_input(path)
    columns = tuple(None if c is None else head * size + c for c in _cut(size))
    above = replace(whole(path, f"W_{name}", f"W_{name}", note, width), columns=columns)
    return Crossing(whole(path, key, name, note or f"{source}·W_{name}", width), above)


def _attention(path: Path, names: Container[str], head: int) -> tuple[Group, ...]:
    """Show the way of the open head from its queries to its output."""
    Q, scores, weights, output = (f"{name}/{head + 1}" for name in ("Q", "scores", "weights", "output"))
    K, V = (f"{name}/{_own_head(path, name, head) + 1}" for name in "KV")
    is_large = _is_large(path)
    width = WIDE if is_large else _width_under_names(path[scores].columns or ())
    left = "rows columns" if is_large else "columns"
    groups: list[Group] = []
    if "scores" in names:
        if not is_large:
            of_head = f"head {head + 1}" if "Q/2" in path else ""
            groups.append((Crossing(whole(path, Q, "Q", of_head, _width_of_input(path), names="rows")),))
        turned = whole(path, K, "Kᵀ", "keys as columns", width, turned=True)
        below = whole(path, scores, "scores", "Q·Kᵀ / scale", width, names=left)
        groups.append((Crossing(below, None if is_large else turned),))
        groups += [(Crossing(drawing="looks"),)] if is_large and "weights" in names else []
    if "weights" in names:
        below = whole(path, weights, "weights", "softmax of each row", width, names=left)
        groups.append((Crossing(below, sign="→" if groups else "", drawing="" if is_large else "looks"),))
    if "output" in names:
        below = whole(path, output, "output", "weights·V", WIDE)
        groups.append((Crossing(below, None if is_large else whole(path, V, "V", "", WIDE)),))
    return tuple(groups)


def _is_large(path: Path) -> bool:
    return max(path["weights/1"].values.shape) > MOST_TOKENS


def _width_under_names(tokens: tuple[str, ...]) -> float:
    """Return the width of cells below the names of tokens."""
    return max(WIDE, round(LETTER * min(max(map(len, tokens)), LONGEST), 1))


def _concatenation(path: Path, names: Container[str]) -> tuple[Group, ...]:
    """Show the heads' outputs side by side, times W_O."""
    if "result" not in names:
        return ()
    side_by_side = whole(path, "concatenation", "concatenation", "of all heads", WIDE, names="rows")
    return (
        (Crossing(side_by_side),),
        (Crossing(whole(path, "W_O", "W_O", "", _width_of_input(path)), sign="·"),),
        (Crossing(whole(path, "result", "result", "", WIDE), sign="="),),
    )


def _beside(path: Path, names: Container[str], head: int) -> Group:
    """Show the plane, what one query takes from each token, and the result, if it is made of a single output."""
    found: list[Crossing] = []
    if "scores" in names and "weights" not in names and path["Q/1"].values.shape[1] > 1:
        found.append(Crossing(drawing="arrows"))
    if "contributions" in names and path["V/1"].values.shape[1] > 1:
        found.append(Crossing(drawing="mixes"))
    if "contributions" in names:
        step = path[f"contributions/{head + 1}"]
        note = f"to {path['X'].rows[step.query]}" if path["X"].rows and step.query is not None else ""
        found.append(Crossing(whole(path, step.key, "contributions", note, WIDE)))
    if "result" in names and "weights/2" not in path:
        above = whole(path, "W_O", "W_O", "", WIDE)
        found.append(Crossing(whole(path, "result", "result", "output·W_O", WIDE), above))
    return tuple(found)

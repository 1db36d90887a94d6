"""What can stand on the board: views of matrices, crossings of them, and how wide their cells are."""

from dataclasses import dataclass, replace
from itertools import product

from mha_course.engine.pictures.number_table import Place, shown
from mha_course.forward.path_matrix import Path

MOST_TOKENS = 6  # from more on there is so much to show that every curve would be one too many
LONG, FIRST = 8, 2  # from how many entries on a side is cut, and how many are shown with its last one
NARROW, WIDE, LETTER = 1.07, 2.36, 0.37  # widths, in letters' heights: a cell for whole numbers, for decimals; a letter
SENTENCE, HEAT = "sentence", "heat map"  # drawings of who looks at whom
LONGEST = 7  # letters of a token that widen the columns that it names
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
    """A matrix, and above it the one whose columns cross the rows to its left; or a drawing alone, by its name.

    top: what stands above both, where the one above is itself a product. sign: how the board goes on from what
    stands to the left. lifted: the rows that stand to its left, and above which it begins.
    """

    at: View | None = None
    above: View | None = None
    top: View | None = None
    sign: str = ""
    lifted: int = 0
    drawing: str = ""

    @property
    def views(self) -> list[View]:
        """Its matrices from top to bottom."""
        return [view for view in (self.top, self.above, self.at) if view is not None]


Group = tuple[Crossing, ...]  # what belongs closely together, like the heads of one projection


@dataclass(frozen=True)
class Board:
    """What stands where: bands from top to bottom, of groups from left to right; at least one.

    folded: what the question of the board does not need, in a fold below it. picture: the names of the drawings on
    top. heads: how many there are to choose from. head: the open one, from 0. is_dense: whether there is much to show.
    """

    bands: tuple[tuple[Group, ...], ...]
    folded: tuple[Group, ...] = ()
    picture: tuple[str, ...] = ()
    heads: int = 1
    head: int = 0
    is_dense: bool = False

    @property
    def crossings(self) -> list[Crossing]:
        """Every crossing, in the order in which they are read."""
        return [each for band in (*self.bands, self.folded) for group in band for each in group]

    @property
    def views(self) -> list[View]:
        """Every view, in the order in which they are read."""
        return [view for each in self.crossings for view in each.views]

    @property
    def drawings(self) -> list[str]:
        """The names of all drawings, but for the small sentences."""
        return [*self.picture, *(each.drawing for each in self.crossings if each.drawing)]

    @property
    def has_sentence(self) -> bool:
        """Whether it shows who looks at whom over the sentence."""
        return SENTENCE in self.picture

    @property
    def small_sentences(self) -> dict[int, str]:
        """The heads beside the open one -> the names of their drawings; none where there is too much to show."""
        if self.heads == 1 or self.is_dense:
            return {}
        return {head: f"{SENTENCE}/{head + 1}" for head in range(self.heads) if head != self.head}

    @property
    def miniatures(self) -> list[str]:
        """The keys of the weights that are shown in miniature: of a large board, those of all heads."""
        if not self.is_dense:
            return []
        if self.heads > 1:
            return [f"weights/{head + 1}" for head in range(self.heads)]
        return [view.key for view in self.views if view.key.startswith("weights/")]

    def places(self, path: Path) -> dict[str, list[Place]]:
        """Return key -> the entries that are on the board, those in miniature included."""
        small = [whole(path, key, "") for key in self.miniatures]
        found: dict[str, dict[Place, None]] = {}
        for view in (*self.views, *small):
            found.setdefault(view.key, {}).update(dict.fromkeys(view.places))
        return {key: list(places) for key, places in found.items()}


def whole(
    path: Path, key: str, title: str, note: str = "", width: float = NARROW, *, turned: bool = False, names: str = ""
) -> View:
    """View a whole matrix; of long axes that count no tokens, some. names: "rows", "columns" or both."""
    matrix = path[key]
    rows, columns = (
        cut(size) if labels is None else tuple(range(size))
        for size, labels in zip(matrix.values.shape, (matrix.rows, matrix.columns), strict=True)
    )
    return View(key, title, rows, columns, note, width, turned, "rows" in names, "columns" in names)


def cut(size: int) -> Positions:
    """List the positions of an axis that are shown; None stands for those left out of a long one."""
    return shown(size, FIRST, LONG)


def columns_of_head(path: Path, parameter: str, head: int, note: str, width: float) -> View:
    """View the columns of W_Q, W_K or W_V that belong to one of its heads, which count from 0, and say which."""
    size = path[f"{parameter.removeprefix('W_')}/{head + 1}"].values.shape[1]
    columns = tuple(None if c is None else head * size + c for c in cut(size))
    has_many = path[parameter].values.shape[1] > size
    note = note or (f"{head * size + 1}–{(head + 1) * size}" if has_many else "")
    return replace(whole(path, parameter, parameter, note, width), columns=columns)


def width_of_input(path: Path) -> float:
    """Return the width of a cell of X: where X is computed, or drawn because it is large, it has decimals."""
    return NARROW if path["X"].is_input and None not in cut(path["X"].values.shape[1]) else WIDE


def is_large(path: Path) -> bool:
    """Whether there are many tokens."""
    return max(path["weights/1"].values.shape) > MOST_TOKENS


def width_under_names(tokens: tuple[str, ...]) -> float:
    """Return the width of cells below the names of tokens."""
    return max(WIDE, round(LETTER * min(max(map(len, tokens)), LONGEST), 1))

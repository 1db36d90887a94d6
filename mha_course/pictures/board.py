"""Draws the board of one attention: the tables and drawings of a composition, each in its place."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mha_course.engine.notation.digits import DECIMALS, decimals_needed
from mha_course.engine.notation.labels import address
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.number_table import Place, Positions, shown
from mha_course.engine.pictures.picture import Picture
from mha_course.forward.mask_choices import may_attend
from mha_course.forward.matrices import MATRICES
from mha_course.forward.meaning import Part, in_words, meaning
from mha_course.forward.path_matrix import Path, PathMatrix
from mha_course.pictures import board_markup
from mha_course.pictures.composition import board
from mha_course.pictures.drawing_options import DrawingOptions, drawings
from mha_course.pictures.matrix import entries, matrix
from mha_course.pictures.views import SENTENCE, Board, Crossing, Group, View
from mha_course.pictures.who_looks import said_strongly

BRIEF = 2  # decimals of what is computed, if it needs so many; the arithmetic of an entry has more
ONE_OF = {
    "tokens": "token", "queries": "query", "keys": "key", "values": "value", "scores": "score", "weights": "weight",
}  # fmt: skip
Written = Mapping[str, Mapping[Place, tuple[str, str]]]  # key -> place -> text and background


@dataclass(frozen=True)
class Ready:
    """What stands ready to be set in its place: the matrices, their entries as written, the drawings by name.

    chosen: the word that looks, if one is chosen. said: what it asks for and finds. is_live: whether it is under the
    hand, which then brings heads to the front and chooses words.
    """

    path: Path
    texts: Written
    drawings: Mapping[str, str]
    chosen: int | None
    said: Sequence[Part]
    is_live: bool


def whole_path(path: Path, names: Container[str] = tuple(MATRICES), head: int = 0) -> Picture:
    """Draw the matrices of a path, each product where its row and its column cross.

    path: what `forward` returned. names: the matrices to draw. head: the query head that is shown, from 0.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> whole_path(forward(preset("article")), names=("X", "Q")).text.splitlines()[0]
    'X (3 × 4): tokens down, d_model across'
    """
    composed = board(path, names, head)
    texts = {key: write(path[key], places) for key, places in composed.places(path).items()}
    options = DrawingOptions()
    pictures = {name: drawing.picture.html for name, drawing in drawings(composed, path, options).items()}
    said = meaning(path, options.query, head=head) if composed.has_sentence else []
    return render(composed, path, texts, pictures, options.query, said)


def write(step: PathMatrix, places: Sequence[Place], full: float | None = None) -> dict[Place, tuple[str, str]]:
    """Return place -> (text, background) of some entries of a matrix. full: the size that gets the fullest colour."""
    is_seen_whole = None not in (position for size in step.values.shape for position in shown(size))
    decimals = None if step.is_input and is_seen_whole else brief(step.values)
    return entries(step.values, MATRICES[step.name].role, decimals, places, masked_places(step), full)


def brief(values: np.ndarray) -> np.ndarray:
    """Return how many decimals each column is written with, (columns,); of one that is not shown, none."""
    seen = [position for position in shown(values.shape[1]) if position is not None]
    decimals = np.zeros(values.shape[1], int)
    decimals[seen] = decimals_needed(values[:, seen], BRIEF)
    return decimals


def masked_places(step: PathMatrix) -> set[Place]:
    """Return the places of a step that its mask hides."""
    allowed = may_attend(step.mask, step.values.shape)
    return set() if allowed is None else {(int(r), int(c)) for r, c in np.argwhere(~allowed)}


def render(
    composed: Board,
    path: Path,
    texts: Written,
    drawings: Mapping[str, str],
    query: int,
    said: Sequence[Part],
    *,
    is_live: bool = False,
) -> Picture:
    """Draw a composition with the texts and backgrounds of its entries, and its drawings by their names.

    query: the word that is chosen, from 0. said: what it asks for and finds, where the sentence stands. is_live:
    whether its heads are buttons.
    """
    made = Ready(path, texts, drawings, query if said else None, said, is_live)
    picture = [_picture(composed, made)] if composed.picture else []
    bands = [_band(band, made) for band in composed.bands]
    folded = [_folded(composed.folded, made)] if composed.folded else []
    html = markup.element("div", *picture, *bands, *folded, class_="mha-board", style=board_markup.BOARD)
    keys = dict.fromkeys(view.key for view in composed.views)
    lines = [in_words(said)] if said else []
    return Picture(html, "\n".join([*lines, *(_text(path[key], composed.heads) for key in keys)]))


def _text(step: PathMatrix, heads: int) -> str:
    decimals, title = None if step.is_input else DECIMALS, step.key if heads > 1 else step.name
    return matrix(step.values, step.name, step.rows, step.columns, title, decimals=decimals).text


def small_result(composed: Board, path: Path, texts: Written, sought: str = "") -> Markup:
    """Draw what the board ends with in miniature, to stand beside the messages where it is taller than the page.

    That is the result of all heads or their total; where there is much to show of a single head, its weights too.
    sought: what a goal is about; what a head adds then stands in place of the total.
    """
    titles = {view.key: view.title for view in composed.views}
    weights = composed.miniatures if composed.heads == 1 else []
    is_part = sought.startswith("part/") and sought in texts
    ends = [sought] if is_part else [name for name in ("result", "total") if name in texts]
    return markup.joined(
        part
        for key in (*weights, *ends)
        for part in (markup.small(titles[key]), _miniature(path[key], texts[key], is_low=True))
    )


def _picture(composed: Board, made: Ready) -> Markup:
    """Draw who looks at whom with what it means, and beside it the heads to choose from, each in small.

    The open head is the large one; where there is much to show, it stands among the others too.
    """
    middle = markup.CENTRED
    shown = [_meant(composed, made) if name == SENTENCE else _drawing(name, made, middle) for name in composed.picture]
    heads = [head for head in range(composed.heads) if composed.is_dense or head != composed.head]
    choice = markup.element("div", *(_head(composed, head, made) for head in heads), style=board_markup.CHOICE)
    beside = [choice] if composed.heads > 1 else []
    return markup.element("div", *shown, *beside, style=board_markup.PICTURE, class_="mha-band")


def _meant(composed: Board, made: Ready) -> Markup:
    said = markup.part("meaning", said_strongly(made.said), tag="span")
    name = [_named(composed.head, True, [], made), " · "] if composed.heads > 1 and not composed.is_dense else []
    line = markup.paragraph(*name, said, style=board_markup.MEANING)
    return markup.element("div", _drawing(SENTENCE, made, markup.CENTRED), line, class_="mha-picture")


def _head(composed: Board, head: int, made: Ready) -> Markup:
    """Draw one head to choose in small."""
    key = f"weights/{head + 1}"
    small = [_miniature(made.path[key], made.texts[key])] if key in composed.miniatures else []
    return _named(head, head == composed.head, [*small, *_small_sentence(composed, head, made)], made)


def _named(head: int, is_open: bool, drawn: list[Markup], made: Ready) -> Markup:
    """Name a head below what is drawn of it: live a button that brings it to the front."""
    name = f"head {head + 1}"
    if made.is_live:
        return markup.button(markup.joined([*drawn, name]), name=f"head/{head + 1}", aria_pressed=str(is_open).lower())
    text = markup.bold(name) if is_open else name
    style = markup.CENTRED if drawn else None
    return markup.element("div" if drawn else "span", *drawn, text, class_="mha-head", style=style)


def _small_sentence(composed: Board, head: int, made: Ready) -> list[Markup]:
    """Draw who looks at whom in one head, where there is room; its numbers are said elsewhere."""
    name = composed.small_sentences.get(head)
    if name is None:
        return []
    return [
        markup.part(name, made.drawings[name], tag="span", aria_hidden="true", style=markup.BLOCK, class_="mha-small")
    ]


def _miniature(step: PathMatrix, texts: Mapping[Place, tuple[str, str]], is_low: bool = False) -> Markup:
    spots = [(address(step.key, *place), look) for place, (_, look) in texts.items()]
    return board_markup.miniature(spots, columns=len({column for _, column in texts}), is_low=is_low)


def _band(band: tuple[Group, ...], made: Ready) -> Markup:
    """Set groups side by side."""
    groups = (_group(group, made) for group in band)
    return markup.element("div", *groups, style=board_markup.BAND, class_="mha-band")


def _folded(groups: tuple[Group, ...], made: Ready) -> Markup:
    """Draw what a question does not need, in a fold that says what it holds."""
    names = [view.title for group in groups for each in group for view in each.views]
    band = markup.element("div", *(_group(group, made) for group in groups), style=board_markup.BAND)
    return markup.folded(", ".join(names), band, data_form="ingredients", class_="mha-folded")


def _group(group: Group, made: Ready) -> Markup:
    if group[0].drawing:
        return _drawing(group[0].drawing, made, board_markup.DRAWING)
    return markup.element("div", *(_crossing(each, made) for each in group), style=board_markup.GROUP)


def _drawing(name: str, made: Ready, style: str) -> Markup:
    return markup.part(name, made.drawings[name], tag="div", style=style, class_="mha-drawing")


def _crossing(crossing: Crossing, made: Ready) -> Markup:
    """Set one matrix above another, and before both the sign that leads to them."""
    tables = [_table(view, made) for view in crossing.views]
    is_uneven = crossing.at and crossing.at.names_rows and crossing.above
    style = board_markup.PILE_AT_RIGHT if is_uneven else board_markup.PILE
    pile = markup.element("div", *tables, style=markup.styles(style, board_markup.lifted(crossing.lifted)))
    if not crossing.sign:
        return pile
    halfway_up = board_markup.halfway_up(
        rows=len(made.path["X"].values)
    )  # signs stand between tables of the tokens' rows
    sign = markup.element("div", crossing.sign, class_="mha-sign", style=halfway_up)
    return markup.element("div", sign, pile, style=board_markup.GROUP)


def _table(view: View, made: Ready) -> Markup:
    step, texts = made.path[view.key], made.texts[view.key]
    kind, words = MATRICES[step.name], MATRICES[step.name].labels[0]
    is_of_the_words = words == "asking" or (words == "answering" and "context" not in made.path)
    has_chosen = is_of_the_words and made.chosen is not None
    rows, columns = (_names(step.rows, view.rows), kind.rows), (_names(step.columns, view.columns), kind.columns)
    places = [[_place(r, c) for c in view.columns] for r in view.rows]
    if view.is_turned:
        rows, columns, places = columns, rows, [list(column) for column in zip(*places, strict=True)]
    cells = [[_cell(view, place, texts, step.is_input) for place in row] for row in places]
    return board_markup.board_table(
        markup.joined([markup.bold(view.title), *([" ", markup.small(view.note)] if view.note else [])]),
        zip(rows[0], cells, strict=True),
        columns[0],
        shows=(view.names_rows, view.names_columns),
        width=view.width,
        chosen=made.chosen if has_chosen and not made.is_live else None,
        data_asks=has_chosen,
        data_matrix=step.name,
        data_role=kind.role,
        data_entry=ONE_OF.get(step.name, step.name),
        data_rows=ONE_OF.get(rows[1], "row"),
        data_columns=ONE_OF.get(columns[1], "column"),
    )


def _names(labels: tuple[str, ...] | None, shown: Positions) -> list[str]:
    return ["…" if i is None else str(i + 1) if labels is None else labels[i] for i in shown]


def _place(row: int | None, column: int | None) -> Place | None:
    return None if row is None or column is None else (row, column)


def _cell(view: View, place: Place | None, texts: Mapping[Place, tuple[str, str]], is_input: bool) -> Markup:
    if place is None:
        return board_markup.left_out()
    text, look = texts[place]
    style = board_markup.INPUT if is_input else board_markup.COMPUTED
    return markup.entry(text, look, address(view.key, *place), style=style)

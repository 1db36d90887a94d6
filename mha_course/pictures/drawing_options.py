"""What the drawings of a board show: who looks at whom, and two columns of its arrows or points as a plane."""

from dataclasses import dataclass

from mha_course.engine.pictures.svg_figure import SvgFigure
from mha_course.forward.mask_choices import may_attend
from mha_course.forward.path_matrix import Path
from mha_course.pictures.arrows import around_arrows, arrows
from mha_course.pictures.heat_map import heat_map
from mha_course.pictures.mixes import around_mixes, mixes
from mha_course.pictures.palette import head_colour
from mha_course.pictures.sentence import sentence
from mha_course.pictures.views import HEAT, SENTENCE, Board


@dataclass(frozen=True)
class DrawingOptions:
    """What a reader has chosen to see: one word that looks, one key, and two columns; all count from 0.

    at_rest: while a hand drags a point, the path of before, for which the axes were made.
    """

    query: int = 0
    key: int = 0
    columns: tuple[int, int] = (0, 1)
    at_rest: Path | None = None


def drawings(composed: Board, path: Path, options: DrawingOptions) -> dict[str, SvgFigure]:
    """Draw each drawing of a board: its name -> drawing.

    path: what `forward` returned.

    >>> from mha_course.pictures.composition import board
    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> path = forward(preset("article"))
    >>> drawings(board(path, {"scores", "weights"}), path, DrawingOptions())["sentence"].text[:33]
    'Who looks at whom. innovators: 14'
    """
    large = {name: _drawing(name, path, composed, options) for name in composed.drawings}
    small = composed.small_sentences.items()
    return large | {name: _sentence(path, options.query, head, is_small=True) for head, name in small}


def _drawing(name: str, path: Path, composed: Board, options: DrawingOptions) -> SvgFigure:
    head, weights = composed.head, path[f"weights/{composed.head + 1}"]
    if name == SENTENCE:
        return _sentence(path, options.query, head)
    queries, keys = weights.rows or (), weights.columns or ()
    if name == HEAT:
        return heat_map(weights.values, queries, keys, options.query)
    Q, scores, output = (path[f"{each}/{head + 1}"] for each in ("Q", "scores", "output"))
    K, V = (path[f"{each}/{(weights.key_head or 0) + 1}"] for each in "KV")
    framed = options.at_rest or path
    if name == "arrows":
        pair = options.query, min(options.key, len(keys) - 1)
        plane = around_arrows(framed[Q.key].values, framed[K.key].values, pair, options.columns)
        return arrows(Q.values, K.values, queries, keys, pair, options.columns, (Q.key, K.key, scores.key), plane)
    plane = around_mixes(framed[V.key].values, framed[output.key].values, options.columns)
    return mixes(V.values, output.values, keys, queries, options.columns, (V.key, output.key), plane)


def _sentence(path: Path, query: int, head: int, is_small: bool = False) -> SvgFigure:
    weights = path[f"weights/{head + 1}"]
    words, read = weights.rows or (), weights.columns or ()
    allowed = may_attend(weights.mask, weights.values.shape)
    masked = None if allowed is None else ~allowed
    return sentence(
        weights.values, words, query, read if "context" in path else None,
        key="" if is_small else weights.key, masked=masked, colour=head_colour(head), is_small=is_small,
    )  # fmt: skip

"""What the drawings of a board show: who looks at whom, and two columns of its arrows or points as a plane."""

from dataclasses import dataclass

from mha_course.pictures.arrows import around_arrows, arrows
from mha_course.pictures.looks import looks, small_looks
from mha_course.pictures.mixes import around_mixes, mixes
from mha_course.pictures.views import Board
from mha_course.pipeline.path_matrix import Path
from mha_course.workbook.pictures.drawing import Drawing


@dataclass(frozen=True)
class Scene:
    """What a reader has chosen to see: one query and one key, and two columns; all count from 0.

    asked: the query that a number was asked about, if one was: it stands out among those that look.
    at_rest: while a hand drags a point, the path of before, for which the axes were made.
    """

    query: int = 0
    key: int = 0
    columns: tuple[int, int] = (0, 1)
    asked: int | None = None
    at_rest: Path | None = None


def drawings(composed: Board, path: Path, scene: Scene) -> dict[str, Drawing]:
    """Draw each drawing of a board: its name -> drawing.

    path: what `steps` returned.

    >>> from mha_course.pictures.composition import board
    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> path = steps(preset("article"))
    >>> drawings(board(path, {"scores", "weights"}), path, Scene())["looks"].text[:33]
    'Who looks at whom. innovators: 14'
    """
    return {name: _drawing(name, path, composed, scene) for name in composed.drawings}


def _drawing(name: str, path: Path, composed: Board, scene: Scene) -> Drawing:
    if name.startswith("looks/"):
        small = path[name.replace("looks", "weights")]
        return small_looks(small.values, small.rows or (), small.columns or (), small.key)
    head = composed.head
    weights = path[f"weights/{head + 1}"]
    queries, keys = weights.rows or (), weights.columns or ()
    Q, scores, output = (path[f"{each}/{head + 1}"] for each in ("Q", "scores", "output"))
    K, V = (path[f"{each}/{(weights.key_head or 0) + 1}"] for each in "KV")
    framed = scene.at_rest or path
    if name == "arrows":
        pair = scene.query, min(scene.key, len(keys) - 1)
        plane = around_arrows(framed[Q.key].values, framed[K.key].values, pair, scene.columns)
        return arrows(Q.values, K.values, queries, keys, pair, scene.columns, (Q.key, K.key, scores.key), plane)
    if name == "mixes":
        plane = around_mixes(framed[V.key].values, framed[output.key].values, scene.columns)
        return mixes(V.values, output.values, keys, queries, scene.columns, (V.key, output.key), plane)
    others = [path[f"weights/{each + 1}"] for each in range(composed.heads) if composed.is_overlaid and each != head]
    behind = [(each.key, each.values) for each in others]
    has_contributions = any(view.key.startswith("contributions/") for view in composed.views)
    chosen = scene.query if has_contributions else scene.asked
    return looks(weights.values, queries, keys, weights.key, chosen, behind, composed.span)

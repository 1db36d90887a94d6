"""What stands on the screen of a workbench, and what of it has to be written anew."""

from collections.abc import Iterable, Mapping

from mha_course.engine.notation.labels import Address
from mha_course.engine.pictures.number_table import Place
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Update
from mha_course.engine.pictures.svg import Change, changes
from mha_course.engine.pictures.svg_figure import SvgFigure
from mha_course.forward.path_matrix import PathMatrix
from mha_course.pictures.board import render
from mha_course.pictures.drawing_options import drawings
from mha_course.widgets.change_summary import by_how_much
from mha_course.widgets.concatenation import in_concatenation
from mha_course.widgets.live_table import LiveTable
from mha_course.widgets.snapshot import Snapshot

Texts = dict[str, dict[Place, tuple[str, str]]]


class WorkbenchScreen:
    """The tables and drawings of a board as they were last shown.

    >>> from mha_course.widgets.snapshot import take_snapshot
    >>> from mha_course.forward.presets import preset
    >>> article, names = preset("article"), ["W_K", "scores"]
    >>> screen = WorkbenchScreen(take_snapshot("article", article, names), {})
    >>> is_new, update = screen.renewed(take_snapshot("article", article.with_entry("W_K", 0, 2, 5.0), names), {})
    >>> is_new, update["cells"]["scores/1"][-1][:3]
    (False, (2, 2, '12.70'))
    """

    def __init__(self, now: Snapshot, full: Mapping[str, float]) -> None:
        """Begin with a moment as it is. full: matrix -> the size of an entry that gets the fullest colour."""
        self._show(now, {}, full)

    @property
    def texts(self) -> Texts:
        """Key -> place -> (text, look) of every entry that is shown."""
        return {key: table.entries for key, table in self._tables.items()}

    def picture(self, *, is_live: bool = False) -> Picture:
        """Draw the board with what stands on it, as the live screen shows it, or as it is stored: then with images."""
        now = self._now
        ready = {name: each.svg if is_live else each.picture.html for name, each in self._drawings.items()}
        return render(now.board, now.path, self.texts, ready, now.options.query, now.meaning, is_live=is_live)

    def renewed(self, now: Snapshot, full: Mapping[str, float]) -> tuple[bool, Update]:
        """Show another moment, coloured as `full` says.

        Return whether its screen is a new one, and else the cells that look different."""
        before, tables, pictures = self._now, self._tables, self._drawings
        is_new = now.structure != before.structure
        self._show(now, {} if is_new else tables, full)
        if is_new:
            return True, Update()
        unlike = {key: table.unlike(tables[key]) for key, table in self._tables.items()}
        cells = {key: [(*place, *entry) for place, entry in new.items()] for key, new in unlike.items() if new}
        return False, Update(cells=cells, drawings=self._redrawn(pictures))

    def masked(self) -> list[Address]:
        """List the entries that the mask hides."""
        return [(key, *place) for key, table in self._tables.items() for place in sorted(table.masked)]

    def moved(self, since: Mapping[str, PathMatrix]) -> dict[Address, str]:
        """Return address -> by how much, for the entries in full size that are not what they were in another path."""
        moved: dict[Address, str] = {}
        for key in dict.fromkeys(view.key for view in self._now.board.views):
            earlier = since.get(key)
            if earlier is not None and not earlier.is_input and earlier.query == self._now.path[key].query:
                moved |= {(key, *place): by_how_much(d) for place, d in self._tables[key].since(earlier.values)}
        return moved

    def in_sight(self, addresses: Iterable[Address]) -> list[Address]:
        """Leave out the entries that have no cell on the screen, or only one in miniature.

        The output of a head that does not stand there for itself stands in the concatenation.
        """
        shown = {(view.key, *place) for view in self._now.board.views for place in view.places}
        found = (at if at in shown else in_concatenation(self._now.path, at) for at in addresses)
        return [each for each in found if each in shown]

    def _redrawn(self, before: Mapping[str, SvgFigure]) -> dict[str, str | list[Change]]:
        """Return what turns the drawings before into the present ones; the whole SVG where values are not enough."""
        redrawn: dict[str, str | list[Change]] = {}
        for name, drawing in self._drawings.items():
            if drawing.root != before[name].root:
                changed = changes(before[name].root, drawing.root)
                redrawn[name] = drawing.svg if changed is None else changed
        return redrawn

    def _show(self, now: Snapshot, earlier: Mapping[str, LiveTable], full: Mapping[str, float]) -> None:
        """Write what is not as it was in earlier tables."""
        places = now.board.places(now.path)
        self._now = now
        self._tables = {
            key: LiveTable.of(now.path[key], places[key], earlier.get(key), full.get(now.path[key].name))
            for key in places
        }
        self._drawings = drawings(now.board, now.path, now.options)

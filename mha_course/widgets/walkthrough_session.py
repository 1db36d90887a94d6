"""Steps through the way of one row: at which stop it is, and what the screen shows of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mha_course.engine.notation.labels import Address
from mha_course.forward.matrices import MATRICES
from mha_course.forward.path_matrix import Path, PathMatrix
from mha_course.forward.state import State
from mha_course.forward.walkthrough.stop import Stop
from mha_course.forward.walkthrough.walkthrough import reached, strongest_key, way

LAST_STEP = "That was the last step. Escape, or a click on another number, shows everything again."


@dataclass(frozen=True)
class WalkthroughRow:
    """Whose row is walked: of which query and head, and with which key in full, all counted from 0."""

    query: int
    head: int
    key: int


@dataclass(frozen=True)
class ShownStop:
    """What the screen shows at one stop.

    told: the entry whose arithmetic is shown. reached: those that stand there by now.
    """

    words: str
    arithmetic: str
    told: Address | None
    sources: Sequence[Address]
    reached: Sequence[Address]
    is_last: bool


class Walkthrough:
    """A walk along the way of one row, or none.

    names: the matrices that are shown; all of them if None.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> article = preset("article")
    >>> walking, path = Walkthrough(("Q", "K", "scores")), forward(article)
    >>> walking.next(article, path, selected=("scores/1", 1, 0))
    >>> walking.here(article, path).words
    'Step 1 of 5 · query. The row of create in X, times the columns of W_Q, is its query: what create looks for.'
    """

    def __init__(self, names: Collection[str] | None) -> None:
        """Begin without a walk."""
        self._names = names
        self._row: WalkthroughRow | None = None
        self._number, self._title = 0, ""
        self._known: tuple[Path, WalkthroughRow, tuple[Stop, ...]] | None = None

    @property
    def row(self) -> WalkthroughRow | None:
        """Whose row is walked, if one is."""
        return self._row

    def next(self, state: State, path: Path, selected: Address | None = None, query: int = 0, head: int = 0) -> None:
        """Go on to the next stop; without a walk, to the first one of the row of what is selected.

        query, head: what is meant where the selected entry does not say.
        Errors: `ValueError` if nothing that is shown is computed.
        """
        if self._row is not None:
            stops = self._stops(state, path, self._row)
            self._stand(stops, self._where(stops) + 1)
            return
        row = self._asked_for(path, selected, query, head)
        stops = self._stops(state, path, row)
        if not stops:
            raise ValueError("Nothing is computed here, so there is no step to show.")
        self._row = row
        self._stand(stops, 0)

    def back(self, state: State, path: Path) -> None:
        """Go back to the stop before; from the first one, end the walk."""
        if self._row is None:
            return
        stops = self._stops(state, path, self._row)
        number = self._where(stops)
        if number == 0:
            self.end()
        else:
            self._stand(stops, number - 1)

    def end(self) -> None:
        """End the walk."""
        self._row = None

    def here(self, state: State, path: Path) -> ShownStop | None:
        """Return what there is to see, if there is a walk; it ends where the state has its row no longer.

        After a change it stays at the stop of the same title, or else as many stops from the first.
        """
        if self._row is None:
            return None
        try:
            stops = self._stops(state, path, self._row)
        except ValueError:  # a token or a head is gone
            stops = ()
        if not stops:
            self.end()
            return None
        number = self._where(stops)
        self._stand(stops, number)
        stop = stops[number]
        return ShownStop(
            words=f"Step {number + 1} of {len(stops)} · {stop.title}. {stop.words}",
            arithmetic=stop.arithmetic,
            told=stop.entries[0] if stop.entries else None,
            sources=stop.sources,
            reached=reached(stops, number),
            is_last=number == len(stops) - 1,
        )

    def _stops(self, state: State, path: Path, row: WalkthroughRow) -> tuple[Stop, ...]:
        if self._known is None or self._known[0] is not path or self._known[1] != row:
            self._known = path, row, way(state, path, row.query, row.head, row.key, self._names)
        return self._known[2]

    def _where(self, stops: tuple[Stop, ...]) -> int:
        """Find the stop again: the titles of a way are all different."""
        titles = [stop.title for stop in stops]
        return titles.index(self._title) if self._title in titles else min(self._number, len(stops) - 1)

    def _stand(self, stops: tuple[Stop, ...], number: int) -> None:
        self._number = min(number, len(stops) - 1)
        self._title = stops[self._number].title

    def _asked_for(self, path: Path, selected: Address | None, query: int, head: int) -> WalkthroughRow:
        """Say whose row somebody means who has selected an entry: that of its query and head, with its key."""
        key = None
        if selected is not None:
            name, row, column = selected
            rows, columns = MATRICES[path[name].name].labels
            head = _head_of(path, path[name], head)
            tells_token = rows == "answering" and "context" not in path and not self._shows("scores")
            query = row if rows == "asking" or tells_token else query
            key = row if rows == "answering" else column if columns == "answering" else None
        return WalkthroughRow(query, head, strongest_key(path, query, head) if key is None else key)

    def _shows(self, name: str) -> bool:
        return self._names is None or name in self._names


def _head_of(path: Path, step: PathMatrix, head: int) -> int:
    """Return the query head of a matrix, of shared keys and values the first that looks with them."""
    if step.key_head is None:
        return head
    looking = [each.query_head for each in path.values() if each.key_head == step.key_head]
    return next(each for each in (step.query_head, *looking) if each is not None)

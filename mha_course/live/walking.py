"""Steps through the way of one row: at which stop it is, and what the screen shows of it."""

from collections.abc import Collection
from dataclasses import dataclass

from mha_course.notation.labels import address
from mha_course.pipeline.matrices import MATRICES
from mha_course.pipeline.origin import Source
from mha_course.pipeline.state import State
from mha_course.pipeline.step import Path
from mha_course.pipeline.stops import Stop
from mha_course.pipeline.way import reached, strongest_key, way


@dataclass(frozen=True)
class Asked:
    """Whose row is walked: of which query and head, and with which key in full, all counted from 0."""

    query: int
    head: int
    key: int | None = None


@dataclass(frozen=True)
class Here:
    """What the screen shows at one stop, with the addresses of entries.

    told: the one whose arithmetic is shown. reached: those that stand there by now.
    """

    words: str
    arithmetic: str
    told: str | None
    sources: list[str]
    reached: list[str]
    is_last: bool


class Walking:
    """A walk along the way of one row, or none.

    names: the matrices that are shown; all of them if None.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> article = preset("article")
    >>> walking = Walking(("scores", "weights"))
    >>> walking.next(article, steps(article), Asked(query=1, head=0))
    >>> walking.here(article, steps(article)).words
    'Step 1 of 4 · scores. The scores of create say how well its query matches each key.'
    """

    def __init__(self, names: Collection[str] | None) -> None:
        """Begin without a walk."""
        self._names = names
        self._row: Asked | None = None
        self._number, self._title = 0, ""

    @property
    def row(self) -> Asked | None:
        """Whose row is walked, if one is."""
        return self._row

    def next(self, state: State, path: Path, asked: Asked) -> None:
        """Go on to the next stop, or without a walk to the first one of the row that is asked for.

        Errors: `ValueError` if nothing that is shown is computed.
        """
        if self._row is None:
            key = strongest_key(path, asked.query, asked.head) if asked.key is None else asked.key
            row = Asked(asked.query, asked.head, key)
            stops = self._stops(state, path, row)
            if not stops:
                raise ValueError("Nothing is computed here, so there is no step to show.")
            self._row = row
            self._stand(stops, 0)
        else:
            stops = self._stops(state, path, self._row)
            self._stand(stops, self._where(stops) + 1)

    def back(self, state: State, path: Path) -> None:
        """Go back to the stop before; from the first one, end the walk."""
        if self._row is not None:
            stops = self._stops(state, path, self._row)
            number = self._where(stops) - 1
            if number < 0:
                self.end()
            else:
                self._stand(stops, number)

    def end(self) -> None:
        """End the walk."""
        self._row = None

    def here(self, state: State, path: Path) -> Here | None:
        """Return what there is to see, if there is a walk; it ends where the state has its row no longer.

        After a change it stays at the stop of the same title, if that is still there.
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
        return Here(
            words=f"Step {number + 1} of {len(stops)} · {stop.title}. {stop.words}",
            arithmetic=stop.arithmetic,
            told=address(*stop.entries[0]) if stop.entries else None,
            sources=[address(*each) for each in stop.sources],
            reached=[address(*each) for each in reached(stops, number)],
            is_last=number == len(stops) - 1,
        )

    def _stops(self, state: State, path: Path, row: Asked) -> tuple[Stop, ...]:
        return way(state, path, row.query, row.head, row.key, self._names)

    def _where(self, stops: tuple[Stop, ...]) -> int:
        """Find the stop again: the titles of a way are all different."""
        titles = [stop.title for stop in stops]
        return titles.index(self._title) if self._title in titles else min(self._number, len(stops) - 1)

    def _stand(self, stops: tuple[Stop, ...], number: int) -> None:
        self._number = min(number, len(stops) - 1)
        self._title = stops[self._number].title


def asked_for(path: Path, selected: Source | None, query: int, head: int = 0) -> Asked:
    """Say whose row somebody asks for who has selected an entry: that of its query and head, with its key.

    query, head: what is meant where the entry does not say.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> asked_for(steps(preset("two_heads")), ("scores/2", 1, 0), query=2)
    Asked(query=1, head=1, key=0)
    """
    if selected is None or selected[0] not in path:
        return Asked(query, head)
    name, row, column = selected
    step = path[name]
    rows, columns = MATRICES[step.name].labels
    if step.key_head is not None:
        heads = (each.query_head for each in path.values() if each.key_head == step.key_head)
        head = next(each for each in (step.query_head, *heads) if each is not None)
    if rows == "answering":
        return Asked(query, head, row)
    return Asked(row if rows == "asking" else query, head, column if columns == "answering" else None)

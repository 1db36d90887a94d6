"""What a workbench shows at one moment: a state, every matrix that follows from it, and what is looked at."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from mha_course.forward.forward import forward
from mha_course.forward.meaning import Part, Sense, meaning
from mha_course.forward.path_matrix import Path, PathMatrix
from mha_course.forward.presets import sense_of
from mha_course.forward.state import State
from mha_course.maths.threads import one_thread
from mha_course.pictures.composition import Board, board
from mha_course.pictures.drawing_options import DrawingOptions


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A state under the name of its preset, its path, and the board that shows it with its options and an open head."""

    preset_name: str
    state: State
    options: DrawingOptions
    path: Path
    board: Board

    @property
    def head(self) -> int:
        """The head in front, counted from 0."""
        return self.board.head

    @property
    def meaning(self) -> list[Part]:
        """The sentence that says what the chosen word asks for and finds; nothing where no sentence stands."""
        if not self.board.has_sentence:
            return []
        return meaning(self.path, self.options.query, self.sense, self.head)

    @property
    def sense(self) -> Sense:
        """What the numbers mean."""
        return sense_of(self.preset_name)

    @property
    def structure(self) -> tuple[object, ...]:
        """All that cannot be changed entry by entry; where it differs, the screen is drawn anew."""
        state = self.state
        sizes = tuple(state.inputs), state.d_k, state.d_v
        return self.preset_name, state.tokens, state.context_tokens, *sizes, self.board

    def results(self, names: Collection[str]) -> list[PathMatrix]:
        """List the computed matrices of these names, in sight or not."""
        shown = set(names) - ({"concatenation"} if self.state.num_heads == 1 else set())
        return [step for step in self.path.values() if step.name in shown and not step.is_input]


def take_snapshot(
    preset_name: str, state: State, names: Collection[str], options: DrawingOptions | None = None, head: int = 0
) -> Snapshot:
    """Compute what a state shows; a query, column or head that it has not becomes one that it has.

    names: of the matrices on the board. Errors: `ValueError` if the state cannot be computed.

    >>> from mha_course.forward.presets import preset
    >>> now = take_snapshot("article", preset("article"), ["Q", "K", "scores"], head=7)
    >>> now.head, [step.key for step in now.results(["scores", "X"])]
    (0, ['scores/1'])
    """
    options = options or DrawingOptions()
    query = min(options.query, len(state.tokens) - 1)
    columns = options.columns if max(options.columns) < min(state.d_k, state.d_v) else (0, 1)
    with one_thread():  # others would keep the cores busy that a page needs to draw the answer
        path = forward(state, query)
    composed = board(path, names, min(head, state.num_heads - 1))
    return Snapshot(preset_name, state, replace(options, query=query, columns=columns), path, composed)

"""One puzzle in use: what the learner did with its lines, and what the screen has to change."""

from collections.abc import Iterator
from dataclasses import replace

from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.exercise import Exercise
from mha_course.engine.checking.puzzle import Puzzle
from mha_course.engine.checking.verdict import Verdict, verdict
from mha_course.engine.pictures.line_puzzle import FUNCTION, Line, line_list, puzzle_screen, puzzle_still
from mha_course.engine.pictures.markup import Markup, escaped
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Actions, Update
from mha_course.engine.progress.progress import Progress

NOT_RUN = "Not run yet."
AS_LEFT = "This is how you left it."
COUNTS = ("no", "one", "two", "three")
EMPTY = "No line is in the function yet: take some in."
NOT_NEEDED = "It would be right without {}, too."
FROM_MEMORY = "Now write the same from memory: {}."


def arranged(name: str) -> str:
    """Return the name under which it is kept what was arranged: no exercise's own.

    >>> arranged("filters.moving")
    'filters.moving.arranged'
    """
    return f"{name}.arranged"


class PuzzleSession:
    """Take lines in, put them in order, and run them; what is wrong is told as the check of the exercise tells it.

    progress: where every run is kept.
    """

    def __init__(self, exercise: Exercise, puzzle: Puzzle, progress: Progress):
        """Begin with what was run last."""
        self._follows = f"exercise {exercise.number}"
        self._exercise = replace(exercise, number=f"{exercise.number}, in lines")
        self._puzzle, self._progress = puzzle, progress
        self._kept_as = arranged(exercise.name)
        last = progress.answers().get(self._kept_as)
        self._taken: list[str] = list(last) if isinstance(last, list) and puzzle.can_be(last) else []
        self._told = AS_LEFT if self._taken else NOT_RUN
        self._verdict: Verdict | None = None
        self._alert = ""

    def screen(self) -> Markup:
        """Return the markup of the screen; the lines come with the first update."""
        return puzzle_screen(self._task, self._puzzle.head)

    def still(self) -> Picture:
        """Return the `Picture` that stands for the puzzle where no kernel runs."""
        inside, aside = ([self._puzzle.texts[key] for key in keys] for keys in (self._taken, self._aside))
        outcome = self._verdict.text if self._verdict else self._told
        return puzzle_still(self._task, self._puzzle.head, inside, aside, outcome)

    def act(self, actions: Actions) -> Update:
        """Do what the learner did, one action after the other, and return what the screen has to change."""
        self._alert = ""
        for action in actions:
            self._do(action)
        return Update(
            off=list(self._off()),
            parts={
                "function": line_list(FUNCTION, self._lines(self._taken)),
                "aside": line_list("aside", self._lines(self._aside)),
                "alert": escaped(self._alert),
                "told": escaped(self._told),
                "result": self._verdict.html if self._verdict else "",
                "notice": escaped(" ".join(self._progress.notices())),
            },
        )

    @property
    def _task(self) -> str:
        wrong = COUNTS[len(self._puzzle.wrong)]
        return (
            f"{self._puzzle.makes} The lines of the function are shuffled, with {wrong} wrong ones among them. "
            f"Take in the lines that you need, put them in order, and press Run. This prepares {self._follows}."
        )

    @property
    def _aside(self) -> list[str]:
        return [key for key in self._puzzle.shuffled() if key not in self._taken]

    def _do(self, action: object) -> None:
        match action:
            case ["press", "run"]:
                self._run()
            case ["press", "start over"]:
                self._taken, self._verdict, self._told = [], None, NOT_RUN
            case ["press", str(button)]:
                variant, _, key = button.partition(" ")
                self._press(variant, key)
            case ["move", str(key), str(where), int(place)] if key in self._puzzle.texts:
                self._move(key, place if where == FUNCTION else None)

    def _press(self, variant: str, key: str) -> None:
        """Move a line by one of its buttons."""
        if key in self._taken and variant in ("up", "down"):
            self._move(key, max(0, self._taken.index(key) + (1 if variant == "down" else -1)))
        elif key in self._puzzle.texts and variant == "line":
            self._move(key, None if key in self._taken else len(self._taken))

    def _move(self, key: str, place: int | None) -> None:
        """Put a line into the function, to this place from 0, or aside."""
        self._taken = [each for each in self._taken if each != key]
        where = "is put aside"
        if place is not None:
            self._taken.insert(max(0, place), key)
            where = f"is line {self._taken.index(key) + 1} of {len(self._taken)}"
        self._told = f"“{self._puzzle.texts[key]}” {where}. Not run since."

    def _run(self) -> None:
        """Run the lines as the function that they are."""
        if not self._taken:
            self._alert = EMPTY
            return
        diagnosis = diagnose(self._exercise, self._puzzle.function(self._taken))
        self._progress.record(diagnosis.kind, self._kept_as, mistakes=diagnosis.mistakes, answer=list(self._taken))
        self._verdict = verdict(self._exercise, diagnosis, self._notices() if diagnosis.kind == "right" else [])
        self._told = ""

    def _notices(self) -> Iterator[str]:
        """Say which lines are taken in for nothing, and what comes next."""
        needed = [key for key in self._taken if int(key) < len(self._puzzle.lines)]
        extra = [f"“{self._puzzle.texts[key]}”" for key in self._taken if key not in needed]
        if extra and diagnose(self._exercise, self._puzzle.function(needed)).kind == "right":
            yield NOT_NEEDED.format(" and ".join(extra))
        yield FROM_MEMORY.format(self._follows)

    def _lines(self, keys: list[str]) -> list[Line]:
        return [Line(key, self._puzzle.texts[key]) for key in keys]

    def _off(self) -> Iterator[str]:
        """Yield the buttons that can do nothing."""
        if self._taken:
            yield from (f"up {self._taken[0]}", f"down {self._taken[-1]}")
        elif self._verdict is None:
            yield "start over"

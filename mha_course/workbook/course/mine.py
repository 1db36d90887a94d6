"""The functions of the learner's own file, by their words."""

import difflib
from collections.abc import Callable

from mha_course.workbook.course.own_file import OwnFile


class Mine:
    """The learner's functions as far as their checks were right, and the course's in place of the others.

    Printed, it says whose those are that were asked for since it was last printed. At the end of a cell it shows all of
    them, one below the other.
    """

    def __init__(self, file: OwnFile):
        """Begin with nothing asked for."""
        self._file, self._asked = file, list[str]()

    def __getattr__(self, word: str) -> Callable[..., object]:
        """Return a function. Errors: `AttributeError` with the nearest word there is."""
        if word.startswith("_"):
            raise AttributeError(word)
        words = self._file.exercise_of
        if word not in words:
            near = difflib.get_close_matches(word, words, n=1)
            hint = f"Did you mean mine.{near[0]}?" if near else f"There are {', '.join(words)}."
            raise AttributeError(f"mine has no {word!r}. {hint}")
        self._asked += [word] * (word not in self._asked)
        return self._file.function(word)

    def __dir__(self) -> list[str]:
        return list(self._file.exercise_of)

    def __str__(self) -> str:
        asked = [word for word in self._file.exercise_of if word in self._asked or not self._asked]
        said = [f"{word}: {self._file.whose(word)}." for word in asked]
        self._asked.clear()
        return " ".join(filter(None, [self._file.problem(), *said]))

    def __repr__(self) -> str:
        return self._file.listing()

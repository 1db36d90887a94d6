"""A prediction: a question whose truth the course computes, and the sentence that confronts the two."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic

from mha_course.workbook.asking.kinds import Choice, Kind, Number, Said


@dataclass(frozen=True)
class Prediction(Generic[Said]):
    """A question to commit to before its cell runs.

    kind: what can be answered. truth: computes the true answer. numbers: computes the words that
    show it, to be read after a colon.

    >>> three = Prediction("How much is 1 + 2?", Number(), truth=lambda: 1 + 2, numbers=lambda: "1 and 1 and 1.")
    >>> three.confront(2)
    'You said 2. It is 3: 1 and 1 and 1.'
    """

    text: str
    kind: Kind[Said]
    truth: Callable[[], Said]
    numbers: Callable[[], str]

    def confront(self, answer: Said) -> str:
        """Set an answer against the truth."""
        truth = self.truth()
        verdict = "So it is" if self.kind.is_right(answer, truth) else f"It is {self._quoted(truth)}"
        reason = f" {self.kind.options[answer].reason}" if isinstance(self.kind, Choice) else ""
        return f"You said {self._quoted(answer)}. {verdict}: {self.numbers()}{reason}"

    def _quoted(self, answer: Said) -> str:
        written = self.kind.written(answer)
        return written if isinstance(self.kind, Number) else f"“{written}”"


def listed(values: Iterable[float], decimals: int = 4) -> str:
    """Write numbers one after the other, as a sentence needs them.

    >>> listed([0.25, 2.0])
    '0.2500, 2.0000'
    """
    return ", ".join(f"{value + 0.0:.{decimals}f}" for value in values)

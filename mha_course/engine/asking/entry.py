"""One entry of a right answer, where the numbers that known mistakes make are known too."""

from dataclasses import dataclass

from mha_course.engine.asking.kind import Judgement
from mha_course.engine.asking.kinds import Number


@dataclass(frozen=True)
class Entry(Number):
    """A number of which it is known how it is made, and what makes others. worked: the arithmetic of the right one.

    mistakes: (the name of a mistake, why it is one, the number that it gives).

    >>> entry = Entry(3, 0.01, "1 + 2 = 3", (("It is the product.", "Add them.", 2.0),))
    >>> entry.corrected(2)
    '“It is the product.” Add them. The answer is `1 + 2 = 3`.'
    """

    worked: str = ""
    mistakes: tuple[tuple[str, str, float], ...] = ()

    def judged(self, answer: float) -> Judgement:
        """Say whether an answer is right, and what is wrong with it; it may be tried again."""
        if abs(answer - self.truth()) <= self.tolerance:
            return Judgement(True, f"`{self.worked}`.")
        names = {name: why for name, why, number in self.mistakes if abs(number - answer) <= self.tolerance}
        if not names:
            return Judgement(False, "No known mistake gives that.")
        (name, why), *others = names.items()
        also = f" This gives the same number, too: “{others[0][0]}”" if others else ""
        return Judgement(False, f"“{name}” {why}{also}", name)

    def corrected(self, answer: float) -> str:
        """Say what is wrong with an answer, and what is right: it is not tried again."""
        judged = self.judged(answer)
        return judged.told if judged.is_right else f"{judged.told} The answer is `{self.worked}`."

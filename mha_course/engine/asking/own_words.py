"""A line in the learner's own words, below a question that is answered: for themselves, and never judged."""

from mha_course.engine.pictures.forms import reason_form
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.progress.progress import Progress

FORM = "why"  # its name, and that of its field
WHY = "Why is that so? One line in your own words, for yourself:"
LONGEST = 500  # characters


class OwnWords:
    """The line about one question. progress: where it is kept, as a note and no event."""

    def __init__(self, name: str, progress: Progress):
        """Begin with the line that is kept for the question of this name."""
        self._name, self._progress = name, progress
        self.text = progress.notes().get(name, "")

    def render(self) -> Markup:
        """Draw the form for it, hidden at first."""
        return reason_form(FORM, WHY, LONGEST, "Keep")

    def keep(self, text: str) -> None:
        """Keep a line in place of the one before."""
        self.text = text.strip()[:LONGEST]
        self._progress.note(self._name, self.text)

    def forget(self) -> None:
        """Begin with no line, as there is no answer; what was kept goes with it."""
        self.text = ""

    def told(self) -> str:
        """Say whether there is one."""
        return "Your line is kept." if self.text else ""

"""A board: numbers that can be changed, and what follows from them."""

import numpy as np

from mha_course.engine.browser.widget import PAGE, Widget, script, styles
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.number_table import Axes, number_table
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Actions, Update

NUMBERS = (1.0, 2.0, 3.0)


class BoardSession:
    """Three numbers; twice each of them, and one more, follows. What is no number is refused in words."""

    def __init__(self) -> None:
        """Begin with the numbers of the example."""
        self.numbers, self._alert = np.array(NUMBERS), ""

    def screen(self) -> str:
        """Return the markup of the live screen: a form, and below it the parts that `act` fills."""
        fields = (markup.labelled(f" number {place + 1} ", markup.field(str(place), size="5")) for place in range(3))
        parts = (markup.part("result"), markup.part("alert", role="alert"), markup.part("notice"))
        return markup.joined([markup.form("numbers", *fields, markup.submit("Compute")), *parts])

    def still(self) -> Picture:
        """Return the picture that stands for it where no kernel runs."""
        both = [self.numbers, 2 * self.numbers + 1]
        return number_table(both, "numbers", Axes("rows", "places"), rows=["before", "twice, and one more"])

    def act(self, actions: Actions) -> Update:
        """Do what the hand did, and return what the screen has to change; of no actions, all that it shows."""
        typed = {str(place): f"{number:g}" for place, number in enumerate(self.numbers)}
        for action in actions:
            match action:
                case ["submit", "numbers", dict(fields)]:
                    typed = fields  # they stay as they were typed, also where they are refused
                    self._type(fields)
        return {"fields": {"numbers": typed}, "parts": {"result": self.still().html, "alert": self._alert}}

    def _type(self, fields: dict[str, str]) -> None:
        try:
            self.numbers, self._alert = np.array([float(fields[str(place)]) for place in range(len(NUMBERS))]), ""
        except ValueError:
            self._alert = "Each must be a number."


class Board(Widget):
    """Show the numbers, with the script that forms have."""

    _esm, _css = script(PAGE / "form.js"), styles(PAGE / "form.css")

    def __init__(self) -> None:
        """Begin with the numbers of the example."""
        super().__init__(BoardSession())

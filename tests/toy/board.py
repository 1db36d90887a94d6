"""A widget on another subject: a kernel whose taps can be typed, and what it makes of a signal."""

import numpy as np

from mha_course.engine.browser.widget import PAGE, Widget, script, styles
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.number_table import Axes, number_table
from mha_course.engine.pictures.picture import Picture

SIGNAL = np.array([1.0, 2.0, 4.0, 8.0])


class TapsSession:
    """Type two taps; the result follows. What is no number is refused in words."""

    def __init__(self):
        self.kernel, self._alert = np.array([1.0, -1.0]), ""

    def screen(self):
        fields = (markup.field(str(tap), aria_label=f"tap {tap + 1}") for tap in range(2))
        parts = (markup.part("result"), markup.part("alert", role="alert"), markup.part("notice"))
        return markup.joined([markup.form("taps", *fields, markup.submit("Convolve")), *parts])

    def still(self):
        return number_table([np.convolve(SIGNAL, self.kernel, mode="valid")], "result", Axes("signals", "places"))

    def act(self, actions):
        for action in actions:
            match action:
                case ["submit", "taps", dict(fields)]:
                    self._type(fields)
        picture: Picture = self.still()
        taps = {str(tap): f"{value:g}" for tap, value in enumerate(self.kernel)}
        return {"fields": {"taps": taps}, "parts": {"result": picture.html, "alert": self._alert}}

    def _type(self, fields):
        try:
            self.kernel, self._alert = np.array([float(fields[str(tap)]) for tap in range(2)]), ""
        except ValueError:
            self._alert = "A tap must be a number."


class Taps(Widget):
    """Show the session, with the script that forms have."""

    _esm, _css = script(PAGE / "form.js"), styles(PAGE / "form.css")

    def __init__(self):
        super().__init__(TapsSession())

"""One text that the real model goes on with: what the hand did to it, and what the screen has to change."""

from typing import Any

from mha_course.language_model.asked_for import read_text
from mha_course.language_model.foreign import Foreign
from mha_course.language_model.how_long import LONG, seconds_in_all
from mha_course.live.speech import Begun, Ended, Speech, Token
from mha_course.pictures import speaking
from mha_course.pictures.speaking import WrittenToken
from mha_course.workbook.given_numbers import read_count
from mha_course.workbook.notation.counted import counted
from mha_course.workbook.notation.typed_numbers import read_positive_entry, read_whole_entry
from mha_course.workbook.pictures.markup import Markup, escaped
from mha_course.workbook.pictures.picture import Picture
from mha_course.workbook.pictures.update import Actions, Update, are_ticks


class SpeakingSession:
    """Write, stop, look back at a token. A token is written only when the screen asks for the next.

    text: as it is shown first. attention: a learner's own. tokens: the most that are added.
    """

    def __init__(self, text: str, attention: Foreign | None = None, tokens: int = 24) -> None:
        """Begin with nothing written. Errors: `TypeError` or `ValueError` naming the argument that does not fit."""
        self._fields = {
            "text": read_text(text),
            "choose": "likeliest",
            "temperature": "1",
            "seed": "0",
            "whose": "yours",
        }
        if attention is not None and not callable(attention):
            raise TypeError(f"attention must be a function of Q, K, V and mask, but it is {type(attention).__name__}.")
        self._attention, self._tokens = attention, read_count("tokens", tokens)
        self._speech: Speech | None = None
        self._is_writing = self._is_paused = self._is_foreign = self._has_ended = False
        self._temperature: float | None = None  # of what is written, if it was drawn
        self._prompt: list[str] = []
        self._written: list[Token] = []
        self._at: int | None = None  # None: the newest token, whatever it is
        self._alert = ""

    @property
    def written(self) -> str:
        """What the model added so far."""
        return "".join(token.adds for token in self._written)

    def screen(self) -> Markup:
        """Return the markup of the screen; its parts come with the first update."""
        return speaking.screen(speaking.controls(self._fields, self._attention is not None))

    def still(self) -> Picture:
        """Return the `Picture` that stands for it where no kernel runs."""
        return speaking.still(self._fields["text"], self._told(), self._places())

    def act(self, actions: Actions) -> Update:
        """Do what the hand did, one action after the other, and return what the screen has to change."""
        if not are_ticks(actions):  # one that was under way takes no sentence away
            self._alert = ""
        for action in actions:
            try:
                self._do(action)
            except (ValueError, TypeError) as error:
                self._alert = str(error)
                self._end()
        return self._update()

    def _do(self, action: Any) -> None:
        match action:
            case ["tick"]:
                self._write_on()
            case ["press", "write"] if self._is_writing and self._speech:
                self._is_writing, self._is_paused = False, self._speech.stop() and bool(self._written)
            case ["press", "write" | "begin"]:
                self._begin()
            case ["press", "more"] if self._is_paused:
                self._is_writing, self._is_paused = True, False
            case ["press", str(button)] if button in self._buttons():
                self._at = int(button.split()[1])
            case ["set", str(name), str(text)] if name in self._fields:
                self._fields[name] = text
            case _:
                raise ValueError(f"{action!r} is nothing that can be done here.")

    def _begin(self) -> None:
        """Begin to write, from the text that stands in its field."""
        self._prompt, self._written, self._at = [], [], None
        self._is_paused = self._has_ended = False
        attention = self._attention if self._fields["whose"] == "yours" else None
        self._is_foreign = attention is not None
        is_drawn = self._fields["choose"] == "drawn"
        self._temperature = read_positive_entry("Temperature", self._fields["temperature"]) if is_drawn else None
        seed = read_whole_entry("Seed", self._fields["seed"]) if is_drawn else 0
        self._speech = Speech(self._fields["text"], attention, self._tokens, self._temperature, seed)
        self._is_writing = True

    def _write_on(self) -> None:
        """Take the next token, if it is there."""
        if not self._is_writing or self._speech is None:
            return
        match self._speech.news():
            case Begun(prompt):
                self._prompt = prompt
            case Token() as token:
                self._written.append(token)
                # before a function takes long, a hand has to say that it may
                self._is_paused = len(self._written) == 1 < self._tokens and self._seconds() > LONG
                self._is_writing = not self._is_paused and len(self._written) < self._tokens
            case Ended():
                self._end()
                self._has_ended = True

    def _end(self) -> None:
        """Write no more."""
        if self._speech is not None:
            self._speech.stop()
        self._speech, self._is_writing, self._is_paused = None, False, False

    def _seconds(self) -> float:
        """Return about how long the whole text takes; with the cache that is nothing to speak of."""
        if not self._is_foreign:
            return 0.0
        return seconds_in_all(self._written[0].seconds, len(self._prompt), self._tokens)

    # What the screen shows

    def _buttons(self) -> list[str]:
        return [f"token {place}" for place in range(len(self._written))]

    def _shown(self) -> int:
        """Return the place that is looked at."""
        return len(self._written) - 1 if self._at is None else self._at

    def _places(self) -> list[WrittenToken]:
        return [WrittenToken(each.text, each.share, each.rank, each.likeliest) for each in self._written]

    def _told(self) -> str:
        count, most = len(self._written), self._tokens
        written = f"{counted(count, 'token')} written."
        if self._is_writing and not self._prompt:
            return "Opening the model … The first time on a machine, this takes up to a minute."
        if self._is_writing:
            return f"Writing token {count + 1} of {most}{self._progress()} …{self._pace()}"
        if self._is_paused:
            return f"{written}{self._pace()} Press Write on, or begin anew."
        if not count:
            anew = " Your attention gets all tokens anew for each; the first one is timed." if self._attention else ""
            return f"Press Write: it adds up to {most} tokens, one by one.{anew}"
        end = " There the model ended the text." if self._has_ended else ""
        return f"{written}{end}{self._pace()}"

    def _progress(self) -> str:
        return f", layer {self._speech.layer}" if self._speech and self._speech.layer else ""

    def _pace(self) -> str:
        """Say how fast it is."""
        if not self._written or not self._is_foreign:
            return ""
        first, whole = self._written[0].seconds, self._seconds()
        return f" With your attention, the first took {first:.2f} s; {self._tokens} need about {max(1, whole):.0f} s."

    def _status(self) -> str:
        """Say what is news for those who do not see the picture: while it writes, only that it writes."""
        if self._is_writing:
            return "Writing …"
        return f"{self._told()} {self.written}" if self._written else self._told()

    def _update(self) -> Update:
        at = self._shown()
        parts: dict[str, str] = {
            "told": escaped(self._told()),
            "flow": speaking.flow(self._prompt or [self._fields["text"]], self._places(), at),
            "likeliest": speaking.likeliest(self._places(), at, self._temperature) if self._written else Markup(""),
            "alert": escaped(self._alert),
            "status": escaped(self._status()),
        }
        return Update(
            fields={"controls": self._fields},
            on=["write"] if self._is_writing else [],
            off=[] if self._is_paused else ["more"],
            parts=parts,
        )

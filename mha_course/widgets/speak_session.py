"""One text that the real model goes on with: what the hand did to it, and what the screen has to change."""

from typing import Any, NamedTuple

from mha_course.engine.notation.counts import counted
from mha_course.engine.notation.typed_numbers import read_positive_entry, read_whole_entry
from mha_course.engine.pictures.markup import Markup, escaped
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Actions, Update, are_ticks
from mha_course.engine.validation import read_count
from mha_course.language_model.custom_attention import CustomAttention
from mha_course.language_model.duration_estimate import LONG, seconds_in_all
from mha_course.language_model.generation_arguments import MOST, read_text
from mha_course.pictures import generated_text
from mha_course.pictures.generated_text import Alternative, WrittenToken
from mha_course.widgets.generation import Begun, Ended, Speech, Token


class _Asked(NamedTuple):
    """What a text is written by. temperature: None for the likeliest tokens."""

    text: str
    attention: CustomAttention | None
    temperature: float | None
    seed: int


class SpeakingSession:
    """Write, stop, look back at a token. A token is written only when the screen asks for the next.

    text: as it is shown first. attention: a learner's own. tokens: the most that are added before a hand says "on".
    """

    def __init__(self, text: str, attention: CustomAttention | None = None, tokens: int = 24) -> None:
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
        self._attention, self._tokens = attention, read_count("tokens", tokens, most=MOST)
        self._speech: Speech | None = None
        self._begun = _Asked("", None, None, 0)
        self._is_writing = self._has_ended = False
        self._most = self._tokens  # that are written before the next pause
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
        return generated_text.screen(generated_text.controls(self._fields, self._attention is not None))

    def still(self) -> Picture:
        """Return the `Picture` that stands for it where no kernel runs."""
        return generated_text.still(self._fields["text"], self._sentence(), self._places())

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
            case ["press", "write"] if self._is_writing:
                self._pause()
            case ["press", "write" | "begin"]:
                self._begin()
            case ["press", "more"] if self._can_go_on():
                self._go_on()
            case ["press", str(button)] if button in self._alternatives():
                self._take(int(button.split()[1]))
            case ["press", str(button)] if button in self._buttons():
                self._at = int(button.split()[1])
            case ["set", str(name), str(text)] if name in self._fields:
                self._fields[name] = text
            case _:
                raise ValueError(f"{action!r} is nothing that can be done here.")

    def _begin(self) -> None:
        """Begin to write, from the text that stands in its field."""
        self._prompt, self._written, self._at, self._most = [], [], None, self._tokens
        is_drawn = self._fields["choose"] == "drawn"
        self._begun = _Asked(
            self._fields["text"],
            self._attention if self._fields["whose"] == "yours" else None,
            read_positive_entry("Temperature", self._fields["temperature"]) if is_drawn else None,
            read_whole_entry("Seed", self._fields["seed"]) if is_drawn else 0,
        )
        self._write_after()

    def _write_after(self) -> None:
        """Begin to write behind what is written."""
        after = [token.id for token in self._written]
        text, attention, temperature, seed = self._begun
        self._speech = Speech(text, attention, self._most - len(after), temperature, seed + len(after), after)
        self._is_writing, self._has_ended = True, False

    def _go_on(self) -> None:
        """Write on where it was stopped, or some more where all was written."""
        if self._speech is not None and len(self._written) < self._most:
            self._is_writing = True
        else:
            self._write_more()

    def _write_more(self) -> None:
        self._most = min(len(self._written) + self._tokens, MOST - len(self._prompt))
        self._write_after()

    def _take(self, rank: int) -> None:
        """Let another of the likeliest tokens stand at the place that is looked at, and write on from there."""
        place = self._shown()
        self._written[place:] = [self._written[place].instead(rank)]
        self._at = None
        self._write_more()

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
                is_slow = len(self._written) == 1 and self._seconds() > LONG
                self._is_writing = not is_slow and len(self._written) < self._most
            case Ended():
                self._end()
                self._has_ended = True

    def _pause(self) -> None:
        """Write no more for now; what can be asked again is asked then."""
        self._is_writing = False
        if self._speech is not None and not self._speech.stop():
            self._speech = None

    def _can_go_on(self) -> bool:
        """Whether there is something to write behind, and room for it."""
        room = MOST - len(self._prompt) - len(self._written)
        return bool(self._written) and room > 0 and not self._is_writing and not self._has_ended

    def _end(self) -> None:
        """Write no more."""
        if self._speech is not None:
            self._speech.stop()
        self._speech, self._is_writing = None, False

    def _seconds(self) -> float:
        """Return about how long the whole text takes; with the cache that is nothing to speak of."""
        if self._begun.attention is None:
            return 0.0
        return seconds_in_all(self._written[0].seconds, len(self._prompt), self._most)

    # What the screen shows

    def _buttons(self) -> list[str]:
        return [f"token {place}" for place in range(len(self._written))]

    def _alternatives(self) -> list[str]:
        """List the buttons of what could stand at the place that is looked at; what does stand there has none."""
        if not self._written:
            return []
        place = self._written[self._shown()]
        return [f"take {rank}" for rank, (id, *_) in enumerate(place.likeliest, 1) if id != place.id]

    def _shown(self) -> int:
        """Return the place that is looked at."""
        return len(self._written) - 1 if self._at is None else self._at

    def _places(self) -> list[WrittenToken]:
        return [WrittenToken(each.text, each.share, each.rank, _likeliest(each)) for each in self._written]

    def _sentence(self) -> str:
        count = len(self._written)
        if self._is_writing and not self._prompt:
            return "Opening the model … The first time on a machine, this takes up to a minute."
        if self._is_writing:
            return f"Writing token {count + 1} of {self._most}{self._progress()} …{self._pace()}"
        if not count:
            anew = " Your attention gets all tokens anew for each; the first one is timed." if self._attention else ""
            return f"Press Write: it adds up to {self._tokens} tokens, one by one.{anew}"
        return f"{counted(count, 'token')} written.{self._why_no_more()}{self._pace()}"

    def _why_no_more(self) -> str:
        if self._has_ended:
            return " There the model ended the text."
        return " Press Write on for more." if self._can_go_on() else f" A text has at most {MOST} tokens here."

    def _progress(self) -> str:
        return f", layer {self._speech.layer}" if self._speech and self._speech.layer else ""

    def _pace(self) -> str:
        """Say how fast it is."""
        if not self._written or self._begun.attention is None:
            return ""
        first, whole = self._written[0].seconds, self._seconds()
        return f" With your attention, the first took {first:.2f} s; {self._most} need about {max(1, whole):.0f} s."

    def _status(self) -> str:
        """Say what is news for those who do not see the picture: while it writes, only that it writes."""
        if self._is_writing:
            return "Writing …"
        return f"{self._sentence()} {self.written}" if self._written else self._sentence()

    def _update(self) -> Update:
        at = self._shown()
        parts: dict[str, str] = {
            "told": escaped(self._sentence()),
            "flow": generated_text.flow(self._prompt or [self._fields["text"]], self._places(), at),
            "likeliest": generated_text.likeliest(self._places(), at, self._begun.temperature)
            if self._written
            else Markup(""),
            "alert": escaped(self._alert),
            "status": escaped(self._status()),
        }
        return Update(
            fields={"controls": self._fields},
            on=["write"] if self._is_writing else [],
            off=[] if self._can_go_on() else ["more"],
            parts=parts,
        )


def _likeliest(token: Token) -> list[Alternative]:
    return [Alternative(text, share, id == token.id) for id, text, share in token.likeliest]

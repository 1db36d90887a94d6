"""Has the model speak in another process, so that it can be stopped, whatever the attention inside it does."""

import json
import linecache
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mha_course.engine.isolated_call.isolated_call import MOST_MEMORY, packed
from mha_course.engine.isolated_call.own_code import own_code
from mha_course.engine.isolated_call.warm_process import WarmProcess

SPEAKING = "mha_course.widgets.generation_process"
SECONDS = 30.0  # that one token may take
OPENING = 180.0  # seconds in which a slow machine has converted the model
PATIENCE = 0.08  # seconds that one look waits for news
SETTLING = 0.15  # seconds that a new text waits until the one before has written its last token
OF_THE_MODEL = 7 * 10**8  # bytes that are counted for the process, but shared by all

_child: WarmProcess | None = None
_present: "Speech | None" = None  # for which the process works


@dataclass(frozen=True)
class Begun:
    """The model is ready to go on after these tokens."""

    prompt: list[str]


@dataclass(frozen=True)
class Token:
    """One token that was written. likeliest: (id, text, share) of the five at this place. rank: of this one, from 1."""

    id: int
    text: str
    adds: str  # to the text: nothing while a character is incomplete
    share: float
    rank: int
    likeliest: list[tuple[int, str, float]]
    seconds: float

    def instead(self, rank: int) -> "Token":
        """Return one of the likeliest that could stand in its place; rank: of that one, from 1."""
        id, text, share = self.likeliest[rank - 1]
        return replace(self, id=id, text=text, adds=text, share=share, rank=rank)


@dataclass(frozen=True)
class Ended:
    """The model has no more to say."""


class SpeechStopped(ValueError):
    """Nothing more comes, for the reason that it tells."""


News = Begun | Token | Ended


class Speech:
    """One text that the model goes on with, token by token, each when it is asked for. after: ids behind it."""

    def __init__(
        self,
        text: str,
        attention: Callable[..., object] | None,
        tokens: int,
        temperature: float | None,
        seed: int,
        after: Sequence[int] = (),
    ) -> None:
        """Begin. Errors: `SpeechStopped` if it cannot."""
        global _present
        self.layer, self._shapes = 0, ""
        self._is_custom, self._end = attention is not None, 0.0
        settings = {"tokens": tokens, "temperature": temperature, "seed": seed}
        if _present is not None and not _present._is_at_rest():
            _end()
        _present = self
        self._send(("begin", text, list(after), _packed(attention), _lines(attention), settings), OPENING)

    @property
    def is_waited_for(self) -> bool:
        """Whether something was asked for that has not come."""
        return bool(self._end)

    def news(self) -> News | None:
        """Ask for the next token, unless it was asked for; return it, or None if it is not there in a moment.

        Errors: `SpeechStopped` if there will be none.
        """
        if _present is not self or _child is None:
            raise SpeechStopped("Another text was begun meanwhile. Press Write to begin this one again.")
        if not self.is_waited_for:
            self._send(("next",), SECONDS)
        until = time.monotonic() + PATIENCE
        while (left := until - time.monotonic()) > 0:
            match _child.answer(left):
                case ("layer", layer, shapes):
                    self.layer, self._shapes = int(layer), shapes
                case None:
                    break
                case answer:
                    self._end = 0.0
                    return self._read(answer)
        self._watch(_child)
        return None

    def stop(self) -> bool:
        """Write no more for now, and return whether it could go on. An attention from outside is ended at once."""
        if _present is self and self.is_waited_for and self._is_custom:
            _end()
            return False
        return True

    def _is_at_rest(self) -> bool:
        """Whether the process can be asked for something else, perhaps in a moment."""
        return not self.is_waited_for or (
            not self._is_custom and _child is not None and _child.answer(SETTLING) is not None
        )

    def _read(self, answer: tuple[str, ...]) -> News:
        match answer:
            case ("begun", tokens):
                return Begun(json.loads(tokens))
            case ("token", told):
                fields = json.loads(told)
                return Token(**fields | {"likeliest": [tuple(each) for each in fields["likeliest"]]})
            case ("ended",):
                return Ended()
            case ("failed", sentence):
                raise SpeechStopped(sentence)
            case ("raised", name):
                raise SpeechStopped(self._where(f"it raised {name}"))
        _end()
        raise SpeechStopped(self._where("it ended Python itself, as os._exit does, or a crash inside a library"))

    def _watch(self, child: WarmProcess) -> None:
        """End what takes too long or too much. Errors: `SpeechStopped` then."""
        if time.monotonic() > self._end:
            _end()
            raise SpeechStopped(self._where(f"one token took more than {SECONDS:.0f} seconds"))
        if child.memory() > MOST_MEMORY + OF_THE_MODEL:
            _end()
            raise SpeechStopped(self._where(f"it used more than {MOST_MEMORY / 2**30:g} GB of memory"))

    def _where(self, why: str) -> str:
        if self._is_custom and self.layer:
            return f"Layer {self.layer}: your attention was stopped, because {why}. It got {self._shapes}."
        return f"The model was stopped, because {why}. Press Write to begin again."

    def _send(self, what: tuple[object, ...], seconds: float) -> None:
        global _child
        try:
            if _child is None or not _child.is_alive:
                _end()
                _child = WarmProcess(SPEAKING)
            _child.send(seconds, pickle.dumps(what))
        except OSError as error:
            _end()
            raise SpeechStopped(f"No process can be started in which the model speaks: {error}.") from None
        self._end = time.monotonic() + seconds


def _packed(attention: Callable[..., object] | None) -> bytes | None:
    if attention is None:
        return None
    try:
        return packed(attention, ())
    except Exception as error:
        raise SpeechStopped(
            f"Your attention cannot be sent to the process in which the model speaks: {error}. "
            "Does it use something large, or something open, that stands outside of it?"
        ) from None


def _lines(attention: Any) -> dict[str, list[str]]:
    """Return the source of a learner's function, so that the line of an error can be told."""
    return {code.co_filename: linecache.getlines(code.co_filename) for code in own_code(attention)}


def _end() -> None:
    global _child
    if _child is not None:
        _child.stop()
        _child = None

"""The process in which the model speaks: it writes one token for each call that it is sent. See `generation`."""

import faulthandler
import json
import linecache
import pickle
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from mha_course.engine.isolated_call.process import GRACE, Tell, serve
from mha_course.language_model.model import ENDS, RealModel, Spoken, real_model
from mha_course.maths.formulas import softmax

LIKELIEST = 5  # tokens that are told for each place


class Watched:
    """An attention that tells in which layer it is called, and with what."""

    def __init__(self, attention: Any, layers: int, tell: Tell) -> None:
        """Begin before the first layer."""
        self._attention, self._layers, self._tell = attention, layers, tell
        self._layer = 0
        self.__code__ = getattr(attention, "__code__", None)  # by which the line of an error is found

    def __call__(self, *given: np.ndarray) -> Any:
        """Return what the attention does."""
        self._layer = self._layer % self._layers + 1
        shapes = (f"{name} {array.shape}" for name, array in zip(("Q", "K", "V", "mask"), given, strict=True))
        self._tell("layer", str(self._layer), ", ".join(shapes))
        return self._attention(*given)


class Speaker:
    """The model, with a text that it is writing."""

    def __init__(self) -> None:
        """Begin with nothing to write; the model is opened for the first text."""
        self._written: Iterator[Spoken] = iter(())
        self._temperature = 1.0

    def make(self, sent: bytes, seconds: float, tell: Tell) -> None:
        """Do what was sent, ("begin", …) or ("next",), and tell what came of it in at most so many seconds."""
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True)  # should nobody be left to end this process
        try:
            match pickle.loads(sent):
                case ("begin", text, after, packed, lines, settings):
                    tell("begun", self._begin(text, after, packed, lines, settings, tell))
                case ("next",):
                    tell(*self._next())
        except BaseException as error:  # whatever a learner's code raises while it is unpacked
            if isinstance(error, (ValueError, ImportError, OSError)) and str(error):
                tell("failed", str(error))
            else:
                tell("raised", type(error).__name__)
        faulthandler.cancel_dump_traceback_later()

    def _begin(
        self,
        text: str,
        after: list[int],
        packed: bytes | None,
        lines: dict[str, list[str]],
        settings: dict[str, Any],
        tell: Tell,
    ) -> str:
        """Make ready to write behind the text and the tokens after it; return the text's tokens, as JSON."""
        model = real_model()
        for name, source in lines.items():  # else no line of a notebook could be shown here
            linecache.cache[name] = (len("".join(source)), None, source, name)
        attention = None
        if packed is not None:
            function, _ = pickle.loads(packed)
            attention = Watched(function, len(model.parameters.layers), tell)
        is_at_end = model.text(after[-1:]) in ENDS
        self._written = iter(()) if is_at_end else model.stream([*model.ids(text), *after], attention, **settings)
        self._temperature = settings["temperature"] or 1.0
        return json.dumps(model.tokenize(text))

    def _next(self) -> tuple[str, ...]:
        """Write one token, and return it with the likeliest ones, as JSON."""
        begin = time.perf_counter()
        with np.errstate(all="ignore"):
            spoken = next(self._written, None)
        seconds = time.perf_counter() - begin
        return ("ended",) if spoken is None else ("token", json.dumps(self._told(real_model(), spoken, seconds)))

    def _told(self, model: RealModel, spoken: Spoken, seconds: float) -> dict[str, Any]:
        shares = softmax(spoken.logits.astype(np.float64), temperature=self._temperature)
        best = np.argsort(-shares, kind="stable")[:LIKELIEST].tolist()
        return {
            "id": spoken.id,
            "text": model.text([spoken.id]),
            "adds": spoken.text,
            "share": float(shares[spoken.id]),
            "rank": int(np.count_nonzero(shares > shares[spoken.id])) + 1,
            "likeliest": [(id, model.text([id]), float(shares[id])) for id in best],
            "seconds": seconds,
        }


if __name__ == "__main__":
    serve(Speaker().make)

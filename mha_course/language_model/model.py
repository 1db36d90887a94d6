"""The model as a lesson uses it: it reads a text, and it speaks."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mha_course.engine.validation import read_count, read_positive
from mha_course.language_model import store
from mha_course.language_model.custom_attention import CustomAttention, in_layer
from mha_course.language_model.decoder import TUNING, Attention, KeyValueCache, attend, decode, logits
from mha_course.language_model.duration_estimate import told_if_long
from mha_course.language_model.generation_arguments import (
    Text,
    read_given_ids,
    read_head,
    read_ids,
    read_kept,
    read_text,
)
from mha_course.language_model.missing_model import NoRoomForModel
from mha_course.language_model.next_token import Choose, most_probable, sampler
from mha_course.language_model.parameters import Parameters
from mha_course.language_model.text_reading import Reading
from mha_course.language_model.tokens import INCOMPLETE, Tokens
from mha_course.maths.which_head import Head

ENDS = ("<|endoftext|>", "<|im_end|>")


class HeadParameters(NamedTuple):
    """One head's own columns of W_Q, rows of W_O, and those of the key/value head that it shares."""

    W_Q: np.ndarray  # (576, 64)
    W_K: np.ndarray  # (576, 64)
    W_V: np.ndarray  # (576, 64)
    W_O: np.ndarray  # (64, 576)

    @property
    def looks(self) -> np.ndarray:
        """W_Q W_Kᵀ: who looks at whom, before the rotary positions turn queries and keys: (576, 576)."""
        return self.W_Q @ self.W_K.T

    @property
    def carries(self) -> np.ndarray:
        """W_V W_O: what is carried: (576, 576)."""
        return self.W_V @ self.W_O


class Spoken(NamedTuple):
    """One token that the model wrote."""

    text: str  # what it adds; nothing while a character is incomplete
    id: int
    logits: np.ndarray  # from which it was chosen: (vocabulary,)


class RealModel:
    """SmolLM2-135M-Instruct: 30 layers of 9 heads. `real_model` opens it."""

    def __init__(self, parameters: Parameters, tokens: Tokens) -> None:
        """Take the parameters and the tokenizer."""
        self.parameters, self._tokens = parameters, tokens
        self._ends = {tokens.ids(text)[0] for text in ENDS}

    def __repr__(self) -> str:
        layers, heads = len(self.parameters.layers), self.parameters.num_heads
        return f"SmolLM2-135M-Instruct({layers} layers of {heads} heads, {len(self.parameters.embedding):,} tokens)"

    def tokenize(self, text: str) -> list[str]:
        """Return the texts of a text's tokens.

        Errors: `TypeError` if it is no string, `ValueError` for half of a character.
        """
        return self._tokens.texts(self.ids(text))

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's tokens. Errors: those of `tokenize`."""
        return self._tokens.ids(read_text(text))

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of ids. Errors: `TypeError` for what is no list of ids, `ValueError` for one there is not."""
        return self._tokens.text(read_given_ids("ids", ids, len(self.parameters.embedding)))

    def head(self, layer: int, head: int) -> HeadParameters:
        """Return the parameters of one head, both numbers counted from 1, as in 19.7.

        Errors: `ValueError` for a head that there is not.
        """
        layer, head = read_head((layer, head), self.parameters)
        p, own, d_k = self.parameters, self.parameters.layers[layer - 1], self.parameters.d_k
        query = slice((head - 1) * d_k, head * d_k)
        shared = (head - 1) // (p.num_heads // p.num_kv_heads)
        key = slice(shared * d_k, (shared + 1) * d_k)
        return HeadParameters(own.W_Q[:, query], own.W_K[:, key], own.W_V[:, key], own.W_O[query])

    def read(self, text: Text, attention: CustomAttention | None = None, without: Collection[Head] = ()) -> Reading:
        """Return what every layer made of a text, or of the ids of its tokens.

        attention: your own, called once in each layer with Q, K, V (1, 9, n, 64) and a mask (1, n, n), True where a
        query may attend; it returns the output, (1, 9, n, 64). without: heads that are switched off, say {(19, 7)};
        what such a head adds is left out before W_O.

        Errors: `ValueError` or `TypeError` saying what cannot be read, `AttentionStopped` naming the layer in which
        the attention failed.

        >>> reading = real_model().read("Innovators create")
        >>> reading
        Reading(3 tokens, weights (30, 9, 3, 3), logits (3, 49152))
        >>> reading.tokens
        ['Innov', 'ators', ' create']
        """
        ids = self._read_ids(text)
        attentions = self._attentions(attention)
        cache = KeyValueCache(self.parameters, len(ids))
        with TUNING.chosen():
            first, layers = decode(self.parameters, ids, attentions, read_kept(without, self.parameters), cache)
        custom = None if attention is None else attentions
        return Reading(ids, self._tokens.texts(ids), layers, first, self.parameters, custom)

    def speak(
        self,
        text: Text,
        attention: CustomAttention | None = None,
        tokens: int = 16,
        temperature: float | None = None,
        seed: int | None = None,
        without: Collection[Head] = (),
    ) -> str:
        """Return what the model adds to a text: so many tokens, or fewer if it ends the text by itself.

        It always takes the most probable token, unless a temperature is given: then it samples, and a seed makes
        that repeatable. attention and without are those of `read`. Your own attention works without a cache: it gets
        all tokens each time. If that takes long, you are told after the first token.

        Errors: those of `read`; `ValueError` or `TypeError` naming any other argument that does not fit.

        >>> real_model().speak("The capital of France is", tokens=2)
        ' Paris.'
        """
        spoken = self.stream(text, attention, tokens, temperature, seed, without)
        if attention is not None:
            spoken = told_if_long(spoken, len(self._read_ids(text)), tokens)
        return "".join(each.text for each in spoken)

    def stream(
        self,
        text: Text,
        attention: CustomAttention | None = None,
        tokens: int = 16,
        temperature: float | None = None,
        seed: int | None = None,
        without: Collection[Head] = (),
    ) -> Iterator[Spoken]:
        """Yield token by token what `speak` returns in one piece, each with the logits that it was chosen from.

        Errors: those of `speak`.

        >>> [step.text for step in real_model().stream("The capital of France is", tokens=2)]
        [' Paris', '.']
        """
        ids = self._read_ids(text, read_count("tokens", tokens))
        seed = None if seed is None else read_count("seed", seed, least=0)
        choose = most_probable if temperature is None else sampler(read_positive("temperature", temperature), seed)
        return self._written(ids, attention, tokens, choose, read_kept(without, self.parameters))

    def _written(
        self, ids: list[int], attention: CustomAttention | None, tokens: int, choose: Choose, kept: np.ndarray
    ) -> Iterator[Spoken]:
        attentions = self._attentions(attention)
        cache, new = KeyValueCache(self.parameters, len(ids) + tokens), ids
        written: list[int] = []
        said = ""
        while len(written) < tokens:
            with TUNING.chosen():
                _, layers = decode(self.parameters, new, attentions, kept, cache)
                row = logits(self.parameters, layers[-1].X[0, -1:])[0]  # (vocabulary,)
            written.append(choose(row))
            if written[-1] in self._ends:
                return
            whole = self._tokens.text(written)
            if whole.endswith(INCOMPLETE) and len(written) < tokens:
                whole = said
            yield Spoken(whole[len(said) :], written[-1], row)
            said, new = whole, written[-1:]
            if attention is not None:  # it gets all tokens each time: its queries are as many as its keys
                cache.length, new = 0, ids + written

    def _attentions(self, attention: CustomAttention | None) -> list[Attention]:
        numbers = range(1, len(self.parameters.layers) + 1)
        return [attend if attention is None else in_layer(number, attention) for number in numbers]

    def _read_ids(self, text: Text, more: int = 0) -> list[int]:
        return read_ids(text, self._tokens, len(self.parameters.embedding), more)


def real_model() -> RealModel:
    """Open the real language model: SmolLM2-135M-Instruct by HuggingFaceTB (Apache-2.0), on this machine.

    The first call on a machine converts it, for some seconds; all later ones share what that one wrote. Its methods
    read(text) and speak(text) take your own attention as attention=….

    Errors: `ImportError` if the model is not installed, `OSError` if its parameters cannot be kept.

    >>> model = real_model()
    >>> model.speak("The capital of France is", tokens=2)
    ' Paris.'
    >>> model.read("Innovators create").weights.shape
    (30, 9, 3, 3)
    """
    return _model(store.place())


@cache
def _model(base: Path) -> RealModel:
    folder = base / store.FOLDER
    for _ in range(3):  # another kernel may replace the folder meanwhile
        try:
            parameters = Parameters.of(*store.opened(folder))
            return RealModel(parameters, Tokens(folder / store.TOKENIZER))
        except store.Damaged:
            store.make(base, _show)
    raise NoRoomForModel(f"The model's parameters in {folder} are damaged again as soon as they are written.")


def _show(share: float) -> None:
    """Show on one line how far the conversion is."""
    end = "\n" if share == 1 else ""
    print(f"\rPreparing the real model, once on this machine: {share:4.0%}", end=end, file=sys.stderr, flush=True)

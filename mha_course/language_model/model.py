"""The model as a lesson uses it: it reads a text, and it speaks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mha_course.language_model import store
from mha_course.language_model.decoder import Attention, KeyValueCache, attend, decode, logits
from mha_course.language_model.foreign import Foreign, in_layer
from mha_course.language_model.missing import NoRoomForModel
from mha_course.language_model.parameters import Parameters
from mha_course.language_model.reading import Reading
from mha_course.language_model.tokens import INCOMPLETE, Tokens
from mha_course.maths.arguments import read_count, read_positive
from mha_course.maths.formulas import softmax

MOST = 512  # tokens, those to be written included: the weights of so many fill 280 MB
ENDS = ("<|endoftext|>", "<|im_end|>")

Text = str | Sequence[int]  # or the ids of its tokens
Heads = Collection[tuple[int, int]]  # (layer, head), both counted from 1
Choice = Callable[[np.ndarray], int]  # the next token's id, from its logits


class Head(NamedTuple):
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
        """Return the texts of a text's tokens."""
        return self._tokens.texts(self._tokens.ids(text))

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's tokens."""
        return self._tokens.ids(text)

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of ids."""
        return self._tokens.text(ids)

    def head(self, layer: int, head: int) -> Head:
        """Return the parameters of one head, both numbers counted from 1, as in 19.7."""
        self._kept([(layer, head)])
        p, own, d_k = self.parameters, self.parameters.layers[layer - 1], self.parameters.d_k
        query = slice((head - 1) * d_k, head * d_k)
        shared = (head - 1) // (p.num_heads // p.num_kv_heads)
        key = slice(shared * d_k, (shared + 1) * d_k)
        return Head(own.W_Q[:, query], own.W_K[:, key], own.W_V[:, key], own.W_O[query])

    def read(self, text: Text, attention: Foreign | None = None, without: Heads = ()) -> Reading:
        """Read a text, or the ids of its tokens, and return what every layer made of it."""
        ids = self._read_ids(text)
        attentions = self._attentions(attention)
        trace = decode(self.parameters, ids, attentions, self._kept(without))
        return Reading(ids, self._tokens.texts(ids), trace, self.parameters, attention and attentions)

    def speak(
        self,
        text: Text,
        attention: Foreign | None = None,
        tokens: int = 16,
        temperature: float | None = None,
        seed: int | None = None,
        without: Heads = (),
    ) -> str:
        """Return what the model adds to a text."""
        return "".join(each.text for each in self.stream(text, attention, tokens, temperature, seed, without))

    def stream(
        self,
        text: Text,
        attention: Foreign | None = None,
        tokens: int = 16,
        temperature: float | None = None,
        seed: int | None = None,
        without: Heads = (),
    ) -> Iterator[Spoken]:
        """Yield token by token what the model adds to a text."""
        ids = self._read_ids(text, read_count("tokens", tokens))
        choose = _greedy if temperature is None else _dice(read_positive("temperature", temperature), seed)
        return self._written(ids, attention, tokens, choose, self._kept(without))

    def _written(
        self, ids: list[int], attention: Foreign | None, tokens: int, choose: Choice, kept: np.ndarray
    ) -> Iterator[Spoken]:
        attentions = self._attentions(attention)
        cache = KeyValueCache(self.parameters, len(ids) + tokens) if attention is None else None
        written: list[int] = []
        said, new = "", ids
        while len(written) < tokens:
            last = decode(self.parameters, new, attentions, kept, cache).last
            row = logits(self.parameters, last[0, -1:])[0]  # (vocabulary,)
            written.append(choose(row))
            if written[-1] in self._ends:
                return
            whole = self._tokens.text(written)
            if whole.endswith(INCOMPLETE) and len(written) < tokens:
                whole = said
            yield Spoken(whole[len(said) :], written[-1], row)
            said, new = whole, written[-1:] if cache else ids + written

    def _attentions(self, attention: Foreign | None) -> list[Attention]:
        numbers = range(1, len(self.parameters.layers) + 1)
        return [attend if attention is None else in_layer(number, attention) for number in numbers]

    def _kept(self, without: Heads) -> np.ndarray:
        """Return 0 for each head that is switched off, 1 for the others: (layers, heads, 1, 1)."""
        layers, heads = len(self.parameters.layers), self.parameters.num_heads
        kept = np.ones((layers, heads, 1, 1), np.float32)
        for each in without:
            match each:
                case (int(layer), int(head)) if 1 <= layer <= layers and 1 <= head <= heads:
                    kept[layer - 1, head - 1] = 0
                case _:
                    raise ValueError(
                        f"There is no head {each!r}: a head is a pair (layer, head), from (1, 1) to ({layers}, {heads})."
                    )
        return kept

    def _read_ids(self, text: Text, more: int = 0) -> list[int]:
        """Return the ids of a text. Errors: `TypeError` or `ValueError` if the model cannot read it."""
        if isinstance(text, str):
            ids = self._tokens.ids(text)
        else:
            ids = [int(id) for id in text]
            size = len(self.parameters.embedding)
            if outside := [id for id in ids if not 0 <= id < size]:
                raise ValueError(f"text has the id {outside[0]}, but the vocabulary has only 0 to {size - 1}.")
        if not ids:
            raise ValueError("text is empty, but the model needs at least one token to begin with.")
        if len(ids) + more > MOST:
            and_more = f", and {more} more are asked for" if more else ""
            raise ValueError(f"text has {len(ids):,} tokens{and_more}, but this course reads at most {MOST} in all.")
        return ids


def _greedy(row: np.ndarray) -> int:
    return int(row.argmax())


def _dice(temperature: float, seed: int | None) -> Choice:
    """Return what draws a token, each as often as its probability says."""
    generator = np.random.default_rng(seed)

    def choose(row: np.ndarray) -> int:
        shares = softmax(row.astype(np.float64), temperature=temperature)
        return int(generator.choice(len(shares), p=shares))

    return choose


def real_model() -> RealModel:
    """Open the real language model: SmolLM2-135M-Instruct by HuggingFaceTB (Apache-2.0), on this machine.

    The first call on a machine converts it (about 10 seconds); all later ones share what that one wrote. Its methods
    read(text) and speak(text) take your own attention as attention=…, called with Q, K, V (1, 9, n, 64) and a mask
    (1, n, n).

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

"""States worth playing with."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from mha_course.engine.validation import read_choice
from mha_course.forward import examples
from mha_course.forward.meaning import PLAIN, Sense
from mha_course.forward.state import RandomInit, State
from mha_course.maths.heads import merge_heads
from mha_course.maths.inputs import token_ids, tokenize, vocabulary, wavelengths

IDENTITY = np.eye(4)
ONE_HEAD_W_O = IDENTITY[:3]  # ours: the article has none


@dataclass(frozen=True)
class Preset:
    """A state to begin with: how it is called on the screen, how to make it, what to look for in it, what it means."""

    label: str
    make: Callable[[], State]
    hint: str
    sense: Sense = PLAIN


def preset(name: str) -> State:
    """Return the state of that name.

    name: its id. Errors: `ValueError` listing the ids there are.

    >>> preset("translation").tokens
    ('le', 'chat', 'dort', 'ici')
    """
    return _made(read_preset(name))


def read_preset(name: str) -> str:
    """Return the id of a preset. Errors: `ValueError` listing the ids there are."""
    return read_choice("preset", name, PRESETS)


def labels() -> dict[str, str]:
    """Return id -> label of every preset."""
    return {each: preset.label for each, preset in PRESETS.items()}


def sense_of(name: str) -> Sense:
    """Return what the numbers of a preset mean; of what is no preset, nothing.

    >>> sense_of("steals").asks[0]
    'who does it'
    """
    return PRESETS[name].sense if name in PRESETS else PLAIN


@cache
def _made(name: str) -> State:
    return PRESETS[name].make()


def _state_of(example: examples.Example, scale: str = "sqrt_d_k", num_heads: int = 1) -> State:
    """Make a state of an example; heads stacked on a first axis are laid side by side."""
    wide = {name: getattr(example, name) for name in ("W_Q", "W_K", "W_V")}
    wide = {name: merge_heads(W) if W.ndim == 3 else W for name, W in wide.items()}
    others = {} if example.context is None else {"context": example.context}
    inputs = {"X": example.X, **others, **wide, "W_O": example.W_O if example.W_O is not None else ONE_HEAD_W_O}
    return State(example.tokens, inputs, num_heads, scale, context_tokens=example.context_tokens)


def _article(scale: str = "sqrt_d_k", stretch: float = 1) -> State:
    state = _state_of(examples.article, scale=scale)
    stretched = {name: state.inputs[name] * stretch for name in ("W_Q", "W_K")}
    return State(state.tokens, state.inputs | stretched, scale=scale)


def _square(tokens: tuple[str, ...], X: np.ndarray, W_Q: np.ndarray) -> State:
    return State(tokens, {"X": X, "W_Q": W_Q, "W_K": IDENTITY, "W_V": IDENTITY, "W_O": IDENTITY})


def _one_word_each(W_Q: np.ndarray) -> State:
    """Four tokens that share no column, so that W_Q alone says who looks at whom."""
    return _square(("one", "two", "three", "four"), IDENTITY, W_Q)


def _eight_copies() -> State:
    article = examples.article
    wide = {name: np.tile(getattr(article, name), 8) for name in ("W_Q", "W_K", "W_V")}
    W_O = np.tile(ONE_HEAD_W_O, (8, 1)) / 8
    return State(article.tokens, {"X": article.X, **wide, "W_O": W_O}, num_heads=8)


def _positions() -> State:
    tokens = ("dog", "bites", "man")
    embeddings = np.array([[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 0, 0]])
    encoding = {"positions": np.arange(3)[:, None], "wavelengths": wavelengths(4)[None].round(2)}
    weights = dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), IDENTITY)
    return State(tokens, {"embeddings": embeddings, **encoding, **weights})


def _paper() -> State:
    tokens = ("<start>", *tokenize(examples.sentence), "<end>")
    ids = token_ids(tokens, vocabulary(tokens))
    names = ("W_Q", "W_K", "W_V", "W_O")
    draws = {"X": RandomInit(seed=0, shape=(len(ids), 512), divisor=1.0)}
    draws |= {name: RandomInit(seed, (512, 512), 16.0) for seed, name in enumerate(names, start=1)}
    return State(tokens, {name: draw.array() for name, draw in draws.items()}, num_heads=8, draws=draws)


def _steals() -> State:
    """The first head alone: it looks for who does it."""
    steals = examples.steals
    assert steals.W_O is not None
    first = {name: getattr(steals, name)[0] for name in ("W_Q", "W_K", "W_V")}
    return State(steals.tokens, {"X": steals.X, **first, "W_O": steals.W_O[:3]})


STEALS = Sense(
    chosen=1,
    asks=("who does it", "what it is done to", "what is done"),
    called={word: f"the {word}" for word in ("dog", "ball", "cat")},
    push=("W_Q", 0, 1),
)
SECOND = Sense(chosen=1)
PRESETS = {
    "steals": Preset(
        "the dog steals",
        _steals,
        "The query of steals looks for who does it. With 1 in row 1, column 2 of W_Q, it looks for what it is done to.",
        STEALS,
    ),
    "steals_two_heads": Preset(
        "the dog steals, two heads",
        lambda: _state_of(examples.steals, num_heads=2),
        "Head 1 looks for who does it, head 2 for what it is done to. What does the result have in columns 5 and 6?",
        STEALS,
    ),
    "article": Preset(
        "the article",
        _article,
        "The article's numbers, with the correct divisor, √3.",
        SECOND,
    ),
    "article_scale_1": Preset(
        "the article, divisor 1",
        lambda: _article("article"),
        "The same with the article's divisor, 1: the weights are sharper.",
        SECOND,
    ),
    "identity": Preset(
        "identity matrices",
        lambda: _square(examples.article.tokens, examples.article.X, IDENTITY),
        "All parameter matrices are the identity, so Q, K, V and X are the same matrix.",
        SECOND,
    ),
    "look_at_yourself": Preset(
        "look at yourself",
        lambda: _one_word_each(IDENTITY * 8),
        "Each query matches its own key, and no other.",
        SECOND,
    ),
    "previous_token": Preset(
        "look at the previous token",
        lambda: _one_word_each(np.roll(IDENTITY, -1, axis=1) * 8),
        "W_Q turns each token's row into the key of the token before it; the first looks at the last.",
        SECOND,
    ),
    "causal": Preset(
        "causal: no look ahead",
        lambda: replace(_one_word_each(np.roll(IDENTITY, 1, axis=1) * 8), mask="causal"),
        "Each query matches the key of the next token best, but may not look ahead. Set Mask to none: what changes?",
        SECOND,
    ),
    "equal_scores": Preset(
        "all scores equal",
        lambda: _square(examples.article.tokens, examples.article.X, IDENTITY * 0),
        "Queries of zeros match all keys alike: every output is the plain mean of the values.",
    ),
    "saturated": Preset(
        "saturated",
        lambda: _article(stretch=4),
        "Almost all weights are near 0 or 1; two, of equal scores, near ½. Change W_K a little: which row moves?",
        SECOND,
    ),
    "eight_identical_heads": Preset(
        "eight identical heads",
        _eight_copies,
        "Eight copies see nothing that one does not. Change one entry of W_Q: which blocks move?",
        SECOND,
    ),
    "two_heads": Preset(
        "two heads",
        lambda: _state_of(examples.two_heads, num_heads=2),
        "Head 1 looks least at innovators. Where does head 2 look?",
    ),
    "translation": Preset(
        "translation",
        lambda: _state_of(examples.translation, num_heads=2),
        "Queries from one sentence, keys and values from another, with made-up numbers. Every size is different.",
        SECOND,
    ),
    "positions": Preset(
        "positions",
        _positions, "X is the sum of embeddings and waves. Change a position or a wavelength."),
    "paper_size": Preset(
        "the paper's size",
        _paper,
        "Ten tokens of width 512 in 8 heads of 64, all at random. Long rows show their first and last entries.",
    ),
}  # fmt: skip

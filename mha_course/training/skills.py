"""What a small model can learn: each skill with its sentences, and the model that suits it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from mha_course.engine.validation import is_whole
from mha_course.maths.masks import causal_mask
from mha_course.maths.small_model import Design
from mha_course.training import sentences
from mha_course.training.sentences import ALPHABET, Sentences


@dataclass(frozen=True)
class Skill:
    """A skill. label: what a list of skills calls it. words: what is to be written, in a sentence.

    ask: sentences of ids -> what is right, and where it is. shown: a sentence to look at. draw_ids: of a number of
    sentences of n letters. n: of the sentences it is trained on. num_layers: as many as it takes. lengths: of words;
    () where there are none. is_causal: whether nobody may look ahead. crosses: whether queries are made from
    positions alone. base, loudness: of its model's `Design`. Where positions decide, short waves and quiet letters let
    a head tell neighbours apart; where letters decide, they would tempt it to learn distances by heart.
    """

    name: str
    label: str
    words: str
    ask: Callable[[np.ndarray], Sentences]
    shown: str
    draw_ids: Callable[["np.random.Generator", int, int, tuple[int, ...]], np.ndarray] = sentences.letters
    n: int = 8
    num_layers: int = 1
    lengths: tuple[int, ...] = ()
    is_causal: bool = True
    crosses: bool = False
    base: float = Design.base
    loudness: float = Design.loudness

    def draw(self, rng: "np.random.Generator", count: int, lengths: tuple[int, ...]) -> Sentences:
        """Sample sentences to learn from."""
        return self.ask(self.draw_ids(rng, count, self.n, lengths))

    def mask(self, n: int) -> np.ndarray | None:
        """Return the causal mask, (n, n), or None where every query may look everywhere."""
        return causal_mask(n) if self.is_causal else None


SKILLS = {
    skill.name: skill
    for skill in (
        Skill(
            "repeat",
            "go on with the word",
            "A word is repeated. At each position, write the letter that comes next.",
            sentences.after_earlier,
            "fkcahjfkcahjfkca",
            sentences.repeated_words,
            n=16,
            num_layers=2,
            lengths=(4, 5, 7, 8),
        ),
        Skill(
            "previous",
            "the previous letter",
            "At each position, write the letter before it.",
            sentences.previous,
            "cabafeed",
            base=10,
            loudness=0.25,
        ),
        Skill(
            "first",
            "the first letter",
            "At each position, write the first letter.",
            sentences.first,
            "cabafeed",
            base=10,
            loudness=0.25,
        ),
        Skill(
            "reverse",
            "backwards",
            "Write the letters from the last to the first. Here queries are made from positions alone, keys and values "
            "from letters as well.",
            sentences.reversed_,
            "cabafeed",
            is_causal=False,
            crosses=True,
            base=10,
            loudness=0.25,
        ),
        Skill(
            "sort",
            "in the order of the alphabet",
            "Write the letters in the order of the alphabet.",
            sentences.sorted_,
            "cabaf",
            n=5,
            num_layers=2,
            is_causal=False,
        ),
    )
}


def read_skill(name: str) -> Skill:
    """Return the skill of that name.

    Errors: `ValueError` listing the names there are.

    >>> read_skill("repeat").num_layers
    2
    """
    if not isinstance(name, str) or name not in SKILLS:
        raise ValueError(f"skill is {name!r}, but must be one of {list(SKILLS)}.")
    return SKILLS[name]


def read_lengths(skill: Skill, lengths: Collection[int] | None) -> tuple[int, ...]:
    """Return lengths of words, the skill's own unless given.

    Errors: `ValueError` or `TypeError` for a length that no word of this skill can have.

    >>> read_lengths(SKILLS["repeat"], [3, 6])
    (3, 6)
    """
    if lengths is None:
        return skill.lengths
    if not skill.lengths:
        raise ValueError(f"lengths is {lengths!r}, but {skill.label!r} has no words: leave it out.")
    if isinstance(lengths, str) or not isinstance(lengths, Collection):
        raise TypeError(f"lengths is {lengths!r}, but must be a list of whole numbers.")
    longest = min(skill.n - 1, len(ALPHABET))
    if not lengths or not all(is_whole(each) and 2 <= each <= longest for each in lengths):
        raise ValueError(f"lengths is {lengths!r}, but needs whole numbers from 2 to {longest}.")
    return tuple(map(int, lengths))

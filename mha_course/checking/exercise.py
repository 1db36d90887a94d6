"""What an exercise is: a right function, the mistakes it knows, and the inputs that tell them apart."""

import inspect
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True, eq=False)
class Mistake:
    """Wrong functions with one name, what they do in plain words, and where it has happened.

    where: public threads, "owner/repo #number", separated by commas; empty if none is known.
    ways: the functions that make it, each another way to the same mistake.

    >>> Mistake("The sum is missing.", "Each product stays alone.").by(lambda q, k: q * k).ways[0](2, 3)
    6
    """

    name: str
    why: str
    where: str = ""
    ways: tuple = ()

    def by(self, *ways):
        """Return this mistake as one exercise's function makes it.

        >>> len(Mistake("One too many.", "Counting starts at 0.").by(lambda n: n + 1, lambda n: -~n).ways)
        2
        """
        return replace(self, ways=ways)


@dataclass(frozen=True, eq=False)
class Case:
    """One set of arguments with a few words on what it tries.

    >>> Case("one token", (np.ones((1, 3)),)).words
    'one token'
    """

    words: str
    arguments: tuple


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise: what is right, what to notice then, and what may go wrong.

    name: "lesson.idea". number: as in its heading. right: plain NumPy, so that `traced` arguments
    pass through it. results: the names of what it returns. cases: the first is the task's own
    example. untraced: the arguments that only say which or how many.

    >>> Exercise("scaled_scores.dot", "3.1", "One score", lambda q, k: q @ k, ("score",), (), (), "").arguments
    ('q', 'k')
    """

    name: str
    number: str
    title: str
    right: object
    results: tuple
    cases: tuple
    mistakes: tuple
    notice: str
    untraced: tuple = ()

    @property
    def arguments(self):
        """The names of the function's arguments.

        >>> Exercise("softmax.shares", "4.1", "Shares", lambda row: row, ("shares",), (), (), "").arguments
        ('row',)
        """
        return tuple(inspect.signature(self.right).parameters)


def draw(seed, *shapes):
    """Draw arrays with one decimal from -2 to 2: no two rows alike, and no softmax of them saturates.

    Shapes: tuples of sizes -> a tuple of arrays of these shapes, float64.

    >>> [array.shape for array in draw(0, (2, 3), (3,))]
    [(2, 3), (3,)]
    """
    generator = np.random.default_rng(seed)
    return tuple(generator.integers(-20, 21, shape) / 10 for shape in shapes)

"""Which token comes next: the most probable one, or one that is sampled."""

from collections.abc import Callable

import numpy as np

from mha_course.maths.formulas import softmax

Choose = Callable[[np.ndarray], int]  # the next token's id, from its logits


def most_probable(logits: np.ndarray) -> int:
    """Return the id with the largest logit.

    >>> most_probable(np.array([1.0, 3.0, 2.0]))
    1
    """
    return int(logits.argmax())


def sampler(temperature: float, seed: int | None) -> Choose:
    """Return what samples an id, each as often as its probability says; a seed makes the samples repeatable.

    >>> choose = sampler(temperature=1.0, seed=0)
    >>> [choose(np.log([0.5, 0.1, 0.4])) for _ in range(8)]
    [2, 0, 0, 0, 2, 2, 2, 2]
    """
    generator = np.random.default_rng(seed)

    def choose(logits: np.ndarray) -> int:
        probabilities = softmax(logits.astype(np.float64), temperature=temperature)
        return int(generator.choice(len(probabilities), p=probabilities))

    return choose

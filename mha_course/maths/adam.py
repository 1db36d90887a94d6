"""One step of training: against the gradient, and for each parameter about equally far."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Adam:
    """Change parameters against their gradients, each by about the learning rate, whatever the size of its gradient.

    It keeps two running means for every number: of its gradients, and of their squares. The step is the learning
    rate times the one divided by the root of the other. Both begin at 0, which is made up for.

    rate: the learning rate. decay: how much of each mean is kept.
    Source: Kingma and Ba 2015, algorithm 1.

    The first step is as long as the learning rate, for a steep gradient and for a flat one:

    >>> adam = Adam(rate=0.1)
    >>> adam.step({"W": np.array([1.0, 1.0])}, {"W": np.array([200.0, -0.5])})["W"].round(6).tolist()
    [0.9, 1.1]
    """

    rate: float = 3e-3
    decay: tuple[float, float] = (0.9, 0.99)
    eps: float = 1e-8
    steps: int = 0
    _means: dict[str, np.ndarray] = field(default_factory=dict)
    _squares: dict[str, np.ndarray] = field(default_factory=dict)

    def step(self, parameters: Mapping[str, np.ndarray], gradients: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the parameters after one step; those given stay as they are."""
        self.steps += 1
        first, second = self.decay
        made_up = [1 - each**self.steps for each in self.decay]
        after = {}
        for name, values in parameters.items():
            gradient = gradients[name]
            self._means[name] = first * self._means.get(name, 0) + (1 - first) * gradient
            self._squares[name] = second * self._squares.get(name, 0) + (1 - second) * gradient * gradient
            mean, square = self._means[name] / made_up[0], self._squares[name] / made_up[1]
            after[name] = values - self.rate * mean / (np.sqrt(square) + self.eps)
        return after


def clipped(gradients: Mapping[str, np.ndarray], longest: float) -> dict[str, np.ndarray]:
    """Return gradients that are together at most so long, in the same direction: one steep place moves nothing far.

    Source: Pascanu, Mikolov and Bengio 2013, algorithm 1.

    >>> short = clipped({"W_Q": np.array([3.0]), "W_K": np.array([4.0])}, longest=1)
    >>> {name: gradient.round(6).tolist() for name, gradient in short.items()}
    {'W_Q': [0.6], 'W_K': [0.8]}
    """
    length = sum(float((gradient * gradient).sum()) for gradient in gradients.values()) ** 0.5
    if length <= longest:
        return dict(gradients)
    return {name: gradient * (longest / length) for name, gradient in gradients.items()}

"""The fixed arrays and the sentence that the course talks about."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Example:
    """Tokens, their input rows and the parameter matrices; the arrays are read-only.

    Shapes: X (n_q, d_model), context (n_k, d_model), W_Q and W_K ([h,] d_model, d_k),
    W_V ([h,] d_model, d_v), W_O (h · d_v, d_model). Whole numbers throughout. features: what the columns of X mean,
    where they mean something; questions: those of Q and K.

    >>> article.X.shape, article.W_Q.shape
    ((3, 4), (4, 3))
    """

    tokens: tuple[str, ...]
    X: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray | None = None
    context_tokens: tuple[str, ...] | None = None
    context: np.ndarray | None = None
    features: tuple[str, ...] | None = None
    questions: tuple[str, ...] | None = None


def _fixed(rows: object) -> np.ndarray:
    array = np.array(rows)
    array.setflags(write=False)
    return array


sentence = "Innovators create and disrupt in equal measure."

# The published nine-step walk. Its numbers name no words; the three labels are ours.
article = Example(
    tokens=("innovators", "create", "disrupt"),
    X=_fixed([[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]),
    W_Q=_fixed([[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]),
    W_K=_fixed([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]]),
    W_V=_fixed([[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]]),
)

# Head 1 is the published one, head 2 and W_O are ours: the walk has neither.
two_heads = Example(
    tokens=article.tokens,
    X=article.X,
    W_Q=_fixed([article.W_Q, [[1, 0, 0], [-1, -1, 0], [0, 0, 1], [0, 1, 1]]]),
    W_K=_fixed([article.W_K, [[0, 0, 1], [1, 0, 0], [0, 1, 1], [1, 0, 1]]]),
    W_V=_fixed([article.W_V, [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 0]]]),
    W_O=_fixed([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]),
)

# *The dog steals a ball from the cat.* Every column means something, so every row can be read. Head 1 asks who does it
# (words that name somebody or something ask for the action), head 2 what it is done to. The columns of the values are
# action, animate, small in head 1, and animate, thing, small in head 2. What comes back is put into "by" and "to".
steals = Example(
    tokens=("dog", "steals", "ball", "cat"),
    features=("action", "animate", "thing", "small", "by", "to"),
    questions=("who?", "what?", "does?"),
    X=_fixed([[0, 2, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0], [0, 0, 2, 1, 0, 0], [0, 2, 0, 1, 0, 0]]),
    W_Q=_fixed([
        [[1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ]),
    W_K=_fixed([[[0, 0, 2], [2, 0, 0], [0, 4, 0], [-2, 0, 0], [0, 0, 0], [0, 0, 0]]] * 2),
    W_V=_fixed([
        [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]],
    ]),
    W_O=_fixed([
        [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0],
    ]),
)  # fmt: skip

# All sizes different: n_q = 4, n_k = 5, d_model = 7, d_k = 3, d_v = 6, h = 2. A wrong axis shows.
translation = Example(
    tokens=("le", "chat", "dort", "ici"),
    X=_fixed([
        [1, 0, 1, 0, 0, 2, 2],
        [2, 0, 0, 0, 0, 0, 0],
        [0, 1, 1, 1, 1, 1, 0],
        [0, 0, 1, 1, 0, 0, 0],
    ]),
    context_tokens=("the", "cat", "is", "sleeping", "here"),
    context=_fixed([
        [0, 1, 1, 0, 0, 0, 1],
        [0, 0, 0, 1, 1, 0, 0],
        [0, 0, 1, 0, 2, 0, 1],
        [1, 1, 0, 0, 1, 0, 0],
        [1, 1, 0, 0, 1, 1, 2],
    ]),
    W_Q=_fixed([
        [[0, -1, 0], [1, 1, 1], [1, 1, 0], [0, 0, 0], [-1, 0, 0], [0, 0, 0], [-1, 1, 0]],
        [[0, -1, 0], [-1, -1, 0], [-1, 1, 0], [0, 0, 0], [1, -1, 0], [0, 0, 0], [0, -1, -1]],
    ]),
    W_K=_fixed([
        [[0, 1, 0], [0, -1, 1], [0, 1, 1], [1, -1, 1], [0, -1, 0], [1, 1, -1], [0, 1, -1]],
        [[0, -1, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 1, 0], [1, 0, 0]],
    ]),
    W_V=_fixed([
        [
            [1, 1, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 1],
            [1, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0],
        ],
        [
            [0, 0, 1, 1, 0, 0], [1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 1], [1, 1, 1, 1, 1, 0],
            [0, 1, 1, 1, 0, 0], [0, 1, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1],
        ],
    ]),
    W_O=_fixed([
        [1, 0, 1, 1, 0, 1, 1], [-1, -1, -1, -1, 1, 1, -1], [0, 1, -1, 1, -1, 0, 1],
        [-1, 0, -1, 1, -1, 1, 0], [0, 0, 0, 0, 0, 1, 1], [1, 1, 0, 0, 1, 0, -1],
        [1, -1, 1, 0, -1, -1, 0], [-1, -1, 0, 1, 0, 1, 1], [1, 0, 0, 0, -1, 0, 0],
        [-1, 1, -1, -1, -1, 1, 1], [1, -1, 1, 0, 0, -1, 0], [1, 0, -1, 0, -1, 1, 1],
    ]),
)  # fmt: skip

"""Predictions of the lesson on how a head learns."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.engine.asking.truths import listed
from mha_course.maths.attention import attention, attention_gradients, softmax
from mha_course.maths.gradients import AttentionGradients

PARAMETERS = (6, 4), (6, 4), (6, 5)  # of W_Q, W_K and W_V
LARGER = 8  # by which the queries are multiplied


def _example():
    """Return Q, K, V and the target of the lesson's head."""
    generator = np.random.default_rng(1)
    X, context = generator.integers(0, 3, size=(2, 6)), generator.integers(0, 3, size=(3, 6))
    W_Q, W_K, W_V, target = (generator.integers(-1, 2, size=size) / 2 for size in (*PARAMETERS, (2, 5)))
    return X @ W_Q, context @ W_K, context @ W_V, target


def _gradients(stretch=1.0) -> AttentionGradients:
    """Return the gradients of the lesson's head, its queries multiplied by a number, and G as it is without."""
    Q, K, V, target = _example()
    return attention_gradients(stretch * Q, K, V, attention(Q, K, V).output - target)


def _length(array):
    return float(np.sqrt((array**2).sum()))


def _after_stretching():
    """Which of the gradients of K and V are smaller by more than half where the queries are larger."""
    before, after = _gradients(), _gradients(LARGER)
    shrinks = {name: _length(getattr(after, name)) < _length(getattr(before, name)) / 2 for name in ("K", "V")}
    return {(True, False): "K", (False, True): "V", (True, True): "both", (False, False): "none"}[*shrinks.values()]


def _at_the_start():
    """Return how long the gradients of W_Q, W_K and W_V are before the first step of training."""
    letters = np.random.default_rng(0).integers(4, size=(64, 6))
    positions = np.broadcast_to(np.eye(6), (64, 6, 6))
    sentences = np.concatenate([np.eye(4)[letters], positions], axis=-1)
    answers = np.pad(np.eye(4)[letters[:, :-1]], [(0, 0), (1, 0), (0, 0)])
    generator = np.random.default_rng(1)
    Q, K, V = (sentences @ (0.1 * generator.normal(size=(10, width))) for width in (6, 6, 4))
    predicted = softmax(attention(Q, K, V).output)
    found = attention_gradients(Q, K, V, (predicted * answers.sum(axis=-1, keepdims=True) - answers) / 320)
    return {f"W_{name}": _length((sentences.mT @ getattr(found, name)).sum(axis=0)) for name in "QKV"}


PREDICTIONS = (
    number("learning.passes", """
        W_Q and W_K are 6 × 4, W_V is 6 × 5. Every entry is pushed once up and once down, and each push takes a
        forward pass. How many forward passes is that in all?
        """, right=lambda: 2 * sum(rows * columns for rows, columns in PARAMETERS),
        numbers=lambda: f"{sum(rows * columns for rows, columns in PARAMETERS)} entries, two pushes for each."),
    number("learning.third-slope", f"""
        The first row of dS begins with {listed(_gradients().scores[0, :2], 2).replace(', ', ' and ')}. There are three
        keys. What is the third entry?
        """, right=lambda: round(float(_gradients().scores[0, 2]), 4),
        numbers=lambda: f"the row is {listed(_gradients().scores[0])}, and sums to 0.", tolerance=0.011),
    choice("learning.saturated", f"""
        All queries are multiplied by {LARGER}, so the scores lie further apart. G is kept as it is. Whose gradient
        becomes much smaller?

        - that of V  [V]
          dV is made of the weights and G, and saturated weights are as large as any.
        - both that of K and that of V  [both]
          What passes through the softmax shrinks. The gradient of V does not pass there.
        - that of K  [K]
          It comes through the softmax, which lets little through when saturated.
        - neither  [none]
          Weights near 0 or 1 hardly move with their scores, as lesson 4 measured.
        """, right=_after_stretching,
        numbers=lambda: (
            f"the length of dK goes from {_length(_gradients().K):.4f} to {_length(_gradients(LARGER).K):.4f}, "
            "that of dV "
            f"from {_length(_gradients().V):.4f} to {_length(_gradients(LARGER).V):.4f}."
        )),
    choice("learning.first-to-learn", """
        All entries of W_Q, W_K and W_V begin as small random numbers, so all attention weights are nearly equal.
        Which gradient is the largest before the first step?

        - that of W_V  [W_V]
          It passes through no small matrix, the others through V and Q or K.
        - that of W_Q  [W_Q]
          dQ is made of dS and K, and both are small at the start.
        - that of W_K  [W_K]
          dK is made of dS and Q, and both are small at the start.
        - all are about as large  [same]
          What passes through small matrices becomes small itself.
        """, right=lambda: max(_at_the_start(), key=lambda name: _at_the_start()[name]),
        numbers=lambda: ", ".join(f"{name} {size:.4f}" for name, size in _at_the_start().items()) + "."),
)  # fmt: skip

"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mha_course.engine.checking.function_to_repair import ToRepair
from mha_course.engine.checking.sampler import Sampler
from mha_course.forward.examples import article
from mha_course.maths.formulas import (
    attention,
    scaled_scores,
    softmax,
)


def dots_and_weights(keys, divisor):
    """Return what draws so many dot products, and gives them with the weights that they make, so divided."""

    def _drawn(sample):
        (dots,) = sample((keys,))
        return 2 * dots, softmax(2 * dots / divisor)

    return _drawn


def heads_of_each_token(Q, K, V):
    """Let the heads of a token look at each other, as they do where they are left behind the tokens."""
    return attention(Q, K, V).reshape(len(Q), -1)


def sentences(n_q, n_k, d_k, d_v, lengths):
    """Return what draws a sentence for each of the lengths, which it gives in another order."""

    def _drawn(sample):
        batch = len(lengths)
        arrays = sample((batch, n_q, d_k), (batch, n_k, d_k), (batch, n_k, d_v))
        return *arrays, sample.generator.permutation(lengths)

    return _drawn


@dataclass(frozen=True)
class Candidate:
    """A function of Q, K, V that may be attention or not, and does not say which.

    It gives back nan where its inputs do not fit.

    >>> Candidate(lambda Q, K, V: Q @ K)(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)))
    array(nan)
    """

    function: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]

    def __call__(self, Q, K, V):
        """Return what the function gives."""
        try:
            return self.function(Q, K, V)
        except ValueError:
            return np.array(np.nan)

    def __repr__(self):
        return "a function of Q, K and V"


def _attention_with(score=scaled_scores, weigh=softmax):
    """Return an attention in which one step is done in another way."""
    return lambda Q, K, V: weigh(score(Q, K)) @ V


def _attention_divided_by(divisor):
    """Return an attention with another scale. divisor: from Q, K and V."""
    return lambda Q, K, V: softmax(Q @ K.T / divisor(Q, K, V)) @ V


def _strongest(scores):
    """Give all weight to the largest score."""
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def _spoilt(*changes):
    """Return an attention with an output that is off: each change is a place, and by how much of its size.

    What is off by nothing in all is off by its whole size, so that no candidate is right where there is one column.
    """

    def _attend(Q, K, V):
        right = attention(Q, K, V)
        output, size = right.copy(), max(1.0, np.abs(right).max())
        for place, part in changes:
            output[place] += part * size
        return output + size if np.allclose(output, right) else output

    return _attend


EVERYWHERE, FIRST_COLUMN, LAST_COLUMN = (np.s_[:], np.s_[:, 0], np.s_[:, -1])
# Several for each way not to see. Where no known mistake explains a check, the first that it misjudges is told: so
# those that are wrong on purpose come before those that only some inputs let pass.
CANDIDATES = (
    ("attention itself, which is right", attention),
    ("the output turned over", lambda Q, K, V: attention(Q, K, V).T),
    ("numbers that are far too large", _spoilt((EVERYWHERE, 3))),
    ("numbers that are far too small", _spoilt((EVERYWHERE, -3))),
    ("numbers that are a little too large", _spoilt((EVERYWHERE, 0.05))),
    ("numbers that are very little too small", _spoilt((EVERYWHERE, -0.005))),
    ("numbers that are half a percent too large", lambda Q, K, V: 1.005 * attention(Q, K, V)),
    ("nan in every place", lambda Q, K, V: np.nan * attention(Q, K, V)),
    ("the rows in the reverse order", lambda Q, K, V: attention(Q, K, V)[::-1]),
    ("the row of query 1 in every place", lambda Q, K, V: attention(Q[[0] * len(Q)], K, V)),
    ("the row of the last query in every place", lambda Q, K, V: attention(Q[[-1] * len(Q)], K, V)),
    ("a wrong first row", _spoilt((0, 1))),
    ("a wrong last row", _spoilt((-1, 1))),
    ("a wrong first column", _spoilt((FIRST_COLUMN, 1))),
    ("a wrong last column", _spoilt((LAST_COLUMN, 1))),
    ("a wrong first entry", _spoilt(((0, 0), 1))),
    ("a wrong last entry", _spoilt(((-1, -1), 1))),
    ("two wrong entries with the right sum", _spoilt(((0, 0), 1), ((-1, -1), -1))),
    ("wrong rows with the right sums", _spoilt((FIRST_COLUMN, 1), (LAST_COLUMN, -1))),
    ("wrong columns with the right sums", _spoilt((0, 1), (-1, -1))),
    ("a last digit rounded up, which is right", lambda Q, K, V: np.nextafter(attention(Q, K, V), np.inf)),
    ("no scale", _attention_divided_by(lambda Q, K, V: 1)),
    ("a division by d_k", _attention_divided_by(lambda Q, K, V: Q.shape[-1])),
    ("a division by d_k / 2", _attention_divided_by(lambda Q, K, V: Q.shape[-1] / 2)),
    ("a division by 2, whatever d_k is", _attention_divided_by(lambda Q, K, V: 2)),
    ("a division by √n_k", _attention_divided_by(lambda Q, K, V: np.sqrt(len(K)))),
    ("a division by √n_q", _attention_divided_by(lambda Q, K, V: np.sqrt(len(Q)))),
    ("a division by √d_v", _attention_divided_by(lambda Q, K, V: np.sqrt(V.shape[-1]))),
    ("a scale after the softmax", lambda Q, K, V: softmax(Q @ K.T) / np.sqrt(Q.shape[-1]) @ V),
    ("a softmax over the queries", _attention_with(weigh=lambda scores: softmax(scores, axis=0))),
    ("queries and keys swapped", lambda Q, K, V: attention(K, Q, V)),
    ("keys mixed instead of values", lambda Q, K, V: attention(Q, K, K)),
    ("values in place of the keys", lambda Q, K, V: attention(Q, V, V)),
    ("equal weights for all keys", _attention_with(score=lambda Q, K: 0 * (Q @ K.T))),
    ("all weight on the strongest key", _attention_with(weigh=_strongest)),
    ("Q scaled first, which is right", lambda Q, K, V: softmax(Q / np.sqrt(Q.shape[-1]) @ K.T) @ V),
)


def _equal_up_to_rounding(output, right):
    return output.shape == right.shape and np.allclose(output, right)


def equal_within(difference):
    return lambda output, right: output.shape == right.shape and np.allclose(output, right, rtol=0, atol=difference)


def equal_in_shape(output, right):
    return output.shape == right.shape


def equal_in(part):
    """Return a comparison of one part of the output, or of something made from it."""
    return lambda output, right: output.shape == right.shape and np.allclose(part(output), part(right))


def not_above(output, right):
    return output.shape == right.shape and (output - right < EQUAL).all()


def not_below(output, right):
    return output.shape == right.shape and (right - output < EQUAL).all()


def nowhere_apart(output, right):
    return output.shape == right.shape and not (np.abs(output - right) > EQUAL).any()


EQUAL = 1e-6  # up to rounding


def check_on(inputs, agree=_equal_up_to_rounding):
    """Return a check that tries a candidate on these inputs and asks whether it agrees with the truth."""
    right = attention(*inputs)
    return lambda candidate: bool(agree(np.asarray(candidate(*inputs)), right))


TELLING = Sampler(321)((3, 5), (4, 5), (4, 2))
ALL_SIZES_EQUAL = Sampler(322)((5, 5), (5, 5), (5, 5))
FOUR_WIDE = Sampler(323)((3, 4), (5, 4), (5, 2))
ONE_WIDE = Sampler(334)((3, 1), (5, 1), (5, 2))
KEYS_ARE_VALUES = (*Sampler(324)((3, 5), (4, 5)), Sampler(324)((3, 5), (4, 5))[1])
ONE_KEY = Sampler(325)((3, 5), (1, 5), (1, 2))
VALUES_ALIKE = (*Sampler(329)((3, 5), (4, 5)), np.ones((4, 2)))
ONE_ARRAY = Sampler(333)((5, 5))[0]
ONE_QUERY = Sampler(330)((1, 5), (4, 5), (4, 2))
KEYS_ARE_QUERIES = (*Sampler(331)((4, 5)) * 2, *Sampler(332)((4, 2)))
ALL_ONES = (np.ones((3, 4)), np.ones((3, 4)), np.ones((3, 4)))
NEARLY_ALL_ONES = (np.ones((2, 4)), np.ones((3, 4)), np.ones((3, 4)))
SIXTEEN_WIDE = Sampler(328)((3, 16), (4, 16), (4, 2))  # a division by 4 loses no digit
ARTICLE = tuple(article.X @ W for W in (article.W_Q, article.W_K, article.W_V))
LARGE = tuple(10 * array for array in Sampler(326)((3, 5), (4, 5))) + Sampler(327)((4, 2))


SELF_ATTENTION = ToRepair(
    """\
def my_self_attention(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(num_heads, n, -1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V)
""",
    fewest=1,
)
PADDED_ATTENTION = ToRepair(
    """\
def my_padded_attention(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / len(Q) ** 0.5
    position = np.arange(K.shape[-2])
    real = position <= lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V
""",
    fewest=2,
)

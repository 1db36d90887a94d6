"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments, ResultType
from mha_course.engine.checking.sampler import Sampler
from mha_course.mistakes.cases import FAR_FROM_ZERO, queries_and_keys

BOOLEAN = ResultType(
    "b",
    "The mask is right, but not boolean.",
    "A mask holds True and False: attention refuses a mask of numbers, and ~ turns True into False, but 1 into -2.",
)


FOUR_ROWS = np.array([[1, 0, 1, 1, 0], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1], [0, 1, 1, 0, 1]], dtype=bool)
VISIBLE_FAR_FROM_ZERO = np.array(  # what is hidden of `FAR_FROM_ZERO` is in some rows far above the rest
    [
        [1, 1, 0, 1],
        [0, 1, 1, 1],
        [0, 1, 1, 1],
        [1, 0, 1, 1],
        [1, 1, 0, 1],
        [1, 1, 1, 1],
        [1, 0, 0, 1],
        [0, 0, 1, 1],
        [1, 1, 1, 0],
    ],
    dtype=bool,
)


def draw_mask(sample: Sampler) -> np.ndarray:
    """Draw a mask whose rows hide the first key, the last, all but one, and nothing, in any order.  (4, 5)"""
    return sample.generator.permutation(FOUR_ROWS)


def draw_both(sample: Sampler, fewest: int, most: int, before: int) -> tuple[int, int]:
    """Draw how many tokens are new, and how many there are with those before them, which are so many at least."""
    n_q = sample.whole(fewest, most)
    return n_q, n_q + sample.whole(before, before + 2)


def draw_any_lengths(sample: Sampler, batch: int, n: int) -> np.ndarray:
    """Draw how many real tokens each sentence has: never none, and never as many as another one."""
    return sample.generator.permutation(np.arange(1, n + 1))[:batch]


def draw_lengths(sample: Sampler, batch: int, n: int) -> tuple[np.ndarray, int]:
    """Draw lengths of which the first is not the longest, and return them with the size n."""
    lengths = draw_any_lengths(sample, batch, n)
    return (lengths[::-1].copy() if lengths.argmax() == 0 else lengths), n


def draw_with_an_empty_one(sample: Sampler, batch: int, n: int) -> np.ndarray:
    """Draw lengths of which one is 0."""
    lengths = draw_any_lengths(sample, batch, n)
    return np.where(np.arange(batch) == sample.generator.integers(batch), 0, lengths)


def draw_far_below_zero(sample: Sampler) -> Arguments:
    """Draw two queries whose visible scores are near -32768 and -40000."""
    low = sample.generator.permutation([[-32768.0, -32769.0, 3.0], [-40000.0, -40001.0, 0.0]])
    order = sample.generator.permutation(3)
    return low[:, order], np.array([[True, True, False]] * 2)[:, order]


def draw_far_from_zero(sample: Sampler) -> tuple[np.ndarray, np.ndarray]:
    """Draw scores far above and far below zero, and who may see whom.  (9, 4), (9, 4)"""
    order = sample.generator.permutation(9)
    return FAR_FROM_ZERO[order], VISIBLE_FAR_FROM_ZERO[order]


def shapes(batch: int, h: int, n_q: int, n_k: int, d_k: int, d_v: int) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of Q, K and V."""
    return (batch, h, n_q, d_k), (batch, h, n_k, d_k), (batch, h, n_k, d_v)


def queries_far_from_zero() -> Arguments:
    """Return a sentence with visible scores near -32768 for the first query, and near 32768 for the second."""
    Q = np.array([[256.0, 0, 0, 0], [-256, 0, 0, 0]])
    K = np.array([[-256.0, 0, 0, 0], [-256 - 1 / 128, 0, 0, 0], [0, 1, 0, 0]])
    V, mask = np.array([[1.0, 4], [2, 0], [8, 3]]), np.array([[[True, True, False]]])
    return Q[None, None], K[None, None], V[None, None], mask


def draw_heads_far_from_zero(sample: Sampler) -> Arguments:
    """Draw one sentence with two heads whose scores are far above and far below zero."""
    scores, mask = draw_far_from_zero(sample)
    Q, K = (array[None, None].repeat(2, axis=1) for array in queries_and_keys(scores))
    return Q, K, *sample((1, 2, 4, 2)), mask[None]


def draw_two_masks(sample: Sampler) -> np.ndarray:
    """Draw a mask for each of two sentences.  (2, 4, 5)"""
    return np.stack([draw_mask(sample), FOUR_ROWS[::-1, ::-1]])


def unless_the_mask_is_larger(products: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the products, unless the mask would give them a larger shape: the package's softmax refuses that."""
    np.broadcast_to(mask, products.shape)
    return products

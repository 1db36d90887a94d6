"""The masks that can be chosen: who may attend to whom, in words, as an array and as code."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mha_course.maths.masks import causal_mask, padding_mask


@dataclass(frozen=True)
class Mask:
    """A mask for any number of queries and keys. True means "may attend".

    hides: the keys that it hides from a query, in words. make: n_q, n_k -> what broadcasts to (n_q, n_k),
    or None if it hides nothing. code: the same as NumPy code.
    """

    label: str
    hides: str = ""
    make: Callable[[int, int], np.ndarray] | None = None
    code: str = ""


MASKS = {
    "none": Mask("none"),
    "causal": Mask("causal", "later keys", causal_mask, "np.arange(n_k) <= np.arange(n_q)[:, None]"),
    "last_padded": Mask(
        "last key is padding",
        "the last key",
        lambda n_q, n_k: padding_mask([n_k - 1], n_k)[0],
        "np.arange(n_k)[None, :] < n_k - 1",
    ),
}
LABELS = {each: mask.label for each, mask in MASKS.items()}


def may_attend(mask: str, shape: tuple[int, ...]) -> np.ndarray | None:
    """Return for each of the (n_q, n_k) weights whether the mask of that id lets it be, or None for no mask.

    >>> may_attend("causal", (2, 3)).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0]]
    >>> may_attend("last_padded", (2, 3)).astype(int).tolist()
    [[1, 1, 0], [1, 1, 0]]
    """
    make = MASKS[mask].make
    return None if make is None else np.broadcast_to(make(*shape), shape)

"""Turn one row of scores into shares that sum to 1."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths import formulas
from mha_course.maths.array_arguments import limits, overflow_is_reported, read_arrays
from mha_course.maths.masks import read_mask


@overflow_is_reported  # a far smaller score gets a share of 0
def softmax(scores: ArrayLike, temperature: float = 1.0, mask: ArrayLike | None = None) -> np.ndarray:
    """Return exp(scores / temperature), divided by its sum along the last axis.

    The largest score of each row is subtracted first. That changes no share, and no exp overflows.
    Where a mask is False the share is exactly 0; a row that is False throughout is 0 throughout.

    Shapes: scores (..., n_k), mask as `read_mask` takes it -> weights (..., n_k); each row sums to 1.
    Dtypes: a mask is bool.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1.

    >>> softmax([2, 4, 4]).round(4).tolist()
    [0.0634, 0.4683, 0.4683]
    >>> softmax([[2, 4, 4]], mask=[[True, True, False]]).round(4).tolist()
    [[0.1192, 0.8808, 0.0]]
    """
    (rows,) = read_arrays(scores=(scores, "n_k"))
    temperature = read_positive("temperature", temperature)
    floats = np.finfo(np.result_type(limits(rows).dtype, np.float32))  # as float32, 1e-60 would be 0 and 1e60 infinite
    temperature = min(max(temperature, float(floats.tiny)), float(floats.max))
    may_attend = None if mask is None else read_mask(mask, rows.shape)
    return formulas.masked_softmax(rows, may_attend, temperature)

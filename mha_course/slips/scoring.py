"""From queries and keys to scaled scores."""

import numpy as np

from mha_course.slips import known
from mha_course.workbook.checking.exercise import slip
from mha_course.workbook.checking.recipe import Step

FIXED = (2, 4, 8, 2**0.5, 3**0.5)  # what an example may make one write for √d_k


def _of_length_1(rows):
    return rows / (rows * rows).sum(axis=-1, keepdims=True) ** 0.5


def _always(number):
    return lambda: number


FIXED_SCALE = slip(
    "The scale is a fixed number, whatever d_k is.",
    "The number may fit the example. Another width needs another root: take it from the shape, Q.shape[-1].",
    *map(_always, FIXED),
)

MULTIPLY = Step(
    "products",
    lambda Q, K: Q @ K.mT,
    known.SWAPPED.by(lambda Q, K: K @ Q.mT),
    known.NO_TRANSPOSE.by(lambda Q, K: Q @ K),
    slip("The wrong one is turned over.",
         "Q.T @ K compares columns of Q with columns of K. The rows are what belongs to tokens: turn K over.",
         lambda Q, K: Q.mT @ K),
    slip("The keys are reshaped where they should be turned over.",
         "reshape never moves a number past another: it fills the new rows with pieces of several keys. Each key must "
         "become a column: K.T, or swapaxes(-1, -2).",
         lambda Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])),
    slip("The queries meet themselves.",
         "Q @ Q.T compares queries with queries. What answers a query is a key.",
         lambda Q: Q @ Q.mT),
    slip("The keys meet themselves.", "K @ K.T compares keys with keys. What asks is a query.", lambda K: K @ K.mT),
    slip("The queries meet the values.",
         "What a token can be found by is its key. Its value is only what it hands over.",
         lambda Q, V: Q @ V.mT),
    known.ENTRY_BY_ENTRY.by(lambda Q, K: Q * K),
    slip("Each query meets only the key of its own token.",
         "Every query is compared with every key: that makes a table, not one number a row.",
         lambda Q, K: (Q * K).sum(axis=-1)),
    slip("It adds queries and keys.",
         "A dot product multiplies in pairs, then adds. A product is large only if both entries are.",
         lambda Q, K: (Q[..., :, None, :] + K[..., None, :, :]).sum(axis=-1)),
    slip("It adds first and multiplies then.",
         "Multiply in pairs, then add. The product of the two sums also counts pairs that do not belong together.",
         lambda Q, K: Q.sum(axis=-1)[..., :, None] * K.sum(axis=-1)[..., None, :]),
    slip("It divides by the lengths of both rows.",
         "That is the cosine of the angle between them. Attention keeps the lengths: a long key speaks louder.",
         lambda Q, K: _of_length_1(Q) @ _of_length_1(K).mT),
    slip("It measures how far apart the two are.",
         "A distance is small for a good match. A score must be large.",
         lambda Q, K: ((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1),
         lambda Q, K: ((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1) ** 0.5),
)

MULTIPLY_STACK = MULTIPLY.knowing(  # where axes may stand in front
    slip(".T turns all axes over, the batch too.",
         "For two axes .T is the transpose. With more it puts the last first and the first last. Exchange the last "
         "two only: swapaxes(-1, -2).",
         lambda Q, K: Q @ K.T),
    slip("np.dot pairs every sentence with every other.",
         "For more than two axes np.dot is not the matrix product of a stack: each query meets the keys of all "
         "sentences. Use @.",
         lambda Q, K: np.dot(Q, K.mT)),
    known.AXIS_FROM_THE_FRONT.by(
        lambda Q, K: Q @ K.transpose(0, 2, 1),
        lambda Q, K: Q @ K.transpose(0, 1, 3, 2),
        lambda Q, K: Q @ K.swapaxes(0, 1),
        lambda Q, K: Q @ K.swapaxes(1, 2),
        lambda Q, K: Q @ K.swapaxes(2, 3),
    ),
)

MEASURE = Step(
    "scale",
    lambda Q: Q.shape[-1] ** 0.5,
    known.SCALED_BY_D_K.by(lambda Q: Q.shape[-1]),
    known.SCALED_BY_KEYS.by(lambda K: K.shape[-2] ** 0.5),
    known.SCALED_BY_QUERIES.by(lambda Q: Q.shape[-2] ** 0.5),
    known.SCALED_BY_D_MODEL.by(lambda X: X.shape[-1] ** 0.5),
    slip("The root is that of the width of the values.",
         "The sum in a dot product runs over the columns of queries and keys. The values have no part in it.",
         lambda V: V.shape[-1] ** 0.5),
    known.HALF_D_K.by(lambda Q: Q.shape[-1] / 2),
    known.TWICE_D_K.by(lambda Q: Q.shape[-1] * 2),
    slip("It takes d_k squared.", "** 2 is the square. The root is ** 0.5, or np.sqrt.", lambda Q: Q.shape[-1] ** 2),
    slip("The scale is the number of keys.",
         "How many keys there are does not change how large a dot product is. Its width does: divide by √d_k.",
         lambda K: K.shape[-2]),
    slip("The scale is the number of queries.",
         "How many queries there are does not change how large a dot product is. Its width does: divide by √d_k.",
         lambda Q: Q.shape[-2]),
    slip("The scale is d_model.",
         "d_model is the width before the projection. The dot product adds d_k products: divide by √d_k.",
         lambda X: X.shape[-1]),
    slip("The scale is the width of the values.",
         "The sum in a dot product runs over the columns of queries and keys: divide by √d_k.",
         lambda V: V.shape[-1]),
    slip("The scale is 2·√d_k.",
         "The typical dot product has the size √d_k. The 2 has no reason.",
         lambda Q: 2 * Q.shape[-1] ** 0.5),
    slip("The scale is the cube root of d_k.",
         "** (1 / 3) is the cube root. The square root is ** 0.5, or np.sqrt.",
         lambda Q: Q.shape[-1] ** (1 / 3)),
    slip("The scale is the logarithm of d_k.",
         "The typical dot product has the size √d_k: the root, np.sqrt.",
         lambda Q: np.log(Q.shape[-1])),
    slip("The root is that of d_k - 1.",
         "shape[-1] is the width itself, not the place of the last column: nothing is to be taken away.",
         lambda Q: (Q.shape[-1] - 1) ** 0.5),
    FIXED_SCALE,
)

MEASURE_STACK = MEASURE.knowing(  # where axes may stand in front
    slip("The root is that of shape[1].",
         "In two axes shape[1] is d_k. In three it is the number of queries. shape[-1] is the width, always.",
         lambda Q: Q.shape[1] ** 0.5,
         lambda K: K.shape[1] ** 0.5),
    slip("The root is that of the number of sentences.",
         "len(Q) is the first axis. The width is the last: Q.shape[-1].",
         lambda Q: len(Q) ** 0.5),
)

SCALE = Step(
    "scores",
    lambda products, scale: products / scale,
    known.UNSCALED.by(lambda products: products),
    slip("It multiplies by the scale instead of dividing.",
         "The scores are too large already; this makes them larger. d_k ** -0.5 would be what to multiply by.",
         lambda products, scale: products * scale),
    slip("The root is taken of everything.",
         "The brackets of np.sqrt close too late: the root belongs to d_k alone. Negative products have no root.",
         lambda products, Q: np.sqrt(products / Q.shape[-1])),
)

SCALE_UNMASKED = SCALE.knowing(  # where there is no mask
    slip("The future is hidden, though no mask was asked for.",
         "A causal mask is for text that is written word by word. Here every query may look at every key.",
         lambda products, scale: np.where(np.tri(*products.shape[-2:]) > 0, products / scale, -np.inf)),
)

SCORES = (MULTIPLY, MEASURE, SCALE_UNMASKED)
SCORES_OF_STACK = (MULTIPLY_STACK, MEASURE_STACK, SCALE_UNMASKED)

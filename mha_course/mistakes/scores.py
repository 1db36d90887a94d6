"""From queries and keys to scaled scores."""

import numpy as np

from mha_course.engine.checking.exercise import mistake
from mha_course.engine.checking.solution import Step
from mha_course.mistakes import shared

FIXED = (2, 4, 8, 2**0.5, 3**0.5)  # what an example may make one write for √d_k


def _of_length_1(rows):
    return rows / (rows * rows).sum(axis=-1, keepdims=True) ** 0.5


def _always(number):
    return lambda: number


FIXED_SCALE = mistake(
    "The scale is a fixed number, whatever d_k is.",
    "The number may fit the example. Another width needs another root: take it from the shape, Q.shape[-1].",
    *map(_always, FIXED),
)

MULTIPLY = Step(
    "products",
    lambda Q, K: Q @ K.mT,
    shared.SWAPPED.by(lambda Q, K: K @ Q.mT),
    shared.NO_TRANSPOSE.by(lambda Q, K: Q @ K),
    mistake("Q is transposed instead of K.",
            "Q.T @ K compares columns of Q with columns of K. Tokens are rows: transpose K.",
            lambda Q, K: Q.mT @ K),
    mistake("The keys are reshaped instead of transposed.",
            "reshape keeps the numbers in order: it fills the new rows with pieces of several keys. Each key must "
            "become a column: K.T, or swapaxes(-1, -2).",
            lambda Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])),
    mistake("The queries are compared with themselves.",
            "Q @ Q.T compares queries with queries. Compare them with the keys.",
            lambda Q: Q @ Q.mT),
    mistake("The keys are compared with themselves.",
            "K @ K.T compares keys with keys. Compare the queries with them.", lambda K: K @ K.mT),
    mistake("The queries are compared with the values.",
            "Compare them with the keys. The values come in only after the softmax.",
            lambda Q, V: Q @ V.mT),
    shared.ENTRY_BY_ENTRY.by(lambda Q, K: Q * K),
    mistake("Each query is compared only with the key of its own token.",
            "Every query is compared with every key: that makes a table, not one number a row.",
            lambda Q, K: (Q * K).sum(axis=-1)),
    mistake("Queries and keys are added instead of multiplied.",
            "A dot product multiplies in pairs, then adds. A product is large only if both entries are.",
            lambda Q, K: (Q[..., :, None, :] + K[..., None, :, :]).sum(axis=-1)),
    mistake("It adds first and multiplies afterwards.",
            "Multiply in pairs, then add. The product of the two sums also counts pairs that do not belong together.",
            lambda Q, K: Q.sum(axis=-1)[..., :, None] * K.sum(axis=-1)[..., None, :]),
    mistake("It divides by the lengths of both rows.",
            "That is the cosine of the angle between them. In attention the lengths count: a longer key has larger "
            "scores, above or below 0.",
            lambda Q, K: _of_length_1(Q) @ _of_length_1(K).mT),
    mistake("It measures a distance, not a dot product.",
            "A distance is small for a good match. A score must be large.",
            lambda Q, K: ((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1),
            lambda Q, K: ((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1) ** 0.5),
)

MULTIPLY_STACK = MULTIPLY.knowing(  # where axes may stand in front
    mistake(".T reverses all axes, the batch axis too.",
            "For two axes .T is the transpose. With more it reverses their order. Swap only the last two: swapaxes(-1, "
            "-2).",
            lambda Q, K: Q @ K.T),
    mistake("Every sentence's queries meet the keys of all sentences.",
            "For more than two axes np.dot, and np.tensordot, are not the matrix product of a stack. Use @.",
            lambda Q, K: np.dot(Q, K.mT)),
    shared.AXIS_FROM_THE_FRONT.by(
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
    shared.SCALED_BY_D_K.by(lambda Q: Q.shape[-1]),
    shared.SCALED_BY_KEYS.by(lambda K: K.shape[-2] ** 0.5),
    shared.SCALED_BY_QUERIES.by(lambda Q: Q.shape[-2] ** 0.5),
    shared.SCALED_BY_D_MODEL.by(lambda X: X.shape[-1] ** 0.5),
    mistake("The scale is the root of the width of the values.",
            "A dot product adds up the columns of queries and keys. The values play no part in it.",
            lambda V: V.shape[-1] ** 0.5),
    mistake("The scale is the length of each query.",
            "That makes all queries equally long. The scale depends on how many products are added: divide by √d_k.",
            lambda Q: (Q * Q).sum(axis=-1, keepdims=True) ** 0.5),
    shared.HALF_D_K.by(lambda Q: Q.shape[-1] / 2),
    shared.TWICE_D_K.by(lambda Q: Q.shape[-1] * 2),
    mistake("The scale is d_k squared.",
            "** 2 is the square. The root is ** 0.5, or np.sqrt.", lambda Q: Q.shape[-1] ** 2),
    mistake("The scale is the number of keys.",
            "How many keys there are does not change how large a dot product is. Its width does: divide by √d_k.",
            lambda K: K.shape[-2]),
    mistake("The scale is the number of queries.",
            "How many queries there are does not change how large a dot product is. Its width does: divide by √d_k.",
            lambda Q: Q.shape[-2]),
    mistake("The scale is d_model.",
            "d_model is the width before the projection. The dot product adds d_k products: divide by √d_k.",
            lambda X: X.shape[-1]),
    mistake("The scale is the width of the values.",
            "A dot product adds up the columns of queries and keys: divide by √d_k.",
            lambda V: V.shape[-1]),
    mistake("The scale is 2·√d_k.",
            "The typical dot product has the size √d_k, without the 2.",
            lambda Q: 2 * Q.shape[-1] ** 0.5),
    mistake("The scale is the cube root of d_k.",
            "** (1 / 3) is the cube root. The square root is ** 0.5, or np.sqrt.",
            lambda Q: Q.shape[-1] ** (1 / 3)),
    mistake("The scale is the logarithm of d_k.",
            "The typical dot product has the size √d_k: the root, np.sqrt.",
            lambda Q: np.log(Q.shape[-1])),
    mistake("The scale is the root of d_k - 1.",
            "shape[-1] is the width itself, not the number of the last column: subtract nothing.",
            lambda Q: (Q.shape[-1] - 1) ** 0.5),
    FIXED_SCALE,
)

MEASURE_STACK = MEASURE.knowing(  # where axes may stand in front
    mistake("The scale is the root of shape[1].",
            "With two axes shape[1] is d_k. With three it is the number of queries. shape[-1] is always the width.",
            lambda Q: Q.shape[1] ** 0.5,
            lambda K: K.shape[1] ** 0.5),
    mistake("The scale is the root of the number of sentences.",
            "len(Q) is the first axis. The width is the last: Q.shape[-1].",
            lambda Q: len(Q) ** 0.5),
)

SCALE = Step(
    "scores",
    lambda products, scale: products / scale,
    shared.UNSCALED.by(lambda products: products),
    mistake("It multiplies by the scale instead of dividing.",
            "The scores are too large already; this makes them larger. It would be right to multiply by d_k ** -0.5.",
            lambda products, scale: products * scale),
    mistake("The root is taken of the whole quotient.",
            "The brackets of np.sqrt close too late: the root belongs to d_k alone. Negative products have no root.",
            lambda products, Q: np.sqrt(products / Q.shape[-1])),
)

SCALE_UNMASKED = SCALE.knowing(  # where there is no mask
    mistake("Later keys are hidden, though no mask is asked for.",
            "A causal mask is for text that is written word by word. Here every query may look at every key.",
            lambda products, scale: np.where(np.tri(*products.shape[-2:]) > 0, products / scale, -np.inf)),
)

SCORES = (MULTIPLY, MEASURE, SCALE_UNMASKED)
SCORES_OF_STACK = (MULTIPLY_STACK, MEASURE_STACK, SCALE_UNMASKED)

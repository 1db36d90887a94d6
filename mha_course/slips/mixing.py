"""From shares to outputs: the weighted sum of the values."""

import numpy as np

from mha_course.slips import known
from mha_course.workbook.checking.exercise import slip
from mha_course.workbook.checking.recipe import Step

MIX = Step(
    "output",
    lambda weights, V: weights @ V,
    known.MIXES_KEYS.by(lambda weights, K: weights @ K),
    known.RETURNS_WEIGHTS.by(lambda weights: weights),
    slip("It returns the scores.",
         "The scores say how well each query matches each key. The output is what is taken: the softmax, then @ V.",
         lambda scores: scores),
    slip("The weights are turned over.",
         "Then each value says how much it gives, and the shares of an output no longer sum to 1.",
         lambda weights, V: weights.mT @ V),
    slip("V is turned over.",
         "In the scores the keys were turned over, to stand as columns. The values stay: their rows are mixed.",
         lambda weights, V: weights @ V.mT,
         lambda weights, V: weights @ V.T),
    slip("The factors are exchanged.",
         "The weights stand on the left: row by row, they say what to take from the rows of V.",
         lambda weights, V: V @ weights),
    known.ENTRY_BY_ENTRY.by(lambda weights, V: weights * V),
    slip("It mixes the queries instead of the values.",
         "A query is what a token asks. What a token hands over is its value.",
         lambda weights, Q: weights @ Q),
    slip("The shares are not used.",
         "It adds the values whole. The shares say how much to take of each.",
         lambda weights, V: np.ones_like(weights) @ V),
)

FINISH = (
    Step(
        "output",
        lambda output: output,
        slip("The sum is divided by the number of values.",
             "The shares sum to 1 already, so nothing is left to divide: a weighted sum, not a mean of it.",
             lambda output, V: output / V.shape[-2]),
        slip("The residual connection is already there.",
             "Only what attention finds is asked for here. The input is added later, around the whole of it.",
             lambda output, Q: Q + output,
             lambda output, X: X + output),
    ),
    Step(
        "output",
        lambda output: output,
        slip("The output is turned over.",
             "Each row of the output must belong to one query.",
             lambda output: output.mT),
    ),
)

MIX_STACK = MIX.knowing(  # where axes may stand in front
    slip("np.dot pairs every head with every other.",
         "For more than two axes np.dot is not the matrix product of a stack. Use @.",
         lambda weights, V: np.dot(weights, V)),
)


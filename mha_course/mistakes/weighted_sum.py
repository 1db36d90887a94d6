"""From shares to outputs: the weighted sum of the values."""

import numpy as np

from mha_course.engine.checking.exercise import mistake
from mha_course.engine.checking.solution import Step
from mha_course.mistakes import shared

MIX = Step(
    "output",
    lambda weights, V: weights @ V,
    shared.MIXES_KEYS.by(lambda weights, K: weights @ K),
    shared.RETURNS_WEIGHTS.by(lambda weights: weights),
    mistake("It returns the scores.",
            "They only say how well each query matches each key. The softmax comes next, then @ V.",
            lambda scores: scores),
    mistake("The weights are transposed.",
            "Then the weights in an output no longer sum to 1.",
            lambda weights, V: weights.mT @ V),
    mistake("V is transposed.",
            "In the scores the keys were transposed. The values are not: their rows are mixed.",
            lambda weights, V: weights @ V.mT,
            lambda weights, V: weights @ V.T),
    mistake("The factors are in the wrong order.",
            "The weights belong on the left: each of their rows mixes the rows of V.",
            lambda weights, V: V @ weights),
    shared.ENTRY_BY_ENTRY.by(lambda weights, V: weights * V),
    mistake("It mixes the queries instead of the values.",
            "Queries are only compared with keys. The output is made of the values.",
            lambda weights, Q: weights @ Q),
    mistake("The attention weights are not used.",
            "It simply adds the values. The weights say how much of each to take.",
            lambda weights, V: np.ones_like(weights) @ V),
)

FINISH = (
    Step(
        "output",
        lambda output: output,
        mistake("The sum is divided by the number of values.",
                "The weights sum to 1 already, so nothing is left to divide.",
                lambda output, V: output / V.shape[-2]),
        mistake("The residual connection is already included.",
                "Only the output of attention is wanted here. The input is added later.",
                lambda output, Q: Q + output,
                lambda output, X: X + output),
    ),
    Step(
        "output",
        lambda output: output,
        mistake("The output is transposed.",
                "Each row of the output must belong to one query.",
                lambda output: output.mT),
    ),
)

MIX_STACK = MIX.knowing(  # where axes may stand in front
    mistake("Every head's weights meet the values of all heads.",
            "For more than two axes np.dot, and np.tensordot, are not the matrix product of a stack. Use @.",
            lambda weights, V: np.dot(weights, V)),
)


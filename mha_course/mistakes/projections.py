"""Queries, keys and values out of the inputs."""

import numpy as np

from mha_course.engine.checking.exercise import mistake
from mha_course.engine.checking.solution import Step
from mha_course.mistakes import shared

INPUTS = Step(
    "X context",
    lambda X, context: (X, context),
    mistake("The two sentences are swapped.",
            "X makes the queries, and each of its tokens has one output row. The context makes keys and values.",
            lambda X, context: (context, X)),
    shared.CONTEXT_FORGOTTEN.by(lambda X: (X, X)),
    mistake("The rows of X are added to the context.",
            "Keys and values come from the context alone. Some models put both sentences one below the other; this "
            "task does not.",
            lambda X, context: (X, np.concatenate([X, context], axis=-2)),
            lambda X, context: (X, np.concatenate([context, X], axis=-2))),
)

MATRICES_ALONE = Step(
    "W_Q W_K W_V",
    lambda W_Q, W_K, W_V: (W_Q, W_K, W_V),
    shared.MATRICES_EXCHANGED.by(lambda W_Q, W_K, W_V: (W_K, W_Q, W_V)),
    mistake("W_Q and W_V are swapped.",
            "W_Q makes the queries, W_V the values.",
            lambda W_Q, W_K, W_V: (W_V, W_K, W_Q)),
    mistake("All three matrices are mixed up.",
            "W_Q makes the queries, W_K the keys, W_V the values.",
            lambda W_Q, W_K, W_V: (W_K, W_V, W_Q),
            lambda W_Q, W_K, W_V: (W_V, W_Q, W_K)),
    mistake("The values are made with W_Q.",
            "Each of the three needs a matrix of its own: for the values it is W_V.",
            lambda W_Q, W_K: (W_Q, W_K, W_Q)),
    mistake("The keys are made with W_Q.",
            "The keys need a matrix of their own, W_K. With W_Q for both, each token looks for tokens like itself.",
            lambda W_Q, W_V: (W_Q, W_Q, W_V)),
    mistake("The queries are made with W_K.",
            "The queries need a matrix of their own, W_Q. With W_K for both, each token looks for tokens like itself.",
            lambda W_K, W_V: (W_K, W_K, W_V)),
    mistake("One matrix is used for all three.",
            "Then each token looks for tokens like itself. Queries, keys and values need three matrices.",
            lambda W_Q: (W_Q, W_Q, W_Q),
            lambda W_K: (W_K, W_K, W_K),
            lambda W_V: (W_V, W_V, W_V)),
    mistake("The matrices are transposed.",
            "torch.nn.Linear stores its matrix the other way round, and needs W.T. Here each has a row for each of the "
            "d_model inputs: use it as it is. With a square matrix no error comes.",
            lambda W_Q, W_K, W_V: (W_Q.mT, W_K.mT, W_V.mT)),
    mistake("Nothing is projected.",
            "Queries, keys and values are projections of the rows: they need W_Q, W_K and W_V.",
            lambda X: (np.eye(X.shape[-1]),) * 3),
)

MATRICES = MATRICES_ALONE.knowing(  # where queries, keys and values are not yet the results
    mistake("W_K and W_V are swapped.",
            "W_K makes the keys, W_V the values.",
            lambda W_Q, W_K, W_V: (W_Q, W_V, W_K)),
    mistake("The scores are made from the inputs.",
            "Nothing is projected: queries and keys need W_Q and W_K.",
            lambda X, context, W_V: (np.eye(X.shape[-1]), np.eye(context.shape[-1]), W_V)),
)

QUERIES = Step(
    "Q",
    lambda X, W_Q: X @ W_Q,
    mistake("The queries come from the context.",
            "X makes the queries, and each of its tokens has one output row.",
            lambda context, W_Q: context @ W_Q),
    mistake("The queries are not projected.", "X itself is used. The queries are X @ W_Q.", lambda X: X),
    mistake("W_Q is transposed.",
            "W_Q has a row for each of the d_model inputs: use it as it is.",
            lambda X, W_Q: X @ W_Q.mT),
)

KEYS = Step(
    "K",
    lambda context, W_K: context @ W_K,
    mistake("The keys come from the wrong sentence.",
            "The keys come from the context.",
            lambda X, W_K: X @ W_K),
    mistake("The keys are not projected.",
            "The context itself is used. The keys are context @ W_K.",
            lambda context: context),
    mistake("W_K is transposed.",
            "W_K has a row for each of the d_model inputs: use it as it is.",
            lambda context, W_K: context @ W_K.mT),
)

VALUES = Step(
    "V",
    lambda context, W_V: context @ W_V,
    shared.VALUES_FROM_X.by(lambda X, W_V: X @ W_V),
    mistake("The values are not projected.",
            "The context itself is used. The values are context @ W_V.",
            lambda context: context),
    mistake("W_V is transposed.",
            "W_V has a row for each of the d_model inputs: use it as it is.",
            lambda context, W_V: context @ W_V.mT),
    mistake("The values are made from the keys.",
            "Keys and values are both projections of the context: the values are context @ W_V.",
            lambda K, W_V: K @ W_V),
)

PROJECTIONS = (INPUTS, MATRICES, QUERIES, KEYS, VALUES)

"""Queries, keys and values out of the inputs."""

import numpy as np

from mha_course.slips import known
from mha_course.workbook.checking.exercise import slip
from mha_course.workbook.checking.recipe import Step

INPUTS = Step(
    "X context",
    lambda X, context: (X, context),
    slip("The two sentences are exchanged.",
         "X asks: it makes the queries, and there is one output row for each of its tokens. The context answers: it "
         "makes keys and values.",
         lambda X, context: (context, X)),
    known.CONTEXT_FORGOTTEN.by(lambda X: (X, X)),
    slip("The tokens that ask are among those that answer.",
         "Keys and values come from the context alone. Some models set both sentences one below the other; this task "
         "does not.",
         lambda X, context: (X, np.concatenate([X, context], axis=-2)),
         lambda X, context: (X, np.concatenate([context, X], axis=-2))),
)

MATRICES_ALONE = Step(
    "W_Q W_K W_V",
    lambda W_Q, W_K, W_V: (W_Q, W_K, W_V),
    known.MATRICES_EXCHANGED.by(lambda W_Q, W_K, W_V: (W_K, W_Q, W_V)),
    slip("The matrices of queries and values are exchanged.",
         "W_Q makes what a token asks, W_V what it hands over.",
         lambda W_Q, W_K, W_V: (W_V, W_K, W_Q)),
    slip("All three matrices have changed places.",
         "W_Q makes the queries, W_K the keys, W_V the values.",
         lambda W_Q, W_K, W_V: (W_K, W_V, W_Q),
         lambda W_Q, W_K, W_V: (W_V, W_Q, W_K)),
    slip("The values are made with W_Q.",
         "Each of the three needs a matrix of its own: the values W_V.",
         lambda W_Q, W_K: (W_Q, W_K, W_Q)),
    slip("The keys are made with W_Q.",
         "The keys are made with the matrix of the queries, so a token looks for exactly what it is itself.",
         lambda W_Q, W_V: (W_Q, W_Q, W_V)),
    slip("The queries are made with W_K.",
         "The queries are made with the matrix of the keys, so a token looks for exactly what it is itself.",
         lambda W_K, W_V: (W_K, W_K, W_V)),
    slip("One matrix makes all three.",
         "Then a token looks for exactly what it is itself. Three views need three matrices.",
         lambda W_Q: (W_Q, W_Q, W_Q),
         lambda W_K: (W_K, W_K, W_K),
         lambda W_V: (W_V, W_V, W_V)),
    slip("The matrices are turned over.",
         "torch.nn.Linear keeps its matrix the other way round, and needs W.T. Here each has a row for each of the "
         "d_model inputs, so it fits as it is. With a square matrix no error comes.",
         lambda W_Q, W_K, W_V: (W_Q.mT, W_K.mT, W_V.mT)),
    slip("Nothing is projected.",
         "Queries, keys and values are three views of the rows: they need W_Q, W_K and W_V.",
         lambda X: (np.eye(X.shape[-1]),) * 3),
)

MATRICES = MATRICES_ALONE.knowing(  # where queries, keys and values are not yet the results
    slip("The matrices of keys and values are exchanged.",
         "W_K makes what a token is found by, W_V what it hands over.",
         lambda W_Q, W_K, W_V: (W_Q, W_V, W_K)),
    slip("The scores are made from the inputs.",
         "Nothing is projected: queries and keys need W_Q and W_K.",
         lambda X, context, W_V: (np.eye(X.shape[-1]), np.eye(context.shape[-1]), W_V)),
)

QUERIES = Step(
    "Q",
    lambda X, W_Q: X @ W_Q,
    slip("The queries come from the context.",
         "X asks, so it makes the queries, and there is one output for each of its tokens.",
         lambda context, W_Q: context @ W_Q),
    slip("The queries are not projected.", "X itself asks. The queries are X @ W_Q.", lambda X: X),
    slip("The matrix of the queries is turned over.",
         "W_Q has a row for each of the d_model inputs, so it fits as it is.",
         lambda X, W_Q: X @ W_Q.mT),
)

KEYS = Step(
    "K",
    lambda context, W_K: context @ W_K,
    slip("The keys come from the wrong sentence.",
         "A key is the label by which a token of the context is found.",
         lambda X, W_K: X @ W_K),
    slip("The keys are not projected.",
         "The context itself answers. The keys are context @ W_K.",
         lambda context: context),
    slip("The matrix of the keys is turned over.",
         "W_K has a row for each of the d_model inputs, so it fits as it is.",
         lambda context, W_K: context @ W_K.mT),
)

VALUES = Step(
    "V",
    lambda context, W_V: context @ W_V,
    known.VALUES_FROM_X.by(lambda X, W_V: X @ W_V),
    slip("The values are not projected.",
         "What a token hands over is its value, context @ W_V, not its whole row.",
         lambda context: context),
    slip("The matrix of the values is turned over.",
         "W_V has a row for each of the d_model inputs, so it fits as it is.",
         lambda context, W_V: context @ W_V.mT),
    slip("The values are made from the keys.",
         "Keys and values are two views of the same rows, side by side: the values are context @ W_V.",
         lambda K, W_V: K @ W_V),
)

PROJECTIONS = (INPUTS, MATRICES, QUERIES, KEYS, VALUES)

"""A task of lesson 8: reading a table of weights between two sentences."""

import numpy as np

from mha_course.engine.asking.question import Task
from mha_course.engine.asking.question_text import several, task
from mha_course.forward.examples import translation
from mha_course.maths.attention import attention, project
from mha_course.pictures.matrix import table

FRENCH, ENGLISH = translation.tokens, translation.context_tokens or ()


def _weights() -> np.ndarray:  # of head 1: (4, 5)
    X, context = translation.X, translation.context
    assert context is not None
    queries = project(X, translation.W_Q[0])
    return attention(queries, project(context, translation.W_K[0]), project(context, translation.W_V[0])).weights


def _true_sentences() -> Task:
    weights = _weights()
    of_here, strongest = weights[:, 4].sum(), [ENGLISH[key] for key in weights.argmax(axis=-1)]
    truths = {
        "half": bool(weights[1, 1] > 0.5),
        "the-other-way": "sleeping" in FRENCH,
        "own-place": strongest == list(ENGLISH[: len(FRENCH)]),
        "tie": bool(np.isclose(weights[2, 0], weights[2, 4])),
        "column": bool(of_here > 1),
    }
    sentences = several(f"""
        Head 1 of the translation: four French queries, five English keys. Choose every sentence that is true.

        - *chat* gives *cat* more than half of its attention.  [half]
          Row *chat*, column *cat*: {weights[1, 1]:.4f}.
        - *sleeping* gives *dort* a weight.  [the-other-way]
          Only the French words have queries here. An English word has a column, for the weights it gets, but no row.
        - Each French word gives most weight to the English word in the same position.  [own-place]
          Only *chat* does: *le* and *ici* give most to *here*, and *dort* as much to *the* as to *here*.
        - *dort* gives as much weight to *the* as to *here*.  [tie]
          Both weights in its row are {weights[2, 0]:.4f}.
        - The weights that *here* gets add up to more than 1.  [column]
          Its column sums to {of_here:.4f}. Each row sums to 1, but a column may sum to anything between 0 and 4.
        """, truths, table("weights", weights, FRENCH, ENGLISH).picture())  # fmt: skip
    return task(
        "cross_attention.true-sentences",
        "What does this table show?",
        sentences,
        notice="The table need not be square: it has a row for each query and a column for each key.",
    )


TASKS = (_true_sentences(),)

"""A task of lesson 4: how to read a table of weights."""

import numpy as np

from mha_course.engine.asking.question import Task
from mha_course.engine.asking.question_text import several, task
from mha_course.forward.examples import article
from mha_course.maths.attention import attention, project
from mha_course.pictures.matrix import table


def _true_sentences() -> Task:
    Q, K, V = (project(article.X, W) for W in (article.W_Q, article.W_K, article.W_V))
    weights = attention(Q, K, V).weights
    truths = {
        "as-much": bool(np.isclose(weights[0, 1], weights[0, 2])),
        "nine-tenths": bool(weights[1, 1] > 0.9),
        "column": bool(np.isclose(weights[:, 1].sum(), 1)),
        "never-nothing": bool((weights > 0).all()),
        "mirrored": bool(np.isclose(weights[1, 2], weights[2, 1])),
    }
    sentences = several(f"""
        Each row shows how one token divides its attention. Choose every sentence that is true.

        - *innovators* attends to *create* as much as to *disrupt*.  [as-much]
          In its row both weights are {weights[0, 1]:.4f}: the two scores are equal.
        - *create* gives more than nine tenths of its attention to itself.  [nine-tenths]
          Row *create*, column *create*: {weights[1, 1]:.4f}.
        - The column of *create* sums to 1.  [column]
          It sums to {weights[:, 1].sum():.4f}. Rows sum to 1; a column may have any sum up to the number of queries.
        - Every token attends to every token, if only a little.  [never-nothing]
          The smallest weight is {weights.min():.4f}: e to any power is more than 0.
        - *create* attends to *disrupt* as much as *disrupt* attends to *create*.  [mirrored]
          The first is {weights[1, 2]:.4f}, the second {weights[2, 1]:.4f}. A table of weights need not be
          symmetric.
        """, truths, table("weights", weights, article.tokens, article.tokens).picture())  # fmt: skip
    return task(
        "softmax.true-sentences",
        "What does this table show?",
        sentences,
        notice="Read along a row for what a token attends to, down a column for which tokens attend to it.",
    )


TASKS = (_true_sentences(),)

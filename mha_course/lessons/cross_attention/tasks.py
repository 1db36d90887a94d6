"""A task of lesson 8: what a table of weights between two sentences says."""

import numpy as np

from mha_course.maths.attention import attention
from mha_course.maths.projections import project
from mha_course.pictures.matrix import table
from mha_course.pipeline.examples import translation
from mha_course.workbook.asking.several import Sentence, Several
from mha_course.workbook.asking.task import Step, Task

FRENCH, ENGLISH = translation.tokens, translation.context_tokens or ()


def _weights() -> np.ndarray:  # of head 1: (4, 5)
    X, context = translation.X, translation.context
    assert context is not None
    queries = project(X, translation.W_Q[0])
    return attention(queries, project(context, translation.W_K[0]), project(context, translation.W_V[0])).weights


def _true_sentences() -> Task:
    weights = _weights()
    of_here, strongest = weights[:, 4].sum(), [ENGLISH[key] for key in weights.argmax(axis=-1)]
    sentences = {
        "half": Sentence(
            "*chat* takes more than half from *cat*.",
            bool(weights[1, 1] > 0.5),
            f"Row *chat*, column *cat*: {weights[1, 1]:.4f}.",
        ),
        "the-other-way": Sentence(
            "*sleeping* takes a share from *dort*.",
            "sleeping" in FRENCH,
            "Only the French words ask here. An English word has a column, for what is taken from it, but no row.",
        ),
        "own-place": Sentence(
            "Each French word takes the most from the English word in the same place.",
            strongest == list(ENGLISH[: len(FRENCH)]),
            f"The strongest are, in order, {', '.join(strongest)}. Only *chat* looks at its own place.",
        ),
        "tie": Sentence(
            "*dort* takes as much from *the* as from *here*.",
            bool(np.isclose(weights[2, 0], weights[2, 4])),
            f"Both weights in its row are {weights[2, 0]:.4f}.",
        ),
        "column": Sentence(
            "What is taken from *here* adds up to more than 1.",
            bool(of_here > 1),
            f"Its column sums to {of_here:.4f}. Each row sums to 1, but a column may sum to anything from 0 to 4.",
        ),
    }
    return Task(
        "What does this table say?",
        (
            Step(
                "Head 1 of the translation: four French words ask, five English words answer. Choose every sentence "
                "that is true.",
                Several(sentences),
                (table("weights", weights, FRENCH, ENGLISH).picture(),),
            ),
        ),
        "The table is not square, and need not be: as many rows as words that ask, as many columns as words that "
        "answer.",
    )


TASKS = {"cross_attention.true-sentences": _true_sentences()}

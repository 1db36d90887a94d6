"""Predictions of lesson 8."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.forward.examples import translation
from mha_course.maths.attention import attention, project
from mha_course.maths.masks import padding_mask

HERE_IS_PADDING = padding_mask([4], n_k=5)[0]  # (1, 5)


def _output(X, context):
    head = (W[0] for W in (translation.W_Q, translation.W_K, translation.W_V))
    Q, K, V = (project(rows, W) for rows, W in zip((X, context, context), head, strict=True))
    return attention(Q, K, V).output


def _rows_moved(changed_X, changed_context):
    moved = _output(changed_X, changed_context) - _output(translation.X, translation.context)
    return int((np.abs(moved) > 1e-9).any(axis=-1).sum())


def _with_another(row, rows):
    return rows + np.eye(len(rows), dtype=int)[row][:, None]


def _moved_by_chat():
    return _rows_moved(_with_another(1, translation.X), translation.context)


def _moved_by_cat():
    return _rows_moved(translation.X, _with_another(1, translation.context))


def _hidden():
    return int((~np.broadcast_to(HERE_IS_PADDING, (4, 5))).sum())


def _seen_by_chat():
    may = np.broadcast_to(HERE_IS_PADDING, (4, 5))[1]  # (5,): what the query of *chat*, in row 2, may look at
    return {1: "next", 2: "far", 4: "real", 5: "all"}[int(may.sum())]


PREDICTIONS = (
    number("cross_attention.moved-rows", """
        We change the input row of *chat*. How many of the four rows of the output change?
        """, right=_moved_by_chat,
        numbers=lambda: (
            "only its query is different. No key and no value is made from a French word. "
            f"A change in the row of *cat* would change all {_moved_by_cat()}."
        )),
    number("cross_attention.hidden-entries", """
        The mask is 4 × 5: French queries down, English keys across. The last English token is padding. How many entries
        are False?
        """, right=_hidden, numbers=lambda: "they are the column of *here*, with one entry for each French query."),
    choice("cross_attention.how-far", """
        The model has written *le chat*, and the query of *chat* is compared with the English keys. To which of the five
        tokens may it attend? The last one, *here*, is padding.

        - to *cat* alone  [next]
          The model does not know beforehand that *cat* is the right word: it is up to attention to find it.
        - to *the* and *cat*  [far]
          That would be a causal mask. But no English word lies in the future.
        - to all but *here*  [real]
          The whole English sentence is known before the first French word.
        - to all five  [all]
          Padding carries no information. No query should attend to it.
        """, right=_seen_by_chat,
        numbers=lambda: f"row *chat* of the mask has {int(HERE_IS_PADDING.sum())} entries that are True."),
)  # fmt: skip

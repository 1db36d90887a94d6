"""A lookup: one row of a table for each number."""

import numpy as np

from mha_course.workbook.checking.exercise import Mistake
from mha_course.workbook.checking.recipe import Step

IDS = Step(
    "ids",
    lambda ids: ids,
    (
        Mistake(
            "The ids are counted from 1.",
            "Id 0 is the first row. With 1 taken away, it becomes row -1, which NumPy reads as the last.",
        ).by(lambda ids: ids - 1),
        Mistake(
            "1 is added to the ids.",
            "Ids and rows are both counted from 0: id 0 is the first row, and n rows end with id n - 1.",
        ).by(lambda ids: ids + 1),
        Mistake(
            "It takes the first rows, whatever the ids are.",
            "How many ids there are is not enough: each says which row.",
        ).by(lambda ids: np.arange(len(ids))),
        Mistake(
            "The ids are put in order first.",
            "A sentence has its own order. Row 1 of the result belongs to the first token.",
        ).by(lambda ids: np.sort(ids), lambda ids: np.sort(ids)[::-1]),
        Mistake(
            "Each id comes once only.",
            "A token that stands twice in the sentence needs two rows.",
        ).by(lambda ids: np.array(list(dict.fromkeys(ids.tolist())))),
        Mistake(
            "Each id comes once only, and in order.",
            "A set forgets what comes twice, and the order. A token that stands twice needs two rows, each in its "
            "place.",
        ).by(lambda ids: np.unique(ids)),
        Mistake(
            "The sentence is read backwards.",
            "Row 1 of the result belongs to the first token.",
        ).by(lambda ids: ids[::-1]),
        Mistake(
            "The table is read from its end.",
            "A minus sign counts from the end: -1 is the last row. Id 0 is the first row.",
        ).by(lambda ids: -ids, lambda ids: -1 - ids),
        Mistake(
            "Only the first token is looked up.",
            "Every id needs its row: the brackets take the whole array of ids.",
        ).by(lambda ids: ids[:1], lambda ids: ids[0]),
        Mistake(
            "Only the last token is looked up.",
            "Every id needs its row: the brackets take the whole array of ids.",
        ).by(lambda ids: ids[-1:], lambda ids: ids[-1]),
        Mistake(
            "The last token is left out.",
            "range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier. So does [:-1].",
        ).by(lambda ids: ids[:-1]),
        Mistake(
            "The first token is left out.",
            "Counting begins at 0: range(1, n) leaves out the first. So does [1:].",
        ).by(lambda ids: ids[1:]),
        Mistake(
            "It takes the places that sort the ids, not the ids.",
            "np.argsort says where the smallest id stands. The ids themselves say which rows to take.",
        ).by(lambda ids: np.argsort(ids)),
    ),
)

CHOOSE = Step(
    "rows",
    lambda ids, embeddings: embeddings[ids],
    (
        Mistake(
            "It takes columns instead of rows.",
            "The first place in the brackets chooses rows, the second columns. Each id has a row.",
        ).by(lambda ids, embeddings: embeddings[:, ids]),
        Mistake(
            "It takes columns, and sets them as rows.",
            "The rows of embeddings.T are the columns of the table. The table fits as it is: each id has a row.",
        ).by(lambda ids, embeddings: embeddings.T[ids]),
        Mistake(
            "It leaves the table as it is.",
            "The result needs one row for each token of the sentence, not for each id there is.",
        ).by(lambda embeddings: embeddings),
        Mistake(
            "It takes one entry for each id.",
            "Two numbers in the brackets choose one entry. One number chooses a whole row.",
        ).by(
            lambda ids, embeddings: embeddings[ids, ids],
            lambda ids, embeddings: embeddings[ids, 0],
            lambda ids, embeddings: embeddings[ids, np.arange(len(ids))],
        ),
        Mistake(
            "It reads the table as one long row.",
            "np.take without an axis counts the single entries. Rows are what is wanted: axis=0, or square brackets.",
        ).by(lambda ids, embeddings: embeddings.reshape(-1)[ids]),
        Mistake(
            "It takes the rows that the ids do not name.",
            "np.delete and ~ leave out. The rows that the ids name are wanted.",
        ).by(lambda ids, embeddings: np.delete(embeddings, ids, axis=0)),
        Mistake(
            "It takes the rows between the first id and the last.",
            "A colon means: from here to there. The ids stand one by one, each for its own row.",
        ).by(
            lambda ids, embeddings: embeddings[ids[0] : ids[-1]],
            lambda ids, embeddings: embeddings[ids.min() : ids.max()],
            lambda ids, embeddings: embeddings[ids.min() : ids.max() + 1],
        ),
        Mistake(
            "It multiplies with the ids.",
            "An id is a name, not an amount: it says which row to take, and nothing is to be computed with it.",
        ).by(
            lambda ids, embeddings: ids @ embeddings,
            lambda ids, embeddings: ids[:, None] * embeddings,
            lambda ids, embeddings: ids[:, None] * embeddings[ids],
        ),
        Mistake(
            "The first column is left out.",
            "The ids are not in the table: its first column belongs to the row as well.",
        ).by(lambda ids, embeddings: embeddings[ids, 1:]),
        Mistake(
            "The last column is left out.",
            "The whole row is wanted: [:-1] stops before the last.",
        ).by(lambda ids, embeddings: embeddings[ids, :-1]),
    ),
)

ROWS = Step(
    "rows",
    lambda rows: rows,
    (
        Mistake(
            "The result is turned over.",
            "Each row of the result must belong to one token.",
        ).by(lambda rows: rows.T),
        Mistake(
            "The rows of the sentence are added or averaged.",
            "The result needs a row for each token. In one row nobody can tell them apart.",
        ).by(
            lambda rows: rows.sum(axis=0),
            lambda rows: rows.sum(axis=0) / len(rows),
            lambda rows: rows.sum(axis=0, keepdims=True),
            lambda rows: rows.sum(axis=0, keepdims=True) / len(rows),
        ),
        Mistake(
            "The rows are set one after the other, in one long row.",
            "The result needs a row for each token: two axes, not one.",
        ).by(lambda rows: rows.reshape(-1)),
        Mistake(
            "There is an axis too many.",
            "One row for each token: two axes. Double brackets, or [None], add a third.",
        ).by(lambda rows: rows[None], lambda rows: rows[:, None]),
        Mistake(
            "The rows are scaled to length 1.",
            "A row is taken as it stands in the table: nothing is computed.",
        ).by(lambda rows: rows / (rows * rows).sum(axis=-1, keepdims=True) ** 0.5),
        Mistake(
            "The rows are multiplied by √d_model.",
            "The 2017 paper does so before it adds the positions. Here a row is taken as it stands in the table.",
        ).by(lambda rows: rows * rows.shape[-1] ** 0.5),
    ),
)

LOOKUP = (IDS, CHOOSE, ROWS)

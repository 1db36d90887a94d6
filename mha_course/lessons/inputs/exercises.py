"""Exercises of lesson 1: rows for tokens, rows for positions."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.maths.inputs import positional_encoding

LOOKUP = Exercise(
    name="inputs.lookup",
    number="1.1",
    title="Look up",
    right=lambda ids, embeddings: embeddings[ids],
    results=("rows",),
    cases=(
        Case("the example", (np.array([2, 0]), np.array([[1, 2], [3, 4], [5, 6]]))),
        Case("five ids of seven", lambda draw: (np.array([4, 0, 5, 0, 2]), *draw((7, 3)))),
        Case("one id", lambda draw: (np.array([1]), *draw((4, 5)))),
        Case("a table with as many columns as rows", lambda draw: (np.array([3, 1, 2]), *draw((4, 4)))),
    ),
    mistakes=(
        Mistake(
            "It takes columns instead of rows.",
            "The first place in the brackets chooses rows, the second columns. Each id has a row.",
        ).by(lambda ids, embeddings: embeddings[:, ids]),
        Mistake(
            "The ids are counted from 1.",
            "Id 0 is the first row. With 1 taken away, it becomes row -1, which NumPy reads as the last.",
        ).by(lambda ids, embeddings: embeddings[ids - 1]),
        Mistake(
            "It takes the first rows, whatever the ids are.",
            "How many ids there are is not enough: each says which row.",
        ).by(lambda ids, embeddings: embeddings[: len(ids)]),
        Mistake(
            "The ids are put in order first.",
            "A sentence has its own order. Row 1 of the result belongs to the first token.",
        ).by(lambda ids, embeddings: embeddings[np.sort(ids)]),
        Mistake(
            "Each id comes once only.",
            "A token that stands twice in the sentence needs two rows.",
        ).by(lambda ids, embeddings: embeddings[np.array(list(dict.fromkeys(ids.tolist())))]),
        Mistake(
            "It leaves the table as it is.",
            "The result needs one row for each token of the sentence, not for each id there is.",
        ).by(lambda ids, embeddings: embeddings),
    ),
    notice=(
        "A lookup is nothing but choosing rows. Choosing columns would run as well, whenever the table is wide enough."
    ),
    untraced=("ids",),
)


def _positions_run_on(embedded):
    """Count the positions on from one sentence to the next."""
    sentences, n, d_model = embedded.shape
    return embedded + positional_encoding(sentences * n, d_model).reshape(sentences, n, d_model)


ADD_POSITIONS = Exercise(
    name="inputs.add_positions",
    number="1.2",
    title="Add the positions",
    right=lambda embedded: embedded + positional_encoding(embedded.shape[-2], embedded.shape[-1]),
    results=("X",),
    cases=(
        Case("the example", (np.array([[[0, 0], [0, 0], [0, 0]], [[1, 2], [3, 4], [5, 6]]]),)),
        Case("4 sentences of 5 tokens", lambda draw: draw((4, 5, 6))),
        Case("5 sentences of 2 tokens", lambda draw: draw((5, 2, 4))),
        Case("one sentence of one token", lambda draw: draw((1, 1, 3))),
        Case("as many sentences as tokens", lambda draw: draw((3, 3, 4))),
    ),
    mistakes=(
        Mistake(
            "The position is counted along the batch.",
            "Axis 0 counts sentences, axis 1 counts tokens. Here every token of a sentence gets the same row, and each "
            "sentence another.",
            "cmu-l3/anlp-fall2025-code #1",
        ).by(lambda embedded: embedded + positional_encoding(len(embedded), embedded.shape[-1])[:, None, :]),
        Mistake(
            "The positions run on from one sentence to the next.",
            "Every sentence begins at position 0.",
        ).by(_positions_run_on),
        Mistake(
            "It subtracts the positions.",
            "A model could learn with either, but this course, as the paper, adds them.",
        ).by(lambda embedded: embedded - positional_encoding(embedded.shape[-2], embedded.shape[-1])),
        Mistake(
            "The embeddings are gone.",
            "The result says where each token stands, but no longer which it is. Add the two.",
        ).by(lambda embedded: embedded * 0 + positional_encoding(embedded.shape[-2], embedded.shape[-1])),
        Mistake(
            "The positions are gone.",
            "The rows come back as they were, so attention cannot know the order.",
        ).by(lambda embedded: embedded),
        Mistake(
            "It sets the two side by side.",
            "That doubles the width. Add them: the row keeps its width d_model.",
        ).by(
            lambda embedded: np.concatenate(
                [embedded, embedded * 0 + positional_encoding(embedded.shape[-2], embedded.shape[-1])], axis=-1
            )
        ),
        Mistake(
            "The embeddings are multiplied by √d_model.",
            "The 2017 paper does that as well, so that they outweigh the positions. This task only adds.",
        ).by(
            lambda embedded: (
                embedded * np.sqrt(embedded.shape[-1]) + positional_encoding(embedded.shape[-2], embedded.shape[-1])
            )
        ),
        Mistake(
            "It multiplies instead of adding.",
            "Many entries of the encoding are near 0: multiplied by them, the token disappears.",
        ).by(lambda embedded: embedded * positional_encoding(embedded.shape[-2], embedded.shape[-1])),
        Mistake(
            "The positions begin at 1.",
            "The first token stands at position 0: its row of waves is (0, 1, 0, 1, …).",
        ).by(lambda embedded: embedded + positional_encoding(embedded.shape[-2] + 1, embedded.shape[-1])[1:]),
    ),
    notice=(
        "Both sentences got the same encoding: NumPy repeats the (n, d_model) table for every sentence of the batch. "
        "Counting from the end of the shape, shape[-2], also works without a batch."
    ),
)


def _angles(positions, exponents):  # (n,), (m,) -> (n, m)
    """Divide every position by 10000 to every exponent."""
    return positions[:, None] / 10000.0**exponents


def _pair_numbers(d_model):
    """Count the pairs of columns: 0, 1, …"""
    return np.arange(d_model // 2, dtype=float)


def _right_angles(positions, d_model):
    """Return the angle of every position and pair, in radians."""
    return _angles(positions, 2 * _pair_numbers(d_model) / d_model)


def _counted_anew(positions):
    """Return 0, 1, 2, … whatever the positions are."""
    return 0 * positions + np.arange(len(positions))


ANGLES = Exercise(
    name="inputs.angles",
    number="1.3",
    title="The angles",
    right=_right_angles,
    results=("angles",),
    cases=(
        Case("the example", (np.array([0, 1, 2]), 4)),
        Case("five positions", (np.array([3, 0, 7, 1, 40]), 8)),
        Case("one position", (np.array([9]), 6)),
        Case("as many positions as pairs", (np.array([5, 2, 1]), 6)),
        Case("one pair", (np.array([1, 2, 4]), 2)),
    ),
    mistakes=(
        known.EXPONENT_HALVED.by(lambda positions, d_model: _angles(positions, _pair_numbers(d_model) / d_model)),
        Mistake(
            "It multiplies where it should divide.",
            "Later pairs must turn more slowly. Here they turn faster.",
        ).by(lambda positions, d_model: positions[:, None] * 10000.0 ** (2 * _pair_numbers(d_model) / d_model)),
        Mistake(
            "The brackets of the exponent are missing.",
            "10000 ** 2 * i / d_model is (10000 ** 2) · i / d_model, because ** binds tighter than *.",
        ).by(lambda positions, d_model: positions[:, None] / (10000.0**2 * _pair_numbers(d_model) / d_model)),
        Mistake(
            "Without brackets, it divides by 10000 ** 2, then multiplies by i and divides by d_model.",
            "pos / 10000 ** 2 * i / d_model is read from the left. The whole exponent needs brackets.",
        ).by(lambda positions, d_model: positions[:, None] / 10000.0**2 * _pair_numbers(d_model) / d_model),
        Mistake(
            "Positions and pairs stand on the wrong axes.",
            "One row for each position, one column for each pair.",
        ).by(lambda positions, d_model: _right_angles(positions, d_model).T),
        Mistake(
            "There is one angle for each column instead of each pair.",
            "A sine and a cosine share one angle, so there are only d_model / 2 of them.",
        ).by(lambda positions, d_model: _angles(positions, np.arange(d_model) / d_model)),
        Mistake(
            "The pairs are counted from 1.",
            "The first pair is i = 0, and its exponent 0: it turns by 1 at every position.",
        ).by(lambda positions, d_model: _angles(positions, 2 * (_pair_numbers(d_model) + 1) / d_model)),
        Mistake(
            "The bracket closes too early.",
            "d_model belongs into the exponent: 10000 ** (2 * i / d_model).",
        ).by(lambda positions, d_model: positions[:, None] / (10000.0 ** (2 * _pair_numbers(d_model)) / d_model)),
        known.POSITIONS_UNUSED.by(lambda positions, d_model: _right_angles(_counted_anew(positions), d_model)),
        Mistake(
            "The sine is already taken.",
            "Only the angles are wanted here. Sine and cosine come in the next exercise.",
        ).by(lambda positions, d_model: np.sin(_right_angles(positions, d_model))),
        Mistake(
            "The exponent reaches 1 already at half the pairs.",
            "It divides by d_model / 2. The formula says 2i / d_model, where i counts pairs.",
        ).by(lambda positions, d_model: _angles(positions, 4 * _pair_numbers(d_model) / d_model)),
    ),
    notice=(
        "Column 0 is the position itself: the first pair turns by 1 radian a step, and every later pair more slowly."
    ),
    untraced=("d_model",),
)


def _interleaved(even, odd):
    """Take turns: columns 0, 2, … from one array, columns 1, 3, … from the other."""
    return np.stack([even, odd], axis=-1).reshape(len(even), -1)


def _sine_and_cosine(angles):
    """Return the sine and the cosine of every angle, side by side."""
    return _interleaved(np.sin(angles), np.cos(angles))


def _encoding(positions, d_model):
    return _sine_and_cosine(_right_angles(positions, d_model))


def _exchanged_in_pairs(encoding):
    """Exchange the two columns of every pair."""
    return _interleaved(encoding[:, 1::2], encoding[:, 0::2])


def _encoding_with_exponents(exponents):
    """Return an encoding in which each column has an exponent of its own: d_model -> (d_model,)."""

    def _encode(positions, d_model):
        angles = _angles(positions, exponents(d_model))
        return _interleaved(np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2]))

    return _encode


ENCODING = Exercise(
    name="inputs.encoding",
    number="1.4",
    title="The positional encoding",
    right=_encoding,
    results=("encoding",),
    cases=(
        Case("the example", (np.array([0, 1]), 4)),
        Case("five positions", (np.array([3, 0, 7, 1, 40]), 8)),
        Case("one position", (np.array([9]), 6)),
        Case("as many positions as columns", (np.array([5, 2, 1, 4]), 4)),
        Case("one pair", (np.array([1, 2, 4]), 2)),
    ),
    mistakes=(
        Mistake(
            "Sine and cosine are exchanged.",
            "Even columns, from 0, hold the sine; odd columns the cosine. Position 0 is (0, 1, 0, 1, …).",
        ).by(lambda positions, d_model: _exchanged_in_pairs(_encoding(positions, d_model))),
        Mistake(
            "All sines come first, then all cosines.",
            "Some code does so, and it works as well: only the columns stand in another order. The paper, and this "
            "task, let them take turns.",
        ).by(
            lambda positions, d_model: np.concatenate(
                [np.sin(_right_angles(positions, d_model)), np.cos(_right_angles(positions, d_model))], axis=-1
            )
        ),
        Mistake(
            "Each column has its own wavelength.",
            "A sine and a cosine of one angle make a point on a circle. With two different angles there is no circle, "
            "and a step no longer looks alike everywhere.",
        ).by(_encoding_with_exponents(lambda d_model: np.arange(d_model) / d_model)),
        Mistake(
            "The column number is taken for the number of the pair.",
            "Columns 2i and 2i + 1 share pair i: it is column // 2.",
        ).by(_encoding_with_exponents(lambda d_model: 2 * np.arange(d_model) / d_model)),
        Mistake(
            "The cosines are missing.",
            "Every second column is still 0.",
        ).by(
            lambda positions, d_model: _interleaved(
                *(f(_right_angles(positions, d_model)) for f in (np.sin, np.zeros_like))
            )
        ),
        Mistake(
            "The pairs stand on an axis of their own.",
            "So far it is right. One reshape to (n, d_model) is missing.",
        ).by(
            lambda positions, d_model: np.stack(
                [np.sin(_right_angles(positions, d_model)), np.cos(_right_angles(positions, d_model))], axis=-1
            )
        ),
        Mistake(
            "The angles are taken for degrees.",
            "np.sin wants radians, and the angles are radians already: nothing is to be converted.",
        ).by(lambda positions, d_model: _sine_and_cosine(_right_angles(positions, d_model) * (np.pi / 180))),
        Mistake(
            "There are only sines.",
            "One wave takes each height twice in a turn. The cosine beside it tells the two apart.",
        ).by(
            lambda positions, d_model: _interleaved(
                np.sin(_right_angles(positions, d_model)), np.sin(_right_angles(positions, d_model))
            )
        ),
        Mistake(
            "The sine and the cosine are missing.",
            "These are the angles. They grow without end; their sine and cosine stay between -1 and 1.",
        ).by(
            lambda positions, d_model: _interleaved(
                _right_angles(positions, d_model), _right_angles(positions, d_model)
            )
        ),
        Mistake(
            "The positions begin at 1.",
            "Use the positions as they are given: the first is 0.",
        ).by(lambda positions, d_model: _encoding(positions + 1, d_model)),
        known.POSITIONS_UNUSED.by(lambda positions, d_model: _encoding(_counted_anew(positions), d_model)),
        Mistake(
            "The exponent is twice too large.",
            "i counts pairs: 0, 1, 2, … If it counts columns, 0, 2, 4, …, it is 2i already.",
        ).by(lambda positions, d_model: _sine_and_cosine(_angles(positions, 4 * _pair_numbers(d_model) / d_model))),
        known.EXPONENT_HALVED.by(
            lambda positions, d_model: _sine_and_cosine(_angles(positions, _pair_numbers(d_model) / d_model))
        ),
    ),
    notice="Position 0 is (0, 1, 0, 1, …) at every width. Every row is a set of clock hands, the second hand first.",
    untraced=("d_model",),
)


EXERCISES = (LOOKUP, ADD_POSITIONS, ANGLES, ENCODING)

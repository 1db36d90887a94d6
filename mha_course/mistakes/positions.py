"""The waves that say where a token stands: pairs of columns, exponents, divisors, angles, sine and cosine."""

import numpy as np

from mha_course.engine.checking.exercise import Function, mistake
from mha_course.engine.checking.solution import Step
from mha_course.mistakes import shared

BASE = 10000.0
OTHER_BASES = (1000.0, 100000.0, 2.0, np.e, np.e**4, np.e ** np.log2(BASE))  # the last two: another logarithm


FIRST_ROW_LEFT_OUT = mistake("The first row stays 0.", "Counting begins at 0: range(1, n) leaves out the first row.")
LAST_ROW_LEFT_OUT = mistake("The last row stays 0.",
                            "range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier.")


def _powers_of(base: float) -> Function:
    return lambda exponents: base**exponents


def _rows_but(row, table):
    """Return a column of ones, with a 0 in one row."""
    return (np.arange(len(table)) != row % len(table))[:, None] * 1.0


PLACES = Step(
    "positions",
    lambda positions: positions,
    shared.POSITIONS_UNUSED.by(lambda positions: 0 * positions + np.arange(len(positions))),
    mistake("The positions begin at 1.",
            "Use the positions as they are given, with nothing added: the first token of a sentence is at 0.",
            lambda positions: positions + 1),
    mistake("1 is subtracted from the positions.",
            "They count from 0 already: use them as they are given.",
            lambda positions: positions - 1),
    mistake("The positions are sorted first.",
            "Row 1 of the result belongs to the first given position, whichever it is.",
            lambda positions: np.sort(positions)),
    mistake("The positions are read backwards.",
            "Row 1 of the result belongs to the first given position.",
            lambda positions: positions[::-1]),
    mistake("The positions are counted from the first one given.",
            "A position is counted from the beginning of the sentence. Use it as it is given.",
            lambda positions: positions - positions[0]),
    mistake("The positions are divided by their number, or by the largest.",
            "Then one step means less in a longer sentence. Here a step is always 1.",
            lambda positions: positions / len(positions),
            lambda positions: positions / np.max(positions)),
    mistake("Only the first position has a row.",
            "Each position needs one: give them an axis of their own, positions[:, None].",
            lambda positions: positions[:1]),
)

PAIRS = Step(
    "pairs",
    lambda d_model: np.arange(d_model // 2),
    mistake("There is one angle for each column instead of each pair.",
            "A sine and a cosine share one angle, so there are only d_model / 2 of them.",
            lambda d_model: np.arange(d_model) / 2,
            lambda d_model: np.arange(d_model),
            lambda d_model: np.arange(d_model) // 2),
    mistake("The last pair is missing.",
            "There are d_model // 2 pairs, and range and arange stop before the number they are given.",
            lambda d_model: np.arange(d_model // 2 - 1)),
    mistake("The first pair is missing.",
            "The first pair is i = 0: a range that begins at 1 leaves it out.",
            lambda d_model: np.arange(1, d_model // 2)),
    mistake("There is one pair too many.",
            "There are d_model // 2 pairs, and the last has the number d_model // 2 - 1.",
            lambda d_model: np.arange(d_model // 2 + 1)),
    mistake("There are as many pairs as positions.",
            "Positions go down, pairs across. How many pairs there are follows from the width: d_model // 2.",
            lambda positions: np.arange(len(positions))),
)

PAIR_OF_EACH_COLUMN = Step(
    "pairs",
    lambda d_model: np.arange(d_model) // 2,
    mistake("The two columns of a pair have different wavelengths.",
            "A sine and a cosine of one angle make a point on a circle. With two different angles there is no circle, "
            "and a step no longer looks the same everywhere.",
            lambda d_model: np.arange(d_model) / 2),
    mistake("The column number is used as the number of the pair.",
            "Columns 2i and 2i + 1 share pair i: it is column // 2.",
            lambda d_model: np.arange(d_model)),
    mistake("The list of pairs is repeated, not each pair.",
            "The columns belong to the pairs 0, 0, 1, 1, …, not to 0, 1, … and then 0, 1, … again.",
            lambda d_model: np.arange(d_model) % (d_model // 2)),
)

COUNT = Step(
    "pairs",
    lambda pairs: pairs,
    mistake("The pairs are counted from 1.",
            "The first pair is i = 0, so its exponent is 0: it turns by 1 radian with every position.",
            lambda pairs: pairs + 1),
    mistake("The pairs are in reverse order.",
            "The first pair is i = 0, and turns fastest. Later pairs turn more and more slowly.",
            lambda pairs: pairs[::-1]),
    mistake("The exponent is that of the odd column.",
            "The exponents are 0, 2, 4, … over d_model: the even number counts for both columns of a pair.",
            lambda pairs: pairs + 0.5),
)

EXPONENTS = Step(
    "exponents",
    lambda pairs, d_model: 2 * pairs / d_model,
    shared.EXPONENT_HALVED.by(lambda pairs, d_model: pairs / d_model),
    mistake("The exponent is twice as large as it should be.",
            "i counts pairs: 0, 1, 2, … If it counts columns, 0, 2, 4, …, it is 2i already. And it is divided by "
            "d_model, not by the number of pairs.",
            lambda pairs, d_model: 4 * pairs / d_model),
    mistake("The 2 is in the denominator of the exponent.",
            "2i / d_model: the 2 multiplies i.",
            lambda pairs, d_model: pairs / 2 / d_model),
    mistake("i is squared instead of doubled.",
            "2 * i doubles. i ** 2 is the square.",
            lambda pairs, d_model: pairs**2 / d_model,
            lambda pairs, d_model: 2 * pairs**2 / d_model),
    mistake("The exponent is not divided by d_model.",
            "2i / d_model runs from 0 to just below 1, at every width.",
            lambda pairs: 2 * pairs,
            lambda pairs: pairs),
    mistake("The exponent is upside down.",
            "It is 2i divided by d_model.",
            lambda pairs, d_model: d_model / (2 * pairs)),
    mistake("The exponent reaches 1 at the last pair.",
            "Some code spreads the waves like this. The formula divides by d_model, so that the last exponent stays "
            "below 1.",
            lambda pairs, d_model: 2 * pairs / (d_model - 2),
            lambda pairs, d_model: 2 * pairs / max(d_model - 2, 1)),
    mistake("The exponent is divided by d_model - 1.",
            "The formula divides by the whole width, d_model.",
            lambda pairs, d_model: 2 * pairs / (d_model - 1)),
    mistake("The exponent is divided by the number of positions.",
            "The number of positions changes no wave. The formula divides by the width, d_model.",
            lambda pairs, positions: 2 * pairs / len(positions)),
    mistake("All pairs turn equally fast.",
            "Each pair has its own divisor: 10000 ** (2 * i / d_model). With // instead of / every exponent is 0.",
            lambda pairs: 0 * pairs),
)

DIVISORS = Step(
    "divisors",
    lambda exponents: BASE**exponents,
    mistake("The brackets of the exponent are missing.",
            "10000 ** 2 * i / d_model is (10000 ** 2) · i / d_model, because ** binds tighter than *.",
            lambda pairs, d_model: BASE**2 * pairs / d_model),
    mistake(
        "The bracket closes too early.",
        "d_model belongs in the exponent: 10000 ** (2 * i / d_model).",
        lambda pairs, d_model: BASE ** (2 * pairs) / d_model,
        lambda pairs, d_model: np.asarray(10**4) ** (2 * pairs) / d_model,  # whole numbers, which may overflow
    ),
    mistake("The exponent is not divided by d_model.",
            "2i / d_model runs from 0 to just below 1, at every width.",
            lambda pairs: np.asarray(10**4) ** (2 * pairs)),
    mistake("The base is not 10000.",
            "10000 to the power of 2i / d_model. With np.exp and np.log, it is the natural logarithm of 10000.",
            *map(_powers_of, OTHER_BASES)),
    mistake("It multiplies 10000 by the exponent.",
            "** is the power, * the product: 10000 to the power of 2i / d_model.",
            lambda exponents: BASE * exponents),
    mistake("Base and exponent are swapped.",
            "10000 is the base, 2i / d_model the exponent.",
            lambda exponents: exponents**BASE),
    mistake("The divisor is the exponent itself.",
            "Divide by 10000 to the power of this exponent.",
            lambda exponents: exponents),
    mistake("Every divisor is 10000.",
            "Each pair has its own divisor: 10000 to the power of 2i / d_model.",
            lambda exponents: 0 * exponents + BASE),
)

ANGLES = Step(
    "angles",
    lambda positions, divisors: positions[:, None] / divisors,
    mistake("It multiplies instead of dividing.",
            "Later pairs must turn more slowly. Here they turn faster.",
            lambda positions, divisors: positions[:, None] * divisors),
    mistake("Without brackets, it divides by 10000 ** 2, then multiplies by i and divides by d_model.",
            "pos / 10000 ** 2 * i / d_model is read from the left. The whole exponent needs brackets.",
            lambda positions, pairs, d_model: positions[:, None] / BASE**2 * pairs / d_model),
    mistake("Without brackets, it divides by 10000 ** 2i, then by d_model.",
            "pos / 10000 ** (2 * i) / d_model is read from the left. d_model belongs in the brackets.",
            lambda positions, pairs, d_model: positions[:, None] / BASE ** (2 * pairs) / d_model,
            lambda positions, pairs, d_model: positions[:, None] / np.asarray(10**4) ** (2 * pairs) / d_model),
    mistake("The angle is upside down.",
            "Divide the position by the power of 10000, not the power by the position.",
            lambda positions, divisors: divisors / positions[:, None]),
    mistake("Each position has an angle for only one pair.",
            "Every position needs one for every pair: positions[:, None] is a column, and a column with a row makes a "
            "table.",
            lambda positions, divisors: positions / divisors),
    mistake("The angles are cut to whole numbers.",
            "// drops what comes after the decimal point, and so does a table of whole numbers. Use /.",
            lambda positions, divisors: positions[:, None] // divisors),
    mistake("It subtracts instead of dividing.",
            "Divide the position by the power of 10000.",
            lambda positions, divisors: positions[:, None] - divisors),
    mistake("It adds instead of dividing.",
            "Divide the position by the power of 10000.",
            lambda positions, divisors: positions[:, None] + divisors),
    mistake("The power is taken of the whole angle.",
            "(pos / 10000) ** … raises the position, too. Only 10000 has an exponent.",
            lambda positions, exponents: (positions[:, None] / BASE) ** exponents),
    mistake("The angles are converted as if they were degrees.",
            "np.sin wants radians, and the angles are radians already: convert nothing.",
            lambda positions, divisors: positions[:, None] / divisors * (np.pi / 180)),
    mistake("The angles are converted into degrees.",
            "np.sin wants radians, and the angles are radians already: convert nothing.",
            lambda positions, divisors: positions[:, None] / divisors * (180 / np.pi)),
    mistake("The angles are multiplied by 2π.",
            "The first wave repeats after 2π positions, but its angle grows by 1 a position: there is no 2π in the "
            "formula.",
            lambda positions, divisors: positions[:, None] / divisors * (2 * np.pi)),
    mistake("The angles are divided by 2π.",
            "That counts whole turns. The first pair turns by 1 radian a step: there is no 2π in the formula.",
            lambda positions, divisors: positions[:, None] / divisors / (2 * np.pi)),
)

ROWS_FOR_POSITIONS = Step(
    "angles",
    lambda angles: angles,
    mistake("Positions and pairs are on the wrong axes.",
            "One row for each position, one column for each pair.",
            lambda angles: angles.T),
    mistake("The sine is already taken.",
            "Only the angles are wanted here. Sine and cosine come in the next exercise.",
            lambda angles: np.sin(angles)),
    mistake("The cosine is already taken.",
            "Only the angles are wanted here. Sine and cosine come in the next exercise.",
            lambda angles: np.cos(angles)),
    mistake("Whole turns are subtracted.",
            "The sine would be the same, but the angles themselves are wanted: position divided by the power.",
            lambda angles: angles % (2 * np.pi)),
    mistake("Each angle comes twice.",
            "A sine and a cosine share one angle, so there are only d_model / 2 of them.",
            lambda angles: np.concatenate([angles, angles], axis=-1)),
    mistake("The table is flattened.",
            "One row for each position, one column for each pair: the result has two axes.",
            lambda angles: angles.reshape(-1)),
    mistake("It returns the powers of 10000.",
            "Divide the positions by them. One row for each position is wanted.",
            lambda divisors: divisors),
    mistake("It returns the exponents.",
            "Divide the positions by 10000 to these powers. One row for each position is wanted.",
            lambda exponents: exponents),
    FIRST_ROW_LEFT_OUT.by(lambda angles: angles * _rows_but(0, angles)),
    LAST_ROW_LEFT_OUT.by(lambda angles: angles * _rows_but(-1, angles)),
)

WAVES = Step(
    "sines cosines",
    lambda angles: (np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])),
    mistake("Sine and cosine are swapped.",
            "Even columns, from 0, hold the sine; odd columns the cosine. Position 0 is (0, 1, 0, 1, …).",
            lambda angles: (np.cos(angles[:, 0::2]), np.sin(angles[:, 1::2]))),
    mistake("Even positions get sines, odd positions cosines.",
            "The columns take turns, not the positions: even columns, from 0, hold the sine, odd columns the cosine.",
            lambda angles, positions: tuple(
                np.where(positions[:, None] % 2, np.cos(each), np.sin(each))
                for each in (angles[:, 0::2], angles[:, 1::2])
            )),
    mistake("There are only sines.",
            "One wave has each height twice in a turn. The cosine beside it tells the two apart.",
            lambda angles: (np.sin(angles[:, 0::2]), np.sin(angles[:, 1::2]))),
    mistake("There are only cosines.",
            "One wave has each height twice in a turn. The sine beside it tells the two apart.",
            lambda angles: (np.cos(angles[:, 0::2]), np.cos(angles[:, 1::2]))),
    mistake("The sine and the cosine are missing.",
            "These are the angles. They grow without limit; their sine and cosine stay between -1 and 1.",
            lambda angles: (angles[:, 0::2], angles[:, 1::2])),
    mistake("The sine is missing.",
            "Every second column still holds the angle. It grows without limit; its sine stays between -1 and 1.",
            lambda angles: (angles[:, 0::2], np.cos(angles[:, 1::2]))),
    mistake("The cosine is missing.",
            "Every second column still holds the angle. It grows without limit; its cosine stays between -1 and 1.",
            lambda angles: (np.sin(angles[:, 0::2]), angles[:, 1::2])),
    mistake("The cosines are missing.",
            "Every second column is still 0.",
            lambda angles: (np.sin(angles[:, 0::2]), 0 * angles[:, 1::2])),
    mistake("The sines are missing.",
            "Every second column is still 0.",
            lambda angles: (0 * angles[:, 0::2], np.cos(angles[:, 1::2]))),
    mistake("The cosine is taken of the sine.",
            "Both are taken of the angle. Once the sine has overwritten the angle, it is gone.",
            lambda angles: (np.sin(angles[:, 0::2]), np.cos(np.sin(angles[:, 1::2])))),
    mistake("The sine is taken of the cosine.",
            "Both are taken of the angle. Once the cosine has overwritten the angle, it is gone.",
            lambda angles: (np.sin(np.cos(angles[:, 0::2])), np.cos(angles[:, 1::2]))),
    mistake("The waves have lost their signs.",
            "Sine and cosine go from -1 to 1. Without their signs, both halves of a turn have the same heights.",
            lambda angles: (abs(np.sin(angles[:, 0::2])), abs(np.cos(angles[:, 1::2])))),
    mistake("The sines have the wrong sign.",
            "The sine of the angle is wanted, as it is: position 1 has sin 1, above 0.",
            lambda angles: (-np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2]))),
    mistake("The waves are squared.",
            "Sine and cosine themselves are wanted, from -1 to 1.",
            lambda angles: (np.sin(angles[:, 0::2]) ** 2, np.cos(angles[:, 1::2]) ** 2)),
)


def _halves(angles):
    return np.split(angles, 2, axis=-1)


def _overwritten(sines, cosines):
    left = np.zeros((len(sines), sines.shape[-1] - 1))
    return np.concatenate([sines, cosines[:, -1:], left], axis=-1)


TAKE_TURNS = Step(
    "encoding",
    lambda sines, cosines: np.stack([sines, cosines], axis=-1).reshape(len(sines), -1),
    mistake("All sines come first, then all cosines.",
            "Some code does so, and it works as well: only the columns are in another order. In the paper, and in this "
            "task, they take turns.",
            lambda sines, cosines: np.concatenate([sines, cosines], axis=-1),
            lambda angles: np.concatenate([np.sin(_halves(angles)[0]), np.cos(_halves(angles)[1])], axis=-1)),
    mistake("All cosines come first, then all sines.",
            "Some code does so, and it works as well: only the columns are in another order. In the paper, and in this "
            "task, they take turns, and the sine comes first.",
            lambda sines, cosines: np.concatenate([cosines, sines], axis=-1)),
    mistake("The cosines are below the sines.",
            "One row for each position: sine and cosine of an angle are next to each other, in columns.",
            lambda sines, cosines: np.concatenate([sines, cosines], axis=0)),
    mistake("Each pair begins one column after the one before, not two.",
            "Pair i fills the columns 2i and 2i + 1. In i and i + 1 it overwrites part of the pair before.",
            _overwritten),
    mistake("The pairs are on an axis of their own.",
            "The numbers are right. One reshape to (n, d_model) is missing.",
            lambda sines, cosines: np.stack([sines, cosines], axis=-1)),
    mistake("Sines and cosines are on an axis of their own.",
            "These are two tables. One table is wanted, in which the columns of sines and cosines take turns.",
            lambda sines, cosines: np.stack([sines, cosines], axis=0),
            lambda sines, cosines: np.stack([sines, cosines], axis=1)),
    mistake("The reshape mixes the rows.",
            "reshape reads row by row and fills up the new shape. Sine and cosine must be on the last axis before: "
            "np.stack(…, axis=-1).",
            lambda sines, cosines: np.stack([sines, cosines], axis=0).reshape(len(sines), -1),
            lambda sines, cosines: np.stack([sines.T, cosines.T], axis=-1).reshape(len(sines), -1)),
    mistake("Sine and cosine take turns from row to row.",
            "table[0::2] takes every second row. The columns take turns: table[:, 0::2].",
            lambda angles: np.where(np.arange(len(angles))[:, None] % 2 == 0, np.sin(angles), np.cos(angles))),
    mistake("Sine and cosine are added.",
            "A sum mixes the two, and leaves one column for each pair. They belong side by side.",
            lambda sines, cosines: sines + cosines),
    mistake("Only the sines are returned.", "The cosines belong in the columns between them.", lambda sines: sines),
    mistake("Only the cosines are returned.", "The sines belong in the columns between them.", lambda cosines: cosines),
)


ROWS_OF_WAVES = Step(
    "encoding",
    lambda encoding: encoding,
    mistake("The result is transposed.",
            "One row for each position, one column for each wave.",
            lambda encoding: encoding.T),
    mistake("The columns are in reverse order.",
            "The fastest pair comes first, and in each pair the sine before the cosine.",
            lambda encoding: encoding[:, ::-1]),
    mistake("The row of position 0 is all zeros.",
            "Some code reserves it for padding. Here position 0 is like any other: (0, 1, 0, 1, …).",
            lambda encoding, positions: encoding * (positions[:, None] != 0)),
    FIRST_ROW_LEFT_OUT.by(lambda encoding: encoding * _rows_but(0, encoding)),
    LAST_ROW_LEFT_OUT.by(lambda encoding: encoding * _rows_but(-1, encoding)),
    mistake("The first pair of columns stays 0.",
            "Counting begins at 0: a range that begins at 1 or 2 leaves out the first pair.",
            lambda encoding: encoding * (np.arange(encoding.shape[-1]) > 1)),
    mistake("The last pair of columns stays 0.",
            "There are d_model // 2 pairs, and range stops before the number that it is given.",
            lambda encoding: encoding * (np.arange(encoding.shape[-1]) < encoding.shape[-1] - 2)),
    mistake("The last column stays 0.",
            "Columns 1, 3, 5, … up to the last hold the cosines. 1:-1:2 stops before it.",
            lambda encoding: encoding * (np.arange(encoding.shape[-1]) < encoding.shape[-1] - 1)),
    mistake("The encoding is multiplied by √d_model.",
            "The 2017 paper multiplies the embeddings by it, not the waves. They stay between -1 and 1.",
            lambda encoding, d_model: encoding * d_model**0.5),
    mistake("The encoding is divided by √d_model.",
            "Nothing scales the waves: they go from -1 to 1.",
            lambda encoding, d_model: encoding / d_model**0.5),
)

TABLE_OF_ANGLES = (PLACES, PAIRS, COUNT, EXPONENTS, DIVISORS, ANGLES, ROWS_FOR_POSITIONS)
ENCODING = (PLACES, PAIR_OF_EACH_COLUMN, COUNT, EXPONENTS, DIVISORS, ANGLES, WAVES, TAKE_TURNS, ROWS_OF_WAVES)

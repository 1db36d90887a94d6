"""Layer norm: each row to mean 0 and variance 1, one operation a step, then gain and bias."""

import inspect
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from mha_course.maths.formulas import softmax
from mha_course.workbook.checking.exercise import Function, Slip, slip
from mha_course.workbook.checking.recipe import Step, asked

Wrong = tuple[Slip, Callable]  # a slip, and what it subtracts, of (rows, axis, keepdims)

SHARED = ("axis", "keepdims", "count", "eps")  # by all tables that are normalised alike
FIXED = 4  # the width of the examples
USUAL_EPS = (1e-5, 1e-6, 1e-8, 1e-12, 1e-3)  # what code often has

EPS_OUTSIDE = slip(
    "eps stands outside of the root.",
    "√variance + eps is not √(variance + eps). For a row whose entries hardly differ the two are far apart. Add eps to "
    "the variance.",
    asked="codertimo/BERT-pytorch #30",
)
EPS_FORGOTTEN = slip(
    "eps is forgotten.",
    "A row of equal entries has variance 0, and 0 / 0 is nan. One nan in a sentence, and the next attention hands it "
    "to all of its tokens.",
)
NOT_CENTRED = slip(
    "The mean is not subtracted.",
    "It divides by the right number, but the row keeps its mean. Layer norm makes the mean 0.",
)
ROOT_MEAN_SQUARE = slip(
    "It divides by the root mean square, without the mean subtracted.",
    "That is RMSNorm, which many newer models use. Layer norm subtracts the mean first.",
)
DIVIDED_BY_VARIANCE = slip(
    "The root of the variance is not taken.",
    "The variance is measured in squares. Its root has the size of the entries, so that is what to divide by.",
)
ONE_LESS = slip(
    "The variance is divided by d_model - 1.",
    "That is what ddof=1 does, and in some libraries std and var do it unless told otherwise. Layer norm divides by "
    "the number of entries.",
    where="harvardnlp/annotated-transformer #119",
    asked="codertimo/BERT-pytorch #30",
)
ONLY_CENTRED = slip(
    "The division is missing.", "The mean is 0 now, but long rows are still long. Divide by the root of variance + eps."
)
MEAN_ADDED = slip(
    "The mean is added instead of subtracted.", "Then the row moves further away from mean 0. Take the mean away."
)
DIVIDED_BY_MEAN = slip(
    "It divides by the mean instead of subtracting it.",
    "A division makes the mean 1, and fails where the mean is 0. Layer norm moves the row: take the mean away.",
)
WRONG_SIZE = slip(
    "It divides by the wrong size.",
    "A mean divides by how many entries were added: here those of one row, x.shape[-1].",
)
FIXED_WIDTH = slip(
    "It divides by 4, whatever the width is.",
    "That fits the example. Take the width from the shape, the last axis: shape[-1].",
)
KEEPDIMS_MISSING = slip(
    "keepdims=True is missing.",
    "Mean and variance have lost an axis, and NumPy lines up axes from the end: they meet the columns instead of the "
    "rows. Only with as many tokens as columns does this run.",
)

OVER_TOKENS = slip(
    "It normalises over the tokens.",
    "Each token's row must be normalised by itself: axis=-1. Here every token's result depends on the other tokens, on "
    "those that a mask hides too.",
    where="jadore801120/attention-is-all-you-need-pytorch #17",
)
OVER_THE_SENTENCE = slip(
    "It normalises tokens and columns together.",
    "One mean for the whole sentence lets its tokens see each other. Each row needs a mean of its own.",
    where="Qualcomm-AI-research/geometric-algebra-transformer #8, reczoo/FuxiCTR #23",
)
OVER_EVERYTHING = slip(
    "It normalises everything at once.",
    "One mean for all sentences: what a sentence gives then depends on which others are in the batch.",
)
OVER_THE_BATCH = slip(
    "It normalises over the first axis.",
    "That axis counts sentences, or tokens where there is no batch. The width is the last axis: axis=-1.",
)


def _size(rows, axis):
    return np.asarray(rows).shape[axis]


def _more_by(number):
    return lambda variance: variance + number


ROW_AXIS = Step("axis keepdims", lambda: (-1, True))  # where there is one row only

AXIS = Step(
    "axis keepdims",
    lambda: (-1, True),
    OVER_TOKENS.by(lambda: (-2, True)),
    OVER_THE_SENTENCE.by(lambda: ((-2, -1), True)),
    OVER_EVERYTHING.by(lambda rows: (tuple(range(rows.ndim)), True)),
    OVER_THE_BATCH.by(lambda: (0, True), lambda: (-3, True)),
    slip("Axis 1 is the width for one sentence only.",
         "With a batch in front, axis 1 counts the tokens. Count from the end: the last axis is -1.",
         lambda: (1, True)),
    slip("It normalises each column, over all tokens of all sentences.",
         "That is batch norm. What a token gives then depends on everything else in the batch. Layer norm takes each "
         "token's row by itself: axis=-1.",
         lambda rows: (tuple(range(rows.ndim - 1)), True)),
    KEEPDIMS_MISSING.by(lambda: (-1, False)),
)

COUNT = Step("count", lambda rows, axis: rows.size // rows.sum(axis=axis).size)

COUNT_OF_ROW = COUNT.knowing(FIXED_WIDTH.by(lambda: FIXED))

COUNT_OF_STACK = COUNT_OF_ROW.knowing(
    WRONG_SIZE.by(
        lambda rows: _size(rows, -2),
        lambda rows: _size(rows, 0),
        lambda rows: _size(rows, 1),
        lambda rows: rows.size,
    )
)

WRONG_MEANS: tuple[Wrong, ...] = (
    (
        slip("The median is subtracted, not the mean.",
             "The median is the entry in the middle. Layer norm makes the mean 0, so the mean is what to take away."),
        lambda rows, axis, keepdims: np.median(rows, axis=axis, keepdims=keepdims),
    ),
    (
        slip("The largest entry is subtracted, not the mean.",
             "The softmax subtracts the largest. Layer norm makes the mean 0, so the mean is what to take away."),
        lambda rows, axis, keepdims: rows.max(axis=axis, keepdims=keepdims),
    ),
    (
        slip("The smallest entry is subtracted, not the mean.",
             "Then all entries are 0 or more. Layer norm makes the mean 0, so the mean is what to take away."),
        lambda rows, axis, keepdims: rows.min(axis=axis, keepdims=keepdims),
    ),
    (
        slip("The sum is subtracted, not the mean.",
             "Each entry would lose what all of them have together. The mean is the sum divided by how many there "
             "are."),
        lambda rows, axis, keepdims: rows.sum(axis=axis, keepdims=keepdims),
    ),
    (
        slip("The sum is divided by one entry too few.",
             "d_model - 1 is at most a matter of the variance, and not in layer norm. The mean divides by all "
             "d_model."),
        lambda rows, axis, keepdims: rows.sum(axis=axis, keepdims=keepdims) / (rows.shape[-1] - 1),
    ),
    (MEAN_ADDED, lambda rows, axis, keepdims: -rows.mean(axis=axis, keepdims=keepdims)),
)

WRONG_MEANS_OF_STACK: tuple[Wrong, ...] = (
    (
        slip("One mean is subtracted from all rows.",
             "x.mean() without an axis is the mean of everything. Each row needs a mean of its own: axis=-1, "
             "keepdims=True."),
        lambda rows, axis, keepdims: rows.mean(),
    ),
    (
        slip("The mean of each column is subtracted.",
             "It runs over the tokens, so they see each other. Each row needs a mean of its own: axis=-1."),
        lambda rows, axis, keepdims: rows.mean(axis=-2, keepdims=True),
    ),
    (
        slip("The mean of the first axis is subtracted.",
             "axis=0 counts sentences, or tokens where there is no batch. The width is the last axis: axis=-1."),
        lambda rows, axis, keepdims: rows.mean(axis=0, keepdims=True),
    ),
    (
        slip("The means have lost their axis: keepdims=True is missing.",
             "They are then a row, and NumPy takes the mean of row 1 away from column 1. Only with as many tokens "
             "as columns does this run."),
        lambda rows, axis, keepdims: rows.mean(axis=axis),
    ),
)


def _in_both(wrong: Iterable[Wrong]) -> Iterable[Slip]:
    """Yield slips in the mean that the variance has too, as it is measured from there."""
    return (slip.by(way) for slip, way in wrong)


def _beside_the_variance(wrong: Iterable[Wrong]) -> Iterable[Slip]:
    """Yield the same slips where the variance is right, as np.var gives it."""
    return (slip.by(_taken_away(way)) for slip, way in wrong)


def _taken_away(way):
    return lambda rows, axis, keepdims, variance: (rows - way(rows, axis, keepdims), variance)


MEANS = Step(
    "means",
    lambda rows, axis, keepdims, count: rows.sum(axis=axis, keepdims=keepdims) / count,
    ROOT_MEAN_SQUARE.by(lambda rows: rows * 0),
    *_in_both(WRONG_MEANS),
)

MEANS_OF_STACK = MEANS.knowing(*_in_both(WRONG_MEANS_OF_STACK))

CENTRE = Step(
    "centred",
    lambda rows, means: rows - means,
    slip("It subtracts the row from the mean.",
         "An entry above the mean must come out above 0. Take the mean away from the row.",
         lambda rows, means: means - rows),
    DIVIDED_BY_MEAN.by(lambda rows, means: rows / means),
    slip("The distances from the mean have lost their signs.",
         "An entry below the mean must come out below 0. Only in the variance do the squares take the signs away.",
         lambda rows, means: np.maximum(rows - means, means - rows)),
)

SQUARE = Step(
    "squares",
    lambda centred: centred * centred,
    slip("The distances from the mean cancel.",
         "Those below 0 take away what those above 0 give. Square each of them first, then take the mean.",
         lambda centred: centred),
    slip("It takes the mean of the distances, not of their squares.",
         "The variance is the mean of the squares: a large distance counts for more than two small ones.",
         lambda centred: np.maximum(centred, -centred)),
    slip("The variance is measured from 0, not from the mean.",
         "The mean square of the row also counts how far its mean is from 0. Square what is left without the mean.",
         lambda rows: rows * rows),
    slip("The distances are taken to the third power.",
         "The variance is the mean of the squares: ** 2.",
         lambda centred: np.maximum(centred, -centred) ** 3),
)

VARIANCE = Step(
    "variance",
    lambda squares, axis, keepdims, count: squares.sum(axis=axis, keepdims=keepdims) / count,
    slip("The squares are added up, but their mean is not taken.",
         "A wide row has more squares to add up, and would come out smaller. Take their mean.",
         lambda squares, axis, keepdims: squares.sum(axis=axis, keepdims=keepdims)),
    ONE_LESS.by(lambda squares, axis, keepdims, count: squares.sum(axis=axis, keepdims=keepdims) / (count - 1)),
    slip("The root is taken twice.",
         "np.std is the root of the variance already. Under the root belongs the variance: np.var.",
         lambda squares, axis, keepdims, count: np.sqrt(squares.sum(axis=axis, keepdims=keepdims) / count)),
    slip("The mean is taken away from the mean square, not its square.",
         "The variance is the mean square less the square of the mean: (x ** 2).mean() - x.mean() ** 2.",
         lambda rows, axis, keepdims: (
             (rows * rows).mean(axis=axis, keepdims=keepdims) - rows.mean(axis=axis, keepdims=keepdims)
         )),
    slip("The largest square is taken, not their mean.",
         "One far entry alone would then say how small all others become. The variance asks all of them.",
         lambda squares, axis, keepdims: squares.max(axis=axis, keepdims=keepdims)),
)

OF_FIXED_WIDTH = FIXED_WIDTH.by(lambda squares, axis, keepdims: squares.sum(axis=axis, keepdims=keepdims) / FIXED)
VARIANCE_OF_ROW = VARIANCE.knowing(OF_FIXED_WIDTH)

VARIANCE_OF_STACK = VARIANCE.knowing(
    slip("One variance is taken for all rows.",
         "x.var() without an axis is the variance of everything. Each row needs one of its own: axis=-1, "
         "keepdims=True.",
         lambda rows: rows.var(),
         lambda squares: squares.mean()),
    slip("The variance of each column is taken.",
         "It runs over the tokens, so they see each other. Each row needs a variance of its own: axis=-1.",
         lambda rows: rows.var(axis=-2, keepdims=True),
         lambda squares: squares.mean(axis=-2, keepdims=True)),
    slip("The variance of the first axis is taken.",
         "axis=0 counts sentences, or tokens where there is no batch. The width is the last axis: axis=-1.",
         lambda rows: rows.var(axis=0, keepdims=True),
         lambda squares: squares.mean(axis=0, keepdims=True)),
    slip("The variances have lost their axis: keepdims=True is missing.",
         "They are then a row, and NumPy divides column 1 by the root that belongs to row 1. Only with as many tokens "
         "as columns does this run.",
         lambda squares, axis: squares.mean(axis=axis)),
    WRONG_SIZE.by(
        lambda squares, axis, keepdims: squares.sum(axis=axis, keepdims=keepdims) / _size(squares, -2),
        lambda squares, axis, keepdims: squares.sum(axis=axis, keepdims=keepdims) / _size(squares, 0),
        lambda squares, axis, keepdims: squares.sum(axis=axis, keepdims=keepdims) / _size(squares, 1),
    ),
)

APART = Step(  # np.var measures the variance by itself, from its own mean
    "numerator variance",
    lambda centred, variance: (centred, variance),
    NOT_CENTRED.by(lambda rows, variance: (rows, variance)),
    *_beside_the_variance(WRONG_MEANS),
    DIVIDED_BY_MEAN.by(
        lambda rows, axis, keepdims, variance: (rows / rows.mean(axis=axis, keepdims=keepdims), variance)
    ),
)

APART_OF_STACK = APART.knowing(
    *_beside_the_variance(WRONG_MEANS_OF_STACK),
    KEEPDIMS_MISSING.by(lambda rows, axis, variance: (rows - rows.mean(axis=axis), np.squeeze(variance, axis=axis))),
)

STEADY = Step("steadied", lambda variance, eps: variance + eps, EPS_FORGOTTEN.by(lambda variance: variance))

STEADY_AS_ASKED = STEADY.knowing(  # where the inputs show what becomes of eps
    slip("The given eps is not used.",
         "A fixed number stands in its place. It may be the usual one, but eps is an argument.",
         *map(_more_by, USUAL_EPS)),
    slip("eps is subtracted.",
         "Then the root of a small variance is nan. Add eps: the sum never comes to 0.",
         lambda variance, eps: variance - eps),
    slip("The larger of variance and eps is taken.",
         "That too keeps the division from being 0 / 0, but it is another function. Layer norm adds the two.",
         lambda variance, eps: np.maximum(variance, eps)),
    slip("eps is squared.",
         "Under the root stands variance + eps, as it is.",
         lambda variance, eps: variance + eps * eps),
    slip("eps counts twice.", "It is added once, to the variance.", lambda variance, eps: variance + 2 * eps),
    slip("It multiplies the variance by eps.",
         "eps is a small number to be added. Multiplied, it makes the variance small, and every entry large.",
         lambda variance, eps: variance * eps),
)

ROOT = Step(
    "root",
    lambda steadied: np.sqrt(steadied),
    DIVIDED_BY_VARIANCE.by(lambda steadied: steadied),
    slip("The variance is squared where its root is needed.",
         "** 2 is the square. The root is ** 0.5, or np.sqrt.",
         lambda steadied: steadied * steadied),
    slip("The divisor is half the variance.",
         "v ** 1 / 2 is (v ** 1) / 2, because ** binds tighter than /. Write v ** 0.5, or np.sqrt(v).",
         lambda steadied: steadied / 2),
    slip("The divisor is the mean distance from the mean.",
         "Layer norm squares the distances, takes the mean, and then the root.",
         lambda numerator, axis, keepdims, eps: (
             np.maximum(numerator, -numerator).mean(axis=axis, keepdims=keepdims) + eps
         )),
    slip("The divisor is the largest entry minus the smallest.",
         "One far entry alone would then say how small all others become. The root of the variance asks all of them.",
         lambda rows, axis, keepdims, eps: (
             rows.max(axis=axis, keepdims=keepdims) - rows.min(axis=axis, keepdims=keepdims) + eps
         ),
         lambda rows, axis, keepdims: rows.max(axis=axis, keepdims=keepdims) - rows.min(axis=axis, keepdims=keepdims)),
)

ROOT_AS_ASKED = ROOT.knowing(  # where the inputs show what becomes of eps
    EPS_OUTSIDE.by(lambda variance, eps: np.sqrt(variance) + eps),
    slip("eps stands under the root and outside of it.",
         "It is added once, to the variance.",
         lambda steadied, eps: np.sqrt(steadied) + eps),
)

DIVIDE = Step(
    "normalised",
    lambda numerator, root: numerator / root,
    ONLY_CENTRED.by(lambda numerator: numerator),
    slip("It multiplies where it should divide.",
         "Then long rows become longer still. Divide: every row has variance 1 afterwards.",
         lambda numerator, root: numerator * root),
    slip("The division is upside down.",
         "The row stands above, the root below.",
         lambda numerator, root: root / numerator),
    slip("Only the mean is divided.",
         "x - mean / root is read as x - (mean / root), because / binds tighter than -. Put brackets around x - mean.",
         lambda rows, means, root: rows - means / root),
    slip("The mean is subtracted after the division.",
         "It belongs to the row as it was. First the mean, then the division.",
         lambda rows, means, root: rows / root - means),
    slip("It brings the row to length 1.",
         "Its squares then sum to 1, and it keeps its mean. Layer norm makes the mean 0 and the variance 1.",
         lambda rows: rows / np.sqrt((rows * rows).sum(axis=-1, keepdims=True)),
         lambda rows, eps: rows / np.sqrt((rows * rows).sum(axis=-1, keepdims=True) + eps),
         lambda rows, eps: rows / (np.sqrt((rows * rows).sum(axis=-1, keepdims=True)) + eps)),
    slip("It shares out one whole.",
         "That is the softmax. Layer norm has negative entries, and its rows sum to 0.",
         lambda rows: softmax(rows)),
    slip("It stretches the row from 0 to 1.",
         "One large entry alone would then say how small all others become. Layer norm asks all of them.",
         lambda rows, eps, axis, keepdims: (
             (rows - rows.min(axis=axis, keepdims=keepdims))
             / (rows.max(axis=axis, keepdims=keepdims) - rows.min(axis=axis, keepdims=keepdims) + eps)
         ),
         lambda rows, axis, keepdims: (
             (rows - rows.min(axis=axis, keepdims=keepdims))
             / (rows.max(axis=axis, keepdims=keepdims) - rows.min(axis=axis, keepdims=keepdims))
         )),
)

DIVIDE_AS_ASKED = DIVIDE.knowing(  # where the inputs show what becomes of eps
    slip("eps is added to the result.",
         "There it moves every entry, and does not keep 0 / 0 away. It belongs under the root, beside the variance.",
         lambda numerator, variance, eps: numerator / np.sqrt(variance) + eps),
)

GAIN_AND_BIAS = Step(
    "rows gain bias",
    lambda x, gain, bias: (x, gain, bias),
    slip("Gain and bias act before the normalisation.",
         "What they change is normalised away again. They come last.",
         lambda x, gain, bias: (x * gain + bias, 1.0, 0.0)),
    slip("The gain acts before the normalisation.",
         "What it changes is normalised away again. It multiplies the normalised rows.",
         lambda x, gain, bias: (x * gain, 1.0, bias)),
    slip("The bias acts before the normalisation.",
         "What it changes is normalised away again. It is added last.",
         lambda x, gain, bias: (x + bias, gain, 0.0)),
    slip("Gain and bias are both forgotten.",
         "The rows are normalised. Multiply by the gain, then add the bias.",
         lambda x: (x, 1.0, 0.0)),
    slip("Gain and bias are read backwards.",
         "Entry 1 of each belongs to column 1, the last to the last.",
         lambda x, gain, bias: (x, gain[::-1], bias[::-1])),
    slip("Gain and bias lie along the tokens.",
         "Each has one number for each column, the same for every token. As they are, NumPy lines them up with the "
         "last axis. Only with as many tokens as columns does [:, None] run.",
         lambda x, gain, bias: (x, gain[:, None], bias[:, None])),
    slip("Gain and bias are exchanged.",
         "The gain multiplies, the bias is added.",
         lambda x, gain, bias: (x, bias, gain)),
)

STRETCH = Step(
    "stretched",
    lambda normalised, gain: normalised * gain,
    slip("The gain is forgotten.",
         "After the division every column has the same size. The gain is what lets training choose another one.",
         lambda normalised: normalised),
    slip("It divides by the gain.",
         "A larger gain must make the column larger: multiply.",
         lambda normalised, gain: normalised / gain),
    slip("The gain is added.", "It multiplies. What is added is the bias.", lambda normalised, gain: normalised + gain),
    slip("The gain multiplies twice.", "Once is enough.", lambda normalised, gain: normalised * gain * gain),
    slip("1 is added to the gain.",
         "Some newer models keep the gain less 1. Here the gain is what multiplies, as it is.",
         lambda normalised, gain: normalised * (1 + gain)),
    slip("It takes the matrix product with the gain.",
         "@ adds up along the row. The gain multiplies column by column: *.",
         lambda normalised, gain: normalised @ gain),
    slip("The normalised rows are not used.",
         "Gain and bias are applied to the rows as they came.",
         lambda rows, gain: rows * gain),
    slip("The gain lies along the tokens.",
         "It has one number for each column, the same for every token. As it is, NumPy lines it up with the last "
         "axis. Only with as many tokens as columns does [:, None] run.",
         lambda normalised, gain: normalised * gain[:, None]),
)

MOVE = Step(
    "output",
    lambda stretched, bias: stretched + bias,
    slip("The bias is forgotten.",
         "After the subtraction every row has mean 0. The bias is what lets training move a column away from it.",
         lambda stretched: stretched),
    slip("The bias is added before the gain multiplies.",
         "Then the gain stretches the bias too. First the gain, then the bias.",
         lambda normalised, gain, bias: (normalised + bias) * gain),
    slip("The bias is subtracted.",
         "It is added. Training chose its sign for a plus.",
         lambda stretched, bias: stretched - bias),
    slip("The bias multiplies.",
         "The gain multiplies, and the bias is added.",
         lambda stretched, bias: stretched * bias),
    slip("The bias is added twice.", "Once is enough.", lambda stretched, bias: stretched + 2 * bias),
    slip("The gain is added in place of the bias.",
         "The gain multiplies. What is added is the bias.",
         lambda stretched, gain: stretched + gain),
    slip("The bias lies along the tokens.",
         "It has one number for each column, the same for every token. As it is, NumPy lines it up with the last "
         "axis. Only with as many tokens as columns does [:, None] run.",
         lambda stretched, bias: stretched + bias[:, None]),
)

NORM_OF_ROW = (
    ROW_AXIS,
    COUNT_OF_ROW,
    MEANS,
    CENTRE,
    SQUARE,
    VARIANCE_OF_ROW,
    APART,
    STEADY_AS_ASKED,
    ROOT_AS_ASKED,
    DIVIDE_AS_ASKED,
)
NORM_OF_STACK = (
    AXIS,
    COUNT_OF_STACK,
    MEANS_OF_STACK,
    CENTRE,
    SQUARE,
    VARIANCE_OF_STACK.knowing(OF_FIXED_WIDTH),
    APART_OF_STACK,
    STEADY_AS_ASKED,
    ROOT_AS_ASKED,
    DIVIDE_AS_ASKED,
)
NORM_WITH_USUAL_EPS = (  # where nothing but rows of equal entries shows what becomes of eps
    AXIS,
    COUNT,
    MEANS_OF_STACK,
    CENTRE,
    SQUARE,
    VARIANCE_OF_STACK,
    APART_OF_STACK,
    STEADY,
    ROOT,
    DIVIDE,
)


def for_each(step: Step, *tables: str) -> Step:
    """Return a step that is done for each of these tables at once, and goes wrong in all of them alike.

    What it makes and asks for is named after its table, but for what is SHARED.

    >>> halve = for_each(Step("half", lambda rows: rows / 2), "x", "sum")
    >>> halve.done({"rows_of_x": 4, "rows_of_sum": 6})
    {'rows_of_x': 4, 'rows_of_sum': 6, 'half_of_x': 2.0, 'half_of_sum': 3.0}
    """
    names = step.makes.split()
    makes = " ".join(of(table, name) for table in tables for name in names)
    slips = tuple(slip.by(*(_ForEach(way, tables, len(names)) for way in slip.ways)) for slip in step.slips)
    return Step(makes, _ForEach(step.does, tables, len(names)), *slips)


def of(table: str, name: str) -> str:
    """Return the name of one table's value.

    >>> of("sum", "variance"), of("sum", "eps")
    ('variance_of_sum', 'eps')
    """
    return name if name in SHARED else f"{name}_of_{table}"


class _ForEach:
    """A function done for several tables, which asks for the values of each by their names."""

    def __init__(self, way: Function, tables: tuple[str, ...], count: int):
        self.way, self.count = way, count
        self.names = [[of(table, name) for name in asked(way)] for table in tables]
        self.all_names = list(dict.fromkeys(itertools.chain(*self.names)))

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in self.all_names])

    def __call__(self, *values: object) -> tuple[object, ...]:
        there = dict(zip(self.all_names, values, strict=True))
        made: list[Any] = [self.way(*(there[name] for name in names)) for names in self.names]
        return tuple(made) if self.count == 1 else tuple(itertools.chain(*made))

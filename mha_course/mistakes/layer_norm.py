"""Layer norm: each row to mean 0 and variance 1, one operation a step, then gain and bias."""

import inspect
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from mha_course.engine.checking.exercise import Function, Mistake, mistake
from mha_course.engine.checking.solution import Step, asked
from mha_course.maths.formulas import softmax

Wrong = tuple[Mistake, Callable]  # a mistake, and what it subtracts, of (rows, axis, keepdims)

SHARED = ("axis", "keepdims", "count", "eps")  # by all tables that are normalised alike
FIXED = 4  # the width of the examples
USUAL_EPS = (1e-5, 1e-6, 1e-8, 1e-12, 1e-3)  # what code often has

EPS_OUTSIDE = mistake(
    "eps is outside the root.",
    "√variance + eps is not √(variance + eps). For a row whose entries hardly differ the two are far apart. Add eps "
    "to the variance.",
    asked="codertimo/BERT-pytorch #30",
)
EPS_FORGOTTEN = mistake(
    "eps is missing.",
    "A row of equal entries has variance 0, and 0 / 0 is nan. The next attention then spreads the nan to all tokens "
    "of the sentence.",
)
NOT_CENTRED = mistake(
    "The mean is not subtracted.",
    "The row keeps its mean. Layer norm makes the mean 0.",
)
ROOT_MEAN_SQUARE = mistake(
    "It divides by the root mean square, and the mean is not subtracted.",
    "That is RMSNorm, which many newer models use. Layer norm subtracts the mean first.",
)
DIVIDED_BY_VARIANCE = mistake(
    "The root of the variance is not taken.",
    "The variance is measured in squares. Its root has the size of the entries, so divide by that.",
)
ONE_LESS = mistake(
    "The variance is divided by d_model - 1.",
    "That is what ddof=1 does, and in some libraries std and var do it unless told otherwise. Layer norm divides by "
    "the number of entries.",
    where="harvardnlp/annotated-transformer #119",
    asked="codertimo/BERT-pytorch #30",
)
ONLY_CENTRED = mistake(
    "The division is missing.", "The mean is 0 now, but the variance is not 1. Divide by the root of variance + eps."
)
MEAN_ADDED = mistake(
    "The mean is added instead of subtracted.", "Then the row moves further away from mean 0. Subtract the mean."
)
DIVIDED_BY_MEAN = mistake(
    "It divides by the mean instead of subtracting it.",
    "A division makes the mean 1, and fails where the mean is 0. Layer norm moves the row: subtract the mean.",
)
WRONG_SIZE = mistake(
    "The mean is divided by the wrong size.",
    "A mean divides by how many entries were added: here those of one row, x.shape[-1].",
)
FIXED_WIDTH = mistake(
    "It divides by 4, whatever the width is.",
    "That fits the example. Take the width from the shape, the last axis: shape[-1].",
)
KEEPDIMS_MISSING = mistake(
    "keepdims=True is missing.",
    "Mean and variance have lost an axis, and NumPy lines up axes from the end: they meet the columns instead of the "
    "rows. This runs only with as many tokens as columns.",
)

OVER_TOKENS = mistake(
    "It normalises over the tokens, not the columns.",
    "Each token's row must be normalised by itself: axis=-1. Here every token's result depends on the other tokens, "
    "even on hidden ones.",
    where="jadore801120/attention-is-all-you-need-pytorch #17",
)
OVER_THE_SENTENCE = mistake(
    "It normalises tokens and columns together.",
    "Then the tokens of a sentence affect each other. Each row needs a mean of its own.",
    where="Qualcomm-AI-research/geometric-algebra-transformer #8, reczoo/FuxiCTR #23",
)
OVER_EVERYTHING = mistake(
    "It normalises everything at once.",
    "Then the result of a sentence depends on the others in the batch. Each row needs a mean of its own.",
)
OVER_THE_BATCH = mistake(
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
    mistake("Axis 1 is taken as the width.",
            "That is right for one sentence only. With a batch in front, axis 1 counts the tokens. Count from the end: "
            "the last axis is -1.",
            lambda: (1, True)),
    mistake("It normalises each column, over all tokens of all sentences.",
            "That is batch norm. Each token's result then depends on everything else in the batch. Layer norm takes "
            "each token's row by itself: axis=-1.",
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
        mistake("The median is subtracted, not the mean.",
                "The median is the entry in the middle. Layer norm makes the mean 0, so subtract the mean."),
        lambda rows, axis, keepdims: np.median(rows, axis=axis, keepdims=keepdims),
    ),
    (
        mistake("The largest entry is subtracted, not the mean.",
                "The softmax subtracts the largest. Layer norm makes the mean 0, so subtract the mean."),
        lambda rows, axis, keepdims: rows.max(axis=axis, keepdims=keepdims),
    ),
    (
        mistake("The smallest entry is subtracted, not the mean.",
                "Then all entries are 0 or more. Layer norm makes the mean 0, so subtract the mean."),
        lambda rows, axis, keepdims: rows.min(axis=axis, keepdims=keepdims),
    ),
    (
        mistake("The sum is subtracted, not the mean.",
                "The mean is the sum divided by the number of entries."),
        lambda rows, axis, keepdims: rows.sum(axis=axis, keepdims=keepdims),
    ),
    (
        mistake("The sum is divided by one entry too few.",
                "Only a variance is sometimes divided by d_model - 1, and not in layer norm. The mean divides by "
                "d_model."),
        lambda rows, axis, keepdims: rows.sum(axis=axis, keepdims=keepdims) / (rows.shape[-1] - 1),
    ),
    (MEAN_ADDED, lambda rows, axis, keepdims: -rows.mean(axis=axis, keepdims=keepdims)),
)

WRONG_MEANS_OF_STACK: tuple[Wrong, ...] = (
    (
        mistake("One mean is subtracted from all rows.",
                "x.mean() without an axis is the mean of everything. Each row needs a mean of its own: axis=-1, "
                "keepdims=True."),
        lambda rows, axis, keepdims: rows.mean(),
    ),
    (
        mistake("The mean of each column is subtracted.",
                "It runs over the tokens, so they affect each other. Each row needs a mean of its own: axis=-1."),
        lambda rows, axis, keepdims: rows.mean(axis=-2, keepdims=True),
    ),
    (
        mistake("The mean of the first axis is subtracted.",
                "axis=0 counts sentences, or tokens where there is no batch. The width is the last axis: axis=-1."),
        lambda rows, axis, keepdims: rows.mean(axis=0, keepdims=True),
    ),
    (
        mistake("The means have lost their axis: keepdims=True is missing.",
                "They are then a row, and NumPy subtracts the mean of row 1 from column 1. This runs only with as many "
                "tokens as columns."),
        lambda rows, axis, keepdims: rows.mean(axis=axis),
    ),
)


def _in_both(wrong: Iterable[Wrong]) -> Iterable[Mistake]:
    """Yield mistakes in the mean that the variance has too, as it is measured from there."""
    return (mistake.by(variant) for mistake, variant in wrong)


def _beside_the_variance(wrong: Iterable[Wrong]) -> Iterable[Mistake]:
    """Yield the same mistakes where the variance is right, as np.var gives it."""
    return (mistake.by(_taken_away(variant)) for mistake, variant in wrong)


def _taken_away(variant):
    return lambda rows, axis, keepdims, variance: (rows - variant(rows, axis, keepdims), variance)


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
    mistake("It subtracts the row from the mean.",
            "An entry above the mean must come out above 0. Subtract the mean from the row.",
            lambda rows, means: means - rows),
    DIVIDED_BY_MEAN.by(lambda rows, means: rows / means),
    mistake("The differences from the mean have lost their signs.",
            "An entry below the mean must come out below 0. Only in the variance do the squares remove the signs.",
            lambda rows, means: np.maximum(rows - means, means - rows)),
)

SQUARE = Step(
    "squares",
    lambda centred: centred * centred,
    mistake("The differences from the mean are not squared.",
            "Those below 0 cancel those above 0. Square each of them first, then take the mean.",
            lambda centred: centred),
    mistake("It takes the mean of the differences, not of their squares.",
            "The variance is the mean of the squares: a large difference counts for more than two small ones.",
            lambda centred: np.maximum(centred, -centred)),
    mistake("The variance is measured from 0, not from the mean.",
            "The mean square also counts how far the mean is from 0. Subtract the mean first, then square.",
            lambda rows: rows * rows),
    mistake("The differences are taken to the third power.",
            "The variance is the mean of the squares: ** 2.",
            lambda centred: np.maximum(centred, -centred) ** 3),
)

VARIANCE = Step(
    "variance",
    lambda squares, axis, keepdims, count: squares.sum(axis=axis, keepdims=keepdims) / count,
    mistake("The squares are added up, but their mean is not taken.",
            "A wide row has more squares, so it would come out smaller. Take their mean.",
            lambda squares, axis, keepdims: squares.sum(axis=axis, keepdims=keepdims)),
    ONE_LESS.by(lambda squares, axis, keepdims, count: squares.sum(axis=axis, keepdims=keepdims) / (count - 1)),
    mistake("The root is taken twice.",
            "np.std is the root of the variance already. Take one root, of variance + eps.",
            lambda squares, axis, keepdims, count: np.sqrt(squares.sum(axis=axis, keepdims=keepdims) / count)),
    mistake("The mean is subtracted from the mean square, not its square.",
            "The variance is the mean square minus the square of the mean: (x ** 2).mean() - x.mean() ** 2.",
            lambda rows, axis, keepdims: (
                (rows * rows).mean(axis=axis, keepdims=keepdims) - rows.mean(axis=axis, keepdims=keepdims)
            )),
    mistake("The largest square is taken, not their mean.",
            "Then one extreme entry decides how small all others become. The variance is the mean of all squares.",
            lambda squares, axis, keepdims: squares.max(axis=axis, keepdims=keepdims)),
)

OF_FIXED_WIDTH = FIXED_WIDTH.by(lambda squares, axis, keepdims: squares.sum(axis=axis, keepdims=keepdims) / FIXED)
VARIANCE_OF_ROW = VARIANCE.knowing(OF_FIXED_WIDTH)

VARIANCE_OF_STACK = VARIANCE.knowing(
    mistake("One variance is taken for all rows.",
            "x.var() without an axis is the variance of everything. Each row needs one of its own: axis=-1, "
            "keepdims=True.",
            lambda rows: rows.var(),
            lambda squares: squares.mean()),
    mistake("The variance of each column is taken.",
            "It runs over the tokens, so they affect each other. Each row needs a variance of its own: axis=-1.",
            lambda rows: rows.var(axis=-2, keepdims=True),
            lambda squares: squares.mean(axis=-2, keepdims=True)),
    mistake("The variance of the first axis is taken.",
            "axis=0 counts sentences, or tokens where there is no batch. The width is the last axis: axis=-1.",
            lambda rows: rows.var(axis=0, keepdims=True),
            lambda squares: squares.mean(axis=0, keepdims=True)),
    mistake("The variances have lost their axis: keepdims=True is missing.",
            "They are then a row, and NumPy divides column 1 by the root that belongs to row 1. This runs only with as "
            "many tokens as columns.",
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
    mistake("The given eps is not used.",
            "A fixed number is used instead. It may be the usual one, but eps is an argument.",
            *map(_more_by, USUAL_EPS)),
    mistake("eps is subtracted.",
            "Then the root of a small variance is nan. Add eps: the sum is never 0.",
            lambda variance, eps: variance - eps),
    mistake("The larger of variance and eps is taken.",
            "That too keeps the division from being 0 / 0, but it is another function. Layer norm adds the two.",
            lambda variance, eps: np.maximum(variance, eps)),
    mistake("eps is squared.",
            "Take the root of variance + eps, with eps as it is.",
            lambda variance, eps: variance + eps * eps),
    mistake("eps is added twice.", "Once is enough, to the variance.", lambda variance, eps: variance + 2 * eps),
    mistake("It multiplies the variance by eps.",
            "Add it. Multiplied by such a small number, the variance becomes small, and every entry large.",
            lambda variance, eps: variance * eps),
)

ROOT = Step(
    "root",
    lambda steadied: np.sqrt(steadied),
    DIVIDED_BY_VARIANCE.by(lambda steadied: steadied),
    mistake("The variance is squared instead of taking its root.",
            "** 2 is the square. The root is ** 0.5, or np.sqrt.",
            lambda steadied: steadied * steadied),
    mistake("The divisor is half the variance.",
            "v ** 1 / 2 gives this, because ** binds tighter than /. Write v ** 0.5, or np.sqrt(v).",
            lambda steadied: steadied / 2),
    mistake("The divisor is the mean difference from the mean.",
            "Layer norm squares the differences, takes the mean, and then the root.",
            lambda numerator, axis, keepdims, eps: (
                np.maximum(numerator, -numerator).mean(axis=axis, keepdims=keepdims) + eps
            )),
    mistake("The divisor is the largest entry minus the smallest.",
            "Then one extreme entry decides how small all others become. The root of the variance depends on all of "
            "them.",
            lambda rows, axis, keepdims, eps: (
                rows.max(axis=axis, keepdims=keepdims) - rows.min(axis=axis, keepdims=keepdims) + eps
            ),
            lambda rows, axis, keepdims:
                rows.max(axis=axis, keepdims=keepdims) - rows.min(axis=axis, keepdims=keepdims)),
)

ROOT_AS_ASKED = ROOT.knowing(  # where the inputs show what becomes of eps
    EPS_OUTSIDE.by(lambda variance, eps: np.sqrt(variance) + eps),
    mistake("eps is both under the root and outside it.",
            "It is added once, to the variance.",
            lambda steadied, eps: np.sqrt(steadied) + eps),
)

DIVIDE = Step(
    "normalised",
    lambda numerator, root: numerator / root,
    ONLY_CENTRED.by(lambda numerator: numerator),
    mistake("It multiplies instead of dividing.",
            "Then long rows become longer still. Divide: every row has variance 1 afterwards.",
            lambda numerator, root: numerator * root),
    mistake("The division is upside down.",
            "Divide the row by the root, not the root by the row.",
            lambda numerator, root: root / numerator),
    mistake("Only the mean is divided.",
            "Without brackets, x - mean / root is read as x - (mean / root). Put brackets around x - mean.",
            lambda rows, means, root: rows - means / root),
    mistake("The mean is subtracted after the division.",
            "First subtract the mean, then divide.",
            lambda rows, means, root: rows / root - means),
    mistake("It brings the row to length 1.",
            "Its squares then sum to 1, and it keeps its mean. Layer norm makes the mean 0 and the variance 1.",
            lambda rows: rows / np.sqrt((rows * rows).sum(axis=-1, keepdims=True)),
            lambda rows, eps: rows / np.sqrt((rows * rows).sum(axis=-1, keepdims=True) + eps),
            lambda rows, eps: rows / (np.sqrt((rows * rows).sum(axis=-1, keepdims=True)) + eps)),
    mistake("A softmax is taken.",
            "Layer norm has negative entries, and its rows sum to 0.",
            lambda rows: softmax(rows)),
    mistake("It stretches the row from 0 to 1.",
            "Then one extreme entry decides how small all others become. Layer norm depends on all of them.",
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
    mistake("eps is added to the result.",
            "There it moves every entry, and does not prevent 0 / 0. It belongs under the root, beside the variance.",
            lambda numerator, variance, eps: numerator / np.sqrt(variance) + eps),
)

GAIN_AND_BIAS = Step(
    "rows gain bias",
    lambda x, gain, bias: (x, gain, bias),
    mistake("Gain and bias are applied before the normalisation.",
            "They are normalised away again. Apply them last.",
            lambda x, gain, bias: (x * gain + bias, 1.0, 0.0)),
    mistake("The gain is applied before the normalisation.",
            "It is normalised away again. Multiply the normalised rows by it.",
            lambda x, gain, bias: (x * gain, 1.0, bias)),
    mistake("The bias is added before the normalisation.",
            "It is normalised away again. Add it last.",
            lambda x, gain, bias: (x + bias, gain, 0.0)),
    mistake("Gain and bias are both missing.",
            "The rows are normalised. Multiply by the gain, then add the bias.",
            lambda x: (x, 1.0, 0.0)),
    mistake("Gain and bias are read backwards.",
            "Entry 1 of each belongs to column 1, the last to the last.",
            lambda x, gain, bias: (x, gain[::-1], bias[::-1])),
    mistake("Gain and bias line up with the tokens.",
            "Each has one number for each column, the same for every token. As they are, NumPy lines them up with the "
            "last axis. [:, None] runs only with as many tokens as columns.",
            lambda x, gain, bias: (x, gain[:, None], bias[:, None])),
    mistake("Gain and bias are swapped.",
            "The gain multiplies, the bias is added.",
            lambda x, gain, bias: (x, bias, gain)),
)

STRETCH = Step(
    "stretched",
    lambda normalised, gain: normalised * gain,
    mistake("The gain is missing.",
            "After the division every column has the same size. With the gain, training can choose another one.",
            lambda normalised: normalised),
    mistake("It divides by the gain.",
            "A larger gain must make the column larger: multiply.",
            lambda normalised, gain: normalised / gain),
    mistake("The gain is added instead of multiplied.",
            "Only the bias is added.", lambda normalised, gain: normalised + gain),
    mistake("The gain is multiplied in twice.", "Once is enough.", lambda normalised, gain: normalised * gain * gain),
    mistake("1 is added to the gain.",
            "Some newer models store the gain minus 1. Here multiply by the gain as it is.",
            lambda normalised, gain: normalised * (1 + gain)),
    mistake("It takes the matrix product with the gain.",
            "@ adds up along the row. The gain multiplies column by column: *.",
            lambda normalised, gain: normalised @ gain),
    mistake("The normalised rows are not used.",
            "Gain and bias are applied to the rows as they came.",
            lambda rows, gain: rows * gain),
    mistake("The gain lines up with the tokens.",
            "It has one number for each column, the same for every token. As it is, NumPy lines it up with the last "
            "axis. [:, None] runs only with as many tokens as columns.",
            lambda normalised, gain: normalised * gain[:, None]),
)

MOVE = Step(
    "output",
    lambda stretched, bias: stretched + bias,
    mistake("The bias is missing.",
            "After the subtraction every row has mean 0. With the bias, training can move a column away from it.",
            lambda stretched: stretched),
    mistake("The bias is added before the gain multiplies.",
            "Then the bias is multiplied by the gain, too. First the gain, then the bias.",
            lambda normalised, gain, bias: (normalised + bias) * gain),
    mistake("The bias is subtracted.",
            "Add it: training has chosen its sign for a plus.",
            lambda stretched, bias: stretched - bias),
    mistake("The bias is multiplied instead of added.",
            "Only the gain is multiplied.",
            lambda stretched, bias: stretched * bias),
    mistake("The bias is added twice.", "Once is enough.", lambda stretched, bias: stretched + 2 * bias),
    mistake("The gain is added in place of the bias.",
            "The gain is multiplied. Add the bias.",
            lambda stretched, gain: stretched + gain),
    mistake("The bias lines up with the tokens.",
            "It has one number for each column, the same for every token. As it is, NumPy lines it up with the last "
            "axis. [:, None] runs only with as many tokens as columns.",
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
    mistakes = tuple(
        each.by(*(_ForEach(variant, tables, len(names)) for variant in each.variants)) for each in step.mistakes
    )
    return Step(makes, _ForEach(step.does, tables, len(names)), *mistakes)


def of(table: str, name: str) -> str:
    """Return the name of one table's value.

    >>> of("sum", "variance"), of("sum", "eps")
    ('variance_of_sum', 'eps')
    """
    return name if name in SHARED else f"{name}_of_{table}"


class _ForEach:
    """A function done for several tables, which asks for the values of each by their names."""

    def __init__(self, variant: Function, tables: tuple[str, ...], count: int):
        self.variant, self.count = variant, count
        self.names = [[of(table, name) for name in asked(variant)] for table in tables]
        self.all_names = list(dict.fromkeys(itertools.chain(*self.names)))

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in self.all_names])

    def __call__(self, *values: object) -> tuple[object, ...]:
        there = dict(zip(self.all_names, values, strict=True))
        made: list[Any] = [self.variant(*(there[name] for name in names)) for names in self.names]
        return tuple(made) if self.count == 1 else tuple(itertools.chain(*made))

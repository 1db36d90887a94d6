"""Exercises of lesson 8: what stands around attention, from the sum to the dropped weights."""

from dataclasses import dataclass

import numpy as np

from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.maths.formulas import softmax
from mha_course.maths.layer_norm import EPS


@dataclass(frozen=True, eq=False)
class FixedShares:
    """Stands for attention where only its output matters: fixed shares of the rows, and perhaps a projection."""

    shares: np.ndarray
    W: np.ndarray | None = None

    def __call__(self, rows):
        """Mix the rows."""
        mixed = self.shares @ rows
        return mixed if self.W is None else mixed @ self.W

    def __deepcopy__(self, memo):
        return self  # it never changes

    def __repr__(self):
        return "fixed shares of the rows" + ("" if self.W is None else ", projected")


def _draw_attend(draw, n, d_model):
    """Draw shares and a projection to stand for attention."""
    scores, W = draw((n, n), (d_model, d_model))
    return FixedShares(softmax(scores).round(2), W / 2)


CAUSAL_SHARES = FixedShares(np.array([[1, 0], [0.5, 0.5]]))
SHARES_OF_ROWS_BEFORE = FixedShares(np.array([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]))

RESIDUAL = Exercise(
    name="sublayer.residual",
    number="8.1",
    title="The residual connection",
    right=lambda x, attend: x + attend(x),
    results=("result",),
    cases=(
        Case("the example", (np.array([[2, 0], [0, 4]]), CAUSAL_SHARES)),
        Case("4 tokens", lambda draw: (*draw((4, 3)), _draw_attend(draw, 4, 3))),
        Case("one token", lambda draw: (*draw((1, 5)), _draw_attend(draw, 1, 5))),
        Case("2 sentences", lambda draw: (*draw((2, 3, 4)), _draw_attend(draw, 3, 4))),
        Case("as many tokens as columns", lambda draw: (*draw((3, 3)), _draw_attend(draw, 3, 3))),
    ),
    mistakes=(
        Mistake(
            "The residual connection is missing.",
            "Only what attention found is left. What the token was before is lost: add x.",
        ).by(lambda x, attend: attend(x)),
        Mistake(
            "Nothing was added.",
            "x comes out as it went in. attend(x) is what the layer has to say.",
        ).by(lambda x, attend: x * 1),
        Mistake(
            "It subtracts what attention found.",
            "What attention found is an addition to the row. The weights are trained for a plus.",
        ).by(lambda x, attend: x - attend(x), lambda x, attend: attend(x) - x),
        Mistake(
            "It takes the mean of the two.",
            "Half of the input is lost in every layer: after ten layers a thousandth is left. Add, and do not divide.",
        ).by(lambda x, attend: (x + attend(x)) / 2),
        Mistake(
            "It multiplies the two.",
            "An entry near 0 would erase what the token was. A sum keeps it.",
        ).by(lambda x, attend: x * attend(x)),
        Mistake(
            "The two stand side by side.",
            "The row would be twice as wide after every layer. They are added, so they need one width, d_model.",
        ).by(lambda x, attend: np.concatenate([x, attend(x)], axis=-1)),
        Mistake(
            "What attention found is counted twice.",
            "The input is added once, and so is the output.",
        ).by(lambda x, attend: x + 2 * attend(x), lambda x, attend: x + attend(x + x)),
        Mistake(
            "The input is counted twice.",
            "The input is added once, and so is the output.",
        ).by(lambda x, attend: 2 * x + attend(x)),
        Mistake(
            "It attends twice.",
            "attend(x) is already the output. Given to attend again, it passes through the weights a second time.",
        ).by(lambda x, attend: x + attend(attend(x)), lambda x, attend: x + attend(x + attend(x))),
    ),
    notice=(
        "If W_O is 0, attend(x) is 0 and x comes out unchanged. A new layer that starts near there does no harm, and "
        "can learn."
    ),
    untraced=("attend",),
)


def _centred(x, axis):
    return x - x.mean(axis=axis, keepdims=True)


def _variance(x, axis, ddof=0):
    centred = _centred(x, axis)
    squares = centred * centred
    if ddof:
        return squares.sum(axis=axis, keepdims=True) / (x.shape[axis] - ddof)
    return squares.mean(axis=axis, keepdims=True)


def _normalised(x, eps=EPS, axis=-1, ddof=0):
    return _centred(x, axis) / np.sqrt(_variance(x, axis, ddof) + eps)


EPS_OUTSIDE = Mistake(
    "eps stands outside of the root.",
    "√variance + eps is not √(variance + eps). For a row whose entries hardly differ the two are far apart. Add eps to "
    "the variance.",
    "hkproj/pytorch-transformer #31, codertimo/BERT-pytorch #30",
)
EPS_FORGOTTEN = Mistake(
    "eps is forgotten.",
    "A row of equal entries has variance 0, and 0 / 0 is nan. One nan in a sentence, and the next attention hands it "
    "to all of its tokens.",
)
NOT_CENTRED = Mistake(
    "The mean is not subtracted.",
    "It divides by the right number, but the row keeps its mean. Layer norm makes the mean 0.",
)
ROOT_MEAN_SQUARE = Mistake(
    "It divides by the root mean square, without the mean subtracted.",
    "That is RMSNorm, which many newer models use. Layer norm subtracts the mean first.",
)
DIVIDED_BY_VARIANCE = Mistake(
    "It divides by the variance, not by its root.",
    "The variance is measured in squares. Its root has the size of the entries, so that is what to divide by.",
)
ONE_LESS = Mistake(
    "The variance is divided by d_model - 1.",
    "That is what ddof=1 does, and in some libraries std and var do it unless told otherwise. Layer norm divides by "
    "the number of entries.",
    "harvardnlp/annotated-transformer #119, codertimo/BERT-pytorch #30",
)
ONLY_CENTRED = Mistake(
    "The division is missing.",
    "The mean is 0 now, but long rows are still long. Divide by the root of variance + eps.",
)
HARDLY_VARYING = np.array([0.001, 0.004, -0.002, 0.005])

ROW = Exercise(
    name="sublayer.row",
    number="8.2",
    title="Layer norm of one row",
    right=lambda row, eps: (row - row.mean()) / np.sqrt(((row - row.mean()) * (row - row.mean())).mean() + eps),
    results=("normalised",),
    cases=(
        Case("the example", (np.array([1, 7, 7, 9]), EPS)),
        Case("width 5", lambda draw: (*draw((5,)), EPS)),
        Case("another eps", lambda draw: (*draw((3,)), 0.1)),
        Case("large entries", lambda draw: (draw((6,))[0] * 100, EPS)),
        Case("a row that hardly varies", (HARDLY_VARYING, EPS)),
        Case("equal entries", (np.array([2.0, 2.0, 2.0]), EPS)),
    ),
    mistakes=(
        NOT_CENTRED.by(lambda row, eps: row / np.sqrt(_variance(row, -1) + eps)),
        ROOT_MEAN_SQUARE.by(lambda row, eps: row / np.sqrt((row * row).mean() + eps)),
        DIVIDED_BY_VARIANCE.by(
            lambda row, eps: _centred(row, -1) / (_variance(row, -1) + eps),
        ),
        ONE_LESS.by(lambda row, eps: _normalised(row, eps, ddof=1)),
        EPS_OUTSIDE.by(lambda row, eps: _centred(row, -1) / (np.sqrt(_variance(row, -1)) + eps)),
        EPS_FORGOTTEN.by(lambda row, eps: _centred(row, -1) / np.sqrt(_variance(row, -1))),
        ONLY_CENTRED.by(lambda row, eps: _centred(row, -1)),
        Mistake(
            "It divides by the sum of the squares, not by their mean.",
            "A wide row has more squares to add up, and would come out smaller. Take their mean.",
        ).by(
            lambda row, eps: _centred(row, -1) / np.sqrt((_centred(row, -1) * _centred(row, -1)).sum() + eps),
        ),
        Mistake(
            "It divides by the mean distance from the mean.",
            "Layer norm squares the distances, takes the mean, and then the root.",
        ).by(
            lambda row, eps: _centred(row, -1) / (np.maximum(_centred(row, -1), -_centred(row, -1)).mean() + eps),
        ),
        Mistake(
            "It shares out one whole.",
            "That is the softmax. Layer norm has negative entries, and its rows sum to 0.",
        ).by(lambda row, eps: softmax(row)),
        Mistake(
            "It stretches the row from 0 to 1.",
            "One large entry alone would then say how small all others become. Layer norm asks all of them.",
        ).by(lambda row, eps: (row - row.min()) / (row.max() - row.min() + eps)),
    ),
    notice=(
        "Add 5 to every entry, or multiply all by 10: the result stays, but for eps. Layer norm keeps the pattern of a "
        "row and forgets its level and its size."
    ),
    untraced=("eps",),
)


def _layer_norm_with(normalise=_normalised, scale=lambda z, gain, bias: z * gain + bias):
    """Return a layer norm in which one of its two steps is done in another way."""
    return lambda x, gain, bias, eps: scale(normalise(x, eps), gain, bias)


def _normalised_over(axes):
    """Return a normalisation over other axes, given how many there are."""
    return lambda x, eps: _normalised(x, eps, axis=axes(x.ndim))


OVER_TOKENS = Mistake(
    "It normalises over the tokens.",
    "Each token's row must be normalised by itself: axis=-1. Here every token's result depends on the other tokens, on "
    "those that a mask hides too.",
    "jadore801120/attention-is-all-you-need-pytorch #17",
)
OVER_THE_SENTENCE = Mistake(
    "It normalises tokens and columns together.",
    "One mean for the whole sentence lets its tokens see each other. Each row needs a mean of its own.",
    "Qualcomm-AI-research/geometric-algebra-transformer #8, reczoo/FuxiCTR #23",
)
OVER_EVERYTHING = Mistake(
    "It normalises everything at once.",
    "One mean for all sentences: what a sentence gives then depends on which others are in the batch.",
)
OVER_THE_BATCH = Mistake(
    "It normalises over the first axis.",
    "That axis counts sentences, or tokens where there is no batch. The width is the last axis: axis=-1.",
)
GAIN_AND_BIAS = ((4,), (4,))

LAYER_NORM = Exercise(
    name="sublayer.layer_norm",
    number="8.3",
    title="Layer norm",
    right=_layer_norm_with(),
    results=("normalised",),
    cases=(
        Case(
            "the example",
            (np.array([[1, 7, 7, 9], [0, 0, 2, 2]]), np.array([3, 3, 3, 1]), np.array([5, 0, 0, 0]), EPS),
        ),
        Case("5 tokens", lambda draw: (*draw((5, 4), *GAIN_AND_BIAS), EPS)),
        Case("one token", lambda draw: (*draw((1, 4), *GAIN_AND_BIAS), EPS)),
        Case("3 sentences", lambda draw: (*draw((3, 2, 4), *GAIN_AND_BIAS), EPS)),
        Case("as many tokens as columns", lambda draw: (*draw((4, 4), *GAIN_AND_BIAS), EPS)),
        Case(
            "rows that hardly vary",
            lambda draw: (np.array([HARDLY_VARYING, HARDLY_VARYING[::-1] * 2]), *draw(*GAIN_AND_BIAS), EPS),
        ),
        Case(
            "a row of equal entries",
            lambda draw: (np.array([[2.0, 2, 2, 2], [1, 2, 3, 4]]), *draw(*GAIN_AND_BIAS), EPS),
        ),
        Case("another eps", lambda draw: (*draw((2, 3), (3,), (3,)), 0.1)),
    ),
    mistakes=(
        OVER_TOKENS.by(_layer_norm_with(_normalised_over(lambda ndim: -2))),
        OVER_THE_SENTENCE.by(_layer_norm_with(_normalised_over(lambda ndim: (-2, -1)))),
        OVER_EVERYTHING.by(_layer_norm_with(_normalised_over(lambda ndim: None))),
        OVER_THE_BATCH.by(_layer_norm_with(_normalised_over(lambda ndim: 0))),
        Mistake(
            "Axis 1 is the width for one sentence only.",
            "With a batch in front, axis 1 counts the tokens. Count from the end: the last axis is -1.",
        ).by(_layer_norm_with(_normalised_over(lambda ndim: 1))),
        Mistake(
            "The gain is forgotten.",
            "After the division every column has the same size. The gain is what lets training choose another one.",
        ).by(_layer_norm_with(scale=lambda z, gain, bias: z + bias)),
        Mistake(
            "The bias is forgotten.",
            "After the subtraction every row has mean 0. The bias is what lets training move a column away from it.",
        ).by(_layer_norm_with(scale=lambda z, gain, bias: z * gain)),
        Mistake(
            "Gain and bias are both forgotten.",
            "The rows are normalised. Multiply by the gain, then add the bias.",
        ).by(_layer_norm_with(scale=lambda z, gain, bias: z)),
        Mistake(
            "Gain and bias are exchanged.",
            "The gain multiplies, the bias is added.",
        ).by(_layer_norm_with(scale=lambda z, gain, bias: z * bias + gain)),
        Mistake(
            "The bias is added before the gain multiplies.",
            "Then the gain stretches the bias too. First the gain, then the bias.",
        ).by(_layer_norm_with(scale=lambda z, gain, bias: (z + bias) * gain)),
        Mistake(
            "Gain and bias act before the normalisation.",
            "What they change is normalised away again. They come last.",
        ).by(lambda x, gain, bias, eps: _normalised(x * gain + bias, eps)),
        NOT_CENTRED.by(_layer_norm_with(lambda x, eps: x / np.sqrt(_variance(x, -1) + eps))),
        ROOT_MEAN_SQUARE.by(_layer_norm_with(lambda x, eps: x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps))),
        DIVIDED_BY_VARIANCE.by(_layer_norm_with(lambda x, eps: _centred(x, -1) / (_variance(x, -1) + eps))),
        ONE_LESS.by(_layer_norm_with(lambda x, eps: _normalised(x, eps, ddof=1))),
        EPS_OUTSIDE.by(_layer_norm_with(lambda x, eps: _centred(x, -1) / (np.sqrt(_variance(x, -1)) + eps))),
        EPS_FORGOTTEN.by(_layer_norm_with(lambda x, eps: _centred(x, -1) / np.sqrt(_variance(x, -1)))),
        ONLY_CENTRED.by(_layer_norm_with(lambda x, eps: _centred(x, -1))),
    ),
    notice="Gain and bias are the only trained numbers here: 2 · d_model of them, the same for every token.",
    untraced=("eps",),
)


def _sublayers(post, pre):
    """Return a function that gives both sublayers, as the exercise wants them."""
    return lambda x, attend: (post(x, attend), pre(x, attend))


def _post_norm(x, attend):
    return _normalised(x + attend(x))


def _pre_norm(x, attend):
    return x + attend(_normalised(x))


def _post_norm_without_eps(x, attend):
    return _normalised(x + attend(x), eps=0)


def _pre_norm_without_eps(x, attend):
    return x + attend(_normalised(x, eps=0))


SUBLAYERS = Exercise(
    name="sublayer.both",
    number="8.4",
    title="Post-norm and pre-norm",
    right=_sublayers(_post_norm, _pre_norm),
    results=("post", "pre"),
    cases=(
        Case("the example", (np.array([[2, 0], [0, 4]]), CAUSAL_SHARES)),
        Case("4 tokens", lambda draw: (*draw((4, 3)), _draw_attend(draw, 4, 3))),
        Case("one token", lambda draw: (*draw((1, 5)), _draw_attend(draw, 1, 5))),
        Case("2 sentences", lambda draw: (*draw((2, 3, 4)), _draw_attend(draw, 3, 4))),
        Case("as many tokens as columns", lambda draw: (*draw((3, 3)), _draw_attend(draw, 3, 3))),
        Case("rows of equal entries", (np.array([[2.0, 2, 2], [-1, -1, -1], [1, 2, 4]]), SHARES_OF_ROWS_BEFORE)),
        Case("large entries", lambda draw: (draw((3, 4))[0] * 50, _draw_attend(draw, 3, 4))),
    ),
    mistakes=(
        Mistake(
            "Post-norm and pre-norm are exchanged.",
            "The name says where the norm stands: after the sum, or before attention.",
        ).by(_sublayers(_pre_norm, _post_norm)),
        Mistake(
            "Both are post-norm.",
            "In pre-norm the norm stands before attention, inside of it: x + attend(layer_norm(x)).",
        ).by(_sublayers(_post_norm, _post_norm)),
        Mistake(
            "Both are pre-norm.",
            "In post-norm the norm comes last, around the sum: layer_norm(x + attend(x)).",
        ).by(_sublayers(_pre_norm, _pre_norm)),
        Mistake(
            "The pre-norm adds the normalised input.",
            "The straight path must carry x itself. Only what attention reads is normalised.",
            "Howuhh/faster-trajectory-transformer #3, SHI-Labs/Compact-Transformers #25",
        ).by(_sublayers(_post_norm, lambda x, attend: _normalised(x) + attend(_normalised(x)))),
        Mistake(
            "The pre-norm has lost its residual connection.",
            "attend(layer_norm(x)) is what is added. The x in front is missing.",
        ).by(_sublayers(_post_norm, lambda x, attend: attend(_normalised(x)))),
        Mistake(
            "The post-norm has lost its residual connection.",
            "The norm stands around a sum: x and attend(x).",
        ).by(_sublayers(lambda x, attend: _normalised(attend(x)), _pre_norm)),
        Mistake(
            "Both have lost their residual connection.",
            "Each sublayer adds something to x. Without x in the sum, what the token was is lost.",
        ).by(_sublayers(lambda x, attend: _normalised(attend(x)), lambda x, attend: attend(_normalised(x)))),
        Mistake(
            "The post-norm normalises before the sum.",
            "Then the sum itself is not normalised, and grows from layer to layer. The norm comes last.",
            "harvardnlp/annotated-transformer #110, keras-team/keras-io #1256",
        ).by(
            _sublayers(lambda x, attend: x + _normalised(attend(x)), _pre_norm),
        ),
        Mistake(
            "The pre-norm normalises what attention gives, not what it reads.",
            "Pre means before: the norm is applied to x, and attention reads the result.",
        ).by(_sublayers(_post_norm, lambda x, attend: x + _normalised(attend(x)))),
        Mistake(
            "The pre-norm is normalised a second time, at its end.",
            "A norm around the sum closes the straight path. One at the end of the whole stack is enough.",
        ).by(_sublayers(_post_norm, lambda x, attend: _normalised(x + attend(_normalised(x))))),
        Mistake(
            "The post-norm normalises its two parts one by one.",
            "The sum of two rows of variance 1 need not have variance 1. First the sum, then the norm.",
        ).by(_sublayers(lambda x, attend: _normalised(x) + _normalised(attend(x)), _pre_norm)),
        EPS_FORGOTTEN.by(
            _sublayers(_post_norm_without_eps, _pre_norm_without_eps),
            _sublayers(_post_norm_without_eps, _pre_norm),
            _sublayers(_post_norm, _pre_norm_without_eps),
        ),
        Mistake(
            "The norm is missing.",
            "Both are x + attend(x) now.",
        ).by(_sublayers(lambda x, attend: x + attend(x), lambda x, attend: x + attend(x))),
    ),
    notice=(
        "In a stack of pre-norm sublayers nothing but sums lies between the first x and the last. That is why it ends "
        "with a layer norm of its own."
    ),
    untraced=("attend",),
)


def _draw_kept(draw, *shape):
    return draw.generator.random(shape) < 0.6


EXAMPLE_WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.2, 0.2, 0.6]])
DROPOUT = Exercise(
    name="sublayer.dropout",
    number="8.5",
    title="Dropout",
    right=lambda weights, kept, rate: weights * kept / (1 - rate),
    results=("dropped",),
    cases=(
        Case("the example", (EXAMPLE_WEIGHTS, np.array([[True, False, True], [True, True, False]]), 0.5)),
        Case("rate 0.1", lambda draw: (draw.weights(4, 5), _draw_kept(draw, 4, 5), 0.1)),
        Case("one query", lambda draw: (draw.weights(1, 4), np.array([[True, False, False, True]]), 0.25)),
        Case("2 heads", lambda draw: (draw.weights(2, 3, 4), _draw_kept(draw, 2, 3, 4), 0.4)),
        Case("nothing dropped", lambda draw: (draw.weights(3, 2), np.ones((3, 2), bool), 0.2)),
    ),
    mistakes=(
        Mistake(
            "The kept weights are not made larger.",
            "A part of each output is missing now, so outputs are smaller in training than later. Divide by 1 - rate.",
        ).by(lambda weights, kept, rate: weights * kept),
        Mistake(
            "It multiplies by 1 - rate.",
            "The kept weights must make up for the lost ones: divide. To multiply is right only later, and only if "
            "training did not divide.",
        ).by(lambda weights, kept, rate: weights * kept * (1 - rate)),
        Mistake(
            "It divides by the rate.",
            "The rate says how many are dropped. What is left on average is 1 - rate. With rate 0.5 nobody notices.",
            "rasbt/LLMs-from-scratch #431, lmjohns3/theanets #123",
        ).by(lambda weights, kept, rate: weights * kept / rate),
        Mistake(
            "The kept ones are dropped.",
            "True means kept.",
        ).by(lambda weights, kept, rate: weights * (1 - kept) / (1 - rate)),
        Mistake(
            "The rows are made to sum to 1 again.",
            "That is another method. Dropout divides every row by the same 1 - rate, and its sum is 1 only on average.",
            "facebookresearch/fairseq #351",
        ).by(
            lambda weights, kept, rate: weights * kept / (weights * kept).sum(axis=-1, keepdims=True),
            lambda weights, kept, rate: weights * kept / (1 - rate) / (weights * kept / (1 - rate)).sum(-1)[..., None],
        ),
        Mistake(
            "It divides by the share that was kept this time.",
            "The divisor is 1 - rate, the share that is kept on average. What was kept this time is chance.",
        ).by(lambda weights, kept, rate: weights * kept / kept.mean()),
        Mistake(
            "Nothing is dropped.",
            "All weights grow alike. Where kept is False, the weight must be 0.",
        ).by(lambda weights, kept, rate: weights / (1 - rate)),
        Mistake(
            "The dropped weights stay as they were.",
            "They must be 0. Only the kept ones are divided.",
        ).by(lambda weights, kept, rate: np.where(kept, weights / (1 - rate), weights)),
        Mistake(
            "The softmax is taken again.",
            "e to the power of 0 is 1: the dropped weights come back.",
        ).by(lambda weights, kept, rate: softmax(weights * kept / (1 - rate))),
    ),
    notice=(
        "A row may now sum to more than 1, or to 0. Libraries do the same, and it is often reported as a bug "
        "(pytorch/pytorch #42929, facebookresearch/fairseq #351)."
    ),
    untraced=("kept", "rate"),
)

EXERCISES = (RESIDUAL, ROW, LAYER_NORM, SUBLAYERS, DROPOUT)

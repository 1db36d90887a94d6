"""A softmax that keeps to a mask: True means may attend."""

from collections.abc import Callable

import numpy as np

from mha_course.engine.checking.exercise import mistake
from mha_course.engine.checking.solution import Step
from mha_course.maths.formulas import softmax
from mha_course.mistakes import shared
from mha_course.mistakes import softmax as softmax_steps

LARGE = 1e9  # minus this is what much code writes for minus infinity
NOT_LOW = (-100, -1000, -1e4)  # what hides a score among small ones only


def _largest(scores, axis=-1):
    return scores.max(axis=axis, keepdims=True)


def _or_zero(largest):
    """Return 0 where nothing is visible: it can be subtracted from minus infinity."""
    return np.where(largest.astype(float) == -np.inf, 0, largest)


def _or_one(sums):
    """Return 1 where all exponentials are 0: they can be divided by it."""
    return np.where(sums == 0, 1, sums)


def _powers(shifted):
    """Return e to the power of each, and a plain 0 for minus infinity, also among numbers that remember."""
    return np.exp(shifted, out=np.zeros_like(shifted * 1.0), where=shifted.astype(float) != -np.inf)


def _normalised(exponentials, axis=-1):
    return exponentials / _or_one(exponentials.sum(axis=axis, keepdims=True))


def _normalised_where_hidden(exponentials, scores, axis=-1):
    """Return the exponentials over their sums; a sum of 0 is feared only where something is minus infinity."""
    sums = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / (_or_one(sums) if float(scores.min()) == -np.inf else sums)


def _softmax(hidden, axis=-1):
    """Return the softmax of scores of which some are minus infinity: 0 throughout where all are."""
    return _normalised(_powers(hidden - _or_zero(_largest(hidden, axis))), axis)


def _hidden(scores, mask, low=-np.inf):
    return np.where(mask, scores, low)


def _hiding_by(low: float) -> Callable[..., object]:
    return lambda open_scores, early: _hidden(open_scores, early, low)


def _adding(low: float) -> Callable[..., object]:
    return lambda open_scores, early: open_scores + np.where(early, 0, low)


def _hiding_and_multiplying(low: float) -> Callable[..., object]:
    """Multiply zeros in afterwards."""
    return lambda open_scores, mask: softmax(_hidden(open_scores, mask, low)) * mask


def _with_infinite_scores(scores):
    """Return the softmax that subtracts only what is finite."""
    largest = _largest(scores)
    return _normalised(np.exp(scores - np.where(np.isfinite(largest), largest, 0)))


FOR_HEADS = Step(  # one mask for all heads
    "mask",
    lambda mask: mask[:, None],
    mistake("The mask gets no head axis.",
            "(batch, n_q, n_k) against (batch, h, n_q, n_k): NumPy lines up axes from the end, so the sentences meet "
            "the heads. With as many of both, each head gets the mask of another sentence. Put an axis of size 1 "
            "between them.",
            lambda mask: mask,
            where="lsdefine/attention-is-all-you-need-keras #36"),
    mistake("The head axis of the mask comes after the queries.",
            "It belongs before them: (batch, 1, n_q, n_k). For a padding mask both look the same.",
            lambda mask: mask[:, :, None]),
    mistake("The head axis of the mask comes last.",
            "It belongs before the positions: (batch, 1, n_q, n_k). With the 1 last, NumPy lines the keys up with the "
            "queries.",
            lambda mask: mask[..., None]),
    mistake("The mask gets one axis too many.",
            "A mask that has a query axis already, n_q or 1, needs one more only: mask[:, None]. mask[:, None, None] "
            "is for (batch, n_k).",
            lambda mask: mask[:, None, None]),
    shared.MASKS_QUERIES.by(lambda mask: mask[:, None].mT),
    mistake("One sentence's mask is used for the whole batch.",
            "Each sentence has a mask of its own: keep the first axis.",
            lambda mask: mask[0],
            lambda mask: mask[-1]),
    mistake("One query's row of the mask is used for all queries.",
            "Each query may see different keys: keep the query axis.",
            lambda mask: mask[:, None, :1],
            lambda mask: mask[:, None, -1:]),
    mistake("A key is visible for all queries as soon as one may see it.",
            "Each query may see different keys: keep the query axis.",
            lambda mask: mask[:, None].any(axis=-2, keepdims=True)),
)

READ = Step(
    "mask open_scores",
    lambda mask, scores: (mask, scores),
    shared.MASK_INVERTED.by(lambda mask, scores: (~mask, scores)),
    shared.MASK_UNUSED.by(lambda mask, scores: (np.ones_like(mask), scores)),
)

WHEN = Step(  # what hides the scores, and what is done with the weights at the end
    "early finish",
    lambda mask: (mask, lambda weights: weights),
    shared.MASKED_AFTER.by(
        lambda mask: (True, lambda weights: weights * mask),
        lambda mask: (True, lambda weights: np.where(mask, weights, 0)),
    ),
    mistake("It puts -∞ into the weights.",
            "-∞ belongs among the scores, before the softmax. A hidden key's weight is 0.",
            lambda mask: (True, lambda weights: _hidden(weights, mask)),
            lambda mask: (True, lambda weights: _hidden(weights, mask, -LARGE))),
)

FINISH = Step(
    "weights",
    lambda weights, finish: finish(weights),
    mistake("The hidden scores become 0, and their weights are removed only at the end.",
            "e^0 is 1: hidden keys are in the sum that divides the others, so the visible weights no longer sum to "
            "1. Put -∞ in place of hidden scores.",
            lambda open_scores, mask: softmax(open_scores * mask) * mask),
    shared.MASK_MULTIPLIED.by(
        lambda open_scores, mask: softmax(open_scores * mask) * mask.any(axis=-1, keepdims=True)
    ),
)

MASK_ADDED = mistake(
    "The mask is added as 0 and 1.",
    "True counts as 1 and False as 0, so visible scores grow a little, and nothing is hidden. Hidden scores must "
    "become -∞.",
)

HIDE = Step(
    "scores",
    lambda open_scores, early: _hidden(open_scores, early),
    shared.MASK_MULTIPLIED.by(lambda open_scores, early: open_scores * early),
    shared.MASK_WRONG_SIGN.by(
        lambda open_scores, early: _hidden(open_scores, early, np.inf),
        lambda open_scores, early: _hidden(open_scores, early, LARGE),
    ),
    shared.MASK_INVERTED.by(lambda open_scores, early: open_scores + np.where(early, -LARGE, 0)),
    shared.EMPTY_ROW_LOOKS.by(
        lambda open_scores, early: _hidden(open_scores, early, -LARGE),
        lambda open_scores, early: open_scores + np.where(early, 0, -LARGE),
    ),
    shared.HIDDEN_NOT_LOW.by(*(_hiding_by(low) for low in NOT_LOW), *(_adding(low) for low in NOT_LOW)),
    mistake("0 is multiplied by ∞.",
            "0 · ∞ is nan, and one nan spoils its whole row. np.where(mask, scores, -np.inf) multiplies nothing.",
            lambda open_scores, early: open_scores + (1 - early) * -np.inf),
    mistake("The hidden scores are multiplied by -∞.",
            "A score below 0 becomes +∞. Put -∞ in place of the score, or add it.",
            lambda open_scores, early: open_scores * np.where(early, 1, -np.inf),
            lambda open_scores, early: open_scores * np.where(early, 1, -LARGE)),
    MASK_ADDED.by(lambda open_scores, early: open_scores + early),
    mistake("Hidden scores become the smallest of their row.",
            "The smallest still gets some weight. Only -∞ gives e^-∞ = 0.",
            lambda open_scores, early: _hidden(open_scores, early, open_scores.min(axis=-1, keepdims=True))),
    mistake("The visible scores are put in one long row.",
            "scores[mask] forgets which row a number came from. np.where keeps every position.",
            lambda open_scores, early: open_scores[np.broadcast_to(early, open_scores.shape)]),
)

SUBTRACT = Step(
    "shifted",
    lambda scores, axis: scores - _or_zero(_largest(scores, axis)),
    shared.EMPTY_ROW_NAN.by(lambda scores, axis: scores - _largest(scores, axis)),
    mistake("The largest is taken over the hidden scores too.",
            "It may be a hidden one, far above the others. Then all other exponentials become 0, and so does their "
            "sum. A softmax without a mask, made to sum to 1 afterwards, does that too. Hide first.",
            lambda scores, open_scores, axis: scores - _largest(open_scores, axis)),
    shared.NOTHING_SUBTRACTED.by(lambda scores: scores),
    shared.PLACE_SUBTRACTED.by(lambda scores, axis: scores - scores.argmax(axis=axis, keepdims=True)),
    shared.WHOLE_TABLE_SUBTRACTED.by(
        lambda scores: scores - scores.max(), lambda scores, open_scores: scores - open_scores.max()
    ),
    softmax_steps.COLUMN_SUBTRACTED.by(
        lambda scores: scores - _or_zero(_largest(scores, -2)), lambda scores: scores - _largest(scores, -2)
    ),
    softmax_steps.LARGEST_WITHOUT_AXIS.by(
        lambda scores, axis: scores - _or_zero(scores.max(axis=axis)),
        lambda scores, axis: scores - scores.max(axis=axis),
    ),
)

EXPONENTIATE = Step(
    "exponentials",
    lambda shifted: _powers(shifted),
    softmax_steps.BASE_2.by(lambda shifted: 2.0**shifted),
    softmax_steps.BASE_10.by(lambda shifted: 10.0**shifted),
    softmax_steps.SIGN_TURNED.by(
        lambda open_scores, early, axis: _powers(
            _hidden(-open_scores, early) - _or_zero(_largest(_hidden(-open_scores, early), axis))
        ),
        lambda shifted: np.exp(-shifted),
    ),
    shared.NOTHING_SUBTRACTED.by(lambda open_scores, mask: np.exp(open_scores) * mask),
)


def _sums_along(axis: int | tuple[int, ...] | None) -> Callable[..., object]:
    """Return what divides by sums along another axis than that of the largest."""
    return lambda exponentials, scores: _normalised_where_hidden(exponentials, scores, axis)


NORMALISE = Step(
    "weights",
    lambda exponentials, scores, axis: _normalised_where_hidden(exponentials, scores, axis),
    shared.EMPTY_ROW_NAN.by(lambda exponentials, axis: exponentials / exponentials.sum(axis=axis, keepdims=True)),
    shared.OVER_QUERIES.by(
        _sums_along(-2),
        lambda scores: softmax(scores, axis=-2),
        lambda open_scores, early: softmax(_hidden(open_scores, early, -LARGE), axis=-2),
    ),
    shared.OVER_EVERYTHING.by(_sums_along(None), lambda scores: softmax(scores, axis=None)),
    softmax_steps.SUMS_WITHOUT_AXIS.by(
        lambda exponentials, axis: exponentials / _or_one(exponentials.sum(axis=axis)),
        lambda exponentials, axis: exponentials / exponentials.sum(axis=axis),
    ),
    shared.NOT_NORMALISED.by(
        lambda exponentials: exponentials,
        lambda scores: np.exp(scores),
        lambda open_scores, mask: np.exp(open_scores) * mask,
        lambda open_scores, mask, axis: _powers(_hidden(open_scores, mask) - _largest(open_scores, axis)),
    ),
    shared.HIDDEN_NOT_LOW.by(*(_hiding_and_multiplying(low) for low in NOT_LOW)),
    shared.MASK_WRONG_SIGN.by(  # where nan has become 0, or nothing is subtracted from ∞
        lambda open_scores, mask: np.nan_to_num(softmax(_hidden(open_scores, mask, np.inf))),
        lambda open_scores, mask: _with_infinite_scores(_hidden(open_scores, mask, np.inf)),
    ),
    shared.NOTHING_SUBTRACTED.by(  # where nan has become 0, everywhere or in empty rows alone
        lambda scores: np.nan_to_num(shared.unshifted_softmax(scores)),
        lambda scores: np.where(_largest(scores) > -np.inf, shared.unshifted_softmax(scores), 0),
    ),
    shared.NO_SOFTMAX.by(lambda scores: scores),
    shared.SOFTMAX_TWICE.by(
        lambda exponentials, early, axis: _softmax(_hidden(_normalised(exponentials, axis), early), axis),
        lambda exponentials, axis: softmax(_normalised(exponentials, axis), axis),
    ),
    shared.SCALED_LATE.by(
        lambda products, early, Q, axis: _softmax(_hidden(products, early), axis) / Q.shape[-1] ** 0.5
    ),
    mistake("All visible keys get the same weight.",
            "The scores are not used.",
            lambda scores, mask: _normalised(np.broadcast_to(mask, scores.shape) * 1.0)),
    mistake("It divides by the number of visible keys.",
            "Then the weights do not sum to 1. Divide by the sum of the exponentials.",
            lambda exponentials, mask: exponentials / np.maximum(mask.sum(axis=-1, keepdims=True), 1)),
    softmax_steps.DIVIDED_BY_COUNT.by(lambda exponentials: exponentials / exponentials.shape[-1]),
    softmax_steps.ARGMAX.by(lambda scores, axis: (scores == _largest(scores, axis)) * (scores > -np.inf) * 1.0),
    softmax_steps.LOG_SOFTMAX.by(lambda exponentials, axis: np.log(_normalised(exponentials, axis))),
)

NORMALISE_STACK = NORMALISE.knowing(  # where axes may stand in front
    shared.SOFTMAX_FROM_THE_FRONT.by(_sums_along(1)),
    softmax_steps.OVER_FIRST_AXIS.by(_sums_along(0)),
    softmax_steps.OVER_TABLES.by(_sums_along((-2, -1))),
)

MASKED_SOFTMAX_OF_STACK = (READ, WHEN, HIDE, softmax_steps.AXIS_STACK, SUBTRACT, EXPONENTIATE, NORMALISE_STACK, FINISH)

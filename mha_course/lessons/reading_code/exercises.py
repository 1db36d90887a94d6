"""Exercises of lesson 9: repair what others published, and write a check that can fail."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.draws import Draw
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.maths.formulas import attention, scaled_scores, softmax, split_heads
from mha_course.pipeline.examples import article


def _parameter_counts(of_qkv=3, of_output=True, of_bias=True, own=None, shared=None):
    """Return a count of both layers' parameters in which one thing may be counted in another way."""

    def _count(d_model, num_heads):
        d_k = d_model / num_heads
        rest = (d_model * d_model if of_output else 0) + (d_model if of_bias else 0)
        return (
            (of_qkv * d_model * d_model if own is None else own(d_model, num_heads)) + rest,
            (of_qkv * d_k * d_k if shared is None else shared(d_model, num_heads)) + rest,
        )

    return _count


PARAMETERS = Exercise(
    name="reading_code.parameters",
    number="9.1",
    title="Count the parameters",
    right=_parameter_counts(),
    results=("own", "shared"),
    cases=(
        Case("the example", (8, 2)),
        Case("the paper's size", (512, 8)),
        Case("3 heads", (6, 3)),
        Case("4 heads", (12, 4)),
        Case("one head", (10, 1)),
    ),
    mistakes=(
        Mistake("The bias is not counted.", "The output layer has one more number for each of its d_model columns.").by(
            _parameter_counts(of_bias=False)
        ),
        Mistake(
            "Every matrix has a bias.",
            "In this task only the output layer has one: d_model numbers in all.",
        ).by(
            lambda d_model, num_heads: (
                4 * (d_model * d_model) + 4 * d_model,
                3 * (d_model / num_heads * d_model / num_heads + d_model / num_heads) + d_model * d_model + d_model,
            )
        ),
        Mistake(
            "The output matrix is not counted.",
            "Both layers end with W_O, which has d_model rows and d_model columns.",
        ).by(_parameter_counts(of_output=False)),
        Mistake(
            "Queries, keys and values are counted as one.",
            "Each of the three has a matrix of its own: three times.",
        ).by(_parameter_counts(of_qkv=1)),
        Mistake(
            "Each head has matrices of the full width.",
            "A head's own matrix has d_model rows, but only d_k columns. All heads together are d_model wide.",
        ).by(_parameter_counts(own=lambda d_model, num_heads: 3 * num_heads * (d_model * d_model))),
        Mistake(
            "The shared matrices are counted for each head.",
            "There is one for all heads: that is what shared means.",
        ).by(_parameter_counts(shared=lambda d_model, num_heads: 3 * (d_model * d_model / num_heads))),
        Mistake(
            "The shared matrices see the whole row.",
            "They get a piece of it, d_model / num_heads numbers, and give as many back: d_k rows and d_k columns.",
        ).by(_parameter_counts(shared=lambda d_model, num_heads: 3 * (d_model * d_model))),
        Mistake(
            "The two counts are exchanged.",
            "The first is of the layer whose heads have matrices of their own, which is the larger.",
        ).by(lambda d_model, num_heads: _parameter_counts()(d_model, num_heads)[::-1]),
    ),
    notice=(
        "With one head the two layers are the same. With eight heads of 64, sharing leaves 26 % of the numbers. It is "
        "no cheaper way to the same thing, though: no head can use what lies outside of its piece."
    ),
)


def _cut_then_projected(X, W, num_heads, block):
    """Cut the inputs into heads, then send each piece through its own block of W."""
    pieces = split_heads(X, num_heads)
    height, width = X.shape[-1] // num_heads, W.shape[-1] // num_heads
    heads = [
        pieces[..., i, :, :] @ W[b * height : (b + 1) * height, b * width : (b + 1) * width]
        for i, b in enumerate(block(num_heads))
    ]
    return np.stack(heads, axis=-3)


WHOLE_ROW = Exercise(
    name="reading_code.whole_row",
    number="9.2",
    title="The whole row for every head",
    right=lambda X, W, num_heads: split_heads(X @ W, num_heads),
    results=("queries",),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 0, 2], [0, 1, 3, 0]]),
                np.array([[1, 0, 0, 1], [0, 2, 1, 0], [0, 1, 2, 0], [1, 0, 0, 1]]),
                2,
            ),
        ),
        Case("5 tokens, 3 heads", lambda draw: (*draw((5, 6), (6, 9)), 3)),
        Case("one token", lambda draw: (*draw((1, 4), (4, 6)), 2)),
        Case("3 sentences", lambda draw: (*draw((3, 5, 8), (8, 8)), 4)),
        Case("all sizes equal", lambda draw: (*draw((4, 4), (4, 4)), 2)),
        Case("one head", lambda draw: (*draw((3, 4), (4, 5)), 1)),
    ),
    mistakes=(
        Mistake(
            "One projection is shared by all heads.",
            "The inputs are cut first, and every piece goes through the same small matrix. Each head must see the "
            "whole row, through weights of its own: project first, then cut.",
            "MarcoMeter/episodic-transformer-memory-ppo #22",
        ).by(lambda X, W, num_heads: _cut_then_projected(X, W, num_heads, lambda heads: [0] * heads)),
        Mistake(
            "Each head sees only its piece of the row.",
            "The heads have weights of their own now, but the inputs are still cut first. What lies in another piece "
            "stays out of reach: project the whole row, then cut.",
        ).by(lambda X, W, num_heads: _cut_then_projected(X, W, num_heads, range)),
        known.RESHAPE_SPLIT.by(lambda X, W, num_heads: known.split_by_reshape(X @ W, num_heads)),
        Mistake(
            "The split is missing.",
            "The wide rows are right. Now cut each row into heads: split_heads.",
        ).by(lambda X, W, num_heads: X @ W),
        known.HEADS_BEHIND.by(lambda X, W, num_heads: split_heads(X @ W, num_heads).swapaxes(-3, -2)),
        known.COLUMNS_TAKE_TURNS.by(lambda X, W, num_heads: known.split_by_turns(X @ W, num_heads)),
        Mistake(
            "All heads are the first one.",
            "Each head has its own columns of W. Copies of one head see nothing that it does not.",
        ).by(lambda X, W, num_heads: np.stack([split_heads(X @ W, num_heads)[..., 0, :, :]] * num_heads, axis=-3)),
        known.WRONG_ORDER.by(lambda X, W, num_heads: np.flip(split_heads(X @ W, num_heads), axis=-3)),
        Mistake(
            "The weight matrix is turned over.",
            "W has a row for each of the d_model inputs, so it fits as it is. In the example it is symmetric, and "
            "nothing shows.",
        ).by(lambda X, W, num_heads: split_heads(X @ W.T, num_heads)),
    ),
    notice="One line moved: the projection stands before the cut. Now every entry of X can reach every head.",
    untraced=("num_heads",),
)


def _weights_from_draws(factor, middle=lambda draws: 0.5):
    """Return weights made from draws: a middle taken away, and multiplied by a factor of their shape."""
    return lambda draws: (draws - middle(draws)) * factor(*draws.shape)


def _uniform_draws(draw, shape):
    """Draw numbers with two decimals between 0 and 1."""
    return (draw.generator.integers(0, 100, shape) / 100,)


WEIGHTS = Exercise(
    name="reading_code.weights",
    number="9.3",
    title="Weights of the right size",
    right=_weights_from_draws(lambda d_in, d_out: np.sqrt(12 / d_in)),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 1], [0.5, 0.25], [0.75, 0.5]]),)),
        Case("width 12", lambda draw: _uniform_draws(draw, (12, 5))),
        Case("width 4", lambda draw: _uniform_draws(draw, (4, 7))),
        Case("width 1", lambda draw: _uniform_draws(draw, (1, 3))),
        Case("width 48", lambda draw: _uniform_draws(draw, (48, 2))),
        Case("all sizes equal", lambda draw: _uniform_draws(draw, (6, 6))),
    ),
    mistakes=(
        Mistake(
            "The draws are used as they came.",
            "All of them are positive. A sum of so many positive numbers is large, whatever the row is, and all rows "
            "come out alike.",
        ).by(lambda draws: draws + 0.0),
        Mistake(
            "The middle is not taken away.",
            "The size is right, but all weights are still positive: every query points nearly the same way.",
        ).by(lambda draws: draws * np.sqrt(12 / len(draws))),
        Mistake(
            "Only the middle is taken away.",
            "The weights have the mean 0 now, but their variance is still 1/12 at every width.",
        ).by(_weights_from_draws(lambda d_in, d_out: 1)),
        Mistake(
            "The width is not considered.",
            "Times √12 the variance is 1. A projection adds up d_in products, so it must be 1 / d_in.",
        ).by(_weights_from_draws(lambda d_in, d_out: np.sqrt(12))),
        Mistake(
            "The 12 is missing.",
            "Draws between 0 and 1 have the variance 1/12. Divided by √d_in they have 1 / (12 · d_in).",
        ).by(_weights_from_draws(lambda d_in, d_out: 1 / np.sqrt(d_in))),
        Mistake(
            "The root is missing.",
            "A factor changes the variance by its square. So for the variance 1 / d_in the factor is the root.",
        ).by(_weights_from_draws(lambda d_in, d_out: 12 / d_in)),
        Mistake(
            "The width is that of the result.",
            "A projection adds up as many products as W has rows: shape[0].",
        ).by(_weights_from_draws(lambda d_in, d_out: np.sqrt(12 / d_out))),
        Mistake(
            "The width is the number of all entries.",
            "A projection adds up as many products as W has rows, not as W has entries.",
        ).by(_weights_from_draws(lambda d_in, d_out: np.sqrt(12 / (d_in * d_out)))),
        Mistake(
            "It multiplies by the width where it should divide.",
            "A wide row adds up more products. So its weights must be smaller.",
        ).by(_weights_from_draws(lambda d_in, d_out: np.sqrt(12 * d_in))),
        Mistake(
            "The variance is twice too large.",
            "2 / d_in is meant for a layer whose negative results are cut off. Here nothing is cut off: scores come "
            "out twice too large.",
        ).by(_weights_from_draws(lambda d_in, d_out: np.sqrt(24 / d_in))),
        Mistake(
            "The weights lie between -1/√d_in and 1/√d_in, which is a third of the variance.",
            "That is the usual default of a framework. It works, but this task asks for 1 / d_in.",
        ).by(_weights_from_draws(lambda d_in, d_out: 2 / np.sqrt(d_in))),
        Mistake(
            "The mean of these few draws is taken away.",
            "The middle between 0 and 1 is ½. The mean of the draws is near it, but another one every time.",
        ).by(_weights_from_draws(lambda d_in, d_out: np.sqrt(12 / d_in), lambda draws: draws.mean())),
    ),
    notice=(
        "Mean 0 and variance 1 / d_in: a row whose entries have variance 1 keeps it. The course's own "
        "MultiHeadAttention.random draws its weights so, too."
    ),
)


@dataclass(frozen=True)
class Candidate:
    """A function of Q, K, V that may be attention or not, and does not say which.

    It gives back nan where its inputs do not fit.

    >>> Candidate(lambda Q, K, V: Q @ K)(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)))
    array(nan)
    """

    function: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]

    def __call__(self, Q, K, V):
        """Return what the function gives."""
        try:
            return self.function(Q, K, V)
        except ValueError:
            return np.array(np.nan)

    def __repr__(self):
        return "a function of Q, K and V"


def _attention_with(score=scaled_scores, share=softmax):
    """Return an attention in which one step is done in another way."""
    return lambda Q, K, V: share(score(Q, K)) @ V


def _attention_divided_by(divisor):
    """Return an attention with another scale. divisor: from Q, K and V."""
    return lambda Q, K, V: softmax(Q @ K.T / divisor(Q, K, V)) @ V


def _strongest(scores):
    """Give the whole share to the largest score."""
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def _spoilt(*changes):
    """Return an attention with an output that is off: each change is a place, and by how much of its size.

    What is off by nothing in all is off by its whole size, so that no candidate is right where there is one column.
    """

    def _attend(Q, K, V):
        right = attention(Q, K, V)
        output, size = right.copy(), max(1.0, np.abs(right).max())
        for place, part in changes:
            output[place] += part * size
        return output + size if np.allclose(output, right) else output

    return _attend


EVERYWHERE, FIRST_COLUMN, LAST_COLUMN = (np.s_[:], np.s_[:, 0], np.s_[:, -1])

# Several for each way not to see. Where no known mistake explains a check, the first that it misjudges is told: so
# those that are wrong on purpose come before those that only some inputs let pass.
CANDIDATES = (
    ("attention itself, which is right", attention),
    ("the output turned over", lambda Q, K, V: attention(Q, K, V).T),
    ("numbers that are far too large", _spoilt((EVERYWHERE, 3))),
    ("numbers that are far too small", _spoilt((EVERYWHERE, -3))),
    ("numbers that are a little too large", _spoilt((EVERYWHERE, 0.05))),
    ("numbers that are very little too small", _spoilt((EVERYWHERE, -0.005))),
    ("numbers that are half a percent too large", lambda Q, K, V: 1.005 * attention(Q, K, V)),
    ("nan in every place", lambda Q, K, V: np.nan * attention(Q, K, V)),
    ("the rows in the reverse order", lambda Q, K, V: attention(Q, K, V)[::-1]),
    ("the row of query 1 in every place", lambda Q, K, V: attention(Q[[0] * len(Q)], K, V)),
    ("the row of the last query in every place", lambda Q, K, V: attention(Q[[-1] * len(Q)], K, V)),
    ("a wrong first row", _spoilt((0, 1))),
    ("a wrong last row", _spoilt((-1, 1))),
    ("a wrong first column", _spoilt((FIRST_COLUMN, 1))),
    ("a wrong last column", _spoilt((LAST_COLUMN, 1))),
    ("a wrong first entry", _spoilt(((0, 0), 1))),
    ("a wrong last entry", _spoilt(((-1, -1), 1))),
    ("two wrong entries with the right sum", _spoilt(((0, 0), 1), ((-1, -1), -1))),
    ("wrong rows with the right sums", _spoilt((FIRST_COLUMN, 1), (LAST_COLUMN, -1))),
    ("wrong columns with the right sums", _spoilt((0, 1), (-1, -1))),
    ("a last digit rounded up, which is right", lambda Q, K, V: np.nextafter(attention(Q, K, V), np.inf)),
    ("no scale", _attention_divided_by(lambda Q, K, V: 1)),
    ("a division by d_k", _attention_divided_by(lambda Q, K, V: Q.shape[-1])),
    ("a division by d_k / 2", _attention_divided_by(lambda Q, K, V: Q.shape[-1] / 2)),
    ("a division by 2, whatever d_k is", _attention_divided_by(lambda Q, K, V: 2)),
    ("a division by √n_k", _attention_divided_by(lambda Q, K, V: np.sqrt(len(K)))),
    ("a division by √n_q", _attention_divided_by(lambda Q, K, V: np.sqrt(len(Q)))),
    ("a division by √d_v", _attention_divided_by(lambda Q, K, V: np.sqrt(V.shape[-1]))),
    ("a scale after the softmax", lambda Q, K, V: softmax(Q @ K.T) / np.sqrt(Q.shape[-1]) @ V),
    ("a softmax over the queries", _attention_with(share=lambda scores: softmax(scores, axis=0))),
    ("queries and keys swapped", lambda Q, K, V: attention(K, Q, V)),
    ("keys mixed instead of values", lambda Q, K, V: attention(Q, K, K)),
    ("values in place of the keys", lambda Q, K, V: attention(Q, V, V)),
    ("equal shares for all keys", _attention_with(score=lambda Q, K: 0 * (Q @ K.T))),
    ("the whole share for the strongest key", _attention_with(share=_strongest)),
    ("Q scaled first, which is right", lambda Q, K, V: softmax(Q / np.sqrt(Q.shape[-1]) @ K.T) @ V),
)


def _equal_up_to_rounding(output, right):
    return output.shape == right.shape and np.allclose(output, right)


def _equal_within(difference):
    return lambda output, right: output.shape == right.shape and np.allclose(output, right, rtol=0, atol=difference)


def _equal_in_shape(output, right):
    return output.shape == right.shape


def _equal_in(part):
    """Return a comparison of one part of the output, or of something made from it."""
    return lambda output, right: output.shape == right.shape and np.allclose(part(output), part(right))


def _not_above(output, right):
    return output.shape == right.shape and (output - right < EQUAL).all()


def _not_below(output, right):
    return output.shape == right.shape and (right - output < EQUAL).all()


def _nowhere_apart(output, right):
    return output.shape == right.shape and not (np.abs(output - right) > EQUAL).any()


EQUAL = 1e-6  # up to rounding


def _check_on(inputs, agree=_equal_up_to_rounding):
    """Return a check that tries a candidate on these inputs and asks whether it agrees with the truth."""
    right = attention(*inputs)
    return lambda candidate: bool(agree(np.asarray(candidate(*inputs)), right))


TELLING = Draw(321)((3, 5), (4, 5), (4, 2))
ALL_SIZES_EQUAL = Draw(322)((5, 5), (5, 5), (5, 5))
FOUR_WIDE = Draw(323)((3, 4), (5, 4), (5, 2))
KEYS_ARE_VALUES = (*Draw(324)((3, 5), (4, 5)), Draw(324)((3, 5), (4, 5))[1])
ONE_KEY = Draw(325)((3, 5), (1, 5), (1, 2))
ALL_ONES = (np.ones((3, 4)), np.ones((3, 4)), np.ones((3, 4)))
SIXTEEN_WIDE = Draw(328)((3, 16), (4, 16), (4, 2))  # a division by 4 loses no digit
SUMS = (np.sum, lambda output: output.sum(axis=1), lambda output: output.sum(axis=0))
ARTICLE = tuple(article.X @ W for W in (article.W_Q, article.W_K, article.W_V))
LARGE = tuple(10 * array for array in Draw(326)((3, 5), (4, 5))) + Draw(327)((4, 2))

CHECK = Exercise(
    name="reading_code.check",
    number="9.4",
    title="A check that can fail",
    right=_check_on(TELLING),
    results=("verdict",),
    cases=tuple(
        Case("the example" if not i else words, (Candidate(function),))
        for i, (words, function) in enumerate(CANDIDATES)
    ),
    mistakes=(
        Mistake(
            "It looks at shapes alone.",
            "Nearly every mistake gives the right shape. Compare the numbers with those of a function that you trust.",
        ).by(
            _check_on(ALL_ONES, _equal_in_shape),
            _check_on(TELLING, _equal_in_shape),
            lambda candidate: True,
        ),
        Mistake(
            "It compares numbers, but its inputs are all alike.",
            "Where all keys are equal, so are all shares, and where all values are, their mix is known before. Draw "
            "the inputs at random.",
        ).by(_check_on(ALL_ONES)),
        Mistake(
            "All its sizes are equal.",
            "With as many keys as columns, √n_k is √d_k. Give every axis a size of its own.",
        ).by(_check_on(ALL_SIZES_EQUAL)),
        Mistake(
            "Its queries are 4 wide.",
            "With d_k = 4, d_k / 2 and √d_k are both 2. Take 3 or 5.",
            "mkara44/transunet_pytorch #4",
        ).by(_check_on(FOUR_WIDE)),
        Mistake(
            "Its numbers are too large.",
            "The softmax is saturated: one key takes everything, whatever the scale is. Keep the scores near 1.",
        ).by(_check_on(LARGE)),
        Mistake(
            "It uses the article's example.",
            "There Q Kᵀ is symmetric and all sizes are 3: swapped queries and keys pass, and a division by √n_k.",
        ).by(_check_on(ARTICLE)),
        Mistake(
            "Its keys are its values.",
            "Then nobody sees which of the two were mixed. Draw the values by themselves.",
        ).by(_check_on(KEYS_ARE_VALUES)),
        Mistake(
            "It has one key only.",
            "One key gets the whole share, whatever its score is. Take several.",
        ).by(_check_on(ONE_KEY)),
        Mistake(
            "It wants every digit to agree.",
            "(Q / √d_k) Kᵀ and Q Kᵀ / √d_k differ in the last digit, and both are right. Use np.allclose.",
        ).by(_check_on(TELLING, np.array_equal), _check_on(SIXTEEN_WIDE, np.array_equal)),
        Mistake(
            "It compares sums.",
            "Different numbers can have one sum: the table turned over, for one. Compare entry by entry.",
        ).by(*(_check_on(TELLING, _equal_in(part)) for part in SUMS)),
        Mistake(
            "It looks at the first row alone.",
            "The rows that it does not look at may be anything. Take several queries, and compare all rows.",
        ).by(_check_on(TELLING, _equal_in(lambda output: output[0]))),
        Mistake(
            "It looks at one row alone.",
            "The rows that it does not look at may be anything. Compare all of them.",
        ).by(*(_check_on(TELLING, _equal_in(lambda output, i=i: output[i])) for i in (1, -1))),
        Mistake(
            "It looks at one column alone.",
            "The columns that it does not look at may be anything. Compare all of them.",
        ).by(*(_check_on(TELLING, _equal_in(lambda output, i=i: output[:, i])) for i in (0, -1))),
        Mistake(
            "It looks at one entry alone.",
            "The entries that it does not look at may be anything. Compare all of them.",
        ).by(*(_check_on(TELLING, _equal_in(lambda output, i=i: output[i, i])) for i in (0, -1))),
        Mistake(
            "It compares one way only.",
            "It asks whether the difference is small, and a number far below 0 is smaller than any. An output that is "
            "far off on that side passes. Take np.abs of the difference, or np.allclose.",
        ).by(_check_on(TELLING, _not_above), _check_on(TELLING, _not_below)),
        Mistake(
            "With it, nan passes.",
            "Every comparison with nan is False, so no difference is too large. Ask whether all are small: nan is not. "
            "np.allclose does so.",
        ).by(_check_on(TELLING, _nowhere_apart)),
        Mistake(
            "It allows too large a difference.",
            "Two right answers differ by the rounding of a computer, less than 0.00001. A mistake can be as small as "
            "0.005.",
        ).by(*(_check_on(TELLING, _equal_within(difference)) for difference in (0.5, 0.1, 0.01))),
        Mistake("It says the opposite.", "True is for a candidate that is right.").by(
            lambda candidate: not _check_on(TELLING)(candidate)
        ),
        Mistake("It rejects everything.", "A check that says False to all is no better than one that says True.").by(
            lambda candidate: False
        ),
    ),
    notice=(
        "Sizes that all differ, numbers that do not saturate, and a comparison of every entry up to rounding: that is "
        "all it takes. And it lets the right answer pass that looks wrong."
    ),
    untraced=("candidate",),
)


def _starts(n_q, rows):
    return range(0, n_q, rows)


def _largest_block(n_q, n_k, rows):
    return min(rows, n_q) * n_k


def _blocks_with(attend=attention, starts=_starts, join=np.concatenate, most=_largest_block):
    """Return an attention block by block, with the most scores at once; one step may be done in another way."""

    def _blocks(Q, K, V, rows):
        parts = [attend(Q[start : start + rows], K, V) for start in starts(len(Q), rows)]
        return join(parts), most(len(Q), len(K), rows)

    return _blocks


def _keys_cut_too(Q, K, V, rows):
    parts = [attention(*(array[start : start + rows] for array in (Q, K, V))) for start in _starts(len(Q), rows)]
    return np.concatenate(parts), _largest_block(len(Q), len(K), rows)


class NarrowQueries(np.ndarray):
    """Queries on a machine with little memory: whatever is too large, and made from them, raises `MemoryError`.

    rows: how many of them may be used at a time. room: for how many numbers in one array.
    """

    rows: int | None = None
    room: int | None = None
    requires_grad = False  # as a tensor: the course's functions then ask it for its numbers

    def __array_finalize__(self, origin):
        self.rows, self.room = getattr(origin, "rows", None), getattr(origin, "room", None)
        self._take_in(self)

    def __array_function__(self, function, types, args, kwargs):
        return self._take_in(super().__array_function__(function, types, args, kwargs))

    def _take_in(self, made):
        if self.room is not None and isinstance(made, np.ndarray) and made.size > self.room:
            raise MemoryError(NO_ROOM)
        return made

    def detach(self) -> "NarrowQueries":
        """Return the queries themselves."""
        return self

    def numpy(self, force: bool = False) -> np.ndarray:
        """Return the numbers of as many queries as may be used at a time."""
        if self.rows is not None and self.ndim > 1 and self.shape[-2] > self.rows:
            raise MemoryError(NO_ROOM)
        return self.view(np.ndarray)


NO_ROOM = "there is no room for the scores of all queries at once"


def _with_little_memory(queries_keys_values, rows):
    """Let the machine have room for one block, worked out entry by entry, but not for all scores."""
    Q, K, V = queries_keys_values
    narrow = Q.view(NarrowQueries)
    narrow.rows, narrow.room = rows, rows * K.shape[0] * max(Q.shape[-1], V.shape[-1])
    return narrow, K, V, rows


BLOCKS = Exercise(
    name="reading_code.blocks",
    number="9.5",
    title="Queries take turns",
    right=_blocks_with(),
    results=("output", "most"),
    cases=(
        Case(
            "the example",
            (np.array([[1, 0], [0, 1], [2, 2]]), np.array([[1, 0], [0, 2]]), np.array([[4, 0], [0, 8]]), 2),
        ),
        Case("7 queries, 3 at a time", lambda draw: (*draw((7, 3), (8, 3), (8, 2)), 3)),
        Case("6 queries, 2 at a time", lambda draw: (*draw((6, 4), (7, 4), (7, 5)), 2)),
        Case("one at a time", lambda draw: (*draw((4, 3), (5, 3), (5, 2)), 1)),
        Case("more rows than queries", lambda draw: (*draw((2, 3), (5, 3), (5, 4)), 9)),
        Case("one query", lambda draw: (*draw((1, 4), (3, 4), (3, 2)), 2)),
        Case("room for one block only", lambda draw: _with_little_memory(draw((8, 2), (9, 2), (9, 3)), rows=2)),
    ),
    mistakes=(
        Mistake(
            "The last block is lost.",
            "n_q // rows leaves out what remains: with 3 queries, 2 at a time, the third. range(0, n_q, rows) does "
            "not.",
        ).by(_blocks_with(starts=lambda n_q, rows: range(0, max(n_q // rows, 1) * rows, rows))),
        Mistake(
            "The keys are cut, too.",
            "A row of weights needs one query, but all keys. Here each query sees only the keys of its own block.",
        ).by(_keys_cut_too),
        Mistake(
            "Only the last block is left.",
            "Each turn overwrote the one before. Collect the blocks and join them at the end.",
        ).by(_blocks_with(join=lambda parts: parts[-1])),
        Mistake(
            "The blocks stand in the reverse order.",
            "Row 1 of the output belongs to query 1.",
        ).by(_blocks_with(join=lambda parts: np.concatenate(parts[::-1]))),
        replace(
            known.OVER_QUERIES,
            why="Each row must sum to 1. Here the queries of a block compete for a key, so the result depends on how "
            "they were cut.",
        ).by(_blocks_with(attend=lambda Q, K, V: softmax(scaled_scores(Q, K), axis=0) @ V)),
        known.UNSCALED.by(_blocks_with(attend=lambda Q, K, V: softmax(Q @ K.T) @ V)),
        Mistake(
            "All scores exist at once.",
            "The output is right, but n_q · n_k scores were made together. Cut the queries first.",
        ).by(
            _blocks_with(most=lambda n_q, n_k, rows: n_q * n_k),
            lambda Q, K, V, rows: (attention(Q, K, V), _largest_block(len(Q), len(K), rows)),
            lambda Q, K, V, rows: (attention(Q, K, V), len(Q) * len(K)),
        ),
        Mistake(
            "A block is counted as square.",
            "It has a row for each of its queries, and a column for every key: rows · n_k.",
        ).by(_blocks_with(most=lambda n_q, n_k, rows: min(rows, n_q) * min(rows, n_k))),
        Mistake(
            "It counts rows that are not there.",
            "If there are fewer queries than rows in a block, the only block has n_q rows.",
        ).by(_blocks_with(most=lambda n_q, n_k, rows: rows * n_k)),
        Mistake(
            "The last block is the one that is counted.",
            "The last may be smaller than the others. The most is what the first one has.",
        ).by(_blocks_with(most=lambda n_q, n_k, rows: ((n_q - 1) % rows + 1) * n_k)),
    ),
    notice=(
        "The sum is the same, and the memory no longer grows with the square of the length. That is how the course's "
        "own layer works: mha_course/maths/blocks.py."
    ),
    untraced=("rows",),
)

EXERCISES = (PARAMETERS, WHOLE_ROW, WEIGHTS, CHECK, BLOCKS)

"""Exercises: compare, rebuild and repair what others published."""

from collections.abc import Callable

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Case, Exercise, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import merge_heads, split_heads
from mha_course.mistakes import heads, shared


def _alike(heads, by=lambda difference: difference.max(axis=(-2, -1)) < EQUAL):
    """Return which heads are alike, a row for each: True up to rounding.  (h, h)"""
    return by(abs(heads[:, None] - heads[None]))


EQUAL = 1e-6  # up to rounding

COMPARED = Step(
    "same",
    lambda heads: _alike(heads),
    mistake("Heads that differ only by rounding count as different.",
            "0.1 + 0.2 is not exactly 0.3 for a computer. np.allclose compares up to rounding.",
            lambda heads: (heads[:, None] == heads[None]).all(axis=(-2, -1))),
    mistake("Only the first token is compared.",
            "Two heads can agree on one token and differ on another. Compare all rows.",
            lambda heads: _alike(heads[:, :1])),
    mistake("Only the last token is compared.",
            "Two heads can agree on one token and differ on another. Compare all rows.",
            lambda heads: _alike(heads[:, -1:])),
    mistake("Only the first column is compared.",
            "Two heads can agree in one column and differ in another. Compare all of them.",
            lambda heads: _alike(heads[..., :1])),
    mistake("Two heads count as the same as soon as one entry agrees.",
            "All entries must agree.",
            lambda heads: _alike(heads, lambda difference: (difference < EQUAL).any(axis=(-2, -1)))),
    mistake("Only the sums of the heads are compared.",
            "Different numbers can have the same sum. Compare entry by entry.",
            lambda heads: abs(heads.sum(axis=(-2, -1))[:, None] - heads.sum(axis=(-2, -1))) < EQUAL),
    mistake("Too large a difference counts as rounding.",
            "Rounding changes the last digits only: np.allclose as it is.",
            *(lambda heads, most=most: _alike(heads, lambda difference: difference.max(axis=(-2, -1)) < most)
              for most in (0.5, 0.1, 0.01))),
)

NEW = Step(  # which heads no earlier head is like
    "is_new",
    lambda same: ~np.tril(same, -1).any(axis=1),
    mistake("Each head is compared only with the one before it.",
            "A copy may come later: in heads 1, 2, 1 two are different. Compare with all earlier heads.",
            lambda same: ~np.append(False, np.diagonal(same, -1))),
    mistake("Each head is compared only with the first.",
            "Heads 2 and 3 may be copies of each other. Compare with all earlier heads.",
            lambda same: ~(same[:, 0] & (np.arange(len(same)) > 0))),
    mistake("Heads that have a copy are not counted at all.",
            "Of several copies one counts: it is one head.",
            lambda same: same.sum(axis=1) == 1),
    mistake("Only heads that have a copy are counted.",
            "A head without a copy is a different one, too.",
            lambda same: same.sum(axis=1) > 1),
    mistake("The copies are counted, not the different heads.",
            "Of several copies one counts, and so does each head without a copy.",
            lambda same: np.tril(same, -1).any(axis=1)),
)

COUNTED = Step(
    "number",
    lambda is_new: is_new.sum(),
    mistake("The result is one too small.",
            "The first head counts, too: no earlier head is like it.",
            lambda is_new: is_new.sum() - 1),
    mistake("The result is one too large.",
            "Each different head counts once.",
            lambda is_new: is_new.sum() + 1),
    mistake("Pairs are counted, not heads.",
            "Three heads make three pairs. Count each head that no earlier head is like.",
            lambda same: np.tril(~same, -1).sum(),
            lambda same: np.tril(same, -1).sum(),
            lambda same: (~same).sum()),
    mistake("All heads are counted.",
            "Copies do not count again.",
            lambda same: len(same)),
    mistake("It says whether there are copies, not how many heads differ.",
            "One whole number is wanted.",
            lambda is_new: is_new.all(),
            lambda is_new: not is_new.all()),
)


FIRST_TOKEN, LAST_TOKEN, LAST_COLUMN = np.s_[:, 0], np.s_[:, -1], np.s_[..., -1]


def _apart(*changes) -> Callable[[Sampler], Arguments]:
    """Return what draws four heads that differ in places only: each change is a place, and how far heads lie apart."""

    def _drawn(sample: Sampler) -> Arguments:
        heads = np.repeat(sample((1, sample.whole(2, 3), sample.whole(2, 3)))[0], 4, axis=0)
        for place, step in changes:
            heads[place] += (step * np.arange(4)).reshape(-1, *[1] * (heads[place].ndim - 1))
        return (heads,)

    return _drawn


def _with_copies(*of: int) -> Callable[[Sampler], Arguments]:
    """Return what draws heads of which some are copies: of each the number of its original, the copies as rounded."""

    def _drawn(sample: Sampler) -> Arguments:
        copies = sample((max(of) + 1, sample.whole(2, 4), sample.whole(2, 3)))[0][list(of)]
        return (copies * (1 + 1e-12 * np.arange(len(of)))[:, None, None],)

    return _drawn


DIFFERENT = Exercise(
    "five_treatments.different",
    "How many heads are there?",
    Solution("heads", [COMPARED, NEW, COUNTED]),
    cases=(
        Case("the example", (np.array([[[1, 0], [2, 1]], [[3, 1], [0, 4]], [[1, 0], [2, 1]]]),)),
        Case("8 copies", _with_copies(*[0] * 8)),
        Case("no copies", _with_copies(0, 1, 2, 3)),
        Case("two pairs", _with_copies(0, 1, 0, 1, 2)),
        Case("one head", _with_copies(0)),
        Case("copies of a later head", _with_copies(0, 1, 2, 1, 1, 3)),
        Case("copies side by side", _with_copies(0, 1, 1, 2, 2, 2)),
        Case("heads that agree at the first token", _apart((LAST_TOKEN, 1))),
        Case("heads that agree at the last token", _apart((FIRST_TOKEN, 1))),
        Case("heads that agree in the first column", _apart((LAST_COLUMN, 1))),
        Case("heads with equal sums", _apart(((np.s_[:], 0, 0), 1), ((np.s_[:], -1, -1), -1))),
        Case("heads that differ by 0.2", _apart((np.s_[:], 0.2))),
        Case("heads that differ by 0.05", _apart((np.s_[:], 0.05))),
        Case("heads that differ by 0.005", _apart((np.s_[:], 0.005))),
    ),
    notice=(
        "A's general code has one head, eight times. On its own example, E has one head, twice. No shape shows it, and "
        "no count of parameters."
    ),
    untraced=("heads",),
)


BLOCK = Step(
    "W",
    lambda W: W,
    mistake("W is transposed.",
            "Each piece is multiplied by W as it is, so W goes into the block as it is, too.",
            lambda W: W.T),
)


def _on_the_diagonal(W, num_heads, columns=lambda place, num_heads: place):
    """Set W beside and below itself on a table of zeros. columns: at which place a head's block stands across."""
    d_k = len(W)
    full = 0 * np.tile(W, (num_heads, num_heads))
    for place in range(num_heads):
        left = columns(place, num_heads) * d_k
        full[place * d_k : (place + 1) * d_k, left : left + d_k] = W
    return full


def _overlapping(W, num_heads):
    """Place each block only one row and one column behind the one before, and over it."""
    full = np.zeros((len(W) * num_heads,) * 2)
    for head in range(num_heads):
        full[head : head + len(W), head : head + len(W)] = W
    return full


FULL = Step(
    "full",
    _on_the_diagonal,
    mistake("The blocks overlap.",
            "Block i begins in row i times d_k, and in that column.",
            _overlapping),
    mistake("W is in every block.",
            "Then each head reads all pieces. In E a head reads only its own piece: outside the diagonal blocks there "
            "are zeros.",
            lambda W, num_heads: np.tile(W, (num_heads, num_heads))),
    mistake("The blocks are on the other diagonal.",
            "Rows of the full matrix belong to inputs, columns to heads. Block 1 belongs at the top left: head 1 reads "
            "piece 1.",
            lambda W, num_heads: _on_the_diagonal(W, num_heads, lambda place, h: h - 1 - place)),
    mistake("The blocks are one position too far to the right.",
            "So head 2 reads piece 1. Head 1 must read piece 1, and head 2 piece 2: position i down, and position i "
            "across.",
            lambda W, num_heads: _on_the_diagonal(W, num_heads, lambda place, h: (place + 1) % h)),
    mistake("All blocks begin in the first column.",
            "So every head reads the same columns of the result. Block i begins in row i times d_k, and in that "
            "column.",
            lambda W, num_heads: _on_the_diagonal(W, num_heads, lambda place, h: 0)),
    mistake("The entries of W are spread out.",
            "So the heads' columns take turns, as with np.kron(W, np.eye(h)). Each block on the diagonal must be a "
            "whole W.",
            lambda W, num_heads: np.kron(W, np.eye(num_heads))),
    mistake("Only head 1 has a block.",
            "Every head has one: num_heads blocks along the diagonal, all of them W.",
            lambda W, num_heads: _on_the_diagonal(W, num_heads) * (np.arange(len(W) * num_heads) < len(W))),
    mistake("The blocks are stacked one below the other.",
            "The full matrix is square: a row for every input, and a column for every column of every head.",
            lambda W, num_heads: np.tile(W, (num_heads, 1))),
    mistake("The blocks are placed side by side.",
            "The full matrix is square: a row for every input, and a column for every column of every head.",
            lambda W, num_heads: np.tile(W, (1, num_heads))),
    mistake("The blocks are on an axis of their own.",
            "One matrix is wanted, (h·d_k, h·d_k), with the blocks on its diagonal.",
            lambda W, num_heads: np.stack([W] * num_heads)),
    mistake("There are always two blocks.",
            "That fits the example only. There must be num_heads blocks.",
            lambda W: _on_the_diagonal(W, 2)),
    mistake("There are as many blocks as W has rows.",
            "len(W) is d_k, the width of a head. The number of heads is num_heads.",
            lambda W: _on_the_diagonal(W, len(W))),
)

AS_IT_IS = Step(
    "full",
    lambda full: full,
    mistake("The blocks are divided by the number of heads.",
            "Each block is W itself: a head's columns are its own, and nothing is averaged.",
            lambda full, num_heads: full / num_heads),
)


def _small_matrix(num_heads, *widths):
    """Return what draws a small matrix, as wide as one of these, and gives it with so many heads."""
    return lambda sample: (*sample((int(sample.generator.choice(widths)),) * 2), num_heads)


FULL_FORM = Exercise(
    "five_treatments.full_form",
    "E in the full form",
    Solution("W num_heads", [BLOCK, FULL, AS_IT_IS]),
    cases=(
        Case("the example", (np.array([[1, 2], [3, 4]]), 2)),
        Case("3 heads", _small_matrix(3, 2, 4, 5)),
        Case("5 heads", _small_matrix(5, 2, 3, 4)),
        Case("heads of a single column", _small_matrix(4, 1)),
        Case("one head", _small_matrix(1, 3, 4)),
        Case("as many heads as columns", _small_matrix(3, 3)),
    ),
    notice=(
        "X @ full gives each piece times W, so E is multi-head attention with zeros outside of the blocks, and with "
        "blocks that are all the same. It can learn neither to fill the zeros nor to let the blocks differ."
    ),
    untraced=("num_heads",),
)


MATRIX = Step(
    "W",
    lambda W: W,
    mistake("W is transposed.",
            "W has a row for each of the d_model inputs: use it as it is. In the example it is symmetric, so the "
            "mistake does not show.",
            lambda W: W.T),
    heads.MATRIX_RESHAPED.by(lambda W, num_heads: heads.cut_by_reshape(W, num_heads)),
)


PROJECT = Step(
    "wide",
    lambda X, W: X @ W,
    heads.PIECES_PROJECTED.by(lambda X, W, num_heads: merge_heads(heads.pieces_projected(X, W, num_heads))),
    heads.PROJECTION_SHARED.by(
        lambda X, W, num_heads: merge_heads(heads.pieces_projected(X, W, num_heads, shared=True))
    ),
    mistake("Nothing is projected.",
            "These are pieces of the inputs themselves. A head's queries are made from the whole row, with its columns "
            "of W.",
            lambda X: X),
    mistake("The factors are in the wrong order.",
            "X belongs on the left: each row of X is multiplied by each column of W.",
            lambda X, W: W @ X),
    shared.ENTRY_BY_ENTRY.by(lambda X, W: X * W),
    mistake("The queries are divided by √d_k already.",
            "The scale belongs to the scores. Here only the queries are wanted.",
            lambda X, W, num_heads: X @ W / (W.shape[-1] / num_heads) ** 0.5),
    mistake("It projects twice.", "The rows are multiplied by W once, before the split.", lambda X, W: X @ W @ W),
)

SPLIT_LAST = heads.EXCHANGE.knowing(
    mistake("The split is missing.",
            "The projection is right. Now cut each row into heads: split_heads.",
            lambda wide: wide),
    heads.BATCH_MEETS_HEADS.by(lambda X, W, num_heads: X @ split_heads(W, num_heads)),
)


def _rows_and_matrix(sample, num_heads, piece, width, n, batch=()):
    """Draw rows and a matrix for so many heads. piece, width: what their pieces of a row may be wide, and they."""
    d_model, all_heads = (num_heads * int(sample.generator.choice(sizes)) for sizes in (piece, width))
    return (*sample((*batch, n, d_model), (d_model, all_heads)), num_heads)


WHOLE_ROW = Exercise(
    "five_treatments.whole_row",
    "The whole row for every head",
    Solution("X W num_heads", [MATRIX, PROJECT, heads.CUT, heads.PIECES_TAKEN, SPLIT_LAST]),
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
        Case("5 tokens, 3 heads", lambda sample: _rows_and_matrix(sample, 3, piece=(2, 4), width=(3, 5), n=5)),
        Case("one token", lambda sample: _rows_and_matrix(sample, 2, piece=(2, 4), width=(3, 5), n=1)),
        Case("3 sentences", lambda sample: _rows_and_matrix(sample, 4, piece=(2, 3), width=(5, 7), n=5, batch=(3,))),
        Case("all sizes equal", lambda sample: (*sample((4, 4), (4, 4)), 2)),
        Case("one head", lambda sample: _rows_and_matrix(sample, 1, piece=(4, 6), width=(3, 5), n=3)),
        Case(
            "as many tokens as heads, a square matrix",
            lambda sample: _rows_and_matrix(sample, 4, piece=(3,), width=(3,), n=4),
        ),
        Case(
            "3 sentences of 3 tokens, 3 heads",
            lambda sample: _rows_and_matrix(sample, 3, piece=(3,), width=(3,), n=3, batch=(3,)),
        ),
    ),
    notice="One line moved: the projection now comes before the split. So every entry of X can reach every head.",
    untraced=("num_heads",),
)


CENTRE = Step(
    "centred",
    lambda samples: samples - 0.5,
    mistake("½ is not subtracted.",
            "The size is right, but all parameters are still positive: all queries point in nearly the same direction.",
            lambda samples: samples),
    mistake("The mean of these few samples is subtracted instead of ½.",
            "Random numbers between 0 and 1 have the mean ½. The mean of these few is near it, but different every "
            "time.",
            lambda samples: samples - samples.mean(),
            lambda samples: samples - samples.mean(axis=0),
            lambda samples: samples - samples.mean(axis=1, keepdims=True)),
    mistake("The samples are stretched to between -1 and 1.",
            "That makes the mean 0, but the variance four times as large, 1/3. Then the factor must be half as large.",
            lambda samples: 2 * samples - 1),
    mistake("1 is subtracted instead of ½.",
            "No sample is larger than 1, so all parameters become negative. The mean of the samples is ½.",
            lambda samples: samples - 1),
    mistake("½ is added instead of subtracted.",
            "Then all parameters are larger still. Subtract ½, and their mean is 0.",
            lambda samples: samples + 0.5),
    mistake("Every parameter has the wrong sign.",
            "½ minus the sample has the right mean and variance, but the task is to take ½ away from the sample.",
            lambda samples: 0.5 - samples),
    mistake("The parameters have lost their signs.",
            "Without negative parameters, their mean is above 0.", lambda samples: abs(samples - 0.5)),
    mistake("The smallest sample is subtracted instead of ½.",
            "Then all parameters are positive, or 0. The mean of the samples is ½.",
            lambda samples: samples - samples.min()),
)

FIXED = (2, 0.02, 0.01, 0.1, 0.5)  # what an example or a habit makes one write for the factor


def _fixed(factor):
    return lambda: factor


WIDTH_OF_INPUTS = Step(
    "d_in",
    lambda samples: samples.shape[0],
    mistake("The factor is made from the number of columns.",
            "A projection adds up as many products as W has rows: shape[0].",
            lambda samples: samples.shape[1]),
    mistake("The factor is made from the number of all entries.",
            "A projection adds up as many products as W has rows, not as W has entries.",
            lambda samples: samples.shape[0] * samples.shape[1]),
    mistake("The factor is made from the mean of rows and columns.",
            "2 / (d_in + d_out) also takes account of the gradients in the backward pass. This task asks for 1 / d_in.",
            lambda samples: (samples.shape[0] + samples.shape[1]) / 2),
    mistake("The factor is made from the sum of rows and columns.",
            "A projection adds up as many products as W has rows: shape[0].",
            lambda samples: samples.shape[0] + samples.shape[1]),
)

FACTOR = Step(
    "factor",
    lambda d_in: np.sqrt(12 / d_in),
    mistake("The 12 is missing from the factor.",
            "Random numbers between 0 and 1 have the variance 1/12. Divided by √d_in they have 1 / (12 · d_in).",
            lambda d_in: 1 / np.sqrt(d_in)),
    mistake("The root is missing from the factor.",
            "A factor changes the variance by its square. So take the root of 12 / d_in.",
            lambda d_in: 12 / d_in),
    mistake("The factor is a fixed number.",
            "It may fit one width. A wider row has more products to add up, so the factor depends on d_in.",
            *map(_fixed, FIXED)),
    mistake("The factor is √12 at every width.",
            "Times √12 the variance is 1. A projection adds up d_in products, so it must be 1 / d_in.",
            lambda: np.sqrt(12)),
    mistake("There is no factor.",
            "The parameters now have mean 0, but their variance is still 1/12 at every width.",
            lambda: 1),
    mistake("The factor is upside down.",
            "The variance is 1/12 and should be 1 / d_in. So it must be multiplied by 12 / d_in, not by d_in / 12.",
            lambda d_in: np.sqrt(d_in / 12)),
    mistake("The variance is twice as large as it should be.",
            "2 / d_in is meant for a layer whose negative results become 0. Here they do not: the scores come out "
            "twice as large.",
            lambda d_in: np.sqrt(24 / d_in)),
    mistake("It multiplies by the width instead of dividing.",
            "A wide row has more products to add up. So its parameters must be smaller.",
            lambda d_in: np.sqrt(12 * d_in)),
    mistake("The parameters lie between -1/√d_in and 1/√d_in: a third of the variance.",
            "That is a usual default of frameworks. It works, but this task asks for 1 / d_in.",
            lambda d_in: 2 / np.sqrt(d_in)),
    mistake("The variance is divided by 12 instead of multiplied.",
            "It is 1/12 already. Times 12 it is 1, and 1 / d_in after the division by d_in.",
            lambda d_in: np.sqrt(1 / (12 * d_in))),
    mistake("Only the root of 12 is taken.",
            "Take the root of the whole quotient: np.sqrt(12 / d_in).",
            lambda d_in: np.sqrt(12) / d_in),
    mistake("Only the root of the width is taken.",
            "Take the root of the whole quotient: np.sqrt(12 / d_in).",
            lambda d_in: 12 / np.sqrt(d_in)),
    mistake("The 12 and the root are missing from the factor.",
            "The variance should be 1 / d_in. It is 1/12 now, and a factor changes it by its square.",
            lambda d_in: 1 / d_in),
    mistake("The parameters reach only half as far as they should.",
            "√(3 / d_in) is the distance from 0 to either end. From end to end it is twice that: √(12 / d_in).",
            lambda d_in: np.sqrt(3 / d_in)),
    mistake("The square is taken, not the root.",
            "** 2 is the square. The root is ** 0.5, or np.sqrt.",
            lambda d_in: (12 / d_in) ** 2),
    mistake("The factor is half the quotient, not its root.",
            "** 1 / 2 is read from the left: first ** 1, then / 2. For the root write ** 0.5, or np.sqrt.",
            lambda d_in: 12 / d_in / 2),
)

TIMES = Step(
    "parameters",
    lambda centred, factor: centred * factor,
    mistake("½ is subtracted after the multiplication.",
            "By then the mean is no longer ½, but ½ times the factor. Subtract ½ first.",
            lambda samples, factor: samples * factor - 0.5),
    mistake("Only the ½ is multiplied by the factor.",
            "Without brackets, samples - 0.5 * factor multiplies first. Write (samples - 0.5) * factor.",
            lambda samples, factor: samples - 0.5 * factor),
    mistake("The factor is added instead of multiplied.",
            "A sum moves all parameters by the same amount. A product changes how far apart they are.",
            lambda centred, factor: centred + factor),
    mistake("The parameters are transposed.",
            "The shape stays as it was: a row for each of the d_in inputs.",
            lambda centred, factor: (centred * factor).T),
)


def _uniform_draws(sample, d_in, d_out):
    """Draw numbers with two decimals between 0 and 1. Shapes: sizes -> a tuple of one array (d_in, d_out)."""
    size = d_in * d_out
    several = sample.generator.permutation(100) if size <= 100 else sample.generator.integers(0, 100, size)
    return (several[:size].reshape(d_in, d_out) / 100,)


def _measured(samples):
    """Give these few samples the mean 0 and the variance 1 / d_in, as measured."""
    return (samples - samples.mean()) / samples.std() / np.sqrt(len(samples))


WEIGHTS = Exercise(
    "five_treatments.weights",
    "Parameters of the right size",
    Solution("samples", [CENTRE, WIDTH_OF_INPUTS, FACTOR, TIMES]),
    cases=(
        Case("the example", (np.array([[0, 1], [0.5, 0.25], [0.75, 0.5]]),)),
        Case("width 12", lambda sample: _uniform_draws(sample, 12, 5)),
        Case("width 4", lambda sample: _uniform_draws(sample, 4, int(sample.generator.integers(6, 9)))),
        Case("width 1", lambda sample: _uniform_draws(sample, 1, 3)),
        Case("width 48", lambda sample: _uniform_draws(sample, 48, 2)),
        Case("all sizes equal", lambda sample: _uniform_draws(sample, *[int(sample.generator.integers(5, 9))] * 2)),
        Case("wider than high", lambda sample: _uniform_draws(sample, int(sample.generator.integers(2, 8)), 10)),
    ),
    mistakes=(
        mistake("The samples are returned unchanged.",
                "All of them are positive. A sum of so many positive numbers is large, whatever the row is, and all "
                "rows come out alike.",
                lambda samples: samples + 0.0),
        mistake("Mean and variance are measured in these few samples.",
                "Between 0 and 1 they are known: ½ and 1/12. Those of a few samples are close, but differ every time.",
                _measured,
                lambda samples: (samples - 0.5) / samples.std() / np.sqrt(len(samples)),
                lambda samples: (samples - samples.mean()) / samples.std()),
    ),
    notice=(
        "Mean 0 and variance 1 / d_in: a row whose entries have variance 1 keeps it. The course's own "
        "MultiHeadAttention.random makes its parameters like this, too."
    ),
)

EXERCISES = (DIFFERENT, FULL_FORM, WHOLE_ROW, WEIGHTS)

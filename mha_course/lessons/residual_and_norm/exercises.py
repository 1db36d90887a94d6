"""Exercises of this lesson: what stands around attention, from the sum to the dropped weights."""

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, mistake
from mha_course.engine.checking.solution import Solution, Step
from mha_course.lessons.given_function import GivenFunction
from mha_course.maths.formulas import EPS, layer_norm, softmax
from mha_course.mistakes import layer_norm as norm
from mha_course.mistakes.cases import drawn_weights


def _fixed_attention(weights):
    return GivenFunction("attention with fixed weights", lambda rows: weights @ rows)


def _draw_attend(sample, n, d_model):
    """Draw weights and a projection to stand for attention."""
    scores, W = sample((n, n), (d_model, d_model))
    weights, W = softmax(scores).round(2), W / 2
    return GivenFunction("attention with fixed weights, projected", lambda rows: weights @ rows @ W)


def _draw_rows(*shape, times=1):
    """Return what draws rows of this shape, times so much, and what stands for attention."""
    return lambda sample: (sample(shape)[0] * times, _draw_attend(sample, *shape[-2:]))


def _draw_float32(sample):
    return np.float32(sample((4, 5))[0]), _draw_attend(sample, 4, 5)


CAUSAL_WEIGHTS = _fixed_attention(np.array([[1, 0], [0.5, 0.5]]))
WEIGHTS_OF_ROWS_BEFORE = _fixed_attention(np.array([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]))

SUBTRACTS = mistake(
    "The output of attention is subtracted.",
    "It is meant to be added to the row. The parameters are trained for a plus.",
)
TAKES_THE_MEAN = mistake(
    "It takes the mean of the two.",
    "Half of the input is lost in every layer: after ten layers a thousandth is left. Add, and do not divide.",
)
MULTIPLIES = mistake("It multiplies the two.", "Where one entry is near 0, the other would be lost. A sum keeps both.")
FOUND_TWICE = mistake("attend(x) is added twice.", "attend reads x once, and its output is added once.")
INPUT_TWICE = mistake("x is added twice.", "Once is enough.")
ATTENDS_TWICE = mistake(
    "attend is applied twice.",
    "attend(x) is already the output. Given to attend again, it passes through attention a second time.",
)
ADDS_THE_INPUT = mistake("x is added to itself, not to attend(x).", "Add the output of attention: attend(x).")

RESIDUAL = Exercise(
    "residual_and_norm.residual",
    "The residual connection",
    Solution(
        "x attend",
        [
            Step(
                "read",
                lambda x: x,
                ATTENDS_TWICE.by(lambda x, attend: attend(x), lambda x, attend: x + attend(x)),
                mistake("x is normalised before attention.",
                        "That is pre-norm, which comes later. Here attention reads x as it is.",
                        lambda x: layer_norm(x)),
                mistake("A softmax is taken of x before attention.",
                        "The softmax is inside attention. Here attention reads x as it is.",
                        lambda x: softmax(x)),
                mistake("The input is transposed.",
                        "Each row belongs to one token: give it to attend as it is.",
                        lambda x: x.mT),
            ),
            Step(
                "found",
                lambda read, attend: attend(read),
                ADDS_THE_INPUT.by(lambda read: read),
                mistake("The output of attention is transposed.",
                        "Row i already belongs to token i.",
                        lambda read, attend: attend(read).mT),
                mistake("Every token gets the mean of the output of attention.",
                        "Row i belongs to token i. Add row to row.",
                        lambda read, attend: attend(read).mean(axis=-2, keepdims=True)),
                mistake("The output of attention is normalised before it is added.",
                        "No norm is asked for here. Add it as it is.",
                        lambda read, attend: layer_norm(attend(read))),
                mistake("A softmax is taken of the output of attention.",
                        "The softmax is inside attention. Add the output as it is.",
                        lambda read, attend: softmax(attend(read))),
            ),
            Step(
                "result",
                lambda x, found: x + found,
                mistake("The residual connection is missing.",
                        "Only attend(x) is left, and the token itself is lost: add x.",
                        lambda found: found),
                mistake("Nothing is added to x.",
                        "x comes out as it went in. Add attend(x).",
                        lambda x: x * 1),
                mistake("attend(x) is doubled, and x is not added.",
                        "The result is x + attend(x). With attend(x + x) the token itself is lost, too.",
                        lambda found: 2 * found),
                SUBTRACTS.by(lambda x, found: x - found, lambda x, found: found - x),
                TAKES_THE_MEAN.by(lambda x, found: (x + found) / 2),
                mistake("The sum is divided by √2.",
                        "Some models do that, to keep the size of the entries. Here the two are added, and nothing "
                        "else.",
                        lambda x, found: (x + found) / np.sqrt(2)),
                MULTIPLIES.by(lambda x, found: x * found),
                mistake("The two are put side by side, not added.",
                        "The row would be twice as wide after every layer. A sum keeps the width d_model.",
                        lambda x, found: np.concatenate([x, found], axis=-1),
                        lambda x, found: np.concatenate([found, x], axis=-1)),
                mistake("The two are put one below the other, not added.",
                        "There would be twice as many tokens after every layer. Add row to row.",
                        lambda x, found: np.concatenate([x, found], axis=-2),
                        lambda x, found: np.concatenate([x, found]),
                        lambda x, found: np.stack([x, found])),
                FOUND_TWICE.by(lambda x, found: x + 2 * found),
                mistake("Only half of attend(x) is added.",
                        "What attention gives is added whole: divide nothing.",
                        lambda x, found: x + found / 2),
                INPUT_TWICE.by(lambda x, found: 2 * x + found),
                mistake("It takes the larger of the two.",
                        "Each entry needs both: the token's own, and attention's. A sum keeps them.",
                        lambda x, found: np.maximum(x, found)),
                mistake("It takes the matrix product of the two.",
                        "@ mixes rows and columns. The two have the same shape, and are added entry by entry.",
                        lambda x, found: x @ found,
                        lambda x, found: x @ found.mT),
                mistake("The sum is normalised.",
                        "That is post-norm, which comes later. Here only the sum is wanted.",
                        lambda x, found: layer_norm(x + found)),
            ),
        ],
    ),
    cases=(
        Case("the example", (np.array([[2, 0], [0, 4]]), CAUSAL_WEIGHTS)),
        Case("4 tokens", _draw_rows(4, 3)),
        Case("one token", _draw_rows(1, 5)),
        Case("2 sentences", _draw_rows(2, 3, 4)),
        Case("as many tokens as columns", _draw_rows(3, 3)),
        Case("all sizes equal", _draw_rows(3, 3, 3)),
        Case("float32", _draw_float32),
    ),
    notice=(
        "If W_O is 0, attend(x) is 0 and x comes out unchanged. A new layer that starts near there does no harm, and "
        "can learn."
    ),
    untraced=("attend",),
)


def _draw_equal(sample, width):
    """Draw a row of equal whole numbers, whose mean is exact."""
    return np.full(width, float(sample.generator.integers(1, 9)))


def _draw_eps(sample):
    return float(sample.generator.choice([0.05, 0.1, 0.2]))


ROW = Exercise(
    "residual_and_norm.row",
    "Layer norm of one row",
    Solution("row eps", [Step("rows", lambda row: row), *norm.NORM_OF_ROW]),
    cases=(
        Case("the example", (np.array([1, 7, 7, 9]), EPS)),
        Case("width 5", lambda sample: (*sample((5,)), EPS)),
        Case("another eps", lambda sample: (*sample((3,)), _draw_eps(sample))),
        Case("large entries", lambda sample: (sample((6,))[0] * 100, EPS)),
        Case("a row that hardly varies", lambda sample: (sample((4,))[0] / 400, EPS)),
        Case("equal entries", lambda sample: (_draw_equal(sample, 4), EPS)),
        Case("far from 0", lambda sample: (sample((7,))[0] + 20, EPS)),
        Case("one entry", lambda sample: (_draw_equal(sample, 1), EPS)),
        Case("float32", lambda sample: (np.float32(sample((6,))[0]), EPS)),
    ),
    off_limits=("layer_norm",),
    notice=(
        "Add 5 to every entry, or multiply all by 10: the result stays the same, except for eps. Layer norm keeps the "
        "pattern of a row and forgets its level and its size."
    ),
    untraced=("eps",),
)


def _draw_layer(*shape):
    """Return what draws rows of this shape, gain and bias, with the usual eps."""
    return lambda sample: (*sample(shape, shape[-1:], shape[-1:]), EPS)


def _draw_layer_with_equal_row(sample):
    rows, gain, bias = sample((3, 4), (4,), (4,))
    rows[1] = _draw_equal(sample, 4)
    return rows, gain, bias, EPS


def _draw_layer_that_hardly_varies(sample):
    rows, gain, bias = sample((2, 4), (4,), (4,))
    return rows / 400, gain, bias, EPS


def _draw_normalised(*shape):
    """Return what draws rows of this shape, gain and bias, and for each row a mean and a root above 0."""

    def _drawn(sample):
        rows, gain, bias, mean, root = sample(shape, shape[-1:], shape[-1:], shape[:-1], shape[:-1])
        return rows, gain, bias, mean, np.where(root < 0, 0.5 - root, root)

    return _drawn


LAYER_NORM = Exercise(
    "residual_and_norm.layer_norm",
    "Layer norm",
    Solution("x gain bias eps", [norm.GAIN_AND_BIAS, *norm.NORM_OF_STACK, norm.STRETCH, norm.MOVE]),
    results=("normalised",),
    cases=(
        Case(
            "the example",
            (np.array([[1, 7, 7, 9], [0, 0, 2, 2]]), np.array([3, 3, 3, 1]), np.array([5, 0, 0, 0]), EPS),
        ),
        Case("5 tokens", _draw_layer(5, 3)),
        Case("one token", _draw_layer(1, 4)),
        Case("3 sentences", _draw_layer(3, 2, 5)),
        Case("as many tokens as columns", _draw_layer(4, 4)),
        Case("rows that hardly vary", _draw_layer_that_hardly_varies),
        Case("a row of equal entries", _draw_layer_with_equal_row),
        Case("another eps", lambda sample: (*sample((2, 3), (3,), (3,)), _draw_eps(sample))),
        Case("one sentence", _draw_layer(1, 3, 6)),
        Case("all sizes equal", _draw_layer(3, 3, 3)),
        Case("float32", lambda sample: (*map(np.float32, sample((3, 5), (5,), (5,))), EPS)),
    ),
    off_limits=("layer_norm",),
    notice="Gain and bias are the only trained numbers here: 2 · d_model of them, the same for every token.",
    untraced=("eps",),
)

NORMALISED_EXAMPLE = np.array([[0, 1, 1, 1], [2, -3, 3, 1]])
NO_ORDER = "Undo the last operation first: minus bias, then / gain, then · root, then + mean."
UNDO = Exercise(
    "residual_and_norm.undo",
    "Back to the rows",
    Solution(
        "y gain bias mean root",
        [
            Step(
                "gains biases",
                lambda gain, bias: (gain, bias),
                mistake("Gain and bias are swapped.",
                        "The gain multiplied, the bias was added.",
                        lambda gain, bias: (bias, gain)),
                mistake("Gain and bias line up with the tokens.",
                        "They have one number for each column, the same for every token: use them as they are. [:, "
                        "None] runs only with as many tokens as columns.",
                        lambda gain, bias: (gain[:, None], bias[:, None])),
            ),
            Step(
                "means roots",
                lambda mean, root: (mean[..., None], root[..., None]),
                mistake("Mean and root line up with the columns.",
                        "Each row has its own. NumPy lines up axes from the end, so they need another axis: [..., "
                        "None].",
                        lambda mean, root: (mean, root),
                        lambda mean, root: (mean, root[..., None]),
                        lambda mean, root: (mean[..., None], root)),
                mistake("Mean and root are swapped.",
                        "The root multiplies, the mean is added.",
                        lambda mean, root: (root[..., None], mean[..., None])),
            ),
            Step(
                "without_bias",
                lambda y, biases: y - biases,
                mistake("The bias is added once more.",
                        "The layer norm has added it. To undo that, subtract it.",
                        lambda y, biases: y + biases),
                mistake("The bias is not subtracted.",
                        "The layer norm added it last, so take it away first.", lambda y: y * 1),
            ),
            Step(
                "normalised",
                lambda without_bias, gains: without_bias / gains,
                mistake("The gain is undone before the bias.",
                        f"Then the bias is too large or too small by the gain. {NO_ORDER}",
                        lambda y, gains, biases: y / gains - biases),
                mistake("The gain is multiplied once more.",
                        "The layer norm has multiplied by it: divide.",
                        lambda without_bias, gains: without_bias * gains),
                mistake("The gain is not undone.",
                        "Each column is still multiplied by its gain: divide.",
                        lambda without_bias: without_bias),
                mistake("The gain is subtracted.",
                        "It was multiplied. To undo that, divide.",
                        lambda without_bias, gains: without_bias - gains),
            ),
            Step(
                "centred",
                lambda normalised, roots: normalised * roots,
                mistake("It divides by the root once more.",
                        "The layer norm has divided by it: multiply.",
                        lambda normalised, roots: normalised / roots),
                mistake("The root is not multiplied back.",
                        "The rows still have variance 1. Multiply by the root.",
                        lambda normalised: normalised),
                mistake("It multiplies by the square of the root.",
                        "The square is the variance. Layer norm divided by the root.",
                        lambda normalised, roots: normalised * roots * roots),
                mistake("It takes the root of the root.",
                        "root is already the root of variance + eps.",
                        lambda normalised, roots: normalised * roots**0.5),
            ),
            Step(
                "rows",
                lambda centred, means: centred + means,
                mistake("The mean is not added back.",
                        "The mean of each row is still 0. Add the mean.", lambda centred: centred),
                mistake("The mean is added before the root multiplies.",
                        f"Then the mean is too large or too small by the root. {NO_ORDER}",
                        lambda normalised, roots, means: (normalised + means) * roots),
                mistake("The mean is subtracted once more.",
                        "The layer norm subtracted it: add it.",
                        lambda centred, means: centred - means),
                mistake("It multiplies by the mean.",
                        "The mean was subtracted. To undo that, add it.",
                        lambda centred, means: centred * means),
                mistake("The rows are normalised once more.",
                        "Here the normalisation must be undone: the opposite operations, the last one first.",
                        lambda y: layer_norm(y),
                        lambda y, gain, bias: layer_norm(y) * gain + bias),
            ),
        ],
    ),
    results=("x",),
    cases=(
        Case(
            "the example",
            (NORMALISED_EXAMPLE, np.array([3, 3, 3, 1]), np.array([5, 0, 0, 0]), np.array([6, 1]), np.array([3, 1])),
        ),
        Case("5 tokens", _draw_normalised(5, 3)),
        Case("one token", _draw_normalised(1, 4)),
        Case("3 sentences", _draw_normalised(3, 2, 5)),
        Case("as many tokens as columns", _draw_normalised(4, 4)),
        Case("all sizes equal", _draw_normalised(3, 3, 3)),
        Case("float32", lambda sample: tuple(map(np.float32, _draw_normalised(3, 5)(sample)))),
    ),
    notice=(
        "Two numbers for each row are all that layer norm takes away: its mean, and the root of its variance. What is "
        "left of a row of 512 numbers is its pattern."
    ),
)


TABLES = ("sum", "x", "found")  # what is normalised where: after the sum, before attention, and wrongly what it gave

BOTH_PATHS = Step(
    "rows straight factor",
    lambda x: (x, x, 1),
    mistake("Both residual connections are missing.",
            "Each sublayer adds something to x. Without x in the sum, the token itself is lost.",
            lambda x: (x, 0 * x, 1)),
    SUBTRACTS.by(lambda x: (x, x, -1)),
    FOUND_TWICE.by(lambda x: (x, x, 2)),
    INPUT_TWICE.by(lambda x: (x, 2 * x, 1)),
    TAKES_THE_MEAN.by(lambda x: (x, x / 2, 0.5)),
    mistake("Attention is not used.",
            "Both sublayers call attend: post-norm with x, pre-norm with the normalised x.",
            lambda x: (x, x, 0)),
)

POST_FOUND = Step(
    "rows_of_found",
    lambda x, attend: attend(x),
    mistake("The post-norm applies attend twice.",
            "attend(x) is already the output. Given to attend again, it passes through attention a second time.",
            lambda x, attend: attend(attend(x)),
            lambda x, attend: attend(x + attend(x))),
)

POST_SUM = Step(
    "rows_of_sum rows_of_x",
    lambda x, straight, factor, rows_of_found: (straight + factor * rows_of_found, x),
    mistake("The post-norm has no residual connection.",
            "The norm belongs around a sum: x + attend(x).",
            lambda x, factor, rows_of_found: (factor * rows_of_found, x)),
    mistake("The post-norm subtracts attend(x).",
            "It is meant to be added to the row. The parameters are trained for a plus.",
            lambda x, straight, rows_of_found: (straight - rows_of_found, x),
            lambda x, straight, rows_of_found: (rows_of_found - straight, x)),
    mistake("The post-norm normalises x alone.",
            "attend(x) is missing: the norm belongs around x + attend(x).",
            lambda x, straight: (straight, x),
            lambda x, straight: (straight + x, x)),
    mistake("The post-norm multiplies x by attend(x).",
            "Where one entry is near 0, the other would be lost. A sum keeps both.",
            lambda x, straight, rows_of_found: (straight * rows_of_found, x)),
)

NORM_MISSING = mistake("Both norms are missing.", "Both are x + attend(x) now.")


def _norm_of_both(step):
    """Return a step of the layer norm as both sublayers do it, with what may go wrong in one of them alone."""
    each = norm.for_each(step, *TABLES)
    if step is norm.STEADY:
        return each.knowing(
            norm.EPS_FORGOTTEN.by(
                lambda variance_of_sum, variance_of_x, variance_of_found, eps: (
                    variance_of_sum,
                    variance_of_x + eps,
                    variance_of_found,
                ),
                lambda variance_of_sum, variance_of_x, variance_of_found, eps: (
                    variance_of_sum + eps,
                    variance_of_x,
                    variance_of_found + eps,
                ),
            )
        )
    if step is norm.DIVIDE:
        return each.knowing(
            NORM_MISSING.by(lambda rows_of_sum, rows_of_x, rows_of_found: (rows_of_sum, rows_of_x, rows_of_found))
        )
    return each


NORM = (
    norm.AXIS,
    norm.COUNT,
    *(_norm_of_both(step) for step in norm.NORM_WITH_USUAL_EPS if step not in (norm.AXIS, norm.COUNT)),
)

POST = Step(
    "post_norm",
    lambda normalised_of_sum: normalised_of_sum,
    mistake("The post-norm normalises before the sum.",
            "Then the sum itself is not normalised, and grows from layer to layer. The norm comes last.",
            lambda straight, normalised_of_found: straight + normalised_of_found,
            where="keras-team/keras-io #1256",
            asked="harvardnlp/annotated-transformer #110"),
    mistake("The post-norm normalises its two parts one by one.",
            "The sum of two rows of variance 1 need not have variance 1. First the sum, then the norm.",
            lambda normalised_of_x, normalised_of_found: normalised_of_x + normalised_of_found),
    mistake("The post-norm normalises x, not the sum.",
            "Then the sum itself is not normalised. The norm comes last, around x + attend(x).",
            lambda normalised_of_x, factor, rows_of_found: normalised_of_x + factor * rows_of_found),
    mistake("The post-norm has no norm.",
            "The sum is right. The norm belongs around it: layer_norm(x + attend(x)).",
            lambda rows_of_sum: rows_of_sum),
    mistake("The post-norm adds x once more, after the norm.",
            "x is in the sum already. The output of the norm is the result.",
            lambda straight, normalised_of_sum: straight + normalised_of_sum),
)

PRE_READ = Step(
    "read",
    lambda normalised_of_x: normalised_of_x,
    mistake("The pre-norm has no norm.",
            "Pre means before: the norm is applied to x, and attention reads the result.",
            lambda x: x),
    mistake("Attention in the pre-norm reads the result of the post-norm.",
            "The two sublayers are two ways to do the same. Each of them begins with x.",
            lambda post_norm: post_norm),
)

PRE_FOUND = Step(
    "answer",
    lambda read, attend: attend(read),
    mistake("The pre-norm applies attend twice.",
            "attend(…) is already the output. Given to attend again, it passes through attention a second time.",
            lambda read, attend: attend(attend(read)),
            lambda x, read, attend: attend(x + attend(read))),
    mistake("The pre-norm does not use attention.",
            "It adds the normalised x itself. Add what attend makes of it.",
            lambda read: read),
)

ADDS_THE_NORMALISED = mistake(
    "The pre-norm adds attention to the normalised x.",
    "The straight path must carry x itself. Only what attention reads is normalised.",
    where="Howuhh/faster-trajectory-transformer #3, SHI-Labs/Compact-Transformers #25",
)
PRE = Step(
    "pre_norm",
    lambda straight, factor, answer: straight + factor * answer,
    ADDS_THE_NORMALISED.by(lambda read, factor, answer: read + factor * answer),
    mistake("The pre-norm has no residual connection.",
            "It is only attend(layer_norm(x)). Add this to x.",
            lambda factor, answer: factor * answer),
    mistake("The pre-norm normalises the output of attention, not its input.",
            "Pre means before: the norm is applied to x, and attention reads the result.",
            lambda straight, normalised_of_found: straight + normalised_of_found),
    mistake("The pre-norm is normalised a second time, at its end.",
            "A norm around the sum blocks the straight path. One at the end of the whole stack is enough.",
            lambda straight, factor, answer: layer_norm(straight + factor * answer)),
    mistake("The pre-norm also normalises the output of attention.",
            "One norm is enough: before attention. The output is added as it is.",
            lambda straight, answer: straight + layer_norm(answer)),
    mistake("The pre-norm subtracts the output of attention.",
            "It is meant to be added to the row. The parameters are trained for a plus.",
            lambda straight, answer: straight - answer,
            lambda straight, answer: answer - straight),
    mistake("The pre-norm starts from the result of the post-norm.",
            "The two sublayers are two ways to do the same. Each of them begins with x, so x must not be overwritten.",
            lambda post_norm, factor, attend: post_norm + factor * attend(layer_norm(post_norm))),
    mistake("The pre-norm multiplies x by the output of attention.",
            "Where one entry is near 0, the other would be lost. A sum keeps both.",
            lambda straight, answer: straight * answer),
)

IN_ORDER = Step(
    "post pre",
    lambda post_norm, pre_norm: (post_norm, pre_norm),
    mistake("Post-norm and pre-norm are swapped.",
            "The name says where the norm is: after the sum, or before attention.",
            lambda post_norm, pre_norm: (pre_norm, post_norm)),
    mistake("Both results are post-norm; the second must be pre-norm.",
            "In pre-norm the norm comes before attention: x + attend(layer_norm(x)).",
            lambda post_norm: (post_norm, post_norm)),
    mistake("Both results are pre-norm; the first must be post-norm.",
            "In post-norm the norm comes last, around the sum: layer_norm(x + attend(x)).",
            lambda pre_norm: (pre_norm, pre_norm)),
)

LARGE = 20  # beside which nobody sees whether eps is 0.00001 or 0.000001, which the task leaves open


SUBLAYERS = Exercise(
    "residual_and_norm.both",
    "Post-norm and pre-norm",
    Solution(
        "x attend",
        [
            BOTH_PATHS,
            POST_FOUND,
            POST_SUM,
            Step("eps", lambda: EPS),
            *NORM,
            POST,
            PRE_READ,
            PRE_FOUND,
            PRE,
            IN_ORDER,
        ],
    ),
    cases=(
        Case("the example", (np.array([[2, 0], [0, 4]]), CAUSAL_WEIGHTS)),
        Case("4 tokens", _draw_rows(4, 3, times=LARGE)),
        Case("one token", _draw_rows(1, 5, times=LARGE)),
        Case("2 sentences", _draw_rows(2, 3, 4, times=LARGE)),
        Case("as many tokens as columns", _draw_rows(3, 3, times=LARGE)),
        Case("rows of equal entries", (np.array([[2.0, 2, 2], [-1, -1, -1], [1, 2, 4]]), WEIGHTS_OF_ROWS_BEFORE)),
        Case("large entries", lambda sample: (sample((3, 4))[0] * 50, _draw_attend(sample, 3, 4))),
        Case("all sizes equal", _draw_rows(3, 3, 3, times=LARGE)),
        Case("float32", _draw_float32),
    ),
    notice=(
        "In a stack of pre-norm sublayers there are only sums between the first x and the last. That is why it ends "
        "with a layer norm of its own."
    ),
    untraced=("attend",),
)


def _draw_repair(*shape):
    """Return what draws large rows of this shape, what stands for attention, gain and bias."""

    def _drawn(sample):
        rows, gain, bias = sample(shape, shape[-1:], shape[-1:])
        return rows * LARGE, _draw_attend(sample, *shape[-2:]), gain, bias

    return _drawn


def _draw_repair_with_equal_row(sample):
    rows, attend, gain, bias = _draw_repair(3, 4)(sample)
    rows[1] = _draw_equal(sample, 4)
    return rows, attend, gain, bias


NORM_UNUSED = mistake("Attention reads x without the norm.", "Pre means before: attention reads the normalised rows.")
REPAIR = Exercise(
    "residual_and_norm.repair",
    "Repair a sublayer",
    Solution(
        "x attend gain bias",
        [
            norm.GAIN_AND_BIAS,
            Step("eps", lambda: EPS),
            *norm.NORM_WITH_USUAL_EPS,
            norm.STRETCH,
            norm.MOVE,
            Step(
                "found",
                lambda output, attend: attend(output),
                NORM_UNUSED.by(lambda x, attend: attend(x)),
                mistake("Attention is not used.",
                        "Add attend(…) of the normalised rows to x.",
                        lambda output: output),
                mistake("It attends twice.",
                        "attend(…) is already the output. Given to attend again, it passes through attention a second "
                        "time.",
                        lambda output, attend: attend(attend(output))),
                mistake("The norm comes after attention.",
                        "Pre means before: the norm is applied to x, and attention reads the result.",
                        lambda x, attend, gain, bias: layer_norm(attend(x)) * gain + bias),
            ),
            Step(
                "sublayer",
                lambda x, found: x + found,
                ADDS_THE_NORMALISED.by(lambda output, found: output + found),
                mistake("The residual connection is missing.",
                        "Only the output of attention is left, and the token itself is lost: add x.",
                        lambda found: found),
                SUBTRACTS.by(lambda x, found: x - found),
                mistake("It is a post-norm, not a pre-norm.",
                        "Here the norm is around the sum. In a pre-norm sublayer it comes before attention, and "
                        "nothing follows the sum.",
                        lambda x, attend, gain, bias: layer_norm(x + attend(x)) * gain + bias),
                mistake("There is a second norm at the end.",
                        "A norm around the sum blocks the straight path. One before attention is enough.",
                        lambda x, found: layer_norm(x + found)),
            ),
        ],
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 7, 7, 9], [0, 0, 2, 2]]),
                CAUSAL_WEIGHTS,
                np.array([3, 3, 3, 1]),
                np.array([5, 0, 0, 0]),
            ),
        ),
        Case("4 tokens", _draw_repair(4, 3)),
        Case("one token", _draw_repair(1, 5)),
        Case("2 sentences", _draw_repair(2, 3, 4)),
        Case("as many tokens as columns", _draw_repair(3, 3)),
        Case("a row of equal entries", _draw_repair_with_equal_row),
        Case("all sizes equal", _draw_repair(3, 3, 3)),
    ),
    notice=(
        "If a name is used again, as in x = norm(x), its old value is lost. In a pre-norm sublayer that is the "
        "straight path, and no error comes."
    ),
    untraced=("attend",),
)


def _draw_kept(sample, *shape):
    """Draw what is kept: in every table the first weight is, the last is not, and it is no mirror image."""
    kept = sample.generator.random(shape) < 0.6
    kept[..., 0, 0] = kept[..., 0, -1] = True
    kept[..., -1, 0] = kept[..., -1, -1] = shape[-2] == 1
    return kept


def _draw_rate(sample):
    return float(sample.generator.choice([0.1, 0.2, 0.25, 0.3, 0.4]))


def _draw_dropout(*shape):
    """Return what draws weights of this shape, what is kept, and a rate."""
    return lambda sample: (drawn_weights(sample, *shape), _draw_kept(sample, *shape), _draw_rate(sample))


def _lost_shared_out(weights, mask):
    lost = (weights * ~mask).sum(axis=-1, keepdims=True)
    return weights * mask + mask * lost / mask.sum(axis=-1, keepdims=True)


def _kept_sums(weights, mask):
    sums = (weights * mask).sum(axis=-1, keepdims=True)
    return np.where(sums == 0, 1, sums)


MISSING_BRACKETS = mistake(
    "The brackets around 1 - rate are missing.",
    "x / 1 - rate is read as (x / 1) - rate, because / binds tighter than -.",
)
EXAMPLE_WEIGHTS = np.array([[0.4, 0.4, 0.2], [0.16, 0.24, 0.6]])
DROPOUT = Exercise(
    "residual_and_norm.dropout",
    "Dropout",
    Solution(
        "weights kept rate",
        [
            Step(
                "mask",
                lambda kept: kept,
                mistake("The kept weights are dropped, and the others kept.", "True means kept.", lambda kept: ~kept),
                mistake("Nothing is dropped.",
                        "All weights are made larger. Where kept is False, the weight must be 0.",
                        lambda kept: kept | True),
                mistake("kept is transposed.",
                        "It has the shape of the weights: queries go down, keys across.",
                        lambda kept: kept.mT),
                mistake("The first row of kept is used for all queries.",
                        "kept has a row of its own for each query.",
                        lambda kept: kept[..., :1, :]),
                mistake("The first column of kept is used for all keys.",
                        "kept has a column of its own for each key.",
                        lambda kept: kept[..., :1]),
                mistake("Where one weight is dropped, its whole row is.",
                        "kept has an entry for each weight: each is kept or dropped by itself.",
                        lambda kept: kept & kept.all(axis=-1, keepdims=True)),
                mistake("The smallest weights are dropped.",
                        "Chance decides, not the size: kept says which stay.",
                        lambda weights, rate: weights > rate,
                        lambda weights, rate: weights > 1 - rate),
            ),
            Step(
                "fraction",
                lambda rate: 1 - rate,
                mistake("The divisor is the dropout rate.",
                        "It says how many are dropped. On average 1 - rate is left. With the rate 0.5 nobody notices.",
                        lambda rate: rate,
                        where="lmjohns3/theanets #123",
                        asked="rasbt/LLMs-from-scratch #431"),
                mistake("The divisor is the fraction that was kept this time.",
                        "The divisor is 1 - rate, the fraction kept on average. How many were kept this time is "
                        "chance.",
                        lambda mask: mask.mean(),
                        lambda mask: mask.mean(axis=-1, keepdims=True),
                        lambda mask: mask.mean(axis=-2, keepdims=True),
                        lambda mask: mask.mean(axis=(-2, -1), keepdims=True)),
                mistake("The kept weights of each row are made to sum to 1.",
                        "Then what is lost in a row depends on chance. The divisor is 1 - rate, for all rows.",
                        _kept_sums),
                mistake("The divisor is 1 + rate.",
                        "That makes the weights smaller still. On average 1 - rate is left.",
                        lambda rate: 1 + rate),
                mistake("The divisor is 1 - rate, squared.",
                        "Dividing once makes up for the loss.",
                        lambda rate: (1 - rate) ** 2),
                mistake("The divisor is the root of 1 - rate.",
                        "The weights are added up, not their squares: the divisor is 1 - rate itself.",
                        lambda rate: (1 - rate) ** 0.5),
                mistake("The divisor has the wrong sign.",
                        "rate - 1 is below 0, and so is every weight then. The divisor is 1 - rate.",
                        lambda rate: rate - 1),
                mistake("The divisor is a fixed number, whatever the dropout rate is.",
                        "It fits one dropout rate only. The divisor is 1 - rate.",
                        lambda: 0.8,
                        lambda: 0.5),
                mistake("The divisor is the number of kept weights.",
                        "The divisor is a fraction: 1 - rate.",
                        lambda mask: mask.sum(),
                        lambda mask: mask.sum(axis=-1, keepdims=True)),
            ),
            Step(
                "divided_weights",
                lambda weights, fraction: weights / fraction,
                mistake("The kept weights are not made larger.",
                        "A part of each output is missing now, so outputs are smaller in training than later. Divide "
                        "by 1 - rate.",
                        lambda weights: weights),
                mistake("It multiplies instead of dividing.",
                        "The kept weights must make up for the lost ones: divide. Multiplying is right only later, and "
                        "only if training did not divide.",
                        lambda weights, fraction: weights * fraction),
                MISSING_BRACKETS.by(lambda weights, rate: weights - rate),
                mistake("The weights are not used.",
                        "It returns only kept, as numbers. Each kept weight must stay, and grow.",
                        lambda weights, fraction: np.ones(weights.shape) / fraction),
                mistake("Each row is divided by its largest weight.",
                        "All weights grow by the same 1 / (1 - rate), whatever they are.",
                        lambda weights: weights / weights.max(axis=-1, keepdims=True)),
            ),
            Step(
                "kept_weights",
                lambda divided_weights, mask: divided_weights * mask,
                mistake("The dropped weights stay as they were.",
                        "They must be 0. Only the kept ones are divided.",
                        lambda weights, divided_weights, mask: np.where(mask, divided_weights, weights)),
                mistake("The dropped weights become -∞ instead of 0.",
                        "-∞ belongs among scores, before the softmax. A dropped weight is 0.",
                        lambda divided_weights, mask: np.where(mask, divided_weights, -np.inf),
                        lambda divided_weights, mask: np.where(mask, divided_weights, -1e9),
                        lambda divided_weights, mask, fraction: np.where(mask, divided_weights, -1e9 / fraction)),
                mistake("It returns only the kept weights, in one row.",
                        "weights[kept] picks them out, and the table is gone. A dropped weight stays in its position, "
                        "as 0.",
                        lambda divided_weights, mask: divided_weights[mask]),
                mistake("The dropped weights become nan.",
                        "nan spreads to every result computed from it. A dropped weight is 0.",
                        lambda divided_weights, mask: np.where(mask, divided_weights, np.nan)),
                mistake("The dropped weights become 1.",
                        "1 would be a query's whole weight. A dropped weight is 0.",
                        lambda divided_weights, mask: np.where(mask, divided_weights, 1.0),
                        lambda divided_weights, mask, fraction: np.where(mask, divided_weights, 1.0 / fraction)),
                mistake("kept is added to the weights.",
                        "True counts as 1, False as 0. Multiply: 1 keeps a weight, 0 drops it.",
                        lambda divided_weights, mask: divided_weights + mask,
                        lambda divided_weights, mask, fraction: divided_weights + mask / fraction),
                mistake("The dropped weights are multiplied by the rate.",
                        "A dropped weight must be 0.",
                        lambda divided_weights, weights, mask, rate: np.where(mask, divided_weights, weights * rate)),
                mistake("The dropped weights become negative.",
                        "A dropped weight must be 0.",
                        lambda divided_weights, mask: np.where(mask, divided_weights, -divided_weights)),
            ),
            Step(
                "dropped",
                lambda kept_weights: kept_weights,
                mistake("The rows are made to sum to 1 again.",
                        "That is another method. Dropout divides every row by the same 1 - rate, and its sum is 1 only "
                        "on average.",
                        lambda kept_weights: kept_weights / kept_weights.sum(axis=-1, keepdims=True),
                        asked="facebookresearch/fairseq #351"),
                mistake("The softmax is taken again.",
                        "e to the power of 0 is 1: the dropped weights come back.",
                        lambda kept_weights: softmax(kept_weights),
                        lambda weights, mask: softmax(weights * mask)),
                mistake("The softmax is taken again, before anything is dropped.",
                        "The weights lie between 0 and 1, so their exponentials lie between 1 and 2.72, and all become "
                        "nearly equal.",
                        lambda weights, mask, fraction: softmax(weights) * mask / fraction),
                MISSING_BRACKETS.by(lambda weights, mask, rate: weights * mask - rate),
                mistake("The lost weight is spread evenly over the kept weights.",
                        "Dropout multiplies every kept weight by the same number, however much was lost.",
                        lambda weights, mask: _lost_shared_out(weights, mask)),
            ),
        ],
    ),
    cases=(
        Case("the example", (EXAMPLE_WEIGHTS, np.array([[True, False, True], [True, True, False]]), 0.2)),
        Case("4 queries, 5 keys", _draw_dropout(4, 5)),
        Case("one query", lambda sample: (drawn_weights(sample, 1, 4), np.array([[True, False, False, True]]), 0.25)),
        Case("2 heads", _draw_dropout(2, 3, 4)),
        Case("nothing dropped",
             lambda sample: (drawn_weights(sample, 3, 2), np.ones((3, 2), bool), _draw_rate(sample))),
        Case("as many queries as keys", _draw_dropout(4, 4)),
        Case(
            "a row without anything kept",
            lambda sample: (
                drawn_weights(sample, 2, 3),
                np.array([[True, True, False], [False, False, False]]),
                _draw_rate(sample),
            ),
        ),
        Case("2 sentences of 3 heads", _draw_dropout(2, 3, 5, 4)),
    ),
    notice=(
        "A row may now sum to more than 1, or to 0. Libraries do the same, and it is often reported as a bug "
        "(pytorch/pytorch #42929, facebookresearch/fairseq #351)."
    ),
    untraced=("kept", "rate"),
)

EXERCISES = (RESIDUAL, ROW, LAYER_NORM, UNDO, SUBLAYERS, REPAIR, DROPOUT)

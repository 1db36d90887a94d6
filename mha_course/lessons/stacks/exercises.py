"""The exercises of this lesson: from one feed-forward sublayer to a stack of layers, and what it has to learn."""

import math
from functools import reduce

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, mistake
from mha_course.engine.checking.solution import Solution, Step
from mha_course.lessons.given_function import GivenFunction
from mha_course.maths.formulas import layer_norm, masked_softmax, softmax
from mha_course.mistakes import shared

NORM = GivenFunction("a layer norm", lambda x: layer_norm(x))


def _attention(scores, W):
    """Return attention whose scores are fixed, so that only its mask and its rows matter."""

    def _attend(x, mask=None):
        return masked_softmax(scores, None if mask is None else np.asarray(mask, bool)) @ x @ W

    return GivenFunction("attention", _attend)


def _cross_attention(W, W_V):
    """Return cross-attention: queries from x, keys and values from the memory."""
    return GivenFunction("cross-attention", lambda x, memory: softmax(x @ W @ memory.mT) @ memory @ W_V)


def _feed_forward(W_1, W_2):
    return GivenFunction("a feed-forward network", lambda x: np.maximum(x @ W_1, 0) @ W_2)


def _zeros_at_the_end(x, W_1, b_1, W_2, b_2):
    return np.maximum((x @ W_1 + b_1) @ W_2 + b_2, 0)


def _draw_network(sample, d_model, d_ff):
    return _feed_forward(*sample((d_model, d_ff), (d_ff, d_model)))


# Feed-forward

FEED_FORWARD = Exercise(
    "stacks.feed_forward",
    "Feed-forward",
    Solution(
        "x W_1 b_1 W_2 b_2",
        [
            Step(
                "rows",
                lambda x: x,
                mistake("The rows are averaged first.",
                        "Feed-forward works on each row by itself. Only attention moves information between tokens.",
                        lambda x: x * 0 + x.mean(axis=-2, keepdims=True),
                        lambda x: x.mean(axis=-2, keepdims=True)),
                mistake("The rows are normalised first.",
                        "Only the network is wanted here, without the norm of the sublayer.",
                        layer_norm),
            ),
            Step(
                "times_W_1",
                lambda rows, W_1: rows @ W_1,
                mistake("The first matrix is transposed.",
                        "W_1 is d_model × d_ff: rows of width d_model come in, rows of width d_ff come out.",
                        lambda rows, W_1: rows @ W_1.T),
                mistake("The two matrices are swapped.",
                        "W_1 comes first and makes the rows wider, W_2 brings them back.",
                        lambda rows, W_2: rows @ W_2),
            ),
            Step(
                "with_b_1",
                lambda times_W_1, b_1: times_W_1 + b_1,
                mistake("The first bias is missing.",
                        "b_1 is added before the negative entries become 0.",
                        lambda times_W_1: times_W_1),
                mistake("The first bias is subtracted.", "A bias is added.", lambda times_W_1, b_1: times_W_1 - b_1),
                mistake("The first bias lines up with the tokens.",
                        "It has one number for each column: use it as it is.",
                        lambda times_W_1, b_1: times_W_1 + b_1[:, None]),
            ),
            Step(
                "hidden",
                lambda with_b_1: np.maximum(with_b_1, 0),
                mistake("The negative entries are kept.",
                        "If they stay, two matrices are no more than one, their product.",
                        lambda with_b_1: with_b_1),
                mistake("The negative entries become positive.",
                        "The absolute value keeps their size. They must become 0: np.maximum(…, 0).",
                        lambda with_b_1: np.maximum(with_b_1, -with_b_1)),
                mistake("The positive entries become 0.",
                        "np.minimum keeps the smaller of the two. The negative entries must become 0.",
                        lambda with_b_1: -np.maximum(-with_b_1, 0)),
                mistake("Entries above 1 are cut off.",
                        "A positive entry stays as it is. Only the negative ones become 0.",
                        lambda with_b_1: np.clip(with_b_1, 0, 1)),
                mistake("The positive entries become 1.",
                        "A positive entry stays as it is. Only the negative ones change.",
                        lambda with_b_1: (with_b_1 > 0) * 1.0),
                mistake("There is a GELU between the matrices.",
                        "Many models have one. Here the negative entries become 0: np.maximum(…, 0).",
                        lambda with_b_1: with_b_1
                        * (1 + np.vectorize(math.erf, otypes=[float])(with_b_1 / np.sqrt(2)))
                        / 2,
                        lambda with_b_1: with_b_1
                        / (1 + np.exp(-2 * np.sqrt(2 / np.pi) * (with_b_1 + 0.044715 * with_b_1**3)))),
                mistake("There is a softmax between the matrices.",
                        "The softmax belongs to attention. Here the negative entries become 0.",
                        lambda with_b_1: softmax(with_b_1)),
                mistake("The first bias is added after the negative entries become 0.",
                        "It is added first. Then the negative entries become 0.",
                        lambda times_W_1, b_1: np.maximum(times_W_1, 0) + b_1),
            ),
            Step(
                "times_W_2",
                lambda hidden, W_2: hidden @ W_2,
                mistake("The second matrix is transposed.",
                        "W_2 is d_ff × d_model: it brings the rows back to d_model.",
                        lambda hidden, W_2: hidden @ W_2.T),
                mistake("The second matrix is missing.",
                        "The rows are still d_ff wide. W_2 brings them back to d_model.",
                        lambda hidden: hidden),
            ),
            Step(
                "output",
                lambda times_W_2, b_2: times_W_2 + b_2,
                mistake("The second bias is missing.", "b_2 is added at the end.", lambda times_W_2: times_W_2),
                mistake("The second bias is subtracted.", "A bias is added.", lambda times_W_2, b_2: times_W_2 - b_2),
                mistake("The second bias lines up with the tokens.",
                        "It has one number for each column: use it as it is.",
                        lambda times_W_2, b_2: times_W_2 + b_2[:, None]),
            ),
            Step(
                "output",
                lambda output: output,
                mistake("The negative entries become 0 at the end, too.",
                        "Then the network could only add to a row, never subtract. Only the entries between the "
                        "matrices are cut off at 0.",
                        lambda output: np.maximum(output, 0)),
                mistake("The residual connection is already included.",
                        "Only the network is wanted here. The sublayer adds x around it.",
                        lambda output, x: x + output),
                mistake("The result is already normalised.",
                        "Only the network is wanted here. The norm belongs to the sublayer around it.",
                        layer_norm),
            ),
        ],
    ),
    mistakes=(
        mistake("The negative entries become 0 at the end, not in between.",
                "In between they are needed: else the two matrices are no more than one, their product. And the "
                "network could only add to a row, never subtract.",
                _zeros_at_the_end),
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 2], [0, 1]]),
                np.array([[1, -1, 0], [0, 1, -2]]),
                np.array([-1, 0, 5]),
                np.array([[1, 0], [2, 1], [0, 1]]),
                np.array([0, -1]),
            ),
        ),
        Case("5 tokens", lambda sample: sample((5, 3), (3, 6), (6,), (6, 3), (3,))),
        Case("one token", lambda sample: sample((1, 4), (4, 7), (7,), (7, 4), (4,))),
        Case("2 sentences", lambda sample: sample((2, 3, 4), (4, 8), (8,), (8, 4), (4,))),
        Case("as many tokens as columns", lambda sample: sample((4, 4), (4, 5), (5,), (5, 4), (4,))),
        Case("all sizes equal", lambda sample: sample((3, 3), (3, 3), (3,), (3, 3), (3,))),
        Case("float32", lambda sample: tuple(map(np.float32, sample((4, 3), (3, 5), (5,), (5, 3), (3,))))),
    ),
    notice=(
        "The formula has no token axis. So one feed-forward network works for sentences of every length, and it may do "
        "all rows at once or one after the other."
    ),
)


# An encoder layer


def _feed_first(x, attend, feed, norm):
    after = norm(x + feed(x))
    return norm(after + attend(after))


def _pre_norm(x, attend, feed, norm):
    after = x + attend(norm(x))
    return after + feed(norm(after))


def _draw_encoder(*shape):
    """Return what draws rows of this shape, and the three functions."""

    def _drawn(sample):
        n, d_model = shape[-2:]
        rows, scores, W = sample(shape, (n, n), (d_model, d_model))
        return rows, _attention(scores, W), _draw_network(sample, d_model, d_model + 2), NORM

    return _drawn


HALF_BACK = np.array([[0, -np.inf], [0, 0]])  # token 1 attends to itself, token 2 to both alike
EXCHANGED = np.array([[0, 1], [1, 0]])
TRIPLED = GivenFunction("three times the row, its columns exchanged", lambda x: 3 * x @ EXCHANGED)
FED_TWICE = mistake("feed is applied twice.", "Once in each layer is enough.")

ENCODER_LAYER = Exercise(
    "stacks.encoder_layer",
    "An encoder layer",
    Solution(
        "x attend feed norm",
        [
            Step(
                "read",
                lambda x: x,
                mistake("x is normalised before attention.",
                        "That is pre-norm. Here both sublayers are post-norm.",
                        lambda x, norm: norm(x)),
            ),
            Step(
                "found",
                lambda read, attend: attend(read),
                mistake("attend is applied twice.",
                        "attend(x) is already the output. Once in each layer is enough.",
                        lambda read, attend: attend(attend(read))),
                mistake("The first sublayer is not attention.",
                        "Sublayer 1 adds attend(x), sublayer 2 adds feed(…) of its rows.",
                        lambda read, feed: feed(read)),
            ),
            Step(
                "sum_1",
                lambda x, found: x + found,
                mistake("The residual connection around attention is missing.",
                        "Sublayer 1 is norm(x + attend(x)).",
                        lambda found: found),
                mistake("Attention is left out.", "Sublayer 1 is norm(x + attend(x)).", lambda x: x),
            ),
            Step(
                "after",
                lambda sum_1, norm: norm(sum_1),
                mistake("The norm after attention is missing.",
                        "Each of the two sublayers has its own norm, around its sum.",
                        lambda sum_1: sum_1),
                mistake("The norm after attention is inside the sum.",
                        "Post-norm: first the sum, then the norm.",
                        lambda x, found, norm: x + norm(found)),
            ),
            Step(
                "fed",
                lambda after, feed: feed(after),
                mistake("Feed-forward reads the original x.",
                        "It comes second, and reads the result of sublayer 1.",
                        lambda x, feed: feed(x)),
                mistake("Feed-forward reads the output of attention, without the sum.",
                        "It reads the result of sublayer 1: after the sum and the norm.",
                        lambda found, feed: feed(found)),
                mistake("Feed-forward reads the sum before its norm.",
                        "It reads the result of sublayer 1: after the sum and the norm.",
                        lambda sum_1, feed: feed(sum_1)),
                FED_TWICE.by(lambda after, feed: feed(feed(after))),
                mistake("The second sublayer is attention again.",
                        "Sublayer 1 adds attend(x), sublayer 2 adds feed(…) of its rows.",
                        lambda after, attend: attend(after)),
            ),
            Step(
                "sum_2",
                lambda after, fed: after + fed,
                mistake("The residual connection around feed-forward is missing.",
                        "Sublayer 2 is a sum, too: the rows that it reads, plus feed of these rows.",
                        lambda fed: fed),
                mistake("The second sum adds the original x.",
                        "A sublayer adds the rows that it reads. Sublayer 2 reads the result of sublayer 1.",
                        lambda x, fed: x + fed),
                mistake("The second sum adds the first sum without its norm.",
                        "A sublayer adds the rows that it reads: those after the norm of sublayer 1.",
                        lambda sum_1, fed: sum_1 + fed),
                mistake("The second sum adds the output of attention.",
                        "A sublayer adds the rows that it reads: those after the norm of sublayer 1.",
                        lambda found, fed: found + fed),
            ),
            Step(
                "layer",
                lambda sum_2, norm: norm(sum_2),
                mistake("The norm after feed-forward is missing.",
                        "Each of the two sublayers has its own norm, around its sum.",
                        lambda sum_2: sum_2),
                mistake("The norm after feed-forward is inside the sum.",
                        "Post-norm: first the sum, then the norm.",
                        lambda after, fed, norm: after + norm(fed)),
                mistake("Feed-forward is left out.",
                        "An encoder layer has two sublayers. After attention comes norm(… + feed(…)).",
                        lambda after: after),
                mistake("x is added once more at the end.",
                        "Each sublayer has one sum, and the norm comes last.",
                        lambda x, sum_2, norm: x + norm(sum_2)),
                mistake("The second sublayer is pre-norm.",
                        "Its norm comes before feed-forward. Here both sublayers are post-norm: first the sum, then "
                        "the norm.",
                        lambda after, feed, norm: after + feed(norm(after))),
            ),
        ],
    ),
    results=("rows",),
    mistakes=(
        mistake("Feed-forward comes before attention.",
                "In an encoder layer attention comes first: the tokens exchange information, then each row is worked "
                "on.",
                _feed_first),
        mistake("It is a pre-norm layer.",
                "The norms come before attention and before feed-forward. Here both sublayers are post-norm.",
                _pre_norm),
    ),
    cases=(
        Case("the example", (np.array([[2, 0], [0, 4]]), _attention(HALF_BACK, np.eye(2)), TRIPLED, NORM)),
        Case("4 tokens", _draw_encoder(4, 3)),
        Case("one token", _draw_encoder(1, 5)),
        Case("2 sentences", _draw_encoder(2, 3, 4)),
        Case("as many tokens as columns", _draw_encoder(4, 4)),
        Case("all sizes equal", _draw_encoder(3, 3, 3)),
    ),
    notice=(
        "Rows come out as they went in: as many, and as wide. So the next layer can read them, and the encoder of 2017 "
        "is six of these, one after the other."
    ),
    untraced=("attend", "feed", "norm"),
)


# A decoder layer


def _causal(x):
    positions = np.arange(x.shape[-2])
    return positions <= positions[:, None]


def _cross_first(x, memory, attend, cross_attend, feed, norm):
    after_cross = norm(x + cross_attend(x, memory))
    after_self = norm(after_cross + attend(after_cross, _causal(x)))
    return norm(after_self + feed(after_self))


def _feed_before_cross(after_self, memory, cross_attend, feed, norm):
    after_feed = norm(after_self + feed(after_self))
    return norm(after_feed + cross_attend(after_feed, memory))


def _feed_before_both(x, memory, attend, cross_attend, feed, norm):
    after_feed = norm(x + feed(x))
    after_self = norm(after_feed + attend(after_feed, _causal(x)))
    return norm(after_self + cross_attend(after_self, memory))


def _draw_decoder(n_k, *shape):
    """Return what draws rows of this shape, a memory of n_k rows, and the four functions."""

    def _drawn(sample):
        n, d_model = shape[-2:]
        square = (d_model, d_model)
        x, memory, scores = sample(shape, (*shape[:-2], n_k, d_model), (n, n))
        W, W_look, W_V = sample(square, square, square)
        network = _draw_network(sample, d_model, d_model + 2)
        return x, memory, _attention(scores, W), _cross_attention(W_look / 2, W_V), network, NORM

    return _drawn


FIRST_ROW = GivenFunction("twice the first row of the memory", lambda x, memory: 0 * x + 2 * memory[..., :1, :])

DECODER_LAYER = Exercise(
    "stacks.decoder_layer",
    "A decoder layer",
    Solution(
        "x memory attend cross_attend feed norm",
        [
            Step(
                "mask",
                _causal,
                mistake("The causal mask is missing.",
                        "Every token can see later ones. In training these are the words that it has to predict.",
                        lambda x: np.ones((x.shape[-2], x.shape[-2]), bool)),
                mistake("The mask is transposed.",
                        "Queries go down, keys across. Here each token sees itself and what comes after it.",
                        lambda x: _causal(x).T),
                mistake("Each token's own position is hidden.",
                        "The causal mask hides only later tokens: the diagonal is True.",
                        lambda x: _causal(x) & ~np.eye(x.shape[-2], dtype=bool)),
                mistake("The mask is inverted.",
                        "True means: this query may attend to this key.", lambda x: ~_causal(x)),
                shared.AXIS_FROM_THE_FRONT.by(lambda x: np.tri(len(x), dtype=bool)),
                mistake("Each token sees only itself.",
                        "It may also attend to all tokens before it.",
                        lambda x: np.eye(x.shape[-2], dtype=bool)),
            ),
            Step("found", lambda x, mask, attend: attend(x, mask)),
            Step(
                "after_self",
                lambda x, found, norm: norm(x + found),
                mistake("The residual connection around self-attention is missing.",
                        "Each sublayer is norm(rows + …), with the rows that it reads.",
                        lambda found, norm: norm(found)),
                mistake("The norm after self-attention is missing.",
                        "Each of the three sublayers has its own norm, around its sum.",
                        lambda x, found: x + found),
                mistake("Self-attention is left out.",
                        "A decoder layer has three sublayers, and begins with causal self-attention.",
                        lambda x: x,
                        lambda x, norm: norm(x)),
            ),
            Step(
                "crossed",
                lambda after_self, memory, cross_attend: cross_attend(after_self, memory),
                mistake("The queries of cross-attention come from the memory.",
                        "They come from the decoder's rows, the first argument: cross_attend(rows, memory).",
                        lambda after_self, memory, cross_attend: cross_attend(memory, after_self)),
                mistake("The queries of cross-attention come from the original x.",
                        "Cross-attention comes second, and reads the result of sublayer 1.",
                        lambda x, memory, cross_attend: cross_attend(x, memory)),
                mistake("Cross-attention does not use the memory.",
                        "Keys and values come from the encoder: cross_attend(rows, memory).",
                        lambda after_self, cross_attend: cross_attend(after_self, after_self)),
                mistake("The second sublayer is self-attention again.",
                        "Sublayer 2 is cross-attention: cross_attend(rows, memory).",
                        lambda after_self, mask, attend: attend(after_self, mask)),
                mistake("The memory is normalised first.",
                        "The encoder has done that at its end. Use the memory as it is.",
                        lambda after_self, memory, cross_attend, norm: cross_attend(after_self, norm(memory))),
            ),
            Step(
                "after_cross",
                lambda after_self, crossed, norm: norm(after_self + crossed),
                mistake("The residual connection around cross-attention is missing.",
                        "Each sublayer is norm(rows + …), with the rows that it reads.",
                        lambda crossed, norm: norm(crossed)),
                mistake("The second sum adds the original x.",
                        "A sublayer adds the rows that it reads. Sublayer 2 reads the result of sublayer 1.",
                        lambda x, crossed, norm: norm(x + crossed)),
                mistake("The norm after cross-attention is missing.",
                        "Each of the three sublayers has its own norm, around its sum.",
                        lambda after_self, crossed: after_self + crossed),
                mistake("Cross-attention is left out.",
                        "Without it the decoder knows nothing of the encoder's sentence. Sublayer 2 is norm(rows + "
                        "cross_attend(rows, memory)).",
                        lambda after_self: after_self),
            ),
            Step(
                "fed",
                lambda after_cross, feed: feed(after_cross),
                mistake("Feed-forward reads the rows before cross-attention.",
                        "It comes third, and reads the result of sublayer 2.",
                        lambda after_self, feed: feed(after_self)),
                FED_TWICE.by(lambda after_cross, feed: feed(feed(after_cross))),
                mistake("Feed-forward reads the original x.",
                        "It comes third, and reads the result of sublayer 2.",
                        lambda x, feed: feed(x)),
            ),
            Step(
                "layer",
                lambda after_cross, fed, norm: norm(after_cross + fed),
                mistake("The residual connection around feed-forward is missing.",
                        "Each sublayer is norm(rows + …), with the rows that it reads.",
                        lambda fed, norm: norm(fed)),
                mistake("The norm after feed-forward is missing.",
                        "Each of the three sublayers has its own norm, around its sum.",
                        lambda after_cross, fed: after_cross + fed),
                mistake("Feed-forward comes before cross-attention.",
                        "It is the last of the three sublayers: first self-attention, then cross-attention, then "
                        "feed-forward.",
                        _feed_before_cross),
                mistake("The third sum adds the rows before cross-attention.",
                        "A sublayer adds the rows that it reads. Sublayer 3 reads the result of sublayer 2.",
                        lambda after_self, fed, norm: norm(after_self + fed)),
                mistake("The third sum adds the original x.",
                        "A sublayer adds the rows that it reads.",
                        lambda x, fed, norm: norm(x + fed)),
                mistake("Feed-forward is left out.",
                        "A decoder layer has three sublayers, and ends with norm(rows + feed(rows)).",
                        lambda after_cross: after_cross),
            ),
        ],
    ),
    results=("rows",),
    mistakes=(
        mistake("Cross-attention comes before self-attention.",
                "In a decoder layer the rows first attend to each other, and then to the memory.",
                _cross_first),
        mistake("Feed-forward comes first.",
                "It is the last of the three sublayers: first self-attention, then cross-attention, then feed-forward.",
                _feed_before_both),
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[2, 0], [0, 4]]),
                np.array([[0, 3], [5, 1], [1, 1]]),
                _attention(np.zeros((2, 2)), np.eye(2)),
                FIRST_ROW,
                TRIPLED,
                NORM,
            ),
        ),
        Case("4 tokens, a memory of 5", _draw_decoder(5, 4, 3)),
        Case("one token", _draw_decoder(3, 1, 5)),
        Case("2 sentences", _draw_decoder(4, 2, 3, 5)),
        Case("as many tokens as rows of the memory", _draw_decoder(4, 4, 6)),
        Case("all sizes equal", _draw_decoder(3, 3, 3, 3)),
        Case("more tokens than the memory has rows", _draw_decoder(2, 5, 4)),
    ),
    notice=(
        "The first row of the result depends on the first token and on the whole memory, and on no later token: one "
        "causal mask in sublayer 1 is enough, since the other two never mix tokens of x."
    ),
    untraced=("attend", "cross_attend", "feed", "norm"),
)


# A stack


def _added_up(x, order):
    return sum((layer(x) for layer in order), 0 * x)


def _with_norms(x, order, norm):
    return reduce(lambda rows, layer: norm(layer(rows)), order, x)


def _with_sums(x, order):
    return reduce(lambda rows, layer: rows + layer(rows), order, x)


def _through(x, order):
    return reduce(lambda rows, layer: layer(rows), order, x)


def _layer(weights, W):
    return GivenFunction("a layer", lambda x: x + weights @ x @ W)


def _draw_stack(count, *shape):
    """Return what draws rows of this shape and so many layers."""

    def _drawn(sample):
        n, d_model = shape[-2:]
        rows, *drawn = sample(shape, *[(n, n), (d_model, d_model)] * count)
        weights = [softmax(each) for each in drawn[::2]]
        return rows, tuple(map(_layer, weights, drawn[1::2])), NORM

    return _drawn


TAKES_FROM_BEFORE = _layer(np.array([[1, 0], [0.5, 0.5]]), np.eye(2))
ADDS_COLUMN_1 = GivenFunction("a layer", lambda x: x + x @ np.array([[0, 2], [0, 0]]))

STACK = Exercise(
    "stacks.stack",
    "A stack",
    Solution(
        "x layers norm",
        [
            Step(
                "order",
                lambda layers: layers,
                mistake("The layers are applied in reverse order.",
                        "The first in the list comes first.",
                        lambda layers: layers[::-1]),
                mistake("The first layer is applied again and again.",
                        "Each layer has parameters of its own. Apply each one once.",
                        lambda layers: layers[:1] * len(layers)),
                mistake("Only the first layer is applied.",
                        "A return inside the loop ends it after its first round. Go through all layers.",
                        lambda layers: layers[:1]),
                mistake("The last layer is left out.",
                        "range(len(layers) - 1) stops too early. Go through all layers.",
                        lambda layers: layers[:-1]),
                mistake("The first layer is left out.",
                        "A list is counted from 0. Go through all layers.",
                        lambda layers: layers[1:]),
                mistake("Only two layers are applied.",
                        "That fits the example only. Go through as many as there are.",
                        lambda layers: layers[:2]),
            ),
            Step(
                "start",
                lambda x: x,
                mistake("The rows are normalised at the start.",
                        "A pre-norm layer itself normalises the rows that it reads. The norm of the stack comes last.",
                        lambda x, norm: norm(x)),
            ),
            Step(
                "rows",
                lambda start, order: _through(start, order),
                mistake("Every layer reads the original x.",
                        "The results of the earlier layers are lost. Each layer must read the result of the one before "
                        "it.",
                        lambda start, order: order[-1](start) if order else start),
                mistake("Every layer reads the original x, and what they add is added up.",
                        "Each layer must read the result of the one before it.",
                        lambda start, order: sum((layer(start) - start for layer in order), start)),
                mistake("The layers' results are added up.",
                        "Here each layer reads the original x. In a stack it reads the result of the one before it.",
                        lambda start, order: _added_up(start, order),
                        lambda x, order: x + _added_up(x, order)),
                mistake("There is one residual connection too many.",
                        "Each layer has its own sums: its result already includes the rows.",
                        lambda start, order: _with_sums(start, order)),
                mistake("Each layer gets one more residual connection, and a norm after it.",
                        "A layer makes its own sums, and a pre-norm stack has one norm at the very end.",
                        lambda start, order, norm: reduce(lambda rows, layer: norm(rows + layer(rows)), order, start)),
                mistake("There is a norm after each layer.",
                        "That blocks the straight path. A pre-norm stack has one norm at the very end.",
                        lambda start, order, norm: _with_norms(start, order, norm)),
            ),
            Step(
                "stacked",
                lambda rows, norm: norm(rows),
                mistake("The norm at the end is missing.",
                        "The rows of a pre-norm stack grow from layer to layer. One norm at the end brings them back "
                        "to size.",
                        lambda rows: rows),
                mistake("x is added around the whole stack.",
                        "Each layer carries the rows on in its own sums. Nothing is added around the stack.",
                        lambda x, rows, norm: norm(x + rows),
                        lambda x, rows, norm: x + norm(rows)),
                mistake("The layers are not applied.", "Only the norm is applied to x.", lambda x, norm: norm(x)),
            ),
        ],
    ),
    results=("rows",),
    cases=(
        Case("the example", (np.array([[2, 0], [0, 4]]), (TAKES_FROM_BEFORE, ADDS_COLUMN_1), NORM)),
        Case("3 layers, 4 tokens", _draw_stack(3, 4, 3)),
        Case("one token", _draw_stack(4, 1, 5)),
        Case("2 sentences", _draw_stack(3, 2, 3, 4)),
        Case("one layer", _draw_stack(1, 3, 4)),
        Case("5 layers, as many tokens as columns", _draw_stack(5, 3, 3)),
    ),
    notice=(
        "The loop is the whole depth of a model: GPT-2 has 12 such layers in its smallest size and 48 in its largest, "
        "and one more layer norm after the last."
    ),
    untraced=("layers", "norm"),
)


# What a layer has to learn

PARAMETERS = Exercise(
    "stacks.parameters",
    "The parameters of a layer",
    Solution(
        "d_model d_ff",
        [
            Step(
                "matrices",
                lambda: 4,
                mistake("The output matrix is not counted.", "W_O is part of attention, too.", lambda: 3),
                mistake("Only one matrix of attention is counted.", "W_Q, W_K, W_V and W_O all count.", lambda: 1),
            ),
            Step(
                "attention",
                lambda matrices, d_model: matrices * d_model * d_model,
                mistake("Only the rows of attention's matrices are counted.",
                        "A matrix has as many numbers as rows times columns.",
                        lambda matrices, d_model: matrices * d_model),
                mistake("Biases are counted for attention.",
                        "Many models have them. Here the four matrices have none.",
                        lambda matrices, d_model: matrices * (d_model * d_model + d_model)),
                mistake("The matrices of attention are counted as d_model × d_ff.",
                        "d_ff is the width inside feed-forward. It plays no part in attention.",
                        lambda matrices, d_model, d_ff: matrices * d_model * d_ff),
            ),
            Step(
                "wide_and_narrow",
                lambda d_model, d_ff: 2 * d_model * d_ff,
                mistake("Only one matrix of feed-forward is counted.",
                        "W_1 and W_2 both count.",
                        lambda d_model, d_ff: d_model * d_ff),
                mistake("The matrices of feed-forward are counted as square.",
                        "W_1 leads from d_model columns to d_ff, and W_2 back.",
                        lambda d_model: 2 * d_model * d_model,
                        lambda d_ff: 2 * d_ff * d_ff,
                        lambda d_model, d_ff: d_model * d_model + d_ff * d_ff),
                mistake("Rows and columns of feed-forward's matrices are added, not multiplied.",
                        "A matrix has as many numbers as rows times columns.",
                        lambda d_model, d_ff: 2 * (d_model + d_ff)),
            ),
            Step(
                "biases",
                lambda d_model, d_ff: d_ff + d_model,
                mistake("The biases of feed-forward are not counted.",
                        "b_1 and b_2 are trained, too.",
                        lambda: 0),
                mistake("The second bias is not counted.",
                        "b_1 and b_2 both count.",
                        lambda d_ff: d_ff),
                mistake("The first bias is not counted.",
                        "b_1 and b_2 both count.",
                        lambda d_model: d_model),
                mistake("Both biases of feed-forward are counted with the same width.",
                        "Each is as wide as the rows that it is added to.",
                        lambda d_ff: 2 * d_ff,
                        lambda d_model: 2 * d_model),
            ),
            Step("feed_forward", lambda wide_and_narrow, biases: wide_and_narrow + biases),
            Step(
                "norms",
                lambda d_model: 4 * d_model,
                mistake("Only half of the norms' numbers are counted.",
                        "There are two norms, each with a gain and a bias.",
                        lambda d_model: 2 * d_model),
                mistake("Only one row of numbers is counted for the norms.",
                        "There are two norms, each with a gain and a bias.",
                        lambda d_model: d_model),
                mistake("Gain and bias are counted as one number each.",
                        "A norm has a gain and a bias for each column.",
                        lambda: 4,
                        lambda: 2),
                mistake("Three norms are counted.",
                        "A decoder layer has three. An encoder layer has two sublayers, each with its norm.",
                        lambda d_model: 6 * d_model),
                mistake("The norms are not counted.", "Gain and bias are trained, too.", lambda: 0),
                mistake("The norms are counted as wide as the inside of feed-forward.",
                        "A norm works on rows of width d_model.",
                        lambda d_ff: 4 * d_ff),
            ),
        ],
        "attention feed_forward norms",
    ),
    cases=(
        Case("the example", (4, 16)),
        Case("the base model of 2017", (512, 2048)),
        Case("other widths", lambda sample: (sample.whole(3, 9), sample.whole(10, 40))),
        Case("one column", (1, 5)),
        Case("a narrow inside", lambda sample: (sample.whole(5, 9), sample.whole(1, 4))),
        Case("large widths", lambda sample: (128 * sample.whole(2, 9), 100 * sample.whole(5, 30))),
    ),
    notice=(
        "With d_ff = 4 · d_model feed-forward has about twice as many parameters as attention: two thirds of the "
        "layer. The number of heads occurs nowhere."
    ),
)

EXERCISES = (FEED_FORWARD, ENCODER_LAYER, DECODER_LAYER, STACK, PARAMETERS)

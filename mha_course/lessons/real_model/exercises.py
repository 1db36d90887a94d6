"""Exercises of the lesson on a real model: its positions, its cache, its shared heads, and a head that copies."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Case, Exercise, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import softmax
from mha_course.mistakes import positions as sinusoidal
from mha_course.mistakes import shared

BASE = 100_000.0  # the real model's


def _angles(positions, pairs, d_k):
    return positions[:, None] / BASE ** (2 * pairs / d_k)


PAIRS = Step(
    "pairs",
    lambda d_k: np.arange(d_k // 2),
    mistake("The pairs are counted from 1.",
            "The first pair is i = 0, so its exponent is 0: it turns by 1 radian with every position.",
            lambda d_k: np.arange(1, d_k // 2 + 1)),
    mistake("The pairs are in reverse order.",
            "The first pair is i = 0, and turns fastest. Later pairs turn more and more slowly.",
            lambda d_k: np.arange(d_k // 2)[::-1]),
)

ANGLES = Step(
    "angles",
    _angles,
    mistake("All pairs turn by the same angle.",
            "Each pair has its own speed: position / 100000 ** (2 * i / d_k). With // every exponent is 0.",
            lambda positions, pairs: positions[:, None] + 0.0 * pairs),
    mistake("The 2 is missing from the exponent.",
            "Pair i has the exponent 2i / d_k. With i / d_k the last pairs turn far too fast.",
            lambda positions, pairs, d_k: _angles(positions, pairs / 2, d_k)),
    mistake("The exponent is twice as large as it should be.",
            "i counts pairs: 0, 1, 2, … If it counts columns, 0, 2, 4, …, it is 2i already. And it is divided by d_k, "
            "not by the number of pairs.",
            lambda positions, pairs, d_k: _angles(positions, 2 * pairs, d_k)),
    mistake("It multiplies instead of dividing.",
            "Later pairs must turn more slowly. Here they turn faster.",
            lambda positions, pairs, d_k: _angles(positions, -pairs, d_k)),
    mistake("The angles are converted as if they were degrees.",
            "np.sin and np.cos want radians, and the angles are radians already: convert nothing.",
            lambda positions, pairs, d_k: np.deg2rad(_angles(positions, pairs, d_k))),
    mistake("The angles are multiplied by 2π.",
            "The first pair turns by 1 radian a step, not by a whole turn.",
            lambda positions, pairs, d_k: 2 * np.pi * _angles(positions, pairs, d_k)),
    mistake("The brackets of the exponent are missing.",
            "100000 ** 2 * i / d_k is (100000 ** 2) · i / d_k, because ** binds tighter than *.",
            lambda positions, pairs, d_k: positions[:, None] / (BASE**2 * pairs / d_k)),
    mistake("The base is not 100000.",
            "The task says 100000, as in the real model. Other models use 10000: each keeps the base it was trained "
            "with.",
            *(
                lambda positions, pairs, d_k, base=base: positions[:, None] / base ** (2 * pairs / d_k)
                for base in (10_000.0, 1000.0, np.e)
            )),
)

CUT = Step(
    "first second",
    lambda rows: (rows[..., 0::2], rows[..., 1::2]),
    mistake("The two numbers of each pair are read in the wrong order.",
            "The even column, counted from 0, holds a, and the odd one b.",
            lambda rows: (rows[..., 1::2], rows[..., 0::2])),
)


def _tiled(first, second, angles):
    """Turn neighbours by angles that are set beside themselves: columns 0, 1, 2, … take angles 0, 1, 2, … in turn."""
    of_first, of_second = np.tile(angles, 2)[..., 0::2], np.tile(angles, 2)[..., 1::2]
    return (
        first * np.cos(of_first) - second * np.sin(of_first),
        first * np.sin(of_second) + second * np.cos(of_second),
    )


TURN = Step(
    "turned_first turned_second",
    lambda first, second, cos, sin: (first * cos - second * sin, first * sin + second * cos),
    mistake("The rows are turned the other way.",
            "(a, b) becomes (a cos − b sin, a sin + b cos): the minus belongs to the first of the two. Turned the "
            "other way, a key just before the query gets the score of one just after it.",
            lambda first, second, cos, sin: (first * cos + second * sin, second * cos - first * sin)),
    mistake("Both signs are plus.",
            "That is no rotation: the rows change their length. The first of the two is a cos − b sin.",
            lambda first, second, cos, sin: (first * cos + second * sin, first * sin + second * cos)),
    mistake("Both signs are minus.",
            "That is no rotation: the rows change their length. The second of the two is a sin + b cos.",
            lambda first, second, cos, sin: (first * cos - second * sin, first * sin - second * cos)),
    mistake("Sine and cosine are swapped.",
            "At position 0 the angle is 0, its cosine 1 and its sine 0: the row must stay as it is.",
            lambda first, second, cos, sin: (first * sin - second * cos, first * cos + second * sin)),
    mistake("The second number is made from the new first one.",
            "Both must be made from the old pair. Once the first has been overwritten, it is gone.",
            lambda first, second, cos, sin: (
                first * cos - second * sin,
                (first * cos - second * sin) * sin + second * cos,
            )),
    mistake("Each number is only multiplied by the cosine.",
            "That makes the pair shorter; it does not turn it. Each new number is made from both old ones.",
            lambda first, second, cos: (first * cos, second * cos)),
    mistake("The first number is multiplied by the cosine, the second by the sine.",
            "Each new number is made from both old ones: a cos − b sin, and a sin + b cos.",
            lambda first, second, cos, sin: (first * cos, second * sin)),
    mistake("The angles are laid out for pairs from the two halves.",
            "Columns 0 and 1 are one pair and turn by one angle, so each angle comes twice in a row: np.repeat. "
            "np.tile puts all angles next to all angles once more.",
            _tiled),
    mistake("Sine and cosine are added to the rows.",
            "That is the encoding of lesson 1. Here a row is turned, and nothing is added.",
            lambda first, second, cos, sin: (first + sin, second + cos),
            lambda first, second, cos, sin: (first + cos, second + sin)),
    mistake("Only the first pair is turned.",
            "Every pair is turned, by an angle of its own.",
            lambda first, second, cos, sin: (
                np.concatenate([(first * cos - second * sin)[..., :1], first[..., 1:]], axis=-1),
                np.concatenate([(first * sin + second * cos)[..., :1], second[..., 1:]], axis=-1),
            )),
    mistake("The rows are not turned.",
            "They come back as they were: all positions look alike.",
            lambda first, second: (first, second)),
)


def _in_halves(rows, cos, sin):
    """Pair column i with column i + d_k / 2, as some code does."""
    first, second = np.split(rows, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


WEAVE = Step(
    "rotated",
    lambda turned_first, turned_second: np.stack([turned_first, turned_second], axis=-1).reshape(
        *turned_first.shape[:-1], -1
    ),
    mistake("The pairs are taken from the two halves of the row.",
            "Some code pairs column 1 with the first column of the second half. That works too, if W_Q and W_K were "
            "trained with it. With parameters trained for neighbours it gives other scores. This task pairs "
            "neighbours.",
            _in_halves),
    mistake("The first numbers of all pairs come first, then the second ones.",
            "A pair goes back to the two columns it came from: first and second numbers alternate.",
            lambda turned_first, turned_second: np.concatenate([turned_first, turned_second], axis=-1)),
    mistake("The two numbers of each pair are swapped.",
            "A pair goes back to the columns it came from: the first to the even one, counted from 0.",
            lambda turned_first, turned_second: np.stack([turned_second, turned_first], axis=-1).reshape(
                *turned_first.shape[:-1], -1
            )),
    mistake("The pairs are on an axis of their own.",
            "The numbers are right. One reshape to the shape of the rows is missing.",
            lambda turned_first, turned_second: np.stack([turned_first, turned_second], axis=-1)),
    mistake("The reshape mixes the rows.",
            "reshape reads row by row and fills up the new shape. The two numbers of a pair must be on the last axis "
            "before: np.stack(…, axis=-1).",
            lambda turned_first, turned_second: np.stack([turned_first, turned_second]).reshape(len(turned_first), -1)),
    mistake("It returns the angles.", "They say how far to turn. Return the turned rows.", lambda angles: angles),
)


def _draw_rows(sample: Sampler, n: int, d_k: int, first: int = 0) -> Arguments:
    """Draw rows, and positions that neither begin at 0 nor follow one another."""
    return *sample((n, d_k)), first + sample.generator.permutation(np.arange(2, 2 + 2 * n, 2))


ROTARY = Exercise(
    "real_model.rotary",
    "Rotary positions",
    Solution(
        "rows positions",
        [
            Step("d_k", lambda rows: rows.shape[-1]),
            sinusoidal.PLACES,
            PAIRS,
            ANGLES,
            Step("cos sin", lambda angles: (np.cos(angles), np.sin(angles))),
            CUT,
            TURN,
            WEAVE,
        ],
    ),
    cases=(
        Case("the example", (np.array([[1, 0, 0, 2], [1, 0, 0, 2]]), np.array([0, 1]))),
        Case("4 rows of 6", lambda sample: _draw_rows(sample, 4, 6)),
        Case("a single row", lambda sample: _draw_rows(sample, 1, 4)),
        Case("one pair", lambda sample: _draw_rows(sample, 5, 2)),
        Case("far into a text", lambda sample: _draw_rows(sample, 3, 8, first=200)),
        Case("all sizes equal", lambda sample: _draw_rows(sample, 4, 4)),
    ),
    off_limits=("rotate",),
    notice=(
        "No row has changed its length. Turn Q and K like this, and a score depends on how far apart two tokens are. V "
        "is left as it is: values need no position."
    ),
    untraced=("positions",),
)


# The cache


def _appended(old, new):
    return np.concatenate([old, new[None]])


GROW = Step(
    "all_K all_V",
    lambda K, V, k, v: (_appended(K, k), _appended(V, v)),
    mistake("The newest token does not see itself.",
            "Its own key and value belong in the cache before the scores are computed. The first token of a text would "
            "otherwise see nothing at all.",
            lambda K, V: (K, V)),
    mistake("The new rows are put in front.",
            "The output is the same: attention does not depend on the order of the keys. But the cache keeps the order "
            "of the tokens, and masks rely on that.",
            lambda K, V, k, v: (np.concatenate([k[None], K]), np.concatenate([v[None], V]))),
    mistake("The new rows replace the last ones.",
            "The cache grows by one row at each step: no earlier token is lost.",
            lambda K, V, k, v: (_appended(K[:-1], k), _appended(V[:-1], v))),
    mistake("The first rows are dropped.",
            "That is a window of a fixed size, which some models have. Here the cache grows: no token is lost.",
            lambda K, V, k, v: (_appended(K[1:], k), _appended(V[1:], v))),
    mistake("Only the newest token is in the cache.",
            "It then sees only itself. Put its rows below those of the earlier tokens.",
            lambda k, v: (k[None], v[None])),
    mistake("The new rows are added twice.",
            "Each token has one row in the cache. A key that is there twice counts twice.",
            lambda K, V, k, v: (_appended(_appended(K, k), k), _appended(_appended(V, v), v))),
    mistake("The query is stored instead of the key.",
            "Later queries are compared with this token's key. Its own query is never needed again.",
            lambda K, V, q, v: (_appended(K, q), _appended(V, v))),
    mistake("The key and the value of the newest token are swapped.",
            "k goes below K, v below V.",
            lambda K, V, k, v: (_appended(K, v), _appended(V, k))),
    mistake("The new value is not added.",
            "There is a weight for each key, and each key needs its value: v goes below V.",
            lambda K, V, k: (_appended(K, k), V)),
    mistake("The new value stands first, not last.",
            "Row i of V belongs to row i of K. The newest key is last, so its value is last, too.",
            lambda K, V, k, v: (_appended(K, k), np.concatenate([v[None], V]))),
    mistake("The new key stands first, not last.",
            "Row i of K belongs to row i of V. The newest value is last, so its key is last, too.",
            lambda K, V, k, v: (np.concatenate([k[None], K]), _appended(V, v))),
    mistake("The new key is not added.",
            "The newest token has a value now, but no key: k goes below K.",
            lambda K, V, v: (K, _appended(V, v))),
)

COMPARE = Step(
    "scores",
    lambda q, all_K: all_K @ q / len(q) ** 0.5,
    shared.UNSCALED.by(lambda q, all_K: all_K @ q),
    shared.SCALED_BY_D_K.by(lambda q, all_K: all_K @ q / len(q)),
    shared.SCALED_BY_KEYS.by(lambda q, all_K: all_K @ q / len(all_K) ** 0.5),
    shared.HALF_D_K.by(lambda q, all_K: all_K @ q / (len(q) / 2)),
    mistake("The scale is the root of the width of the values.",
            "The dot product adds up d_k products. The values play no part in it.",
            lambda q, all_K, v: all_K @ q / len(v) ** 0.5),
    mistake("The newest key is used as the query.",
            "The scores compare the query q with all keys.",
            lambda k, all_K: all_K @ k / len(k) ** 0.5),
    mistake("A causal mask of one row hides all keys but the first.",
            "np.tri(1, n) treats the only query as the first token of the text. It is the last: it may see the whole "
            "cache, so no mask is needed.",
            lambda q, all_K: np.where(np.arange(len(all_K)) == 0, all_K @ q / len(q) ** 0.5, -np.inf)),
    mistake("The newest token's own key is hidden.",
            "A causal mask hides only later tokens.",
            lambda q, all_K: np.where(np.arange(len(all_K)) < len(all_K) - 1, all_K @ q / len(q) ** 0.5, -1e9)),
)

SOFTMAX = Step(
    "weights",
    lambda scores: softmax(scores),
    shared.NO_SOFTMAX.by(lambda scores: scores),
    shared.NOT_NORMALISED.by(lambda scores: np.exp(scores)),
    shared.SOFTMAX_TWICE.by(lambda scores: softmax(softmax(scores))),
    mistake("All keys get the same weight.",
            "The scores are not used.",
            lambda scores: np.full(len(scores), 1 / len(scores))),
)

def _without_the_newest(q, K, V):
    exponentials = np.exp(K @ q / len(q) ** 0.5)
    return exponentials / exponentials.sum() @ V


MIX = Step(
    "output",
    lambda weights, all_V: weights @ all_V,
    shared.MIXES_KEYS.by(lambda weights, all_K: weights @ all_K),
    shared.RETURNS_WEIGHTS.by(lambda weights: weights),
    mistake("Only the value of the newest token is returned.",
            "The output mixes all values, with the weights.",
            lambda v: v),
    mistake("The attention weights are not used.",
            "It simply adds the values. The weights say how much of each to take.",
            lambda all_V: all_V.sum(axis=0)),
    mistake("The newest token is not used for the output.",
            "It may see itself: its own key and value take part, like all others in the cache.",
            _without_the_newest),
    mistake("The newest value is added to the output.",
            "It is in the mix already, with its own weight.",
            lambda weights, all_V, v: v + weights @ all_V),
    mistake("There is one axis too many.",
            "There is one query, so the output is one row: (d_v,).",
            lambda weights, all_V: (weights @ all_V)[None]),
)


HANDED_ON = Step(
    "all_K all_V",
    lambda all_K, all_V: (all_K, all_V),
    mistake("Only the new key and the new value are returned, not the whole cache.",
            "The next step needs the keys and values of all tokens: return K and V with their new rows.",
            lambda k, v: (k, v),
            lambda k, v: (k[None], v[None])),
    mistake("The cache is returned without its new row.",
            "The next step needs this token's key and value, too.",
            lambda K, V: (K, V)),
)


def _draw_step(sample: Sampler, n: int, d_k: int, d_v: int) -> Arguments:
    """Draw a query, a key, a value, and a cache of n tokens."""
    return sample((d_k,), (d_k,), (d_v,), (n, d_k), (n, d_v))


CACHE = Exercise(
    "real_model.cache",
    "One step with a cache",
    Solution("q k v K V", [GROW, COMPARE, SOFTMAX, MIX, HANDED_ON], "output all_K all_V"),
    results=("output", "K", "V"),
    cases=(
        Case(
            "the example",
            (
                np.array([0, 2, 0, 0]),
                np.array([1, 0, 0, 0]),
                np.array([8, 0]),
                np.array([[3, 0, 0, 1], [0, 0, 5, 2]]),
                np.array([[1, 3], [3, 0]]),
            ),
        ),
        Case("5 tokens before", lambda sample: _draw_step(sample, 5, 3, 2)),
        Case("the first token of a text", lambda sample: _draw_step(sample, 0, 4, 3)),
        Case("one token before", lambda sample: _draw_step(sample, 1, 2, 5)),
        Case("8 tokens before", lambda sample: _draw_step(sample, 8, 6, 4)),
        Case("all sizes equal", lambda sample: _draw_step(sample, 4, 4, 4)),
    ),
    notice=(
        "No mask is needed: later tokens are not there yet. The old keys and values are read, never computed again, "
        "and their queries are not kept at all."
    ),
)


# What a cache holds

IN_EACH_HEAD = Step(
    "rows_of_head",
    lambda: 2,
    mistake("Only the keys, or only the values, are counted.",
            "A token leaves both in each head.",
            lambda: 1),
    mistake("The queries are counted too.",
            "An old query is never needed again. Only keys and values are kept.",
            lambda: 3),
)

IN_ALL_LAYERS = Step(
    "rows_of_layers",
    lambda rows_of_head, layers: rows_of_head * layers,
    mistake("The layers are not counted.",
            "Each layer has keys and values of its own.",
            lambda rows_of_head: rows_of_head),
    mistake("One layer too many is counted.",
            "There are as many caches as layers.",
            lambda rows_of_head, layers: rows_of_head * (layers + 1)),
)

PER_TOKEN = Step(
    "rows",
    lambda rows_of_layers, num_kv_heads: rows_of_layers * num_kv_heads,
    mistake("It counts a key and a value for each query head.",
            "Several query heads share one head of keys and values. It is kept once.",
            lambda rows_of_layers, num_heads: rows_of_layers * num_heads),
    mistake("A query for each query head is counted too.",
            "An old query is never needed again. Only keys and values are kept.",
            lambda rows_of_layers, num_heads, num_kv_heads: rows_of_layers * (num_heads / 2 + num_kv_heads)),
    mistake("It counts how many query heads share one key head, not the key heads.",
            "The cache holds every head of keys and values, whatever the size of a group.",
            lambda rows_of_layers, num_heads, num_kv_heads: rows_of_layers * num_heads / num_kv_heads),
    mistake("The heads are not counted.",
            "Each head of keys and values has rows of its own.",
            lambda rows_of_layers: rows_of_layers),
    mistake("Layers and heads are added, not multiplied.",
            "Each layer has all these heads.",
            lambda rows_of_head, layers, num_kv_heads: rows_of_head * (layers + num_kv_heads)),
)

ALL_TOKENS = Step(
    "rows_of_all",
    lambda rows, n: rows * n,
    mistake("The number of tokens is squared.",
            "A table of weights is n × n, but it is not kept. A cache has one row for each token.",
            lambda rows, n: rows * n * n),
    mistake("It counts all rows that would be computed without a cache.",
            "1 + 2 + … + n is what a model without a cache computes. A cache holds each row once.",
            lambda rows, n: rows * n * (n + 1) / 2),
    mistake("Only one token is counted.", "There are n tokens.", lambda rows: rows),
    mistake("One token too many is counted.", "There are n tokens.", lambda rows, n: rows * (n + 1)),
    mistake("One token is left out.",
            "The newest token leaves its key and its value, too.",
            lambda rows, n: rows * (n - 1)),
)

ALL_NUMBERS = Step(
    "numbers",
    lambda rows_of_all, d_k: rows_of_all * d_k,
    mistake("The width of a head is not counted.",
            "Each key, and each value, is a row of numbers.", lambda rows_of_all: rows_of_all),
    mistake("Each row is counted as d_k × d_k.",
            "A key is one row. Nothing in a cache is d_k × d_k.",
            lambda rows_of_all, d_k: rows_of_all * d_k**2),
    mistake("The tables of weights are counted, not keys and values.",
            "Weights are made anew for each query, and none is kept.",
            lambda layers, num_heads, n: layers * num_heads * n * n),
)

IN_BYTES = Step(
    "total",
    lambda numbers, size: numbers * size,
    mistake("It counts numbers, not bytes.",
            "One number can take several bytes: size says how many.", lambda numbers: numbers),
    mistake("It counts bits, not bytes.", "A byte has 8 bits.", lambda numbers, size: 8 * numbers * size),
    mistake("The numbers are divided by their size, not multiplied.",
            "Each number takes size bytes.",
            lambda numbers, size: numbers / size),
    mistake("The result is not in bytes, but in kilobytes or megabytes.",
            "Bytes are wanted: nothing is to be divided.",
            *(lambda numbers, size, unit=unit: numbers * size / unit for unit in (1000, 1024, 1000**2, 1024**2))),
)


def _draw_sizes(sample: Sampler) -> Arguments:
    """Draw sizes of which no two are the same."""
    kv_heads, group, layers = sample.shuffled([3, 5, 7])
    d_k, n = sample.shuffled([11, 13])
    return layers, kv_heads * group, kv_heads, d_k, n, sample.whole(1, 2) * 2


CACHE_SIZE = Exercise(
    "real_model.cache_size",
    "Count what a cache holds",
    Solution(
        "layers num_heads num_kv_heads d_k n size",
        [IN_EACH_HEAD, IN_ALL_LAYERS, PER_TOKEN, ALL_TOKENS, ALL_NUMBERS, IN_BYTES],
    ),
    results=("bytes",),
    cases=(
        Case("the example", (2, 6, 3, 5, 4, 2)),
        Case("other sizes", _draw_sizes),
        Case("a model with heads that do not share", (12, 12, 12, 64, 100, 2)),
        Case("the real model, one token", (30, 9, 3, 64, 1, 4)),
        Case("one head of keys for all", lambda sample: (sample.whole(3, 9), 8, 1, 16, sample.whole(20, 40), 4)),
    ),
    notice=(
        "For the real model it is 46,080 bytes a token. The size grows with every token, and each user of a server has "
        "a cache of their own: that is why heads share keys and values."
    ),
)


# The head that copies


def _half(weights):
    return weights.shape[-1] // 2


QUERIES = Step(
    "queries",
    lambda weights: np.arange(_half(weights), 2 * _half(weights)),
    mistake("The queries of the first half are used, too.",
            "Nothing has been repeated there yet: only the queries of the second half have an earlier occurrence.",
            lambda weights: np.arange(2 * _half(weights))),
    mistake("The last query is left out.",
            "It has an earlier occurrence like the others: the end of the first half. After that comes the first token "
            "of the second half.",
            lambda weights: np.arange(_half(weights), 2 * _half(weights) - 1)),
    mistake("The first query of the second half is left out.",
            "Counting begins at 0: the second half has the queries n to 2n - 1.",
            lambda weights: np.arange(_half(weights) + 1, 2 * _half(weights))),
    mistake("The last query of the first half is used, too.",
            "Its token has not occurred before: only the queries n to 2n - 1 have an earlier occurrence. The whole "
            "diagonal has one entry more.",
            lambda weights: np.arange(_half(weights) - 1, 2 * _half(weights))),
    mistake("Only the last query is used.",
            "The mean over all queries of the second half is wanted.",
            lambda weights: np.array([2 * _half(weights) - 1])),
)

LOOKED_AT = Step(
    "keys",
    lambda queries, weights: queries - _half(weights) + 1,
    mistake("It looks at the earlier occurrence itself.",
            "That is the same token, n positions before. A head that copies looks at the token after it: n - 1 "
            "positions before.",
            lambda queries, weights: queries - _half(weights)),
    mistake("It looks at the token before the earlier occurrence.",
            "The one after it is wanted: n - 1 positions before the query, not n + 1.",
            lambda queries, weights: queries - _half(weights) - 1),
    mistake("It looks at the previous token.",
            "That is a different kind of head. A head that copies looks at the token after the earlier occurrence.",
            lambda queries: queries - 1),
    mistake("It looks at the token itself.",
            "That is a different kind of head. A head that copies looks at the token after the earlier occurrence.",
            lambda queries: queries),
    mistake("It looks at the first token.",
            "Many heads do, as an attention sink. A head that copies looks at the token after the earlier occurrence.",
            lambda queries: 0 * queries),
    mistake("It looks two positions after the earlier occurrence.",
            "The token to copy comes right after it: n - 1 positions before the query.",
            lambda queries, weights: queries - _half(weights) + 2),
)

TAKEN = Step(
    "found",
    lambda weights, queries, keys: weights[:, queries, keys],
    mistake("Queries and keys are swapped.",
            "Queries go down and keys across: weights[:, query, key].",
            lambda weights, queries, keys: weights[:, keys, queries]),
)

MEAN = Step(
    "scores",
    lambda found: found.mean(axis=-1),
    mistake("The weights are added, not averaged.",
            "The sum grows with the length of the text. The mean stays between 0 and 1.",
            lambda found: found.sum(axis=-1)),
    mistake("It takes the largest weight, not the mean.",
            "One query may look there by chance. The mean over all of them is wanted.",
            lambda found: found.max(axis=-1)),
    mistake("It takes the largest weight of each query.",
            "It may be on any key. One key is wanted: that of the token after the earlier occurrence.",
            lambda weights, queries: weights[:, queries].max(axis=-1).mean(axis=-1)),
    mistake("It only asks whether this key has the largest weight.",
            "That is a yes or no for each query. Wanted is how large the weight is.",
            lambda weights, queries, keys: (weights[:, queries].argmax(axis=-1) == keys).mean(axis=-1)),
    mistake("It takes the smallest weight, not the mean.",
            "The mean over all queries is wanted.",
            lambda found: found.min(axis=-1)),
    mistake("The sum is divided by the number of all tokens.",
            "Only the queries of the second half are used: n weights, so divide by n.",
            lambda found, weights: found.sum(axis=-1) / weights.shape[-1]),
    mistake("The heads are averaged, too.", "Each head has its own number: (h,).", lambda found: found.mean()),
    mistake("The mean runs over the heads.",
            "It runs over the queries, each head by itself: (h,).",
            lambda found: found.mean(axis=0)),
    mistake("The weights are not averaged.",
            "One number for each head is wanted: the mean of its weights.",
            lambda found: found),
    mistake("It returns the number of a head.",
            "argmax says which head has the largest mean. Return the means of all heads.",
            lambda found: found.mean(axis=-1).argmax()),
    mistake("It returns 1 for the best head and 0 for all others.",
            "Return the means of all heads.",
            lambda found: (found.mean(axis=-1) == found.mean(axis=-1).max()) * 1.0),
)


def _draw_causal(sample: Sampler, h: int, n: int) -> Arguments:
    """Draw the weights of heads that see no later token, on n tokens and the same n again."""
    (scores,) = sample((h, 2 * n, 2 * n))
    return (softmax(np.where(np.tri(2 * n, dtype=bool), scores, -np.inf)).round(4),)


INDUCTION = Exercise(
    "real_model.induction",
    "Find the head that copies",
    Solution("weights", [QUERIES, LOOKED_AT, TAKEN, MEAN]),
    cases=(
        Case(
            "the example",
            (
                np.array(
                    [
                        [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.1, 0.7, 0.2, 0], [0.2, 0, 0.5, 0.3]],
                        [[1, 0, 0, 0], [1, 0, 0, 0], [0.8, 0.1, 0.1, 0], [0.6, 0.2, 0.1, 0.1]],
                    ]
                ),
            ),
        ),
        Case("3 heads, 4 tokens twice", lambda sample: _draw_causal(sample, 3, 4)),
        Case("one head, 3 tokens twice", lambda sample: _draw_causal(sample, 1, 3)),
        Case("2 tokens twice", lambda sample: _draw_causal(sample, 4, 2)),
        Case("9 heads, 5 tokens twice", lambda sample: _draw_causal(sample, 9, 5)),
        Case("as many heads as tokens", lambda sample: _draw_causal(sample, 6, 3)),
    ),
    notice=(
        "The largest of these numbers belongs to the head that copies. On random tokens such a head can go by the "
        "repetition, or by the distance, always n - 1."
    ),
)


# Shared keys

REPEAT = Step(
    "repeated",
    lambda K, num_heads: K.repeat(num_heads // K.shape[-3], axis=-3),
    mistake("The repeated heads take turns.",
            "The heads come as 1, 2, 3, then 1, 2, 3 again, as after np.tile. Neighbours must share: 1, 1, 1, then "
            "2, 2, 2. The shapes are the same, so no error comes.",
            lambda K, num_heads: np.concatenate([K] * (num_heads // K.shape[-3]), axis=-3)),
    mistake("The tokens are repeated, not the heads.",
            "The head axis is the third from the end: axis=-3.",
            lambda K, num_heads: K.repeat(num_heads // K.shape[-3], axis=-2),
            lambda K, num_heads: K.repeat(num_heads // K.shape[-3], axis=-2).reshape(
                *K.shape[:-3], num_heads, *K.shape[-2:]
            )),
    mistake("The query heads are counted from 1.",
            "Query head i belongs to group i // size, counted from 0. From 1, the last head of a group gets the next "
            "one.",
            lambda K, num_heads: K[
                ..., np.minimum(np.arange(1, num_heads + 1) * K.shape[-3] // num_heads, K.shape[-3] - 1), :, :
            ]),
    mistake("The columns are repeated, not the heads.",
            "The head axis is the third from the end: axis=-3.",
            lambda K, num_heads: K.repeat(num_heads // K.shape[-3], axis=-1)),
    mistake("Everything is repeated into one long row.",
            "repeat without an axis flattens the array first. The head axis is the third from the end: axis=-3.",
            lambda K, num_heads: K.repeat(num_heads // K.shape[-3])),
    mistake("Each head is repeated num_heads times.",
            "Then there are too many. Each is used by num_heads / K.shape[-3] query heads.",
            lambda K, num_heads: K.repeat(num_heads, axis=-3)),
    mistake("Each head is repeated as often as K has heads.",
            "Each is used by num_heads / K.shape[-3] query heads. Only sometimes are the two the same.",
            lambda K: K.repeat(K.shape[-3], axis=-3)),
    mistake("Each head is repeated three times, as in the example.",
            "How often follows from the sizes: num_heads / K.shape[-3].",
            lambda K: K.repeat(3, axis=-3)),
    mistake("All query heads share the first head's keys.",
            "That is what a model with a single head of keys does. Here each group has its own.",
            lambda K, num_heads: K[..., :1, :, :].repeat(num_heads, axis=-3)),
    mistake("The missing heads are filled with the last one.",
            "Each head of keys must be used by equally many query heads.",
            lambda K, num_heads: K[..., np.minimum(np.arange(num_heads), K.shape[-3] - 1), :, :]),
    mistake("The missing heads are filled with zeros.",
            "A key of zeros has the score 0 with every query. Each query head needs the keys of its group.",
            lambda K, num_heads: np.concatenate(
                [K, np.zeros((*K.shape[:-3], num_heads - K.shape[-3], *K.shape[-2:]))], axis=-3
            )),
    shared.AXIS_FROM_THE_FRONT.by(
        lambda K, num_heads: K.repeat(num_heads // K.shape[-3], axis=0),
        lambda K, num_heads: K.repeat(num_heads // K.shape[-3], axis=1),
    ),
)

SERVED = Step(
    "repeated",
    lambda repeated: repeated,
    mistake("The groups are in reverse order.",
            "The first query heads share the first head of keys.",
            lambda repeated: repeated[..., ::-1, :, :]),
    mistake("Nothing is repeated.",
            "K has fewer heads than num_heads. Each query head needs its own table of keys.",
            lambda K: K),
    mistake("The groups are on an axis of their own.",
            "The repeating is right. One reshape to (…, num_heads, n, d_k) is missing.",
            lambda K, repeated: repeated.reshape(*K.shape[:-2], -1, *K.shape[-2:]),
            lambda K, repeated: repeated.reshape(*K.shape[:-3], -1, *K.shape[-3:])),
    mistake("The keys are transposed.",
            "That comes with the scores. Here each key stays a row: (…, num_heads, n, d_k).",
            lambda repeated: repeated.mT),
    mistake("The keys are divided by √d_k.",
            "The scale belongs to the scores. Here each key stays as it is.",
            lambda repeated: repeated / repeated.shape[-1] ** 0.5),
    mistake("The keys are divided by how many heads share them.",
            "Each query head uses the whole key. Nothing is divided among them.",
            lambda repeated, K: repeated * K.shape[-3] / repeated.shape[-3]),
)

SHARED = Exercise(
    "real_model.shared",
    "Keys for every query head",
    Solution("K num_heads", [REPEAT, SERVED]),
    cases=(
        Case("the example", (np.array([[[1, 2], [3, 4], [0, 1]], [[5, 6], [7, 8], [9, 0]]]), 6)),
        Case("3 heads for 12", lambda sample: (*sample((3, 4, 5)), 12)),
        Case("one head for all", lambda sample: (*sample((1, 3, 2)), 4)),
        Case("no sharing", lambda sample: (*sample((5, 2, 3)), 5)),
        Case("2 sentences, 2 heads for 4", lambda sample: (*sample((2, 2, 3, 4)), 4)),
        Case("3 sentences, 2 heads for 6", lambda sample: (*sample((3, 2, 1, 4)), 6)),
        Case("all sizes equal", lambda sample: (*sample((2, 2, 2, 2)), 4)),
    ),
    off_limits=("repeat_heads",),
    notice=(
        "The same line works for the values. Real code often leaves the copy out and lets the products use one table "
        "of keys for the whole group: that is where the time is saved."
    ),
    untraced=("num_heads",),
)

EXERCISES = (ROTARY, CACHE, CACHE_SIZE, INDUCTION, SHARED)

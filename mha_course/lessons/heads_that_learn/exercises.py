"""Exercises of the lesson on two layers that learn: its sentences, where to look, how much, and without a head."""

import numpy as np

from mha_course.maths.formulas import merge_heads
from mha_course.slips import known, seeing
from mha_course.slips.cases import drawn_weights
from mha_course.workbook.checking.draws import Draw
from mha_course.workbook.checking.exercise import Arguments, Case, Exercise, slip
from mha_course.workbook.checking.recipe import Recipe, Step

NOBODY = -1  # stands before the first letter: no letter has this id

LENGTH_OF_EXAMPLE = slip("The length of the word is fixed, as in the example.", "The number of letters is len(word).")

SENTENCE = Step(
    "sentence",
    lambda word, n: word[np.arange(n + 1) % len(word)],
    slip("Each letter is repeated, not the word.",
         "np.repeat gives each letter several times: b b a a d d. The whole word must come again: b a d b a d.",
         lambda word, n: np.repeat(word, -(-(n + 1) // len(word)))[: n + 1],
         lambda word, n: np.repeat(word, n)[: n + 1]),
    LENGTH_OF_EXAMPLE.by(lambda word, n: word[np.arange(n + 1) % 3]),
    slip("The word is written backwards.",
         "It must begin with its first letter, each time.",
         lambda word, n: word[::-1][np.arange(n + 1) % len(word)]),
    slip("The sentence begins with the second letter.",
         "The first position has word[0], so the positions count from 0.",
         lambda word, n: word[np.arange(1, n + 2) % len(word)]),
)

NEXT = Step(
    "ids answers",
    lambda sentence: (sentence[:-1], sentence[1:]),
    slip("The answers are not shifted.",
         "Then each answer is the letter at the same position. The next letter is wanted.",
         lambda sentence: (sentence[:-1], sentence[:-1])),
    slip("The last answer is the first letter of the sentence.",
         "np.roll goes round, but the word goes on. Write one letter more than n, and leave out the first.",
         lambda sentence: (sentence[:-1], np.roll(sentence[:-1], -1))),
    slip("The last answer is a fixed number.",
         "The word goes on after the last letter, too: write one letter more than n, and leave out the first.",
         *(lambda sentence, end=end: (sentence[:-1], np.append(sentence[1:-1], end)) for end in (0, -1))),
    slip("Each answer is the letter before, not the next one.",
         "It is shifted the wrong way. The answer at position i is the letter at position i + 1.",
         lambda sentence: (sentence[:-1], np.roll(sentence[:-1], 1)),
         lambda sentence, word: (sentence[:-1], np.append(word[-1], sentence[:-2]))),
    slip("Letters and answers are swapped.",
         "The letters begin with the first letter of the word, the answers with its second.",
         lambda sentence: (sentence[1:], sentence[:-1])),
)

COUNTS = Step(
    "counts",
    lambda word, n: np.arange(n) >= len(word),
    slip("One position too many counts.",
         "At the last letter of the first word nobody can know whether the word ends there. This letter has not been "
         "there before.",
         lambda word, n: np.arange(n) >= len(word) - 1,
         lambda ids, answers: np.array([answer in ids[:i] for i, answer in enumerate(answers)])),
    slip("One position too few counts.",
         "The second word begins at position len(word), counted from 0. Its letter has been there before, so this "
         "position counts.",
         lambda word, n: np.arange(n) > len(word)),
    slip("All positions count.",
         "While the word appears for the first time, nobody can know what comes next. A loss over these positions "
         "asks for guessing.",
         lambda n: np.ones(n, bool)),
    slip("The first word counts, and the rest does not.",
         "True means: this position counts. In the first word nothing can be known.",
         lambda word, n: np.arange(n) < len(word)),
    slip("Only the second word counts.",
         "In the third word the next letter can be known, too, and in every one after it.",
         lambda word, n: (np.arange(n) >= len(word)) & (np.arange(n) < 2 * len(word))),
    LENGTH_OF_EXAMPLE.by(lambda n: np.arange(n) >= 3),
)


def _a_word(draw: Draw, length: int) -> np.ndarray:
    """Draw different letters, the first of which is not the smallest."""
    word = draw.generator.permutation(12)[:length]
    return word[::-1].copy() if word[0] == word.min() else word


REPEATED = Exercise(
    "heads_that_learn.repeated",
    "A word that is repeated",
    Recipe("word n", [SENTENCE, NEXT, COUNTS], "ids answers counts"),
    cases=(
        Case("the example", (np.array([1, 0, 3]), 7)),
        Case("five letters", lambda draw: (_a_word(draw, 5), draw.whole(12, 14))),
        Case("four letters", lambda draw: (_a_word(draw, 4), draw.whole(13, 15))),
        Case("one letter", lambda draw: (_a_word(draw, 1), 4)),
        Case("two letters", lambda draw: (_a_word(draw, 2), draw.whole(5, 9))),
        Case("a word that ends at the last position", lambda draw: (_a_word(draw, 6), 12)),
    ),
    notice=(
        "A model learns only what its loss asks for. Here the loss counts only positions where the answer can be known."
    ),
    untraced=("word", "n"),
)

BEFORE = Step(
    "before",
    lambda ids: np.append(NOBODY, ids[:-1]),
    slip("Each query is compared with the keys' own letters.",
         "That finds the earlier occurrence of the same letter. The answer is one position after it: a key is good "
         "if the letter *before* it is that of the query.",
         lambda ids: ids,
         lambda ids: np.append(NOBODY, ids[1:])),
    slip("Each query is compared with the letters after the keys.",
         "It is shifted the wrong way. Key k is good if letter k - 1 is that of the query.",
         lambda ids: np.append(ids[1:], NOBODY)),
    slip("The last letter counts as the one before the first.",
         "np.roll goes round. There is no letter before the first key, so it is never good.",
         lambda ids: np.roll(ids, 1)),
    slip("Letter 0 counts as the one before the first.",
         "0 is the id of a letter. Before the first key there is none: use a number that is no id, like -1.",
         lambda ids: np.append(0, ids[:-1])),
    slip("Each query is compared with the letters two positions before the keys.",
         "The answer comes right after the earlier occurrence: one position, not two.",
         lambda ids: np.append([NOBODY, NOBODY], ids)[: len(ids)]),
)

DOWN_AND_ACROSS = Step(
    "query_letters key_letters",
    lambda ids, before: (ids[:, None], before),
    slip("Queries and keys are swapped.",
         "Queries go down, so their letters need another axis, ids[:, None]. Keys go across.",
         lambda ids, before: (ids, before[:, None])),
    slip("The letter before the query is used, not its own.",
         "A query looks for a key that has the query's own letter before it.",
         lambda before: (before[:, None], before)),
    slip("Queries and keys are on the same axis.",
         "Then each position is compared only with itself. Queries go down, so they need another axis: ids[:, None].",
         lambda ids, before: (ids, before),
         lambda ids, before: (ids[:, None], before[:, None])),
)

SAME = Step(
    "same",
    lambda query_letters, key_letters: query_letters == key_letters,
    slip("It looks for a different letter, not the same one.",
         "A good key has the query's letter before it: ==.",
         lambda query_letters, key_letters: query_letters != key_letters),
)


def _causal(same: np.ndarray) -> np.ndarray:
    return np.tri(*same.shape[-2:], dtype=bool)


def _one_of(same: np.ndarray, last: bool) -> np.ndarray:
    """Keep one of the good keys that a query may see: the last, or the first."""
    good = same & _causal(same)
    seen = np.cumsum(good[:, ::-1], axis=1)[:, ::-1] if last else np.cumsum(good, axis=1)
    return good & (seen == 1)


NOT_AHEAD = Step(
    "looks",
    lambda same: same & _causal(same),
    slip("Later keys are not hidden.",
         "A query may look back, and at itself. Later keys must be False, whatever is before them.",
         lambda same: same),
    slip("Only later keys are left.",
         "A query may look at keys up to its own position: np.tri(n), not transposed.",
         lambda same: same & _causal(same).T),
    slip("Each query's own key is hidden.",
         "Where a letter occurs twice in a row, the second one is itself a good key. The causal mask is True on its "
         "diagonal.",
         lambda same: same & np.tri(len(same), k=-1, dtype=bool)),
    slip("Only the last good key is kept.",
         "Every earlier occurrence of the letter has an answer after it, and all of these keys are good.",
         lambda same: _one_of(same, last=True)),
    slip("Only the first good key is kept.",
         "Every earlier occurrence of the letter has an answer after it, and all of these keys are good.",
         lambda same: _one_of(same, last=False)),
    slip("The two conditions are joined by “or” instead of “and”.",
         "| and + are True where at least one of the two is. A key must fit and must not come later: use &.",
         lambda same: same | _causal(same)),
    slip("The letters are not used.",
         "That is the causal mask alone: where a query may look. Wanted is where it should look.",
         _causal),
    seeing.AND_OF_TABLES.by(lambda same: same and _causal(same)),
)

LOOKS = Exercise(
    "heads_that_learn.looks",
    "Where a query should look",
    Recipe("ids", [BEFORE, DOWN_AND_ACROSS, SAME, NOT_AHEAD]),
    cases=(
        Case("the example", (np.array([1, 0, 2, 1, 0]),)),
        Case("a word three times", lambda draw: (np.tile(_a_word(draw, 4), 3),)),
        Case("letters in any order", lambda draw: (draw.generator.permutation([0, 0, 1, 1, 1, 2, 2, 3]),)),
        Case("one letter", (np.array([0]),)),
        Case("a letter twice in a row", lambda draw: (draw.generator.permuted([[2, 1, 3]]).ravel()[[0, 1, 1, 2, 0]],)),
        Case(
            "the first letter once more at the end",
            lambda draw: (np.append(_a_word(draw, 5), [0, 5, 0, 5])[[0, *range(9)]],),
        ),
    ),
    notice=(
        "One layer alone cannot compare queries and keys like this: a row holds its own letter, not the one before it. "
        "Layer 1 has to write that there first."
    ),
    untraced=("ids",),
)

GOOD = Step(
    "good",
    lambda weights, looks: np.where(looks, weights, 0.0),
    slip("The weights of all keys are added.",
         "Each row of weights sums to 1, so that always gives 1. Add only the weights where looks is True.",
         lambda weights: weights),
    slip("The weights of the wrong keys are added.",
         "True in looks means: the answer is here.",
         lambda weights, looks: np.where(looks, 0.0, weights)),
    slip("looks is transposed.",
         "Queries go down and keys across, in looks as in the weights: use it as it is.",
         lambda weights, looks: np.where(looks.T, weights, 0.0)),
    slip("The weights are not used.",
         "looks says where the answers are. The weights say how much the head looks there.",
         lambda looks: looks.astype(float)),
)

FOUND = Step(
    "found",
    lambda good: good.sum(axis=-1),
    slip("It adds down the columns.",
         "Each row of weights belongs to one query: sum along the row, axis=-1.",
         lambda good: good.sum(axis=0)),
    slip("It takes the mean along a row, not the sum.",
         "A query's weights on several good keys belong together: add them. A mean gets smaller with each key.",
         lambda good: good.mean(axis=-1)),
    slip("Only the largest weight on a good key is used.",
         "A query may spread its weight over several good keys, and all of it is right: add it.",
         lambda good: good.max(axis=-1)),
    slip("It divides by the number of good keys.",
         "A query whose whole weight is on good keys gets 1, however many there are.",
         lambda good, looks: good.sum(axis=-1) / np.maximum(looks.sum(axis=-1), 1)),
    slip("It only asks whether the key with the largest weight is good.",
         "That is a yes or no for each query. Wanted is how much of its weight is on good keys.",
         lambda weights, looks: np.array(
             [float(row[weight.argmax()]) for weight, row in zip(weights, looks, strict=True)]
         )),
)

MEAN = Step(
    "weight",
    lambda found, counts: found[counts].sum() / counts.sum(),
    slip("All positions count.",
         "In the first word there is nothing to look for: these positions have no good key, and pull the mean down.",
         lambda found: found.mean()),
    slip("The sum runs over all positions, but is divided by how many count.",
         "Sum only where counts is True. It comes out right only if the other positions have no good key.",
         lambda found, counts: found.sum() / counts.sum()),
    slip("The mean runs over the good keys, not over the queries.",
         "A query's weights on several good keys belong together. Add them up for each query first.",
         lambda weights, looks, counts: weights[counts][looks[counts]].sum() / looks[counts].sum(),
         lambda weights, looks: weights[looks].sum() / looks.sum()),
    slip("It divides by the number of all positions.",
         "The sum runs over those that count, so divide by how many these are.",
         lambda found, counts: found[counts].sum() / len(counts)),
    slip("It takes the positions that do not count.",
         "True in counts means: this position counts.",
         lambda found, counts: found[~counts].sum() / max(1, (~counts).sum())),
    slip("It is a sum over the positions, not their mean.",
         "The result lies between 0 and 1, for long sentences too: divide by how many positions count.",
         lambda found, counts: found[counts].sum()),
    slip("Only the last position is used.",
         "Take the mean over all the positions that count.", lambda found: found[-1]),
    slip("It returns a number for each position.",
         "One number is wanted: the mean over the positions that count.",
         lambda found, counts: found[counts]),
)


def _some_true(draw: Draw, *shape: int) -> np.ndarray:
    """Draw True and False, in each row some of both, unless the row has one entry: then True."""
    ranks = draw.generator.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    most = np.maximum(shape[-1] - 1, 1)
    return ranks < draw.generator.integers(1, most + 1, size=(*shape[:-1], 1))


def _counted(draw: Draw, n: int) -> np.ndarray:
    """Draw which positions count: at least two do and one does not, and the last does."""
    return np.append(draw.generator.permutation(n - 1) < draw.whole(1, n - 2), True)


def _draw_share(draw: Draw, n_q: int, n_k: int) -> Arguments:
    return drawn_weights(draw, n_q, n_k), _some_true(draw, n_q, n_k), _counted(draw, n_q)


SHARE = Exercise(
    "heads_that_learn.share",
    "How much lies where the answers are",
    Recipe("weights looks counts", [GOOD, FOUND, MEAN]),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 0], [0.5, 0.25, 0.25], [0.1, 0.7, 0.2]]),
                np.array([[False, False, False], [True, False, True], [False, True, False]]),
                np.array([False, True, True]),
            ),
        ),
        Case("5 queries, 6 keys", lambda draw: _draw_share(draw, 5, 6)),
        Case("as many queries as keys", lambda draw: _draw_share(draw, 5, 5)),
        Case("one query", lambda draw: (drawn_weights(draw, 1, 5), _some_true(draw, 1, 5), np.array([True]))),
        Case("more queries than keys", lambda draw: _draw_share(draw, 7, 3)),
        Case("many keys", lambda draw: _draw_share(draw, 4, 9)),
    ),
    notice=(
        "This number tells two models apart that have the same loss of 0: one has found where the answers are, the "
        "other has not."
    ),
    untraced=("looks", "counts"),
)


def _on(heads: np.ndarray, is_on: np.ndarray) -> np.ndarray:
    return np.where(is_on[:, None, None], heads, 0.0)


def _numbers(heads: np.ndarray) -> np.ndarray:
    return np.arange(1, len(heads) + 1)


SWITCH = Step(
    "kept",
    lambda heads, off: _on(heads, _numbers(heads) != off),
    slip("The head is counted from 0.",
         "Head 1 is heads[0]: off counts from 1.",
         lambda heads, off: _on(heads, _numbers(heads) - 1 != off)),
    slip("All heads but this one are switched off.",
         "This is the only one to switch off: all the others stay.",
         lambda heads, off: _on(heads, _numbers(heads) == off)),
    slip("No head is switched off.", "Put zeros in place of its output.", lambda heads: heads),
    slip("The heads after it move up.",
         "Each later head then meets the rows of W_O of another one, as after np.delete. Put zeros in its place.",
         lambda heads, off: np.concatenate([np.delete(heads, off - 1, axis=0), 0.0 * heads[:1]])),
    slip("A token is switched off, not a head.",
         "The first axis counts the heads, the second the tokens.",
         lambda heads, off: np.where((np.arange(heads.shape[1]) != off - 1)[:, None], heads, 0.0)),
    slip("The other heads are made larger to make up for it.",
         "A layer adds its heads. Without one of them a term is missing, and the others stay as they are.",
         lambda heads, off: _on(heads, _numbers(heads) != off) * (len(heads) / (len(heads) - 1))),
    slip("The head is replaced by the mean over its tokens.",
         "That is another way to switch a head off, and it is in use. Here zeros are wanted.",
         lambda heads, off: np.where((_numbers(heads) != off)[:, None, None], heads, _mean_row(heads))),
)


def _mean_row(heads: np.ndarray) -> np.ndarray:
    return heads.sum(axis=1, keepdims=True) / heads.shape[1]


SIDE_BY_SIDE = Step(
    "concatenation",
    lambda kept: merge_heads(kept),
    known.RESHAPE_MERGE.by(lambda kept: kept.reshape(kept.shape[1], -1)),
    known.WRONG_ORDER.by(lambda kept: merge_heads(kept[::-1])),
    known.COLUMNS_TAKE_TURNS.by(lambda kept: np.moveaxis(kept, 0, -1).reshape(kept.shape[1], -1)),
)

OUT = Step(
    "result",
    lambda concatenation, W_O: concatenation @ W_O,
    slip("Only one row of W_O is set to zero, not all of the head's rows.",
         "A head has d_v rows of W_O, one for each of its columns. Set all of them to zero, or the head's output.",
         lambda heads, W_O, off: merge_heads(heads) @ np.where((np.arange(len(W_O)) != off - 1)[:, None], W_O, 0.0)),
    slip("W_O is missing.",
         "The outputs of the heads side by side are not yet what the layer adds: multiply by W_O.",
         lambda concatenation: concatenation),
    slip("The parts of the heads are not added.",
         "The layer returns the sum of what its heads add: (n, d_model).",
         lambda kept, W_O: kept @ W_O.reshape(len(kept), -1, W_O.shape[-1])),
)


def _draw_off(draw: Draw, h: int, n: int, d_v: int, d_model: int) -> Arguments:
    """Draw heads, W_O, and which head is off: never the last, whose number counted from 0 is no head."""
    return *draw((h, n, d_v), (h * d_v, d_model)), draw.whole(1, h - 1)


OFF = Exercise(
    "heads_that_learn.off",
    "Switch a head off",
    Recipe("heads W_O off", [SWITCH, SIDE_BY_SIDE, OUT]),
    cases=(
        Case(
            "the example",
            (
                np.array([[[1, 0], [2, 1]], [[3, 1], [0, 4]]]),
                np.array([[1, 0, 1], [0, 2, 0], [0, 1, 1], [5, 0, 0]]),
                1,
            ),
        ),
        Case("3 heads", lambda draw: _draw_off(draw, 3, 4, 2, 5)),
        Case("one token", lambda draw: _draw_off(draw, 2, 1, 3, 4)),
        Case("the last head", lambda draw: (*draw((3, 5, 2), (6, 4)), 3)),
        Case("4 heads", lambda draw: _draw_off(draw, 4, 3, 2, 7)),
        Case("all sizes equal", lambda draw: _draw_off(draw, 3, 3, 3, 3)),
    ),
    notice=(
        "The rows of W_O that belong to the head meet zeros, so it adds nothing, and the others add the same as "
        "before. Only a test of the whole model shows what that costs."
    ),
    untraced=("off",),
)

EXERCISES = (REPEATED, LOOKS, SHARE, OFF)

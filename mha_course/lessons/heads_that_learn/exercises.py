"""Exercises of the lesson on two layers that learn: its sentences, where to look, how much, and what a patch does."""

from collections.abc import Callable

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Case, Exercise, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import softmax
from mha_course.mistakes import masks
from mha_course.mistakes.cases import drawn_weights

NOBODY = -1  # stands before the first letter: no letter has this id

LENGTH_OF_EXAMPLE = mistake("The length of the word is fixed, as in the example.",
                            "The number of letters is len(word).")

SENTENCE = Step(
    "sentence",
    lambda word, n: word[np.arange(n + 1) % len(word)],
    mistake("Each letter is repeated, not the word.",
            "np.repeat gives each letter several times: b b a a d d. The whole word must come again: b a d b a d.",
            lambda word, n: np.repeat(word, -(-(n + 1) // len(word)))[: n + 1],
            lambda word, n: np.repeat(word, n)[: n + 1]),
    LENGTH_OF_EXAMPLE.by(lambda word, n: word[np.arange(n + 1) % 3]),
    mistake("The word is written backwards.",
            "It must begin with its first letter, each time.",
            lambda word, n: word[::-1][np.arange(n + 1) % len(word)]),
    mistake("The sentence begins with the second letter.",
            "The first position has word[0], so the positions count from 0.",
            lambda word, n: word[np.arange(1, n + 2) % len(word)]),
)

NEXT = Step(
    "ids answers",
    lambda sentence: (sentence[:-1], sentence[1:]),
    mistake("The answers are not shifted.",
            "Then each answer is the letter at the same position. The next letter is wanted.",
            lambda sentence: (sentence[:-1], sentence[:-1])),
    mistake("The last answer is the first letter of the sentence.",
            "The word goes on at the end, it does not begin anew (as after np.roll). Write one letter more than n, and "
            "leave out the first.",
            lambda sentence: (sentence[:-1], np.roll(sentence[:-1], -1))),
    mistake("The last answer is a fixed number.",
            "The word goes on after the last letter, too: write one letter more than n, and leave out the first.",
            *(lambda sentence, end=end: (sentence[:-1], np.append(sentence[1:-1], end)) for end in (0, -1))),
    mistake("Each answer is the letter before, not the next one.",
            "It is shifted the wrong way. The answer at position i is the letter at position i + 1.",
            lambda sentence: (sentence[:-1], np.roll(sentence[:-1], 1)),
            lambda sentence, word: (sentence[:-1], np.append(word[-1], sentence[:-2]))),
    mistake("Letters and answers are swapped.",
            "The letters begin with the first letter of the word, the answers with its second.",
            lambda sentence: (sentence[1:], sentence[:-1])),
)

COUNTS = Step(
    "counts",
    lambda word, n: np.arange(n) >= len(word),
    mistake("One position too many counts.",
            "At the last letter of the first word nobody can know whether the word ends there. This letter has not "
            "been there before.",
            lambda word, n: np.arange(n) >= len(word) - 1,
            lambda ids, answers: np.array([answer in ids[:i] for i, answer in enumerate(answers)])),
    mistake("One position too few counts.",
            "The second word begins at position len(word), counted from 0. Its letter has been there before, so this "
            "position counts.",
            lambda word, n: np.arange(n) > len(word)),
    mistake("All positions count.",
            "While the word appears for the first time, nobody can know what comes next. A loss over these positions "
            "asks for guessing.",
            lambda n: np.ones(n, bool)),
    mistake("The first word counts, and the rest does not.",
            "True means: this position counts. In the first word nothing can be known.",
            lambda word, n: np.arange(n) < len(word)),
    mistake("Only the second word counts.",
            "In the third word the next letter can be known, too, and in every one after it.",
            lambda word, n: (np.arange(n) >= len(word)) & (np.arange(n) < 2 * len(word))),
    LENGTH_OF_EXAMPLE.by(lambda n: np.arange(n) >= 3),
)


def _a_word(sample: Sampler, length: int) -> np.ndarray:
    """Draw different letters, the first of which is not the smallest."""
    word = sample.generator.permutation(12)[:length]
    return word[::-1].copy() if word[0] == word.min() else word


REPEATED = Exercise(
    "heads_that_learn.repeated",
    "A word that is repeated",
    Solution("word n", [SENTENCE, NEXT, COUNTS], "ids answers counts"),
    cases=(
        Case("the example", (np.array([1, 0, 3]), 7)),
        Case("five letters", lambda sample: (_a_word(sample, 5), sample.whole(12, 14))),
        Case("four letters", lambda sample: (_a_word(sample, 4), sample.whole(13, 15))),
        Case("one letter", lambda sample: (_a_word(sample, 1), 4)),
        Case("two letters", lambda sample: (_a_word(sample, 2), sample.whole(5, 9))),
        Case("a word that ends at the last position", lambda sample: (_a_word(sample, 6), 12)),
    ),
    notice=(
        "A model learns only what its loss asks for. Here the loss counts only positions where the answer can be known."
    ),
    untraced=("word", "n"),
)

BEFORE = Step(
    "before",
    lambda ids: np.append(NOBODY, ids[:-1]),
    mistake("Each query is compared with the keys' own letters.",
            "That finds the earlier occurrence of the same letter. The answer is one position after it: a key is good "
            "if the letter *before* it is that of the query.",
            lambda ids: ids,
            lambda ids: np.append(NOBODY, ids[1:])),
    mistake("Each query is compared with the letters after the keys.",
            "It is shifted the wrong way. Key k is good if letter k - 1 is that of the query.",
            lambda ids: np.append(ids[1:], NOBODY)),
    mistake("The last letter counts as the one before the first.",
            "np.roll goes round, and index -1 is the last. There is no letter before the first key, so it is never "
            "good.",
            lambda ids: np.roll(ids, 1)),
    mistake("Letter 0 counts as the one before the first.",
            "0 is the id of a letter. Before the first key there is none: use a number that is no id, like -1.",
            lambda ids: np.append(0, ids[:-1])),
    mistake("Each query is compared with the letters two positions before the keys.",
            "The answer comes right after the earlier occurrence: one position, not two.",
            lambda ids: np.append([NOBODY, NOBODY], ids)[: len(ids)]),
)

DOWN_AND_ACROSS = Step(
    "query_letters key_letters",
    lambda ids, before: (ids[:, None], before),
    mistake("Queries and keys are swapped.",
            "Queries go down, so their letters need another axis, ids[:, None]. Keys go across.",
            lambda ids, before: (ids, before[:, None])),
    mistake("The letter before the query is used, not its own.",
            "A query looks for a key that has the query's own letter before it.",
            lambda before: (before[:, None], before)),
    mistake("Queries and keys are on the same axis.",
            "Then each position is compared only with itself. Queries go down, so they need another axis: ids[:, "
            "None].",
            lambda ids, before: (ids, before),
            lambda ids, before: (ids[:, None], before[:, None])),
)

SAME = Step(
    "same",
    lambda query_letters, key_letters: query_letters == key_letters,
    mistake("It looks for a different letter, not the same one.",
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
    mistake("Later keys are not hidden.",
            "A query may look back, and at itself. Later keys must be False, whatever is before them.",
            lambda same: same),
    mistake("Only later keys are left.",
            "A query may look at keys up to its own position: np.tri(n), not transposed.",
            lambda same: same & _causal(same).T),
    mistake("Each query's own key is hidden.",
            "Where a letter occurs twice in a row, the second one is itself a good key. The causal mask is True on its "
            "diagonal.",
            lambda same: same & np.tri(len(same), k=-1, dtype=bool)),
    mistake("Only the last good key is kept.",
            "Every earlier occurrence of the letter has an answer after it, and all of these keys are good.",
            lambda same: _one_of(same, last=True)),
    mistake("Only the first good key is kept.",
            "Every earlier occurrence of the letter has an answer after it, and all of these keys are good.",
            lambda same: _one_of(same, last=False)),
    mistake("The two conditions are joined by “or” instead of “and”.",
            "| and + are True where at least one of the two is. A key must fit and must not come later: use &.",
            lambda same: same | _causal(same)),
    mistake("The letters are not used.",
            "That is the causal mask alone: where a query may look. Wanted is where it should look.",
            _causal),
    masks.AND_OF_TABLES.by(lambda same: same and _causal(same)),
)

LOOKS = Exercise(
    "heads_that_learn.looks",
    "Where a query should look",
    Solution("ids", [BEFORE, DOWN_AND_ACROSS, SAME, NOT_AHEAD]),
    cases=(
        Case("the example", (np.array([1, 0, 2, 1, 0]),)),
        Case("a word three times", lambda sample: (np.tile(_a_word(sample, 4), 3),)),
        Case("letters in any order", lambda sample: (sample.generator.permutation([0, 0, 1, 1, 1, 2, 2, 3]),)),
        Case("one letter", (np.array([0]),)),
        Case("a letter twice in a row",
             lambda sample: (sample.generator.permuted([[2, 1, 3]]).ravel()[[0, 1, 1, 2, 0]],)),
        Case(
            "the first letter once more at the end",
            lambda sample: (np.append(_a_word(sample, 5), [0, 5, 0, 5])[[0, *range(9)]],),
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
    mistake("The weights of all keys are added.",
            "Each row of weights sums to 1, so that always gives 1. Add only the weights where looks is True.",
            lambda weights: weights),
    mistake("The weights of the wrong keys are added.",
            "True in looks means: the answer is here.",
            lambda weights, looks: np.where(looks, 0.0, weights)),
    mistake("looks is transposed.",
            "Queries go down and keys across, in looks as in the weights: use it as it is.",
            lambda weights, looks: np.where(looks.T, weights, 0.0)),
    mistake("The weights are not used.",
            "looks says where the answers are. The weights say how much the head looks there.",
            lambda looks: looks.astype(float)),
)

FOUND = Step(
    "found",
    lambda good: good.sum(axis=-1),
    mistake("It adds down the columns.",
            "Each row of weights belongs to one query: sum along the row, axis=-1.",
            lambda good: good.sum(axis=0)),
    mistake("It takes the mean along a row, not the sum.",
            "A query's weights on several good keys belong together: add them. A mean gets smaller with each key.",
            lambda good: good.mean(axis=-1)),
    mistake("Only the largest weight on a good key is used.",
            "A query may spread its weight over several good keys, and all of it is right: add it.",
            lambda good: good.max(axis=-1)),
    mistake("It divides by the number of good keys.",
            "A query whose whole weight is on good keys gets 1, however many there are.",
            lambda good, looks: good.sum(axis=-1) / np.maximum(looks.sum(axis=-1), 1)),
    mistake("It only asks whether the key with the largest weight is good.",
            "That is a yes or no for each query. Wanted is how much of its weight is on good keys.",
            lambda weights, looks: np.array(
                [float(row[weight.argmax()]) for weight, row in zip(weights, looks, strict=True)]
            )),
)

MEAN = Step(
    "weight",
    lambda found, counts: found[counts].sum() / counts.sum(),
    mistake("All positions count.",
            "In the first word there is nothing to look for: these positions have no good key, and pull the mean down.",
            lambda found: found.mean()),
    mistake("The sum runs over all positions, but is divided by how many count.",
            "Sum only where counts is True. It comes out right only if the other positions have no good key.",
            lambda found, counts: found.sum() / counts.sum()),
    mistake("The mean runs over the good keys, not over the queries.",
            "A query's weights on several good keys belong together. Add them up for each query first.",
            lambda weights, looks, counts: weights[counts][looks[counts]].sum() / looks[counts].sum(),
            lambda weights, looks: weights[looks].sum() / looks.sum()),
    mistake("It divides by the number of all positions.",
            "The sum runs over those that count, so divide by how many these are.",
            lambda found, counts: found[counts].sum() / len(counts)),
    mistake("It takes the positions that do not count.",
            "True in counts means: this position counts.",
            lambda found, counts: found[~counts].sum() / max(1, (~counts).sum())),
    mistake("It is a sum over the positions, not their mean.",
            "The result lies between 0 and 1, for long sentences too: divide by how many positions count.",
            lambda found, counts: found[counts].sum()),
    mistake("Only the last position is used.",
            "Take the mean over all the positions that count.", lambda found: found[-1]),
    mistake("It returns a number for each position.",
            "One number is wanted: the mean over the positions that count.",
            lambda found, counts: found[counts]),
)


def _some_true(sample: Sampler, *shape: int) -> np.ndarray:
    """Draw True and False, in each row some of both, unless the row has one entry: then True."""
    ranks = sample.generator.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    most = np.maximum(shape[-1] - 1, 1)
    return ranks < sample.generator.integers(1, most + 1, size=(*shape[:-1], 1))


def _counted(sample: Sampler, n: int) -> np.ndarray:
    """Draw which positions count: at least two do and one does not, and the last does."""
    return np.append(sample.generator.permutation(n - 1) < sample.whole(1, n - 2), True)


def _draw_share(sample: Sampler, n_q: int, n_k: int) -> Arguments:
    return drawn_weights(sample, n_q, n_k), _some_true(sample, n_q, n_k), _counted(sample, n_q)


SHARE = Exercise(
    "heads_that_learn.share",
    "How much lies where the answers are",
    Solution("weights looks counts", [GOOD, FOUND, MEAN]),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 0], [0.5, 0.25, 0.25], [0.1, 0.7, 0.2]]),
                np.array([[False, False, False], [True, False, True], [False, True, False]]),
                np.array([False, True, True]),
            ),
        ),
        Case("5 queries, 6 keys", lambda sample: _draw_share(sample, 5, 6)),
        Case("as many queries as keys", lambda sample: _draw_share(sample, 5, 5)),
        Case("one query", lambda sample: (drawn_weights(sample, 1, 5), _some_true(sample, 1, 5), np.array([True]))),
        Case("more queries than keys", lambda sample: _draw_share(sample, 7, 3)),
        Case("many keys", lambda sample: _draw_share(sample, 4, 9)),
    ),
    notice=(
        "This number tells two models apart that have the same loss of 0: one has found where the answers are, the "
        "other has not."
    ),
    untraced=("looks", "counts"),
)


def _in_each_run(of):
    """Return what takes the same of all three runs."""
    return lambda clean, corrupted, patched, right, wrong: tuple(
        of(logits, right, wrong) for logits in (clean, corrupted, patched)
    )


def _of_letters(logits, letters):
    return logits[np.arange(len(logits)), letters]


LOGITS = Step(
    "clean corrupted patched",
    lambda clean, corrupted, patched: (clean, corrupted, patched),
    mistake("Probabilities are taken instead of logits.",
            "A softmax has been taken first. The logit difference is made of the logits themselves.",
            lambda clean, corrupted, patched: (softmax(clean), softmax(corrupted), softmax(patched))),
)

DIFFERENCES = Step(  # of each sentence
    "of_clean of_corrupted of_patched",
    lambda clean, corrupted, patched, right, wrong: tuple(
        run[np.arange(len(run)), right] - run[np.arange(len(run)), wrong] for run in (clean, corrupted, patched)
    ),
    mistake("The wrong letter is not subtracted.",
            "All logits of a run can move together, which changes no prediction. Subtract the logit of the wrong "
            "letter.",
            _in_each_run(lambda logits, right, wrong: _of_letters(logits, right))),
    mistake("The two logits are added.",
            "What counts is how far the right letter lies above the wrong one: subtract.",
            _in_each_run(lambda logits, right, wrong: _of_letters(logits, right) + _of_letters(logits, wrong))),
    mistake("Each sentence is compared with the letters of all sentences.",
            "logits[:, right] takes these columns of every row. logits[np.arange(n), right] takes one entry of each "
            "row.",
            _in_each_run(lambda logits, right, wrong: (logits[:, right] - logits[:, wrong]).sum(axis=1) / len(right))),
    mistake("The letters of the first sentence are used for all.",
            "Each sentence has its own two letters.",
            _in_each_run(lambda logits, right, wrong: logits[:, right[0]] - logits[:, wrong[0]])),
    mistake("The largest logit takes the place of the right letter's.",
            "The largest logit may be that of another letter. Take the one of the right letter.",
            _in_each_run(lambda logits, right, wrong: logits.max(axis=1) - _of_letters(logits, wrong))),
    mistake("The mean of all logits takes the place of the wrong letter's.",
            "Subtract the logit of the wrong letter alone.",
            _in_each_run(
                lambda logits, right, wrong: _of_letters(logits, right) - logits.sum(axis=1) / logits.shape[1]
            )),
    mistake("The signs are lost.",
            "In the corrupted run the wrong letter may be ahead: then the difference is negative, and stays so.",
            _in_each_run(lambda logits, right, wrong: abs(_of_letters(logits, right) - _of_letters(logits, wrong)))),
)

OVER_SENTENCES = Step(
    "of_clean of_corrupted of_patched",
    lambda of_clean, of_corrupted, of_patched: tuple(
        each.sum() / len(each) for each in (of_clean, of_corrupted, of_patched)
    ),
    mistake("Only the first sentence is used.",
            "Take the mean over all sentences.",
            lambda of_clean, of_corrupted, of_patched: (of_clean[0], of_corrupted[0], of_patched[0])),
    mistake("Only the last sentence is used.",
            "Take the mean over all sentences.",
            lambda of_clean, of_corrupted, of_patched: (of_clean[-1], of_corrupted[-1], of_patched[-1])),
)

RECOVERY = Step(
    "recovered",
    lambda of_clean, of_corrupted, of_patched: (of_patched - of_corrupted) / (of_clean - of_corrupted),
    mistake("It divides by the clean run alone.",
            "The way goes from the corrupted run to the clean one: divide by the difference of the two.",
            lambda of_clean, of_corrupted, of_patched: (of_patched - of_corrupted) / of_clean),
    mistake("The patched run is divided by the clean one.",
            "The corrupted run may be above 0 already. Subtract it from both.",
            lambda of_clean, of_patched: of_patched / of_clean),
    mistake("The corrupted run is not subtracted from the patched one.",
            "A patch that changes nothing must give 0: subtract the corrupted run.",
            lambda of_clean, of_corrupted, of_patched: of_patched / (of_clean - of_corrupted)),
    mistake("It returns what is still missing.",
            "That is 0 where everything was recovered. Here 1 means everything. Perhaps the clean and the corrupted "
            "run are swapped.",
            lambda of_clean, of_corrupted, of_patched: (of_clean - of_patched) / (of_clean - of_corrupted)),
    mistake("The quotient is upside down.",
            "The way that the patch goes is divided by the whole way.",
            lambda of_clean, of_corrupted, of_patched: (of_clean - of_corrupted) / (of_patched - of_corrupted)),
    mistake("The division is missing.",
            "That is how far the patch goes. Divide by the whole way, so that 1 means everything.",
            lambda of_corrupted, of_patched: of_patched - of_corrupted),
    mistake("The sign is wrong.",
            "Both differences are measured from the corrupted run.",
            lambda of_clean, of_corrupted, of_patched: (of_corrupted - of_patched) / (of_clean - of_corrupted)),
    mistake("The result is cut off at 0 and 1.",
            "A patch can lead the other way, or too far. Return the number as it is.",
            lambda of_clean, of_corrupted, of_patched: np.clip(
                (of_patched - of_corrupted) / (of_clean - of_corrupted), 0, 1
            )),
    mistake("The fraction is computed for each sentence, and then averaged.",
            "A sentence in which the two runs hardly differ would decide. First take the means, then divide.",
            lambda clean, corrupted, patched, right, wrong:
                _mean_of_fractions(clean, corrupted, patched, right, wrong)),
    mistake("The result is in percent.",
            "1 means everything: do not multiply by 100.",
            lambda of_clean, of_corrupted, of_patched: 100 * (of_patched - of_corrupted) / (of_clean - of_corrupted)),
)


def _mean_of_fractions(*runs_and_letters):
    *runs, right, wrong = runs_and_letters
    of_clean, of_corrupted, of_patched = (_of_letters(run, right) - _of_letters(run, wrong) for run in runs)
    fractions = (of_patched - of_corrupted) / (of_clean - of_corrupted)
    return fractions.sum() / len(fractions)


def _runs(n: int, letters: int, far: float = 1.0) -> Callable[[Sampler], Arguments]:
    """Return what draws three runs over n sentences. far: how much of the way a patch goes, more or less."""

    def _drawn(sample: Sampler) -> Arguments:
        clean, corrupted, noise = sample(*[(n, letters)] * 3)
        order = sample.generator.permuted(np.broadcast_to(np.arange(letters), (n, letters)), axis=1)
        right, wrong = order[:, 0], order[:, 1]
        clean[np.arange(n), right] += 6  # so that the clean run knows, and the corrupted one does not
        return clean, corrupted, (corrupted + far * (clean - corrupted) / 2 + noise / 4).round(2), right, wrong

    return _drawn


RECOVERED = Exercise(
    "heads_that_learn.recovered",
    "How much a patch recovers",
    Solution("clean corrupted patched right wrong", [LOGITS, DIFFERENCES, OVER_SENTENCES, RECOVERY]),
    cases=(
        Case(
            "the example",
            (
                np.array([[3, 1, 0], [0, 4, 0]]),
                np.array([[1, 2, 0], [3, 1, 2]]),
                np.array([[2, 1, 0], [1, 3, 1]]),
                np.array([0, 1]),
                np.array([1, 2]),
            ),
        ),
        Case("5 sentences, 4 letters", _runs(5, 4)),
        Case("one sentence", _runs(1, 6)),
        Case("a patch that leads the other way", _runs(4, 5, far=-1.0)),
        Case("a patch that leads too far", _runs(6, 3, far=4.0)),
        Case("as many sentences as letters", _runs(4, 4)),
        Case("many sentences", _runs(9, 5)),
    ),
    notice=(
        "A part whose patch recovers nearly everything is enough, on these sentences, to cause the difference between "
        "the two runs. Another part may be enough, too."
    ),
    untraced=("right", "wrong"),
)

EXERCISES = (REPEATED, LOOKS, SHARE, RECOVERED)

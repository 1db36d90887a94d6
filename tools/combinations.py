"""All single mistakes and all pairs of every exercise, and which of them no inputs can tell apart.

Run by itself, it writes that table anew: tests/fixtures/inseparable.json.
"""

import itertools
import json
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from the_course import CATALOGUE, ROOT

from mha_course.engine.checking.answers import answer_of
from mha_course.engine.checking.compare import alike
from mha_course.engine.checking.search import Explanation, changed
from mha_course.engine.checking.solution import Solution

TABLE = ROOT / "tests" / "fixtures" / "inseparable.json"
DRAWS = 200  # of all kinds in turn, on which two must agree to be called the same
DIGITS = 5  # that two answers must share, measured by the largest number of an answer
RIGHT = Explanation((), lambda *given: None)


def combinations(exercise, count):
    """List the explanations by so many mistakes, one each for the ways that mistakes can go together."""
    whole = [Explanation((mistake,), variant) for mistake in exercise.mistakes for variant in mistake.variants]
    return (whole if count == 1 else []) + [
        Explanation(
            tuple(each.mistake for each in step_mistakes), exercise.right.with_mistakes(*step_mistakes), step_mistakes
        )
        for step_mistakes in _step_mistakes(exercise, count)
    ]


def alike_on(exercise, inputs, known):
    """Group the right answer, all single mistakes and all pairs by what they answer to these inputs.

    known: {one: others} that no inputs tell apart. As long as they are alike, the one stands for all of them.
    Returns a list of groups of two explanations or more, those with the fewest mistakes first.
    """
    names = {each: joined(each.names) for each in (RIGHT, *combinations(exercise, 1), *combinations(exercise, 2))}
    groups, answered = [list(names)], set()
    for one in inputs:
        with np.errstate(all="ignore"):
            keys = _keys(exercise, one, [each for group in groups for each in group])
        answered |= {each for each, key in keys.items() if key}
        parts = (_those_that_stand(part, names, known) for group in groups for part in _parted(group, keys))
        groups = [part for part in parts if len({names[each] for each in part}) > 1]
    return [sorted(group, key=lambda each: len(each.mistakes)) for group in groups if group[0] in answered]


def _parted(group, keys):
    parts = defaultdict(list)
    for each in group:
        parts[keys[each]].append(each)
    return parts.values()


def _those_that_stand(part, names, known):
    """Leave out of what is alike those for whom another of them stands."""
    others = {other for each in part for other in known.get(names[each], ())}
    return [each for each in part if names[each] not in others]


def _keys(exercise, inputs, explained):
    """Return what each of these answers as a key; None where its first mistake ends in an error before its second."""
    keys = dict.fromkeys(explained)
    wanted = {each.step_mistakes: each for each in explained if each.step_mistakes}
    begun = {step_mistakes[:count] for step_mistakes in wanted for count in (1, 2)}
    for count in (1, 2) if wanted else ():
        for step_mistakes, made in changed(exercise, exercise.right, inputs, count, begun=begun):
            if step_mistakes in wanted:
                keys[wanted[step_mistakes]] = _key(made)
    for each in explained:
        if not each.step_mistakes:
            keys[each] = _key(answer_of(exercise, exercise.right if each is RIGHT else each.function, inputs))
    return keys


def inseparable(exercise, draws=DRAWS):
    """Return what no inputs can tell apart: {one: [others]}, where each is the names of mistakes, joined by " + ".

    The one is what a check says. draws: on which all of a group must agree.
    """
    table = defaultdict(set)
    for group in alike_on(exercise, [one for seed in range(3) for one in exercise.inputs(seed)], {}):
        if len({each.names for each in group}) > 1 and (same := _same_as_the_first(exercise, group, draws)):
            table[joined(group[0].names)] |= same
    return {one: sorted(others) for one, others in table.items()}


def _same_as_the_first(exercise, group, draws):
    first, *others = group
    inputs = [*exercise.inputs(0), *exercise.further_inputs(1, draws)]
    function = exercise.right if first is RIGHT else first.function
    with np.errstate(all="ignore"):
        answers = [answer_of(exercise, function, one) for one in inputs]
        same = {each.names for each in others if _agrees(exercise, each, inputs, answers)}
    return set(map(joined, same - {first.names}))


def joined(names):
    """Write the names of mistakes as one line of the table."""
    return " + ".join(names) or "right"


def _agrees(exercise, each, inputs, answers):
    made = (answer_of(exercise, each.function, one) for one in inputs)
    return all(map(agree, made, answers))


def agree(one, other):
    """Whether two answers agree, or both are errors."""
    return all(isinstance(each, BaseException) for each in (one, other)) or alike(one, other)


def _step_mistakes(exercise, count):
    if not isinstance(exercise.right, Solution):
        return
    for step_mistakes in itertools.combinations(exercise.right.step_mistakes, count):
        if len({each.step for each in step_mistakes}) == count:
            yield step_mistakes


def _key(answer):
    """Return something hashable that two answers share if they agree."""
    if isinstance(answer, BaseException):
        return type(answer).__name__, str(answer).partition(" ")[0]
    return tuple(map(_rounded, answer))


def _rounded(array):
    array = array.astype(float)
    size = np.abs(array[np.isfinite(array)]).max(initial=0.0)
    rounded = np.rint(array * (10**DIGITS / (size or 1.0))) + 0.0
    return array.shape, f"{size:.{DIGITS}e}", rounded.tobytes()


def _of(name):
    exercise = CATALOGUE.exercises[name]
    counts = [len(combinations(exercise, count)) for count in (1, 2)]
    return name, counts, inseparable(exercise)


def read_table():
    """Return the table: {exercise: {one: [others]}}, as `inseparable` gives it."""
    stored = json.loads(TABLE.read_text(encoding="utf-8"))
    return {exercise: _with_names(**each) for exercise, each in stored.items()}


def _with_names(names, same):
    groups = [[joined([names[i] for i in numbers]) for numbers in group] for group in same]
    return {one: others for one, *others in groups}


def _with_numbers(table):
    names = sorted({name for one, others in table.items() for line in (one, *others) for name in _apart(line)})
    groups = [
        [[names.index(name) for name in _apart(line)] for line in (one, *others)] for one, others in table.items()
    ]
    return {"names": names, "same": groups}


def _apart(line):
    return [] if line == joined(()) else line.split(" + ")


def main(names):
    """Write the table of the exercises that are named, or of all, as many at a time as there are cores."""
    table = read_table() if TABLE.exists() else {}
    known = CATALOGUE.exercises
    with ProcessPoolExecutor() as pool:
        for name, (singles, pairs), same in pool.map(_of, names or known):
            table[name] = same
            print(f"{name}: {singles} ways, {pairs} pairs, {sum(map(len, same.values()))} inseparable", flush=True)
    rows = (f"{json.dumps(name)}: {_dumped(_with_numbers(table[name]))}" for name in known if name in table)
    TABLE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def _dumped(row):
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main(sys.argv[1:])

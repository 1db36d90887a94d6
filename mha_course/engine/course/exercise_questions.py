"""Questions about one exercise that was tried: whatever they say is computed by its right answer and its mistakes."""

import re
from collections.abc import Mapping, Sequence
from zlib import crc32

import numpy as np

from mha_course.engine.asking.entry import Entry
from mha_course.engine.asking.kind import QuestionKind
from mha_course.engine.asking.kinds import Choice, Option
from mha_course.engine.asking.question import Question
from mha_course.engine.checking.distinguishable import MOST, Outcomes, told_apart, told_apart_by_cases
from mha_course.engine.checking.effects import Effects, effects_of_cases, seen, small_effects
from mha_course.engine.checking.evidence import Spot
from mha_course.engine.checking.exercise import Exercise, Inputs, Mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.shapes import situation
from mha_course.engine.checking.solution import known_to
from mha_course.engine.notation.labels import label
from mha_course.engine.pictures.arrays import arrays
from mha_course.engine.pictures.forms import NOTHING, listing
from mha_course.engine.pictures.picture import Picture

KEYS = "abcd"
NEAR = 0.01  # of an answer to the true number, and to that of a mistake
CASES, TRIES = 4, 5  # of a question about cases: how many it shows, and how many choices of them are tried
DRAWS = 3  # of the numbers behind the cases
LONGEST_CASE = 130  # characters that tell a case
LONGEST = 90  # characters of the arithmetic of an entry that is asked for


def exercise_question(exercise: Exercise, seed: int, turn: int) -> Question:
    """Ask about an exercise. turn: how often that was done before; each time another kind of question comes."""
    sample = Sampler(seed, crc32(exercise.name.encode()), turn)
    kinds = (_entry, _diagnosis, _cases, _result, _reason)
    first = crc32(exercise.name.encode()) + turn
    asked = (kinds[(first + i) % len(kinds)](exercise, sample) for i in range(len(kinds)))
    return next(question for question in asked if question)


def _about(exercise: Exercise, text: str, kind: QuestionKind, shown: Picture = NOTHING) -> Question:
    return Question(exercise.name, text, kind, source=f"Exercise {exercise.number}, {exercise.title}", shown=shown)


def _reason(exercise: Exercise, sample: Sampler) -> Question:
    """Give the reason that a check tells with a mistake, and ask for the mistake.

    The others are those whose reasons speak of other things, so that the reason fits none of them.
    """
    asked, *others = sample.shuffled(known_to(exercise))
    others = sorted(others, key=lambda other: len(_words(asked) & _words(other)))[: MOST - 1]
    options = [(asked.name, "That is what a check says about it.")]
    options += [(each.name, f"Of that mistake a check says: “{each.why}”") for each in others]
    text = f"A check says about a function: “{asked.why}” Which mistake does the function make?"
    return _about(exercise, text, _choice(options, sample))


def _diagnosis(exercise: Exercise, sample: Sampler) -> Question | None:
    """Show what a function with one mistake makes of an input, and ask for the mistake."""
    for effects in sample.shuffled(small_effects(exercise, sample)):
        made = told_apart(effects, sample)
        if len(made) < MOST or len(exercise.results) > 1:
            continue
        (asked, (returned,)), *others = made.items()
        options = [(asked, effects.mistakes[asked].why)]
        options += [(name, f"With that mistake it would return `{seen(answer)}` here.") for name, answer in others]
        result = exercise.results[0]
        shown = arrays(effects.named | {f"right {result}": effects.right[0], f"returned {result}": returned})
        text = (
            "A function with one mistake was given these inputs. What it returned is shown beside the right answer. "
            "Which mistake is it?"
        )
        return _about(exercise, text, _choice(options, sample), shown)
    return None


def _result(exercise: Exercise, sample: Sampler) -> Question | None:
    """Name a mistake, and ask what it makes of an input."""
    for effects in sample.shuffled(small_effects(exercise, sample)):
        made = told_apart(effects, sample)
        if len(made) < MOST - 1:
            continue
        asked, *others = list(made)[: MOST - 1]
        options = [
            (f"`{seen(made[asked])}`", effects.mistakes[asked].why),
            (f"`{seen(effects.right)}`", "A right function returns this: the mistake would not be seen."),
            *((f"`{seen(made[each])}`", f"That comes from another mistake: “{each}”") for each in others),
        ]
        text = f"A function makes this mistake: “{asked}” Which of these can it return for this input?"
        return _about(exercise, text, _choice(options, sample), arrays(effects.named))
    return None


def _cases(exercise: Exercise, sample: Sampler) -> Question | None:
    """Tell in which cases a function with one mistake is right and in which it is not, and ask for the mistake."""
    drawn = effects_of_cases(exercise, sample, DRAWS)
    short = [i for i, each in enumerate(drawn[0]) if len(situation(exercise, each.inputs)) <= LONGEST_CASE]
    if not short:
        return None
    for _ in range(TRIES):
        chosen = sorted(sample.shuffled(short)[:CASES])
        found = told_apart_by_cases([[cases[i] for i in chosen] for cases in drawn], sample)
        if len(found) == MOST:
            return _asking_about(exercise, [drawn[0][i].inputs for i in chosen], found, sample)
    return None


def _asking_about(
    exercise: Exercise, inputs: Sequence[Inputs], found: Mapping[str, Outcomes], sample: Sampler
) -> Question:
    """Show what comes of the inputs by the first of the mistakes that were found, and ask for it."""
    (asked, outcomes), *others = found.items()
    whys = {mistake.name: mistake.why for mistake in known_to(exercise)}
    lines = [f"{situation(exercise, each)} {outcome}." for each, outcome in zip(inputs, outcomes, strict=True)]
    options = [(asked, whys[asked])]
    for name, other in others:
        telling = next(i for i, outcome in enumerate(other) if outcome != outcomes[i])
        options.append((name, f"With that mistake “{inputs[telling].words}” would give {other[telling]}."))
    text = "A function with one mistake was tried in these cases. Which mistake is it?"
    return _about(exercise, text, _choice(options, sample), listing(lines))


def _entry(exercise: Exercise, sample: Sampler) -> Question | None:
    """Ask for one entry of the right answer; a number that a mistake makes is answered with that mistake."""
    for effects in small_effects(exercise, sample):
        for place in sorted(sample.shuffled(_places(effects)), key=lambda place: not effects.right[place[0]][place[1]]):
            wrong = _wrong_numbers(effects, place)
            if len({mistake for mistake, _ in wrong}) > 1 and len(effects.worked(place)) <= LONGEST:
                return _asking_for(effects, place, wrong)
    return None


def _asking_for(effects: Effects, place: Spot, wrong: Sequence[tuple[str, float]]) -> Question:
    exercise, (result, position) = effects.exercise, place
    truth = float(effects.right[result][position])
    mistakes = tuple((mistake, effects.mistakes[mistake].why, number) for mistake, number in wrong)
    digits = "" if truth == round(truth) else " Two decimals are enough."
    text = f"Compute one entry of the right answer: {_in_words(exercise.results[result], position)}.{digits}"
    return _about(exercise, text, Entry(truth, NEAR, effects.worked(place), mistakes), arrays(effects.named))


def _places(effects: Effects) -> list[Spot]:
    """List where the right answer has a number; a mask has none."""
    return [
        (result, position)
        for result, array in enumerate(effects.right)
        for position in np.ndindex(array.shape)
        if array.dtype.kind in "iuf" and np.isfinite(array[position])
    ]


def _wrong_numbers(effects: Effects, place: Spot) -> list[tuple[str, float]]:
    """List what mistakes put in a place, each with its name, where nobody takes it for the right number."""
    result, position = place
    right = effects.right[result]
    numbers = [
        (name, float(answer[result][position]))
        for name, answers in effects.made.items()
        for answer in answers
        if not isinstance(answer, BaseException) and answer[result].shape == right.shape
    ]
    return [(name, number) for name, number in numbers if abs(number - float(right[position])) > 2 * NEAR]


def _in_words(result: str, position: tuple[int, ...]) -> str:
    """Say where an entry stands, counted from 1.

    >>> _in_words("weights", (1, 0)), _in_words("score", ())
    ('`weights[2,1]`, that is row 2, column 1', '`score`')
    """
    axes = ("table", "row", "column")[-len(position) :] if len(position) != 1 else ("number",)
    words = ", ".join(f"{axis} {i + 1}" for axis, i in zip(axes, position, strict=False))
    return f"`{label(result, *position)}`" + (f", that is {words}" if position else "")


def _words(mistake: Mistake) -> set[str]:
    return set(re.findall(r"\w{4,}", f"{mistake.name} {mistake.why}".lower()))


def _choice(options: Sequence[tuple[str, str]], sample: Sampler) -> Choice:
    """Make a choice of texts with reasons, in a drawn order, of which the first is right."""
    order = sample.shuffled(range(len(options)))
    drawn = {KEYS[place]: Option(*options[number]) for place, number in enumerate(order)}
    return Choice(KEYS[order.index(0)], drawn)

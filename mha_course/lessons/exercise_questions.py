"""Questions about one exercise that was tried: whatever they say is computed by its right answer and its mistakes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from mha_course.asking.kinds import Choice, Number, Option
from mha_course.asking.review_question import ReviewQuestion, of_choice
from mha_course.checking.compare import Arrays
from mha_course.checking.draws import Draw
from mha_course.checking.effects import Effects, can_be_shown, seen, small_effects
from mha_course.checking.evidence import Place
from mha_course.checking.exercise import Exercise, Inputs, Mistake
from mha_course.checking.recipe import known_to
from mha_course.checking.shapes import situation
from mha_course.notation.labels import label
from mha_course.pictures.arrays import arrays
from mha_course.pictures.forms import listing

OPTIONS = 4
KEYS = "abcd"
Outcomes = tuple[str, ...]  # what comes of a mistake, case by case
NEAR = 0.01  # of an answer to the true number, and to that of a mistake
CASES, TRIES = 4, 5  # of a question about cases: how many it shows, and how many choices of them are tried
DRAWS, MANY = 3, 10**6  # of the numbers behind cases: how many, out of how many
LONGEST_CASE = 130  # characters that tell a case
LONGEST = 90  # characters of the arithmetic of an entry that is asked for


def exercise_question(exercise: Exercise, seed: int, turn: int) -> ReviewQuestion:
    """Ask about an exercise. turn: how often that was done before; each time another kind of question comes.

    >>> from mha_course.lessons import catalogue
    >>> exercise_question(catalogue.exercises()["scaled_scores.dot"], seed=0, turn=0).text
    'A function with one mistake was given these inputs. Beside the right answer stands what it returned. Which
    mistake is it?'
    """
    draw = Draw(seed, crc32(exercise.name.encode()), turn)
    kinds = (_entry, _diagnosis, _cases, _result, _reason)
    first = crc32(exercise.name.encode()) + turn
    asked = (kinds[(first + i) % len(kinds)](exercise, draw) for i in range(len(kinds)))
    return next(question for question in asked if question)


def _source(exercise: Exercise) -> str:
    return f"Exercise {exercise.number}, {exercise.title}"


def _reason(exercise: Exercise, draw: Draw) -> ReviewQuestion:
    """Give the reason that a check tells with a mistake, and ask for the mistake.

    The others are those whose reasons speak of other things, so that the reason fits none of them.
    """
    asked, *others = _shuffled(known_to(exercise), draw)
    others = sorted(others, key=lambda other: len(_words(asked) & _words(other)))[: OPTIONS - 1]
    options = [(asked.name, "That is what a check says of it.")]
    options += [(each.name, f"Of that mistake a check says: “{each.why}”") for each in others]
    text = f"A check says of a function: “{asked.why}” Which mistake does the function make?"
    return of_choice(exercise.name, _source(exercise), text, *_choice(options, draw))


def _diagnosis(exercise: Exercise, draw: Draw) -> ReviewQuestion | None:
    """Show what a function with one mistake makes of an input, and ask for the mistake."""
    for effects in _shuffled(small_effects(exercise, draw), draw):
        made = _told_apart(effects, draw)
        if len(made) < OPTIONS or len(exercise.results) > 1:
            continue
        (asked, (returned,)), *others = made.items()
        options = [(asked, effects.mistakes[asked].why)]
        options += [(name, f"With that mistake it would return `{seen(answer)}` here.") for name, answer in others]
        result = exercise.results[0]
        shown = arrays(effects.named | {f"right {result}": effects.right[0], f"returned {result}": returned})
        text = (
            "A function with one mistake was given these inputs. Beside the right answer stands what it returned. "
            "Which mistake is it?"
        )
        return of_choice(exercise.name, _source(exercise), text, *_choice(options, draw), shown)
    return None


def _result(exercise: Exercise, draw: Draw) -> ReviewQuestion | None:
    """Name a mistake, and ask what it makes of an input."""
    for effects in _shuffled(small_effects(exercise, draw), draw):
        made = _told_apart(effects, draw)
        if len(made) < OPTIONS - 1:
            continue
        asked, *others = list(made)[: OPTIONS - 1]
        options = [
            (f"`{seen(made[asked])}`", effects.mistakes[asked].why),
            (f"`{seen(effects.right)}`", "That is right: here the mistake would not be seen."),
            *((f"`{seen(made[each])}`", f"That comes of another mistake: “{each}”") for each in others),
        ]
        text = f"A function makes this mistake: “{asked}” Which of these can it return for this input?"
        return of_choice(exercise.name, _source(exercise), text, *_choice(options, draw), arrays(effects.named))
    return None


def _cases(exercise: Exercise, draw: Draw) -> ReviewQuestion | None:
    """Tell in which cases a function with one mistake is right and in which it is not, and ask for the mistake."""
    drawn = [[Effects(exercise, each) for each in exercise.inputs(draw.whole(0, MANY))] for _ in range(DRAWS)]
    short = [i for i, each in enumerate(drawn[0]) if len(situation(exercise, each.inputs)) <= LONGEST_CASE]
    for _ in range(TRIES):
        chosen = sorted(_shuffled(short, draw)[:CASES])
        found = _told_apart_by_cases([[cases[i] for i in chosen] for cases in drawn], draw)
        if len(found) == OPTIONS:
            return _asking_about(exercise, [drawn[0][i].inputs for i in chosen], found, draw)
    return None


def _asking_about(
    exercise: Exercise, inputs: Sequence[Inputs], found: Mapping[str, Outcomes], draw: Draw
) -> ReviewQuestion:
    """Show what comes of the inputs by the first of the mistakes that were found, and ask for it."""
    (asked, outcomes), *others = found.items()
    whys = {mistake.name: mistake.why for mistake in known_to(exercise)}
    lines = [f"{situation(exercise, each)} {outcome}." for each, outcome in zip(inputs, outcomes, strict=True)]
    options = [(asked, whys[asked])]
    for name, other in others:
        telling = next(i for i, outcome in enumerate(other) if outcome != outcomes[i])
        options.append((name, f"With that mistake “{inputs[telling].words}” would give {other[telling]}."))
    text = "A function with one mistake was tried in these cases. Which mistake is it?"
    return of_choice(exercise.name, _source(exercise), text, *_choice(options, draw), listing(lines))


def _entry(exercise: Exercise, draw: Draw) -> ReviewQuestion | None:
    """Ask for one entry of the right answer; a number that a mistake makes is answered with that mistake."""
    for effects in small_effects(exercise, draw):
        for place in sorted(_shuffled(_places(effects), draw), key=lambda place: not effects.right[place[0]][place[1]]):
            wrong = _wrong_numbers(effects, place)
            if len({mistake for mistake, _ in wrong}) > 1 and len(effects.worked(place)) <= LONGEST:
                return _asking_for(effects, place, wrong)
    return None


def _asking_for(effects: Effects, place: Place, wrong: Sequence[tuple[str, float]]) -> ReviewQuestion:
    exercise, (result, position) = effects.exercise, place
    truth, worked = float(effects.right[result][position]), f"`{effects.worked(place)}`"

    def explained(answer: float) -> list[str]:
        return list(dict.fromkeys(mistake for mistake, number in wrong if abs(number - answer) <= NEAR))

    def told(answer: float) -> str:
        if abs(answer - truth) <= NEAR:
            return f"{worked}."
        if not (names := explained(answer)):
            return f"No mistake that is known here gives that. Right is {worked}."
        also = f" The same number comes from this, too: “{names[1]}”" if len(names) > 1 else ""
        return f"“{names[0]}” {effects.mistakes[names[0]].why}{also} Right is {worked}."

    digits = "" if truth == round(truth) else " Two decimals are enough."
    text = f"Compute one entry of the right answer: {_in_words(exercise.results[result], position)}.{digits}"
    return ReviewQuestion(
        exercise.name, _source(exercise), text, Number(NEAR), truth, told, arrays(effects.named),
        lambda answer: next(iter(explained(answer)), "") if abs(answer - truth) > NEAR else "",
    )  # fmt: skip


def _places(effects: Effects) -> list[Place]:
    """List where the right answer has a number; a mask has none."""
    return [
        (result, position)
        for result, array in enumerate(effects.right)
        for position in np.ndindex(array.shape)
        if array.dtype.kind in "iuf" and np.isfinite(array[position])
    ]


def _wrong_numbers(effects: Effects, place: Place) -> list[tuple[str, float]]:
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


def _told_apart(effects: Effects, draw: Draw) -> dict[str, Arrays]:
    """Choose at most four mistakes that make different things of an input, none of them the right answer.

    Returns the name of each with what it makes: that of the first in a drawn order, and of others like it in shape.
    """
    if not can_be_shown(effects.right):
        return {}
    seen_of = {name: set(map(seen, answers)) for name, answers in effects.made.items()}
    right, shown = seen(effects.right), dict[str, Arrays]()
    for name in _shuffled(list(seen_of), draw):
        fitting = [answer for answer in effects.made[name] if can_be_shown(answer)]
        if fitting and right not in seen_of[name]:
            shown[name] = _shuffled(fitting, draw)[0]
    shapes = {name: [array.shape for array in answer] for name, answer in shown.items()}
    first = next(iter(shapes.values()), None)
    return {name: shown[name] for name in _apart(seen_of, sorted(shown, key=lambda name: shapes[name] != first))}


def _told_apart_by_cases(draws: Sequence[Sequence[Effects]], draw: Draw) -> dict[str, Outcomes]:
    """Choose at most four mistakes that never do the same in all of these cases, whatever numbers are drawn for them.

    draws: the same cases with other numbers. Returns the name of each with what comes of it in the first draw; the
    first of them is not the same in all cases.
    """
    looks: dict[str, list[Outcomes]] = {name: [] for name in draws[0][0].mistakes}
    for cases in draws:
        for name, seen_so_far in looks.items():
            answers = zip(*(each.made[name] for each in cases), strict=True)
            seen_so_far += [tuple(map(Effects.outcome, cases, each)) for each in answers]
    names = _shuffled([name for name, outcomes in looks.items() if outcomes], draw)
    telling = [name for name in names if len(set(looks[name][0])) > 1][:1]
    order = [*telling, *(name for name in names if name not in telling)]
    return {name: looks[name][0] for name in _apart(looks, order)} if telling else {}


def _apart(looks: Mapping[str, Iterable[object]], order: Iterable[str]) -> list[str]:
    """Take at most four names, the first that can be, no two of which can look the same."""
    chosen: list[str] = []
    for name in order:
        if len(chosen) < OPTIONS and all(set(looks[name]).isdisjoint(looks[other]) for other in chosen):
            chosen.append(name)
    return chosen


def _words(mistake: Mistake) -> set[str]:
    return set(re.findall(r"\w{4,}", f"{mistake.name} {mistake.why}".lower()))


def _choice(options: Sequence[tuple[str, str]], draw: Draw) -> tuple[Choice, str]:
    """Make a choice of texts with reasons, in a drawn order, and return the key of the first, which is right."""
    order = _shuffled(range(len(options)), draw)
    drawn = {KEYS[place]: Option(*options[number]) for place, number in enumerate(order)}
    return Choice(drawn), KEYS[order.index(0)]


def _shuffled(items: Sequence[Any], draw: Draw) -> list[Any]:
    return [items[i] for i in draw.generator.permutation(len(items))]

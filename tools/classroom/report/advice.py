"""What a teacher can do about a mistake: what to say, and two minutes for the room."""

from dataclasses import dataclass
from zlib import crc32

from classroom import teaching

from mha_course.engine.checking.effects import can_be_shown, seen, small_effects
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import known_to
from mha_course.engine.pictures.arrays import arrays
from mha_course.engine.pictures.picture import Picture

FIRST, SECOND = "A", "B"
DECIMALS = 4  # of a single number
ASK = (
    "A function for exercise {number} got these inputs. One of the two answers is right, the other comes from the "
    "mistake. In pairs: which is which? Find one number that shows it, and compute that one alone."
)
KEY = "{right} is right. {wrong} comes from the mistake. {why}"
INVENT = (
    "In pairs: invent an input for exercise {number} for which this mistake changes nothing, or say why there is "
    "none. Whoever has one writes it on the board."
)


@dataclass(frozen=True)
class Advice:
    """say: in Markdown, of the teacher's notes where they speak of the mistake, else what the check says.

    ask: a task for two minutes, shown: what it is about, or nothing. key: its answer, or nothing.
    """

    say: str
    ask: str
    shown: Picture | None = None
    key: str = ""


def advice(tally):
    """Return what to say about a mistake, and a task that takes the exercise in which it was made most."""
    exercise = tally.exercises[0]
    mistake = next(each for each in known_to(exercise) if each.name == tally.name)
    say = _note(tally) or mistake.why
    shown = _side_by_side(exercise, tally.name)
    if shown is None:
        return Advice(say, INVENT.format(number=exercise.number))
    picture, right, wrong = shown
    key = KEY.format(right=right, wrong=wrong, why=mistake.why)
    return Advice(say, ASK.format(number=exercise.number), picture, key)


def _note(tally):
    """Return the teacher's note that names a mistake in bold, from the lesson of one of its exercises."""
    for lesson in dict.fromkeys(each.name.partition(".")[0] for each in tally.exercises):
        for line in teaching.notes(lesson).splitlines():
            if line.startswith("- ") and f"**{tally.name}**" in line:
                return line.removeprefix("- ").removeprefix(f"**{tally.name}** ")
    return ""


def _side_by_side(exercise, name):
    """Draw a small input, the right answer and what the mistake makes of it, in an order that tells nothing.

    Returns the picture and the two letters, that of the right answer first; None if no small input shows the mistake.
    """
    draw = Sampler(crc32(f"{exercise.name} {name}".encode()))
    for effects in small_effects(exercise, draw):
        wrong = [each for each in effects.made[name] if can_be_shown(each) and _is_like(each, effects.right)]
        if wrong and can_be_shown(effects.right):
            letters = draw.shuffled([FIRST, SECOND])
            answers = dict(sorted(zip(letters, (effects.right, wrong[0]), strict=True)))
            return arrays(effects.named | _named(exercise, answers)), *letters
    return None


def _is_like(wrong, right):
    """Whether two answers have one shape, and are not written alike."""
    return seen(wrong) != seen(right) and all(a.shape == b.shape for a, b in zip(wrong, right, strict=True))


def _named(exercise, answers):
    return {
        f"{letter}: {result}": array if array.ndim or array.dtype == bool else array.round(DECIMALS)
        for letter, answer in answers.items()
        for result, array in zip(exercise.results, answer, strict=True)
    }

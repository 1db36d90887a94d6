"""Chooses mistakes of an exercise that cannot be taken for each other, so that a question about them has one answer."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from mha_course.engine.checking.compare import Arrays
from mha_course.engine.checking.effects import Effects, can_be_shown, seen
from mha_course.engine.checking.sampler import Sampler

MOST = 4  # that are set side by side
Outcomes = tuple[str, ...]  # what comes of a mistake, case by case


def told_apart(effects: Effects, sample: Sampler) -> dict[str, Arrays]:
    """Choose at most four mistakes that make different things of an input, none of them the right answer.

    Returns the name of each with what it makes: that of the first in a drawn order, and of others like it in shape.
    """
    if not can_be_shown(effects.right):
        return {}
    seen_of = {name: set(map(seen, answers)) for name, answers in effects.made.items()}
    right, shown = seen(effects.right), dict[str, Arrays]()
    for name in sample.shuffled(list(seen_of)):
        fitting = [answer for answer in effects.made[name] if can_be_shown(answer)]
        if fitting and right not in seen_of[name]:
            shown[name] = sample.shuffled(fitting)[0]
    shapes = {name: [array.shape for array in answer] for name, answer in shown.items()}
    first = next(iter(shapes.values()), None)
    return {name: shown[name] for name in _apart(seen_of, sorted(shown, key=lambda name: shapes[name] != first))}


def told_apart_by_cases(draws: Sequence[Sequence[Effects]], sample: Sampler) -> dict[str, Outcomes]:
    """Choose at most four mistakes that never do the same in all of these cases, whatever numbers are drawn for them.

    draws: the same cases with other numbers. Returns the name of each with what comes of it in the first draw. The
    first of them does the same in every draw, so the sizes alone tell it, but not the same in every case.
    """
    looks: dict[str, list[list[Outcomes]]] = {  # one list a draw, in which each way has its outcomes
        name: [list(zip(*(each.outcomes[name] for each in cases), strict=True)) for cases in draws]
        for name, made in draws[0][0].made.items()
        if made
    }
    first = {name: [variants[0] for variants in drawn] for name, drawn in looks.items()}
    names = sample.shuffled(list(looks))
    telling = [name for name in names if len(set(first[name])) == 1 < len(set(first[name][0]))][:1]
    order = [*telling, *(name for name in names if name not in telling)]
    chosen = _apart({name: list(chain(*drawn)) for name, drawn in looks.items()}, order) if telling else []
    return {name: first[name][0] for name in chosen}


def _apart(looks: Mapping[str, Iterable[object]], order: Iterable[str]) -> list[str]:
    """Take at most four names, the first that can be, no two of which can look the same."""
    chosen: list[str] = []
    for name in order:
        if len(chosen) < MOST and all(set(looks[name]).isdisjoint(looks[other]) for other in chosen):
            chosen.append(name)
    return chosen

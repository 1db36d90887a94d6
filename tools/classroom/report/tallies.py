"""Which mistakes the class made most."""

from collections import Counter
from dataclasses import dataclass
from functools import cache

from the_course import CATALOGUE

from mha_course.engine.checking.exercise import Exercise
from mha_course.engine.checking.solution import known_to

ARRANGED = ".arranged"  # behind an exercise's name where its lines were put in order


@dataclass(frozen=True)
class Tally:
    """One mistake: how many students made it, how often, and in which exercises, where it was made most first.

    still: how many of the students have not got past it: they made it in the last try of what is not right yet.
    """

    name: str
    students: int
    times: int
    still: int
    exercises: tuple[Exercise, ...]


def tallies(events, standings):
    """Count the mistakes in what was checked, and in lines that were arranged; the one that most made comes first.

    events, standings: by student. Names that no check of this version knows are left out.
    """
    made = {}  # mistake -> (student, exercise) -> how often
    for student, each in events.items():
        for event in each:
            exercise = event.name.removesuffix(ARRANGED)
            for name in set(event.mistakes) & known(exercise) if event.kind == "mistake" else ():
                made.setdefault(name, Counter())[student, exercise] += 1
    counted = [_tally(name, counts, standings) for name, counts in made.items()]
    return sorted(counted, key=lambda tally: (-tally.students, -tally.times, tally.name))


def _tally(name, counts, standings):
    students = {student for student, _ in counts}
    still = [each for each in students if any(name in standing.mistakes for standing in standings[each].values())]
    where = Counter()
    for (_, exercise), times in counts.items():
        where[exercise] += times
    exercises = tuple(CATALOGUE.exercises[each] for each, _ in where.most_common())
    return Tally(name, len(students), counts.total(), len(still), exercises)


@cache
def known(exercise):
    """Return the names of the mistakes that an exercise knows; none if there is no such exercise."""
    found = CATALOGUE.exercises.get(exercise)
    return {mistake.name for mistake in known_to(found)} if found else set()

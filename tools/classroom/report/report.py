"""All that the page says of a class, computed and not yet drawn."""

from dataclasses import dataclass
from datetime import date

from classroom.report.advice import Advice, advice
from classroom.report.prediction_tables import Histogram, Recall, histograms, recalls
from classroom.report.standing import Standing, standings
from classroom.report.tallies import Tally, tallies
from classroom.report.whose import pseudonyms

from mha_course.engine.notation.counts import counted
from mha_course.engine.progress.spacing import day_of

MOST_ADVICE = 6  # mistakes to which a lesson can come back


@dataclass(frozen=True)
class Report:
    """What is known of a class. names: student -> as shown, in the order of the rows. standings: by student."""

    day: date
    since: date
    names: dict[str, str]
    standings: dict[str, dict[str, Standing]]
    tallies: list[Tally]
    advice: list[Advice]  # on the first of them
    histograms: list[Histogram]
    recalls: list[Recall]
    warnings: list[str]


def report(found, day, since=date.min, with_names=False):
    """Compute everything. found: what was handed in. day: today.

    since: the day from which mistakes and predictions count; those without a time always do.
    """
    names = {student: student for student in sorted(found.events)} if with_names else pseudonyms(found.events)
    stands = {student: standings(found.events[student]) for student in names}
    lately = {student: [each for each in events if _is_late(each, since)] for student, events in found.events.items()}
    made = tallies(lately, stands)
    told = [advice(tally) for tally in made[:MOST_ADVICE]]
    asked, again = histograms(lately), recalls(found.events, day)
    return Report(day, since, names, stands, made, told, asked, again, _told(found.warnings, with_names))


def _is_late(event, since):
    return not event.time or day_of(event) >= since


def _told(warnings, with_names):
    """Return the warnings for the page: the paths of files tell names."""
    summary = f"{counted(len(warnings), 'file')} could not be read, or not as a whole: make class-report says which."
    return warnings if with_names or not warnings else [summary]

"""How far the learner is, lesson by lesson."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from mha_course.engine.asking.question import Task
from mha_course.engine.checking.exercise import Exercise
from mha_course.engine.course.lesson import Lesson
from mha_course.engine.pictures.overview import Link, OverviewRow, draw_overview
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.progress.event import StoredAnswer
from mha_course.engine.progress.progress import Progress

CAPTION = "How far you are"
APART = "Numbers after a + are for optional work, which is not on the core path."
COLUMNS = ("lesson", "exercises", "predictions", "recall", "next")


def overview(lessons: Iterable[Lesson], progress: Progress, is_due: str) -> Picture:
    """Show for each lesson what is done, with a link to the next exercise.

    What lies beside the core path is counted apart, and comes last in a lesson. is_due: a sentence on what comes back
    in a review; "" where nothing was met.
    """
    solved, answers = progress.solved(), progress.answers()
    lessons = list(lessons)
    rows = [_row(lesson, solved, answers) for lesson in lessons]
    apart = APART if any(lesson.optional for lesson in lessons) else ""
    return draw_overview(CAPTION, COLUMNS, rows, [*filter(None, [apart, is_due]), *progress.notices()])


def cell_of(exercise: Exercise) -> str:
    """Return the id of the cell that an exercise begins with; JupyterLab finds no heading with a · in it."""
    return f"exercise-{exercise.name.partition('.')[2].replace('_', '-')}"


def cell_of_task(name: str) -> str:
    """Return the id of the cell that sets a task.

    >>> cell_of_task("weighted_sums.by-hand")
    'practise-by-hand'
    """
    return f"practise-{name.partition('.')[2]}"


def _row(lesson: Lesson, solved: Collection[str], answers: Mapping[str, StoredAnswer]) -> OverviewRow:
    """Say of a lesson what is done of its three kinds of work, and which exercise or task is the first still open."""
    links = {exercise.name: _link(lesson, exercise) for exercise in lesson.exercises}
    links |= {name: _link_to_task(lesson, name, task) for name, task in lesson.tasks.items()}
    is_done = {name: name in solved for name in links}
    predictions = {name: name in answers for name in lesson.predictions}
    questions = {name: answers.get(name) == each.truth() for name, each in lesson.quiz.items()}
    is_open = [name for name in links if not is_done[name]]
    core_first = sorted(is_open, key=lambda name: name in lesson.optional)
    following = next((_announced(links[name], name in lesson.optional) for name in core_first), None)
    counts = [_shares(done, lesson.optional) for done in (is_done, predictions, questions)]
    return OverviewRow(Link(lesson.heading, lesson.notebook), counts, following)


def _shares(done: Mapping[str, bool], optional: Collection[str]) -> str:
    core = [is_done for name, is_done in done.items() if name not in optional]
    apart = [is_done for name, is_done in done.items() if name in optional]
    return " + ".join([_share(core), *([_share(apart)] if apart else [])])


def _share(done: Sequence[bool]) -> str:
    return f"{sum(done)} of {len(done)}" if done else "–"


def _announced(link: Link, is_optional: bool) -> Link:
    if not is_optional:
        return link
    return replace(link, text=f"{link.text}, optional", long=f"{link.long} (optional)")


def _link(lesson: Lesson, exercise: Exercise) -> Link:
    name = f"Exercise {exercise.number}"
    return Link(name, f"{lesson.notebook}#cell-id={cell_of(exercise)}", f"{name} · {exercise.title}")


def _link_to_task(lesson: Lesson, name: str, task: Task) -> Link:
    return Link(task.title, f"{lesson.notebook}#cell-id={cell_of_task(name)}", f"By hand · {task.title}")

"""How far the learner is, lesson by lesson."""

from collections.abc import Iterable
from html import escape

from mha_course.checking.exercise import Exercise
from mha_course.learner.progress import Progress
from mha_course.lessons.lesson import Lesson
from mha_course.pictures.picture import Picture

CAPTION = "How far you are"
LEFT = 'style="text-align:left"'
COLUMNS = ("lesson", "exercises", "predictions", "recall", "next")


def overview(lessons: Iterable[Lesson], progress: Progress) -> Picture:
    """Show for each lesson what is done, with a link to the next exercise."""
    rows = [_row(lesson, progress) for lesson in lessons]
    told = [*progress.notices(), *(_about(path, progress) for path in progress.set_aside())]
    head = "".join(f'<th scope="col" {LEFT}>{column}</th>' for column in COLUMNS)
    body = "\n".join(_html(*row) for row in rows)
    paragraphs = "".join(f"\n<p>{escape(sentence)}</p>" for sentence in told)
    html = (
        f"<table>\n<caption>{CAPTION}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        f"{paragraphs}"
    )
    return Picture(html, "\n".join([f"{CAPTION}:", *(_text(*row) for row in rows), *told]))


def cell_of(exercise: Exercise) -> str:
    """Return the id of the cell that an exercise begins with; JupyterLab finds no heading with a · in it."""
    return f"exercise-{exercise.name.partition('.')[2].replace('_', '-')}"


def _row(lesson, progress):
    """Return a lesson, what is done of its three kinds of work, and its first exercise that is still open."""
    solved, predicted, answered = (progress.recorded(kind) for kind in ("solved", "predicted", "answered"))
    is_done = {exercise.name: exercise.name in solved for exercise in lesson.exercises}
    predictions = {name: name in predicted for name in lesson.predictions}
    questions = {name: answered.get(name) == each.truth() for name, each in lesson.quiz.items()}
    following = next((exercise for exercise in lesson.exercises if not is_done[exercise.name]), None)
    return lesson, [_of(done) for done in (is_done, predictions, questions)], following


def _of(done):
    return f"{sum(done.values())} of {len(done)}" if done else "–"


def _html(lesson, counts, following):
    exercise = "–"
    if following:
        link = f"{lesson.notebook}#cell-id={cell_of(following)}"
        exercise = f'<a href="{link}">{f"Exercise {following.number}"}</a>'
    cells = "".join(f"<td {LEFT}>{count}</td>" for count in counts)
    link = f'<a href="{lesson.notebook}">{escape(lesson.heading)}</a>'
    return f'<tr><th scope="row" {LEFT}>{link}</th>{cells}<td {LEFT}>{exercise}</td></tr>'


def _text(lesson, counts, following):
    words = ", ".join(f"{column} {count}" for column, count in zip(COLUMNS[1:4], counts, strict=True))
    return f"{lesson.heading}: {words}" + (f"; next: {_heading(following)}" if following else "")


def _heading(exercise):
    return f"Exercise {exercise.number} · {exercise.title}"


def _about(path, progress):
    return f"{path.name} is a copy of {progress.file().name} with damaged lines. Delete it when you no longer need it."

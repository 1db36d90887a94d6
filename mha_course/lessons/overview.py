"""How far the learner is, lesson by lesson."""

from collections.abc import Collection, Iterable, Mapping

from mha_course.checking.exercise import Exercise
from mha_course.learner.event import Answer
from mha_course.learner.progress import Progress
from mha_course.lessons.lesson import Lesson
from mha_course.pictures import markup
from mha_course.pictures.picture import Picture

CAPTION = "How far you are"
COLUMNS = ("lesson", "exercises", "predictions", "recall", "next")
Row = tuple[Lesson, list[str], Exercise | None]  # a lesson, its three counts, the exercise that is next


def overview(lessons: Iterable[Lesson], progress: Progress) -> Picture:
    """Show for each lesson what is done, with a link to the next exercise."""
    solved, answers = progress.solved(), progress.answers()
    rows = [_row(lesson, solved, answers) for lesson in lessons]
    told = progress.notices()
    head = markup.row(map(markup.column_header, COLUMNS))
    table = markup.table(CAPTION, [_drawn(*row) for row in rows], head)
    html = markup.joined([table, *map(markup.paragraph, told)], "\n")
    return Picture(html, "\n".join([f"{CAPTION}:", *(_text(*row) for row in rows), *told]))


def cell_of(exercise: Exercise) -> str:
    """Return the id of the cell that an exercise begins with; JupyterLab finds no heading with a · in it."""
    return f"exercise-{exercise.name.partition('.')[2].replace('_', '-')}"


def _row(lesson: Lesson, solved: Collection[str], answers: Mapping[str, Answer]) -> Row:
    """Return a lesson, what is done of its three kinds of work, and its first exercise that is still open."""
    is_done = {exercise.name: exercise.name in solved for exercise in lesson.exercises}
    predictions = {name: name in answers for name in lesson.predictions}
    questions = {name: answers.get(name) == each.truth() for name, each in lesson.quiz.items()}
    following = next((exercise for exercise in lesson.exercises if not is_done[exercise.name]), None)
    return lesson, [_share(done) for done in (is_done, predictions, questions)], following


def _share(done: Mapping[str, bool]) -> str:
    return f"{sum(done.values())} of {len(done)}" if done else "–"


def _drawn(lesson: Lesson, counts: Iterable[str], following: Exercise | None) -> markup.Markup:
    exercise = "–"
    if following:
        exercise = markup.link(f"Exercise {following.number}", f"{lesson.notebook}#cell-id={cell_of(following)}")
    cells = [markup.cell(content, style=markup.LEFT) for content in (*counts, exercise)]
    return markup.row([markup.row_header(markup.link(lesson.heading, lesson.notebook)), *cells])


def _text(lesson: Lesson, counts: Iterable[str], following: Exercise | None) -> str:
    words = ", ".join(f"{column} {count}" for column, count in zip(COLUMNS[1:4], counts, strict=True))
    return f"{lesson.heading}: {words}" + (f"; next: {_heading(following)}" if following else "")


def _heading(exercise: Exercise) -> str:
    return f"Exercise {exercise.number} · {exercise.title}"

"""How far the learner is: what the progress file says, lesson by lesson."""

from html import escape

from mha_course.exercises.catalogue import EXERCISES
from mha_course.pictures.picture import Picture
from mha_course.progress import file, notices, recorded, set_aside
from mha_course.questions.lessons import LESSONS, lesson_of
from mha_course.questions.predictions import PREDICTIONS
from mha_course.questions.quizzes import QUIZZES

CAPTION = "How far you are"
LEFT = 'style="text-align:left"'
COLUMNS = ("lesson", "exercises", "predictions", "recall", "next")


def how_far():
    """Show for each lesson what is done, with a link to the next exercise.

    >>> print(how_far().text.splitlines()[1])
    0 · Start here: exercises –, predictions 0 of 2, recall 0 of 5
    """
    rows = [_row(word) for word in LESSONS]
    told = [*notices(), *(_about(path) for path in set_aside())]
    head = "".join(f'<th scope="col" {LEFT}>{column}</th>' for column in COLUMNS)
    body = "\n".join(_html(*row) for row in rows)
    paragraphs = "".join(f"\n<p>{escape(sentence)}</p>" for sentence in told)
    html = (
        f"<table>\n<caption>{CAPTION}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        f"{paragraphs}"
    )
    return Picture(html, "\n".join([f"{CAPTION}:", *(_text(*row) for row in rows), *told]))


def cell_of(exercise):
    """Return the id of the cell that an exercise begins with; JupyterLab finds no heading with a · in it.

    >>> cell_of(EXERCISES["scores.products"])
    'exercise-products'
    """
    return f"exercise-{exercise.name.partition('.')[2].replace('_', '-')}"


def _row(word):
    """Return a lesson, what is done of its three kinds of work, and its first exercise that is still open."""
    exercises = [exercise for exercise in EXERCISES.values() if lesson_of(exercise.name) == word]
    solved, predicted, answered = (recorded(kind) for kind in ("solved", "predicted", "answered"))
    is_done = {exercise.name: exercise.name in solved for exercise in exercises}
    predictions = {name: name in predicted for name in PREDICTIONS if lesson_of(name) == word}
    questions = {name: answered.get(name) == each.truth() for name, each in QUIZZES[word].items()}
    following = next((exercise for exercise in exercises if not is_done[exercise.name]), None)
    return LESSONS[word], [_of(done) for done in (is_done, predictions, questions)], following


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


def _about(path):
    return f"{path.name} is a copy of {file().name} with damaged lines. Delete it when you no longer need it."

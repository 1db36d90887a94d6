"""Which of a lesson's questions stand on its sheet: as many as ten minutes hold, by the course's own rule of time."""

import re
from functools import cache

from minutes import reading
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from the_course import CATALOGUE

from mha_course.engine.asking.question import Task

MINUTES = 10
NEED_NOTHING = (  # predictions that can be answered without the notebook around them
    "start_here.how-many-shares", "inputs.flat-minus-column", "inputs.token-count", "queries_keys_values.changed-row",
    "queries_keys_values.shape-of-values", "masks.first-token", "masks.how-many", "what_a_head_does.parameters",
    "what_a_head_does.second-part", "stacks.english-token", "stacks.signal", "find_the_bug.shapes-alone",
    "learning.passes", "learning.first-to-learn", "heads_that_learn.which-place", "heads_that_learn.other-lengths",
    "real_model.same-distance", "real_model.loss-without-mask", "five_treatments.size-of-scores",
    "five_treatments.other-half",
)  # fmt: skip


@cache  # the sheet and its key ask the same
def chosen(lesson):
    """Return what is asked on a lesson's sheet, by name: questions, predictions, and a task on paper at the end."""
    predictions = {name: lesson.predictions[name] for name in NEED_NOTHING if name in lesson.predictions}
    tasks = {name: task for name, task in lesson.tasks.items() if len(task.parts) == 1}  # a later part tells the first
    later = {name: each for name, each in CATALOGUE.questions.items() if each.about == lesson.name}
    taken = {}
    for name, asked in (tasks | lesson.quiz | predictions | later).items():
        if minutes({**taken, name: asked}) <= MINUTES:
            taken[name] = asked
    return dict(sorted(taken.items(), key=lambda each: isinstance(each[1], Task)))


def minutes(asked):
    """Return how long questions take, in steps of five minutes, as the course counts a lesson's time."""
    cells = [cell for each in asked.values() for cell in _cells(each)]
    return reading(new_notebook(cells=cells))


def question_of(asked):
    """Return what a student has to answer: of a task its one part."""
    return asked.parts[0] if isinstance(asked, Task) else asked


def _cells(asked):
    """Write a question as a lesson would hold it: its words, and the call for which time to think is counted."""
    question = question_of(asked)
    call = "practise(…)" if isinstance(asked, Task) else "predict(…)"  # a question of a quiz takes as long
    return new_markdown_cell(" ".join([question.text, *question.kind.texts()])), new_code_cell(call)


def text_of(asked, lesson):
    """Return a question's words; it need not say that it is from a lesson on whose own sheet it stands."""
    text = re.sub(rf"^From lesson {lesson.number}: ", "", question_of(asked).text)
    return text[:1].upper() + text[1:]

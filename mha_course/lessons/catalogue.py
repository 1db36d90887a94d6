"""Everything that the lessons hold, by name."""

from functools import cache

from mha_course.asking.prediction import Prediction
from mha_course.asking.question import Question
from mha_course.asking.task import Task
from mha_course.checking.exercise import Exercise
from mha_course.checking.puzzle import Puzzle
from mha_course.lessons import LESSONS


@cache
def exercises() -> dict[str, Exercise]:
    """Return every exercise of the course, in the order of the lessons."""
    return {exercise.name: exercise for lesson in LESSONS.values() for exercise in lesson.exercises}


@cache
def predictions() -> dict[str, Prediction]:
    """Return every prediction of the course, in the order of the lessons."""
    return {name: prediction for lesson in LESSONS.values() for name, prediction in lesson.predictions.items()}


@cache
def questions() -> dict[str, Question]:
    """Return the questions of all quizzes, in the order of the lessons."""
    return {name: question for lesson in LESSONS.values() for name, question in lesson.quiz.items()}


@cache
def puzzles() -> dict[str, Puzzle]:
    """Return the answers in lines by the names of their exercises, in the order of the lessons."""
    return {name: puzzle for lesson in LESSONS.values() for name, puzzle in lesson.puzzles.items()}


@cache
def tasks() -> dict[str, Task]:
    """Return every task of the course, in the order of the lessons."""
    return {name: task for lesson in LESSONS.values() for name, task in lesson.tasks.items()}

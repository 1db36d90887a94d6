"""Everything that the lessons of a course hold, by name."""

from collections.abc import Iterable
from functools import cached_property

from mha_course.engine.asking.question import Question, Task
from mha_course.engine.checking.exercise import Exercise
from mha_course.engine.checking.puzzle import Puzzle
from mha_course.engine.course.lesson import Lesson


class Catalogue:
    """What is asked in some lessons, in their order."""

    def __init__(self, lessons: Iterable[Lesson]):
        """Begin with the lessons."""
        self.lessons = {lesson.name: lesson for lesson in lessons}

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        """Every exercise by name."""
        return {exercise.name: exercise for lesson in self.lessons.values() for exercise in lesson.exercises}

    @cached_property
    def predictions(self) -> dict[str, Question]:
        """Every prediction by name."""
        return {name: each for lesson in self.lessons.values() for name, each in lesson.predictions.items()}

    @cached_property
    def questions(self) -> dict[str, Question]:
        """The questions of all quizzes by name."""
        return {name: each for lesson in self.lessons.values() for name, each in lesson.quiz.items()}

    @cached_property
    def puzzles(self) -> dict[str, Puzzle]:
        """The answers in lines by the names of their exercises."""
        return {name: each for lesson in self.lessons.values() for name, each in lesson.puzzles.items()}

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """Every task on paper by name."""
        return {name: each for lesson in self.lessons.values() for name, each in lesson.tasks.items()}

    def lesson_of(self, name: str) -> Lesson:
        """Return the lesson to which the name of something in it belongs."""
        return self.lessons[name.partition(".")[0]]

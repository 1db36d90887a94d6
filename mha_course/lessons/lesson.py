"""What a lesson is: a number, a title, a notebook, and the exercises, questions and tasks in its folder."""

from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from mha_course.asking.prediction import Prediction
from mha_course.asking.question import Question
from mha_course.asking.task import Task
from mha_course.checking.exercise import Exercise
from mha_course.checking.puzzle import Puzzle


@dataclass(frozen=True)
class Lesson:
    """One lesson. name: of its folder, and of its notebook without the number."""

    number: int
    name: str
    title: str

    @property
    def heading(self) -> str:
        """The first line of the notebook."""
        return f"{self.number} · {self.title}"

    @property
    def notebook(self) -> str:
        """The file of the notebook."""
        return f"{self.number:02}_{self.name}.ipynb"

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """Its exercises, numbered in the order of the notebook."""
        exercises = self._part("exercises").EXERCISES
        return tuple(replace(each, number=f"{self.number}.{place}") for place, each in enumerate(exercises, 1))

    @cached_property
    def predictions(self) -> dict[str, Prediction]:
        """Its predictions by name."""
        return self._part("predictions").PREDICTIONS

    @cached_property
    def quiz(self) -> dict[str, Question]:
        """The questions at its end by name; from lesson 2 on, some are about earlier lessons."""
        return self._part("quiz").QUESTIONS

    @cached_property
    def puzzles(self) -> dict[str, Puzzle]:
        """The answers in lines, by the name of their exercise; not every lesson has one."""
        return self._part("puzzles").PUZZLES if self._has("puzzles") else {}

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """Its tasks by name; not every lesson has one."""
        return self._part("tasks").TASKS if self._has("tasks") else {}

    def _part(self, name: str) -> ModuleType:
        return import_module(self._module(name))

    def _has(self, name: str) -> bool:
        return find_spec(self._module(name)) is not None

    def _module(self, name: str) -> str:
        return f"mha_course.lessons.{self.name}.{name}"


def lessons(**titles: str) -> dict[str, Lesson]:
    """Number lessons in the order given: name -> `Lesson`.

    >>> lessons(start_here="Start here", inputs="Inputs")["inputs"].notebook
    '01_inputs.ipynb'
    """
    return {name: Lesson(number, name, title) for number, (name, title) in enumerate(titles.items())}

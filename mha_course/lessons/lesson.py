"""What a lesson is: a number, a title, a notebook, and the exercises and questions in its folder."""

from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from types import ModuleType

from mha_course.asking.prediction import Prediction
from mha_course.asking.question import Question
from mha_course.checking.exercise import Exercise


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

    def _part(self, name: str) -> ModuleType:
        return import_module(f"mha_course.lessons.{self.name}.{name}")


def lessons(**titles: str) -> dict[str, Lesson]:
    """Number lessons in the order given: name -> `Lesson`.

    >>> lessons(start_here="Start here", inputs="Inputs")["inputs"].notebook
    '01_inputs.ipynb'
    """
    return {name: Lesson(number, name, title) for number, (name, title) in enumerate(titles.items())}

"""What a lesson is: a number, a title, a notebook, and the exercises, questions and tasks that it asks."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from mha_course.engine.asking.question import Question, Task
from mha_course.engine.checking.exercise import Exercise
from mha_course.engine.checking.exercise_file import ExercisePage, MistakeFiles
from mha_course.engine.checking.exercise_text import read
from mha_course.engine.checking.puzzle import Puzzle

Content = TypeVar("Content")
Asked = TypeVar("Asked", Question, Task)
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Lesson:
    """One lesson. Each of its parts is given as it is, or as a function that makes it when it is first asked for.

    name: of its notebook, without the number; the names of all that it asks begin with it. quiz: the questions at its
    end; some may be about earlier lessons. puzzles: the answers in lines, by the name of their exercise. optional: the
    names of exercises, predictions and tasks that lie beside the core path.

    >>> lesson = Lesson("moving_averages", "Moving averages", number=2)
    >>> lesson.heading, lesson.notebook
    ('2 · Moving averages', '02_moving_averages.ipynb')
    """

    def __init__(
        self,
        name: str,
        title: str = "",
        *,
        number: int = 1,
        exercises: Sequence[Exercise] | Callable[[], Sequence[Exercise]] = (),
        predictions: Sequence[Question] | Callable[[], Sequence[Question]] = (),
        quiz: Sequence[Question] | Callable[[], Sequence[Question]] = (),
        puzzles: Mapping[str, Puzzle] | Callable[[], Mapping[str, Puzzle]] = NOTHING,
        tasks: Sequence[Task] | Callable[[], Sequence[Task]] = (),
        optional: Collection[str] = (),
    ):
        """Keep what the lesson is made of."""
        self.name, self.number = name, number
        self.title = title or name.replace("_", " ").capitalize()
        self._exercises, self._predictions, self._quiz = exercises, predictions, quiz
        self._puzzles, self._tasks = puzzles, tasks
        self.optional = frozenset(optional)

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
        exercises = _made(self._exercises)
        return tuple(replace(each, number=f"{self.number}.{place}") for place, each in enumerate(exercises, 1))

    @cached_property
    def predictions(self) -> Mapping[str, Question]:
        """Its predictions by name."""
        return _by_name(_made(self._predictions))

    @cached_property
    def quiz(self) -> Mapping[str, Question]:
        """The questions at its end by name."""
        return _by_name(_made(self._quiz))

    @cached_property
    def puzzles(self) -> Mapping[str, Puzzle]:
        """The answers in lines, by the name of their exercise."""
        return _made(self._puzzles)

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """Its tasks on paper by name."""
        return _by_name(_made(self._tasks))


def lessons_in(package: str, optional: Collection[str] = (), **titles: str) -> dict[str, Lesson]:
    """Return the lessons of a package that has a folder for each, numbered from 0 in the order given, by name.

    A folder may hold exercises.md, predictions.py with PREDICTIONS, quiz.py with QUESTIONS, puzzles.py with PUZZLES
    and tasks.py with TASKS. Each is read when it is first asked for. optional: the names
    of what lies beside the core path in all these lessons.

    >>> lessons_in("signals", first_steps="First steps", inputs="Inputs")["inputs"].notebook
    '01_inputs.ipynb'
    """
    return {
        name: _in_folder(package, optional, number, name, title) for number, (name, title) in enumerate(titles.items())
    }


def _in_folder(package: str, optional: Collection[str], number: int, name: str, title: str) -> Lesson:
    def part(module: str, holds: str) -> Callable[[], Any]:
        return partial(_imported, f"{package}.{name}.{module}", holds)

    return Lesson(
        name, title, number=number,
        exercises=partial(_exercises, f"{package}.{name}"),
        predictions=part("predictions", "PREDICTIONS"), quiz=part("quiz", "QUESTIONS"),
        puzzles=part("puzzles", "PUZZLES"), tasks=part("tasks", "TASKS"),
        optional=[each for each in optional if each.partition(".")[0] == name],
    )  # fmt: skip


@cache
def exercise_page(package: str) -> ExercisePage:
    """Return the file exercises.md of a lesson's folder, "course.lessons.lesson".

    What several exercises know stands in the files of a folder `mistakes` beside that of the lessons.
    """
    path = _text_of(package)
    return ExercisePage(read(path), _mistake_files(path.parents[2] / "mistakes"))


def _exercises(package: str) -> tuple[Exercise, ...]:
    return exercise_page(package).exercises() if _text_of(package).exists() else ()


def _text_of(package: str) -> Path:
    lessons, _, name = package.rpartition(".")
    return Path(import_module(lessons).__file__ or "").parent / name / "exercises.md"


@cache
def _mistake_files(folder: Path) -> MistakeFiles:
    return MistakeFiles(folder)


def _imported(module: str, holds: str) -> Any:
    return getattr(import_module(module), holds) if find_spec(module) else {}


def _by_name(asked: Iterable[Asked]) -> Mapping[str, Asked]:
    """Return what is asked by its name. Errors: `ValueError` for a name that two have."""
    found: dict[str, Asked] = {}
    for each in asked:
        if each.name in found:
            raise ValueError(f"{each.name}: two have this name.")
        found[each.name] = each
    return found


def _made(part: Content | Callable[[], Content]) -> Content:
    return part() if callable(part) else part

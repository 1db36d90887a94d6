"""The file of functions that a learner takes home: right answers to certain exercises, and the course's until then.

It lies beside the progress, and begins as the course's own version of it. What the learner changes in it stays: a text
that has to make room goes into a second file.
"""

import json
import os
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mha_course.engine.checking.diagnosis import Diagnosis
from mha_course.engine.checking.own_source import CannotBeKept, libraries, made_in, own_source
from mha_course.engine.identity import Identity
from mha_course.engine.progress.function_file import FunctionFile, Section
from mha_course.engine.progress.kept_texts import KeptTexts, write_whole
from mha_course.engine.progress.spacing import today

YOURS = "yours"
Functions = dict[str, Callable[..., object]]
Judge = Callable[[Callable[..., object]], Diagnosis]


class OwnFile:
    """The learner's file. Each function's name is "my_" and a word.

    identity: of the course. of_the_course: its own version, in which a heading stands above each function. number_of:
    gives the number of an exercise, by its name.
    """

    def __init__(self, identity: Identity, of_the_course: Path, number_of: Callable[[str], str]):
        """Begin with the course's version."""
        self._identity, self._texts = identity, KeptTexts(identity)
        text = of_the_course.read_text(encoding="utf-8")
        self.name, self._number, self._made_of = of_the_course.name, number_of, of_the_course
        self._the_courses, self._of_the_course = FunctionFile.read(text), _functions(text, of_the_course)
        self.exercise_of = {_function_of(each).removeprefix("my_"): each.name for each in self._the_courses.sections}
        self._read: tuple[str, Functions, str] = "", {}, ""

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Go into another process without the course."""
        numbers = {each: self._number(each) for each in self.exercise_of.values()}
        return OwnFile, (self._identity, self._made_of, numbers.__getitem__)

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._identity.progress_file.with_name(self.name)

    @property
    def earlier(self) -> Path:
        """Where what had to make room lies."""
        return self.path.with_stem(f"{self.path.stem}_earlier")

    def function(self, word: str) -> Callable[..., object]:
        """Return the file's function, or the course's as long as there is none that can be read."""
        there, _ = self._now()
        return there.get(f"my_{word}", self._of_the_course[f"my_{word}"])

    def shapes(self, word: str) -> str:
        """Return the shapes that a function takes and gives, as the course's version says them."""
        return self._the_courses.get(self.exercise_of[word]).shapes.removeprefix("# ")

    def whose(self, word: str) -> str:
        """Say in a few words whose a function is."""
        name = self.exercise_of[word]
        if self.problem():
            return "the course's, until that line is mended"
        file = self._file()
        if name not in file.names or not file.get(name).whose.startswith(YOURS):
            return f"the course's, until exercise {self._number(name)} is right"
        section = file.get(name)
        if section.body != self._as_written().get(name, section.body):
            return f"yours, changed by hand since its check (line {section.line} of {self.name})"
        return YOURS

    def listing(self) -> str:
        """Return the learner's functions one below the other, and of the others what they are called with."""
        sections = [each for each in self._file().sections if each.name in self._the_courses.names]
        own = [each.body for each in sections if each.whose.startswith(YOURS)]
        lines = sum(bool(line.strip()) for body in own for line in body.splitlines())
        count = f"Yours so far: {len(own)} of {len(sections)} functions, {lines} lines."
        return "\n\n".join([count, *(each.body if each.body in own else self._head(each) for each in sections)])

    def _head(self, section: Section) -> str:
        head = section.body.partition(":\n")[0]
        return f"{head}: ...  # the course's, until exercise {self._number(section.name)} is right"

    def problem(self) -> str:
        """Say what keeps the file from being read, by its line; empty if nothing does."""
        _, problem = self._now()
        return problem

    def keep(self, exercise: str, function: Callable[..., object], judge: Judge, words: object) -> list[str]:
        """Keep an answer that was right, if the file has a place for it. Return what there is to say of it.

        judge: judges the function once more, as it stands in the file. words: what notebooks call its functions by.
        """
        word = next((word for word, name in self.exercise_of.items() if name == exercise), None)
        if word is None or self._identity.progress_file == Path(os.devnull):  # who keeps nothing at all
            return []
        if problem := self.problem():
            return [f"{problem} Until that line is mended, your function is not kept there."]
        file = self._file()
        if not file.sections:
            return [f"{self.path} is another file, and stays as it is. Give it another name, then check again."]
        try:
            body = own_source(function, f"my_{word}", {f"my_{each}" for each in self.exercise_of}, words)
            new = self._with(file, exercise, body)
            self._refuse(new, exercise, f"my_{word}", judge)
            return [self._written(file, new, exercise)]
        except CannotBeKept as reason:
            return [f"It is right, but it is not kept in {self.name}. {reason}"]
        except OSError as error:
            return [f"It could not be kept in {self.path}: {error.strerror}."]

    def _with(self, file: FunctionFile, exercise: str, body: str) -> FunctionFile:
        the_courses = self._the_courses.get(exercise)
        present = file.get(exercise)
        is_the_same = present.whose.startswith(YOURS) and present.body == body
        whose = present.whose if is_the_same else f"{YOURS}, right on {today()}"
        return file.having(replace(the_courses, body=body, whose=whose), self.exercise_of.values())

    def _refuse(self, new: FunctionFile, exercise: str, name: str, judge: Judge) -> None:
        """Errors: `CannotBeKept` for what would change a function of another exercise, or is not right there."""
        made = made_in(new.get(exercise).body)
        for each in new.sections:
            others = made_in(each.body)
            for shared in made.keys() & others.keys() if each.name != exercise else ():
                if made[shared] != others[shared]:
                    number = self._number(each.name)
                    raise CannotBeKept(f"Its `{shared}` is another one than that of exercise {number}: rename it.")
        function = _functions(new.text(self._number), self.path).get(name)
        if function is None or judge(function).kind != "right":
            raise CannotBeKept(
                "It is not right with the functions that stand in the file: is one of them called as yours?"
            )

    def _written(self, file: FunctionFile, new: FunctionFile, exercise: str) -> str:
        """Write the file, and what has to make room into the second one. Errors: `OSError`."""
        before, after, written = file.get(exercise), new.get(exercise), self._as_written()
        is_the_learners = before.whose.startswith(YOURS) or before.body != written.get(exercise, before.body)
        makes_room = is_the_learners and before.body != after.body
        if makes_room:
            with self.earlier.open("a", encoding="utf-8") as earlier:
                earlier.write(f"{before.body}\n\n\n")
        if file != new or not self.path.exists():
            write_whole(self.path, new.text(self._number))
            present = {each.name: written.get(each.name, each.body) for each in file.sections}
            self._texts.keep(self.name, json.dumps(present | {exercise: after.body}))
        told = [f"Kept in {self.name}, line {self._file().get(exercise).line}."]
        told += [f"What stood there is in {self.earlier.name}."] * makes_room
        if needed := libraries(after.body):
            told.append(f"For this one the file needs {' and '.join(needed)}, too.")
        return " ".join(told)

    def _file(self) -> FunctionFile:
        """Return the file as it is, or as it begins."""
        text = self._text()
        file = FunctionFile.read(text) if text else self._the_courses
        for each in self._the_courses.sections if file.sections else ():
            if each.name not in file.names:
                file = file.having(each, self.exercise_of.values())
        return file

    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def _now(self) -> tuple[Functions, str]:
        """Return the functions as the file now has them, and what keeps it from being read; it is run once a text."""
        try:
            text = self._text()
            if text != self._read[0]:
                self._read = text, *self._run(text)
        except (OSError, ValueError) as error:  # nobody can read it, or it is no text
            return {}, f"{self.name}, line 1: {error}."
        return self._read[1:]

    def _run(self, text: str) -> tuple[Functions, str]:
        try:
            return _functions(text, self.path), ""
        except Exception as error:  # whatever stands there
            return {}, f"{self.name}, line {_line(error, self.path)}: {getattr(error, 'msg', None) or error}."

    def _as_written(self) -> dict[str, str]:
        """Return the text of each function as it was when it was last written, by exercise."""
        try:
            return dict(json.loads(self._texts.kept(self.name) or "{}"))
        except (ValueError, TypeError):  # somebody else wrote there
            return {}


def _functions(text: str, path: Path) -> Functions:
    """Run a file as if it were imported. Errors: whatever it raises."""
    names: Functions = {"__name__": path.stem}  # type: ignore[dict-item]
    exec(compile(text, str(path), "exec"), names)
    return names


def _function_of(section: Section) -> str:
    return list(made_in(section.body))[-1]


def _line(error: Exception, path: Path) -> int:
    if isinstance(error, SyntaxError):
        return error.lineno or 1
    own = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)]
    return own[-1] if own else 1

"""The steps of nbgrader's autograding that make its points trustworthy."""

import ast
import logging
from collections import defaultdict
from copy import deepcopy
from functools import lru_cache
from itertools import dropwhile, islice
from pathlib import Path

import nbformat
from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import is_grade, is_solution
from traitlets import Bool, Float, Integer

from . import for_a_person, graded_course, limits, possible_losses, release_copy
from .cells_to_run import needed
from .for_a_person import Reason
from .limits import Seconds
from .parallel_judging import Ahead
from .restored_notebook import SHOWN, Restoring
from .walls import why_not

INSTEAD = (
    "Grading runs what students wrote. Only bubblewrap keeps it from reading and changing your files, and {why}. "
    "On Debian or Ubuntu: sudo apt-get install bubblewrap. Or grade in a container that allows it. "
    "If you trust everybody who handed in: python -m judging ASSIGNMENT --i-trust-them"
)
FLAGGED = "A person will look at this. {}\n"
SUSPICIOUS = "Code cell {}: {}"
DELETED = "{}: the check was deleted, and put back below the answer."
MOST_SAID = 300  # characters of what is said about a submission
SILENT = logging.Logger("silent", logging.CRITICAL)


def refusal(trusted: bool) -> str:
    """Say why nothing is graded here; empty if it can be."""
    return INSTEAD.format(why=why_not()) if not trusted and why_not() else ""


class PutBack(NbGraderPreprocessor):
    """Puts a check that was deleted back below its answer, so that there is a verdict, and a place for points."""

    def preprocess(self, nb, resources):
        """Return the notebook with all its checks. Who deleted one waits for a person."""
        place, deleted = None, []
        for cell in filter(_grade_id, release_copy.notebook(self.parent.parent, resources).cells):
            found = [number for number, each in enumerate(nb.cells) if _grade_id(each) == _grade_id(cell)]
            if not found and is_grade(cell):
                nb.cells.insert(len(nb.cells) if place is None else place, deepcopy(cell))
                deleted.append(cell)
            place = found[-1] + 1 if found else None
        if deleted:
            resources["waiting"].append(Reason(DELETED.format(_numbers(deleted)), list(map(_grade_id, deleted))))
        return nb, resources


class BeginAnew(NbGraderPreprocessor):
    """Begins each grading with no points, or those of an earlier submission would stay where nothing runs now."""

    def preprocess(self, nb, resources):
        """Take away what the autograder gave before. What a person gave stays."""
        for grade in _grades(resources):
            grade.auto_score, grade.needs_manual_grade = None, True
        _keep(self.parent.parent, resources)
        return nb, resources


class LeaveToAPerson(NbGraderPreprocessor):
    """Has a person look at points that may be too many or too few."""

    def preprocess(self, nb, resources):
        """Mark them; they stay what they are."""
        reasons = resources["waiting"]
        waiting = {check for reason in reasons for check in reason.checks}
        is_all = any(not reason.checks for reason in reasons)
        for grade in _grades(resources):
            grade.needs_manual_grade |= is_all or grade.name in waiting
        _keep(self.parent.parent, resources)
        return nb, resources


def _grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def _numbers(checks):
    """Return the numbers of the exercises that cells check, as 3.2, 3.3; a teacher's own cell has a name."""
    asked = [_asked(cell).get("exercise") for cell in checks]
    known = graded_course.exercises()
    return ", ".join(
        str(known[name].number) if name else _grade_id(cell) for cell, name in zip(checks, asked, strict=True)
    )


def _keep(converter, resources):
    for_a_person.keep(*_whose_reasons(converter, resources), resources["waiting"])


def _whose_reasons(converter, resources):
    return Path(converter.coursedir.root), resources["nbgrader"]["assignment"], resources["nbgrader"]["student"]


def _grades(resources):
    """Yield the grades of a notebook, and save what becomes of them."""
    where = resources["nbgrader"]
    with Gradebook(where["db_url"]) as gradebook:
        yield from gradebook.find_submission_notebook(where["notebook"], where["assignment"], where["student"]).grades
        gradebook.db.commit()


class Judging(NbGraderPreprocessor):
    """Puts what the judge says in place of running the notebook. See `judge`."""

    cell_seconds = Float(Seconds.cell, help="Seconds of a processor that one cell may take.").tag(config=True)
    seconds = Float(Seconds.in_all, help="Seconds of a processor that a whole submission may take.").tag(config=True)
    at_a_time = Integer(limits.at_a_time(), help="How many submissions are judged at a time.").tag(config=True)
    i_trust_them = Bool(False, help="Whether submissions may run with your rights, without a sandbox.").tag(config=True)

    def preprocess(self, nb, resources):
        """Write outputs and verdicts into a submission's cells, and have the next ones begun."""
        if why := refusal(self.i_trust_them):
            raise RuntimeError(why)
        converter, student = self.parent.parent, resources["nbgrader"]["student"]
        known, code = release_copy.texts(converter, resources), [c for c in nb.cells if c.cell_type == "code"]
        ahead = _ahead(converter, Seconds(self.cell_seconds, self.seconds), not self.i_trust_them, self.at_a_time)
        ahead.begin(tasks := _tasks(code, known))
        for path in islice(_waiting(converter, student), 2 * self.at_a_time):
            self._begin(ahead, path, resources, known)
        judged, shown = ahead.result(tasks), [cell.metadata.pop(SHOWN, []) for cell in code]
        for number, (cell, outputs) in enumerate(zip(code, judged["outputs"], strict=True), 1):
            cell.outputs, cell.execution_count = nbformat.from_dict(outputs), number
            _tidy(cell)
        self._flag(code, judged["flags"], student)
        resources["waiting"] = [
            *for_a_person.kept(*_whose_reasons(converter, resources)),
            *(Reason(SUSPICIOUS.format(number + 1, _short(sentence))) for number, sentence in judged["flags"]),
            *_lost(
                code, possible_losses.Notebook(tasks, judged["outputs"], shown, release_copy.made(converter, resources))
            ),
        ]
        number, of = _place(converter, student)
        self.log.info("Judged %s of %s: %s", number, of, student)
        return nb, resources

    def _begin(self, ahead, path, resources, known):
        """Begin with a submission as nbgrader will hand it over: its checks are those that were handed out."""
        try:
            nb = nbformat.read(path, 4)
            for step in (Restoring, PutBack, OverwriteCells):
                nb, _ = step(parent=self.parent, log=SILENT).preprocess(nb, resources | {"waiting": []})
            ahead.begin(_tasks([cell for cell in nb.cells if cell.cell_type == "code"], known))
        except Exception:  # a damaged file: nbgrader says so when it gets there
            self.log.debug("%s is not judged ahead.", path, exc_info=True)

    def _flag(self, code, flags, student):
        for number, sentence in ((number, _short(sentence)) for number, sentence in flags):
            code[number].outputs.append(new_output("stream", text=FLAGGED.format(sentence)))
            self.log.warning("Look at the submission of %s, code cell %s. %s", student, number + 1, sentence)


def _lost(code, notebook):
    """Yield one reason for all checks that lost their points by it."""
    checks = defaultdict(list)
    for number, sentence in possible_losses.reasons(notebook):
        checks[sentence].append(code[number])
    for sentence, cells in checks.items():
        yield Reason(f"{_numbers(cells)}: {_short(sentence)}", list(map(_grade_id, cells)))


@lru_cache(maxsize=1)
def _ahead(converter, seconds, isolated, at_a_time):
    return Ahead(seconds, isolated, at_a_time)


def _submissions(converter):
    return sorted(converter.assignments)


def _whose(folder):
    return Path(folder).parts[-2]


def _place(converter, student):
    """Return which submission is a student's, and how many there are."""
    folders = _submissions(converter)
    number = next((i for i, each in enumerate(folders, 1) if _whose(each) == student), 1)
    return number, len(folders)


def _waiting(converter, student):
    """Yield the notebooks of the submissions that come after a student's, and are not graded yet."""
    for folder in dropwhile(lambda each: _whose(each) != student, _submissions(converter)):
        done = Path(converter._format_dest(converter.coursedir.assignment_id, _whose(folder)))
        if converter.force or not done.exists():
            yield from converter.assignments[folder]


def _short(sentence):
    """Return a sentence that a log can hold, whatever names it repeats."""
    return "".join(character for character in sentence[:MOST_SAID] if character.isprintable())


def _tasks(code, known):
    """Return the cells as `judge` reads them."""
    tasks = [{"source": cell.source, "handed_out": cell.source in known, **_asked(cell)} for cell in code]
    return [
        task | {"skipped": "skip-execution" in cell.metadata.get("tags", []), "needed": is_needed}
        for cell, task, is_needed in zip(code, tasks, needed(tasks), strict=True)
    ]


def _asked(cell):
    """Return which exercise a cell checks, and by which function; nothing for a cell that has no points."""
    if is_grade(cell) and not is_solution(cell):
        for node in ast.walk(ast.parse(cell.source)):
            match node:
                case ast.Call(func=ast.Name(id="check"), args=[ast.Constant(value=exercise), ast.Name(id=function)]):
                    return {"exercise": exercise, "function": function}
    return {}


def _tidy(cell):
    """Keep what nbgrader takes for a failure to failures: a mere warning on stderr costs no points."""
    for output in cell.outputs if is_grade(cell) else []:
        if output.output_type == "stream":
            output.name = "stdout"

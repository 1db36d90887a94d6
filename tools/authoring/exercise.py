"""Writes the cells of an exercise into its lesson's notebook, from its record: `python -m authoring.exercise NAME`.

The task shows the example; the solution takes the right answer's steps line by line, and the stub is made from it. All
is meant to be put into better words. The headings of the lesson's other exercises get their numbers anew. In the end it
shows what a check says of every mistake that the exercise knows.
"""

import re
import subprocess
import sys

import combinations
import minutes
import nbformat
import numpy as np
import run_notebooks
from authoring.solutions import called, is_open, solution, stub
from authoring.standard_mistakes import suggestions
from classroom.cells import exercises
from nbformat.v4 import new_code_cell, new_markdown_cell
from the_course import CATALOGUE, LESSONS, NOTEBOOKS, PACKAGE

from mha_course.engine.checking.diagnose import diagnose

BEGINNING = "exercises-text"  # the cell below which the first exercise stands
TASK = """### Exercise {number} · {title}

★☆☆ · 0 minutes · taught in [Exercises]({notebook}#cell-id={beginning})

Write the function. {example}"""
CHECK = """from {package} import check

check("{name}", my_{called})"""
HINTS = """<details><summary>Hint 1</summary>

Compute the example on paper.

<details><summary>Hint 2</summary>

Of what do you make {results}?

<details><summary>Hint 3</summary>

Begin with `{first}`.

</details></details></details>"""
GONE = """The notebook checks {gone!r}, but no record has that name. If it is {name!r} now, write so in the check's cell
and in the lesson's proof.py, and run `make notebooks`. If it is no exercise any more, delete its five cells and what
proof.py has of it, and try again."""


def add(name):
    """Write the cells of one exercise, and run the notebook; if they are there already, only number all anew.

    Errors: `ValueError` if there is no such record, or if others lost their record.
    """
    if name not in CATALOGUE.exercises:
        raise ValueError(f"name is {name!r}, but no lesson's exercises.md has an exercise of that name")
    exercise, lesson = CATALOGUE.exercises[name], CATALOGUE.lesson_of(name)
    path = NOTEBOOKS / lesson.notebook
    notebook = nbformat.read(path, 4)
    there = _there(notebook, name)
    if name not in there:
        place = _place(notebook, there, [each.name for each in lesson.exercises], name)
        notebook.cells[place:place] = cells(exercise)
    _number(notebook)
    nbformat.write(notebook, path)
    print(*what_checks_say(exercise), *_offered(exercise), sep="\n")
    if combinations.TABLE.exists():  # a course may have none
        combinations.main([name])
    if name in there:
        return print(f"{path.name} has that exercise already. All there have the numbers and titles of their records.")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", path], check=True)
    minutes.write([NOTEBOOKS / each.notebook for each in LESSONS.values()])
    start = NOTEBOOKS / next(iter(LESSONS.values())).notebook  # it says how much there is to do
    for each in dict.fromkeys((start, path)):
        run_notebooks.run(each)
    print(f"{path.name} has the cells." + " Write what stands as ... in the solution." * is_open(solution(exercise)))


def what_checks_say(exercise):
    """Yield a line for each wrong way to do a step: what a check says, with a cross where that is not its name."""
    for number, step in enumerate(exercise.right.steps):
        yield f"  {step.makes}"
        for each in (each for each in exercise.right.step_mistakes if each.step == number):
            said = diagnose(exercise, exercise.right.with_mistakes(each)).headline
            yield f"    ✓ {said}" if said == each.mistake.name else f"    ✗ {each.mistake.name} → {said}"


def _offered(exercise):
    """Yield the items that its text might have, too, below the lines of their steps."""
    offered = {}
    for step, item in suggestions(exercise):
        offered.setdefault(f"### `{', '.join(step.makes.split())} = {step.expression}`", []).append(item)
    if offered:
        yield "Perhaps the text should know these, too. Put them into better words, or leave them out:"
    yield from (f"\n{line}\n\n" + "\n".join(items) for line, items in offered.items())


def cells(exercise):
    """Return the five cells of an exercise."""
    cell, solved = f"exercise-{called(exercise).replace('_', '-')}", solution(exercise)
    first = solved.splitlines()[1].strip()
    results = " and ".join(f"`{each}`" for each in exercise.results)
    task = TASK.format(
        number=exercise.number,
        title=exercise.title,
        notebook=CATALOGUE.lesson_of(exercise.name).notebook,
        beginning=BEGINNING,
        example=_example(exercise),
    )
    check = CHECK.format(package=PACKAGE, name=exercise.name, called=called(exercise))
    folded = {"source_hidden": True}
    return [
        new_markdown_cell(task, id=cell, metadata={"tags": ["exercise"]}),
        new_code_cell(stub(solved), id=f"{cell}-stub", metadata={"tags": ["stub"]}),
        new_code_cell(check, id=f"{cell}-check", metadata={"tags": ["check"]}),
        new_markdown_cell(HINTS.format(results=results, first=first), id=f"{cell}-hints", metadata={"tags": ["hints"]}),
        new_code_cell(
            f"# Solution {exercise.number}\n{solved}",
            id=f"{cell}-solution",
            metadata={"tags": ["solution"], "jupyter": folded},
        ),
    ]


def _example(exercise):
    """Say what the first case gives."""
    case = exercise.cases[0].inputs(0)
    made = exercise.right(*case.arguments)
    results = [made] if len(exercise.results) == 1 else made
    given, found = _written(exercise.arguments, case.arguments), _written(exercise.results, results)
    return f"For {given} the answer is {found}."


def _written(names, values):
    return ", ".join(f"`{name} = {np.asarray(value).tolist()}`" for name, value in zip(names, values, strict=True))


def _there(notebook, name):
    """Return the exercises of a notebook by name. Errors: `ValueError` for one that has no record any more."""
    there = {each.name: each for each in exercises(notebook)}
    if gone := [each for each in there if each not in CATALOGUE.exercises]:
        raise ValueError(GONE.format(gone=gone[0], name=name))
    return there


def _place(notebook, there, order, name):
    """Return where the cells belong: below the exercise that comes before in the lesson's records."""
    before = [there[each].solution.id for each in order[: order.index(name)] if each in there]
    ids = [cell.id for cell in notebook.cells]
    return 1 + ids.index(before[-1] if before else BEGINNING)


def _number(notebook):
    """Give every exercise of a notebook the number and the title of its record."""
    for each in exercises(notebook):
        exercise = CATALOGUE.exercises[each.name]
        each.task.source = re.sub("^### .*", f"### Exercise {exercise.number} · {exercise.title}", each.task.source)
        each.solution.source = re.sub("^# Solution [0-9.]+", f"# Solution {exercise.number}", each.solution.source)


if __name__ == "__main__":
    try:
        add(sys.argv[1])
    except ValueError as error:
        sys.exit(str(error))

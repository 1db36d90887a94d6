"""How long a lesson takes a beginner, by one rule; writes it into the lessons and into the map of lesson 0.

It also writes which exercises are on the core path.

The rule: 130 words a minute, a formula counting as five words; five lines of code a minute; and time to think: 1 minute
for a question before a cell, 2 for something to try or to play with, 4 for a goal or a task on paper, 5 for the recall.
The sum is rounded up to five minutes. An exercise takes its reading, a minute and a half for each line of its
solution, and 3, 6 or 10 minutes to think, by its stars; a puzzle of lines before it takes 4. Lessons 0 to 8 say how
long their core takes, exercises included, and how long the rest; the others tell reading, exercises and rest apart.
"""

import math
import re
import sys
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from classroom.cells import has_tag, is_optional

WORDS, LINES, STEP = 130, 5, 5  # a minute; and to what a time is rounded up
THINKING = {  # what is found in a cell -> minutes
    r"\*\*Think first|\bpredict\(": 1,
    r"\*\*Try it|\b(?:Workbench|Train|Speak|Gallery|Desk)\((?!.*goal=)": 2,
    r"\bWorkbench\(.*goal=|\bpractise\(": 4,
    r"\bquiz\(": 5,
}
LINE, STARS = 1.5, (3, 6, 10)  # minutes for a line of a solution, and to think about an exercise
PUZZLE = 4  # minutes to put the lines of a function in order
FORMULA = re.compile(r"\$\$.+?\$\$|\$.+?\$", re.DOTALL)
PATHS = 9  # lessons 0 to 8 have a core path, their exercises included
CORE_LESSONS = 7  # lessons 0 to 6, from a sentence to concatenated heads
PARTS = ("exercise", "stub", "check", "hints", "solution", "arrange")
ON_THE_PATH = re.compile(r"\*\*On the core path:\*\* .*")
TIME, EFFORT = re.compile(r"\*\*Time:\*\* .*"), re.compile(r"^([★☆]+) · (\d+) minutes", re.MULTILINE)


def reading(notebook):
    """Return the minutes that a lesson takes without its exercises."""
    return _rounded(_read(notebook))


def practice(notebook):
    """Return the minutes that all its exercises take, and the puzzles before them."""
    puzzles = sum(has_tag(cell, "arrange") for cell in notebook.cells)
    return sum(minutes for _, minutes in exercises(notebook)) + PUZZLE * puzzles


def exercises(notebook):
    """Return the task of each exercise with the minutes that it takes."""
    tasks = [cell for cell in notebook.cells if has_tag(cell, "exercise")]
    solutions = [cell for cell in notebook.cells if has_tag(cell, "solution")]
    return [(task, _effort(task, solution)) for task, solution in zip(tasks, solutions, strict=True)]


def _effort(task, solution):
    stars = EFFORT.search(task.source)[1].count("★")
    lines = sum(bool(line.strip()) for line in solution.source.splitlines()[2:])  # below its name and its signature
    return math.ceil(_words(task.source) / WORDS + LINE * lines + STARS[stars - 1])


def core(notebook):
    """Return a lesson without its optional cells."""
    return nbformat.v4.new_notebook(cells=[cell for cell in notebook.cells if not is_optional(cell)])


def core_and_rest(notebook):
    """Return the minutes of the core, exercises included, and those of what is optional."""
    path = core(notebook)
    inside = _rounded(_read(path) + practice(path))
    return inside, _rounded(_read(notebook) + practice(notebook)) - inside


def words(notebook):
    """Return how many words its text has, a formula counting as five."""
    return sum(_words(cell.source) for cell in notebook.cells if cell.cell_type == "markdown")


def about(notebook):
    """Return the cell that says what a lesson teaches, what it needs, and how long it takes."""
    return next(cell for cell in notebook.cells if TIME.search(cell.source))


def stated(notebook):
    """Return the line that a lesson says of its time."""
    if _is_a_path(notebook):
        inside, rest = core_and_rest(notebook)
        more = f", plus {rest} for the optional parts" if rest else ""
        return f"**Time:** {inside} minutes, exercises included{more}."
    inside = reading(core(notebook))
    parts = {"the exercises": practice(notebook), "what is optional": reading(notebook) - inside}
    more = " and ".join(f"{minutes} for {part}" for part, minutes in parts.items() if minutes)
    return f"**Time:** {inside} minutes{f', plus {more}' if more else ''}."


def on_the_path(notebook):
    """Return the line that a lesson of the core path says of its exercises."""
    tasks = [cell.source for cell in notebook.cells if has_tag(cell, "exercise") and not is_optional(cell)]
    numbers = [re.match(r"### Exercise (\S+)", task)[1] for task in tasks]
    *others, last = numbers
    listed = f"exercises {', '.join(others)} and {last}" if others else f"exercise {last}"
    return f"**On the core path:** {listed}."


def in_map(notebook):
    """Return what the map of lesson 0 says of a lesson's time."""
    if _is_a_path(notebook):
        return " + ".join(map(str, core_and_rest(notebook)))
    inside = reading(core(notebook))
    return f"{inside} + {practice(notebook)}" if practice(notebook) else f"{inside}"


def total(notebooks):
    """Return how long all lessons take, in hours, as the map says it."""
    minutes = sum(reading(each) + practice(each) for each in notebooks)
    return f"{round(minutes / 60)} hours"


def total_of_core(notebooks):
    """Return how long the core of some lessons takes, in hours, as the map says it."""
    return f"{round(sum(core_and_rest(each)[0] for each in notebooks) / 60)} hours"


def _is_a_path(notebook):
    """Say whether a lesson is one of the first, which tell what is optional apart, exercises included."""
    number = re.match(r"# (\d+) ·", notebook.cells[0].source)
    return number is not None and int(number[1]) < PATHS


def _rounded(minutes):
    return math.ceil(minutes / STEP) * STEP


def _read(notebook):
    return sum(map(_minutes_of, filter(_is_read, notebook.cells)))


def _is_read(cell):
    return not has_tag(cell, *PARTS)


def _minutes_of(cell):
    thinking = sum(minutes for found, minutes in THINKING.items() if re.search(found, cell.source))
    if cell.cell_type == "code":
        asks = thinking > 0 or "import" in cell.source.split("\n")[0]
        return thinking + (0 if asks else sum(bool(line.strip()) for line in cell.source.splitlines()) / LINES)
    return thinking + _words(cell.source) / WORDS


def _words(source):
    text = BeautifulSoup(FORMULA.sub(" a b c d e ", source), "html.parser").get_text()
    return len(re.findall(r"\w[\w'’.-]*", text))


def write(paths):
    """Write the times into every lesson and into the map."""
    notebooks = {path: nbformat.read(path, as_version=4) for path in paths}
    (start, *_) = notebooks.values()
    plan = next((cell for cell in start.cells if cell.id == "map"), nbformat.v4.new_markdown_cell())
    for path, notebook in notebooks.items():
        for task, effort in exercises(notebook):
            task.source = EFFORT.sub(rf"\1 · {effort} minutes", task.source)
        told = about(notebook)
        told.source = TIME.sub(stated(notebook), told.source)
        for cell in notebook.cells:
            if ON_THE_PATH.search(cell.source):
                cell.source = ON_THE_PATH.sub(on_the_path(notebook), cell.source)
        number = rf"\[?{int(path.name[:2])} · "
        plan.source = re.sub(rf"(?m)^(\| {number}.*\| )[^|]+( \|)$", rf"\g<1>{in_map(notebook)}\2", plan.source)
    plan.source = re.sub(r"about \d+ hours", f"about {total(notebooks.values())}", plan.source)
    of_core = total_of_core(list(notebooks.values())[:CORE_LESSONS])
    plan.source = re.sub(r"\d+ hours on the core path", f"{of_core} on the core path", plan.source)
    for path, notebook in notebooks.items():
        print(f"{path.name:32} {in_map(notebook)}")
        nbformat.write(notebook, path)


if __name__ == "__main__":
    write([Path(name) for name in sys.argv[1:]])

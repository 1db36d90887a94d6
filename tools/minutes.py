"""How long a lesson takes a beginner, by one rule; writes it into the lessons and into the map of lesson 0.

The rule: 130 words a minute, a formula counting as five words; five lines of code a minute; and time to think: 1 minute
for a question before a cell, 2 for something to try or to play with, 4 for a goal or a task on paper, 5 for the recall.
The sum is rounded up to five minutes. An exercise takes its reading, a minute and a half for each line of its
solution, and 3, 6 or 10 minutes to think, by its stars; a puzzle of lines before it takes 4.
"""

import math
import re
import sys
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup

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
PARTS = ("exercise", "stub", "check", "hints", "solution", "arrange")
TIME, EFFORT = re.compile(r"\*\*Time:\*\* .*"), re.compile(r"^([★☆]+) · (\d+) minutes", re.MULTILINE)


def reading(notebook):
    """Return the minutes that a lesson takes without its exercises."""
    minutes = sum(map(_minutes_of, filter(_is_read, notebook.cells)))
    return math.ceil(minutes / STEP) * STEP


def practice(notebook):
    """Return the minutes that all its exercises take, and the puzzles before them."""
    puzzles = sum("arrange" in cell.metadata.get("tags", []) for cell in notebook.cells)
    return sum(minutes for _, minutes in exercises(notebook)) + PUZZLE * puzzles


def exercises(notebook):
    """Return the task of each exercise with the minutes that it takes."""
    tasks = [cell for cell in notebook.cells if "exercise" in cell.metadata.get("tags", [])]
    solutions = [cell for cell in notebook.cells if "solution" in cell.metadata.get("tags", [])]
    return [(task, _effort(task, solution)) for task, solution in zip(tasks, solutions, strict=True)]


def _effort(task, solution):
    stars = EFFORT.search(task.source)[1].count("★")
    lines = sum(bool(line.strip()) for line in solution.source.splitlines()[2:])  # below its name and its signature
    return math.ceil(_words(task.source) / WORDS + LINE * lines + STARS[stars - 1])


def stated(notebook):
    """Return the line that a lesson's title says of its time."""
    more = f", and {practice(notebook)} more for the exercises" if practice(notebook) else ""
    return f"**Time:** {reading(notebook)} minutes{more}."


def in_map(notebook):
    """Return what the map of lesson 0 says of a lesson's time."""
    return f"{reading(notebook)} + {practice(notebook)}" if practice(notebook) else f"{reading(notebook)}"


def total(notebooks):
    """Return how long all lessons take, in hours, as the map says it."""
    minutes = sum(reading(each) + practice(each) for each in notebooks)
    return f"{round(minutes / 60)} hours"


def _is_read(cell):
    return not set(PARTS).intersection(cell.metadata.get("tags", []))


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
    """Write the times into the title of every lesson and into the map."""
    notebooks = {path: nbformat.read(path, as_version=4) for path in paths}
    (start, *_) = notebooks.values()
    plan = next(cell for cell in start.cells if cell.id == "map")
    for path, notebook in notebooks.items():
        for task, effort in exercises(notebook):
            task.source = EFFORT.sub(rf"\1 · {effort} minutes", task.source)
        notebook.cells[0].source = TIME.sub(stated(notebook), notebook.cells[0].source)
        number = rf"\[?{int(path.name[:2])} · "
        plan.source = re.sub(rf"(?m)^(\| {number}.*\| )[^|]+( \|)$", rf"\g<1>{in_map(notebook)}\2", plan.source)
    plan.source = re.sub(r"about \d+ hours", f"about {total(notebooks.values())}", plan.source)
    for path, notebook in notebooks.items():
        print(f"{path.name:32} {in_map(notebook)}")
        nbformat.write(notebook, path)


if __name__ == "__main__":
    write([Path(name) for name in sys.argv[1:]])

"""Makes a small lesson that passes all tests, to be filled: `python -m authoring.new_lesson NAME "Title"`.

It is the last one: a folder beside those of the others, a notebook, a line in the list of lessons, and one in each of
the two tables that say what the lessons ask.
"""

import re
import shutil
import subprocess
import sys
from keyword import iskeyword
from pathlib import Path

from address import REPOSITORY

from mha_course.lessons import LESSONS

ROOT = Path(__file__).parents[2]
TEMPLATE = Path(__file__).parent / "template"
LIST = "mha_course/lessons/__init__.py"
TABLES = {"notebooks/00_start_here.ipynb": "", "README.md": "notebooks/"}  # and where the notebooks are from there
QUESTION = "What are twice a number, and one more?"


def make(name, title=""):
    """Make a lesson. Errors: `ValueError` for a name or a title that cannot be, or that is taken."""
    folder = ROOT / "mha_course" / "lessons" / name
    is_taken = name in LESSONS or folder.with_suffix(".py").exists() or iskeyword(name)
    if not re.fullmatch(r"[a-z][a-z_]*[a-z]", name) or is_taken:
        raise ValueError(f"name is {name!r}, but must be small letters joined by _, and not the name of something else")
    if re.search(r'["\\]', title):
        raise ValueError(f"title is {title!r}, but must have no double quote and no backslash")
    title, number, before = title or name.replace("_", " ").capitalize(), len(LESSONS), [*LESSONS.values()][-1]
    notebook = f"{number:02}_{name}.ipynb"
    words = {
        "98 · Lesson before": before.heading, "98_lesson_before.ipynb": before.notebook, "99": str(number),
        "Lesson title": title, "lesson_name": name, "REPOSITORY": REPOSITORY,
    }  # fmt: skip
    shutil.copytree(TEMPLATE / "folder", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TEMPLATE / "lesson.ipynb", ROOT / "notebooks" / notebook)
    for path in (*folder.iterdir(), ROOT / "notebooks" / notebook):
        _change(path, lambda text: _with(words, text))
    _change(ROOT / LIST, lambda text: re.sub(r"(?=^\)\nCATALOGUE)", f'    {name}="{title}",\n', text, flags=re.M))
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", folder], check=True)
    for table, place in TABLES.items():
        _change(ROOT / table, lambda text, place=place: _with_row(text, place, before, f"{number} · {title}", notebook))
    subprocess.run([sys.executable, "-m", "authoring.exercise", f"{name}.double"], cwd=ROOT, check=True)
    print(f"notebooks/{notebook} and mha_course/lessons/{name}/ are there: fill them, and the question in")
    print("README.md and lesson 0. README.md also says how many lessons there are.")


def _with_row(text, place, before, heading, notebook):
    """Put a lesson's row below that of the lesson before; in a notebook, a line is a string in a list."""
    row = re.search(rf"^.*\| \[{re.escape(before.heading)}\]\({place}.*\n", text, flags=re.MULTILINE)
    (head,) = re.match(r"( *\"?)\|", row[0]).groups()
    time, end = (" 0 |", '\\n",') if head.endswith('"') else ("", "")
    return text[: row.end()] + f"{head}| [{heading}]({place}{notebook}) | {QUESTION} |{time}{end}\n" + text[row.end() :]


def _change(path, change):
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


def _with(words, text):
    for word, instead in words.items():
        text = text.replace(word, instead)
    return text


if __name__ == "__main__":
    try:
        make(*sys.argv[1:])
    except ValueError as error:
        sys.exit(str(error))

"""Makes a small lesson that passes all tests, to be filled: `python -m authoring.new_lesson NAME "Title"`.

It is the last one: a folder beside those of the others, a notebook, a line in the list of lessons and in that of the
words, and one in each of the two tables that say what the lessons ask. The lessons' ceiling of lines rises by its own.
"""

import re
import shutil
import subprocess
import sys
from keyword import iskeyword
from pathlib import Path

from address import REPOSITORY
from the_course import LESSONS, LESSONS_FOLDER, NOTEBOOKS, PACKAGE, ROOT

TEMPLATE = Path(__file__).parent / "template"
TABLES = {"notebooks/00_start_here.ipynb": "", "README.md": "notebooks/"}  # and where the notebooks are from there
QUESTION = "What are twice a number, and one more?"
LINES = {  # at the end of which list in the lessons' folder stands what
    "__init__.py": (")", '{name}="{title}"'), "words.py": ("}", '"{name}": (Word("twice", "two times"),)'),
}  # fmt: skip
CEILINGS, OF_LESSONS = ROOT / "tests" / "ceilings.toml", re.compile(rf'(?<="{PACKAGE}/lessons" = )\d+')
OF_THE_FIRST = {  # what the template says of lessons before it, and what the first lesson says instead
    "lesson [0](00_start_here.ipynb)": "nothing but Python and NumPy",
    "From lesson 0: how": "How",
    ', lesson="start_here"': "",
    ", two of them about an earlier lesson": "",
    " Two of them go back to earlier lessons.": "",
    "Back: [98 · Lesson before](98_lesson_before.ipynb) · Home: [0 · Start here](00_start_here.ipynb)": "More to come.",
}


def make(name, title=""):
    """Make a lesson. Errors: `ValueError` for a name or a title that cannot be, or that is taken."""
    folder = LESSONS_FOLDER / name
    is_taken = name in LESSONS or folder.with_suffix(".py").exists() or iskeyword(name)
    if not re.fullmatch(r"[a-z][a-z_]*[a-z]", name) or is_taken:
        raise ValueError(f"name is {name!r}, but must be small letters joined by _, and not the name of something else")
    title, number = read_title(title, name), len(LESSONS)
    notebook = f"{number:02}_{name}.ipynb"
    words = (_of_a_later_one() if LESSONS else OF_THE_FIRST) | {
        "99": str(number), "Lesson title": title, "lesson_name": name, "REPOSITORY": REPOSITORY,
        "from mha_course import": f"from {PACKAGE} import", r'find_spec(\"mha_course\")': rf'find_spec(\"{PACKAGE}\")',
    }  # fmt: skip
    shutil.copytree(TEMPLATE / "folder", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TEMPLATE / "lesson.ipynb", NOTEBOOKS / notebook)
    for path in (*folder.iterdir(), NOTEBOOKS / notebook):
        _change(path, lambda text: _with(words, text))
    for file, (end, line) in LINES.items():
        if (LESSONS_FOLDER / file).exists():  # a course may have no list of words
            line = f"    {line.format(name=name, title=title)},\n{end}\n"
            _change(LESSONS_FOLDER / file, lambda text, end=end, line=line: text.replace(f"\n{end}\n", f"\n{line}", 1))
    put_in_order(folder)
    if CEILINGS.exists():
        _change(CEILINGS, lambda text: OF_LESSONS.sub(lambda lines: f"{int(lines[0]) + _lines(folder)}", text))
    for table, place in TABLES.items():
        if (ROOT / table).exists():
            _change(ROOT / table, lambda text, place=place: _with_row(text, place, f"{number} · {title}", notebook))
    subprocess.run([sys.executable, "-m", "authoring.exercise", f"{name}.double"], check=True)
    print(f"notebooks/{notebook} and {PACKAGE}/lessons/{name}/ are there: fill them, and the question in")
    print("the tables of lessons: README.md has one, and lesson 0 of a longer course.")


def read_title(title, name):
    """Return a title, or one made of the name. Errors: `ValueError` for what cannot stand in a line of code."""
    if re.search(r'["\\]', title):
        raise ValueError(f"title is {title!r}, but must have no double quote and no backslash")
    return title or name.replace("_", " ").capitalize()


def put_in_order(folder):
    """Sort the imports of the code in a folder, and format it."""
    for command in (["check", "--fix"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet", folder], check=True)


def _of_a_later_one():
    first, *_, before = [*LESSONS.values()] * 2
    return {
        "98 · Lesson before": before.heading, "98_lesson_before.ipynb": before.notebook,
        "0 · Start here": first.heading, "00_start_here.ipynb": first.notebook, '"start_here"': f'"{first.name}"',
    }  # fmt: skip


def _lines(folder):
    """Count the lines of code that a lesson brings, those in the lists included."""
    return len(LINES) + sum(
        len(path.read_text(encoding="utf-8").splitlines()) for path in (*folder.glob("*.py"), folder / "exercises.md")
    )


def _with_row(text, place, heading, notebook):
    """Put a lesson's row at the end of the table of lessons; in a notebook, a line is a string in a list."""
    *_, last = LESSONS.values() or [None]
    begins = rf"\[{re.escape(last.heading)}\]\({place}" if last else "---"
    row = re.search(rf"^.*\| ?{begins}.*\n", text, flags=re.MULTILINE)
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

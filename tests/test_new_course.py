"""What `make new-course` writes: a course on another subject, whose tests pass and whose site and kit build."""

import json
import os
import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from built_once import run
from stored import ROOT

pytestmark = pytest.mark.slow


PAGE = (ROOT / "docs" / "another_subject.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def signals(tmp_path_factory):
    """A course whose tests pass as it is made, and which then becomes what the page on another subject says."""
    folder = tmp_path_factory.mktemp("new") / "signals"
    run("-m", "authoring.new_course", folder, "signals", "Signals")
    passes_its_tests(folder)
    follow_the_page(folder)
    run("-m", "authoring.new_lesson", "filters", "Filters", COURSE_FOLDER=str(folder))
    return folder


def passes_its_tests(folder):
    run("-m", "pytest", "-p", "no:xdist", cwd=folder, PYTHONPATH=str(folder))


def follow_the_page(folder):
    """Put its code where it says."""
    exercise, _ = re.findall(r"^```+markdown\n(.*?)^```+$", PAGE, re.S | re.M)
    functions, imports, solved, right, tried, prediction, question, truths, board = re.findall(
        r"```python\n(.*?)```", PAGE, re.S
    )

    def change(name, old, new):
        path = folder / "signals" / "lessons" / "first_steps" / name
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))

    lesson = folder / "signals" / "lessons" / "first_steps"
    (lesson / "exercises.py").write_text(functions)
    title, _, rest = (lesson / "exercises.md").read_text().partition("\n")
    (lesson / "exercises.md").write_text(f"{title}\n\n```python\n{imports}```\n{rest}\n{exercise}")
    run("-m", "authoring.exercise", "first_steps.valid", COURSE_FOLDER=str(folder))
    path = folder / "notebooks" / "00_first_steps.ipynb"
    notebook = nbformat.read(path, 4)
    (cell,) = (cell for cell in notebook.cells if "def valid_solution" in cell.source)
    cell.source = cell.source.partition("\n")[0] + "\n" + solved.partition("\n")[2].strip()
    nbformat.write(notebook, path)
    (folder / "try_it.py").write_text(tried)
    for name, text in {"predictions.py": prediction, "quiz.py": question}.items():
        change(name, ")  # fmt: skip", text.partition("\n")[2] + ")  # fmt: skip")
    change("proof.py", "RIGHT = {\n", "RIGHT = {\n" + right.partition("\n")[2])
    change("proof.py", "TRUTHS = {\n", "TRUTHS = {\n" + truths.partition("\n")[2])
    path_of_board = folder / "signals" / "board.py"
    before, _, others = path_of_board.read_text().partition("    def __init__")
    _, _, after = others.partition("    def screen")
    screen, _, rest = after.partition("    def still")
    begun, _, drawn = board.partition("\n")[2].partition("    def still")
    acts = rest[rest.index("    def act") :]
    path_of_board.write_text(f"{before}{begun}    def screen{screen}    def still{drawn}\n{acts}")
    test = folder / "tests" / "test_board.py"
    test.write_text(test.read_text().replace('endswith("9  5  7")', 'endswith("23  46  60")'))
    run(ROOT / "tools" / "run_notebooks.py", path, COURSE_FOLDER=str(folder))


@pytest.fixture(scope="module")
def kit(signals):
    run("-m", "classroom", signals / "build" / "classroom", COURSE_FOLDER=str(signals))
    return signals / "build" / "classroom"


def test_its_check_says_what_the_page_says(signals):
    (said,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert run("try_it.py", cwd=signals, PYTHONPATH=str(signals)) == said


def test_its_tests_pass_and_its_code_is_in_order(signals):
    passes_its_tests(signals)
    run("-m", "ruff", "check", "signals", "tests", cwd=signals)


def test_its_lessons_follow_each_other(signals):
    first, second = sorted((signals / "notebooks").glob("*.ipynb"))
    assert nbformat.read(first, 4).cells[0].source.startswith("# 0 · First steps")
    assert "from signals import Board" in first.read_text() and "mha_course" not in first.read_text()
    assert "[0 · First steps](00_first_steps.ipynb)" in second.read_text()
    assert "| [1 · Filters](notebooks/01_filters.ipynb) |" in (signals / "README.md").read_text()


def test_its_site_has_its_lessons_and_its_names_alone(signals):
    run("-m", "website", signals / "build" / "site", COURSE_FOLDER=str(signals))
    pages = {path.stem: BeautifulSoup(path.read_text(), "html.parser") for path in signals.glob("build/site/*.html")}
    assert set(pages) == {"index", "search", "00_first_steps", "01_filters"}
    assert pages["index"].select_one("h1").text.startswith("Signals")
    assert [link["href"] for link in pages["index"].select(".lesson-map a")] == [
        "00_first_steps.html",
        "01_filters.html",
    ]
    assert pages["00_first_steps"].select_one('[data-part="result"], .cell_output table')
    for page in pages.values():
        assert "signals 0.1" in page.select_one("footer.bd-footer").text
        assert "ttention" not in page.text and "mha_course" not in page.text


def test_its_kit_has_copies_slides_quizzes_and_points_from_its_own_checks(kit):
    made = {path.relative_to(kit).as_posix() for path in kit.rglob("*.*")}
    for paper in (kit / "README.md", kit / "student" / "README.md"):
        assert "ttention" not in paper.read_text(encoding="utf-8")
    assert {"student/00_first_steps.ipynb", "slides/01_filters.html", "quizzes/01_filters_key.html"} <= made
    graded = json.loads((kit / "nbgrader/source/01_filters/01_filters.ipynb").read_text())
    checks = [cell for cell in graded["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")]
    assert ["from signals import check\n" in check["source"] for check in checks] == [True]


@pytest.mark.parametrize(
    ("folder", "name", "said"),
    [
        ("", "waves", "must be one that is not there yet"),
        ("new", "Waves", "small letters"),
        ("new", "wave", "of Python's own"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(tmp_path, folder, name, said):
    with pytest.raises(AssertionError, match=said):
        run("-m", "authoring.new_course", tmp_path / folder, name)


@pytest.mark.needs("sandbox")
def test_its_hand_ins_are_judged_by_its_own_checks_behind_the_same_wall(signals, kit):
    cells = [
        {"source": "def my_double(x):\n    return 2 * x + 1"},
        {"source": "", "exercise": "filters.double", "function": "my_double"},
        {"source": "from signals.lessons.filters.proof import RIGHT"},
        {"source": "def my_double(x):\n    return 2 * x"},
        {"source": "", "exercise": "filters.double", "function": "my_double"},
    ]
    plain = {"handed_out": False, "skipped": False, "needed": True}
    judge = f"Ahead(Seconds(30, 120), isolated=True, at_a_time=1).result({[plain | each for each in cells]})"
    imports = "import json; from judging.limits import Seconds; from judging.parallel_judging import Ahead"
    asked = f"{imports}\nprint(json.dumps({judge}))"
    judged = json.loads(run("-c", asked, PYTHONPATH=f"{kit / 'nbgrader'}{os.pathsep}{signals}{os.pathsep}{ROOT}"))
    right, wrong = (judged["outputs"][place] for place in (1, 4))
    assert "✓ Exercise 1.1" in str(right) and "The 1 is missing." in str(wrong)
    assert "No module named 'signals.lessons.filters'" in str(judged["outputs"][2])
    assert [2, "It imports from signals.lessons.filters.proof."] in judged["flags"]

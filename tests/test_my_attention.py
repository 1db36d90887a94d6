"""What the core path ends with: a file of eight functions, which is multi-head attention without the course."""

import ast
import json
import re
import subprocess
import sys
from dataclasses import replace

import nbformat
import numpy as np
import pytest
from as_cell import as_cell
from checks import EXERCISES, is_right
from later import torch
from recorded_answers import recorded
from stored import NOTEBOOKS, ROOT, code_cells

import mha_course
from mha_course import merge_heads, multi_head_attention, steals
from mha_course.forward.as_code import as_code
from mha_course.forward.presets import preset
from mha_course.lessons import LESSONS, my_attention
from mha_course.lessons.by_name import COURSE, OWN_FILE, mine
from mha_course.lessons.optional import OPTIONAL

EXERCISE_OF = COURSE._own_file.exercise_of  # word -> exercise
FUNCTIONS = {name: getattr(my_attention, f"my_{word}") for word, name in EXERCISE_OF.items()}
CORE = NOTEBOOKS[1:7]
IN_ANOTHER_PROCESS = """
import json, runpy, sys
from mha_course.lessons import CATALOGUE
from mha_course.engine.checking.diagnose import diagnose

said = {}
for path, name, function in json.load(sys.stdin):
    said[path] = diagnose(CATALOGUE.exercises[name], runpy.run_path(path)[function]).kind
print(json.dumps(said))
"""


def test_the_courses_functions_are_right_and_stand_in_the_order_of_the_lessons():
    assert [name for name, function in FUNCTIONS.items() if not is_right(EXERCISES[name], function)] == []
    assert list(EXERCISE_OF.values()) == [name for name in EXERCISES if name in FUNCTIONS]


def test_each_lesson_of_the_core_path_has_its_functions_on_it_and_says_so_at_its_head():
    assert not set(OPTIONAL) & set(EXERCISE_OF.values())
    for path in CORE:
        lesson = path.stem[3:]
        about = next(cell.source for cell in nbformat.read(path, 4).cells if cell.id == "about")
        (said,) = re.findall(r"\*\*You will write:\*\* (.*)", about)
        words = [word for word, name in EXERCISE_OF.items() if name.startswith(f"{lesson}.")]
        assert re.findall(r"`my_(\w+)`", said) == words and words


def test_a_lesson_of_the_core_path_asks_for_no_more_than_one_exercise_besides():
    for lesson in list(LESSONS.values())[1:7]:
        asked = [each.name for each in lesson.exercises if each.name not in OPTIONAL]
        assert len([name for name in asked if name not in FUNCTIONS]) <= 1


def test_the_exercises_of_a_lesson_become_harder():
    for path in CORE:
        stars = re.findall(r"^([★☆]{3}) ·", "\n".join(cell.source for cell in nbformat.read(path, 4).cells), re.M)
        assert stars == sorted(stars, key=lambda each: each.count("★")), path.stem


@pytest.mark.parametrize("where", ["README.md", "notebooks/00_start_here.ipynb"])
def test_what_is_shown_of_the_file_from_the_beginning_stands_in_it(where):
    path = ROOT / where
    text = (
        "\n\n".join(cell.source for cell in nbformat.read(path, 4).cells)
        if path.suffix == ".ipynb"
        else path.read_text()
    )
    shown = re.search(r"```python\n(def my_scaled_scores.*?)```", text, re.S)[1]
    bare = re.sub(r"^# .*\n", "", OWN_FILE.read_text(), flags=re.M)
    assert shown in bare and len(shown.splitlines()) == 12


def test_who_gives_a_head_all_heads_at_once_is_told_the_shape_and_no_mistake_of_another_function():
    names = {"np": np, "mine": mine}
    lines = [
        "def my_multi_head_attention(X, context, W_Q, W_K, W_V, W_O, num_heads):",
        "    W_Q, W_K, W_V = (mine.split(W, num_heads) for W in (W_Q, W_K, W_V))",
        "    return mine.merge(mine.head(X, context, W_Q, W_K, W_V)) @ W_O",
    ]
    said = COURSE.check("heads.multi_head", as_cell("\n".join(lines), names), seed=0)
    told = "mine.head needs an array of the shape (d_model, d_k), but got one of the shape (2, 2, 2)"
    assert not said.is_right and told in str(said) and said.mistakes == ()


def test_the_file_needs_numpy_alone():
    imports = [
        node for node in ast.walk(ast.parse(OWN_FILE.read_text())) if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    assert sorted(ast.unparse(each) for each in imports) == ["import numpy as np", "import torch"]


def run(path, folder):
    """Run a file as somebody without the course would."""
    return subprocess.run([sys.executable, "-P", path], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_run_by_itself_it_shows_the_row_of_steals_and_compares_it_with_pytorch(tmp_path):
    wide = [merge_heads(W) for W in (steals.W_Q, steals.W_K, steals.W_V)]
    row = multi_head_attention(steals.X, *wide, steals.W_O, num_heads=2).output[1]
    told = run(OWN_FILE, tmp_path)
    assert re.findall(r"^steals (\w+) +(\S+)$", told, re.M) == [
        (name, f"{entry:.2f}") for name, entry in zip(steals.features, row, strict=True)
    ]
    assert torch and float(re.search(r"PyTorch: (\S+)", told)[1]) <= 1e-12


def solutions():
    """Yield the solutions of the notebooks, as cells with a source: exercise, word and source."""
    for path in CORE:
        cells = code_cells(nbformat.read(path, 4))
        for check, solution in zip(
            *([c for c in cells if tag in c.metadata.get("tags", [])] for tag in ("check", "solution")), strict=True
        ):
            exercise = re.search(r'^check\("(.*?)"', check.source, re.M)[1]
            if exercise in FUNCTIONS:
                yield exercise, solution.source


@pytest.fixture
def file(own_progress):
    return own_progress.with_name("my_attention.py")


def test_who_gives_the_solutions_takes_home_a_file_that_equals_pytorch(file, tmp_path):
    names = {"np": np, **{name: getattr(mha_course, name) for name in mha_course.__all__}}
    for exercise, source in solutions():
        assert re.search(
            r"Kept in my_attention\.py, line \d+\.$", str(COURSE.check(exercise, as_cell(source, names)))
        ), exercise
    text = file.read_text()
    assert (
        text.count("· yours, right on") == len(EXERCISE_OF) and "the course's" not in text and "mha_course" not in text
    )
    assert float(re.search(r"PyTorch: (\S+)", run(file, tmp_path))[1]) <= 1e-12
    assert repr(mine).startswith("Yours so far: 8 of 8 functions, ")
    rng = np.random.default_rng(0)
    X, *matrices = rng.normal(size=(5, 6)), *rng.normal(size=(4, 6, 6))
    layer = torch.nn.MultiheadAttention(6, 2, bias=False, batch_first=True).double()
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.tensor(np.concatenate([W.T for W in matrices[:3]])))
        layer.out_proj.weight.copy_(torch.tensor(matrices[3].T))
    theirs = layer(*[torch.tensor(X)[None]] * 3)[0][0].detach().numpy()
    assert np.abs(mine.multi_head_attention(X, X, *matrices, 2) - theirs).max() <= 1e-12


def right_answers():
    """Yield all right answers to these exercises that were written down with a def: exercise and function."""
    for each in recorded():
        if each.exercise in FUNCTIONS and each.kind == "right":
            yield each.exercise, each.function


def test_every_right_answer_is_kept_and_right_again_in_another_process(monkeypatch, tmp_path):
    kept, word_of = [], {name: word for word, name in EXERCISE_OF.items()}
    for number, (name, function) in enumerate(right_answers()):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.setenv("MHA_COURSE_PROGRESS", str(folder / "progress.jsonl"))
        told = str(COURSE.check(name, function))
        assert "Kept in my_attention.py" in told, (name, function, told)
        kept.append((str(folder / "my_attention.py"), name, f"my_{word_of[name]}"))
    answered = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS], input=json.dumps(kept), capture_output=True, text=True, check=True
    )
    said = json.loads(answered.stdout)
    assert len(said) == len(kept) >= 5 and set(said.values()) == {"right"}


@pytest.mark.parametrize("name", ["steals_two_heads", "two_heads", "translation", "previous_token"])
def test_a_board_says_as_code_how_ones_own_layer_computes_its_result(name):
    code = as_code(preset(name))
    program, own = code.split("# The same by your own functions, from my_attention.py:\n")
    names = {}
    exec(program, names)
    first, last = own.splitlines()
    exec(first.removeprefix("# "), names)
    result = eval(re.fullmatch(r"# print\((.*)\.round\(4\)\)", last)[1], names)
    assert np.allclose(result, names["result"], rtol=0, atol=1e-12)


def test_where_the_layer_has_no_such_setting_the_code_names_none():
    assert "mine" not in as_code(replace(preset("steals"), temperature=2.0))

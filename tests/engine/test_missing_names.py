"""A name that is not there comes from a cell that has not run: which one is said, and nothing is kept."""

import json

import numpy as np
import pytest
from toy.course import SIGNALS, course

from mha_course.engine.browser.notebook_cell import NotebookCell, present_place
from mha_course.engine.progress import open_notebook
from mha_course.engine.progress.missing_names import NotRunYet, first_line_that_makes, require_names

CELLS = ["import numpy as np\nbase = 1", "# prose\ndef my_mean(signal):\n    return np.mean(signal) + base"]


class Shell:
    """An IPython that was told which cell it runs."""

    def get_parent(self):
        return {"metadata": {"cellId": "explore"}}


def test_the_place_is_known_where_the_server_names_the_notebook_and_the_page_the_cell(monkeypatch):
    monkeypatch.setattr(open_notebook.builtins, "get_ipython", Shell, raising=False)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert present_place() is None
    monkeypatch.setenv("JPY_SESSION_NAME", "/home/me/03_scaled_scores.ipynb")
    assert present_place() == NotebookCell("03_scaled_scores", "explore")


def test_a_missing_name_is_found_in_the_cell_that_makes_it():
    assert first_line_that_makes("my_mean", CELLS) == "def my_mean(signal):"
    assert first_line_that_makes("np", ["%%bash\nls", *CELLS]) == "import numpy as np"
    assert first_line_that_makes("signal", CELLS) is None  # only inside a function


@pytest.mark.parametrize("line", ["%matplotlib inline", "!pip install -q numpy", "files = !ls", "%%time", "x = %pwd"])
def test_a_missing_name_is_found_beside_what_jupyter_reads_before_python(line):
    assert first_line_that_makes("base", [f"{line}\nbase = 7 % 3"]) == line
    assert first_line_that_makes("base", [f"{line}\nother = 7 % 3"]) is None


def test_a_missing_name_is_found_after_the_notebook_was_called_otherwise(monkeypatch, tmp_path):
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "lesson.ipynb"))  # as the server still says
    monkeypatch.setattr(open_notebook.builtins, "get_ipython", Shell, raising=False)
    cells = [{"cell_type": "code", "id": name, "source": text} for name, text in (("a", "base = 1"), ("explore", ""))]
    (tmp_path / "other.ipynb").write_text(json.dumps({"cells": cells[:1]}))
    names = {}
    exec("def answer(signal):\n    return base", names)
    require_names(names["answer"])  # nobody knows
    (tmp_path / "mine.ipynb").write_text(json.dumps({"cells": cells}))
    with pytest.raises(NotRunYet, match="base comes from a cell that has not run yet"):
        require_names(names["answer"])


def test_a_check_says_which_cell_the_answer_needs_and_keeps_nothing(monkeypatch, tmp_path):
    path = tmp_path / "lesson.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": [each]} for each in CELLS]}))
    names = {}
    exec("def answer(signal, kernel):\n    return [wide(signal) for wide in (lambda x: x + base,)]", names)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    with pytest.raises(NotRunYet, match="base comes from a cell that has not run yet"):
        course().check("convolution.valid", names["answer"])
    assert not SIGNALS.progress_file.exists()
    names["base"] = np.ones(1)
    assert "has not run yet" not in repr(course().check("convolution.valid", names["answer"]))


def test_a_cell_is_never_told_to_run_itself_first(monkeypatch, tmp_path):
    path = tmp_path / "lesson.ipynb"
    present, other = ({"cell_type": "code", "id": name, "source": "total = 0"} for name in ("explore", "other"))
    names = {}
    exec("def answer(signal):\n    return total", names)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    monkeypatch.setattr(open_notebook.builtins, "get_ipython", Shell, raising=False)
    path.write_text(json.dumps({"cells": [present]}))
    require_names(names["answer"])
    path.write_text(json.dumps({"cells": [present, other]}))
    with pytest.raises(NotRunYet, match="total comes from"):
        require_names(names["answer"])

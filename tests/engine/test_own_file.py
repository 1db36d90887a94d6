"""The file that a learner takes home: what is kept there, what is told of it, and that nothing in it is ever lost."""

import numpy as np
import pytest
from as_cell import as_cell
from toy.course import SIGNALS

from mha_course.engine import Case, Course, Exercise, Lesson, Solution, Step, mistake

OF_THE_COURSE = """import numpy as np


# sums.total · the course's
# (n,) -> one number
def my_total(x):
    return x.sum()


# sums.mean · the course's
# (n,) -> one number
def my_mean(x):
    return my_total(x) / len(x)


# Try it: python my_sums.py
if __name__ == "__main__":
    print(my_mean(np.array([1, 3])))
"""


def exercise(name, does):
    cases = [Case("the example", (np.array([1.0, 4.0]),)), Case("drawn", lambda sample: sample((5,)))]
    squared = mistake("It is squared.", "Nothing is.", lambda x: does(x) ** 2)
    turned = mistake("It has the wrong sign.", "Keep the sign.", lambda x: -does(x))
    solution = Solution("x", [Step("result", does, squared, turned)])
    return Exercise(
        f"sums.{name}", name.capitalize(), solution, cases=cases, notice="Good.", off_limits=(f"mine.{name}",)
    )


@pytest.fixture
def sums(tmp_path):
    path = tmp_path / "my_sums.py"
    path.write_text(OF_THE_COURSE, encoding="utf-8")
    exercises = [exercise("total", lambda x: x.sum()), exercise("mean", lambda x: x.mean())]
    return Course(SIGNALS, [Lesson("sums", exercises=exercises)], own_file=path)


@pytest.fixture
def file(own_progress):
    return own_progress.with_name("my_sums.py")


def said(course, name, function):
    return str(course.check(f"sums.{name}", function, seed=0)).splitlines()[-1]


def half(x):
    return x / 2


def total(x):
    return half(2 * np.add.reduce(x))


def test_a_right_answer_is_kept_with_the_functions_that_it_calls_and_its_date(sums, file):
    before = sums.mine.total
    assert said(sums, "total", total) == "Kept in my_sums.py, line 6."
    text = file.read_text()
    assert "# 1.1 sums.total · yours, right on 20" in text and "# 1.2 sums.mean · the course's\n# (n,) ->" in text
    assert "def half(x):" in text and text.endswith(OF_THE_COURSE[OF_THE_COURSE.index("# Try it") :])
    assert sums.mine.total is not before and sums.mine.total(np.array([1, 2])) == 3


def test_it_is_said_whose_the_functions_are_that_were_asked_for(sums):
    sums.mine.mean(np.array([1, 3]))
    assert str(sums.mine) == "mean: the course's, until exercise 1.2 is right."
    said(sums, "total", total)
    assert str(sums.mine) == "total: yours. mean: the course's, until exercise 1.2 is right."
    assert repr(sums.mine).startswith("Yours so far: 1 of 2 functions, 5 lines.\n\ndef half(x):")
    assert repr(sums.mine).endswith("def my_mean(x): ...  # the course's, until exercise 1.2 is right")


def test_the_file_runs_without_the_course(sums, file, capsys):
    said(sums, "total", total)
    exec(compile(file.read_text(), "my_sums.py", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == "2.0\n" and "mha_course" not in file.read_text()


def test_a_function_of_the_file_may_be_called_by_its_word(sums, file):
    mine = sums.mine

    def mean(x):
        return mine.total(x) / x.size

    assert "`mine` is in the function around it: make it a parameter." in said(sums, "mean", mean)
    names = {"mine": mine, "__name__": "cell"}
    assert "Kept in my_sums.py" in said(
        sums, "mean", as_cell("def my_mean(x):\n    return mine.total(x) / x.size", names)
    )
    assert "return my_total(x) / x.size" in file.read_text()


def test_the_courses_own_is_no_answer(sums, file):
    own = as_cell("def my_total(x):\n    return mine.total(x)", {"mine": sums.mine})
    assert "The numbers are right, but they come from mine.total." in str(sums.check("sums.total", own))
    assert not file.exists()


KEPT = {  # what is right, and cannot be kept -> the reason
    "lambda x: x.sum()": "It is a lambda: write it with def.",
    "def my_total(x):\n    return x.sum() + nothing": "`nothing` is not in the function: make it a parameter.",
    "def my_total(x, start=nothing):\n    return x.sum() + start": "`nothing` is not in the function",
}


@pytest.mark.parametrize("source", KEPT)
def test_what_cannot_be_kept_says_why_in_a_sentence(source, sums, file):
    names = {"nothing": np.zeros(())}
    function = eval(source) if source.startswith("lambda") else as_cell(source, names)
    told = said(sums, "total", function)
    assert told.startswith("It is right, but it is not kept in my_sums.py.") and KEPT[source] in told
    assert not file.exists()


def test_a_library_that_the_file_then_needs_is_told(sums, file):
    from scipy import special

    source = "def my_total(x):\n    return x.sum() + special.log1p(0)"
    assert said(sums, "total", as_cell(source, {"special": special})).endswith("the file needs scipy, too.")
    assert "import scipy.special as special" in file.read_text()


def test_a_new_right_answer_takes_the_place_of_the_old_one_which_stays_in_a_second_file(sums, file):
    said(sums, "total", total)
    told = said(sums, "total", as_cell("def my_total(x):\n    return sum(x)", {}))
    assert told == "Kept in my_sums.py, line 6. What stood there is in my_sums_earlier.py."
    assert "half" not in file.read_text() and "def half(x)" in file.with_name("my_sums_earlier.py").read_text()
    assert said(sums, "total", as_cell("def my_total(x):\n    return sum(x)", {})) == "Kept in my_sums.py, line 6."


def test_what_was_changed_by_hand_is_used_told_and_never_lost(sums, file):
    said(sums, "total", as_cell("def my_total(x):\n    return sum(x)", {}))
    file.write_text(file.read_text().replace("sum(x)", "sum(x)  # mine"))
    assert sums.mine.total(np.array([1, 2])) == 3
    assert str(sums.mine) == "total: yours, changed by hand since its check (line 6 of my_sums.py)."
    assert "What stood there is in" in said(sums, "total", as_cell("def my_total(x):\n    return sum(x)", {}))
    assert "# mine" in file.with_name("my_sums_earlier.py").read_text()


def test_a_broken_file_is_told_by_its_line_and_stays_as_it_is(sums, file):
    said(sums, "total", total)
    broken = file.read_text().replace("return half(", "return half((")
    file.write_text(broken)
    assert sums.mine.total(np.array([1, 2])) == 3
    assert str(sums.mine).startswith("my_sums.py, line 1") and "until that line is mended" in str(sums.mine)
    assert "Until that line is mended, your function is not kept there." in said(sums, "total", total)
    assert file.read_text() == broken


def test_a_function_of_an_exercise_that_there_is_no_more_stays(sums, file):
    said(sums, "total", total)
    gone = "# 1.9 sums.gone · yours, right on 2026-01-01\ndef my_gone(x):\n    return x\n\n\n"
    text = file.read_text()
    file.write_text(text.replace("# 1.2 sums.mean", f"{gone}# 1.2 sums.mean"))
    assert "Kept in my_sums.py" in said(sums, "mean", as_cell("def my_mean(x):\n    return x.mean()", {}))
    assert gone.replace("1.9 ", "") in file.read_text() and "Yours so far: 2 of 2 functions" in repr(sums.mine)


def test_another_file_of_that_name_is_not_touched(sums, file):
    file.write_text("x = 1\n")
    assert "is another file, and stays as it is." in said(sums, "total", total)
    assert file.read_text() == "x = 1\n"


def test_two_helpers_of_one_name_are_not_mixed_up(sums, file):
    said(sums, "total", total)
    names = {}
    as_cell("def half(x):\n    return x / 2.0", names)
    told = said(sums, "mean", as_cell("def my_mean(x):\n    return half(2 * x.mean())", names))
    assert "Its `half` is another one than that of exercise 1.1: rename it." in told


def test_what_is_right_only_beside_others_is_not_kept(sums):
    names = {}
    as_cell("def my_total(x, times):\n    return times * x.sum()", names)
    told = said(sums, "mean", as_cell("def my_mean(x):\n    return my_total(x, 1 / len(x))", names))
    assert "It is not right with the functions that stand in the file" in told


def test_a_function_refuses_arrays_with_other_axes_than_those_of_its_check(sums):
    with pytest.raises(
        ValueError, match=r"mine\.mean needs an array of the shape \(n,\), but got one of the shape \(2, 3\)\."
    ):
        sums.mine.mean(np.ones((2, 3)))


def test_a_word_that_there_is_not_is_told_with_the_nearest(sums):
    with pytest.raises(AttributeError, match=r"mine has no 'totl'\. Did you mean mine\.total\?"):
        _ = sums.mine.totl

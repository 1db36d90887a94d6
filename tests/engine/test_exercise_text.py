"""Exercises as texts: what a text says is what a check knows, and what is not in order is refused at its line."""

import numpy as np
import pytest

from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.exercise_file import ExercisePage, MistakeFiles
from mha_course.engine.checking.exercise_text import read
from mha_course.engine.checking.solution import known_to

TEXT = """# Averages

```python
from math import isqrt
```

## averages.spread(days, times): How far from the mean

Off limits: std, var

Notice: The differences of a list from its own mean
  sum to 0.

### Inputs

- the example, with `two` days: `np.array([3, 5])`, `2`
- five days: `*sample((5,))`, `isqrt(9)`

### `mean = days.sum() / len(days)`

- The sum is not divided.
  A mean is the sum divided by how many there are.
  Happened: a/b #1, c/d #2.
  Asked: e/f #3. `days.sum()`
  `sum(days)`
- see shared.middle

### `spread = times * (days - mean)`

- `times` is not used.
  Multiply by it. `days - mean`
- The sum is not divided. `times * (days - days.sum())`
"""
SHARED = """# What others know, too

- It is squared.
  A square has no sign.

## middle

- The middle is taken.
  The median ignores how far away the others are. `np.median(days)`
- The largest is taken.
  It is one of the days. `days.max()`
"""


@pytest.fixture
def page(tmp_path):
    def written(text=TEXT, shared=SHARED):
        (tmp_path / "mistakes").mkdir(exist_ok=True)
        (tmp_path / "mistakes" / "shared.md").write_text(shared, encoding="utf-8")
        (tmp_path / "averages.md").write_text(text, encoding="utf-8")
        return ExercisePage(read(tmp_path / "averages.md"), MistakeFiles(tmp_path / "mistakes"))

    return written


def whole(exercise):
    """Return all that an exercise reads only when it is needed."""
    return [*exercise.right.steps, *exercise.cases, *exercise.mistakes]


def test_a_text_becomes_an_exercise_that_checks_can_use(page):
    (spread,) = page().exercises()
    assert (spread.name, spread.arguments, spread.title) == (
        "averages.spread",
        ("days", "times"),
        "How far from the mean",
    )
    assert spread.off_limits == ("std", "var") and spread.notice.endswith("own mean sum to 0.")
    assert [case.words for case in spread.cases] == ["the example, with `two` days", "five days"]
    assert spread.cases[1].inputs(1).arguments[1] == 3 and spread.cases[1].is_random
    np.testing.assert_allclose(spread.right(np.array([3, 5]), 2), [-2, 2])
    known = {each.name: (each.why, each.where, each.asked) for each in known_to(spread)}
    assert set(known) == {
        "The sum is not divided.",
        "The middle is taken.",
        "The largest is taken.",
        "`times` is not used.",
    }
    assert known["The sum is not divided."] == (
        "A mean is the sum divided by how many there are.", "a/b #1, c/d #2", "e/f #3"
    )  # fmt: skip
    assert len(spread.right.step_mistakes) == 6
    assert diagnose(spread, lambda days, times: days - days.mean()).headline == "`times` is not used."


def test_a_step_leaves_out_what_it_says(page):
    (spread,) = page(TEXT.replace("see shared.middle", "see shared.middle, without “The middle is taken.”")).exercises()
    assert "The middle is taken." not in {each.name for each in known_to(spread)}


def test_a_solution_of_the_files_of_mistakes_is_a_function_and_goes_wrong_as_it_does(page):
    shared = (
        SHARED + "\n## apart(days)\n\n### `apart = days - days.mean()`\n\n- It is squared. `(days - days.mean())**2`\n"
    )
    text = TEXT.replace(
        "### `spread = times * (days - mean)`", "### `apart` is shared.apart\n\n### `spread = times * apart(days)`"
    )
    (spread,) = page(text, shared).exercises()
    np.testing.assert_allclose(spread.right(np.array([3, 5]), 2), [-2, 2])
    assert diagnose(spread, lambda days, times: times * (days - days.mean()) ** 2).headline == "It is squared."


REFUSED = {
    "no title": ("# Averages", "Averages", 1, "begins with #"),
    "a line that is nothing": ("Off limits: std", "What is off limits", 9, "a line begins with ##"),
    "a field that is unknown": ("Off limits", "Of limits", 7, "no field Of limits, but there are Notice, "),
    "a heading of no exercise": ("(days, times): How", "(days, times) How", 7, "its arguments in brackets"),
    "a heading of no step": ("### `spread = ", "### `", 28, "a step is headed by"),
    "a name that nothing has": ("`sum(days)`", "`sum(week)`", 21, "week is no argument and no earlier step: there are"),
    "what a later step makes": ("`sum(days)`", "`sum(spread)`", 21, "spread is no argument"),
    "no expression": ("`sum(days)`", "`sum(days`", 21, "never closed"),
    "no code": (" `days - mean`", "", 30, "needs a wrong expression"),
    "code that does not end": (" `days - mean`", " `days - mean", 30, "between two `"),
    "no reason": ("- The sum is not divided. `times", "- It is off. `times", 32, "a reason is needed"),
    "a place that is not there": ("see shared.middle", "see shared.end", 26, "shared.end must be one heading"),
    "what is not known there": (
        "see shared.middle", "see shared.middle, without “It is off.”", 26, "knows no mistake “It is off.”"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_in_order_is_refused_with_its_file_and_line(page, old, new, line, why):
    assert TEXT.count(old) == 1
    with pytest.raises(ValueError) as refused:
        whole(*page(TEXT.replace(old, new)).exercises())
    assert f"averages.md, line {line}, at " in str(refused.value) and why in str(refused.value)


# Inputs from sizes

SIZES = """Sizes: days (…, weeks, length), factor (2 * length), most `sample.whole(5, 9)`, length

Without: large entries

### Inputs

- the example: `np.array([[3.0]])`, `np.array([1.0, 2.0])`, `5`, `1`
- more weeks than days: weeks 7, length 2
- four lists of one week: … 4, weeks 1, float32
"""


def sized(page, sizes=SIZES):
    head, _, _ = TEXT.partition("## averages")
    return page(f"{head}## averages.x(days, factor, most, length): Sizes\n\n{sizes}\n### `y = days`\n").exercises()[0]


def test_standard_inputs_come_from_the_sizes(page):
    exercise = sized(page)
    shapes = {one.words: np.shape(one.arguments[0]) for one in exercise.inputs(2)}
    equal = shapes["all sizes equal"][0]
    assert shapes == {
        "the example": (1, 1), "different sizes": (4, 5), "all sizes equal": (equal,) * 3, "a single row": (1, 5),
        "width 1": (4, 1), "float32": (4, 5), "an axis in front": (3, 4, 5), "two axes in front": (2, 3, 4, 5),
        "more weeks than days": (7, 2), "four lists of one week": (4, 1, 5),
    }  # fmt: skip
    for one in exercise.inputs(2)[1:]:
        days, factor, most, length = one.arguments
        assert (length, factor.shape) == (days.shape[-1], (2 * length,)) and 5 <= most <= 9
        assert days.dtype == (np.float32 if one.words in ("float32", "four lists of one week") else float)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("days (…, weeks, length), ", "", "say of each argument its axes, in brackets, or what gives it: days, factor"),
        ("weeks 7, length 2", "months 7", "sizes are names and numbers, and there are weeks, length"),
        ("(5, 9)", "(5, months)", "months is no argument"),
        ("Without: large", "Without: larger", "no standard inputs have larger entries: different sizes, "),
    ],
)
def test_sizes_that_are_not_in_order_are_refused(page, old, new, why):
    with pytest.raises(ValueError, match=r"averages.md, line \d+") as refused:
        whole(sized(page, SIZES.replace(old, new)))
    assert why in str(refused.value)

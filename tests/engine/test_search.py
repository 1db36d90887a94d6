"""Three mistakes at once are named only where no other three explain the answer as well."""

import numpy as np
import pytest

from mha_course.engine import Case, Exercise, Solution, Step, mistake
from mha_course.engine.checking.diagnose import diagnose

STEPS = [
    Step("first", lambda signal: signal + 1, mistake("The first adds 2.", "It adds 1.", lambda signal: signal + 2)),
    Step("second", lambda first: first + 1, mistake("The second adds 2.", "It adds 1.", lambda first: first + 2)),
    Step("third", lambda second: second + 1, mistake("The third adds 2.", "It adds 1.", lambda second: second + 2)),
    Step("fourth", lambda third: third + 1, mistake("The fourth adds 2.", "It adds 1.", lambda third: third + 2)),
]


@pytest.mark.parametrize(
    ("steps", "named"), [(3, ["The first adds 2.", "The second adds 2.", "The third adds 2."]), (4, [])]
)
def test_three_mistakes_are_named_if_they_are_the_only_three(steps, named):
    cases = [Case("the example", (np.array([1.0, -2.0, 4.0]),)), Case("five", lambda sample: sample((5,)))]
    exercise = Exercise("sums.sum", "A sum", Solution("signal", STEPS[:steps]), cases=cases, notice="Sums add up.")
    assert list(diagnose(exercise, lambda signal: signal + steps + 3).mistakes) == named

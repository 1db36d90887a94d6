"""Tells which of NumPy's names stands for something else: whoever writes np.sqrt = … has changed it for everybody."""

from types import ModuleType

import numpy as np

from mha_course.engine.checking.diagnosis import Diagnosis
from mha_course.engine.isolated_call.own_code import named_in, own_functions


def overwritten(function: object) -> str:
    """Return the first such name that a learner's function uses, as it is written; empty if there is none.

    >>> overwritten(lambda x: np.sqrt(x))
    ''
    """
    used = [name for each in own_functions(function) for name in named_in(each.__code__)]
    places = {"np": np, "np.linalg": np.linalg}
    return next((f"{place}.{name}" for name in used for place in places if _is_custom(places[place], name)), "")


def _is_custom(module: ModuleType, name: str) -> bool:
    value = vars(module).get(name)
    return callable(value) and not (getattr(value, "__module__", None) or "numpy").startswith("numpy")


def not_numpys(name: str) -> Diagnosis:
    """Say that a name is not NumPy's any more, and how it gets back what it had."""
    return Diagnosis(
        "difference",
        f"{name} is not NumPy's any more.",
        (
            f"A line such as {name} = … has put something else in its place, for every cell. Delete that line, restart "
            "Python (in the menu Kernel: Restart Kernel), and run the cells again.",
        ),
    )

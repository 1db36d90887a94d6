"""One test for a whole table: it runs for every row, and what fails is told with its row.

A case of its own costs more than a small test does: every process that tests collects it, and every result travels.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

MOST = 5  # rows of which it is told what they say


def rows(names: str, values: Iterable[Any]) -> Callable:
    """Run a test once for each row. names: its arguments, as `pytest.mark.parametrize` takes them."""
    given, table = [name.strip() for name in names.split(",")], list(values)

    def for_all(test: Callable) -> Callable:
        @wraps(test)
        def whole(**fixtures):
            errors = {}
            for row in table:
                try:
                    test(**fixtures, **dict(zip(given, [row] if len(given) == 1 else row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    errors[str(row)] = error
            if errors:
                said = "\n".join(f"{names} = {row}: {error}" for row, error in list(errors.items())[:MOST])
                raise AssertionError(f"{len(errors)} of {len(table)} rows:\n{said}") from next(iter(errors.values()))

        left = [each for name, each in inspect.signature(test).parameters.items() if name not in given]
        whole.__signature__ = inspect.Signature(left)
        return whole

    return for_all

"""Shares calls among the processor's cores, so that several small matrix products run at one time."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from mha_course.engine.platform_support import HAS_THREADS
from mha_course.maths.array_arguments import overflow_is_reported

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

Item = TypeVar("Item")

ONE_AT_A_TIME = Lock()  # how many threads a product uses is set for the whole process
if hasattr(os, "register_at_fork"):  # a fork waits until no call is under way; Windows has none
    os.register_at_fork(
        before=ONE_AT_A_TIME.acquire, after_in_parent=ONE_AT_A_TIME.release, after_in_child=ONE_AT_A_TIME.release
    )


def share(function: Callable[[Item], object], items: Iterable[Item]) -> None:
    """Call the function for every item, in as many threads as NumPy's products use; a product then uses one.

    The threads end with the call: a forked process would not have them. Threads have settings of their own for
    NumPy's warnings, so these are made quiet in each.

    Errors: the first that the function raises.

    >>> import numpy as np
    >>> squares = np.zeros(4)
    >>> share(lambda i: squares.put(i, i * i), range(4))
    >>> squares.tolist()
    [0.0, 1.0, 4.0, 9.0]
    """
    if not HAS_THREADS:
        for item in items:
            overflow_is_reported(function)(item)
        return
    with ONE_AT_A_TIME:
        count = thread_count()
        with product_threads().limit(limits=1, user_api="blas"), ThreadPoolExecutor(count) as pool:
            list(pool.map(overflow_is_reported(function), items))


@contextmanager
def one_thread() -> Iterator[None]:
    """Let NumPy's products use one thread meanwhile: small ones are faster so, above all on a busy machine.

    >>> import numpy as np
    >>> with one_thread():
    ...     [[1]] @ np.eye(1)
    array([[1.]])
    """
    with ONE_AT_A_TIME, product_threads().limit(limits=1, user_api="blas"):
        yield


def thread_count() -> int:
    """Return how many threads NumPy's products use just now.

    >>> with one_thread():
    ...     thread_count()
    1
    """
    return max((library["num_threads"] for library in product_threads().info()), default=1)


@cache
def product_threads() -> "ThreadpoolController":
    """Return a handle on the threads of NumPy's products."""
    from threadpoolctl import ThreadpoolController  # here, because only large inputs need it

    return ThreadpoolController().select(user_api="blas")

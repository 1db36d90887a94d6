"""How long a text takes with an attention from outside, which gets all tokens anew for each."""

import sys
from collections.abc import Iterator
from time import perf_counter
from typing import TypeVar

Item = TypeVar("Item")

LONG = 45.0  # seconds; who would wait for longer is told so after the first token


def seconds_in_all(first: float, prompt: int, tokens: int) -> float:
    """Return about how many seconds so many tokens take behind a prompt, if the first of them took so many.

    The time of each grows with the rows before it.

    >>> seconds_in_all(5.0, prompt=5, tokens=3)  # behind 5, 6 and 7 tokens
    18.0
    """
    return first * sum((prompt + more) / prompt for more in range(tokens))


def told_if_long(written: Iterator[Item], prompt: int, tokens: int) -> Iterator[Item]:
    """Yield the tokens as they are written; once the first is there, say on stderr if all of them take long."""
    begin = perf_counter()
    for number, token in enumerate(written):
        first = perf_counter() - begin
        if number == 0 and tokens > 1 and (whole := seconds_in_all(first, prompt, tokens)) > LONG:
            told = f"With your attention, the first token took {first:.2f} s; {tokens} need about {whole:.0f} s."
            print(told, "Interrupt the kernel (■) to stop.", file=sys.stderr, flush=True)
        yield token

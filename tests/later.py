"""PyTorch, not imported before a test asks for something of it.

That takes two seconds, and each of the processes that test reads all files. Where there is no PyTorch, none of the
tests that ask runs: tests/parts.py.
"""


class _Later:
    def __getattr__(self, name):
        if name.startswith("_"):  # pytest asks everything in a file whether it is a mock, doctest what it wraps
            raise AttributeError(name)
        import torch

        return getattr(torch, name)


torch = _Later()

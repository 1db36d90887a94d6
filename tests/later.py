"""PyTorch, not imported before a test asks for something of it.

That takes two seconds, and each of the processes that test reads all files. Where there is no PyTorch, none of the
tests that ask runs: tests/parts.py.
"""

from importlib import import_module


class _Later:
    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):  # as whoever looks for examples in a file asks of all in it
            raise AttributeError(name)
        return getattr(import_module(self._name), name)


torch = _Later("torch")

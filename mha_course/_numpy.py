"""Makes sure that numpy is NumPy: a learner's file numpy.py would stand before it, and fail in words of its own."""

import numpy

if not hasattr(numpy, "__path__"):
    raise ImportError(f"This is not NumPy: {numpy.__file__} stands before it. Rename that file, and restart Python.")

"""The tests of the engine have a course of their own, and so another progress file."""

import pytest
from toy.course import SIGNALS


@pytest.fixture(autouse=True)
def own_progress(own_progress):
    """Return where a learner's progress in this test is."""
    return SIGNALS.progress_file

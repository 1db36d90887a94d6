"""The examples in the tools, which pytest does not find by itself: it looks into the course alone."""

import doctest
from importlib import import_module

import pytest
from stored import ROOT

TOOLS = ROOT / "tools"
WITH_EXAMPLES = sorted(
    path for path in TOOLS.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8") and "template" not in path.parts
)


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.relative_to(TOOLS).as_posix())
def test_the_examples_in_a_tool_are_true(path):
    module = import_module(".".join(path.relative_to(TOOLS).with_suffix("").parts))
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0 and result.failed == 0

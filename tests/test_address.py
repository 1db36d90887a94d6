"""One place for the address: what pyproject.toml says of the repository, every badge and link says too."""

import re
from functools import cache
from typing import NamedTuple
from urllib.parse import quote, unquote

import nbformat
import pytest
import yaml
from stored import NOTEBOOKS, REPOSITORY, ROOT, code_cells, every_notebook

from mha_course._version import __version__

OURS = REPOSITORY.removeprefix("https://github.com/")
TEACHERS = "YOU/REPO"  # what a teacher makes, in docs/teaching.md
PLACES = (
    "*.md", "*.cff", "*.toml", "LICENSE", "Makefile", "binder/*", "docs/**/*", "hub/**/*", "mha_course/**/*.md",
    "mha_course/**/*.py", "mha_course/**/*.js", "notebooks/*.ipynb", "tools/**/*",
)  # fmt: skip
HOSTS = r"\b(?:github\.com|raw\.githubusercontent\.com|mybinder\.org/v2/gh|colab\.research\.google\.com/github)"
ADDRESS = re.compile(rf"{HOSTS}[/:]([\w-]+/[\w.-]*\w)([^\s\"'()<>`]*)")
FILE = re.compile(r"(?:\blabpath=|^/(?:blob|raw|tree)/[^/]+/)([^&#?\\]+)")


class Address(NamedTuple):
    """A repository's address, and the file inside it that is named, if one is."""

    repository: str
    file: str | None


def addresses(text):
    """List the addresses of repositories in a text, also where they stand inside another address."""
    found = ADDRESS.findall(unquote(text))
    named = [(repository.removesuffix(".git"), FILE.search(rest)) for repository, rest in found]
    return [Address(repository, match and match[1]) for repository, match in named]


def files():
    paths = (path for place in PLACES for path in sorted(ROOT.glob(place)))
    return [path for path in paths if path.is_file() and "__pycache__" not in path.parts]


def lines():
    """Yield every line, with the place where it stands."""
    for path in files():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            yield f"{path.relative_to(ROOT).as_posix()}:{number}", line


@cache
def every():
    """List every address with the line where it stands."""
    return [(place, address) for place, line in lines() for address in addresses(line)]


def test_every_address_is_that_of_pyproject():
    holders = {place.partition(":")[0] for place, address in every() if address.repository == OURS}
    wrong = [f"{place}: {found.repository}" for place, found in every() if found.repository not in (OURS, TEACHERS)]
    assert wrong == [], f"pyproject.toml says {OURS}; change\n" + "\n".join(wrong)
    assert {"README.md", "docs/teaching.md", "CITATION.cff", "pyproject.toml"} <= holders


def test_every_file_that_an_address_names_is_there():
    named = [(place, address.file) for place, address in every() if address.repository == OURS and address.file]
    assert len(named) >= 3
    assert [(place, file) for place, file in named if not (ROOT / file).exists()] == []


@every_notebook
def test_a_lesson_fetches_the_course_from_that_address(path):
    (first, *_) = code_cells(nbformat.read(path, 4))
    assert f'run_line_magic("pip", "install -q git+{REPOSITORY}")' in first.source


def test_the_badges_open_the_first_lesson():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lesson = NOTEBOOKS[0].relative_to(ROOT).as_posix()
    assert f"(https://mybinder.org/v2/gh/{OURS}/HEAD?labpath={quote(lesson, safe='')})" in readme
    assert f"(https://colab.research.google.com/github/{OURS}/blob/HEAD/{lesson})" in readme


def test_the_placeholder_is_explained_as_long_as_it_stands_and_no_longer():
    places = "\n".join(place for place, line in lines() if re.search(r"\bOWNER\b", line))
    if OURS.startswith("OWNER/"):
        assert "set it in the line `Repository` of" in (ROOT / "README.md").read_text(encoding="utf-8")
    else:
        assert not places, f"the address is set; take OWNER and what explains it out of\n{places}"


@pytest.mark.parametrize(
    ("text", "found"),
    {
        "pip install git+https://github.com/a/b_c.git`": [("a/b_c", None)],
        "It is at https://github.com/a/b.": [("a/b", None)],
        "git@github.com:a/b.git": [("a/b", None)],
        "(https://mybinder.org/v2/gh/a/b/HEAD?labpath=notebooks%2F00_x.ipynb)": [("a/b", "notebooks/00_x.ipynb")],
        "https://colab.research.google.com/github/a/b/blob/main/x.ipynb": [("a/b", "x.ipynb")],
        "?repo=https%3A%2F%2Fgithub.com%2Fa%2Fb&urlpath=lab%2Ftree%2Fb%2Fx.ipynb": [("a/b", None)],
        "the account on github.com, and/or another": [],
    }.items(),
)
def test_an_address_is_found_however_it_is_written(text, found):
    assert addresses(text) == found


def test_the_citation_says_what_the_course_says():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)  # what the format requires
    assert citation["version"] == __version__
    assert citation["repository-code"] == REPOSITORY
    assert (ROOT / "README.md").read_text(encoding="utf-8").startswith(f"# {citation['title']}\n")

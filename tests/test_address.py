"""One place for the address: what pyproject.toml says of the repository, every badge and link says too."""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import cache
from urllib.parse import quote

import address
import codemeta
import nbformat
import pytest
import yaml
from address import OURS, REPOSITORY, SITE, addresses, files
from stored import NOTEBOOKS, ROOT, code_cells, every_notebook

from mha_course._version import __version__

pytestmark = pytest.mark.long

# What a teacher makes, in docs/teaching.md; how an address is given; where a face comes from, in its licence.
EXAMPLES = {"YOU/REPO", "owner/name", "stipub/stixfonts"}


def lines(root=ROOT):
    """Yield every line, with the place where it stands."""
    for path in files(root):
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            yield f"{path.relative_to(root).as_posix()}:{number}", line


@cache
def every(root=ROOT):
    """List every address with the line where it stands."""
    return [(place, each) for place, line in lines(root) for each in addresses(line)]


def test_every_address_is_that_of_pyproject():
    holders = {place.partition(":")[0] for place, found in every() if found.repository == OURS}
    wrong = [f"{place}: {found.repository}" for place, found in every() if found.repository not in {OURS, *EXAMPLES}]
    assert wrong == [], f"pyproject.toml says {OURS}; change\n" + "\n".join(wrong)
    assert {"README.md", "docs/teaching.md", "CITATION.cff", "pyproject.toml"} <= holders


def test_every_file_that_an_address_names_is_there():
    named = [(place, found.file) for place, found in every() if found.repository == OURS and found.file]
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


def test_the_first_button_begins_the_first_lesson_as_a_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (picture, leads_to), *_ = re.findall(r"\[!\[Begin now\]\((.*?)\)\]\((.*?)\)", readme)
    assert leads_to == f"{SITE}/{NOTEBOOKS[0].stem}.html"
    assert readme.index("[![") == readme.index("[![Begin now]")
    assert ET.parse(ROOT / picture).getroot().get("aria-label") == "Begin now"


def without_explanation(line):
    return address.EXPLAINED.sub("", f"{line}\n")


def test_the_placeholder_is_explained_as_long_as_it_stands_and_no_longer():
    places = {place for place, line in lines() if address.PLACEHOLDER in line}
    explained = {place for place, line in lines() if line != without_explanation(line).removesuffix("\n")}
    if address.is_set():
        assert not places, f"the address is set; take {address.PLACEHOLDER} out of {sorted(places)}"
    else:
        assert {place.partition(":")[0] for place in explained} == {"README.md", "hub/README.md", "docs/teaching.md"}


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """What holds an address, in a folder of its own, where the address was set twice, then another, then the first."""
    root = tmp_path_factory.mktemp("set") / "course"
    for path in files():
        copy = root / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    given, other = address.read("https://github.com/Ada-L/attention.x"), address.read("https://github.com/Bea-M/other")
    changed = [len(address.write(*each, root)) for each in (given, given, other, given)]
    return root, changed


def test_one_command_sets_every_address(copied):
    root, (first, again, _, _) = copied
    assert first > len(NOTEBOOKS) and again == 0
    was, now = every(), every(root)
    assert [found.file for _, found in now] == [found.file for _, found in was]
    assert {found.repository for _, found in now} == {"Ada-L/attention.x", *EXAMPLES}
    assert address.stored(root) == ("https://github.com/Ada-L/attention.x", "https://ada-l.github.io/attention.x")
    former = re.compile(f"{address.PLACEHOLDER}|[Bb]ea-[Mm]")
    assert [place for place, line in lines(root) if former.search(line)] == []
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert "](https://ada-l.github.io/attention.x/00_start_here.html)" in readme


def test_nothing_but_addresses_is_changed(copied):
    root, _ = copied
    for path in files():
        before, after = path.read_bytes(), (root / path.relative_to(ROOT)).read_bytes()
        if path in NOTEBOOKS:
            cells = zip(nbformat.reads(before, 4).cells, nbformat.reads(after, 4).cells, strict=True)
            assert [old.id for old, new in cells if old != new] == ["touch" if path == NOTEBOOKS[0] else "imports"]
        assert abs(before.count(b"\n") - after.count(b"\n")) <= 2  # the explanation, and the line below it


@pytest.mark.parametrize(
    "given",
    ["", "owner/name", "https://github.com/ada", "https://gitlab.com/a/b", "http://github.com/a/b", "https://github.com/a/b/c",
     "https://github.com/-a/b", "https://github.com/OWNER/mha_course", "https://github.com/a/b c"],
)  # fmt: skip
def test_a_bad_address_is_told_in_one_sentence_and_nothing_is_changed(given):
    before = (ROOT / "pyproject.toml").read_bytes()
    with pytest.raises(SystemExit) as said:
        address.main(given, "https://a.example")
    assert said.value.code == f"“{given}” is no repository on GitHub: write it as URL=https://github.com/owner/name."
    assert (ROOT / "pyproject.toml").read_bytes() == before


@pytest.mark.parametrize("given", ["https://github.com/a/b", "https://github.com/a/b/", "https://github.com/a/b.git"])
def test_an_address_may_be_pasted_as_it_comes(given):
    assert address.read(given) == ("https://github.com/a/b", "https://a.github.io/b")


def test_the_site_can_have_an_address_of_its_own():
    assert address.read("https://github.com/a/b", "https://b.example.org/")[1] == "https://b.example.org"
    with pytest.raises(ValueError, match=r"“b\.example” is no website's address"):
        address.read("https://github.com/a/b", "b.example")


def test_what_is_built_warns_as_long_as_the_address_is_not_set():
    run = subprocess.run([sys.executable, ROOT / "tools" / "address.py"], capture_output=True, text=True, check=True)
    assert run.stdout == ("" if address.is_set() else f"{address.UNSET}\n")
    solutions = re.split(r"\n(?=[\w-]+:)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    warn = {each.partition(":")[0] for each in solutions if each.endswith("\t@$(UNSET)\n")}
    assert warn == {"site", "release", "classroom", "hub"}


@pytest.mark.parametrize(
    ("text", "found"),
    {
        "pip install git+https://github.com/a/b_c.git`": [("a/b_c", None)],
        "It is at https://github.com/a/b.": [("a/b", None)],
        "git@github.com:a/b.git": [("a/b", None)],
        "(https://mybinder.org/v2/gh/a/b/HEAD?labpath=notebooks%2F00_x.ipynb)": [("a/b", "notebooks/00_x.ipynb")],
        "https://colab.research.google.com/github/a/b/blob/main/x.ipynb": [("a/b", "x.ipynb")],
        "?repo=https%3A%2F%2Fgithub.com%2Fa%2Fb&urlpath=lab%2Ftree%2Fb%2Fx.ipynb": [("a/b", None)],
        "https://github.com/a/b/issues/12, and https://github.com/a/b/issues": [("a/b", None)],
        "https://codespaces.new/a/b": [("a/b", None)],
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


def test_catalogues_are_told_the_same():
    assert codemeta.FILE.read_text(encoding="utf-8") == codemeta.text(), "python tools/codemeta.py writes it anew"

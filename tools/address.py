"""Sets the course's address: python tools/address.py [REPOSITORY [SITE]].

pyproject.toml is the one place that says where the repository is and where the website; every badge, every link and
the first cell of every lesson follow it. Without arguments it warns if nobody has set the address.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from the_course import ROOT

PLACES = (
    "*.md", "*.cff", "*.toml", "codemeta.json", "LICENSE", "Makefile", "binder/*", ".devcontainer/*", ".github/**/*",
    "docs/**/*",
    "hub/**/*", "mha_course/**/*.md", "mha_course/**/*.py", "mha_course/**/*.js", "notebooks/*.ipynb", "tools/**/*",
)  # fmt: skip
GITHUB = "https://github.com/"
HOSTS = (
    r"\b(?:github\.com|raw\.githubusercontent\.com|codespaces\.new|mybinder\.org/v2/gh"
    r"|colab\.research\.google\.com/github)"
)
ADDRESS = re.compile(rf"{HOSTS}[/:]([\w-]+/[\w.-]*\w)([^\s\"'()<>`]*)")
FILE = re.compile(r"(?:\blabpath=|^/(?:blob|raw|tree)/[^/]+/)([^&#?\\]+)")
THREAD = re.compile(r"/(?:issues|pull|discussions)/\d+")

PLACEHOLDER = "OWNER"
EXPLAINED = re.compile(rf"\({PLACEHOLDER} stands for [^()]*\)\s+")
HOW = f"URL={GITHUB}owner/name"
UNSET = f"Warning: the address is not set, so links to the course lead nowhere: make address {HOW}"

OWNER = r"(?P<owner>[A-Za-z0-9](?:-?[A-Za-z0-9])*)"
A_REPOSITORY = re.compile(rf"{GITHUB}{OWNER}/(?P<name>[\w.-]*?\w)(?:\.git)?/?", re.ASCII)
A_SITE = re.compile(r"(https://[\w.-]+\w(?:/[\w.~-]+)*)/?", re.ASCII)


class Address(NamedTuple):
    """A repository's address, and the file inside it that is named, if one is."""

    repository: str
    file: str | None


def stored(root=ROOT):
    """Return where pyproject.toml says the repository and the website are."""
    urls = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    return urls["Repository"], urls["Homepage"]


REPOSITORY, SITE = stored()
OURS = REPOSITORY.removeprefix(GITHUB)  # owner/name


def is_set():
    """Say whether somebody has set the address."""
    return not OURS.startswith(f"{PLACEHOLDER}/")


def addresses(text):
    """List the addresses of repositories in a text, inside other addresses too, but for those of public threads."""
    found = [(name, rest) for name, rest in ADDRESS.findall(unquote(text)) if not THREAD.match(rest)]
    named = [(name.removesuffix(".git"), FILE.search(rest)) for name, rest in found]
    return [Address(name, match and match[1]) for name, match in named]


def files(root=ROOT):
    """List the files that may hold an address, but for this one."""
    paths = (path for place in PLACES for path in sorted(root.glob(place)))
    return [
        path
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts and path.name != Path(__file__).name
    ]


def pages_of(owner, name):
    """Return where GitHub Pages shows a repository's website.

    >>> pages_of("Ada", "attention"), pages_of("ada", "ada.github.io")
    ('https://ada.github.io/attention', 'https://ada.github.io')
    """
    host = f"{owner.lower()}.github.io"
    return f"https://{host}" if name.lower() == host else f"https://{host}/{name}"


def read(url, site=""):
    """Return a repository's address and its website's as they are stored. Errors: `ValueError` says what is wrong."""
    found = A_REPOSITORY.fullmatch(url)
    if not found or found["owner"].upper() == PLACEHOLDER:
        raise ValueError(f"“{url}” is no repository on GitHub: write it as {HOW}.")
    given = A_SITE.fullmatch(site or pages_of(**found.groupdict()))
    if not given:
        raise ValueError(f"“{site}” is no website's address: write it as SITE=https://attention.example.org.")
    return f"{GITHUB}{found['owner']}/{found['name']}", given[1]


def write(repository, site, root=ROOT):
    """Write the addresses wherever the old ones stand, take out what explains the placeholder; return what changed."""
    (old, old_site), changed = stored(root), []
    one = re.compile(rf"({HOSTS}[/:]){re.escape(old.removeprefix(GITHUB))}(?![\w-])")
    for path in files(root):
        before = path.read_bytes()
        try:
            text = before.decode()
        except UnicodeDecodeError:  # a picture
            continue
        text = re.sub(rf"{re.escape(old_site)}(?![\w-])", site, EXPLAINED.sub("", text))
        after = one.sub(rf"\g<1>{repository.removeprefix(GITHUB)}", text).encode()
        if after != before:
            path.write_bytes(after)
            changed.append(path)
    return changed


def main(*given):
    """Set the addresses that are given, or say that nobody has set them."""
    if not given:
        return None if is_set() else print(UNSET)
    try:
        repository, site = read(*given)
    except ValueError as error:
        sys.exit(str(error))
    changed = write(repository, site)
    print(f"The course is at {repository}, its website at {site}/: {len(changed) or 'no'} files changed.")


if __name__ == "__main__":
    main(*sys.argv[1:])

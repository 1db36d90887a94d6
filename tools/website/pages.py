"""The pages beside the lessons: the first one and the licences are made from README.md, the others stand in docs/."""

import re

from website import addresses

DOCS = ("teaching", "accessibility", "privacy")
FIRST = """# {title}

{lead}

<p class="run"><a class="begin" href="{start}.html">Begin reading</a>
{links}</p>

Reading needs nothing but this page. Running a lesson makes its numbers alive: you change them, answer, write code, and
are told what went right or wrong. Here, forms are pictures, and solutions and whatever answers a question are folded.

## The lessons

{lessons}

## What a lesson does when it runs

{more}

```{{toctree}}
:hidden:
:caption: Lessons

{names}
```

```{{toctree}}
:hidden:
:caption: About

{others}
```
"""


def first_page(readme, lessons, hub=""):
    """Write the page on which a reader begins. readme: the text of README.md; lessons: their names in order."""
    title, lead, more = re.match(r"# (.+)\n\n(.+)\n\n(.*?)\n\n\[!\[", readme, re.DOTALL).groups()
    hosts = addresses.runs(f"{lessons[0]}.ipynb", hub).items()
    links = "\n".join(f'<a class="run-on" href="{address}">Run it on {host}</a>' for host, address in hosts)
    return FIRST.format(
        title=title,
        lead=lead,
        more=more,
        links=links,
        start=lessons[0],
        lessons=section(readme, "The lessons").replace("](notebooks/", "]("),
        names="\n".join(lessons),
        others="\n".join((*DOCS, "licences")),
    )


def licences(readme, licence):
    """Write the page on licences: what README.md says of them, and the text of the file LICENSE."""
    text = with_addresses(section(readme, "Licences"), "")
    return f"# Licences\n\n{text}\n\n## The file LICENSE\n\n```text\n{licence}\n```\n"


def section(text, heading):
    """Return what stands below one heading of a Markdown text. Errors: `ValueError` if there is no such heading."""
    found = re.search(rf"^## {heading}\n\n(.*?)(?=\n## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"README.md has no section that begins with: ## {heading}")
    return found[1].strip()


def with_addresses(text, folder):
    """Let links to files that are not on the site lead to the repository. folder: where the text's own file stands."""

    def absolute(link):
        path = link[1]
        if path.removesuffix(".md") in DOCS:
            return link[0]
        return f"]({addresses.source(path.removeprefix('../') if path.startswith('../') else folder + path)})"

    return re.sub(r"\]\((?!https?:|#)([^)\s]+)\)", absolute, text)

"""The pages beside the lessons: the first one and the licences are made from README.md, the others stand in docs/."""

import re
from importlib.metadata import distribution

from minutes import about
from the_course import HOUSE, ROOT
from website import addresses, lessons, phrases, push
from website.board_arithmetic import told
from website.claims import claims
from website.drawings import in_the_page
from website.lesson_map import lesson_map
from website.trained_models import trained

DOCS = ("teaching", "accessibility", "privacy")
SHIPPED = ("pydata-sphinx-theme", "myst-nb", "sphinx")  # the site holds files of theirs, so their licences too
LIVE = 'The files that a live lesson brings into the browser have <a href="run/LICENCES.txt">licences of their own</a>.'
FACES = HOUSE / "tools" / "faces"
RUNS_HERE = True
PREVIEW = ROOT / "docs" / "film.png"  # the end of the film's first scene
SHOWN = "A number is pushed, and the word “steals” looks at the ball instead of the dog."
BOARD = "touch"  # the cell of the first lesson with its first board
FILM = re.compile(r"<picture>.*?</picture>\n\n")  # it moves by itself, and only GitHub lets a reader stop it
COUNTED = re.compile(r" \(`.+?` adds up the times\)")  # said to maintainers
FIRST = """# {title}

{lead}

<p class="run" data-lesson="{start}"><a class="begin" href="{start}.html">Begin lesson 0</a></p>

<p class="doors" id="run"><span>{minutes} minutes, nothing to install. Or as a notebook:</span> {links}</p>

```{{raw}} html
{stage}
```

```{{raw}} html
{claims}
```

## The lessons

{path}

```{{raw}} html
{map}
```

## What you will have written

{written}

## Every number

```{{raw}} html
<div class="cell_output"><div class="output text_html">{board}</div></div>
```

[Lesson 0](00_start_here.ipynb) says how to read this board, and lessons 1 to 6 take it apart.

{rest}

{here}

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
READ = """To read, you need nothing but these pages. Point at a number of a board, or tap it, and the line below says
where it came from. Anything that would give an answer away is folded."""
ALIVE = """On a live page you can do more: change numbers, answer predictions and quizzes, and learn what is right.
A page comes alive by itself: Python starts in your browser, in a few seconds, with nothing to install. Where you save
data, or the connection is slow, it waits until you touch a board. (A page that is opened as a file stays as it is.) All
code can be changed and run where it stands, and exercises are written and checked on their pages. Or open a lesson as a
notebook: in your browser, on Binder or on Colab."""
RUN = """Forms are pictures here. When a lesson runs, its numbers are alive: you change them, answer, write code, and
are told what is right and what went wrong. Binder and Colab run it in the browser, with nothing to install."""


def summary():
    """Return what a shared link says of the course."""
    return "Attention, in a picture that answers: push a number, and see where a word looks, and why."


def in_sight(notebooks):
    """Return the lessons with what their pages show and notebooks do not.

    Errors: `ValueError` where a lesson says what a page cannot say, or a stored picture is not what its cell draws.
    """
    phrases.check(notebooks.values())
    return {name: in_the_page(told(trained(notebook))) for name, notebook in notebooks.items()}


def texts(notebooks, hosts):
    """Return every page's text by its name. notebooks: the lessons by their names, as the site shows them."""
    readme = _read("README.md")
    return {name: with_addresses(_read(f"docs/{name}.md"), "docs/") for name in DOCS} | {
        "index": first_page(readme, notebooks, hosts),
        "licences": licences(readme, _read("LICENSE"), hosts),
    }


def _read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def first_page(readme, notebooks, hosts):
    """Write the page on which a reader begins.

    readme: the text of README.md; notebooks: the lessons by their names, as the site shows them; hosts: where they run.
    """
    names = list(notebooks)
    title, lead, more = re.match(r"# (.+?)\n\n(.+?)\n\n(.+?)\n\n\[!\[", readme, re.DOTALL).groups()
    lead, rest = lead.split(". ", 1)
    return FIRST.format(
        title=title,
        lead=f"{lead}. Change any number, see what follows, write it yourself.",
        rest=f"The course {rest.removeprefix('It ')}",
        more=FILM.sub("", more),
        start=names[0],
        here=f"{READ}\n\n{ALIVE if hosts.is_live else RUN}",
        links=lessons.run_links(names[0], hosts),
        minutes=re.search(r"(\d+) minutes", about(notebooks[names[0]]).source)[1],
        stage=push.stage(),
        board=_output(notebooks[names[0]], BOARD),
        path=COUNTED.sub("", section(readme, "The lessons").partition("\n\n")[0]),
        map=lesson_map(hosts.is_live),
        written=section(readme, "What you will have written"),
        claims=claims(notebooks[names[0]]),
        names="\n".join(names),
        others="\n".join(f"{name.capitalize()} <{name}>" for name in (*DOCS, "licences")),
    )


def _output(notebook, name):
    cell = next(cell for cell in notebook.cells if cell.id == name)
    return cell.outputs[-1].data["text/html"]


def licences(readme, licence, hosts):
    """Write the page on licences: what README.md says of them, and the text of the file LICENSE."""
    text = with_addresses(section(readme, "Licences"), "")
    faces = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FACES.glob("*.txt"))}
    texts = {"The course": licence} | {name: _licence(name) for name in SHIPPED} | faces
    parts = [f"## {name}\n\n```text\n{each.strip()}\n```" for name, each in texts.items()]
    live = [LIVE] if hosts.is_live else []
    return "\n\n".join(["# Licences", text, *live, *parts])


def _licence(package):
    return next(file for file in distribution(package).files if file.name.startswith("LICENSE")).read_text()


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

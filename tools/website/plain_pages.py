"""The pages of a course beside its lessons, where it writes none itself: the first one, made from its README."""

import re

import the_course
from website.drawings import in_the_page
from website.lesson_map import lesson_map

RUNS_HERE = False  # a live lesson brings Python into the browser, and with it one package: that of this house
PREVIEW, SHOWN = None, ""
FIRST = """# {title}

{lead}

## The lessons

```{{raw}} html
{map}
```

```{{toctree}}
:hidden:

{names}
```
"""


def summary():
    """Return what a shared link says of the course."""
    return the_course.COURSE.identity.title


def in_sight(notebooks):
    """Return the lessons with what their pages show and notebooks do not."""
    return {name: in_the_page(notebook) for name, notebook in notebooks.items()}


def texts(notebooks, hosts):
    """Return every page's text by its name. notebooks: the lessons by their names, as the site shows them."""
    readme = (the_course.ROOT / "README.md").read_text(encoding="utf-8")
    title, lead = re.match(r"# (.+?)\n\n(.+?)\n\n", readme, re.DOTALL).groups()
    first = FIRST.format(title=title, lead=lead, map=lesson_map(hosts.is_live), names="\n".join(notebooks))
    return {"index": first}

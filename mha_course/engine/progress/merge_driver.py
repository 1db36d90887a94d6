"""Brings an update of a lesson into the learner's copy: a merge driver for git, and so for nbgitpuller.

    git config --system merge.mha_course.driver "python -P -m mha_course.engine.progress.merge_driver %O %A %B %P"

Git calls it for a notebook that both have changed, where `.gitattributes` says `*.ipynb merge=mha_course`.
"""

import json
import sys
from datetime import datetime
from pathlib import Path

from mha_course.engine.progress.notebook_merge import Notebook, merged

EMPTY: Notebook = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
NO_NOTEBOOK = (ValueError, TypeError, KeyError, AttributeError)  # what comes of a file that holds none
DAMAGED = (
    "**From an update of this lesson.** Your notebook was damaged and did not open. This is your teacher's version. "
    "The content of your file is kept in `{}`: open it, and copy your work from there."
)


def update(base: Path, mine: Path, theirs: Path, name: str) -> None:
    """Merge the teacher's notebook into the learner's file.

    A damaged one of the learner's is kept beside the teacher's, and one of the teacher's changes nothing.

    base: the file as it was when both had the same; may be empty or damaged.
    name: what the file is called in the learner's folder, where git starts this.
    """
    try:
        new = _read(theirs)
    except NO_NOTEBOOK:
        return
    try:
        result = merged(_read_base(base), _read(mine), new)
    except NO_NOTEBOOK:
        beside = Path(name).with_name(f"{Path(name).stem}_damaged_{datetime.now():%Y%m%d%H%M%S}.txt")
        beside.write_bytes(mine.read_bytes())
        note = {"cell_type": "markdown", "id": "damaged", "metadata": {}, "source": DAMAGED.format(beside.name)}
        result = new | {"cells": [note, *new["cells"]]}
    _write(result, mine)


def _read_base(path: Path) -> Notebook:
    try:
        return _read(path)
    except NO_NOTEBOOK:
        return EMPTY


def _read(path: Path) -> Notebook:
    """Read a notebook, each source as one text. Errors: one of NO_NOTEBOOK."""
    notebook = json.loads(path.read_bytes())
    if notebook["nbformat"] != EMPTY["nbformat"]:
        raise ValueError(f"{path} is not a notebook of format 4")
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return EMPTY | notebook


def _write(notebook: Notebook, path: Path) -> None:
    """Write it as JupyterLab does, so that git sees no change where there is none."""
    cells = [cell | {"source": cell["source"].splitlines(keepends=True)} for cell in notebook["cells"]]
    text = json.dumps(notebook | {"cells": cells}, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Do as git asks on the command line."""
    base, mine, theirs, name = sys.argv[1:]
    update(Path(base), Path(mine), Path(theirs), name)


if __name__ == "__main__":
    main()

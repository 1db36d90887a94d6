"""The cell that an update puts below one that both the learner and the teacher changed."""

import re
from hashlib import sha256
from typing import Any

Cell = dict[str, Any]

BOTH_CHANGED = (
    "**From an update of this lesson.** You changed the cell above, and your teacher changed it too. "
    "Yours stays as it is. Below is your teacher's version: copy from it what you need, then delete this cell."
)
YOU_DELETED = (
    "**From an update of this lesson.** You deleted a cell, and your teacher changed it. "
    "Below is your teacher's version: copy from it what you need, then delete this cell."
)
TEACHER_DELETED = (
    "**From an update of this lesson.** Your teacher took the cell above out of the lesson. "
    "You had changed it, so it stays. If you do not need it, delete it, and this cell too."
)


def put_below(own: Cell | None, new: Cell | None) -> Cell:
    """Return a cell that says what happened and shows the teacher's version, as text: it does not run.

    own, new: the learner's cell and the teacher's, None for the one that is not there.
    """
    name = (own or new or {})["id"]
    line = TEACHER_DELETED if not new else BOTH_CHANGED if own else YOU_DELETED
    source = f"{line}\n\n{_shown(new)}" if new else line
    pictures = {"attachments": new["attachments"]} if new and "attachments" in new else {}
    metadata = {"update_of": name}
    return {"cell_type": "markdown", "id": _id(name, source), "metadata": metadata, "source": source} | pictures


def about(cell: Cell) -> str | None:
    """Return the id of the cell below which it was put; None for any other cell, and one that the learner changed."""
    name = cell["metadata"].get("update_of")
    return name if cell.get("id") == _id(name, cell["source"]) else None


def _id(name: str | None, source: str) -> str:
    return f"update-{sha256(f'{name} {source}'.encode()).hexdigest()[:12]}"


def _shown(cell: Cell) -> str:
    source = cell["source"]
    if cell["cell_type"] == "markdown":
        return re.sub("^", "> ", source, flags=re.MULTILINE)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", source)), default=0))
    language = "python" if cell["cell_type"] == "code" else ""
    return f"{fence}{language}\n{source}\n{fence}"

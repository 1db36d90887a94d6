"""What a submission's own cells may show in feedback: text and PNG pictures, nothing that a browser would run."""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import limits

PNG = b"\x89PNG\r\n\x1a\n"
NOTHING = "The output of this cell is left out: it is neither text nor a PNG picture."
MORE = "The rest of this cell's output is left out: there is too much of it."


@dataclass
class Room:
    """How much may still be shown: characters of text, and of pictures."""

    text: int = limits.SHOWN_IN_ALL
    pictures: int = limits.PICTURES_IN_ALL

    def holds(self, output: dict) -> bool:
        """Whether there is room for an output."""
        text, picture = _size(output)
        return text <= self.text and picture <= self.pictures

    def take(self, output: dict) -> None:
        """Take an output in."""
        text, picture = _size(output)
        self.text, self.pictures = self.text - text, self.pictures - picture


def shown(outputs: object, room: Room) -> list[dict[str, Any]]:
    """Return what is kept of a cell's outputs, which may be anything: so each is made anew. room: the notebook's.

    >>> data = {"text/html": "<script>alert(1)</script>", "text/plain": "a picture"}
    >>> shown([{"output_type": "display_data", "data": data}], Room())[0]["data"]
    {'text/plain': 'a picture'}
    """
    kept: list[dict] = []
    in_this_cell = Room(min(room.text, limits.SHOWN), min(room.pictures, limits.PICTURES))
    for output in map(_anew, outputs if isinstance(outputs, list) else []):
        if not in_this_cell.holds(output):
            kept += [*_beginning(output, in_this_cell), stream("stdout", MORE)]
            break
        in_this_cell.take(output)
        kept.append(output)
    for output in kept:
        room.take(output)
    return kept


def _size(output: dict) -> tuple[int, int]:
    picture = len(output.get("data", {}).get("image/png", ""))
    return len(str(output)) - picture, picture


def _beginning(output: dict, room: Room) -> Iterator[dict]:
    """Yield as much of an output as there is room for: the first part of a text, and nothing of a picture."""
    around = _size(output | {"text": ""})[0]
    if output["output_type"] == "stream" and room.text > around:
        yield output | {"text": output["text"][: room.text - around] + "\n"}


def _anew(output: object) -> dict[str, Any]:
    match output:
        case {"output_type": "stream", "name": "stdout" | "stderr" as name, "text": str(text)}:
            return stream(name, text)
        case {"output_type": "error", "ename": str(name), "evalue": str(said), "traceback": list(lines)}:
            return {"output_type": "error", "ename": name, "evalue": said, "traceback": list(map(str, lines))}
        case {"output_type": "display_data" | "execute_result" as kind, "data": dict(data)}:
            count = {"execution_count": None} if kind == "execute_result" else {}
            return {"output_type": kind, "data": dict(_harmless(data)), "metadata": {}, **count}
    return stream("stdout", NOTHING)


def stream(name: str, text: str) -> dict[str, Any]:
    """Return the output of a cell that prints a text. name: stdout or stderr."""
    return {"output_type": "stream", "name": name, "text": text}


def _harmless(data: dict) -> Iterator[tuple[str, str]]:
    picture = _png(data.get("image/png"))
    if picture:
        yield "image/png", picture
    text = data.get("text/plain")
    yield "text/plain", text if isinstance(text, str) else NOTHING


def _png(sent: object) -> str:
    """Return a picture's base64 written anew; empty if it is none: the page would take its text as it is."""
    try:
        picture = base64.b64decode("".join(str(sent).split()), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return base64.b64encode(picture).decode() if picture.startswith(PNG) else ""

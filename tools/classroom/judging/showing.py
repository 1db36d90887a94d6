"""What a submission's own cells may show in feedback: text and PNG pictures, nothing that a browser would run."""

import base64
import binascii
from collections.abc import Iterator
from typing import Any

MOST = 2_000_000  # characters of one cell
PNG = b"\x89PNG\r\n\x1a\n"
NOTHING = "What this cell showed is left out: it is neither text nor a PNG picture."
MORE = "The rest of what this cell showed is left out: it is too much."


def shown(outputs: object) -> list[dict[str, Any]]:
    """Return what is kept of a cell's outputs, which may be anything: so each is made anew.

    >>> data = {"text/html": "<script>alert(1)</script>", "text/plain": "a picture"}
    >>> shown([{"output_type": "display_data", "data": data}])[0]["data"]
    {'text/plain': 'a picture'}
    """
    kept, size = [], 0
    for output in map(_anew, outputs if isinstance(outputs, list) else []):
        size += len(str(output))
        if size > MOST:
            return [*kept, stream("stdout", MORE)]
        kept.append(output)
    return kept


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

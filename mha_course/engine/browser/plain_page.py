"""A page without Jupyter in which widgets live, whatever carries the messages between it and Python.

Python says {"show": id, "state": …, "place": …}, where a view of a widget belongs; then {"to": id, "method": "custom",
"content": …}, what its script has to know, or {"to": id, "method": "update", "state": …}; in the end {"gone": id}. The
page says {"from": id, "content": …}, what the hand did. `page/plain_page.js` is the other side.
"""

from collections.abc import Callable, Mapping
from typing import Any

from comm.base_comm import BaseComm

from mha_course.engine.browser.widget import PAGE, Widget

SCRIPT = PAGE / "plain_page.js"

Message = Mapping[str, Any]


class PlainPage:
    """Let widgets live in a page that is reached through post."""

    def __init__(self, post: Callable[[dict[str, Any]], object]) -> None:
        """Begin with an empty page."""
        self._post = post
        self._lines: dict[str, _Line] = {}

    def show(self, widget: Widget, place: str) -> None:
        """Add a view of a widget to what stands in a place: the id of an element of the page."""
        if not isinstance(widget.comm, _Line):
            widget.begin_as_left()
            widget.comm = _Line(self._post)
            self._lines[widget.comm.comm_id] = widget.comm
        state = {name: getattr(widget, name, "") for name in ("html", "mark", "_esm", "_css")}
        self._post({"show": widget.comm.comm_id, "state": state, "place": place})

    def hear(self, message: Message) -> None:
        """Do what the page says; the answers go through post."""
        self._lines[message["from"]].hear(message["content"])


class _Line(BaseComm):
    """What a widget sends through in place of a kernel."""

    def __init__(self, post: Callable[[dict[str, Any]], object]) -> None:
        self._post = post
        super().__init__()

    def on_msg(self, callback: Callable[[dict[str, Any]], None] | None) -> None:
        self._heard = callback or (lambda _: None)

    def hear(self, content: object) -> None:
        self._heard({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})

    def publish_msg(self, msg_type: str, data: Message | None = None, *_: object, **__: object) -> None:
        match msg_type:
            case "comm_msg":
                self._post({"to": self.comm_id, **(data or {})})
            case "comm_close":
                self._post({"gone": self.comm_id})

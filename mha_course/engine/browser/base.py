"""What a widget is built on: Jupyter's widget, or in a page without Jupyter as much of it as the page needs."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from comm.base_comm import BaseComm
from traitlets import HasTraits

from mha_course.engine.platform_support import HAS_JUPYTER_WIDGETS

if TYPE_CHECKING or HAS_JUPYTER_WIDGETS:
    from anywidget import AnyWidget as Base
else:

    class Base(HasTraits):
        """Something with a script and a style sheet that speaks with its views through a line."""

        _comm: BaseComm | None = None

        @property
        def comm(self) -> BaseComm | None:
            """The line, once there is one."""
            return self._comm

        @comm.setter
        def comm(self, line: BaseComm) -> None:
            self._comm = line
            line.on_msg(lambda message: self._heard(self, message["content"]["data"]["content"], message["buffers"]))

        def on_msg(self, heard: Callable[[object, Any, object], None]) -> None:
            """Let what a view says be heard."""
            self._heard = heard

        def send(self, content: Any) -> None:
            """Say something to every view."""
            if self._comm:
                self._comm.send({"method": "custom", "content": content})

        def close(self) -> None:
            """Let every view go."""
            if self._comm:
                self._comm.close()

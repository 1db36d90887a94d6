"""A student's end of the line to a kernel: the messages that a browser would send, over the hub's proxy."""

import asyncio
import json
import time
from urllib.parse import urlsplit
from uuid import uuid4

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

PATIENCE = 120  # seconds
REST = 0.3  # seconds without a change, after which a browser asks for the picture to be saved


async def open_kernel(url, token, path):
    """Open a notebook on a student's server, and return its kernel.

    Errors: `ValueError` for a server on any other machine.
    """
    if urlsplit(url).hostname != "127.0.0.1":
        raise ValueError(f"{url} is not on this machine, and only this machine is measured.")
    asked = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
    answer = await AsyncHTTPClient().fetch(
        f"{url}/api/sessions", method="POST", body=json.dumps(asked), request_timeout=PATIENCE,
        headers={"Authorization": f"token {token}"},
    )  # fmt: skip
    return Kernel(url, token, json.loads(answer.body)["kernel"]["id"])


class Kernel:
    """A kernel behind a hub."""

    def __init__(self, url, token, kernel):
        """Remember where it is; `async with` connects."""
        where = f"ws{url.removeprefix('http')}/api/kernels/{kernel}/channels"
        self._request = HTTPRequest(where, headers={"Authorization": f"token {token}"})
        self._session = uuid4().hex
        self._workbench = None  # the id of the line to the first one

    async def __aenter__(self):
        """Open the line."""
        self._socket = await websocket_connect(self._request, max_message_size=2**26)
        return self

    async def __aexit__(self, *error):
        """Close the line; the kernel lives on."""
        self._socket.close()

    async def run(self, source, cell):
        """Run a cell, and return all the text that it printed and showed."""
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": False}
        shown = []
        async for message in self._answers_to(self._send("execute_request", content, {"cellId": cell})):
            kind, said = message["msg_type"], message["content"]
            if kind == "comm_open" and 'data-at="W_K:0,2"' in said["data"].get("state", {}).get("html", ""):
                self._workbench = self._workbench or said["comm_id"]
            if kind in ("display_data", "execute_result"):
                shown.append(said["data"].get("text/plain", ""))
            if kind == "stream":
                shown.append(said["text"])
        return "\n".join(shown)

    async def change(self, at, text):
        """Change a number of the workbench; return the seconds until the answer came. Then rest, as a hand does."""
        begun = time.monotonic()
        took = None
        async for message in self._answers_to(self._tell({"actions": [["edit", at, text]]})):
            if message["msg_type"] == "comm_msg":
                took = time.monotonic() - begun
        await asyncio.sleep(REST)
        async for _ in self._answers_to(self._tell({"picture": True})):
            pass
        assert took is not None, "the workbench did not answer"
        return took

    def _tell(self, content):
        return self._send("comm_msg", {"comm_id": self._workbench, "data": {"method": "custom", "content": content}})

    def _send(self, kind, content, metadata=None):
        name = uuid4().hex
        header = {"msg_id": name, "msg_type": kind, "session": self._session,
                  "username": "", "version": "5.3", "date": ""}  # fmt: skip
        message = {"header": header, "parent_header": {}, "metadata": metadata or {}, "content": content,
                   "channel": "shell", "buffers": []}  # fmt: skip
        self._socket.write_message(json.dumps(message))
        return name

    async def _answers_to(self, name):
        """Yield everything said in answer to a message, until the kernel is idle again."""
        while True:
            text = await asyncio.wait_for(self._socket.read_message(), PATIENCE)
            assert text is not None, "the line was cut"
            message = json.loads(text)
            if message["parent_header"].get("msg_id") != name:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return
            yield message

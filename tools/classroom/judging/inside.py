"""Runs inside of the sandbox: a submission's cells in turn, and then its functions, as the judge asks."""

import base64
import contextlib
import importlib.util
import io
import json
import resource
import signal
import sys
from pathlib import Path

import numpy as np
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets.config import Config

from mha_course.engine.isolated_call.attempt import made_by
from mha_course.engine.isolated_call.own_code import count_as_the_courses, last_own_line
from mha_course.engine.isolated_call.plain_values import plain, plainly
from mha_course.engine.isolated_call.process import taken
from mha_course.engine.isolated_call.refused_calls import staying

from . import limits, message_format, substitutes
from .graded_course import LESSONS

MOST_TEXT = limits.SHOWN + 1  # characters: the judge sees that it was more, and says so
KEPT = {"text/plain": MOST_TEXT, "image/png": limits.PICTURES + 1}  # all that feedback shows: see `feedback_outputs`


class Outputs(list):
    """The outputs of the cell that is running, in their order."""

    def show(self, kind, data, metadata, **more):
        """Keep what a cell shows."""
        data = {name: str(_text(data[name]))[:most] for name, most in KEPT.items() if name in data}
        if data:
            self.keep({"output_type": kind, "data": data, **more})

    def keep(self, output):
        """Keep an output, unless there are more than anybody will see."""
        if len(self) < limits.OUTPUTS:
            self.append(output)

    def write(self, name, text):
        """Keep what a cell prints: the first part of it, for nobody reads more."""
        written = sum(len(each["text"]) for each in self if each["output_type"] == "stream")
        text = text[: max(MOST_TEXT - written, 0)]
        if text and self and self[-1].get("name") == name:
            self[-1]["text"] += text
        elif text:
            self.keep({"output_type": "stream", "name": name, "text": text})


OUTPUTS = Outputs()


class _Stream(io.TextIOBase):
    def __init__(self, name, number):
        self._name, self._number = name, number

    def fileno(self):  # what is written there goes nowhere: see `taken`
        return self._number

    def write(self, text):
        OUTPUTS.write(self._name, str(text))
        return len(text)


class _Publisher(DisplayPublisher):
    def publish(self, data, metadata=None, **more):
        OUTPUTS.show("display_data", data, metadata)

    def clear_output(self, wait=False):
        OUTPUTS.clear()


class _Hook(DisplayHook):
    def write_output_prompt(self):
        pass

    def write_format_data(self, format_dict, md_dict=None):
        OUTPUTS.show("execute_result", format_dict, md_dict, execution_count=self.prompt_count)


class _Shell(InteractiveShell):
    def _showtraceback(self, etype, evalue, stb):
        said = {"ename": etype.__name__, "evalue": _said(evalue), "traceback": [str(line)[:MOST_TEXT] for line in stb]}
        OUTPUTS.keep({"output_type": "error", **said})

    def show_usage_error(self, exc):
        self._showtraceback(type(exc), exc, [f"UsageError: {exc}"])

    def enable_gui(self, gui=None):
        pass  # there is no display

    def enable_matplotlib(self, gui=None):
        return super().enable_matplotlib("inline")

    def system(self, cmd):
        print(substitutes.said_by(self.var_expand(cmd, depth=1)), end="")

    system_raw = system_piped = system

    def getoutput(self, cmd, split=True, depth=0):
        said = substitutes.said_by(self.var_expand(cmd, depth=depth + 1))
        return SList(said.splitlines()) if split else said


def _text(part):
    return base64.b64encode(part).decode() if isinstance(part, bytes) else part


def _said(error):
    try:
        return str(error)[: message_format.MOST_SAID]
    except Exception:  # an error that cannot even be written
        return ""


class Inside:
    """Does what the judge asks for, one thing after the other."""

    def __init__(self, asked, answers):
        """Begin with an empty notebook. asked, answers: the pipes from the judge and to it."""
        self._asked, self._answers = asked, answers
        quiet = {"HistoryManager": {"enabled": False}}
        self._shell = _Shell.instance(config=Config(quiet), display_pub_class=_Publisher, displayhook_class=_Hook)
        self._shell.extension_manager.load_extension("storemagic")  # as in Jupyter
        sys.stdout, sys.stderr = _Stream("stdout", 1), _Stream("stderr", 2)

    def serve(self):
        """Do what is asked for, until the pipe is closed."""
        self._send({"ready": True})
        while message := self._received():
            try:
                with _interruptible():
                    answer = self._done(message)
            except KeyboardInterrupt:  # where nothing of the submission's was running any more
                answer = {"outputs": list(OUTPUTS), "error": {"name": "KeyboardInterrupt", "said": "", "line": ""}}
            if answer is not None:  # or it was the answer to somebody who was interrupted
                self._send(answer)

    def _done(self, message):
        match message:
            case {"run": source}:
                return self._run(source)
            case {"look": name}:
                known, value = name in self._shell.user_ns, self._shell.user_ns.get(name)
                return {"known": known, "callable": callable(value), "type": type(value).__name__}
            case {"call": name, "arguments": arguments}:
                return self._call(name, arguments)

    def _run(self, source):
        OUTPUTS.clear()
        with contextlib.suppress(KeyboardInterrupt):
            self._shell.run_cell(source, store_history=False)
        return {"outputs": list(OUTPUTS)}

    def _call(self, name, arguments):
        """Call a function by its name, as a check in the lesson does, and tell what came of it."""
        given, printed = message_format.decoded(arguments, self._asking), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), np.errstate(all="ignore"):
            try:
                with staying():
                    value, changed = made_by(plainly(self._shell.user_ns.get(name)), given)
                came = {"value": message_format.encoded(value), "changed": changed}
            except BaseException as error:  # also SystemExit
                came = {"error": _told(error)}
        return {**came, "printed": printed.getvalue()[:MOST_TEXT]}

    def _asking(self, number):
        """Return a function that the judge keeps: whoever calls it asks the judge."""

        def given(*arguments):
            self._send({"ask": number, "arguments": message_format.encoded(plain(arguments))})
            answer = self._received()
            if "error" in answer:
                raise message_format.error_kind(answer["error"]["name"])(answer["error"]["said"])
            return message_format.decoded(answer["value"])

        return given

    def _received(self):
        length = int.from_bytes(self._asked.read(message_format.SIZE), "big")
        return json.loads(self._asked.read(length)) if length else None

    def _send(self, message):
        try:
            content = message_format.packed(message)
        except (TypeError, ValueError) as error:
            content = message_format.packed(
                {"outputs": [], "error": {"name": "ValueError", "said": str(error), "line": ""}}
            )
        self._answers.write(content)
        self._answers.flush()


def _told(error):
    """Return an error as data: its name, what it says, and the learner's line that it passed last."""
    line = (last_own_line(error) or "")[: message_format.MOST_SAID]
    return {"name": type(error).__name__, "said": _said(error), "line": line}


@contextlib.contextmanager
def _interruptible():
    """Let the judge interrupt a submission, but not what stands around it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _limit():
    """Take limits on, which nothing in here can take off again."""
    amounts = {
        resource.RLIMIT_AS: limits.ADDRESSES,
        resource.RLIMIT_FSIZE: limits.DISK,
        resource.RLIMIT_NOFILE: limits.OPEN_FILES,
        resource.RLIMIT_CORE: 0,
    }
    for which, amount in amounts.items():
        with contextlib.suppress(ValueError, OSError):  # a system that knows no such limit
            resource.setrlimit(which, (amount, amount))


def _close_the_lessons():
    """Put a module without answers where the lessons would be; the folder itself cannot be seen from here."""
    folder = Path(__file__).parent / "closed_lessons"
    spec = importlib.util.spec_from_file_location(
        LESSONS, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    sys.modules[LESSONS] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[LESSONS])


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipes = taken(0, "rb"), taken(1, "wb")
    _limit()
    count_as_the_courses(__package__)  # no line of this is the learner's
    _close_the_lessons()
    substitutes.put_in_place()
    Inside(*pipes).serve()

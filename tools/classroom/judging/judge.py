"""Judges one submission, in a process of its own: the cells run in a sandbox, the verdicts are made here.

Reads the cells and writes the results as JSON. A cell of a submission is {"source", "skipped", "needed"}; one that has
points also has {"exercise", "function"}.
"""

import contextlib
import io
import json
import os
import resource
import secrets
import sys
import time
from copy import copy
from functools import partial
from types import FunctionType

import numpy as np

from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.verdict import verdict
from mha_course.engine.course.course import SEEDS
from mha_course.engine.isolated_call import own_code
from mha_course.engine.isolated_call.attempt import ERRORS, Caller
from mha_course.engine.isolated_call.stopwatch import Stopwatch

from . import folder_names, graded_course, kernel_keyrings, limits, message_format, suspicion
from .feedback_outputs import Room, shown, stream
from .sandbox import Gone, Sandbox, Why
from .stand_in_function import in_another_order, raise_at, text_of

MOST_ASKED = 10_000  # numbers in a call of a function that the learner's was given
PRINTED = "Your function printed:\n"  # whatever that looks like
NO_POINTS = "No points yet, for the reason above."
STOPPED = "This cell still ran when time was up, so it was stopped."
NO_TIME = "This cell did not run: the time for the whole notebook was up."
SKIPPED = "This cell did not run: it is marked to be skipped."
TOO_LONG = f"This cell did not run: it is longer than {limits.CHARACTERS:,} characters."
ENDED: dict[Why, Exception] = {
    "memory": ERRORS["memory"],
    "processes": OSError(f"It started more than {limits.PROCESSES} processes, so it was stopped."),
    "files": OSError(f"It made more than {limits.FILES:,} files, so it was stopped."),
    "death": ERRORS["death"],
    "time": TimeoutError(STOPPED),
}
own_code.count_as_the_courses(__package__)  # whatever error comes through here, no line of these is shown


class Judge:
    """Runs a submission's cells in their order, and judges a function where its check stands."""

    def __init__(self, cells: list[dict], seconds: limits.Seconds, isolated: bool):
        """Begin with nothing run."""
        self._cells, self._isolated = cells, isolated
        self._sandbox: Sandbox | None = None
        self._sandboxes: list[Sandbox] = []  # all that there were
        self._seconds, self._taken = seconds, self._stopwatch()
        self._ended: Why | None = None  # why a function that is being judged can answer no more
        self._is_late = False  # whether an answer is still to come
        self._was_stopped = False  # whether a call was, since the sandbox was made
        self._room = Room()
        self._done: list[str] = []  # the sources that ran, to be run again where the sandbox had to be made anew

    def results(self) -> list[list[dict]]:
        """Return the outputs of every cell."""
        try:
            return [folder_names.hidden(self._outputs(cell)) for cell in self._cells]
        finally:
            if self._sandbox:
                self._sandbox.stop()

    def _outputs(self, cell: dict) -> list[dict]:
        if refusal := self._refusal(cell):
            return [_error("NotRun", refusal)]
        try:
            if cell.get("exercise"):
                return self._verdict(cell["exercise"], cell["function"])
            return self._run(cell["source"]) if cell["needed"] else []
        except Gone as gone:
            self._sandbox = None
            return [_error(type(ENDED[gone.why]).__name__, str(ENDED[gone.why]))]

    def _refusal(self, cell: dict) -> str:
        """Say why a cell does not run; empty if nothing is against it."""
        if self._left() <= 0:
            return NO_TIME
        if cell.get("exercise"):
            return ""
        if cell["skipped"]:
            return SKIPPED
        return TOO_LONG if len(cell["source"]) > limits.CHARACTERS else ""

    def _run(self, source: str) -> list[dict]:
        """Run a cell. Errors: `Gone`."""
        sandbox = self._living()
        answer, late = self._answer_of_a_cell(sandbox, source), []
        if answer is None:
            answer, late = self._interrupted(sandbox), [_error("CellTimeoutError", STOPPED)]
        if late and sandbox.has_grown():
            self._leave()
        else:
            sandbox.measure()
        if not late:  # or it would take its time once more
            self._done.append(source)
        return [*shown(answer.get("outputs"), self._room), *late]

    def _living(self) -> Sandbox:
        """Return a sandbox in which all earlier cells have run. Errors: `Gone`.

        It is a new one where a call was stopped: that may have left anything behind, such as most of the memory.
        """
        while self._sandbox is None:
            self._sandbox = Sandbox(self._isolated)
            self._sandboxes.append(self._sandbox)
            self._ended, self._is_late, self._was_stopped = None, False, False
            self._run_again(self._sandbox)
        return self._sandbox

    def _run_again(self, sandbox: Sandbox):
        """Run all earlier cells. The first that does not come to its end now is left out, and the sandbox is left."""
        for number, source in enumerate(self._done):
            try:
                answer = self._answer_of_a_cell(sandbox, source)
                sandbox.measure()
            except Gone:
                answer = None
            if answer is None:
                del self._done[number]
                return self._leave()

    def _answer_of_a_cell(self, sandbox: Sandbox, source: str) -> dict | None:
        """Return what is said of a cell that runs; None if it does not come to its end in time. Errors: `Gone`."""
        if self._left() <= 0:
            sandbox.stop()
            raise Gone("time")
        sandbox.send({"run": source})
        return self._received(sandbox, min(self._seconds.cell, self._left()))

    def _leave(self):
        if self._sandbox:
            self._sandbox.stop()
        self._sandbox = None

    def _interrupted(self, sandbox: Sandbox) -> dict:
        """Interrupt what runs, and return what it says then. Errors: `Gone` if it does not stop."""
        sandbox.interrupt()
        end = time.monotonic() + limits.GRACE
        while answer := sandbox.receive(max(end - time.monotonic(), 0)):
            if "ask" not in answer:  # that was on its way when it was interrupted
                return answer
        sandbox.stop()
        raise Gone("time")

    def _verdict(self, name: str, function: str) -> list[dict]:
        """Judge the function, as `check` does for the learner. Errors: `Gone`, before it is called."""
        found = self._asked({"look": function})
        if not found.get("known"):
            return [_error("NameError", f"name '{function}' is not defined")]
        if not found.get("callable"):
            return [_error("TypeError", f"{function} is of the type {found.get('type')}, but must be a function.")]
        self._living().measure()
        text, printed = text_of(function, self._done), io.StringIO()
        with contextlib.redirect_stdout(printed):
            drawn = self._diagnosed(name, function, text)
        said = printed.getvalue()
        outputs = shown([stream("stdout", PRINTED + said)], self._room) if said else []
        outputs.append(_display(drawn))
        return outputs if drawn.is_right else [*outputs, _error("AssertionError", NO_POINTS)]

    def _diagnosed(self, name: str, function: str, text: FunctionType | None):
        exercise = graded_course.exercises()[name]
        learners = Caller(text, partial(self._call, function), self._computed)
        found = diagnose(exercise, learners, seed=secrets.randbelow(SEEDS))
        if found.kind == "right":  # so is who knows the answers by their order: once more, in another
            with contextlib.redirect_stdout(io.StringIO()):
                found = diagnose(in_another_order(exercise), learners, seed=secrets.randbelow(SEEDS))
        with contextlib.suppress(Gone):
            self._settle()
        if self._ended or self._was_stopped or self._living().has_grown():
            self._leave()
        return verdict(exercise, found)

    def _asked(self, message: dict) -> dict:
        sandbox = self._living()
        sandbox.send(message)
        answer = self._received(sandbox, self._left())
        if answer is None:
            sandbox.stop()
            raise Gone("time")
        return answer

    def _call(self, name: str, given: tuple) -> tuple[object, tuple[int, ...]]:
        """Have a call made in the sandbox; return what came of it, and the numbers of the arguments that it changed.

        Errors: those of the learner's function, or why it was stopped.
        """
        functions: list = []
        arguments = message_format.encoded(given, functions)
        try:
            self._settle()
            answer = self._answer({"call": name, "arguments": arguments}, functions)
        except Gone as gone:
            self._ended = gone.why
            raise copy(ENDED[gone.why]) from None
        print(str(answer.get("printed", "")), end="")
        if error := answer.get("error"):
            _raise(error)
        return message_format.decoded(answer.get("value")), _numbers_in(answer.get("changed"), len(given))

    def _settle(self):
        """Make sure that nothing runs any more of a call whose time was up. Errors: `Gone`."""
        if self._ended:
            raise Gone(self._ended)
        if self._is_late:
            try:
                self._interrupted(self._sandbox)
            except Gone as gone:
                self._ended = gone.why
                raise
            self._is_late, self._was_stopped = False, True

    def _answer(self, message: dict, functions: list) -> dict:
        """Return the answer to a call; on its way the function may call those that it was given."""
        assert self._sandbox
        self._is_late = True  # should the check's own time limit interrupt what follows
        self._sandbox.send(message)
        while answer := self._received(self._sandbox, max(self._left(), limits.GRACE)):
            if "ask" not in answer:
                self._is_late = False
                return answer
            self._sandbox.send(_given_answer(functions, answer))
        self._sandbox.stop()
        raise Gone("time")

    def _received(self, sandbox: Sandbox, seconds: float) -> dict | None:
        """Return what it says; None if it says nothing in time. Errors: `Gone`."""
        watch = self._stopwatch()
        while (left := seconds - watch.seconds()) > 0:
            if (answer := sandbox.receive(max(left, limits.PAUSE))) is not None:
                return answer
        return None

    def _stopwatch(self) -> Stopwatch:
        return Stopwatch(self._computed, limits.WAITING)

    def _computed(self) -> float:
        return time.process_time() + sum(sandbox.computed() for sandbox in self._sandboxes)

    def _left(self) -> float:
        return self._seconds.in_all - self._taken.seconds()


def _given_answer(functions: list, asked: dict) -> dict:
    """Call a function of the course's that was given to the learner's."""
    try:
        arguments = message_format.decoded(asked.get("arguments"))
        if sum(map(np.size, arguments)) > MOST_ASKED:  # it is computed here, where no wall holds the memory
            raise ValueError(f"It got more than {MOST_ASKED} numbers.")
        return {"value": message_format.encoded(functions[int(asked["ask"])](*arguments))}
    except Exception as error:  # whatever it says to such arguments
        return {"error": {"name": type(error).__name__, "said": str(error)}}


def _numbers_in(changed: object, count: int) -> tuple[int, ...]:
    """Return the numbers below count that stand in a list; of what the sandbox says, nothing else is believed."""
    return tuple(i for i in range(count) if isinstance(changed, list) and i in changed)


def _raise(told: dict):
    """Raise what the learner's function raised, or something of the same name."""
    name, said, line = (str(told.get(part, "")) for part in ("name", "said", "line"))
    raise_at(line, message_format.error_kind(name)(said))


def _error(name: str, said: str) -> dict:
    return {"output_type": "error", "ename": name, "evalue": said, "traceback": [said]}


def _display(picture) -> dict:
    data, metadata = picture._repr_mimebundle_()
    return {"output_type": "display_data", "data": data, "metadata": metadata}


def _main():
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    task = json.load(sys.stdin)
    if task["isolated"]:
        kernel_keyrings.leave_behind()
    resource.setrlimit(resource.RLIMIT_AS, (limits.ADDRESSES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    outputs = Judge(task["cells"], limits.Seconds(**task["seconds"]), task["isolated"]).results()
    flags = suspicion.of(task["cells"], outputs)
    told = json.dumps({"outputs": outputs, "flags": flags}, ensure_ascii=False)
    answers.write(told.encode("utf-8", "replace"))  # half a character, which no file can hold, becomes a question mark
    answers.flush()


if __name__ == "__main__":
    _main()

"""Has submissions judged ahead of nbgrader, which asks for one after the other."""

import compileall
import json
import os
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from . import folder_names, walls
from .limits import WAITING, Seconds

HERE = Path(__file__).parent
MORE = 30.0  # seconds that a judge may take beside what a submission takes: 90 in all
BROKEN = "This cell did not run: the submission could not be judged."
WHY = "The judge did not finish: {}"


class Ahead:
    """Judges so many submissions at a time, each of them in processes of its own."""

    def __init__(self, seconds: Seconds, isolated: bool, at_a_time: int):
        """Begin with none."""
        self._settings = {"seconds": asdict(seconds), "isolated": isolated}
        self._pool, self._places = ThreadPoolExecutor(at_a_time), SimpleQueue[list[str]]()
        for place in range(at_a_time):  # each for one judge at a time
            self._places.put(walls.around_a_judge(place, at_a_time) if isolated else [])
        self._judged: dict[str, Future] = {}
        self._most = WAITING * seconds.in_all + MORE
        _warm_up()

    def begin(self, cells: list[dict]) -> Future:
        """Begin to judge a submission, unless that has begun. cells: as `judge` reads them."""
        task = json.dumps({"cells": cells, **self._settings})
        if task not in self._judged:
            self._judged[task] = self._pool.submit(self._result, task, len(cells))
        return self._judged[task]

    def result(self, cells: list[dict]) -> dict[str, Any]:
        """Return the outputs of every cell, and what is suspicious."""
        return self.begin(cells).result()

    def _result(self, task: str, count: int) -> dict[str, Any]:
        place = self._places.get()
        try:
            return self._judged_behind(place, task, count)
        finally:
            self._places.put(place)

    def _judged_behind(self, wall: list[str], task: str, count: int) -> dict[str, Any]:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path])}
        command = [*wall, sys.executable, "-m", f"{HERE.name}.judge"]
        settings = {"timeout": self._most, "env": environment, "cwd": os.sep}
        try:
            told = subprocess.run(command, input=task.encode(), capture_output=True, check=True, **settings)
            return json.loads(told.stdout)
        except subprocess.TimeoutExpired:
            why = f"it took more than {self._most:g} seconds."
        except subprocess.CalledProcessError as error:
            why = error.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        broken = {"output_type": "error", "ename": "NotRun", "evalue": BROKEN, "traceback": [BROKEN]}
        return {"outputs": [[broken]] * count, "flags": [(0, WHY.format(folder_names.hidden(why)))]}


def _warm_up():
    """Make what no sandbox can keep and each would make anew: the course's bytecode, and the list of fonts."""
    import matplotlib.font_manager  # noqa: F401 - it writes the list

    for folder in (*walls.packages(), HERE):
        compileall.compile_dir(folder, quiet=2)

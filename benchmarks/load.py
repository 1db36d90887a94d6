"""A class at work on a real JupyterHub on this machine: python benchmarks load --users 12 --minutes 3.

It starts the hub itself, and no other can be named: it never leaves the loopback. Every student has the kernel of
lesson 3 and changes a number every few seconds by the protocol that a browser speaks.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import load_lessons
import load_memory
import loopback
import nbformat
from load_protocol import Kernel, open_kernel
from measuring import ROOT, p50_p95, show

LESSON = ROOT / "notebooks" / "03_scaled_scores.ipynb"
OPENED = f"lessons/{LESSON.name}"
SOLVED = 'check("scaled_scores.scaled", scaled_scores_solution)'
MOST_USERS, MOST_MINUTES = 30, 10
A_START = 240  # seconds at most
PAUSE = (2.0, 6.0)  # seconds between two changes of one student


@dataclass
class Student:
    """One who works by the protocol: how many seconds the start took, and how many milliseconds each change."""

    name: str
    start: float = 0.0
    kernel: Kernel | None = None
    changes: list[float] = field(default_factory=list)


def main(*options):
    """Let a class begin, work and end; print and write what was measured, and print what follows."""
    users, minutes, file = arguments(options)
    with tempfile.TemporaryDirectory() as folder, loopback.running(Path(folder)) as hub:
        class_ = [Student(f"student{number:02}") for number in range(users)]
        for each in class_:
            (hub.homes / each.name / "lessons").mkdir(parents=True)
            shutil.copy(LESSON, hub.homes / each.name / "lessons")
        print(f"{users} students begin at once …")
        asyncio.run(everybody(begin(hub, each) for each in class_))
        print(f"they have run lesson 3, and work for {minutes:g} minutes …")
        before = load_memory.cpu_seconds(hub.homes)
        until = time.monotonic() + 60 * minutes
        asyncio.run(everybody(work(each, until) for each in class_))
        cores = (load_memory.cpu_seconds(hub.homes) - before) / (60 * minutes)
        memory = load_memory.measured(hub.homes, users)
    print("what each lesson's kernel holds …")
    measured = {"students": users, "minutes": minutes, "cores": os.cpu_count(), "python": platform.python_version()}
    measured |= times(class_) | {"cores a student": round(cores / users, 4)}
    measured |= {f"{name}, MiB": value for name, value in memory.items()}
    measured |= {f"kernel of {lesson}, MiB": value for lesson, value in load_lessons.held()}
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    show(("measured", ""), *measured.items())
    show(("calculated: students", "GiB, one kernel each", "GiB, three"), *load_memory.extrapolated(memory))


def arguments(options):
    """Read how many students, for how long, and where the results go.

    Errors: ends with a sentence if that is too much for one machine.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--users", type=int, default=12)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--file", type=Path, default=ROOT / "build" / "load.json")
    given = parser.parse_args(options)
    if not 1 <= given.users <= MOST_USERS or not 0 < given.minutes <= MOST_MINUTES:
        sys.exit(f"This measures one machine: 1 to {MOST_USERS} users, for at most {MOST_MINUTES} minutes.")
    if not loopback.is_installed():
        sys.exit("No JupyterHub was found: make .venv/hub installs it.")
    return given.users, given.minutes, given.file


async def everybody(what):
    """Let all do something at once."""
    await asyncio.gather(*what)


def start_server(hub, name):
    """Start a student's server, and return how many seconds it took."""
    hub.ask("POST", f"users/{name}")
    begun = time.monotonic()
    hub.ask("POST", f"users/{name}/server")
    while not hub.ask("GET", f"users/{name}")["servers"].get("", {}).get("ready"):
        assert time.monotonic() < begun + A_START, f"the server of {name} did not start"
        time.sleep(0.5)
    return time.monotonic() - begun


async def begin(hub, student):
    """Start a student's server and kernel, run the lesson, and leave."""
    student.start = await asyncio.to_thread(start_server, hub, student.name)
    lab = hub.server(student.name)
    student.kernel = await open_kernel(lab.url, lab.token, OPENED)
    async with student.kernel:
        for cell in nbformat.read(LESSON, 4).cells:
            if cell.cell_type == "code":
                await student.kernel.run(cell.source, cell.id)
        assert "Right." in await student.kernel.run(SOLVED, "solved"), "the check did not say that it is right"


async def work(student, until):
    """Change numbers of the workbench, with pauses, until the lesson is over."""
    dice = random.Random(student.name)
    async with student.kernel as kernel:
        while (pause := dice.uniform(*PAUSE)) < until - time.monotonic():
            await asyncio.sleep(pause)
            student.changes.append(1000 * await kernel.change("W_K:0,2", str(dice.randint(1, 9))))


def times(class_):
    """Return the seconds until a server has started, and the milliseconds of a change."""
    starts = [each.start for each in class_]
    p50, p95 = p50_p95([each for student in class_ for each in student.changes])
    found = {"start, median, s": statistics.median(starts), "start, last, s": max(starts)}
    found |= {"change by protocol, p50, ms": p50, "change by protocol, p95, ms": p95}
    return {name: round(value, 1) for name, value in found.items()}

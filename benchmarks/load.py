"""A class at work on a real JupyterHub on this machine: python benchmarks/load.py --users 12 --minutes 3.

It starts the hub itself, and no other can be named: it never leaves the loopback. Every student has the kernel of
lesson 3 and changes a number every few seconds by the protocol that a browser speaks. Beside them one real browser
measures from the key press to the painted picture.
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
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import load_lessons
import load_memory
import nbformat
from load_protocol import Kernel, open_kernel

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "hub")]
import loopback  # noqa: E402
from lab import Tab, browser, open_notebook, run_all  # noqa: E402
from widget import CHANGE  # noqa: E402

LESSON = ROOT / "notebooks" / "03_scaled_scores.ipynb"
OPENED = f"lessons/{LESSON.name}"
SOLVED = 'check("scaled_scores.scaled", scaled_scores_solution)'
MOST_USERS, MOST_MINUTES = 30, 10
A_START = 240  # seconds at most
PAUSE = (2.0, 6.0)  # seconds between two changes of one student
EYE = "eye"  # the student with the browser
IN_A_QUIET_CLASS = 40  # changes


@dataclass
class Student:
    """One who works by the protocol: how long starting and running the lesson took, and each change, in seconds."""

    name: str
    start: float = 0.0
    lesson: float = 0.0
    kernel: Kernel | None = None
    changes: list[float] | None = None


def main():
    """Let a class begin, work and end; print and write what was measured, and what follows."""
    users, minutes, file = arguments()
    with tempfile.TemporaryDirectory() as folder, loopback.running(Path(folder)) as hub:
        class_ = [Student(f"student{number:02}") for number in range(users)]
        hand_out(hub, [EYE, *(each.name for each in class_)])
        alone = start_server(hub, EYE)
        print(f"one server started in {alone:.1f} s; now {users} at once …", flush=True)
        asyncio.run(begin(hub, class_))
        print(f"{users} students have run lesson 3; now the browser …", flush=True)
        quiet, loaded, cores = in_a_browser(hub, class_, minutes)
        memory = load_memory.measured(hub.homes, [each.name for each in class_])
    print("what each lesson's kernel holds …", flush=True)
    memory["a lesson's kernel"] = dict(load_lessons.held())
    machine = {"users": users, "minutes": minutes, "cores": os.cpu_count(), "python": platform.python_version()}
    measured = machine | results(class_, alone, quiet, loaded, cores, memory)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    print(report(measured))


def hand_out(hub, names):
    """Give everybody a home with the lesson."""
    for name in names:
        (hub.homes / name / "lessons").mkdir(parents=True)
        shutil.copy(LESSON, hub.homes / name / "lessons")


def in_a_browser(hub, class_, minutes):
    """Return the milliseconds of each change while the class rests and while it works, and the cores that work took."""
    with browser() as chromium:
        page = open_lesson(chromium, hub)
        quiet = [change(page, number) for number in range(IN_A_QUIET_CLASS)]
        print(f"the class works for {minutes:g} minutes …", flush=True)
        before = load_memory.cpu_seconds(hub.homes)
        loaded = at_work(class_, page, 60 * minutes)
        return quiet, loaded, (load_memory.cpu_seconds(hub.homes) - before) / (60 * minutes)


def arguments():
    """Read how many students, for how long, and where the results go.

    Errors: ends with a sentence if that is too much for one machine.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--users", type=int, default=12)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--file", type=Path, default=ROOT / "build" / "load.json")
    given = parser.parse_args()
    if not 1 <= given.users <= MOST_USERS or not 0 < given.minutes <= MOST_MINUTES:
        sys.exit(f"This measures one machine: 1 to {MOST_USERS} users, for at most {MOST_MINUTES} minutes.")
    if not loopback.is_installed():
        sys.exit("No JupyterHub was found: make .venv/hub installs it.")
    return given.users, given.minutes, given.file


def start_server(hub, name):
    """Start a student's server, and return how long it took."""
    hub.ask("POST", f"users/{name}")
    begun = time.monotonic()
    hub.ask("POST", f"users/{name}/server")
    while not hub.ask("GET", f"users/{name}")["servers"].get("", {}).get("ready"):
        assert time.monotonic() < begun + A_START, f"the server of {name} did not start"
        time.sleep(0.5)
    return time.monotonic() - begun


async def begin(hub, class_):
    """Let all begin at once: a server, and every cell of the lesson."""
    await asyncio.gather(*(begin_one(hub, each) for each in class_))


async def begin_one(hub, student):
    """Start a student's server and kernel, run the lesson, and leave."""
    student.start = await asyncio.to_thread(start_server, hub, student.name)
    begun = time.monotonic()
    lab = hub.server(student.name)
    student.kernel = await open_kernel(lab.url, lab.token, OPENED)
    async with student.kernel:
        for cell in nbformat.read(LESSON, 4).cells:
            if cell.cell_type == "code":
                await student.kernel.run(cell.source, cell.id)
        assert "Right." in await student.kernel.run(SOLVED, "solved"), "the check did not say that it is right"
    student.lesson = time.monotonic() - begun


async def work(student, until):
    """Change numbers of the workbench, with pauses, until the lesson is over."""
    student.changes = []
    dice = random.Random(student.name)
    async with student.kernel as kernel:
        while (pause := dice.uniform(*PAUSE)) < until - time.monotonic():
            await asyncio.sleep(pause)
            student.changes.append(await kernel.change("W_K:0,2", str(dice.randint(1, 9))))


def at_work(class_, page, seconds):
    """Let the class work, and return the milliseconds of each change in the browser meanwhile."""
    until = time.monotonic() + seconds

    async def everybody():
        await asyncio.gather(*(work(each, until) for each in class_))

    others = threading.Thread(target=asyncio.run, args=(everybody(),))
    others.start()
    found = []
    while time.monotonic() < until:
        found.append(change(page, len(found)))
        page.wait_for_timeout(500)
    others.join()
    return found


def open_lesson(chromium, hub):
    """Log in with the browser, open the lesson and run it."""
    tab = Tab(chromium.new_page(viewport={"width": 1280, "height": 900}), hub.server(EYE))
    tab.page.goto(f"{hub.url}/hub/login")
    loopback.log_in(tab.page, EYE, hub.token)
    tab.page.wait_for_url("**/lab**")
    open_notebook(tab, OPENED)
    run_all(tab, workbenches=2)
    change(tab.page, 1)  # not counted, nor is the next: they bring the workbench into view
    change(tab.page, 2)
    return tab.page


def change(page, number):
    """Press a key in the browser's workbench; return the milliseconds until its picture has been painted."""
    return page.evaluate(CHANGE, ["workbench", number])


def results(class_, alone, quiet, loaded, cores, memory):
    """Return everything measured, rounded."""
    by_protocol = [1000 * each for student in class_ for each in student.changes]
    starts, lessons = [each.start for each in class_], [each.lesson for each in class_]
    return {
        "start_s": {"alone": round(alone, 1), **middle_and_last(starts)},
        "run_lesson_s": middle_and_last(lessons),
        "edit_in_browser_ms": {"class at rest": p50_p95(quiet), "class at work": p50_p95(loaded)},
        "edit_by_protocol_ms": {"changes": len(by_protocol), **p50_p95(by_protocol)},
        "cores_a_user": round(cores / (len(class_) + 1), 4),
        "memory_mib": memory,
    }


def middle_and_last(values):
    """Return the median and the largest, in seconds."""
    return {"median": round(statistics.median(values), 1), "last": round(max(values), 1)}


def p50_p95(values):
    """Return the median and the 95th percentile."""
    return {"p50": round(statistics.median(values), 1), "p95": round(statistics.quantiles(values, n=20)[-1], 1)}


def report(measured):
    """Write the results as text: what was measured, and apart from it what follows."""
    memory = measured["memory_mib"]
    lines = [f"\nMeasured: {measured['users']} students, {measured['minutes']:g} minutes, {measured['cores']} cores"]
    lines += [f"  {name}: {measured[name]}" for name in measured if name.endswith(("_s", "_ms")) or "cores_a" in name]
    lines += [f"  MiB, {name}: {values}" for name, values in memory.items()]
    lines += [
        "\nExtrapolated (not measured): each student with one kernel, or with three",
        *load_memory.extrapolated(memory),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()

"""What the processes of a class hold: each page counted once, however many share it."""

from contextlib import suppress

import psutil

MIB = 2**20
KINDS = {"jupyterhub-singleuser": "server", "ipykernel_launcher": "kernel", "rehearsal_process": "check"}
HUB = ("bin/jupyterhub ", "jupyterhub_idle_culler", "configurable-http-proxy")
SYSTEM = 1024  # MiB: the machine's own programs, and room for files that are read


def measured(homes, students):
    """Return, in MiB: what a student's processes hold alone, what they hold in a container, and what all share."""
    alone, charged, shared = dict.fromkeys(KINDS.values(), 0), 0, 0
    for kind, process in of_class(homes):
        memory = process.memory_full_info()
        alone[kind] += memory.uss / students
        charged += memory.rss / students
        shared += memory.pss - memory.uss
    found = alone | {"a student in a container": charged, "shared by all": shared, "hub and proxy": of_hub()}
    return {name: mib(value) for name, value in found.items()}


def mib(size):
    """Return bytes as MiB."""
    return round(size / MIB, 1)


def cpu_seconds(homes):
    """Return how many seconds of a core the students' processes have used so far."""
    return sum(sum(process.cpu_times()[:2]) for _, process in of_class(homes))


def of_class(homes):
    """Yield (kind, process) of all that a hub below these homes runs for its students."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            command = " ".join(process.cmdline())
            kind = next((name for part, name in KINDS.items() if part in command), None)
            home = process.environ().get("HOME", "")
            if kind and home.startswith(str(homes)):
                yield kind, process


def of_hub():
    """Return the bytes that hub, culler and proxy hold."""
    everything = [(each, " ".join(each.cmdline())) for each in psutil.Process().children(recursive=True)]
    return sum(each.memory_full_info().pss for each, command in everything if any(part in command for part in HUB))


def extrapolated(memory):
    """Return rows on what follows for a class on one machine: students, GiB with one kernel each, and with three."""
    fixed = memory["shared by all"] + memory["hub and proxy"] + SYSTEM
    each = [memory["server"] + kernels * (memory["kernel"] + memory["check"]) for kernels in (1, 3)]
    return [(students, *(round((fixed + students * one) / 1024, 1) for one in each)) for students in (20, 60)]

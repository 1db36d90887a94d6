"""What the processes of a class hold: each page counted once, however many share it."""

import math
from collections import Counter, defaultdict
from contextlib import suppress

import psutil

MIB = 2**20
KINDS = {"jupyterhub-singleuser": "server", "ipykernel_launcher": "kernel", "rehearsal_process": "check"}
HUB = ("bin/jupyterhub ", "jupyterhub_idle_culler", "configurable-http-proxy")
MACHINE = 24 * 1024  # MiB
NODE, RESERVED = 64 * 1024, 4 * 1024  # MiB: one machine of a cluster, and what it keeps for itself
SYSTEM = 1024  # MiB: the machine's own programs, and room for files that are read


def measured(homes, names):
    """Return, in MiB a student: what each kind of process holds alone, and with its part of what is shared."""
    held = defaultdict(Counter)
    for kind, user, process in of_class(homes):
        if user in names:
            memory = process.memory_full_info()
            held[kind].update(rss=memory.rss, pss=memory.pss, uss=memory.uss)
    found = {kind: {key: mib(value / len(names)) for key, value in sums.items()} for kind, sums in held.items()}
    shared = sum(sums["pss"] - sums["uss"] for sums in held.values())
    return found | {"shared by all": mib(shared), "hub and proxy": mib(of_hub())}


def mib(size):
    """Return bytes as MiB."""
    return round(size / MIB, 1)


def cpu_seconds(homes):
    """Return how many seconds of a core the students' processes have used so far."""
    return sum(sum(process.cpu_times()[:2]) for _, _, process in of_class(homes))


def of_class(homes):
    """Yield (kind, student, process) of all that a hub below these homes runs for its students."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            command = " ".join(process.cmdline())
            kind = next((name for part, name in KINDS.items() if part in command), None)
            home = process.environ().get("HOME", "")
            if kind and home.startswith(str(homes)):
                yield kind, home.rpartition("/")[2], process


def of_hub():
    """Return the bytes that hub, culler and proxy hold."""
    everything = [(each, " ".join(each.cmdline())) for each in psutil.Process().children(recursive=True)]
    return sum(each.memory_full_info().pss for each, command in everything if any(part in command for part in HUB))


def extrapolated(memory):
    """Return lines on what follows for a class of sixty on one machine, and for a thousand on a cluster."""
    fixed = memory["shared by all"] + memory["hub and proxy"] + SYSTEM
    server, kernel = memory["server"], memory["kernel"]
    check = memory.get("check", Counter())
    lines = []
    for kernels in (1, 3):
        alone = server["uss"] + kernels * (kernel["uss"] + check["uss"])
        charged = server["rss"] + kernels * (kernel["rss"] + check["rss"])
        room = math.floor((MACHINE - fixed) / alone)
        nodes = math.ceil(1000 * charged / (NODE - RESERVED))
        lines += [
            f"  {kernels} kernel{'s' * (kernels > 1)}: {alone:.0f} MiB for each further student, {fixed:.0f} MiB once",
            *(f"    {students} students: {(fixed + students * alone) / 1024:.1f} GiB" for students in (20, 60)),
            f"    24 GiB is enough for {room}",
            f"    1,000 students on a cluster: {charged:.0f} MiB charged to each, {nodes} machines of 64 GiB",
        ]
    return lines

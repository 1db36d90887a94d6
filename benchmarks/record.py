"""Keeps what the benchmarks measured in one file."""

import json
import os
import platform
from pathlib import Path

FILE = Path(__file__).parent / "latest.json"


def record(key, results):
    """Write the results of one benchmark under its key; those of the others stay."""
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    known["machine"] = {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}
    known[key] = results
    FILE.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")

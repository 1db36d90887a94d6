"""Where a lesson runs: every address is made from the repository's, which stands in pyproject.toml."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

from address import OURS, REPOSITORY

ROOT = Path(__file__).parents[2]


def source(path):
    """Return where a file of the repository is shown."""
    return f"{REPOSITORY}/blob/HEAD/{path}"


@dataclass(frozen=True)
class Hosts:
    """Where lessons run. hub: a JupyterHub's address, or empty. is_live: whether the site holds live notebooks."""

    hub: str = ""
    is_live: bool = False

    def of(self, lesson):
        """Return where a lesson can be run: words that say where, and the address."""
        path = f"notebooks/{lesson}.ipynb"
        hosts = {"here, in your browser": f"run/notebooks/index.html?path={lesson}.ipynb"} if self.is_live else {}
        hosts["on Binder"] = f"https://mybinder.org/v2/gh/{OURS}/HEAD?{urlencode({'labpath': path})}"
        hosts["on Colab"] = f"https://colab.research.google.com/github/{OURS}/blob/HEAD/{quote(path)}"
        if self.hub:
            copied = urlencode({"repo": REPOSITORY, "urlpath": f"lab/tree/{OURS.partition('/')[2]}/{path}"})
            hosts["on our hub"] = f"{self.hub.rstrip('/')}/hub/user-redirect/git-pull?{copied}"
        return hosts

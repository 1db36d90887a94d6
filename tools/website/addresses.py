"""Where a lesson runs: every address is made from the repository's, which stands in pyproject.toml."""

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from address import OURS, REPOSITORY

ONLY_READ = {  # lesson -> why it cannot run in a page
    "15_real_model": "The real model needs half a gigabyte of memory and a tokenizer that no browser runs.",
}


def source(path):
    """Return where a file of the repository is shown."""
    return f"{REPOSITORY}/blob/HEAD/{path}"


def live(lesson, cell=""):
    """Return where a page of the site finds the live notebook, perhaps at a cell."""
    return f"run/notebooks/index.html?path={lesson}.ipynb{f'#cell-id={cell}' if cell else ''}"


@dataclass(frozen=True)
class Hosts:
    """Where lessons run. hub: a JupyterHub's address, or empty. is_live: whether the site holds live notebooks."""

    hub: str = ""
    is_live: bool = False

    def run_here(self, lesson):
        """Whether a lesson runs on the site itself."""
        return self.is_live and lesson not in ONLY_READ

    def of(self, lesson):
        """Return where a lesson can be run: words that say where, and the address."""
        path = f"notebooks/{lesson}.ipynb"
        hosts = {"here, in your browser": live(lesson)} if self.run_here(lesson) else {}
        hosts["on Binder"] = f"https://mybinder.org/v2/gh/{OURS}/HEAD?{urlencode({'labpath': path})}"
        hosts["on Colab"] = f"https://colab.research.google.com/github/{OURS}/blob/HEAD/{quote(path)}"
        if self.hub:
            copied = urlencode({"repo": REPOSITORY, "urlpath": f"lab/tree/{OURS.partition('/')[2]}/{path}"})
            hosts["on our hub"] = f"{self.hub.rstrip('/')}/hub/user-redirect/git-pull?{copied}"
        return hosts

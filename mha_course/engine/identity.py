"""What a course is called, and what is its own on a learner's machine: two courses there share nothing."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

STARTED_IN = Path.cwd()  # a later os.chdir moves nothing
HOME = "COURSE_HOME"  # names the folder in which courses keep what was done; without it, that is the home folder
PROGRESS = re.compile(r"my_(\w+_)?progress\.jsonl")


@dataclass(frozen=True)
class Identity:
    """The names of a course.

    title: as people read it. package: as Python imports it; what stands there is the course's code, and no learner's.
    progress: the file that holds what a learner did. prefix: of the custom properties that carry its colours in style
    sheets. colours: by name, each as (red, green, blue) from 0 to 255.
    Errors: `ValueError` for a package or a file that cannot be called so.

    >>> Identity("Signals", "signals").progress
    'my_signals_progress.jsonl'
    """

    title: str
    package: str
    progress: str = ""
    prefix: str = ""
    colours: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fill in what follows from the package."""
        if not self.package.isidentifier():
            raise ValueError(f"package is {self.package!r}, but must be a name that Python can import.")
        object.__setattr__(self, "progress", self.progress or f"my_{self.package}_progress.jsonl")
        object.__setattr__(self, "prefix", self.prefix or self.package)
        if not PROGRESS.fullmatch(self.progress):
            raise ValueError(f"progress is {self.progress!r}, but must be like 'my_{self.package}_progress.jsonl'.")

    @property
    def setting(self) -> str:
        """The environment variable that names another file for the progress, like SIGNALS_PROGRESS."""
        return f"{self.package.upper()}_PROGRESS"

    @property
    def to_hand_in(self) -> str:
        """The name of a copy of the progress that is handed in."""
        return self.progress.replace(".jsonl", "_to_hand_in.jsonl")

    @property
    def progress_file(self) -> Path:
        """Where the progress is: the file that the setting names, or else the one in the home folder."""
        home = os.environ.get(HOME) or Path.home()
        return STARTED_IN / (os.environ.get(self.setting) or Path(home, self.progress))

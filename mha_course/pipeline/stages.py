"""Which matrices and settings belong to which stage of the path."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A part of the path: its matrices and settings by name; None for all matrices.

    >>> STAGES["scores"].settings
    ('scale',)
    """

    names: tuple | None
    settings: tuple = ()


STAGES = {
    "inputs": Stage(("embeddings", "positions", "wavelengths", "positional encoding", "X")),
    "projection": Stage(("X", "W_Q", "W_K", "W_V", "Q", "K", "V")),
    "scores": Stage(("X", "W_Q", "W_K", "Q", "K", "scores"), ("scale",)),
    "softmax": Stage(("W_Q", "W_K", "scores", "weights"), ("scale", "temperature", "mask")),
    "weighted sum": Stage(
        ("W_Q", "W_K", "W_V", "weights", "V", "contributions", "output"), ("temperature", "mask", "query")
    ),
    "heads": Stage(
        ("W_Q", "W_K", "W_V", "W_O", "weights", "output", "concatenation", "result"), ("num_heads", "mask")
    ),
    "all": Stage(None, ("tokens", "num_heads", "scale", "temperature", "mask", "query")),
}  # fmt: skip

"""Which matrices and settings belong to which stage of the path; a stage is called as its lesson."""

from dataclasses import dataclass

from mha_course.engine.validation import read_choice


@dataclass(frozen=True)
class Stage:
    """A part of the path: its matrices and settings by name, and the question that they answer."""

    names: tuple[str, ...]
    settings: tuple[str, ...] = ()
    question: str = ""


PROJECTIONS = ("X", "context", "W_Q", "W_K", "W_V", "Q", "K", "V")
ALL = "all"  # the stage that shows everything
STAGES = {
    "inputs": Stage(
        ("embeddings", "positions", "wavelengths", "positional encoding", "X"),
        question="How does each token say where it stands?",
    ),
    "queries_keys_values": Stage(
        PROJECTIONS, question="What does each token look for, offer and contribute?",
    ),
    "scaled_scores": Stage(
        ("X", "context", "W_Q", "W_K", "Q", "K", "scores"), ("scale", "columns"),
        question="Which key matches which query?",
    ),
    "softmax": Stage(
        ("X", "context", "W_Q", "W_K", "Q", "K", "scores", "weights"), ("scale", "temperature", "mask"),
        question="Who attends to whom, and how much?",
    ),
    "weighted_sums": Stage(
        (*PROJECTIONS, "scores", "weights", "contributions", "output"),
        ("temperature", "mask", "query", "columns"),
        question="What comes out for each token?",
    ),
    "heads": Stage(
        (*PROJECTIONS, "W_O", "scores", "weights", "output", "concatenation", "result"), ("num_heads", "mask"),
        question="Several heads, one sentence: what does each add?",
    ),
    "what_a_head_does": Stage(
        ("X", "context", "W_Q", "W_K", "W_V", "W_O", "M", "queries", "matches", "weights", "carried", "values",
         "part", "total"),
        ("num_heads", "mask"),
        question="What does a head look for, and what does it add?",
    ),
    ALL: Stage(
        (
            "embeddings", "positions", "wavelengths", "positional encoding", *PROJECTIONS, "W_O",
            "scores", "weights", "output", "concatenation", "result",
        ),
        ("tokens", "num_heads", "scale", "temperature", "mask"),
        question="Who attends to whom, and what comes out?",
    ),
}  # fmt: skip


def read_stage(name: str) -> Stage:
    """Return the stage of that name. Errors: `ValueError` listing the names there are.

    >>> read_stage("scaled_scores").settings
    ('scale', 'columns')
    """
    return STAGES[read_choice("stage", name, STAGES)]

"""Every matrix on the path from the inputs to the result, by name."""

from dataclasses import dataclass

import numpy as np

from mha_course.maths.heads import merge_heads, split_heads
from mha_course.maths.inputs import waves
from mha_course.maths.projections import project
from mha_course.maths.scores import scaled_scores
from mha_course.maths.softmax import softmax
from mha_course.maths.weighted_sums import contributions, weighted_sum
from mha_course.path.masks import may_attend


@dataclass(frozen=True, eq=False)
class Step:
    """One matrix of the path, with its labels.

    head: counted from 0; None for matrices that are not one head's. query: the token whose
    contributions these are. editable: whether it is an input. mask: the name of the one that made
    some of its entries 0.

    >>> Step("scores", np.eye(2), ("a", "b"), ("a", "b"), head=1).key
    'scores/2'
    """

    name: str
    values: np.ndarray
    rows: tuple | None = None
    columns: tuple | None = None
    head: int | None = None
    query: int | None = None
    editable: bool = False
    mask: str = "none"

    @property
    def key(self):
        """The name, with the head counted from 1."""
        return self.name if self.head is None else f"{self.name}/{self.head + 1}"


def steps(state, query=0):
    """Return every matrix of the path as key -> `Step`, in the order in which they are computed.

    query: the token, counted from 0, whose contributions are shown.
    Errors: `ValueError` if a number grows too large for a float.

    >>> from mha_course.path.presets import preset
    >>> list(steps(preset("the article")))[4:8]
    ['W_O', 'Q/1', 'K/1', 'V/1']
    """
    tokens, others = state.tokens, state.context_tokens or state.tokens
    found = [*_inputs(state), *_encoding(state)]
    X = next(step.values for step in found if step.name == "X")
    context, W = state.inputs.get("context", X), state.inputs
    Q = split_heads(project(X, W["W_Q"]), state.num_heads)  # (h, n_q, d_k)
    K = split_heads(project(context, W["W_K"]), state.num_heads)  # (h, n_k, d_k)
    V = split_heads(project(context, W["W_V"]), state.num_heads)  # (h, n_k, d_v)
    scores = scaled_scores(Q, K, state.divisor)  # (h, n_q, n_k)
    allowed = may_attend(state.mask, scores.shape[1:])  # (n_q, n_k)
    weights = softmax(scores, state.temperature, allowed)  # (h, n_q, n_k)
    parts = contributions(weights, V)  # (h, n_q, n_k, d_v)
    output = weighted_sum(weights, V)  # (h, n_q, d_v)
    for head in range(state.num_heads):
        found += [
            Step("Q", Q[head], tokens, head=head),
            Step("K", K[head], others, head=head),
            Step("V", V[head], others, head=head),
            Step("scores", scores[head], tokens, others, head),
            Step("weights", weights[head], tokens, others, head, mask=state.mask),
            Step("contributions", parts[head, query], others, head=head, query=query),
            Step("output", output[head], tokens, head=head),
        ]
    concatenation = merge_heads(output)  # (n_q, h·d_v)
    found.append(Step("concatenation", concatenation, tokens))
    found.append(Step("result", project(concatenation, W["W_O"]), tokens))
    return {step.key: step for step in found}


def _inputs(state):
    rows = {name: state.tokens for name in ("X", "embeddings", "positions")} | {"context": state.context_tokens}
    return [Step(name, values, rows.get(name), editable=True) for name, values in state.inputs.items()]


def _encoding(state):
    if "X" in state.inputs:
        return []
    embeddings, positions, lengths = (state.inputs[name] for name in ("embeddings", "positions", "wavelengths"))
    encoding = waves(positions[:, 0], lengths[0], embeddings.shape[1])
    return [
        Step("positional encoding", encoding, state.tokens),
        Step("X", embeddings + encoding, state.tokens),
    ]

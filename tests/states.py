"""Random states, for the tests of the path and of the workbench."""

from dataclasses import replace

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from mha_course.forward.mask_choices import MASKS
from mha_course.forward.scales import SCALES
from mha_course.forward.state import State

settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")

sizes, seeds = st.integers(1, 4), st.integers(0, 2**32 - 1)


def random_state(
    seed, n_q=2, n_k=3, d_model=4, d_k=2, d_v=3, num_heads=2, origin="X", whole=False, group_size=1, **settings
):
    """Make a state of these sizes. origin: "X", "context" or "encoding"; whole: whole numbers and zeros only."""
    rng = np.random.default_rng(seed)
    shapes = {
        "X": (n_q, d_model), "W_Q": (d_model, num_heads * d_k), "W_K": (d_model, num_heads // group_size * d_k),
        "W_V": (d_model, num_heads // group_size * d_v), "W_O": (num_heads * d_v, d_model),
    }  # fmt: skip
    if origin == "context":
        shapes["context"] = (n_k, d_model)
    if origin == "encoding":
        shapes["embeddings"] = shapes.pop("X")
    inputs = {name: rng.normal(size=shape) * 2 for name, shape in shapes.items()}
    if origin == "encoding":
        inputs |= {
            "positions": rng.normal(size=(n_q, 1)) * 9,
            "wavelengths": rng.uniform(1, 9, (1, (d_model + 1) // 2)),
        }
    if whole:
        inputs = {name: array if name == "wavelengths" else array.round() for name, array in inputs.items()}
    others = tuple("uvwx"[:n_k]) if origin == "context" else None
    return State(tuple("abcd"[:n_q]), inputs, num_heads, context_tokens=others, group_size=group_size, **settings)


@st.composite
def states(draw_one):
    """Draw a state of any sizes, with any setting."""
    n_q, n_k, d_model, d_k, d_v, num_heads = (draw_one(sizes) for _ in range(6))
    state = random_state(
        draw_one(seeds), n_q, n_k, d_model, d_k, d_v, num_heads,
        origin=draw_one(st.sampled_from(["X", "context", "encoding"])),
        whole=draw_one(st.booleans()),
        group_size=draw_one(st.sampled_from([size for size in range(1, num_heads + 1) if num_heads % size == 0])),
        scale=draw_one(st.sampled_from(list(SCALES)) | st.floats(0.01, 100)),
        temperature=draw_one(st.just(1.0) | st.floats(0.05, 50)),
    )  # fmt: skip
    return replace(state, mask=draw_one(st.just("none") | st.sampled_from(list(MASKS)) | own_masks(state)))


def own_masks(state):
    """Draw a mask that a hand could make: who may attend to whom, entry by entry."""
    n_q, n_k = state.shape_of_scores
    row = st.lists(st.booleans(), min_size=n_k, max_size=n_k)
    return st.lists(row, min_size=n_q, max_size=n_q)


def allowed_in(state):
    """Say anew which weights the mask of a state lets be."""
    if not isinstance(state.mask, str):
        return np.array(state.mask)
    n_q, n_k = len(state.tokens), len(state.context_tokens or state.tokens)
    seen = {"none": lambda q: n_k, "causal": lambda q: q + 1, "last_padded": lambda q: n_k - 1}[state.mask]
    return np.array([[k < seen(q) for k in range(n_k)] for q in range(n_q)])

"""One layer of a trained model as a state: every number of it can be asked where it came from."""

from mha_course.forward.state import State
from mha_course.maths.masks import causal_mask
from mha_course.maths.small_model import SmallModel
from mha_course.training.sentences import ids_of, written

LONGEST = 10  # letters: a board with more rows needs scrolling


def learned(model: SmallModel, text: str, layer: int, is_causal: bool) -> State:
    """Return the state of one layer, counted from 1, while the model reads a text.

    Its inputs are the rows as they reach the layer, and the layer's parameters as they are now.
    Errors: `ValueError` for a layer that there is not, or a text that cannot be read.

    >>> from mha_course.training.training import Training
    >>> state = learned(Training("repeat", seed=0).model, "abcab", layer=2, is_causal=True)
    >>> state.tokens, state.inputs["W_Q"].shape, state.mask
    (('a', 'b', 'c', 'a', 'b'), (48, 24), 'causal')
    """
    count = model.design.num_layers
    if layer not in range(1, count + 1):
        raise ValueError(f"layer is {layer!r}, but must be a whole number from 1 to {count}.")
    ids = ids_of(text, LONGEST)
    reading = model.read(ids[None], causal_mask(len(ids)) if is_causal else None)
    read = reading.layers[layer - 1]
    parameters = {name: model.parameters[f"{name}/{layer}"] for name in ("W_Q", "W_K", "W_V", "W_O")}
    letters = tuple(written(ids))
    context = {"context": read.source[0]} if model.design.crosses else {}
    return State(
        letters,
        {"X": read.normed[0], **context, **parameters},
        num_heads=model.design.num_heads,
        mask="causal" if is_causal else "none",
        context_tokens=letters if context else None,
    )

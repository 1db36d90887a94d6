"""A text as the real model read it, with the job of every head: what a gallery and a mixing desk have in common."""

from functools import cached_property, lru_cache

import numpy as np

from mha_course.language_model.head_roles import HeadRoles, head_jobs, repeated_tokens
from mha_course.language_model.model import RealModel, real_model
from mha_course.language_model.text_reading import Reading
from mha_course.maths.which_head import Head, all_heads

MOST = 28  # tokens: the maps of more are no longer readable, and their page would be heavy


class HeadsRead:
    """What the model makes of a text, as far as it was asked for."""

    def __init__(self, text: str) -> None:
        """Read a text. Errors: `ValueError` if it is empty or too long, and what `real_model` raises."""
        model = real_model()
        count = len(model.ids(text))
        if count > MOST:
            raise ValueError(f"Text: it has {count:,} tokens, but here the model reads at most {MOST}. Shorten it.")
        self.text = text
        self.reading: Reading = model.read(text)

    @cached_property
    def jobs(self) -> HeadRoles:
        """What each head does, measured."""
        return head_jobs(self.reading.weights, self.reading.tokens, _on_repeated_tokens(real_model()))

    @property
    def heads(self) -> list[Head]:
        """All heads, layer by layer."""
        return all_heads(*self.reading.weights.shape[:2])


@lru_cache(maxsize=1)
def _on_repeated_tokens(model: RealModel) -> np.ndarray:
    """Return every head's weights on the tokens that show who copies; they are the same whatever text is read."""
    return model.read(repeated_tokens()).weights

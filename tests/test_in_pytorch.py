"""The boxes "The same in PyTorch" give what the lessons give."""

import re

import nbformat
import numpy as np
import pytest
from later import torch
from stored import NOTEBOOKS

from mha_course import attention, causal_mask, multi_head_attention, scaled_scores, softmax, steals, translation
from mha_course.maths.heads import merge_heads

BOX = re.compile(r"```python\n(.*?)```", re.DOTALL)


def _head(mask=None):
    return attention(*(steals.X @ W[0] for W in (steals.W_Q, steals.W_K, steals.W_V)), mask=mask)


def _layer(example, **context):
    wide = [merge_heads(W) for W in (example.W_Q, example.W_K, example.W_V)]
    return multi_head_attention(example.X, *wide, example.W_O, num_heads=2, **context)


GIVES = {  # lesson -> name in its box -> what the course makes of the same
    3: {"scores": lambda: scaled_scores(steals.X @ steals.W_Q[0], steals.X @ steals.W_K[0])},
    4: {"weights": lambda: softmax(_head().scores)},
    5: {"output": lambda: _head().output},
    6: {"result": lambda: _layer(steals).output[None], "weights": lambda: _layer(steals).weights[None]},
    7: {name: lambda: _head(causal_mask(4)).output for name in ("output", "causal")},
    8: {"result": lambda: _layer(translation, context=translation.context).output},
}


def box(lesson):
    (cell,) = [cell for cell in nbformat.read(NOTEBOOKS[lesson], 4).cells if cell.id == "in-pytorch"]
    return BOX.search(cell.source)[1]


@pytest.mark.parametrize("lesson", GIVES)
def test_a_box_gives_what_its_lesson_gives(lesson):
    names = {}
    exec(box(lesson), names)
    for name, expected in GIVES[lesson].items():
        assert torch.is_tensor(names[name])
        np.testing.assert_allclose(names[name].detach().numpy(), expected(), atol=1e-12)

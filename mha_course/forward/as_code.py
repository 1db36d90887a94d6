"""The NumPy lines that compute a state's numbers again, ready to paste into a cell."""

from collections.abc import Iterator

from mha_course.forward.forward import computed
from mha_course.forward.matrices import MATRICES
from mha_course.forward.scales import SCALES
from mha_course.forward.state import State


def as_code(state: State) -> str:
    """Write the state as a program that computes exactly the same numbers, with NumPy alone.

    Below it stands, as comments, how the learner's own layer computes them.

    >>> from mha_course.forward.presets import preset
    >>> lines = as_code(preset("article")).splitlines()
    >>> lines[0], lines[-5]
    ('import numpy as np', 'print(result.round(4))')
    """
    scale = SCALES[state.scale].code if isinstance(state.scale, str) else _number(state.scale)
    made = [code(state) for name in computed(state) if (code := MATRICES[name].code)]
    return "\n".join([
        "import numpy as np",
        "",
        *(line for name in state.inputs for line in _input(state, name)),
        f"num_heads, d_model, d_k, d_v = {state.num_heads}, {state.d_model}, {state.d_k}, {state.d_v}",
        f"scale, temperature = {scale}, {_number(state.temperature)}",
        "",
        *made,
        "print(result.round(4))",
        *_by_own_functions(state),
    ])  # fmt: skip


def _by_own_functions(state: State) -> Iterator[str]:
    """Yield the same for whoever has written the layer, as comments; nothing where the layer has no such setting."""
    if (state.scale, state.temperature, state.mask, state.group_size) == ("sqrt_d_k", 1, "none", 1):
        context = "context" if "context" in state.inputs else "X"
        yield "\n# The same by your own functions, from my_attention.py:\n# from mha_course import mine"
        yield f"# print(mine.multi_head_attention(X, {context}, W_Q, W_K, W_V, W_O, num_heads).round(4))"


def _input(state: State, name: str) -> Iterator[str]:
    if name in state.draws:
        draw = state.draws[name]
        yield f"{name} = np.random.default_rng({draw.seed}).normal(size={draw.shape}) / {_number(draw.divisor)}"
        for row, column, value in state.changes_since_draw(name):
            yield f"{name}[{row}, {column}] = {_number(value)}"
        return
    yield f"{name} = np.array(["
    for row in state.inputs[name]:
        yield f"    [{', '.join(map(_number, row))}],"
    yield "], dtype=float)"


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")

"""The NumPy lines that compute a state's numbers again, ready to paste into a cell."""

from mha_course.pipeline.mask_choices import MASKS

ROOTS = {"√d_k": "np.sqrt(d_k)", "none": "1", "the article's 1": "1", "√d_model": "np.sqrt(d_model)"}


def as_code(state):
    """Write the state as a program that computes exactly the same numbers, with NumPy alone.

    >>> from mha_course.pipeline.presets import preset
    >>> lines = as_code(preset("the article")).splitlines()
    >>> lines[0], lines[-1]
    ('import numpy as np', 'print(result.round(4))')
    """
    context = "context" if "context" in state.inputs else "X"
    scale = ROOTS[state.scale] if isinstance(state.scale, str) else _number(state.scale)
    encoding = [] if "X" in state.inputs else [
        "column = np.arange(d_model)",
        "angle = 2 * np.pi * positions / wavelengths[0, column // 2]",
        "X = embeddings + np.where(column % 2 == 0, np.sin(angle), np.cos(angle))",
    ]  # fmt: skip
    return "\n".join([
        "import numpy as np",
        "",
        *(line for name in state.inputs for line in _input(state, name)),
        f"num_heads, d_model, d_k, d_v = {state.num_heads}, {state.d_model}, {state.d_k}, {state.d_v}",
        f"scale, temperature = {scale}, {_number(state.temperature)}",
        *encoding,
        "",
        "Q = (X @ W_Q).reshape(-1, num_heads, d_k).swapaxes(0, 1)  # (h, n_q, d_k)",
        f"K = ({context} @ W_K).reshape(-1, num_heads, d_k).swapaxes(0, 1)  # (h, n_k, d_k)",
        f"V = ({context} @ W_V).reshape(-1, num_heads, d_v).swapaxes(0, 1)  # (h, n_k, d_v)",
        "scores = Q @ K.swapaxes(1, 2) / scale  # (h, n_q, n_k)",
        *_softmax(state.mask),
        "contributions = weights[:, :, :, None] * V[:, None, :, :]  # (h, n_q, n_k, d_v)",
        "output = weights @ V  # (h, n_q, d_v)",
        "concatenation = output.swapaxes(0, 1).reshape(len(X), -1)  # (n_q, h·d_v)",
        "result = concatenation @ W_O  # (n_q, d_model)",
        "print(result.round(4))",
    ])  # fmt: skip


def _softmax(mask):
    if MASKS[mask] is None:
        return [
            "powers = np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)",
            "weights = powers / powers.sum(axis=-1, keepdims=True)  # (h, n_q, n_k)",
        ]
    return [
        "n_q, n_k = scores.shape[1:]",
        f"may_attend = {MASKS[mask].code}",
        "masked = np.where(may_attend, scores, -np.inf)  # e to the power of -inf is 0",
        "largest = np.maximum(masked.max(axis=-1, keepdims=True), np.finfo(float).min)  # -inf - -inf would be nan",
        "powers = np.exp((masked - largest) / temperature)",
        "sums = powers.sum(axis=-1, keepdims=True)",
        "weights = powers / np.where(sums == 0, 1, sums)  # (h, n_q, n_k)",
    ]


def _input(state, name):
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


def _number(value):
    return repr(float(value)).removesuffix(".0")

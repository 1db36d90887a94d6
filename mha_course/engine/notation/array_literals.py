"""Small arrays as a line of code writes them."""

import numpy as np

from mha_course.engine.notation.digits import is_whole, written

MOST = 2  # decimals


def entries_of(values: np.ndarray) -> list[str]:
    """Write the entries of an array, row by row: all with as many decimals as one of them needs, at most two.

    >>> entries_of(np.array([0.5, 2.0])), entries_of(np.array([1 / 3, 1])), entries_of(np.array([True, False]))
    (['0.5', '2.0'], ['0.33', '1.00'], ['True', 'False'])
    """
    if values.dtype.kind == "b":
        return [str(bool(value)) for value in values.flat]
    numbers = values[np.isfinite(values)].astype(float)
    decimals = next((d for d in range(MOST) if np.allclose(numbers, numbers.round(d), rtol=0, atol=1e-9)), MOST)
    return [written(float(value), is_whole(values), decimals) for value in values.flat]


def nested(values: np.ndarray) -> str:
    """Write an array as nested lists.

    >>> nested(np.array([[1, 2], [3, 4]])), nested(np.array(0.25))
    ('[[1, 2], [3, 4]]', '0.25')
    """
    texts = np.array(entries_of(values), dtype=object).reshape(values.shape).tolist()
    return _listed(texts)


def _listed(texts: object) -> str:
    return f"[{', '.join(map(_listed, texts))}]" if isinstance(texts, list) else str(texts)

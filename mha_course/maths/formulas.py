"""The bare formulas of multi-head attention: its checked functions, the layer and the exercises are made of them.

They expect arrays that fit, of any numbers that NumPy can compute with; those with a mask or a rate expect floats.
`blocks` is the one exception: it computes `attention` in another order, and falls back on these.
"""

import numpy as np

EPS = 1e-5  # of the norms


def project(X: np.ndarray, W: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
    """Return X @ W, plus b if there is one.

    Shapes: X (..., n, d_model), W (..., d_model, d_k), b (d_k,) -> (..., n, d_k).

    >>> project(np.array([[1, 2]]), np.array([[3, 0, 1], [4, 5, 0]]), np.array([10, 20, 30])).tolist()
    [[21, 30, 31]]
    """
    made = X @ W
    return made if b is None else made + b


def scaled_scores(Q: np.ndarray, K: np.ndarray, scale: float | None = None) -> np.ndarray:
    """Return Q Kᵀ / scale, where scale is √d_k unless another is given.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k) -> (..., n_q, n_k).

    >>> scaled_scores(np.array([[2, 0, 0, 0]]), np.array([[3, 1, 1, 1], [1, 9, 9, 9]])).tolist()
    [[3.0, 1.0]]
    """
    return Q @ K.mT / (Q.shape[-1] ** 0.5 if scale is None else scale)


def softmax(scores: np.ndarray, axis: int | tuple[int, ...] | None = -1, temperature: float = 1.0) -> np.ndarray:
    """Return exp(scores / temperature), divided by its sum along the axis.

    Shapes: as the scores.

    >>> softmax(np.log([[1, 3], [4, 1]])).round(4).tolist()
    [[0.25, 0.75], [0.8, 0.2]]
    """
    below_largest = scores - scores.max(axis=axis, keepdims=True)
    exponentials = np.exp(below_largest if temperature == 1 else below_largest / temperature)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def masked_softmax(scores: np.ndarray, may_attend: np.ndarray | None = None, temperature: float = 1.0) -> np.ndarray:
    """Return the softmax of the scores where the mask is True, and exactly 0 elsewhere, never nan.

    Without a mask it is the softmax. float16 is computed as float32, because it cannot count beyond 65,504 keys.

    Shapes: scores (..., n_k), a mask that broadcasts to it -> as the scores.

    >>> masked_softmax(np.array([[0.0, 9.0], [0.0, 9.0]]), np.array([[True, False], [False, False]])).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    if scores.dtype == np.float16:
        return masked_softmax(scores.astype(np.float32), may_attend, temperature).astype(np.float16)
    if may_attend is None:
        return softmax(scores, temperature=temperature)
    has_key = may_attend.any(axis=-1, keepdims=True)  # (..., n_q, 1)
    seen = np.where(may_attend | ~has_key, scores, -np.inf)  # an empty row sees all keys for a moment: no nan arises
    return np.where(has_key, softmax(seen, temperature=temperature), 0)


def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return softmax(Q Kᵀ / √d_k) V.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v) -> (..., n_q, d_v).

    >>> Q, K = np.log([[9, 1, 1, 1]]), np.array([[0, 7, 7, 7], [1, 7, 7, 7]])  # scores 0 and log 3
    >>> attention(Q, K, np.array([[2.0], [6.0]])).round(4).tolist()
    [[5.0]]
    """
    return softmax(scaled_scores(Q, K)) @ V


def dropout(values: np.ndarray, rate: float, rng: "np.random.Generator") -> np.ndarray:
    """Set each entry to 0 with the chance `rate`, and divide the others by 1 - rate.

    Shapes: as the values.

    >>> dropout(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), 0.5, np.random.default_rng(0)).tolist()
    [2.0, 0.0, 0.0, 0.0, 10.0]
    """
    is_kept = rng.random(values.shape) >= rate
    return np.where(is_kept, values / values.dtype.type(1 - rate), values.dtype.type(0))


def split_heads(wide: np.ndarray, num_heads: int) -> np.ndarray:
    """Cut rows into heads.

    Shapes: (..., n, h·d) -> (..., h, n, d).

    >>> split_heads(np.array([[1, 2], [3, 4]]), 2).tolist()
    [[[1], [3]], [[2], [4]]]
    """
    *leading, n, width = wide.shape
    return wide.reshape(*leading, n, num_heads, width // num_heads).swapaxes(-3, -2)


def merge_heads(heads: np.ndarray) -> np.ndarray:
    """Set the heads' rows side by side.

    Shapes: (..., h, n, d) -> (..., n, h·d).

    >>> merge_heads(np.array([[[1], [3]], [[2], [4]]])).tolist()
    [[1, 2], [3, 4]]
    """
    *leading, num_heads, n, width = heads.shape
    return heads.swapaxes(-3, -2).reshape(*leading, n, num_heads * width)


def repeat_heads(heads: np.ndarray, num_heads: int) -> np.ndarray:
    """Give each of num_heads heads its keys (or values), where several neighbours share those of one head.

    Shapes: (..., num_kv_heads, n, d) -> (..., num_heads, n, d).

    >>> repeat_heads(np.array([[[1, 2]], [[3, 4]]]), 4).tolist()
    [[[1, 2]], [[1, 2]], [[3, 4]], [[3, 4]]]
    """
    return heads.repeat(num_heads // heads.shape[-3], axis=-3)


def layer_norm(x: np.ndarray, eps: float = EPS) -> np.ndarray:
    """Return (x - mean) / √(variance + eps), each row by itself; a gain and a bias may come after.

    Shapes: x (..., d_model) -> the same.

    >>> layer_norm(np.array([[1.0, 7.0]]), eps=0).tolist()
    [[-1.0, 1.0]]
    """
    return standardized(x, eps)[0]


def standardized(x: np.ndarray, eps: float = EPS) -> tuple[np.ndarray, np.ndarray]:
    """Return each row minus its mean, divided by its deviation √(variance + eps), and these deviations.

    Shapes: x (..., d_model) -> (..., d_model) and (..., 1).

    >>> [each.tolist() for each in standardized(np.array([[1.0, 7.0]]), eps=0)]
    [[[-1.0, 1.0]], [[3.0]]]
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + eps)
    return centred / deviation, deviation


def rms_norm(x: np.ndarray, gain: np.ndarray | float = 1.0, eps: float = EPS) -> np.ndarray:
    """Return x / √(mean of the squares + eps) · gain, each row by itself.

    Shapes: x (..., d_model), gain (d_model,) -> (..., d_model).

    >>> rms_norm(np.array([[1.0, 7.0]]), np.array([5.0, 10.0]), eps=0).tolist()
    [[1.0, 14.0]]
    """
    mean_square = np.vecdot(x, x)[..., None] / x.shape[-1]  # (..., 1)
    return x / np.sqrt(mean_square + eps) * gain


def rotary_angles(positions: np.ndarray, d_k: int, base: float = 10_000.0) -> np.ndarray:
    """Return the angle by which each position turns each pair of columns: position / base^(2·pair / d_k).

    Shapes: positions (n,) -> (n, d_k / 2).

    >>> rotary_angles(np.array([0, 1, 2]), d_k=4).tolist()
    [[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]]
    """
    return positions[:, None] / base ** (np.arange(0, d_k, 2) / d_k)


def rotate(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Turn each pair of neighbouring columns by the angle with this cosine and sine.

    Shapes: x (..., n, d_k), cos and sin (n, d_k / 2) -> (..., n, d_k).

    >>> rotate(np.array([[3.0, 4.0]]), np.array([[0.0]]), np.array([[1.0]])).tolist()  # by 90 degrees
    [[-4.0, 3.0]]
    """
    first, second = x[..., 0::2], x[..., 1::2]  # (..., n, d_k / 2) each
    turned = np.empty_like(x)
    turned[..., 0::2] = first * cos - second * sin
    turned[..., 1::2] = first * sin + second * cos
    return turned

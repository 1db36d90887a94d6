"""Reads the parameters of a layer, or says which of them does not fit."""

from typing import Any

import numpy as np

from mha_course.engine.validation import read_count
from mha_course.maths.array_arguments import read_arrays
from mha_course.maths.dropout import read_rate
from mha_course.maths.heads import check_divisible, check_groups


def read_parameters(num_heads: int, num_kv_heads: int | None, dropout: float, **given: Any) -> dict[str, Any]:
    """Return the parameters by name: the numbers, and copies of the arrays, which nobody can change.

    Shapes: as `MultiHeadAttention` says; a b may be None -> as they are given.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    """
    arrays = _read_arrays("h" if num_kv_heads is None else "kv", given)
    num_heads, dropout = read_count("num_heads", num_heads), read_rate("dropout", dropout)
    check_divisible("W_Q", arrays["W_Q"].shape, num_heads)
    if num_kv_heads is None:
        num_kv_heads = num_heads
        check_divisible("W_V", arrays["W_V"].shape, num_heads)
    else:
        num_kv_heads = read_count("num_kv_heads", num_kv_heads)
        _check_widths(arrays, num_heads, num_kv_heads)
    return arrays | {"num_heads": num_heads, "num_kv_heads": num_kv_heads, "dropout": dropout}


def _read_arrays(kv: str, given: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return copies that nobody can change. kv: what the number of key/value heads is called, h where it is that."""
    axes = {
        "W_Q": "d_model h·d_k", "W_K": f"d_key {kv}·d_k", "W_V": f"d_value {kv}·d_v", "W_O": "h·d_v d_out",
        "b_Q": "h·d_k", "b_K": f"{kv}·d_k", "b_V": f"{kv}·d_v", "b_O": "d_out",
    }  # fmt: skip
    there = {name: (given[name], axes[name]) for name in axes if name[0] == "W" or given[name] is not None}
    arrays = {name: array.copy() for name, array in zip(there, read_arrays(**there), strict=True)}
    for name, array in arrays.items():
        if array.ndim != len(axes[name].split()):
            raise ValueError(f"{name} has shape {array.shape}, but needs ({', '.join(axes[name].split())}).")
        array.setflags(write=False)
    return arrays


def _check_widths(arrays: dict[str, np.ndarray], num_heads: int, num_kv_heads: int) -> None:
    """Check the widths of W_K, W_V and W_O where several query heads share one key/value head."""
    W_Q, W_K, W_V, W_O = (arrays[name].shape for name in ("W_Q", "W_K", "W_V", "W_O"))
    check_groups(num_heads, num_kv_heads)
    check_divisible("W_V", W_V, num_kv_heads, called="num_kv_heads")
    d_k, d_v = W_Q[1] // num_heads, W_V[1] // num_kv_heads
    if W_K[1] != num_kv_heads * d_k:
        raise ValueError(
            f"W_K has shape {W_K}, but needs ({W_K[0]}, {num_kv_heads * d_k}): num_kv_heads = {num_kv_heads} times "
            f"d_k = {d_k}, because W_Q has shape {W_Q} and num_heads is {num_heads}."
        )
    if W_O[0] != num_heads * d_v:
        raise ValueError(
            f"W_O has shape {W_O}, but needs ({num_heads * d_v}, {W_O[1]}): num_heads = {num_heads} times d_v = {d_v}, "
            f"because W_V has shape {W_V} and num_kv_heads is {num_kv_heads}."
        )

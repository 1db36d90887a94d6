"""How fast is the layer, against PyTorch's and against its bare matrix products? In one run, the sides taking turns.

Each case runs in a process of its own, so that its peak of memory is its own.
"""

from pathlib import Path

import numpy as np
from measuring import THREADS, alone, show, turns

from mha_course.maths.blocks import FEW, ROWS

SHAPES = [(1, 3, 4, 1), (2, 10, 512, 8), (8, 128, 512, 8), (1, 1024, 512, 8), (1, 4096, 512, 8), (1, 16384, 512, 8)]
SECONDS = 8  # for one case
SIDES = ("ours", "torch", "products")


def main():
    """Measure all cases, and print the results."""
    rows = [("batch, n, d_model, h", "ours, ms", "PyTorch", "ours / PyTorch", "products", "peak ours, MB", "PyTorch")]
    for shape in SHAPES:
        times, ratios = alone(measure_times, shape)
        peaks = (max(alone(measure_peak, side, shape), 0) for side in SIDES[:2])
        name = ", ".join(map(str, shape))
        rows.append((name, times["ours"], times["torch"], ratios["torch"], times["products"], *map(round, peaks)))
    show(*rows)


def measure_times(shape):
    """Return each side's median milliseconds, and ours / each side."""
    return turns({side: make(side, shape) for side in SIDES}, SECONDS)


def measure_peak(side, shape):
    """Return how many MB the process grows above what it holds before the call, at its peak."""
    call = make(side, shape)
    make(side, SHAPES[0])()  # what is loaded at the first call is not counted
    before = high_water()
    call()
    return high_water() - before


def high_water():
    """Return the most memory that this process has held since the last question, in MB (Linux)."""
    status = Path("/proc/self/status").read_text()
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]
    Path("/proc/self/clear_refs").write_text("5")
    return int(peak) / 1024


def make(side, shape):
    """Return a call without arguments that runs one side on the same numbers."""
    batch, n, d_model, num_heads = shape
    rng = np.random.default_rng(0)
    x = rng.normal(size=(batch, n, d_model)).astype(np.float32)
    weights = [(rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)).astype(np.float32) for _ in range(4)]
    return {"ours": our_layer, "torch": torch_layer, "products": bare_products}[side](x, weights, num_heads)


def our_layer(x, weights, num_heads):
    """Return a call of the course's layer."""
    from mha_course import MultiHeadAttention

    layer = MultiHeadAttention(*weights, num_heads)
    return lambda: layer(x).output


def torch_layer(x, weights, num_heads):
    """Return a call of PyTorch's layer, for inference and without weights."""
    import torch

    torch.set_num_threads(THREADS)
    layer = torch.nn.MultiheadAttention(x.shape[-1], num_heads, bias=False, batch_first=True).eval()
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.tensor(np.concatenate([W.T for W in weights[:3]])))
        layer.out_proj.weight.copy_(torch.tensor(weights[3].T))
    given = torch.tensor(x)

    def call():
        with torch.inference_mode():
            return layer(given, given, given, need_weights=False)[0]

    return call


def bare_products(x, weights, num_heads):
    """Return a call of the matrix products alone, of the same sizes: the floor."""
    batch, n, d_model = x.shape
    few = batch * num_heads * n * n <= FEW  # small ones go in one product of stacks, as in the layer
    rows = min(ROWS, n)
    Q, scores = x[0, :rows, : d_model // num_heads], np.empty((rows, n), np.float32)
    keys, values = np.ascontiguousarray(x[0, :, : d_model // num_heads].T), x[0, :, : d_model // num_heads].copy()

    stack = np.ascontiguousarray(x.reshape(batch, n, num_heads, -1).swapaxes(1, 2))

    def call():
        for W in weights:
            x @ W
        if few:
            (stack @ stack.swapaxes(-1, -2)) @ stack
            return
        for _ in range(batch * num_heads * -(-n // rows)):
            np.matmul(Q, keys, out=scores)
            scores @ values

    return call

"""How fast is the layer, against PyTorch's and against its bare matrix products? In one run, the sides taking turns.

Each case runs in a process of its own, so that its peak of memory is its own.
"""

import json
import multiprocessing
import os
import statistics
import time
from pathlib import Path

THREADS = "2"
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = THREADS  # before NumPy and PyTorch are loaded

import numpy as np  # noqa: E402
from record import record  # noqa: E402

from mha_course.maths.blocks import FEW, ROWS  # noqa: E402

SHAPES = [(1, 3, 4, 1), (2, 10, 512, 8), (8, 128, 512, 8), (1, 1024, 512, 8), (1, 4096, 512, 8), (1, 16384, 512, 8)]
SECONDS = 8  # for one case, as far as its smallest number of rounds allows
FEWEST, MOST = 3, 400  # rounds
SIDES = ("ours", "torch", "gemm")


def main():
    """Measure all cases, and print and record the results."""
    results = []
    for shape in SHAPES:
        print(f"batch, n, d_model, h = {shape} …", flush=True)
        times = alone(measure_times, shape)
        peaks = {side: alone(measure_peak, shape, side) for side in SIDES[:2]}
        results.append(
            {"shape": shape}
            | {f"{side}_ms": round(times[side], 4) for side in SIDES}
            | {f"{side}_peak_mb": round(peak, 1) for side, peak in peaks.items()}
            | {"ratio": round(times["ratio"], 2)}
        )
        print("  " + json.dumps(results[-1]), flush=True)
    record("attention", results)
    print(table(results))


def alone(function, *arguments):
    """Call a function in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def measure_times(shape):
    """Return the median milliseconds of each side, and of ours / torch, over rounds in which all take turns."""
    calls = {side: make(side, shape) for side in SIDES}
    for call in calls.values():
        call()
    rounds, end = [], time.perf_counter() + SECONDS
    while len(rounds) < FEWEST or (time.perf_counter() < end and len(rounds) < MOST):
        rounds.append({side: milliseconds(call) for side, call in calls.items()})
    medians = {side: statistics.median(each[side] for each in rounds) for side in SIDES}
    return medians | {"ratio": statistics.median(each["ours"] / each["torch"] for each in rounds)}


def milliseconds(call):
    """Time one call, after another that wakes up the side's own threads and lets those of the side before rest."""
    call()
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e3


def measure_peak(shape, side):
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
    return {"ours": our_layer, "torch": torch_layer, "gemm": bare_products}[side](x, weights, num_heads)


def our_layer(x, weights, num_heads):
    """Return a call of the course's layer."""
    from mha_course import MultiHeadAttention

    layer = MultiHeadAttention(*weights, num_heads)
    return lambda: layer(x).output


def torch_layer(x, weights, num_heads):
    """Return a call of PyTorch's layer, for inference and without weights."""
    import torch

    torch.set_num_threads(int(THREADS))
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


def table(results):
    """Write the results as the table of docs/measurements.md."""
    head = "| batch, n, d_model, h | ours | PyTorch | ours / PyTorch | products alone | peak ours | peak PyTorch |"
    lines = [head, "|---" * 7 + "|"]
    for each in results:
        shape = ", ".join(map(str, each["shape"]))
        times = (f"{each[f'{side}_ms']:.3g} ms" for side in SIDES)
        ours, torch, gemm = times
        peaks = f"{max(each['ours_peak_mb'], 0):.0f} MB | {max(each['torch_peak_mb'], 0):.0f} MB"
        lines.append(f"| {shape} | {ours} | {torch} | {each['ratio']:.2f} | {gemm} | {peaks} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

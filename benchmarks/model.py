"""How fast does the real model write, against PyTorch's functions and its bare matrix products? How much does it hold?

The sides take turns in one run. What is measured of a whole process is measured in processes of their own.
"""

import multiprocessing
import statistics
import time
from pathlib import Path

import numpy as np
from measuring import THREADS, alone, milliseconds, show, turns

LENGTHS = (16, 256)
PROMPT = 30
SECONDS = 15  # for one length
AS_IT_WRITES = 10  # calls in a row
REST = 0.3  # seconds; PyTorch's threads go on waiting busily for more work, and slow down who comes next
KERNELS = 10
SENTENCE = "Innovators create and disrupt in equal measure."


def main():
    """Measure everything, and print the results."""
    alone(opening)  # converts the model if nobody has
    rows = [("tokens before it", "ours, ms", "products", "PyTorch", "ours / products", "ours / PyTorch")]
    for length in LENGTHS:
        times, ratios = alone(writing, length)
        rows.append((length, *times.values(), ratios["products"], ratios["torch"]))
    show(*rows)
    (one,), ten = memory_of(1), memory_of(KERNELS)
    show(
        ("real model", ""),
        (f"first token after {PROMPT}, ms", alone(first_token)),
        ("opening, ms", statistics.median(alone(opening) for _ in range(7))),
        ("a kernel's own, MB", round(one["own"])),
        ("shared, MB", round(one["shared"])),
        (f"{KERNELS} kernels, MB", round(sum(each["part"] for each in ten))),
    )


def writing(length):
    """Measure one token behind so many others, with cache."""
    calls = {"ours": our_step(length), "products": bare_products(length), "torch": torch_step(length)}
    return turns(calls, SECONDS, AS_IT_WRITES, REST)


def first_token():
    """Return the milliseconds of the first token after a prompt."""
    from mha_course import real_model

    model, ids = real_model(), list(range(1000, 1000 + PROMPT))
    return milliseconds(lambda: next(iter(model.stream(ids, tokens=1))), AS_IT_WRITES)


def opening():
    """Return the milliseconds of opening in a process that has imported the course."""
    from mha_course import real_model

    begin = time.perf_counter()
    real_model()
    return 1000 * (time.perf_counter() - begin)


def our_step(length):
    """Return a call that decodes one token behind so many others."""
    from mha_course import real_model
    from mha_course.language_model.decoder import TUNING, KeyValueCache, attend, decode, logits
    from mha_course.language_model.generation_arguments import read_kept

    model = real_model()
    parameters, kept = model.parameters, read_kept((), model.parameters)
    attentions = [attend] * len(parameters.layers)
    cache = KeyValueCache(parameters, length + 1)
    decode(parameters, [5] * length, attentions, kept, cache)

    def call():
        cache.length = length
        with TUNING.chosen():
            _, layers = decode(parameters, [7], attentions, kept, cache)
            return logits(parameters, layers[-1].X[0, -1:])

    return call


def bare_products(length):
    """Return a call of the matrix products alone, with the same numbers and with as many threads as are faster."""
    from mha_course import real_model
    from mha_course.language_model.thread_tuning import ThreadTuning

    pace = ThreadTuning()
    parameters = real_model().parameters
    rows, wide = np.ones((1, 576), np.float32), np.ones((1, 1536), np.float32)
    queries, keys = np.ones((3, 3, 64), np.float32), np.ones((3, length + 1, 64), np.float32)

    def call():
        with pace.chosen():
            for layer in pace.each(parameters.layers, 1):
                for W in (layer.W_Q, layer.W_K, layer.W_V, layer.W_O, layer.W_gate, layer.W_up):
                    rows @ W
                wide @ layer.W_down
                (queries @ keys.mT) @ keys
            return rows @ parameters.embedding.T

    return call


def torch_step(length):
    """Return a call that decodes one token behind so many others with PyTorch's functions, on the same numbers."""
    import torch

    from mha_course import real_model

    torch.set_num_threads(THREADS)
    F = torch.nn.functional
    parameters = real_model().parameters
    embedding = torch.tensor(parameters.embedding)
    layers = [
        {name: torch.tensor(array.T.copy()) for name, array in vars(layer).items()} for layer in parameters.layers
    ]
    last_gain, eps = torch.tensor(parameters.last_gain), parameters.eps
    angles = length * parameters.base ** (-torch.arange(0, 64, 2).double() / 64)
    turn = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)
    keys, values = torch.ones(2, len(layers), 3, length + 1, 64)
    token = torch.tensor([7])

    def turned(rows):
        return torch.view_as_real(torch.view_as_complex(rows.unflatten(-1, (32, 2))) * turn).flatten(-2)

    @torch.inference_mode()
    def call():
        x = F.embedding(token, embedding)
        for each, K, V in zip(layers, keys, values, strict=True):
            rows = F.rms_norm(x, (576,), each["attention_gain"], eps)
            q, k, v = (
                F.linear(rows, each[name]).unflatten(-1, (-1, 64)).transpose(0, 1) for name in ("W_Q", "W_K", "W_V")
            )
            K[:, length:], V[:, length:] = turned(k), v
            heads = F.scaled_dot_product_attention(turned(q)[None], K[None], V[None], enable_gqa=True)[0]
            x = x + F.linear(heads.transpose(0, 1).flatten(1), each["W_O"])
            rows = F.rms_norm(x, (576,), each["feed_forward_gain"], eps)
            x = x + F.linear(F.silu(F.linear(rows, each["W_gate"])) * F.linear(rows, each["W_up"]), each["W_down"])
        return F.linear(F.rms_norm(x, (576,), last_gain, eps), embedding)

    return call


def memory_of(kernels):
    """Let so many processes open the model and speak, and return what each holds then, in MB (Linux)."""
    context = multiprocessing.get_context("spawn")
    here = context.Barrier(kernels)
    with context.Pool(kernels, initializer=_meet, initargs=(here,)) as pool:
        return pool.map(_memory, range(kernels), chunksize=1)


def _meet(here):
    global HERE
    HERE = here


def _memory(number):
    from mha_course import real_model

    real_model().speak(SENTENCE, tokens=8)
    HERE.wait()  # all hold the model now
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
    HERE.wait()
    return {"own": sizes["Anonymous"], "shared": sizes["Rss"] - sizes["Anonymous"], "part": sizes["Pss"]}

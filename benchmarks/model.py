"""How fast does the real model write, against PyTorch's functions and its bare matrix products? How much does it hold?

The sides take turns in one run. What is measured of a whole process is measured in processes of their own.
"""

import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

THREADS = "2"
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = THREADS  # before NumPy and PyTorch are loaded

import numpy as np  # noqa: E402
from record import record  # noqa: E402

LENGTHS = (16, 256)
PROMPT = 30
SECONDS = 15  # for one length
FEWEST = 5  # rounds
WAKING, IN_A_ROW = 10, 10  # calls
REST = 0.3  # seconds; PyTorch's threads go on waiting busily for more work, and slow down who comes next
KERNELS = 10
SENTENCE = "Innovators create and disrupt in equal measure."


def main():
    """Measure everything, and print and record the results."""
    prepare()
    results = {}
    for length in LENGTHS:
        results |= alone(measure_writing, length)
    results |= alone(measure_prompt)
    results["open_s"] = round(statistics.median(alone(measure_opening) for _ in range(7)), 3)
    one = memory_of(1)
    ten = memory_of(KERNELS)
    results |= {"private_mb": round(one[0]["private"]), "shared_mb": round(one[0]["shared"])}
    results[f"all_of_{KERNELS}_kernels_mb"] = round(sum(each["own_part"] for each in ten))
    results |= measure_converting()
    record("model", results)
    print("\n".join(f"{key}: {value}" for key, value in results.items()))


def prepare():
    """Convert the model if nobody has."""
    from mha_course import real_model

    real_model()


def alone(function, *arguments):
    """Call a function in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def milliseconds(call):
    """Time a call as one of many in a row, as a model that writes makes them: the median of some, after some others."""
    time.sleep(REST)
    times = []
    for _ in range(WAKING + IN_A_ROW):
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times[WAKING:])


def turns(calls):
    """Return each side's median milliseconds over rounds in which all take turns, and of ours / each other side."""
    for call in calls.values():
        call()
    rounds, end = [], time.perf_counter() + SECONDS
    while len(rounds) < FEWEST or time.perf_counter() < end:
        rounds.append({side: milliseconds(call) for side, call in calls.items()})
    medians = {side: statistics.median(each[side] for each in rounds) for side in calls}
    ratios = {side: statistics.median(each["ours"] / each[side] for each in rounds) for side in calls if side != "ours"}
    return medians, ratios


def measure_writing(length):
    """Measure one token behind so many others, with cache."""
    medians, ratios = turns({"ours": our_step(length), "products": bare_products(length), "torch": torch_step(length)})
    print(f"{length} tokens: {medians}, ours / others: {ratios}", flush=True)
    end = "" if length == LENGTHS[0] else f"_{length}"
    return {
        f"ms_per_token_{length}": round(medians["ours"], 2),
        f"products_ms{end}": round(medians["products"], 2),
        f"torch_ms{end}": round(medians["torch"], 2),
        f"ours_to_products{end}": round(ratios["products"], 2),
        f"ours_to_torch{end}": round(ratios["torch"], 2),
    }


def measure_prompt():
    """Measure the first token after a prompt."""
    from mha_course import real_model

    model = real_model()
    ids = list(range(1000, 1000 + PROMPT))
    medians, _ = turns({"ours": lambda: next(iter(model.stream(ids, tokens=1)))})
    return {f"first_token_of_{PROMPT}_ms": round(medians["ours"], 1)}


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

    torch.set_num_threads(int(THREADS))
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


def measure_opening():
    """Return how many seconds opening takes in a process that has imported the course."""
    from mha_course import real_model

    begin = time.perf_counter()
    real_model()
    return time.perf_counter() - begin


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
    return {"private": sizes["Anonymous"], "shared": sizes["Rss"] - sizes["Anonymous"], "own_part": sizes["Pss"]}


def measure_converting():
    """Return how long the first opening takes on a machine, and its peak of memory."""
    code = (
        "import resource, time; begin = time.perf_counter(); from mha_course import real_model; real_model();"
        "print(time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"MHA_COURSE_MODEL_CACHE": folder}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    seconds, peak = map(float, run.stdout.split())
    return {"convert_s": round(seconds, 1), "convert_peak_mb": round(peak)}


if __name__ == "__main__":
    main()

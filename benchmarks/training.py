"""How many seeds learn to repeat on word lengths never seen, what one layer reaches, and how fast a step is.

A seed passes if both lengths that it never saw reach the bar; it is looked at every 100 steps, and is trained to the
end in any case, so that the counts after a fixed number of steps are there too. The speed is measured against the same
model in PyTorch, from the same parameters on the same sentences: its own attention, and Adam in one fused call.
"""

import os
import statistics
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "2"  # before NumPy and PyTorch are loaded

import numpy as np  # noqa: E402
import torch  # noqa: E402
from record import record  # noqa: E402
from torch.nn.functional import cross_entropy, scaled_dot_product_attention  # noqa: E402

from mha_course.maths.adam import Adam  # noqa: E402
from mha_course.maths.small_model import encoding  # noqa: E402
from mha_course.training.training import BATCH, LONGEST_GRADIENT, Training  # noqa: E402

SEEDS, STEPS, LOOK = 20, 2000, 100
UNSEEN, ACCURACY, SHARE = (3, 6), 0.99, 0.9
LOOKED_AT = (200, 400, 600, 800, 1200, 2000)  # for the counts after a fixed number of steps
ONE_LAYER_STEPS = 3000
FEWEST, SECONDS, STEPS_OF_A_ROUND = 5, 20, 20  # at least so many rounds, for about so long
SIDES = {  # precision and threads of PyTorch's
    "torch_steps_per_s": (torch.float64, 2),
    "torch_1_thread_steps_per_s": (torch.float64, 1),
    "torch_float32_steps_per_s": (torch.float32, 2),
    "torch_float32_1_thread_steps_per_s": (torch.float32, 1),
}


def main():
    """Measure all, and print and record the results."""
    results = {"seeds": SEEDS} | speeds() | two_layers() | one_layer()
    record("training", results)
    print("\n".join(f"{key}: {value}" for key, value in results.items()))


def two_layers():
    """Train every seed, and say how many pass, when, and how many stand above the bar after so many steps."""
    first, counts = [], dict.fromkeys(LOOKED_AT, 0)
    for seed in range(SEEDS):
        passed, seconds, training = [], 0.0, Training("repeat", seed)
        while training.steps < STEPS:
            begin = time.perf_counter()
            training.train(LOOK)
            is_above = passes(training)
            seconds += time.perf_counter() - begin
            if is_above:
                passed.append(seconds)
            if training.steps in counts:
                counts[training.steps] += is_above
        first += passed[:1]
        print(f"seed {seed}: {f'passes after {passed[0]:.1f} s' if passed else 'does not pass'}", flush=True)
    return {
        "seeds_passed": sum(seconds <= 10 for seconds in first),
        "seconds": round(statistics.median(first), 2),
        "longest_seconds": round(max(first), 2),
        "above_after_steps": counts,
    }


def passes(training):
    """Whether both lengths never seen reach the bar."""
    results = [training.test([length]) for length in UNSEEN]
    return all(result.accuracy >= ACCURACY and result.share >= SHARE for result in results)


def one_layer():
    """Return the best accuracy that one layer has on any length, seen or not, of all seeds."""
    best = {"seen": 0.0} | dict.fromkeys(UNSEEN, 0.0)
    for seed in range(SEEDS):
        training = Training("repeat", seed, num_layers=1)
        training.train(ONE_LAYER_STEPS)
        for lengths in best:
            found = training.test(None if lengths == "seen" else [lengths]).accuracy
            best[lengths] = max(best[lengths], found)
        print(f"one layer, seed {seed}: done", flush=True)
    best = {str(lengths): round(accuracy, 3) for lengths, accuracy in best.items()}
    return {"one_layer_best": max(best.values()), "one_layer_best_of_lengths": best}


def speeds():
    """Return the steps per second of each side in its best round, all taking turns: so what else runs counts little."""
    ours = Training("repeat", seed=0)
    sides = {"steps_per_s": ours.train} | {name: torch_training(*side) for name, side in SIDES.items()}
    rates = {name: [] for name in sides}
    end = time.perf_counter() + SECONDS
    while len(rates["steps_per_s"]) < FEWEST or time.perf_counter() < end:
        for name, train in sides.items():
            train(2)  # wakes up the side's own threads and lets those of the side before rest
            begin = time.perf_counter()
            train(STEPS_OF_A_ROUND)
            rates[name].append(STEPS_OF_A_ROUND / (time.perf_counter() - begin))
    return {name: round(max(each)) for name, each in rates.items()}


def torch_training(dtype, threads):
    """Return a call that trains the model of seed 0 for so many steps in PyTorch; its first loss must be ours."""
    ours, theirs = Training("repeat", seed=0), Training("repeat", seed=0)
    model, rng = TorchModel(theirs.model, theirs.skill.n, dtype), theirs._rng
    adam = torch.optim.Adam(model.parameters(), lr=Adam.rate, betas=Adam.decay, fused=True)

    def step():
        batch = theirs.skill.draw(rng, BATCH, theirs.lengths)
        counts = torch.from_numpy(batch.loss_mask)
        logits = model(torch.from_numpy(batch.ids))
        loss = cross_entropy(logits[counts], torch.from_numpy(batch.answers)[counts])
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), LONGEST_GRADIENT)
        adam.step()
        return loss.item()

    def train(steps):
        torch.set_num_threads(threads)
        return [step() for _ in range(steps)]

    ours.train(3)
    np.testing.assert_allclose(train(3), ours.losses, rtol=1e-5 if dtype == torch.float32 else 1e-7)
    return train


class TorchModel(torch.nn.Module):
    """The small model as one would write it in PyTorch: queries, keys and values come from one product."""

    def __init__(self, model, n, dtype):
        """Start from the parameters of ours."""
        super().__init__()
        given = {name: torch.tensor(values, dtype=dtype) for name, values in model.parameters.items()}
        made = [torch.cat([given[f"{name}/{layer}"] for name in ("W_Q", "W_K", "W_V")], dim=1) for layer in (1, 2)]
        self.embeddings, self.W_out = torch.nn.Parameter(given["embeddings"]), torch.nn.Parameter(given["W_out"])
        self.W_QKV = torch.nn.ParameterList(made)
        self.W_O = torch.nn.ParameterList([given["W_O/1"], given["W_O/2"]])
        self.register_buffer("positions", torch.tensor(encoding(n, model.design.d_model), dtype=dtype))

    def forward(self, ids):
        """Return the logits."""
        rows = self.embeddings[ids] + self.positions
        for W_QKV, W_O in zip(self.W_QKV, self.W_O, strict=True):
            Q, K, V = (rows @ W_QKV)[:, None].chunk(3, dim=-1)  # one head
            rows = rows + scaled_dot_product_attention(Q, K, V, is_causal=True)[:, 0] @ W_O
        return rows @ self.W_out


if __name__ == "__main__":
    main()

"""How many seeds learn to repeat on word lengths never seen, what one layer reaches, and how fast a step is.

A seed passes if both lengths that it never saw reach the bar; it is looked at every 100 steps. The speed is measured
against the same model in PyTorch, from the same parameters on the same sentences: its own attention, and Adam in one
fused call.
"""

import statistics
import time
from functools import partial

import numpy as np
import torch
from measuring import THREADS, show, turns
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

from mha_course.maths.adam import Adam
from mha_course.maths.inputs import positional_encoding
from mha_course.training.training import BATCH, LONGEST_GRADIENT, Training

SEEDS, STEPS, LOOK = 20, 2000, 100
UNSEEN, ACCURACY, WEIGHT = (3, 6), 0.99, 0.9
FIXED = 400  # steps after which each seed is looked at, whether it has passed or not
ONE_LAYER_STEPS = 3000
SECONDS, STEPS_OF_A_ROUND = 20, 20


def main():
    """Measure all, and print the results."""
    show_speed()
    found = [two_layers(seed) for seed in range(SEEDS)]
    seconds = [each for each, _ in found if each is not None]
    rows = ("seeds that pass", len(seconds)), ("median, s", statistics.median(seconds)), ("longest, s", max(seconds))
    show(("two layers", f"of {SEEDS} seeds"), *rows, (f"good after {FIXED} steps", sum(good for _, good in found)))
    best = [max(each) for each in zip(*map(one_layer, range(SEEDS)), strict=True)]
    show(("one layer, best accuracy", "any length", "never seen"), (f"of {SEEDS} seeds", max(best), max(best[1:])))


def two_layers(seed):
    """Return after how many seconds a seed passes, None if it does not, and whether it is good after `FIXED` steps."""
    training, looks, passed, seconds = Training("repeat", seed), [], None, 0.0
    while training.steps < FIXED or (passed is None and training.steps < STEPS):
        begin = time.perf_counter()
        training.train(LOOK)
        looks.append(passes(training))
        seconds += time.perf_counter() - begin
        if looks[-1] and passed is None:
            passed = seconds
    return passed, looks[FIXED // LOOK - 1]


def passes(training):
    """Whether both lengths never seen reach the bar."""
    results = [training.test([length]) for length in UNSEEN]
    return all(result.accuracy >= ACCURACY and result.weight >= WEIGHT for result in results)


def one_layer(seed):
    """Return the accuracy of one layer on the lengths that it saw, and on each that it did not."""
    training = Training("repeat", seed, num_layers=1)
    training.train(ONE_LAYER_STEPS)
    return [training.test(lengths).accuracy for lengths in (None, *([length] for length in UNSEEN))]


def show_speed():
    """Measure and print the steps a second of ours and of PyTorch's in both precisions."""
    torch.set_num_threads(THREADS)
    trains = {"ours": Training("repeat", seed=0).train}
    trains |= {f"PyTorch, {name}": torch_training(getattr(torch, name)) for name in ("float64", "float32")}
    calls = {side: partial(train, STEPS_OF_A_ROUND) for side, train in trains.items()}
    times, ratios = turns(calls, SECONDS)
    rows = ((side, round(1000 * STEPS_OF_A_ROUND / times[side]), 1 / ratios[side]) for side in calls)
    show(("training", "steps a second", "ours / it"), *rows)


def torch_training(dtype):
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
        waves = positional_encoding(n, model.design.d_model, base=model.design.base)
        self.register_buffer("positions", torch.tensor(waves, dtype=dtype))

    def forward(self, ids):
        """Return the logits."""
        rows = self.embeddings[ids] + self.positions
        for W_QKV, W_O in zip(self.W_QKV, self.W_O, strict=True):
            Q, K, V = (rows @ W_QKV)[:, None].chunk(3, dim=-1)  # one head
            rows = rows + scaled_dot_product_attention(Q, K, V, is_causal=True)[:, 0] @ W_O
        return rows @ self.W_out

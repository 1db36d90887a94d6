"""What a check says: of right answers, of every mistake it knows, and of everything else."""

import ast
import re
import sys
import time
from pathlib import Path

import nbformat
import numpy as np
import pytest
from arithmetic import evaluate

from mha_course import (
    attention,
    causal_mask,
    layer_norm,
    merge_heads,
    multi_head_attention,
    padding_mask,
    positional_encoding,
    project,
    scaled_scores,
    softmax,
    split_heads,
    weighted_sum,
)
from mha_course.checking.answers import right_answers, wrong_answers
from mha_course.checking.compare import alike
from mha_course.checking.diagnose import diagnose
from mha_course.checking.verdict import verdict
from mha_course.lessons import catalogue
from mha_course.lessons.by_name import PROGRESS, check

EXERCISES = catalogue.exercises()

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("0[1-9]*.ipynb"))
MISTAKES = [
    pytest.param(exercise, mistake, way, id=f"{exercise.name}-{mistake.name}-{i}")
    for exercise in EXERCISES.values()
    for mistake in exercise.mistakes
    for i, way in enumerate(mistake.ways)
]
# A list of arrays, whole numbers, a function.
WITHOUT_ARRAYS = ("heads.concatenate", "masks.causal", "reading_code.parameters", "reading_code.check")
every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)


def text_of(diagnosis):
    return verdict(SCALED, diagnosis).text


# Mistakes

every_mistake = pytest.mark.parametrize(("exercise", "mistake", "way"), MISTAKES)


@every_mistake
def test_every_mistake_gets_its_own_diagnosis(exercise, mistake, way):
    found = diagnose(exercise, way)
    assert (found.kind, found.headline, found.where) == ("mistake", mistake.name, mistake.where)
    assert mistake.why in found.paragraphs


@every_mistake
def test_a_mistake_shows_one_entry_whose_arithmetic_gives_its_number(exercise, mistake, way):
    lines = diagnose(exercise, way).lines
    assert [who for who, _ in lines] in (["yours", "right"], [])
    for _, line in lines:
        place, *parts, shown = line.split(" = ")
        assert re.fullmatch(r"\w+(\[[\d,]+\])?", place)
        for part in parts:
            if not re.fullmatch(r"\w+\[[\d,\[\]]+\]", part) and shown not in ("nan", "inf"):
                assert evaluate(part) == pytest.approx(float(shown), abs=0.51e-4), line
    assert len({line.split(" = ")[-1] for _, line in lines}) == len(lines), "both numbers are the same"


def test_only_errors_and_a_mere_shape_show_no_entry():
    for exercise, _, way in (each.values for each in MISTAKES):
        found = diagnose(exercise, way)
        if not found.lines:
            expected = r"it raises|only their shape is not|Only the axes|has shape \(2, 2\), but needs \(3, 2\)"
            assert re.search(expected, found.paragraphs[-1]), found.headline


@every_exercise
def test_the_inputs_tell_every_mistake_from_the_right_answer_and_from_each_other(exercise):
    known = [(mistake.name, answers) for mistake, _, answers in wrong_answers(exercise)]
    assert len({name for name, _ in known}) == len(exercise.mistakes) >= 6
    for i, (name, answers) in enumerate([("right", right_answers(exercise)), *known]):
        for other, others in known[i:]:
            assert name == other or not all(map(alike, answers, others)), f"{name} looks like {other}"


@every_exercise
def test_the_inputs_are_asymmetric_and_of_different_sizes(exercise):
    arrays = [[a for a in case.arguments if isinstance(a, np.ndarray)] for case in exercise.cases]
    assert len(exercise.cases) >= 4
    least = [min(a.shape) == 1 or a.ndim == 1 for case in arrays for a in case]
    assert any(least) or exercise.name in WITHOUT_ARRAYS
    for array in (a for case in arrays[1:] for a in case if a.ndim > 1 and a.shape[-1] == a.shape[-2] > 1):
        assert not np.allclose(array, array.swapaxes(-1, -2))


def test_forty_mistakes_and_more_are_known_each_with_a_reason():
    names = {mistake.name for exercise in EXERCISES.values() for mistake in exercise.mistakes}
    assert len(names) >= 150
    for exercise in EXERCISES.values():
        for mistake in exercise.mistakes:
            assert mistake.name.endswith(".") and mistake.why.endswith(".")
            assert all(re.fullmatch(r"[\w.-]+/[\w.-]+ #\d+", each) for each in mistake.where.split(", ") if each)


THREADS = """reczoo/FuxiCTR #30, ajhalthor/Transformer-Neural-Network #8, lsdefine/attention-is-all-you-need-keras #36,
MarcoMeter/episodic-transformer-memory-ppo #22, deepjavalibrary/d2l-java #186, huggingface/blog #2893,
mlc-ai/mlc-llm #3426, huggingface/transformers #38290, chelsea0x3b/dfdx #171, FareedKhan-dev/train-llm-from-scratch #3,
mkara44/transunet_pytorch #4, YutaroOgawa/pytorch_advanced #174, labmlai/annotated_deep_learning_paper_implementations
#146, nerminnuraydogan/vision-transformer #1, PetrochukM/PyTorch-NLP #2, FudanNLP/fastNLP #254,
jadore801120/attention-is-all-you-need-pytorch #52, facebookresearch/detr #247, cmu-l3/anlp-fall2025-code #1,
jsbaan/transformer-from-scratch #1, poloclub/transformer-explainer #19, huggingface/pytorch-image-models #2236,
georg-wolflein/good-features #1, lucidrains/memory-compressed-attention #2,
tensorflow/text #894, lsdefine/attention-is-all-you-need-keras #16, tracel-ai/burn #4697, ml-explore/mlx #2395,
pytorch/pytorch #131060,
jadore801120/attention-is-all-you-need-pytorch #17, Howuhh/faster-trajectory-transformer #3,
harvardnlp/annotated-transformer #119, hkproj/pytorch-transformer #31, rasbt/LLMs-from-scratch #431"""


@pytest.mark.parametrize("thread", " ".join(THREADS.split()).split(", "))
def test_a_mistake_that_was_made_in_public_is_known_with_its_thread(thread):
    assert any(thread in mistake.where for exercise in EXERCISES.values() for mistake in exercise.mistakes)


# Right answers


def softmax_with_loops(scores, temperature=1.0):
    scores = np.asarray(scores, dtype=float)
    result = np.empty(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        row = [float(s) / temperature for s in scores[place]]
        powers = [np.exp(s - max(row)) for s in row]
        result[place] = [power / sum(powers) for power in powers]
    return result


def masked_softmax_with_loops(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    result = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        if mask[place].any():
            result[place][mask[place]] = softmax_with_loops(scores[place][mask[place]])
    return result


def scores_with_loops(Q, K):
    return [[sum(a * b for a, b in zip(q, k)) / len(q) ** 0.5 for k in K.tolist()] for q in Q.tolist()]  # noqa: B905


def as_float32(function):
    return lambda *given: np.asarray(function(*(np.float32(a) if isinstance(a, np.ndarray) else a for a in given)))


def heads_with_a_loop(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (np.split(wide, num_heads, axis=-1) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    outputs = [attention(q, k, v).output for q, k, v in zip(Q, K, V, strict=True)]
    return sum(o @ W for o, W in zip(outputs, np.split(W_O, num_heads, axis=0), strict=True))


def heads_with_einsum(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (wide.reshape(*wide.shape[:-1], num_heads, -1) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    weights = softmax(np.einsum("...qhd,...khd->...hqk", Q, K) * Q.shape[-1] ** -0.5)
    return np.einsum("...hqk,...khd->...qhd", weights, V).reshape(*X.shape[:-1], -1) @ W_O


def verdict_of(n_q, n_k, d_k, d_v, seed=0):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    right = softmax_with_loops(scores_with_loops(Q, K)) @ V
    return lambda candidate: candidate(Q, K, V).shape == (n_q, d_v) and np.allclose(candidate(Q, K, V), right)


def filled(positions, d_model):
    table = np.zeros((len(positions), d_model))
    for row, position in enumerate(positions):
        for i in range(0, d_model, 2):
            table[row, i] = np.sin(position / 10000 ** (i / d_model))
            table[row, i + 1] = np.cos(position / 10000 ** (i / d_model))
    return table


RIGHT = {
    "inputs.lookup": [lambda ids, table: np.eye(len(table))[ids] @ table, lambda ids, table: [table[i] for i in ids]],
    "inputs.add_positions": [
        lambda x: np.array([s + positional_encoding(len(s), x.shape[-1]) for s in x]),
        lambda x: positional_encoding(*x.shape[1:]) + x,
    ],
    "inputs.angles": [
        lambda p, d: [[pos / 10000 ** (2 * i / d) for i in range(d // 2)] for pos in p],
        lambda p, d: np.outer(p, 10000.0 ** (-np.arange(0, d, 2) / d)),
        lambda p, d: p[:, None] * np.exp(-np.log(10000) * np.arange(0, d, 2) / d),
    ],
    "inputs.encoding": [filled, as_float32(filled)],
    "queries_keys_values.entry": [
        lambda X, W, r, c: X[r] @ W[:, c],
        lambda X, W, r, c: (X @ W)[r, c],
        lambda X, W, r, c: float(sum(X[r, i] * W[i, c] for i in range(len(W)))),
        lambda X, W, r, c: np.array((X @ W)[r, c]),
    ],
    "queries_keys_values.project": [
        np.matmul,
        np.dot,
        lambda X, W: np.einsum("...nd,dk->...nk", X, W),
        lambda X, W: (W.T @ X.swapaxes(-1, -2)).swapaxes(-1, -2),
        as_float32(np.matmul),
        lambda X, W: (X @ W).tolist(),
    ],
    "queries_keys_values.qkv": [
        lambda X, context, W_Q, W_K, W_V: [project(X, W_Q), project(context, W_K), project(context, W_V)],
        lambda X, context, W_Q, W_K, W_V: tuple(
            (A @ W).tolist() for A, W in ((X, W_Q), (context, W_K), (context, W_V))
        ),
    ],
    "queries_keys_values.fused": [
        lambda X, W: np.split(X @ W, 3, axis=-1),
        lambda X, W: tuple(X @ part for part in np.split(W, 3, axis=1)),
        lambda X, W: np.moveaxis((X @ W).reshape(*X.shape[:-1], 3, -1), -2, 0),
    ],
    "scaled_scores.dot": [
        lambda q, k: sum(q * k),
        np.dot,
        lambda q, k: np.einsum("i,i", q, k),
        lambda q, k: float(k @ q),
        lambda q, k: np.float32((q * k).sum()),
    ],
    "scaled_scores.products": [
        lambda Q, K: np.dot(Q, K.T),
        lambda Q, K: (K @ Q.T).T,
        np.inner,
        lambda Q, K: np.einsum("qd,kd->qk", Q, K),
        lambda Q, K: [[float(q @ k) for k in K] for q in Q],
        lambda Q, K: (Q[:, None] * K[None]).sum(axis=-1),
    ],
    "scaled_scores.scaled": [
        scaled_scores,
        scores_with_loops,
        lambda Q, K: (Q / np.sqrt(Q.shape[-1])) @ K.T,
        lambda Q, K: Q @ (K.T / Q.shape[1] ** 0.5),
        lambda Q, K: Q @ K.T * K.shape[-1] ** -0.5,
        lambda Q, K: (Q / K.shape[1] ** 0.25) @ (K / K.shape[1] ** 0.25).T,
        lambda Q, K: np.einsum("ik,jk->ij", Q, K) / len(Q[0]) ** (1 / 2),
        as_float32(scaled_scores),
    ],
    "scaled_scores.batch": [
        scaled_scores,
        lambda Q, K: np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1]),
        lambda Q, K: (Q * Q.shape[-1] ** -0.5) @ np.moveaxis(K, -1, -2),
        as_float32(scaled_scores),
    ],
    "softmax.shares": [softmax, softmax_with_loops, lambda row: 1 / np.exp(row[None] - row[:, None]).sum(axis=-1)],
    "softmax.rows": [softmax, softmax_with_loops, lambda s: (np.exp(s).T / np.exp(s).sum(axis=1)).T],
    "softmax.stable": [softmax, softmax_with_loops, as_float32(softmax)],
    "softmax.strongest": [
        lambda w: np.argmax(w, -1),
        lambda w: w.argmax(axis=w.ndim - 1).tolist(),
        lambda w: np.argsort(w, axis=-1)[..., -1],
        lambda w: w.argmax(axis=-1).astype(float),
    ],
    "softmax.general": [
        softmax,
        softmax_with_loops,
        lambda s, t: softmax((s - s.max(axis=-1, keepdims=True)) / t),
        as_float32(softmax),
    ],
    "weighted_sums.one": [np.matmul, lambda s, V: (s * V.T).sum(axis=1), lambda s, V: sum(a * v for a, v in zip(s, V))],  # noqa: B905
    "weighted_sums.weighted_sum": [
        weighted_sum,
        lambda w, V: (w[..., None] * V[..., None, :, :]).sum(axis=-2),
        as_float32(np.matmul),
    ],
    "weighted_sums.attention": [
        lambda Q, K, V: attention(Q, K, V).output,
        lambda Q, K, V: softmax_with_loops((Q / Q.shape[-1] ** 0.5) @ K.swapaxes(-1, -2)) @ V,
        as_float32(lambda Q, K, V: attention(Q, K, V).output),
    ],
    "weighted_sums.from_inputs": [
        lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context @ W_V).output,
        lambda X, context, W_Q, W_K, W_V: softmax(X @ (W_Q @ W_K.T) @ context.T / W_K.shape[1] ** 0.5) @ context @ W_V,
    ],
    "heads.concatenate": [
        lambda outputs: np.concatenate(outputs, -1),
        lambda outputs: merge_heads(np.stack(outputs, axis=-3)),
        lambda outputs: np.block(outputs) if outputs[0].ndim == 2 else np.dstack(outputs),
    ],
    "heads.split": [
        split_heads,
        lambda wide, h: np.stack(np.split(wide, h, axis=-1), axis=-3),
        lambda wide, h: np.moveaxis(wide.reshape(*wide.shape[:-1], h, -1), -2, -3),
    ],
    "heads.merge": [
        merge_heads,
        lambda heads: np.concatenate([heads[..., i, :, :] for i in range(heads.shape[-3])], axis=-1),
        lambda heads: np.einsum("...hnd->...nhd", heads).reshape(*heads.shape[:-3], heads.shape[-2], -1).tolist(),
    ],
    "heads.multi_head": [
        lambda X, context, W_Q, W_K, W_V, W_O, h: multi_head_attention(X, W_Q, W_K, W_V, W_O, h, context).output,
        heads_with_a_loop,
        heads_with_einsum,
        as_float32(heads_with_einsum),
        lambda X, context, W_Q, W_K, *rest: heads_with_einsum(X, context, W_Q / 2, W_K * 2, *rest),
    ],
    "masks.causal": [
        causal_mask,
        lambda n: np.tril(np.ones((n, n), bool)),
        lambda n: np.tri(n),
        lambda n: ~np.triu(np.ones((n, n), bool), k=1),
        lambda n: [[k <= q for k in range(n)] for q in range(n)],
    ],
    "masks.padding": [
        padding_mask,
        lambda lengths, n_k: np.array([[[k < length for k in range(n_k)]] for length in lengths]),
        lambda lengths, n_k: np.arange(n_k) < lengths[:, None, None],
        lambda lengths, n_k: np.less.outer(np.arange(n_k), lengths).T[:, None],
    ],
    "masks.both": [
        lambda lengths, n: causal_mask(n) & padding_mask(lengths, n),
        lambda lengths, n: np.tri(n) * padding_mask(lengths, n),
        lambda lengths, n: ~(~causal_mask(n) | ~padding_mask(lengths, n)),
        lambda lengths, n: np.stack([causal_mask(n) & (np.arange(n) < length) for length in lengths]),
    ],
    "masks.softmax": [
        masked_softmax_with_loops,
        lambda scores, mask: softmax(scores, mask=mask),
        lambda scores, mask: np.nan_to_num(softmax_with_loops(np.where(mask, scores, -np.inf))),
        lambda scores, mask: softmax(np.where(mask, scores, -1e9)) * mask,
        lambda scores, mask: softmax(np.float32(scores), mask=mask),
    ],
    "masks.attention": [
        lambda Q, K, V, mask: attention(Q, K, V, mask).output,
        lambda Q, K, V, mask: masked_softmax_with_loops(scaled_scores(Q, K), mask[:, None]) @ V,
        lambda Q, K, V, mask: (softmax(np.where(mask[:, None], scaled_scores(Q, K), -1e9)) * mask[:, None]) @ V,
        lambda Q, K, V, mask: np.stack(
            [attention(q, k, v, np.tile(m, (Q.shape[2] // len(m), 1))).output for q, k, v, m in zip(Q, K, V, mask)]  # noqa: B905
        ),
    ],
    "sublayer.residual": [lambda x, attend: attend(x) + x, lambda x, attend: np.add(x, attend(x)).tolist()],
    "sublayer.row": [
        lambda row, eps: layer_norm(row[None], eps=eps)[0],
        lambda row, eps: (row - np.mean(row)) / np.sqrt(np.var(row) + eps),
        lambda row, eps: (row - row.mean()) * ((row**2).mean() - row.mean() ** 2 + eps) ** -0.5,
        lambda row, eps: (row - row.mean()) / (row.std() ** 2 + eps) ** 0.5,
    ],
    "sublayer.layer_norm": [
        layer_norm,
        lambda x, gain, bias, eps: gain * (x - x.mean(-1)[..., None]) / np.sqrt(x.var(-1)[..., None] + eps) + bias,
        lambda x, gain, bias, eps: np.apply_along_axis(lambda r: (r - r.mean()) / (r.var() + eps) ** 0.5, -1, x) * gain
        + bias,
        as_float32(layer_norm),
    ],
    "sublayer.both": [
        lambda x, attend: [layer_norm(attend(x) + x), attend(layer_norm(x)) + x],
        lambda x, attend: np.stack([layer_norm(x + attend(x)), x + attend(layer_norm(x))]),
    ],
    "sublayer.dropout": [
        lambda weights, kept, rate: np.where(kept, weights / (1 - rate), 0),
        lambda weights, kept, rate: weights / (1 - rate) * kept.astype(int),
        as_float32(lambda weights, kept, rate: kept * weights / (1 - rate)),
    ],
    "reading_code.parameters": [
        lambda d, h: (4 * d**2 + d, 3 * (d // h) ** 2 + d**2 + d),
        lambda d, h: [sum(np.ones((n, n)).size for n in widths) + d for widths in ([d] * 4, [d // h] * 3 + [d])],
    ],
    "reading_code.whole_row": [
        lambda X, W, h: split_heads(project(X, W), h),
        lambda X, W, h: np.stack([X @ part for part in np.split(W, h, axis=-1)], axis=-3),
        lambda X, W, h: np.einsum("...nd,dhk->...hnk", X, W.reshape(len(W), h, -1)),
    ],
    "reading_code.weights": [
        lambda draws: (draws - 0.5) * (12 / len(draws)) ** 0.5,
        lambda draws: (2 * draws - 1) * np.sqrt(3 / draws.shape[0]),
        as_float32(lambda draws: (draws - 0.5) / np.sqrt(len(draws) / 12)),
    ],
    "reading_code.check": [
        verdict_of(3, 4, 5, 2),
        verdict_of(2, 5, 3, 4),
        verdict_of(7, 3, 6, 1, seed=1),
        lambda candidate: all(verdict_of(3, 4, 5, 2, seed)(candidate) for seed in range(5)),
    ],
    "reading_code.blocks": [
        lambda Q, K, V, rows: (
            np.vstack([attention(Q[i : i + rows], K, V).output for i in range(0, len(Q), rows)]),
            max(len(Q[i : i + rows]) * len(K) for i in range(0, len(Q), rows)),
        ),
        lambda Q, K, V, rows: (attention(Q, K, V).output, Q[:rows].shape[0] * K.shape[0]),
    ],
}  # fmt: skip
VARIANTS = [
    pytest.param(name, f, id=f"{name}-{i}") for name, functions in RIGHT.items() for i, f in enumerate(functions)
]


@pytest.mark.parametrize(("name", "function"), VARIANTS)
def test_an_answer_that_is_right_by_another_route_is_right(name, function):
    assert diagnose(EXERCISES[name], function).headline == "Right."


@every_exercise
def test_the_exercises_own_right_answer_is_right_and_there_are_variants(exercise):
    found = diagnose(exercise, exercise.right)
    assert (found.kind, found.paragraphs) == ("right", (exercise.notice,))
    assert RIGHT[exercise.name]


@pytest.mark.parametrize("name", ["scaled_scores.scaled", "heads.multi_head"])
def test_scaling_Q_first_is_right_and_its_story_is_told(name):
    assert "huggingface/transformers #21627" in EXERCISES[name].notice and "#22444" in EXERCISES[name].notice


def test_the_power_of_minus_one_half_is_right_and_its_story_is_told():
    assert "karpathy/ng-video-lecture #46" in EXERCISES["scaled_scores.scaled"].notice


# Everything else, the most basic first

SCALED = EXERCISES["scaled_scores.scaled"]


def raises(Q, K):
    wrong = Q @ K
    return wrong / 2


def in_place(Q, K):
    Q /= 2.0 if False else 1.0
    Q[0, 0] += 1
    return (Q - np.eye(*Q.shape) * (np.arange(len(Q)) == 0)[:, None]) @ K.T / Q.shape[-1] ** 0.5


def only_the_example(Q, K):
    return np.array([[2.5, 2.5, 1.5], [1.0, 2.0, 1.0]])


def divides_in_place(Q, K):
    Q /= 2
    return Q @ K.T


def raises_silently(Q, K):
    assert Q is K


def only_two_axes(Q, K):
    (n,) = Q.shape
    return n


async def waits(Q, K):
    return Q @ K.T


def dots_below(Q, K):
    return my_half_done(Q) @ K.T


def my_half_done(Q):
    scale = ...
    return Q / scale


OTHERS = {
    "an error": (raises, "It stops with an error.", ["wrong = Q @ K", "ValueError", "the width of the left"]),
    "None": (lambda Q, K: None, "It returns None.", ["without return"]),
    "text": (lambda Q, K: "2.5", "It returns something else than numbers.", ["scores is of the type str"]),
    "ragged rows": (lambda Q, K: [[1], [1, 2]], "It returns something else than numbers.", ["different lengths"]),
    "another shape": (lambda Q, K: np.zeros((7, 1)), "The shape is not right.", ["has shape (7, 1), but needs (2, 3)"]),
    "transposed and wrong": (lambda Q, K: K @ Q.T, "The shape is not right.", ["(3, 2)", "(2, 3)"]),
    "a lost axis": (lambda Q, K: (Q @ K.T).sum(axis=0), "The shape is not right.", ["An axis is gone"]),
    "flat": (lambda Q, K: (Q @ K.T / 2).ravel(), "The shape is not right.", ["only their shape is not"]),
    "nan": (lambda Q, K: Q @ K.T * np.nan, "It returns nan, not a number.", ["0 / 0"]),
    "inf": (lambda Q, K: Q @ K.T / 0.0, "It returns inf, infinity.", ["divided by 0"]),
    "wrong numbers": (
        lambda Q, K: Q @ K.T / 3,
        "The numbers are not right.",
        ["6 of 6 numbers", "/ 3 = 1.6667", "/ 2 = 2.5000"],
    ),
    "hard-coded": (only_the_example, "Right for the example, but not in general.", ["The shape is not right."]),
    "hard-coded d_k": (lambda Q, K: Q @ K.T / 2, "Right for the example, but not in general.", ["/ √3 = "]),
    "decimals": (
        lambda Q, K: np.int64(SCALED.right(Q, K)),
        "The decimals are cut off.",
        ["zeros_like", "right  scores[1,1]"],
    ),
    "rounding": (
        lambda Q, K: SCALED.right(Q, K).round(1) + 0.0,
        "Right for the example, but not in general.",
        ["rounded"],
    ),
    "a function": (lambda Q, K: Q.sum, "It returns something else than numbers.", ["round brackets"]),
    "a comma": (lambda Q, K: (SCALED.right(Q, K),), "It returns something else than numbers.", ["a comma at the end"]),
    "everything": (lambda Q, K: attention(Q, K, K), "It returns something else than numbers.", ["take .output"]),
    "two things": (lambda Q, K: (Q @ K.T, K), "It returns something else than numbers.", ["2 things, but needs one"]),
    "a generator": (lambda Q, K: (q @ K.T for q in Q), "It returns something else than numbers.", ["put list"]),
    "in place on whole numbers": (divides_in_place, "It stops with an error.", ["Q /= 2", "holds whole numbers"]),
    "an error without words": (raises_silently, "It stops with an error.", ["AssertionError"]),
    "another error than a known mistake's": (
        only_two_axes,
        "It stops with an error.",
        ["too many values", "more axes than you gave names to"],
    ),
    "an exit": (lambda Q, K: raise_exit(), "It stops with an error.", ["SystemExit"]),
    "too few arguments": (lambda Q: Q, "It stops with an error.", ["another number of arguments"]),
}


def raise_exit():
    raise SystemExit(1)


@pytest.mark.parametrize(("function", "headline", "parts"), OTHERS.values(), ids=OTHERS)
def test_anything_else_is_told_the_first_thing_that_differs(function, headline, parts):
    found = diagnose(SCALED, function)
    assert (found.kind, found.headline) == ("difference", headline)
    for part in parts:
        assert part in text_of(found)


def test_an_error_inside_a_library_is_shown_with_the_learners_own_line():
    def cuts(X, W):
        return np.split(X @ W, 4, axis=-1)

    found = diagnose(EXERCISES["queries_keys_values.fused"], cuts)
    assert "in the line  return np.split(X @ W, 4, axis=-1)" in text_of(found) and "raise Val" not in text_of(found)


def test_an_answer_that_changes_its_input_is_told_which():
    def shifts(Q, K):
        scores = Q @ K.T / np.sqrt(Q.shape[-1])
        K *= 2
        return scores

    found = diagnose(SCALED, shifts)
    assert found.headline == "It changes what it was given: K."
    assert right_answers(SCALED)[0][0].tolist() == [[2.5, 2.5, 1.5], [1.0, 2.0, 1.0]]
    assert diagnose(SCALED, SCALED.right).kind == "right"  # nothing that a function does harms later checks


@pytest.mark.parametrize("count", [1, 2, 4])
def test_several_results_are_asked_for_when_another_number_comes(count):
    found = diagnose(EXERCISES["queries_keys_values.qkv"], lambda *given: tuple([given[0]] * count))
    assert found.headline == "It returns something else than numbers." and "needs 3: Q, K, V" in text_of(found)


def test_one_array_where_three_are_needed_is_told_so():
    found = diagnose(EXERCISES["queries_keys_values.qkv"], lambda *given: 3.0)
    assert "It returns one float, but needs 3 results: Q, K, V." in text_of(found)


@pytest.mark.parametrize(
    "stub",
    [
        lambda Q, K: ...,
        lambda Q, K: Q @ K.T / ...,
        lambda Q, K: np.sqrt(...),
        lambda Q, K: (..., Q),
        lambda Q, K: Q @ ...,
        lambda Q, K: softmax(...),
        lambda Q, K: [[..., 1], [2, 3]],
        dots_below,
        lambda Q, K: Q @ K.swapaxes(..., -1),
    ],
)
def test_a_stub_whose_dots_are_still_there_is_not_started(stub):
    assert diagnose(SCALED, stub).kind == "not started"


def endless(Q, K):
    while True:
        pass


def endless_and_deaf(Q, K):
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def asleep(Q, K):
    time.sleep(60)


def slow_then_right(Q, K):
    try:
        endless(Q, K)
    except BaseException:
        return SCALED.right(Q, K)


def printing(Q, K):
    while True:
        print(Q)


@pytest.mark.parametrize("function", [endless, endless_and_deaf, asleep, slow_then_right, printing])
def test_what_does_not_end_is_stopped_and_told_so(function, capsys):
    begin = time.monotonic()
    found = diagnose(SCALED, function, seconds=0.3)
    assert found.headline == "It does not come to an end." and "0.3 seconds" in text_of(found)
    assert time.monotonic() - begin < 5
    assert len(capsys.readouterr().out) < 3000
    assert diagnose(SCALED, SCALED.right).kind == "right"
    assert sys.gettrace() is None or "mha_course" not in str(sys.gettrace())


def test_a_loop_that_is_endless_only_for_other_inputs_is_stopped_too():
    found = diagnose(SCALED, lambda Q, K: SCALED.right(Q, K) if len(Q) == 2 else endless(Q, K), seconds=0.2)
    assert found.headline == "It does not come to an end." and "4 queries" in text_of(found)


def test_an_async_function_is_told_so_and_leaves_no_warning(recwarn):
    assert "leave out async" in text_of(diagnose(SCALED, waits))
    assert not recwarn.list


def test_a_function_that_behaves_differently_every_time_does_no_harm():
    calls = iter(range(10**6))
    found = diagnose(SCALED, lambda Q, K: SCALED.right(Q, K) + next(calls))
    assert found.kind == "difference"
    other = diagnose(SCALED, lambda Q, K: SCALED.right(Q, K) * 2 if Q.dtype != object else None)
    assert ("yours", "scores[1,1] = 5") in other.lines


def test_the_stop_button_stops_the_check():
    def stopped(Q, K):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        diagnose(SCALED, stopped)


def test_what_a_function_prints_is_shown_once(capsys):
    diagnose(SCALED, lambda Q, K: print("here") or SCALED.right(Q, K))
    assert capsys.readouterr().out == "here\n"


# The words of a lesson


def test_a_check_names_the_exercises_that_are_near():
    with pytest.raises(ValueError, match=r"'scores.scale'.*Did you mean 'scaled_scores.scaled'\?"):
        check("scores.scale", raises)


def test_a_check_asks_for_a_function():
    with pytest.raises(TypeError, match="without brackets"):
        check("scaled_scores.scaled", np.ones((2, 3)))


def test_only_a_right_answer_solves_an_exercise():
    assert not check("scaled_scores.products", lambda Q, K: Q @ K).is_right
    assert PROGRESS.solved() == set()
    assert check("scaled_scores.products", lambda Q, K: Q @ K.T).is_right
    assert PROGRESS.solved() == {"scaled_scores.products"}


@every_exercise
def test_a_card_says_the_same_in_html_and_in_text(exercise):
    for mistake in exercise.mistakes[:3]:
        card = verdict(exercise, diagnose(exercise, mistake.ways[0]))
        assert card.html.count("<table") == card.html.count("<caption") == card.text.count("  yours")
        assert mistake.name in card.text and mistake.name.replace("'", "&#x27;") in card.html


# The notebooks


def cells_of(path, tag):
    return [cell for cell in nbformat.read(path, 4).cells if tag in cell.metadata.get("tags", [])]


def test_every_exercise_stands_in_its_lesson_in_order_and_under_its_number():
    checks = [cell.source for path in NOTEBOOKS for cell in cells_of(path, "check")]
    assert [ast.literal_eval(re.match(r'check\((".*?")', source)[1]) for source in checks] == list(EXERCISES)
    headings = [cell.source.splitlines()[0] for path in NOTEBOOKS for cell in cells_of(path, "exercise")]
    assert headings == [f"### Exercise {e.number} · {e.title}" for e in EXERCISES.values()]
    for path in NOTEBOOKS:
        lesson = str(int(path.stem[:2]))
        numbers = [cell.source.split()[2] for cell in cells_of(path, "exercise")]
        assert numbers == [f"{lesson}.{i + 1}" for i in range(len(numbers))] and len(numbers) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_exercise_has_its_five_cells_with_effort_hints_and_a_folded_solution(path):
    cells = nbformat.read(path, 4).cells
    starts = [i for i, cell in enumerate(cells) if "exercise" in cell.metadata.get("tags", [])]
    for i in starts:
        task, stub, check_cell, hints, solution = cells[i : i + 5]
        assert [c.metadata.tags for c in (stub, check_cell, hints, solution)] == [
            ["stub"],
            ["check"],
            ["hints"],
            ["solution"],
        ]
        assert re.search(r"^(★☆☆|★★☆|★★★) · \d+ minutes$", task.source, re.MULTILINE)
        assert hints.source.count("<details>") == hints.source.count("</details>") == 3
        assert solution.metadata.jupyter.source_hidden is True
        name = re.search(r"def my_(\w+)\(", stub.source)[1]
        assert f"my_{name})" in check_cell.source and f"def {name}_solution(" in solution.source
        assert "Not started yet." in check_cell.outputs[0].data["text/plain"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_solution_is_right_and_nothing_later_needs_an_answer(path):
    names = {name: value for name, value in vars(__import__("mha_course")).items() if not name.startswith("_")}
    scope = {"np": np, **names}
    checks, solutions = cells_of(path, "check"), cells_of(path, "solution")
    for check_cell, solution in zip(checks, solutions, strict=True):
        exec(solution.source, scope)
        exercise, function = re.match(r'check\("(.*?)", my_(\w+)\)', check_cell.source).groups()
        assert diagnose(EXERCISES[exercise], scope[f"{function}_solution"]).headline == "Right."
    others = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    used = [source for source in others if re.search(r"\bmy_\w+", source)]
    assert len(used) == 2 * len(checks)  # the stubs and their checks


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_lesson_says_how_long_its_exercises_take(path):
    minutes = sum(int(re.search(r"· (\d+) minutes", cell.source)[1]) for cell in cells_of(path, "exercise"))
    assert f"and {minutes} more for the exercises" in nbformat.read(path, 4).cells[0].source
    start = nbformat.read(path.with_name("00_start_here.ipynb"), 4)
    plan = next(cell.source for cell in start.cells if cell.id == "map")
    assert re.search(rf"\]\({path.name}\) .* \+ {minutes} \|", plan)

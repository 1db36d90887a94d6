"""The layer against PyTorch's, which nobody here wrote: same weights, same inputs, same numbers."""

import numpy as np
import pytest
from later import torch
from rows import rows

from mha_course import (
    AttentionSublayer,
    MultiHeadAttention,
    attention,
    attention_gradients,
    causal_mask,
    embed,
    layer_norm,
    padding_mask,
    project,
    softmax,
)
from mha_course.engine.validation import as_numbers
from mha_course.maths import gradients
from mha_course.maths.adam import Adam, clipped
from mha_course.maths.blocks import FEW, ROWS, attention_in_blocks
from mha_course.maths.small_model import Design, SmallModel

TOLERANCE = {np.float32: 1e-6, np.float64: 1e-12}
precisions = pytest.mark.parametrize("dtype", TOLERANCE, ids=lambda dtype: dtype.__name__)
seeds = rows("seed", range(60))


def assert_same(ours, theirs):
    """Compare with the tolerance of the dtype, for numbers of a size about 1."""
    theirs = theirs.detach().numpy()
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=TOLERANCE[ours.dtype.type] * max(1, np.abs(theirs).max()))


def draw(rng, dtype, *shape):
    return rng.normal(size=shape).astype(dtype)


def layers(rng, dtype, d_model, num_heads, has_biases):
    """Make our layer and PyTorch's with the same weights."""
    weights = [draw(rng, dtype, d_model, d_model) / np.sqrt(dtype(d_model)) for _ in range(4)]
    biases = [draw(rng, dtype, d_model) for _ in range(4)] if has_biases else [None] * 4
    theirs = torch.nn.MultiheadAttention(
        d_model, num_heads, bias=has_biases, batch_first=True, dtype=getattr(torch, dtype.__name__)
    ).eval()
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.tensor(np.concatenate([W.T for W in weights[:3]])))
        theirs.out_proj.weight.copy_(torch.tensor(weights[3].T))
        if has_biases:
            theirs.in_proj_bias.copy_(torch.tensor(np.concatenate(biases[:3])))
            theirs.out_proj.bias.copy_(torch.tensor(biases[3]))
    return MultiHeadAttention(*weights, num_heads, *biases), theirs


def sizes(rng):
    """Draw batch, n_q, n_k, num_heads, d_model."""
    num_heads = int(rng.integers(1, 5))
    return (*map(int, rng.integers(1, 9, size=3)), num_heads, num_heads * int(rng.integers(1, 9)))


@seeds
@precisions
@pytest.mark.parametrize("kind", ["none", "padding", "causal", "both", "each head's own"])
def test_the_layer_gives_what_torch_gives(seed, dtype, kind):
    rng = np.random.default_rng(seed)
    batch, n_q, n_k, num_heads, d_model = sizes(rng)
    ours, theirs = layers(rng, dtype, d_model, num_heads, has_biases=bool(seed % 2))
    query, key, value = (draw(rng, dtype, batch, n, d_model) for n in (n_q, n_k, n_k))
    lengths = rng.integers(1, n_k + 1, size=batch)
    padding, causal = padding_mask(lengths, n_k), causal_mask(n_q, n_k)
    each = rng.random((batch, num_heads, n_q, n_k)) < 0.6
    each[..., 0] = True  # torch gives nan where a query may attend to nothing
    mask = {"none": None, "padding": padding, "causal": causal, "both": padding & causal, "each head's own": each}[kind]
    there = {}  # torch's True means "may not"
    if kind in ("padding", "both"):
        there["key_padding_mask"] = torch.tensor(~padding[:, 0])
    if kind in ("causal", "both"):
        there["attn_mask"] = torch.tensor(~causal)
    if kind == "each head's own":
        there["attn_mask"] = torch.tensor(~each.reshape(-1, n_q, n_k))
    found = ours(query, key, value, mask)
    output, weights = theirs(*map(torch.tensor, (query, key, value)), average_attn_weights=False, **there)
    assert_same(found.output, output)
    assert_same(found.weights, weights)


@seeds
@precisions
@pytest.mark.parametrize("kind", ["none", "boolean", "causal", "additive"])
def test_attention_gives_what_torch_gives(seed, dtype, kind):
    rng = np.random.default_rng(seed)
    batch, n_q, n_k, num_heads, _ = sizes(rng)
    d_k, d_v = (int(size) for size in rng.integers(1, 9, size=2))
    Q, K, V = (draw(rng, dtype, batch, num_heads, *shape) for shape in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
    may_attend = rng.random((batch, num_heads, n_q, n_k)) < 0.6
    may_attend[..., 0] = True
    additive = np.where(may_attend, draw(rng, dtype, batch, num_heads, n_q, n_k), -np.inf).astype(dtype)
    ours, theirs = {
        "none": ({}, {}),
        "boolean": ({"mask": may_attend}, {"attn_mask": torch.tensor(may_attend)}),
        "causal": ({"mask": causal_mask(n_q, n_k)}, {"is_causal": True}),
        "additive": ({"additive_mask": additive}, {"attn_mask": torch.tensor(additive)}),
    }[kind]
    output = torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, (Q, K, V)), **theirs)
    assert_same(attention(Q, K, V, **ours).output, output)
    scaled = torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, (Q, K, V)), scale=1 / 0.7, **theirs)
    assert_same(attention(Q, K, V, scale=0.7, **ours).output, scaled)


@precisions
@pytest.mark.parametrize("has_mask", [False, True])
def test_the_block_form_gives_what_torch_gives(dtype, has_mask):
    rng = np.random.default_rng(0)
    n_q, n_k = 777, 901
    assert 2 * 3 * n_q * n_k > FEW and n_q > ROWS
    Q, K, V = (draw(rng, dtype, 2, 3, *shape) for shape in ((n_q, 16), (n_k, 16), (n_k, 8)))
    mask = padding_mask([901, 5], n_k)[:, None] & causal_mask(n_q, n_k) if has_mask else None
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *map(torch.tensor, (Q, K, V)), attn_mask=None if mask is None else torch.tensor(mask)
    )
    assert_same(attention_in_blocks(Q, K, V, mask), theirs)


@seeds
@precisions
def test_layer_norm_gives_what_torch_gives(seed, dtype):
    rng = np.random.default_rng(seed)
    batch, n, _, _, d_model = sizes(rng)
    x, gain, bias = (
        draw(rng, dtype, batch, n, d_model + 1),
        draw(rng, dtype, d_model + 1),
        draw(rng, dtype, d_model + 1),
    )
    eps = float(10.0 ** rng.integers(-8, -1))
    theirs = torch.nn.functional.layer_norm(
        *map(torch.tensor, (x,)), (d_model + 1,), torch.tensor(gain), torch.tensor(bias), eps
    )
    assert_same(layer_norm(x, gain, bias, eps), theirs)
    assert_same(layer_norm(x), torch.nn.functional.layer_norm(torch.tensor(x), (d_model + 1,)))


def test_a_tensor_that_requires_a_gradient_is_its_numbers():
    rng = np.random.default_rng(0)
    arrays = [draw(rng, np.float32, 4, 4) for _ in range(5)]
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]
    for call in (
        lambda x, *W: MultiHeadAttention(*W, 2)(x).output,
        lambda x, *W: AttentionSublayer(MultiHeadAttention(*W, 2), gain=W[0][0], bias=W[1][0])(x),
        lambda x, *W: attention(x, *W[:2], additive_mask=W[2]).output,
        lambda x, *W: layer_norm(x, W[0][0]),
        lambda x, *W: project(x, W[0]),
        lambda x, *W: softmax(x),
        lambda x, *W: embed([1, 0], x),
    ):
        np.testing.assert_array_equal(call(*tensors), call(*arrays))
    assert all(tensor.requires_grad for tensor in tensors)


def test_a_tensor_of_any_kind_is_read_by_one_function():
    for dtype in (torch.float16, torch.float32, torch.float64, torch.int64, torch.bool):
        tensor = torch.ones(2, 3, dtype=dtype)
        np.testing.assert_array_equal(as_numbers(tensor), tensor.numpy())
        assert as_numbers(tensor).dtype == tensor.numpy().dtype
    assert as_numbers(torch.nn.Parameter(torch.ones(2))).tolist() == [1, 1]
    assert as_numbers([1, 2]).tolist() == [1, 2]
    np.testing.assert_array_equal(
        softmax(np.ones((1, 2)), mask=torch.tensor([[True, False]])), softmax(np.ones((1, 2)), mask=[[True, False]])
    )
    assert padding_mask(torch.tensor([1, 2]), 2).tolist() == padding_mask([1, 2], 2).tolist()


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.ones(2, 2, dtype=torch.bfloat16),
        lambda: torch.ones(2, 2).to_sparse(),
        lambda: [torch.ones(2, requires_grad=True)] * 2,
    ],
    ids=["bfloat16", "sparse", "list"],
)
def test_a_tensor_that_numpy_cannot_read_is_named_by_its_argument(make):
    with pytest.raises(TypeError, match=r"^W holds what NumPy cannot read: "):
        project(np.ones((1, 2)), make())


@pytest.mark.parametrize("lowest", [np.finfo(np.float64).min, np.finfo(np.float32).min, -np.inf])
def test_the_smallest_number_of_a_dtype_hides_a_key_as_it_does_for_torch(lowest):
    rng = np.random.default_rng(0)
    Q, K, V = (draw(rng, np.float32, *shape) for shape in ((4, 3), (5, 3), (5, 2)))
    hidden = causal_mask(4, 5)
    ours = attention(Q, K, V, additive_mask=np.where(hidden, 0, lowest))
    with np.errstate(over="ignore"):
        there = np.where(hidden, 0, lowest).astype(np.float32)
    theirs = torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, (Q, K, V, there)))
    assert_same(ours.output, theirs)
    assert (ours.weights[~hidden] == 0).all() and np.isfinite(ours.scores).all()


@rows("seed", range(20))
@pytest.mark.parametrize("is_masked", [False, True])
def test_the_gradients_of_an_attention_are_those_of_autograd(seed, is_masked):
    rng = np.random.default_rng(seed)
    batch, h, n_q, n_k, d_k, d_v = rng.integers(1, 6, size=6)
    shapes = (batch, h, n_q, d_k), (batch, 1, n_k, d_k), (n_k, d_v)  # keys serve all heads, values all sentences
    Q, K, V = (rng.normal(size=shape) for shape in shapes)
    mask = rng.random((batch, n_q, n_k)) < 0.6 if is_masked else None
    G = rng.normal(size=(batch, h, n_q, d_v))
    found = attention_gradients(Q, K, V, G, mask)
    tensors = [torch.tensor(each, requires_grad=True) for each in (Q, K, V)]
    scores = tensors[0] @ tensors[1].mT / d_k**0.5
    if is_masked:
        seen = torch.tensor(mask)[:, None]
        scores = scores.masked_fill(~seen & seen.any(dim=-1, keepdim=True), -torch.inf)
    weights = scores.softmax(dim=-1) * (torch.tensor(mask)[:, None].any(dim=-1, keepdim=True) if is_masked else 1)
    (weights @ tensors[2]).backward(torch.tensor(G))
    for ours, theirs in zip((found.Q, found.K, found.V), tensors, strict=True):
        np.testing.assert_allclose(ours, theirs.grad.numpy(), rtol=0, atol=1e-10)


def torch_model(model, leaves, ids, mask):
    """Go forwards as the small model does, in PyTorch's own words: from its leaves to the logits."""
    design, n = model.design, ids.shape[1]
    waves = torch.arange(0, design.d_model, 2, dtype=torch.float64) / design.d_model
    turns = torch.arange(n)[:, None] * design.base**-waves
    positions = torch.stack([turns.sin(), turns.cos()], dim=-1).flatten(1)
    letters = torch.nn.functional.embedding(torch.tensor(ids), leaves["embeddings"]) + positions
    rows = positions.expand_as(letters) if design.crosses else letters
    for layer in range(1, design.num_layers + 1):
        asking = torch.nn.functional.layer_norm(rows, rows.shape[-1:]) if design.norm else rows
        told = letters if design.crosses else asking
        made = (x @ leaves[f"{name}/{layer}"] for name, x in (("W_Q", asking), ("W_K", told), ("W_V", told)))
        Q, K, V = (x.unflatten(-1, (design.num_heads, design.d_k)).transpose(1, 2) for x in made)
        heads = torch.nn.functional.scaled_dot_product_attention(Q, K, V, None if mask is None else torch.tensor(mask))
        added = heads.transpose(1, 2).flatten(2) @ leaves[f"W_O/{layer}"]
        rows = rows + added if design.residual else added
    return rows @ leaves["W_out"]


@rows("seed", range(40))
def test_a_small_model_and_its_gradients_are_those_of_autograd(seed):
    rng = np.random.default_rng(seed)
    yes = rng.random(3) < 0.5
    design = Design(
        *map(int, rng.integers(3, 9, size=1)),
        *map(int, rng.integers(1, 4, size=2)),
        8,
        3,
        *map(bool, yes),
        base=10.0 ** (1 + seed % 3),
    )
    model, (batch, n) = SmallModel.random(design, rng), rng.integers(2, 7, size=2)
    ids, targets = rng.integers(design.vocabulary, size=(2, batch, n))
    mask, counts = [None, np.tri(n, dtype=bool)][seed % 2], rng.random((batch, n)) < 0.7
    counts[0, 0] = True
    leaves = {name: torch.tensor(values, requires_grad=True) for name, values in model.parameters.items()}
    logits = torch_model(model, leaves, ids, mask)
    loss = torch.nn.functional.cross_entropy(logits[torch.tensor(counts)], torch.tensor(targets[counts]))
    loss.backward()
    reading = model.read(ids, mask)
    ours, of_logits = gradients.cross_entropy(reading.logits, targets, counts)
    np.testing.assert_allclose(reading.logits, logits.detach().numpy(), rtol=0, atol=1e-10)
    assert ours == pytest.approx(loss.item(), abs=1e-12)
    found = model.gradients(reading, of_logits)
    assert found.keys() == leaves.keys()
    for name, leaf in leaves.items():
        np.testing.assert_allclose(found[name], leaf.grad.numpy(), rtol=0, atol=1e-10, err_msg=name)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("longest", [0.3, 100.0])
def test_steps_of_adam_with_clipped_gradients_are_those_of_torch(seed, longest):
    rng = np.random.default_rng(seed)
    ours = {"A": rng.normal(size=(3, 4)), "B": rng.normal(size=5)}
    theirs = {name: torch.tensor(values, requires_grad=True) for name, values in ours.items()}
    adam = Adam(rate=3e-3, decay=(0.9, 0.99))
    torch_adam = torch.optim.Adam(theirs.values(), lr=3e-3, betas=(0.9, 0.99), eps=1e-8)
    for step in range(20):
        drawn = {name: rng.normal(size=values.shape) * 10.0 ** -(step % 4) for name, values in ours.items()}
        for name, leaf in theirs.items():
            leaf.grad = torch.tensor(drawn[name])
        torch.nn.utils.clip_grad_norm_(theirs.values(), longest)
        torch_adam.step()
        short = {name: leaf.grad.numpy() for name, leaf in theirs.items()}
        ours = adam.step(ours, short)
        for name, gradient in clipped(drawn, longest).items():  # torch divides by the length + 1e-6
            np.testing.assert_allclose(gradient, short[name], rtol=1e-5, atol=0)
        for name, leaf in theirs.items():
            np.testing.assert_allclose(ours[name], leaf.detach().numpy(), rtol=0, atol=1e-12)

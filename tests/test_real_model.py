"""The real language model against PyTorch's functions on the same file, and what anybody's attention does inside it."""

import re
from itertools import cycle, product

import numpy as np
import pytest
from proofs import RIGHT

from mha_course import attention, real_model, rms_norm
from mha_course.language_model.custom_attention import AttentionStopped
from mha_course.language_model.generation_arguments import read_kept
from mha_course.language_model.gguf_file import packaged_file
from mha_course.lessons import CATALOGUE

SENTENCE = "Innovators create and disrupt in equal measure."
BEGINNINGS = (
    "The capital of {} is", "In {} people", "I went to {} and", "{} = ", "def {}(", "Who was {}?", "2 + 2 in {}:",
    "The word {} means", "Once upon a time, {}", "{}, {}, {} and",
)  # fmt: skip
WORDS = cycle(["France", "12.5", "Größe", "日本", "🙂 a\n\tb"])
PROMPTS = [beginning.replace("{}", word) for beginning in BEGINNINGS for word in (next(WORDS), next(WORDS))]


@pytest.fixture(scope="module")
def model():
    return real_model()


def right(Q, K, V, mask):
    return attention(Q, K, V, mask).output


@pytest.fixture(scope="module")
def reference():
    """Return what PyTorch makes of ids with the parameters as the file has them: logits, and weights of all heads."""
    import torch
    from gguf import GGUFReader, dequantize

    torch.set_num_threads(1)  # the tests share the machine, and threads wait for each other
    F = torch.nn.functional
    tensors = GGUFReader(packaged_file()).tensors
    given = {each.name: torch.tensor(dequantize(each.data, each.tensor_type)) for each in tensors}

    def turned(rows):  # (heads, n, 64)
        angles = torch.arange(rows.shape[1])[:, None] * 100_000.0 ** (-torch.arange(0, 64, 2).double() / 64)
        turns = torch.polar(torch.ones_like(angles), angles)
        pairs = torch.view_as_complex(rows.double().unflatten(-1, (32, 2)))
        return torch.view_as_real(pairs * turns).flatten(-2).float()

    @torch.inference_mode()
    def run(ids):
        x, weights = F.embedding(torch.tensor(ids), given["token_embd.weight"]), []
        future = torch.ones(len(ids), len(ids)).triu(1).bool()
        for layer in range(30):
            of = {name.split(".")[2]: tensor for name, tensor in given.items() if name.startswith(f"blk.{layer}.")}
            rows = F.rms_norm(x, (576,), of["attn_norm"], 1e-5)
            q, k, v = (F.linear(rows, of[f"attn_{name}"]).unflatten(-1, (-1, 64)).transpose(0, 1) for name in "qkv")
            q, k = turned(q), turned(k)
            heads = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True, enable_gqa=True)[0]
            scores = q @ k.repeat_interleave(3, dim=0).mT / 8
            weights.append(scores.masked_fill(future, -torch.inf).softmax(-1))
            x = x + F.linear(heads.transpose(0, 1).flatten(1), of["attn_output"])
            rows = F.rms_norm(x, (576,), of["ffn_norm"], 1e-5)
            x = x + F.linear(F.silu(F.linear(rows, of["ffn_gate"])) * F.linear(rows, of["ffn_up"]), of["ffn_down"])
        last = F.rms_norm(x, (576,), given["output_norm.weight"], 1e-5)
        return F.linear(last, given["token_embd.weight"]).numpy(), torch.stack(weights).numpy()

    return run


@pytest.mark.needs("torch")
def test_twenty_prompts_get_the_logits_that_torch_gives(model, reference):
    assert len(set(PROMPTS)) == 20
    for prompt in PROMPTS:
        reading = model.read(prompt)
        logits, _ = reference(reading.ids)
        np.testing.assert_allclose(reading.logits, logits, rtol=0, atol=1e-3)
        assert reading.logits[-1].argmax() == logits[-1].argmax()


@pytest.mark.needs("torch")
def test_every_head_of_every_layer_has_the_weights_that_torch_gives(model, reference):
    reading = model.read(f"{SENTENCE} They do so every day, 365 days a year: naïve, or not? 🙂")
    _, weights = reference(reading.ids)
    assert reading.weights.shape == weights.shape == (30, 9, len(reading.tokens), len(reading.tokens))
    np.testing.assert_allclose(reading.weights, weights, rtol=0, atol=1e-4)


def test_with_the_cache_it_says_what_it_says_without(model):
    steps = list(model.stream(SENTENCE, tokens=12))
    said = [step.id for step in steps]
    whole = model.read(model.ids(SENTENCE) + said)
    np.testing.assert_allclose([step.logits for step in steps], whole.logits[8:-1], rtol=0, atol=1e-3)
    assert "".join(step.text for step in steps) == model.text(said) == model.speak(SENTENCE, tokens=12)
    assert model.speak(SENTENCE, right, tokens=4) == model.text(said[:4])


def test_an_attention_is_called_as_in_the_exercise(model):
    calls = []

    def spy(Q, K, V, mask):
        calls.append((Q, K, V, mask))
        return right(Q, K, V, mask)

    model.speak(SENTENCE, spy, tokens=2)
    assert len(calls) == 60
    for n, (Q, K, V, mask) in zip([9] * 30 + [10] * 30, calls, strict=True):  # no cache: all tokens each time
        assert Q.shape == K.shape == V.shape == (1, 9, n, 64)
        assert mask.dtype == bool and (mask == np.tril(np.ones((1, n, n)))).all()
        assert (K[:, 0] == K[:, 2]).all() and (V[:, 3] == V[:, 5]).all() and (K[:, 2] != K[:, 3]).any()


@pytest.mark.parametrize("number", range(1 + len(RIGHT["masks.attention"])))
def test_whatever_solves_the_exercise_makes_the_model_read(model, number):
    solutions = [CATALOGUE.exercises["masks.attention"].right, *RIGHT["masks.attention"]]
    own, theirs = (model.read("Attention is all", each) for each in (None, solutions[number]))
    np.testing.assert_allclose(theirs.logits, own.logits, rtol=0, atol=1e-3)
    np.testing.assert_allclose(theirs.weights, own.weights, rtol=0, atol=1e-4)


def test_a_wrong_attention_speaks_wrongly(model):
    equal = lambda Q, K, V, mask: mask[:, None] / mask.sum(-1)[:, None, :, None] @ V  # noqa: E731
    assert model.speak("The capital of France is", right, tokens=2) == " Paris."
    assert not set(model.speak("The capital of France is", equal, tokens=8)) - set(",-")


def test_who_waits_for_a_slow_attention_is_told_for_how_long(model, monkeypatch, capsys):
    model.speak(SENTENCE, right, tokens=2)
    assert capsys.readouterr().err == ""  # this one is fast
    monkeypatch.setattr("mha_course.language_model.duration_estimate.LONG", 0.0)
    model.speak(SENTENCE, tokens=2)
    assert capsys.readouterr().err == ""  # the course's own is never slow
    model.speak(SENTENCE, right, tokens=2)
    sentence = r"With your attention, the first token took [\d.]+ s; 2 need about \d+ s\. Interrupt .*to stop\.\n"
    assert re.fullmatch(sentence, capsys.readouterr().err)


def broken_in_layer(number, broken):
    """Return an attention that is right, except in one layer."""
    calls = iter(range(1, 31))
    return lambda Q, K, V, mask: broken(right(Q, K, V, mask)) if next(calls) == number else right(Q, K, V, mask)


def raising(output):
    raise KeyError("nothing")


def not_a_number(output):
    output[0, 2, 1, 5] = np.nan
    return output


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (
            raising,
            r"^Layer 7: your attention raised KeyError: 'nothing', in the line `raise KeyError\(\"nothing\"\)`\.",
        ),
        (not_a_number, "^Layer 7, head 3: your attention returned nan, for query 2 in column 6"),
        (lambda output: output / np.zeros(()), "^Layer 7, head 1: your attention returned -?inf, for query 1"),
        (lambda output: output[0], r"^Layer 7: your attention returned shape \(9, 4, 64\)\."),
        (lambda output: output.swapaxes(1, 2), r"^Layer 7: your attention returned shape \(1, 4, 9, 64\)\."),
        (lambda output: [[1], [1, 2]], "^Layer 7: your attention returned list, no array of numbers"),
        (lambda output: None, "^Layer 7: your attention returned nothing: is its return missing"),
        (lambda output: output * 1e38, "^What the layers before layer 8 returned is too large"),
    ],
)
@pytest.mark.filterwarnings("ignore:.* encountered in")
def test_what_goes_wrong_in_layer_7_is_said_with_its_layer_and_shapes(model, broken, message):
    with pytest.raises(AttentionStopped, match=message) as stopped:
        model.read("a b c d", broken_in_layer(7, broken))
    if "before" not in message:
        shapes = "Q (1, 9, 4, 64), K (1, 9, 4, 64), V (1, 9, 4, 64) and mask (1, 4, 4)"
        assert str(stopped.value).endswith(f"It got {shapes}, and must return (1, 9, 4, 64).")


def test_an_attention_that_changes_what_it_got_harms_nothing(model):
    def greedy(Q, K, V, mask):
        output = right(Q, K, V, mask)
        for array in (Q, K, V, mask):
            array[...] = 0
        return output

    own, theirs = model.read("a b c d"), model.read("a b c d", greedy)
    np.testing.assert_allclose(theirs.weights, own.weights, rtol=0, atol=1e-4)


def test_a_head_that_is_switched_off_adds_nothing(model):
    calls = iter(range(1, 31))

    def without(Q, K, V, mask):
        output = right(Q, K, V, mask)
        if next(calls) in (3, 19):
            output[:, 6] = 0
        return output

    found, expected = model.read(SENTENCE, without={(19, 7), (3, 7)}), model.read(SENTENCE, without)
    np.testing.assert_allclose(found.logits, expected.logits, rtol=0, atol=1e-3)
    assert np.abs(found.logits - model.read(SENTENCE).logits).max() > 0.1
    all_heads = set(product(range(1, 31), range(1, 10)))
    assert model.speak(SENTENCE, tokens=3, without=all_heads) != model.speak(SENTENCE, tokens=3)


@pytest.mark.parametrize("head", [(0, 1), (31, 1), (1, 10), (19.7,), "19.7", 19.7, (1, 2, 3)])
def test_a_head_that_is_not_there_is_named(model, head):
    with pytest.raises(ValueError, match=r"There is no head .*: a head is a pair"):
        model.speak("a", without=[head])


def test_the_parameters_of_a_head_make_its_scores_and_what_it_carries(model):
    reading = model.read("Paris")  # at position 0 nothing turns
    layer, own = reading.layers[4], model.parameters.layers[4]
    row = rms_norm(reading.rows[4, 0], own.attention_gain)
    head = model.head(5, 6)
    assert head.looks.shape == head.carries.shape == (576, 576)
    np.testing.assert_allclose(row @ head.looks @ row, layer.Q[0, 5, 0] @ layer.K[0, 1, 0], rtol=1e-3)
    carried = sum(row @ model.head(5, number).carries for number in range(1, 10))
    np.testing.assert_allclose(carried, layer.heads[0, :, 0].ravel() @ own.W_O, atol=1e-4)


def test_twenty_random_tokens_repeated_are_foreseen_by_the_heads_that_copy(model):
    ids = np.random.default_rng(0).integers(1000, 40_000, size=20)
    reading = model.read([*ids, *ids])
    assert reading.losses[21:].mean() < reading.losses[:19].mean() / 2
    after_the_earlier = np.arange(20, 40), np.arange(1, 21)
    assert reading.weights[18, 6][after_the_earlier].mean() > 0.8
    assert reading.loss == pytest.approx(reading.losses.mean())
    assert reading.rows.shape == (31, 40, 576)


@pytest.mark.parametrize(
    "prompt",
    [
        "🙂",
        "日本語のテキスト",
        "Ελληνικά и русский עברית",
        "\x00\x01\x1b[31m\x7f",
        "\n\n\t  ",
        "<|im_end|>",
        "e\u0301 \ufffd",
    ],
)
def test_any_characters_are_read_and_spoken_about(model, prompt):
    assert model.text(model.ids(prompt)) == prompt
    assert np.isfinite(model.read(prompt).logits).all()
    assert isinstance(model.speak(prompt, tokens=2), str)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda model: model.speak("\ud83d"), ValueError, "text has half of a character"),
        (lambda model: model.read(""), ValueError, "text is empty"),
        (lambda model: model.read([]), ValueError, "text is empty"),
        (lambda model: model.read("a").loss, ValueError, "text has 1 token, but a loss needs at least 2"),
        (
            lambda model: model.speak("word " * 2000),
            ValueError,
            r"text has 2,\d\d\d tokens, and 16 more",
        ),
        (lambda model: model.read("ab " * 513), ValueError, "but this course reads at most 512 in all"),
        (lambda model: model.speak("a", tokens=512), ValueError, "text has 1 token, and 512 more"),
        (lambda model: model.speak("a", tokens=0), ValueError, "tokens is 0, but must be at least 1"),
        (lambda model: model.speak("a", temperature=0), ValueError, "temperature is 0"),
        (
            lambda model: model.read([49152]),
            ValueError,
            "text has the id 49152, but the vocabulary has only 0 to 49151",
        ),
        (lambda model: model.read(None), TypeError, "text is NoneType, but must be a string, or the ids of tokens"),
        (lambda model: model.read([1.5]), TypeError, "^text has 1.5, but the id of a token is a whole number"),
        (lambda model: model.read([True]), TypeError, "^text has True, but the id of a token is a whole number"),
        (lambda model: model.read(np.array(5)), TypeError, "^text is ndarray, but must be a string, or the ids of"),
        (lambda model: model.read(range(10**9)), ValueError, "^text has 1,000,000,000 tokens, but this course reads"),
        (
            lambda model: model.read("a", without=5),
            TypeError,
            "^without is 5, but must be a list of heads, each a pair",
        ),
        (lambda model: model.speak("a", without="ab"), TypeError, "^without is 'ab', but must be a list of heads"),
        (lambda model: model.ids(5), TypeError, "^text must be a string, but it is int"),
        (lambda model: model.tokenize(5), TypeError, "^text must be a string, but it is int"),
        (lambda model: model.text(5), TypeError, "^ids is 5, but must be a list of the ids of tokens"),
        (lambda model: model.text("ab"), TypeError, "^ids is 'ab', but must be a list of the ids of tokens"),
        (lambda model: model.text([-1]), ValueError, "^ids has the id -1, but the vocabulary has only 0 to 49151"),
        (lambda model: model.text([10**6]), ValueError, "^ids has the id 1000000, but the vocabulary has only 0 to"),
        (lambda model: model.speak("a", seed=-1), ValueError, "^seed is -1, but must be at least 0"),
        (
            lambda model: model.speak("a", temperature=1, seed=1.5),
            TypeError,
            "^seed is 1.5, but must be a whole number",
        ),
    ],
)
def test_what_it_cannot_read_is_said(model, call, error, message):
    with pytest.raises(error, match=message):
        call(model)


def test_a_temperature_draws_and_a_seed_repeats(model):
    drawn = {model.speak(SENTENCE, tokens=3, temperature=1.5, seed=seed) for seed in (1, 1, 2, 3)}
    assert len(drawn) == 3
    assert model.speak(SENTENCE, tokens=3, temperature=1e-3, seed=1) == model.speak(SENTENCE, tokens=3)


def test_a_character_of_several_tokens_is_said_when_it_is_complete(model):
    ids = iter(model.ids("🙂!")[:-1] + model.ids("🙂")[:1])
    steps = list(model._written(model.ids("a"), None, 3, lambda row: next(ids), read_kept((), model.parameters)))
    assert len(model.ids("🙂")) > 1
    assert [step.text for step in steps][-2:] == ["🙂", "\ufffd"]

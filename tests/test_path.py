"""The path as plain values: states, every matrix that follows, and states as code, as text and as goals."""

import io
import json
import re
from contextlib import redirect_stdout
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import rows
from states import allowed_in, random_state, states
from tries import tries

from mha_course import MultiHeadAttention, multi_head_attention
from mha_course.engine.notation.typed_numbers import read_entry
from mha_course.forward.as_code import as_code
from mha_course.forward.forward import forward
from mha_course.forward.goals import GOALS
from mha_course.forward.history import MOST, History
from mha_course.forward.mask_choices import MASKS, may_attend
from mha_course.forward.matrices import MATRICES
from mha_course.forward.new_rows import new_row
from mha_course.forward.origin import origin
from mha_course.forward.presets import PRESETS, preset
from mha_course.forward.saving import FIELDS, KIND, from_json, to_json
from mha_course.forward.scales import SCALES
from mha_course.forward.stages import STAGES
from mha_course.forward.state import LONGEST_TOKEN, MOST_TOKENS, State
from mha_course.forward.typed_tokens import typed_tokens
from mha_course.pictures.composition import board

pytestmark = pytest.mark.filterwarnings("error")
every_preset = pytest.mark.parametrize("name", PRESETS)
ARTICLE, PAPER, POSITIONS = preset("article"), preset("paper_size"), preset("positions")
BIG = "paper_size"


# States


def state_with(tokens=ARTICLE.tokens, num_heads=1, scale="none", temperature=1, context_tokens=None, **inputs):
    inputs = {name: array for name, array in (dict(ARTICLE.inputs) | inputs).items() if array is not None}
    return State(tokens, inputs, num_heads, scale, temperature, context_tokens)


def encoded_with(**inputs):
    return State(POSITIONS.tokens, POSITIONS.inputs | inputs)


BAD_STATES = [
    (lambda: state_with(W_O=None), ValueError, r"inputs has \['W_K', 'W_Q', 'W_V', 'X'\]"),
    (lambda: state_with(W_X=np.eye(3)), ValueError, "inputs has .*'W_X'"),
    (lambda: state_with(X=ARTICLE.inputs["X"] * np.nan), ValueError, r"^X has nan at position \[0, 0\]"),
    (lambda: state_with(X=[["a"] * 4] * 3), TypeError, "^X holds <U1"),
    (lambda: state_with(X=[[1, 2], [3]]), ValueError, "^X has rows of different lengths"),
    (lambda: state_with(X=np.ones((2, 3, 4))), ValueError, "^X has shape"),
    (lambda: state_with(W_K=np.ones((4, 2))), ValueError, r"^W_K has shape \(4, 2\)"),
    (lambda: state_with(W_O=np.ones((4, 4))), ValueError, r"^W_O has shape \(4, 4\)"),
    (lambda: state_with(W_V=[]), ValueError, "^W_V is empty"),
    (lambda: state_with(tokens=("a", "b")), ValueError, "^tokens has 2 tokens, but there are 3 rows"),
    (lambda: state_with(tokens=()), ValueError, "^tokens has 0 tokens"),
    (lambda: state_with(tokens=("a", "", "c")), ValueError, "^tokens has .* but each must be a text"),
    (lambda: state_with(tokens=("a", 2, "c")), ValueError, "^tokens has .* but each must be a text"),
    (lambda: state_with(tokens=("a", "b", "c" * (LONGEST_TOKEN + 1))), ValueError, "^tokens has"),
    (lambda: state_with(tokens=["t"] * 13, X=np.ones((13, 4))), ValueError, f"^tokens has 13.* 1 to {MOST_TOKENS}"),
    (lambda: state_with(tokens=None), ValueError, "^tokens is None"),
    (lambda: state_with(context=np.ones((2, 4))), ValueError, "^context and context_tokens"),
    (lambda: state_with(context_tokens=("u",)), ValueError, "^context and context_tokens"),
    (lambda: state_with(context=np.ones((2, 4)), context_tokens=("u",)), ValueError, "^context_tokens has 1 tokens"),
    (lambda: state_with(context=np.ones((2, 3)), context_tokens=("u", "v")), ValueError, r"^context has shape \(2,"),
    (lambda: state_with(num_heads=2), ValueError, "^W_Q has 3 columns: they cannot be cut into 2 equal"),
    (
        lambda: state_with(num_heads=3, W_V=np.ones((4, 4)), W_O=np.ones((4, 4))),
        ValueError, "^W_V has 4 columns: they cannot be cut into 3",
    ),
    (lambda: state_with(num_heads=0), ValueError, "^num_heads is 0"),
    (lambda: state_with(num_heads=1.5), TypeError, "^num_heads is 1.5"),
    (lambda: state_with(num_heads=True), TypeError, "^num_heads is True"),
    (lambda: state_with(num_heads="1"), TypeError, "^num_heads is '1'"),
    (lambda: state_with(scale="√3"), ValueError, "^scale is '√3', but must be one of .*'sqrt_d_k'"),
    (lambda: state_with(scale=0), ValueError, "^scale is 0"),
    (lambda: state_with(scale=np.nan), ValueError, "^scale is nan"),
    (lambda: state_with(scale=[1]), TypeError, r"^scale is \[1\]"),
    (lambda: state_with(temperature=-1), ValueError, "^temperature is -1"),
    (lambda: state_with(temperature="1"), TypeError, "^temperature is '1'"),
    (lambda: state_with(temperature=np.inf), ValueError, "^temperature is inf"),
    (lambda: replace(ARTICLE, mask="diagonal"), ValueError, "^mask is 'diagonal', but must be one of .*'causal'"),
    (lambda: replace(ARTICLE, mask=None), ValueError, "^mask is None"),
    (lambda: replace(ARTICLE, mask=["causal"]), ValueError, r"^mask is \['causal'\]"),
    (lambda: replace(ARTICLE, mask=[[True] * 3] * 2), ValueError, r"^mask is \[\[True, .* have 3 rows, .* of 3 times"),
    (lambda: replace(ARTICLE, mask=[[True] * 2] * 3), ValueError, r"^mask is \[\[True, True\], .* of 3 times"),
    (lambda: replace(ARTICLE, mask=np.ones((3, 3))), ValueError, r"^mask is \[\[1\.0, "),
    (lambda: encoded_with(wavelengths=[[1, 0]]), ValueError, "^a wavelength must be above 0"),
    (lambda: encoded_with(wavelengths=[[1, 2, 3]]), ValueError, "^wavelengths needs 2 numbers"),
    (lambda: encoded_with(wavelengths=[[1, 2], [1, 2]]), ValueError, "^(positions|wavelengths) "),
    (lambda: encoded_with(positions=np.ones((3, 2))), ValueError, "positions "),
    (lambda: encoded_with(positions=np.ones((2, 1))), ValueError, r"^positions has shape \(2, 1\)"),
    (lambda: encoded_with(X=np.ones((3, 4))), ValueError, "^inputs has"),
    (lambda: ARTICLE.with_entry("W_Q", 0, 0, np.inf), ValueError, "^W_Q has inf"),
    (lambda: preset("the articel"), ValueError, "'the articel', but must be one of .*'article'"),
]  # fmt: skip


@rows("make, kind, message", BAD_STATES)
def test_what_does_not_fit_in_a_state_is_named(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


def test_one_changed_entry_is_the_only_change_and_the_old_state_stays():
    new = ARTICLE.with_entry("W_V", 2, 1, 9)
    assert new.inputs["W_V"][2, 1] == 9 and ARTICLE.inputs["W_V"][2, 1] != 9
    assert new.changes_since(ARTICLE) == [("W_V", 2, 1)]
    assert new.with_entry("W_V", 2, 1, ARTICLE.inputs["W_V"][2, 1]).changes_since(ARTICLE) == []


def test_the_matrices_of_a_state_cannot_be_written_to():
    X = np.ones((3, 4))
    state = state_with(X=X)
    X[0, 0] = 7
    assert state.inputs["X"][0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        state.inputs["X"][0, 0] = 7
    with pytest.raises(ValueError, match="read-only"):
        PAPER.inputs["W_Q"][0, 0] = 7


def test_changed_settings_are_listed_by_name():
    new = replace(ARTICLE, scale=2, temperature=3, tokens=("x", "y", "z"))
    assert new.changes_since(ARTICLE) == [("tokens",), ("scale",), ("temperature",)]
    two = preset("two_heads")
    assert replace(two, num_heads=1).changes_since(two) == [("num_heads",)]
    assert replace(two, mask="causal").changes_since(two) == [("mask",)]
    own = two.with_toggled(2, 0)
    assert own.changes_since(two) == own.with_toggled(2, 1).changes_since(own) == [("mask",)]
    assert own.changes_since(two.with_toggled(2, 0)) == []


def test_states_of_other_sizes_cannot_be_compared():
    with pytest.raises(ValueError, match=r"^earlier has matrices of other shapes"):
        ARTICLE.with_tokens(["one"]).changes_since(ARTICLE)
    with pytest.raises(ValueError, match=r"^earlier has matrices of other shapes"):
        POSITIONS.changes_since(ARTICLE)


def rows_of(state):
    return dict(zip(state.tokens, state.inputs["X"].tolist(), strict=True))


def test_a_word_keeps_its_row_wherever_it_goes_and_a_new_one_has_the_same_row_at_every_place():
    more = ARTICLE.with_entry("X", 1, 0, 9).with_tokens(["new", "disrupt", "create", "newer", "new"])
    assert more.tokens == ("new", "disrupt", "create", "newer", "new")
    X = more.inputs["X"].tolist()
    assert X[1:3] == [[1, 1, 1, 1], [9, 2, 0, 2]] and X[0] == X[4] != X[3]
    assert rows_of(preset("identity").with_tokens(["newer"]))["newer"] == X[3]
    assert rows_of(ARTICLE.with_tokens(["other"]).with_tokens(["new"]))["new"] == X[0]
    assert ARTICLE.with_tokens(ARTICLE.tokens).changes_since(ARTICLE) == []


def test_a_word_that_stands_several_times_keeps_each_of_its_rows():
    twice = ARTICLE.with_tokens(["to", "be", "to"]).with_entry("X", 2, 0, 9)
    first, _, changed = twice.inputs["X"].tolist()
    assert first != changed and twice.with_tokens(["to", "to", "to"]).inputs["X"].tolist() == [first, changed, changed]


@pytest.mark.parametrize("width", [1, 2, 3, 7, 512])
def test_a_new_row_is_never_zero_and_its_numbers_are_like_those_of_the_article(width):
    rows = np.array([new_row(word, width) for word in map(str, range(200))])
    assert rows.any(axis=1).all() and set(np.unique(rows)) == ({1, 2} if width == 1 else {0, 1, 2})
    assert len(np.unique(rows, axis=0)) > min(3**width, 200) * 0.6


def test_words_that_went_come_back_with_the_row_that_an_earlier_state_has():
    changed = ARTICLE.with_entry("X", 1, 0, 9)
    fewer, wider = changed.with_tokens(["disrupt"]), preset("translation").with_tokens(["create"])
    back = fewer.with_tokens(["disrupt", "create", "innovators"], earlier=[wider, changed, ARTICLE])
    assert rows_of(back) == rows_of(changed)
    assert rows_of(fewer.with_tokens(["create"])) != {"create": [9, 2, 0, 2]}  # a state alone does not remember


def test_new_words_of_the_context_get_rows_too():
    state = preset("translation").with_tokens(["the", "dog", "is", "here"], "context_tokens")
    known = preset("translation").inputs["context"][[0, 2, 4]]
    np.testing.assert_array_equal(state.inputs["context"], np.insert(known, 1, new_row("dog", 7), axis=0))
    assert state.inputs["X"] is preset("translation").inputs["X"]


def test_new_tokens_stand_at_the_positions_that_follow():
    more = POSITIONS.with_entry("positions", 2, 0, 5).with_tokens(["a", "b", "c", "d", "e"])
    assert more.inputs["positions"][:, 0].tolist() == [0, 1, 5, 6, 7]
    np.testing.assert_array_equal(more.inputs["embeddings"], [new_row(word, 4) for word in "abcde"])
    assert POSITIONS.with_tokens(["a"]).inputs["positions"].tolist() == [[0]]


def test_other_tokens_leave_the_context_alone():
    state = preset("translation")
    shorter = state.with_tokens(state.tokens[:1])
    assert shorter.context_tokens == state.context_tokens and shorter.inputs["context"] is state.inputs["context"]
    assert forward(shorter)["weights/1"].values.shape == (1, len(state.context_tokens))


def test_drawn_rows_belong_to_places_and_the_draw_goes_on():
    changed = PAPER.with_entry("X", 1, 0, 9).with_entry("X", 9, 0, 9)
    fewer, more = changed.with_tokens(["i", "love", "dogs"]), changed.with_tokens(["t"] * 12)
    np.testing.assert_array_equal(fewer.inputs["X"], changed.inputs["X"][:3])
    np.testing.assert_array_equal(more.inputs["X"][:10], changed.inputs["X"])
    assert abs(more.inputs["X"][10:].std() - 1) < 0.1
    for state in (fewer, more, fewer.with_tokens(PAPER.tokens)):
        assert_same(state, from_json(to_json(state)))
        assert len(to_json(state)) < 2000
    assert fewer.with_tokens(PAPER.tokens).changes_since(PAPER) == [("X", 1, 0)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I love my dog", ["i", "love", "my", "dog"]), ("Create, and disrupt.", ["Create", "and disrupt."]),
        ("What? Not I!", ["what", "?", "not", "i", "!"]),
        (" <start> ,New York, <end>", ["<start>", "New York", "<end>"]),
        ("one", ["one"]), ("  one\n two ", ["one", "two"]),
    ],
)  # fmt: skip
def test_a_sentence_is_split_into_words_and_a_text_with_commas_at_the_commas(text, tokens):
    assert typed_tokens(text) == tokens


@pytest.mark.parametrize("text", ["", "  ", ",", "a,,b", "a, b,"])
def test_a_text_without_tokens_says_how_to_write_them(text):
    with pytest.raises(ValueError, match=r"empty\. Write a sentence, .* Or write commas"):
        typed_tokens(text)


@pytest.mark.parametrize("tokens", [[], [""], ["a"] * (MOST_TOKENS + 1), ["a" * (LONGEST_TOKEN + 1)]])
def test_other_tokens_are_checked(tokens):
    with pytest.raises(ValueError, match=r"^tokens has"):
        ARTICLE.with_tokens(tokens)


# Steps


def for_every_query_head(state, name):
    """A parameter matrix as it would be if no key/value head were shared: its columns written out again."""
    W = state.inputs[name]
    if name not in ("W_K", "W_V"):
        return W
    heads = np.split(W, state.num_heads // state.group_size, axis=1)
    return np.hstack([head for head in heads for _ in range(state.group_size)])


def assert_attention(state):
    path, num_heads = forward(state), state.num_heads
    weights = [for_every_query_head(state, name) for name in ("W_Q", "W_K", "W_V", "W_O")]
    if state.mask == "none":
        expected = multi_head_attention(path["X"].values, *weights, num_heads, state.inputs.get("context"))
    else:
        layer = MultiHeadAttention(*weights, num_heads)
        expected = layer(path["X"].values, state.inputs.get("context"), mask=allowed_in(state))
    close = {"rtol": 1e-9, "atol": 1e-12}
    np.testing.assert_allclose(path["result"].values, expected.output, **close)
    np.testing.assert_allclose(path["concatenation"].values, expected.concatenation, **close)
    for head in range(num_heads):
        for name, all_heads in (("scores", expected.scores), ("weights", expected.weights), ("output", expected.heads)):
            np.testing.assert_allclose(path[f"{name}/{head + 1}"].values, all_heads[head], **close)


@every_preset
def test_the_path_of_a_preset_is_multi_head_attention(name):
    assert_attention(replace(preset(name), scale="sqrt_d_k", temperature=1))


@tries(40)
@given(states())
def test_the_path_of_any_state_is_multi_head_attention(state):
    assert_attention(replace(state, scale="sqrt_d_k", temperature=1))


@tries(40)
@given(states(), st.integers(0, 3))
def test_scale_temperature_and_query_are_where_the_formula_has_them(state, query):
    query %= len(state.tokens)
    path = forward(state, query)
    roots = {"sqrt_d_k": state.d_k**0.5, "sqrt_d_model": state.d_model**0.5, "none": 1, "article": 1}
    divisor, allowed = roots.get(state.scale, state.scale), allowed_in(state)
    for head in range(1, state.num_heads + 1):
        Q, K, V, scores, weights, parts, output = (
            path[f"{name}/{(head - 1) // state.group_size + 1 if name in 'KV' else head}"].values
            for name in ("Q", "K", "V", "scores", "weights", "contributions", "output")
        )
        np.testing.assert_allclose(scores, Q @ K.T / divisor, rtol=1e-9, atol=1e-12)
        assert not weights[~allowed].any()
        for own_scores, own_weights, own in zip(scores, weights, allowed, strict=True):
            if own.any():
                exponentials = np.exp((own_scores[own] - own_scores[own].max()) / state.temperature)
                np.testing.assert_allclose(own_weights[own], exponentials / exponentials.sum(), rtol=1e-9)
        np.testing.assert_allclose(parts, weights[query][:, None] * V, rtol=1e-9)
        np.testing.assert_allclose(parts.sum(axis=0), output[query], atol=1e-9)


@pytest.mark.parametrize(
    ("scale", "divisor"), [("sqrt_d_k", 3**0.5), ("none", 1), ("article", 1), ("sqrt_d_model", 2), (7, 7), (0.5, 0.5)]
)
def test_every_scale_divides_by_its_number(scale, divisor):
    state = replace(ARTICLE, scale=scale)
    assert state.divisor == divisor
    scores = forward(replace(ARTICLE, scale="none"))["scores/1"].values / divisor
    np.testing.assert_allclose(forward(state)["scores/1"].values, scores)


def test_a_higher_temperature_evens_out_the_shares():
    largest = [forward(replace(ARTICLE, temperature=T))["weights/1"].values.max() for T in (0.1, 1, 10, 1e6)]
    assert largest == sorted(largest, reverse=True)
    assert largest[-1] == pytest.approx(1 / 3, abs=1e-5)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (2, 4), (4, 2), (3, 3)])
def test_every_mask_hides_what_its_name_says_for_any_sizes(mask, shape):
    state = random_state(0, *shape, origin="context", mask=mask)
    allowed = may_attend(mask, shape)
    np.testing.assert_array_equal(np.ones(shape, bool) if allowed is None else allowed, allowed_in(state))


@pytest.mark.parametrize("mask", MASKS)
def test_a_mask_leaves_the_scores_and_makes_shares_of_exactly_0(mask):
    state = replace(ARTICLE, mask=mask)
    before, path = forward(ARTICLE), forward(state)
    np.testing.assert_array_equal(path["scores/1"].values, before["scores/1"].values)
    np.testing.assert_array_equal(path["weights/1"].values == 0, ~allowed_in(state))
    kept = np.where(allowed_in(state), before["weights/1"].values, 0)
    np.testing.assert_allclose(path["weights/1"].values, kept / kept.sum(axis=1, keepdims=True))
    assert [key for key, step in path.items() if step.mask != "none"] == ["scores/1", "weights/1"] * (mask != "none")


@tries(60)
@given(states(), st.data())
def test_an_entry_of_any_mask_can_be_hidden_and_shown_again(state, data):
    query, key = (data.draw(st.integers(0, size - 1)) for size in state.shape_of_scores)
    once = state.with_toggled(query, key)
    assert [tuple(place) for place in np.argwhere(allowed_in(once) != allowed_in(state))] == [(query, key)]
    twice = once.with_toggled(query, key)
    np.testing.assert_array_equal(allowed_in(twice), allowed_in(state))
    assert twice.mask in MASKS or twice.mask == state.mask
    same = [mask for mask in MASKS if np.array_equal(allowed_in(replace(state, mask=mask)), allowed_in(twice))]
    assert twice.mask == (same[0] if same else state.mask)  # of several that are one at this size, the first


@tries(60)
@given(states(), st.integers(1, 5), st.sampled_from(["tokens", "context_tokens"]))
def test_with_other_tokens_a_mask_stays_what_it_is_and_what_is_new_may_attend(state, count, name):
    if getattr(state, name) is None:
        name = "tokens"
    other = state.with_tokens(list("pqrst"[:count]), name)
    n_q, n_k = np.minimum(other.shape_of_scores, state.shape_of_scores)
    may = allowed_in(other)
    assert may.shape == other.shape_of_scores == forward(other)["weights/1"].values.shape
    if isinstance(state.mask, str):
        assert other.mask == state.mask
    else:
        np.testing.assert_array_equal(may[:n_q, :n_k], allowed_in(state)[:n_q, :n_k])
        assert may[n_q:].all() and may[:, n_k:].all() and (other.mask == "none") == may.all()


def test_an_own_mask_that_hides_nothing_is_none():
    assert replace(ARTICLE, mask=np.ones((3, 3), bool)).mask == "none"
    assert ARTICLE.with_toggled(2, 0).with_tokens(["one"]).mask == "none"


def test_a_mask_made_by_hand_becomes_the_one_of_the_list_that_it_equals():
    state = ARTICLE.with_toggled(0, 1).with_toggled(1, 2)
    assert not isinstance(state.mask, str) and state.with_toggled(0, 2).mask == "causal"
    assert state.with_toggled(0, 2).with_toggled(0, 2).mask == state.mask


def test_without_the_mask_each_query_of_the_causal_preset_looks_at_the_next_token():
    state = preset("causal")
    free, masked = (forward(replace(state, mask=mask))["weights/1"].values for mask in ("none", state.mask))
    assert free.argmax(axis=1).tolist() == [1, 2, 3, 0]
    assert masked[0].tolist() == [1, 0, 0, 0] and masked[1].tolist() == [0.5, 0.5, 0, 0]
    np.testing.assert_allclose(masked[3], free[3])


def test_with_the_causal_mask_the_last_token_moves_no_other_row():
    state = preset("causal")
    for column in range(4):
        moved = forward(state.with_entry("X", 3, column, 7))["result"].values != forward(state)["result"].values
        assert moved.any(axis=1).tolist() == [False, False, False, True]


def test_where_the_only_key_is_padding_all_shares_and_the_output_are_0():
    path = forward(replace(ARTICLE, mask="last_padded").with_tokens(["one"]))
    assert path["weights/1"].values.tolist() == [[0]] and not path["result"].values.any()


def test_the_encoding_is_added_to_the_embeddings():
    path = forward(POSITIONS)
    np.testing.assert_array_equal(path["X"].values, path["embeddings"].values + path["positional encoding"].values)
    assert path["positional encoding"].values[0].tolist() == [0, 1, 0, 1]
    assert not path["X"].is_input and path["embeddings"].is_input


def test_numbers_too_large_for_a_float_are_an_error():
    with pytest.raises(ValueError, match="would be larger than"):
        forward(ARTICLE.with_entry("X", 0, 2, 1e100).with_entry("W_Q", 2, 1, 1e100).with_entry("W_K", 2, 1, 1e100))


@pytest.mark.parametrize(("name", "value"), [("positions", 1e308), ("wavelengths", 1e-320)])
def test_waves_that_turn_too_often_for_a_float_are_a_value_error(name, value):
    with pytest.raises(ValueError, match=r"positions|wavelengths|encoding"):
        forward(POSITIONS.with_entry(name, 0, 0, value).with_entry("positions", 1, 0, value if value > 1 else 1))


GROUPED = random_state(3, num_heads=4, group_size=2, origin="context")


def test_query_heads_that_share_a_key_value_head_have_one_table_of_keys_and_values():
    path = forward(GROUPED)
    assert [key for key in path if key.startswith(("Q", "K", "V"))] == [
        "Q/1", "K/1", "V/1", "Q/2", "Q/3", "K/2", "V/2", "Q/4",
    ]  # fmt: skip
    assert path["K/2"].query_head is None and path["scores/4"].key_head == 1
    third = origin(GROUPED, path, "scores/3", 0, 1).sources
    assert {key for key, _, _ in third} == {"Q/3", "K/2"}
    wide = origin(GROUPED, path, "K/2", 0, 1).sources
    assert {(key, column) for key, _, column in wide if key == "W_K"} == {("W_K", 3)}


def test_a_query_head_is_drawn_with_the_keys_and_values_that_it_shares():
    path = forward(GROUPED)
    for head, (query, shared) in enumerate([("Q/1", "1"), ("Q/2", "1"), ("Q/3", "2"), ("Q/4", "2")]):
        keys = [view.key for view in board(path, STAGES["all"].names, head).views]
        assert [key for key in keys if key[:2] in ("Q/", "K/", "V/")] == [query, f"K/{shared}", f"V/{shared}"]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", ["article", "two_heads", "translation", "positions", "paper_size"])
def test_a_matrix_stands_on_the_board_once(name, stage):
    views = board(forward(preset(name)), STAGES[stage].names).views
    places = [(view.key, place) for view in views for place in view.places]
    assert len(places) == len(set(places)) and places


def test_the_columns_of_the_heads_stand_apart_where_their_outputs_stand_side_by_side():
    def _columns(state):
        return [
            view.columns for view in board(forward(state), STAGES["heads"].names).views if view.key == "concatenation"
        ]

    assert _columns(preset("two_heads")) == [(0, 1, 2), (3, 4, 5)]
    assert _columns(GROUPED) == [(0, 1, None, 11)]  # so many that some are left out


# A head as two matrices


@given(states())
def test_the_products_of_a_head_give_its_scores_and_the_parts_of_all_heads_the_result(state):
    path = forward(state)
    for head in range(1, state.num_heads + 1):
        np.testing.assert_allclose(
            path[f"matches/{head}"].values / state.divisor, path[f"scores/{head}"].values, atol=1e-9
        )
        mixed = path[f"weights/{head}"].values @ path[f"values/{head}"].values
        np.testing.assert_allclose(path[f"part/{head}"].values, mixed, atol=1e-12)
    np.testing.assert_allclose(path["total"].values, path["result"].values, atol=1e-9)


def test_what_is_aside_is_made_only_when_somebody_looks():
    path = forward(PAPER)
    assert not [key for key, step in path.items() if "values" in vars(step)]
    assert path["M/8"].values.shape == (512, 512) and "values" not in vars(path["M/7"])


@pytest.mark.parametrize("head", range(4))
def test_the_board_of_two_matrices_shows_the_open_head_alone_and_what_few_heads_add(head):
    path = forward(GROUPED)
    composed = board(path, STAGES["what_a_head_does"].names, head)
    places = {view.title: view for view in composed.views}
    assert places["W_Q"].columns == (2 * head, 2 * head + 1)
    assert places["W_Kᵀ"].columns == (head // 2 * 2, head // 2 * 2 + 1)
    assert places["W_O"].rows == (3 * head, 3 * head + 1, 3 * head + 2)
    assert [view.key for view in composed.views][-2:] == [f"part/{head + 1}", "total"]  # four heads are many
    few = board(forward(preset("two_heads")), STAGES["what_a_head_does"].names)
    assert [view.key for view in few.views][-3:] == ["part/1", "part/2", "total"]


def test_a_changed_value_moves_what_is_carried_and_no_weight():
    start, changed = (forward(s) for s in (preset("two_heads"), preset("two_heads").with_entry("W_V", 2, 3, 0)))
    moved = {key for key in start if not np.array_equal(start[key].values, changed[key].values)}
    assert moved >= {"carried/2", "values/2", "part/2", "total"}
    assert not moved & {"M/2", "queries/2", "matches/2", "weights/2", "part/1", "carried/1"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"group_size": 3}, "num_heads is 4: these cannot be cut into groups of 3"),
        ({"group_size": 4}, "W_K has 4 columns, but needs 1 heads of d_k = 2"),
        ({"group_size": 0}, "group_size is 0"),
    ],
)
def test_heads_that_cannot_share_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        replace(GROUPED, **changes)


def test_every_row_of_the_table_says_how_its_matrix_is_made():
    computed = {name for kind in ("X", "context", "encoding") for name, step in kinds(kind) if not step.is_input}
    for name in computed:
        matrix = MATRICES[name]
        assert (
            matrix.make
            and matrix.entry
            and bool(matrix.code) != matrix.is_aside
            and matrix.group
            and set(matrix.of) <= set(MATRICES)
        )
    given = {name for kind in ("X", "context", "encoding") for name, step in kinds(kind) if step.is_input}
    assert all(MATRICES[name].axes and MATRICES[name].group for name in given)
    assert set(MATRICES) - computed - given == {"Kᵀ", "mask"}  # which lessons draw


def kinds(origin):
    return [(step.name, step) for step in forward(random_state(0, origin=origin)).values()]


# States as code


def run(code):
    names, printed = {}, io.StringIO()
    with redirect_stdout(printed):
        exec(code, names)
    return names, printed.getvalue()


def assert_code_computes(state):
    names, printed = run(as_code(state))
    assert printed == f"{names['result'].round(4)}\n"
    for query in range(len(state.tokens)):
        for step in (each for each in forward(state, query).values() if not MATRICES[each.name].is_aside):
            if step.name == "positional encoding":
                even = names["column"] % 2 == 0
                found = np.where(even, np.sin(names["angle"]), np.cos(names["angle"]))
            else:
                heads = {"query": step.query_head, "key/value": (step.key_head or 0) * state.group_size}
                found = names[step.name] if step.head is None else names[step.name][heads[MATRICES[step.name].heads]]
            found = found if step.query is None else found[query]
            assert np.array_equal(found, step.values), step.key


@every_preset
def test_the_code_of_a_preset_computes_the_same_numbers_to_the_last_bit(name):
    assert_code_computes(preset(name))


@tries(60)
@given(states())
def test_the_code_of_any_state_computes_the_same_numbers_to_the_last_bit(state):
    assert_code_computes(state)


@tries(10)
@given(st.lists(st.tuples(st.integers(0, 511), st.integers(0, 511), st.floats(-9, 9)), max_size=4))
def test_the_code_of_drawn_matrices_says_which_entries_were_changed(changes):
    state = PAPER
    for row, column, value in changes:
        state = state.with_entry("W_K", row, column, value)
    assert len(as_code(state).splitlines()) == len(as_code(PAPER).splitlines()) + len(state.changes_since_draw("W_K"))
    names, _ = run(as_code(state))
    assert np.array_equal(names["W_K"], state.inputs["W_K"])
    assert np.array_equal(names["result"], forward(state)["result"].values)


@tries(20)
@given(st.integers(0, 99))
def test_the_code_computes_the_same_bits_for_matrices_that_came_transposed(seed):
    state = random_state(seed, n_q=4, n_k=4, d_model=9, d_k=7, d_v=5, origin="context")
    assert_code_computes(replace(state, inputs={name: np.asfortranarray(W) for name, W in state.inputs.items()}))


@pytest.mark.parametrize("value", [1e99, -1e-300, 0.1 + 0.2, -0.0, 1e15, 1e16, 1e22, 5e-324, 123456789012345680.0])
def test_the_code_and_the_text_keep_every_digit_of_an_entry(value):
    state = ARTICLE.with_entry("W_O", 0, 0, value)
    assert run(as_code(state))[0]["W_O"][0, 0] == value
    assert from_json(to_json(state)).inputs["W_O"][0, 0] == value


# States as text


def assert_same(state, other):
    assert other.changes_since(state) == [] and other.draws == state.draws
    assert list(other.inputs) == list(state.inputs)
    for name, array in state.inputs.items():
        assert array.tobytes() == np.ascontiguousarray(other.inputs[name]).tobytes(), name
    assert to_json(other) == to_json(state)


@every_preset
def test_a_preset_comes_back_from_its_text_exactly(name):
    assert_same(preset(name), from_json(to_json(preset(name))))


@tries(60)
@given(states())
def test_any_state_comes_back_from_its_text_exactly(state):
    assert_same(state, from_json(to_json(state)))


def test_a_text_from_before_there_were_masks_has_none():
    assert "mask" not in json.loads(TEXT)  # it can also be read by a course that knows no masks
    assert from_json(TEXT).mask == "none"
    masked = json.loads(to_json(replace(ARTICLE, mask="causal")))
    assert masked.pop("mask") == "causal" and masked == json.loads(TEXT)
    assert from_json(damaged("mask", to="none")).changes_since(ARTICLE) == []


def test_drawn_matrices_are_written_as_their_draw_with_the_changed_entries():
    state = PAPER.with_entry("X", 9, 511, 0.1).with_entry("W_O", 0, 0, -7).with_entry("W_O", 511, 2, 1e-9)
    assert len(to_json(state)) < 2000
    assert_same(state, from_json(to_json(state)))
    assert json.loads(to_json(state))["inputs"]["W_O"]["changes"] == [[0, 0, -7], [511, 2, 1e-9]]


def test_a_state_made_with_numpy_numbers_and_a_list_of_tokens_can_be_written():
    made = State(list(ARTICLE.tokens), dict(ARTICLE.inputs), np.int64(1), np.float64(2), np.float64(1))
    assert_same(made, from_json(to_json(made)))


@pytest.mark.parametrize("name", ["scale", "temperature"])
def test_a_setting_can_be_a_float32(name):
    state = replace(ARTICLE, **{name: np.float32(0.5)})
    assert getattr(state, name) == 0.5 and from_json(to_json(state)).changes_since(state) == []


def damaged(*path, to=None, of=ARTICLE, without=False):
    """Write a state as text with one thing in it set to something else, or left out."""
    data = json.loads(to_json(of))
    *above, last = path
    place = data
    for each in above:
        place = place[each]
    if without:
        del place[last]
    else:
        place[last] = to
    return json.dumps(data)


def drawn(field, to=None, without=False):
    return damaged("inputs", "W_Q", field, to=to, of=PAPER, without=without)


TEXT = to_json(ARTICLE)
FOREIGN = {
    "empty": "", "blank": "  ", "words": "hello", "truncated": TEXT[:-1], "half": TEXT[: len(TEXT) // 2],
    "twice": TEXT * 2,
    "a list": "[]", "a number": "5", "null": "null", "a text": '"state"', "no kind": "{}", "code": as_code(ARTICLE),
    "deep": "[" * 100_000, "deep in an object": '{"kind":' * 50_000, "a very long number": "9" * 5000,
    "wrong kind": damaged("kind", to="mha_course state, version 2"), "kind in a list": damaged("kind", to=[KIND]),
}  # fmt: skip
WRONG = {
    "num_heads": (5.5, "x", [], {}, True, None),
    "scale": ("x", [], {}, True, None),
    "temperature": ("x", [], {}, True, None),
    "tokens": (5.5, "x", [], {}, True, None),
    "context_tokens": (5.5, "x", [], {}, True),
    "inputs": (5.5, "x", [], {}, True, None),
    "mask": (
        5.5,
        "x",
        [],
        {},
        True,
        None,
        [[True] * 3] * 2,
        [[True] * 4] * 3,
        [[1, 0, 1]] * 3,
        [True] * 9,
        ["causal"] * 3,
    ),
}
DAMAGED = {
    **{f"no {field}": damaged(field, without=True) for field in sorted(FIELDS - {"kind"})},
    **{f"{field} is {to!r}": damaged(field, to=to) for field in WRONG for to in WRONG[field]},
    "a field too many": damaged("more", to=1),
    "a foreign matrix": damaged("inputs", "W_X", to=[[1]]),
    "no W_O": damaged("inputs", "W_O", without=True),
    "no context": damaged("context_tokens", to=["u"]),
    "num_heads does not divide": damaged("num_heads", to=2),
    "num_heads 0": damaged("num_heads", to=0),
    "num_heads huge": damaged("num_heads", to=10**400),
    "scale 0": damaged("scale", to=0),
    "scale huge": damaged("scale", to=10**400),
    "scale nan": damaged("scale", to=float("nan")),
    "temperature below 0": damaged("temperature", to=-1),
    "temperature inf": damaged("temperature", to=float("inf")),
    "a token too few": damaged("tokens", to=["a", "b"]),
    "a token too long": damaged("tokens", to=["a", "b", "c" * 41]),
    "a token is a number": damaged("tokens", to=["a", "b", 3]),
    "a token is a list": damaged("tokens", to=["a", "b", ["c"]]),
}  # fmt: skip
DAMAGED_MATRICES = {
    "ragged": damaged("inputs", "W_Q", 0, to=[1]),
    "text": damaged("inputs", "W_Q", 0, 0, to="1"),
    "null": damaged("inputs", "W_Q", 0, 0, to=None),
    "nan": damaged("inputs", "W_Q", 0, 0, to=float("nan")),
    "inf": damaged("inputs", "W_Q", 0, 0, to=float("-inf")),
    "1e999": TEXT.replace("[[1.0", "[[1e999", 2),
    "a huge number": damaged("inputs", "W_Q", 0, 0, to=10**400),
    "an object": damaged("inputs", "W_Q", 0, 0, to={}),
    "a flat list": damaged("inputs", "W_Q", to=[1, 2, 3]),
    "empty": damaged("inputs", "W_Q", to=[]),
    "empty rows": damaged("inputs", "W_Q", to=[[]]),
    "too many axes": damaged("inputs", "W_Q", to=[[[[1]]]]),
    "far too many axes": damaged("inputs", "W_Q", to=json.loads("[" * 200 + "1" + "]" * 200)),
    "a number": damaged("inputs", "W_Q", to=3),
    "a word": damaged("inputs", "W_Q", to="drawn"),
    "nothing": damaged("inputs", "W_Q", to=None),
    "an empty draw": damaged("inputs", "W_Q", to={}),
    "a draw without a seed": drawn("seed", without=True),
    "a draw without changes": drawn("changes", without=True),
    "a negative seed": drawn("seed", to=-1),
    "a seed that is a text": drawn("seed", to="one"),
    "a seed that is null": drawn("seed"),
    "an infinite seed": drawn("seed", to=float("inf")),
    "a huge shape": drawn("shape", to=[10**9, 10**9]),
    "a shape of other sizes": drawn("shape", to=[512, 500]),
    "a negative shape": drawn("shape", to=[-1, 512]),
    "a shape of one axis": drawn("shape", to=[512]),
    "a shape of three axes": drawn("shape", to=[8, 64, 512]),
    "a shape that is a number": drawn("shape", to=512),
    "an infinite shape": drawn("shape", to=[float("inf"), 512]),
    "a divisor of 0": drawn("divisor", to=0),
    "a tiny divisor": drawn("divisor", to=1e-320),
    "a divisor that is nan": drawn("divisor", to=float("nan")),
    "a divisor that is a list": drawn("divisor", to=[]),
    "changes that are a number": drawn("changes", to=5),
    "changes that are an object": drawn("changes", to={"a": 1}),
    "a change outside": drawn("changes", to=[[512, 0, 1]]),
    "a change of two numbers": drawn("changes", to=[[0, 0]]),
    "a change to a text": drawn("changes", to=[[0, 0, "x"]]),
    "a change to null": drawn("changes", to=[[0, 0, None]]),
    "a change to nan": drawn("changes", to=[[0, 0, float("nan")]]),
    "a change to a list": drawn("changes", to=[[0, 0, [1, 2]]]),
    "a change to a huge number": drawn("changes", to=[[0, 0, 10**400]]),
}
PYTHON = r"object|unpack|expected|invalid literal|NoneType|not iterable|subscript|float\(\)|int\(\)|: '\w+'$"


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_text_that_is_no_state_is_refused(text):
    with pytest.raises(ValueError, match=r"^This is (not complete JSON: |JSON, but not a state of this course: )"):
        from_json(text)


@rows("text", DAMAGED.values())
def test_a_damaged_state_is_refused(text):
    with pytest.raises(ValueError, match=r"^This state is damaged: "):
        from_json(text)


@rows("text", DAMAGED_MATRICES.values())
def test_a_damaged_matrix_is_refused(text):
    with pytest.raises(ValueError, match=r"^This state is damaged: "):
        from_json(text)


@rows("text", (DAMAGED | DAMAGED_MATRICES).values())
@pytest.mark.filterwarnings("ignore")  # the test before is about them
def test_the_refusal_of_a_damaged_state_has_no_words_of_python(text):
    with pytest.raises(ValueError, match=r"^.") as caught:
        from_json(text)
    words = str(caught.value).removeprefix("This state is damaged: ")
    holds_objects = "holds object values, but needs real numbers"
    assert not re.search(PYTHON, words.replace(holds_objects, "")), words


@pytest.mark.parametrize("field", ["tokens", "num_heads", "scale", "temperature", "inputs", "context_tokens", "mask"])
def test_nesting_of_any_depth_is_refused(field):
    masked = to_json(replace(ARTICLE, mask="causal"))
    for depth in range(1, 1100):
        text = masked.replace(f'"{field}": ', f'"{field}": {"[" * depth}1{"]" * depth}, "rest": ')
        with pytest.raises(ValueError, match=r"^This "):
            from_json(text)


@tries(150)
@given(st.integers(0, len(TEXT) - 1), st.sampled_from('"[]{},:0-9e.\\ntN∞\x00'), st.booleans())
def test_one_wrong_character_gives_a_state_or_a_value_error(place, character, insert):
    try:
        state = from_json(TEXT[:place] + character + TEXT[place + (not insert) :])
    except ValueError as error:
        assert str(error).startswith("This ")
    else:
        assert from_json(to_json(state)).changes_since(state) == []


# History


def test_undo_goes_back_and_redo_goes_forward_again():
    history = History(0)
    assert not history.can_undo and not history.can_redo
    assert history.undo() == 0 and history.redo() == 0
    assert history.add(1) and history.add(2)
    assert (history.undo(), history.undo(), history.undo()) == (1, 0, 0)
    assert history.can_redo and not history.can_undo
    assert (history.redo(), history.redo(), history.redo()) == (1, 2, 2)
    assert history.can_undo and not history.can_redo


def test_a_new_change_forgets_what_was_undone():
    history = History(0)
    history.add(1)
    history.undo()
    assert history.past == [0]
    history.add(2)
    assert not history.can_redo and history.past == [2, 0]
    assert history.undo() == 0


def test_changes_with_the_same_merge_word_count_as_one():
    history = History(0)
    assert [history.add(1, "a"), history.add(2, "a"), history.add(3, "b"), history.add(4, "b")] == [True, False] * 2
    assert (history.undo(), history.undo()) == (2, 0)
    assert history.add(5, "b")  # after an undo, a new change begins
    assert history.add(6) and history.add(7)  # without a word, each is one
    assert (history.undo(), history.undo(), history.undo()) == (6, 5, 0)


def test_a_merge_goes_on_only_while_nothing_came_between():
    history = History(0)
    history.add(1, "a")
    history.add(2)
    assert history.add(3, "a")
    assert (history.undo(), history.undo()) == (2, 1)


def test_the_history_keeps_a_hundred_states():
    history = History(0)
    for state in range(1, 3 * MOST):
        history.add(state)
    assert [history.undo() for _ in range(MOST)][-2:] == [2 * MOST, 2 * MOST]
    assert not history.can_undo
    for state in range(500):
        history.add(state, merge="drag")
    assert (history.undo(), history.redo()) == (2 * MOST, 499)


# Entries


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3), (" 3 ", 3), ("\t-2.5\n", -2.5), ("−2", -2), ("+.5", 0.5), ("1e3", 1000), ("1E-3", 0.001), ("5.", 5),
     ("1,5", 1.5), ("−0,25", -0.25), (",5", 0.5), ("0,125", 0.125), ("1,2345", 1.2345),
     ("1_000", 1000), ("٣", 3), ("１２", 12), ("-0", 0), ("1.7976931348623157e308", 1.7976931348623157e308)],
)  # fmt: skip
def test_an_entry_is_read_as_its_number(text, number):
    assert read_entry(text) == number


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "^the cell is empty"), ("  \n", "^the cell is empty"), ("abc", '^"abc" is not a number'),
        ("nan", '^"nan" is not a finite number'), ("-NaN", "is not a finite number"), ("inf", '"inf" is not a finite'),
        ("−∞", "is not a number"), ("-Infinity", "is not a finite number"), ("1e999", '^"1e999" is larger than any'),
        ("-1e999", "is larger than any"), ("9" * 400, r'^"9{17}…" \(400 characters\) is larger'),
        ("x" * 400, r'^"x{17}…" \(400 characters\) is not a number'),
        ("1,500", r'^"1,500" has a comma .* write 1\.500 or 1500\.$'),
        ("1,000.5", "is not a number"), ("0x10", '^"0x10" is not a number'), ("1/2", "is not a number"),
        ("--1", "is not a number"), ("1 5", "is not a number"), ("½", "is not a number"), ("²", "is not a number"),
        ("1+1j", "is not a number"), ("True", "is not a number"), ("<b>", "is not a number"), ("a,b", "not a number"),
    ],
)  # fmt: skip
def test_an_entry_that_is_no_number_says_why(text, message):
    with pytest.raises(ValueError, match=message) as caught:
        read_entry(text)
    assert len(str(caught.value)) < 120


@given(st.text(max_size=30) | st.floats().map(str) | st.integers().map(str))
def test_any_text_is_a_finite_number_or_a_value_error(text):
    try:
        number = read_entry(text)
    except ValueError as error:
        assert str(error).endswith(".")
    else:
        assert np.isfinite(number)


# Goals


def with_differences(state, *differences):
    for name, row, column, difference in differences:
        state = state.with_entry(name, row, column, state.inputs[name][row, column] + difference)
    return state


TWO_TEXTS = ((True, False, False), (False, True, True), (False, True, True))
SOLUTIONS = {
    "same_waves": lambda start: start.with_entry("wavelengths", 0, 0, 2).with_entry("wavelengths", 0, 1, 2),
    "same_query": lambda start: with_differences(start, ("W_Q", 0, 0, 1), ("W_Q", 1, 1, -1)),
    "best_match": lambda start: with_differences(start, ("W_K", 2, 2, 3)),
    "look_at_the_third": lambda start: with_differences(start, ("W_K", 0, 2, 3)),
    "undecided": lambda start: replace(start, temperature=8),
    "two_texts": lambda start: replace(start, mask=TWO_TEXTS),
    "borrowed_value": lambda start: with_differences(start, ("W_Q", 0, 0, 3)),
    "two_ways": lambda start: with_differences(start, ("W_Q", 0, 3, -2)),
    "stop_carrying": lambda start: with_differences(start, ("W_V", 2, 3, -1)),
}
every_goal = pytest.mark.parametrize("name", GOALS)


def progress(name, state):
    return GOALS[name].progress(state, forward(state), preset(GOALS[name].preset))


@every_goal
def test_a_goal_is_not_reached_at_its_start(name):
    reached, sentence = progress(name, preset(GOALS[name].preset))
    assert not reached and sentence.startswith("Not yet: ")


@every_goal
def test_a_goal_can_be_reached(name):
    reached, sentence = progress(name, SOLUTIONS[name](preset(GOALS[name].preset)))
    assert reached and sentence.startswith("Reached: ")


@pytest.mark.parametrize("mask", MASKS)
def test_no_mask_of_the_list_keeps_two_texts_apart(mask):
    reached, sentence = progress("two_texts", replace(ARTICLE, mask=mask))
    assert not reached and sentence.endswith("to innovators, a word of the other text.") == (mask == "causal")


def test_the_mask_that_keeps_two_texts_apart_is_the_only_one():
    solved = SOLUTIONS["two_texts"](ARTICLE)
    for query, key in np.ndindex(3, 3):
        assert not progress("two_texts", solved.with_toggled(query, key))[0]
    _, sentence = progress("two_texts", solved.with_toggled(2, 1))
    assert sentence == "Not yet: disrupt gives nothing to create, a word of its own text."


@every_goal
def test_a_goal_is_not_reached_with_a_foreign_matrix(name):
    solved = SOLUTIONS[name](preset(GOALS[name].preset)).with_entry("W_O", 0, 0, 9)
    reached, sentence = progress(name, solved)
    assert not reached and "you also changed W_O: try without" in sentence


@every_goal
def test_a_goal_is_not_reached_with_a_foreign_setting(name):
    solved, foreign = SOLUTIONS[name](preset(GOALS[name].preset)), "scale"
    reached, sentence = progress(name, replace(solved, scale=solved.divisor))
    assert not reached and f"you also changed {foreign}" in sentence


@pytest.mark.parametrize("name", [name for name, goal in GOALS.items() if goal.most])
def test_a_goal_is_not_reached_with_too_many_entries(name):
    (matrix,) = GOALS[name].may_change
    solved = with_differences(SOLUTIONS[name](preset(GOALS[name].preset)), (matrix, 3, 1, 1e-9))
    reached, sentence = progress(name, solved)
    assert not reached
    assert f"you changed {GOALS[name].most + 1} entries: try with {GOALS[name].most}" in sentence


@every_goal
def test_a_goal_of_other_sizes_asks_for_a_reset(name):
    reached, sentence = progress(name, preset(GOALS[name].preset).with_tokens(["one"]))
    assert not reached and "Press Reset" in sentence


@pytest.mark.parametrize(
    ("name", "num_heads"), [("two_ways", 1), ("two_ways", 3), ("look_at_the_third", 3), ("same_waves", 4)]
)
def test_a_goal_has_an_answer_with_any_number_of_heads(name, num_heads):
    reached, sentence = progress(name, replace(preset(GOALS[name].preset), num_heads=num_heads))
    assert not reached and sentence.startswith("Not yet: ")


@every_goal
def test_the_task_of_a_goal_names_what_may_be_changed(name):
    goal = GOALS[name]
    assert all(part in goal.task for part in goal.may_change)


def test_every_scale_of_the_list_is_accepted():
    assert [replace(ARTICLE, scale=scale).scale for scale in SCALES] == list(SCALES)

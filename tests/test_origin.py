"""Where a number came from: every part of the arithmetic gives the number on the screen."""

import re
from dataclasses import replace

import numpy as np
import pytest
from arithmetic import evaluate
from hypothesis import given
from hypothesis import strategies as st
from states import allowed_in, random_state, states
from tries import tries

from mha_course.engine.notation.digits import LONG
from mha_course.engine.pictures.number_table import shown_places
from mha_course.forward.forward import forward
from mha_course.forward.origin import origin
from mha_course.forward.presets import PRESETS, preset
from mha_course.maths.attention import softmax
from mha_course.maths.inputs import sinusoids

pytestmark = pytest.mark.filterwarnings("error")
every_preset = pytest.mark.parametrize("name", PRESETS)
MANY = 60  # entries of one matrix that are all tried


def parts_of(found):
    return found.arithmetic.split(" = ")


def assert_arithmetic(found, step, place):
    label, *parts, shown = parts_of(found)
    value = float(step.values[place])
    assert label.removeprefix(f"head {(step.head or 0) + 1}: ") == f"{step.name}[{place[0] + 1},{place[1] + 1}]"
    is_long = abs(value) >= LONG  # then four digits are shown
    assert float(shown) == (pytest.approx(value, rel=1e-3) if is_long else round(value, 4)), found.arithmetic
    assert bool(parts) == (step.name != "concatenation" and bool(found.sources)), found.arithmetic
    for part in parts:
        error = abs(evaluate(part) - float(shown))
        assert error <= 0.5e-4 + (1e-3 if is_long else 1e-12) * max(1, abs(value)), (
            f"{part} is {evaluate(part)}: {found.arithmetic}"
        )


def places_of(step, many=MANY):
    """All entries that are shown, or of too many the first, the last and some at random."""
    places = shown_places(step.values.shape)
    if len(places) <= many:
        return places
    picked = np.random.default_rng(0).choice(len(places), many - 2, replace=False)
    return [places[0], places[-1], *(places[i] for i in picked)]


def assert_origins(state, query=0, many=MANY):
    path = forward(state, query)
    for key, step in path.items():
        for place in places_of(step, many):
            found = origin(state, path, key, *place)
            sees_nothing = step.name == "weights" and not allowed_in(state)[place[0]].any()
            assert found.words.endswith(".") and bool(found.sources) != (step.is_input or sees_nothing)
            assert not step.is_input or float(parts_of(found)[1]) == pytest.approx(step.values[place], rel=1e-9)
            if not step.is_input:
                assert_arithmetic(found, step, place)
            for source, row, column in found.sources:
                height, width = path[source].values.shape
                assert 0 <= row < height and 0 <= column < width


# The arithmetic


@every_preset
def test_every_number_of_a_preset_is_what_its_arithmetic_says(name):
    assert_origins(preset(name), many=8 if name == "paper_size" else MANY)


@tries(40)
@given(states(), st.integers(0, 3))
def test_every_number_of_any_state_is_what_its_arithmetic_says(state, query):
    assert_origins(state, query % len(state.tokens), many=12)


@tries(25)
@given(st.integers(0, 999), st.floats(-4, 4), st.sampled_from([1e-3, 0.1, 1.0, 30.0]))
def test_the_arithmetic_is_right_for_small_and_large_numbers(seed, exponent, temperature):
    state = random_state(seed, temperature=temperature, scale=0.37)
    large = {name: array * 10**exponent for name, array in state.inputs.items()}
    assert_origins(type(state)(state.tokens, large, 2, 0.37, temperature), many=4)


@tries(25)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(-30, 30)), max_size=12))
def test_the_arithmetic_is_right_for_the_tenths_that_a_hand_makes(changes):
    state = preset("article")
    for row, column, tenths in changes:
        state = state.with_entry("W_V", row, column, tenths / 10).with_entry("W_Q", row, column, tenths / 10)
    assert_origins(state, many=9)


@pytest.mark.parametrize("temperature", [1e-320, 1e-300, 1e-9, 1e9, 1e308])
@pytest.mark.parametrize("name", ["article", "equal_scores", "saturated"])
def test_the_arithmetic_of_the_weights_holds_at_every_temperature(name, temperature):
    state = preset(name)
    state = type(state)(state.tokens, state.inputs, temperature=temperature)
    assert_origins(state.with_entry("W_Q", 0, 0, 0.001))


@pytest.mark.parametrize("large", [1e15, 1e16, 123456789.123, 1e100])
def test_the_arithmetic_holds_for_entries_up_to_the_largest(large):
    assert_origins(preset("identity").with_entry("W_V", 0, 0, large).with_entry("W_O", 0, 0, 0))


@tries(25)
@given(states(), st.sampled_from(["causal", "last_padded"]))
def test_every_number_of_a_masked_state_is_what_its_arithmetic_says(state, mask):
    assert_origins(replace(state, mask=mask), many=12)


@tries(25)
@given(states())
def test_a_weight_is_made_from_the_scores_that_its_query_may_see(state):
    path, allowed = forward(state), allowed_in(state)
    for row, column in np.ndindex(allowed.shape):
        found = origin(state, path, "weights/1", row, column)
        assert found.sources == tuple(("scores/1", row, int(key)) for key in np.flatnonzero(allowed[row]))
        assert found.words.startswith("Masked: ") != allowed[row, column]
        assert ("no part" in found.words) == (allowed[row, column] and not allowed[row].all())


ARTICLE = preset("article")
CAUSAL = replace(ARTICLE, mask="causal")
MASKED = [
    (0, 1, "Masked: innovators may not attend to create. Its score counts as −∞, and e^(−∞) is 0.",
     "weights[1,2] = 0 / (e^1.155) = 0 / (3.174) = 0.0000"),
    (1, 1, "The attention weight that create gives to create. Masked keys take no part.",
     "weights[2,2] = e^9.238 / (e^2.309 + e^9.238) = 1.028e+04 / (10.06 + 1.028e+04) = 0.9990"),
    (2, 1, "The attention weight that disrupt gives to create.",
     "weights[3,2] = e^6.9282 / (e^2.3094 + e^6.9282 + e^5.7735) = 1020.7 / (10.068 + 1020.7 + 321.66) = 0.7547"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "column", "words", "arithmetic"), MASKED)
def test_a_masked_row_is_the_softmax_of_what_the_mask_leaves(row, column, words, arithmetic):
    found = origin(CAUSAL, forward(CAUSAL), "weights/1", row, column)
    assert (found.words, found.arithmetic) == (words, arithmetic)


def test_a_query_that_may_see_nothing_has_shares_of_0():
    state = replace(ARTICLE, mask="last_padded").with_tokens(["one"])
    found = origin(state, forward(state), "weights/1", 0, 0)
    assert found.words == "Masked: one may not attend to any key, so all its weights are 0."
    assert found.arithmetic == "weights[1,1] = 0" and found.sources == ()


KNOWN = [
    ("Q/1", 0, 2, "Q[1,3] = 1·1 + 0·0 + 1·1 + 0·1 = 2"),
    ("scores/1", 1, 2, "scores[2,3] = (2·2 + 2·3 + 2·1) / √3 = 12 / 1.73205 = 6.9282"),
    ("X", 0, 0, "X[1,1] = 1"),
]


@pytest.mark.parametrize(("key", "row", "column", "text"), KNOWN)
def test_the_arithmetic_of_the_article_reads_as_in_the_article(key, row, column, text):
    assert origin(ARTICLE, forward(ARTICLE), key, row, column).arithmetic == text


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "paper_size"])
def test_the_arithmetic_of_a_preset_needs_few_digits(name):
    state = preset(name)
    path = forward(state)
    for key, step in path.items():
        for place in shown_places(step.values.shape):
            text = origin(state, path, key, *place).arithmetic
            digits = [len(number.replace(".", "").lstrip("0")) for number in re.findall(r"\d+\.\d+", text)]
            assert max(digits, default=0) <= 10, text


def test_a_long_sum_is_written_short():
    state = preset("paper_size")
    text = origin(state, forward(state), "Q/1", 0, 0).arithmetic
    assert text.startswith("head 1: Q[1,1] = ") and " [the other 505] = " in text and text.count("·") == 7


def test_the_head_is_named_only_where_there_are_several():
    two = preset("two_heads")
    assert origin(two, forward(two), "Q/2", 0, 0).arithmetic.startswith("head 2: Q[1,1] = ")
    assert origin(two, forward(two), "result", 0, 0).arithmetic.startswith("result[1,1] = ")
    assert origin(ARTICLE, forward(ARTICLE), "Q/1", 0, 0).arithmetic.startswith("Q[1,1] = ")


def test_the_words_name_the_tokens():
    path = forward(ARTICLE, query=2)
    words = {key: origin(ARTICLE, path, key, 0, 1).words for key in ("scores/1", "weights/1", "contributions/1")}
    assert words == {
        "scores/1": "How well the query of innovators matches the key of create.",
        "weights/1": "The attention weight that innovators gives to create.",
        "contributions/1": "What innovators adds to disrupt: its weight, times its value.",
    }


# The sources


def made_again(state, values, query):
    """Compute every matrix once from the matrices just before it; `values` has them by key."""
    W, width, d_v = state.inputs, state.d_k, state.inputs["W_V"].shape[1] // state.num_heads
    context = "context" if "context" in values else "X"
    made = {}
    for head in range(state.num_heads):
        Q, K, V, scores, weights, output = (
            f"{name}/{head + 1}" for name in ("Q", "K", "V", "scores", "weights", "output")
        )
        own, own_v = slice(head * width, (head + 1) * width), slice(head * d_v, (head + 1) * d_v)
        made[Q] = values["X"] @ values["W_Q"][:, own]
        made[K] = values[context] @ values["W_K"][:, own]
        made[V] = values[context] @ values["W_V"][:, own_v]
        made[scores] = values[Q] @ values[K].T / state.divisor
        made[weights] = softmax(values[scores], state.temperature)
        made[f"contributions/{head + 1}"] = values[weights][query][:, None] * values[V]
        made[output] = values[weights] @ values[V]
    made["concatenation"] = np.hstack([values[f"output/{head + 1}"] for head in range(state.num_heads)])
    made["result"] = values["concatenation"] @ values["W_O"]
    if "embeddings" in values:
        d_model = W["embeddings"].shape[1]
        made["positional encoding"] = sinusoids(values["positions"][:, 0], values["wavelengths"][0], d_model)
        made["X"] = values["embeddings"] + values["positional encoding"]
    return made


@pytest.mark.parametrize("kind", ["X", "context", "encoding"])
def test_the_sources_are_exactly_the_entries_whose_change_changes_the_number(kind):
    state, query = random_state(5, origin=kind, temperature=30), 1
    path = forward(state, query)
    values = {key: step.values for key, step in path.items()}
    before = made_again(state, values, query)
    expected = {(key, *place): set() for key, made in before.items() for place in np.ndindex(made.shape)}
    for source, array in values.items():
        for place in np.ndindex(array.shape):
            changed = array.copy()
            changed[place] += 0.5
            after = made_again(state, values | {source: changed}, query)
            for key, made in after.items():
                for target in np.argwhere(made != before[key]):
                    expected[(key, *map(int, target))].add((source, *place))
    for key, row, column in expected:
        sources = origin(state, path, key, row, column).sources
        assert len(sources) == len(set(sources))
        assert set(sources) == expected[key, row, column], (key, row, column)


def test_an_input_has_no_sources():
    assert origin(ARTICLE, forward(ARTICLE), "W_K", 3, 2).sources == ()


# What is not there


@pytest.mark.parametrize(
    ("key", "row", "column"),
    [("scores", 0, 0), ("scores/2", 0, 0), ("scores/1", 3, 0), ("scores/1", 0, 3), ("Z", 0, 0), ("", 0, 0),
     ("X", -1, 0), ("X", 0, -1), ("W_O", 10**9, 0)],
)  # fmt: skip
def test_an_entry_that_is_not_there_is_an_error(key, row, column):
    with pytest.raises(ValueError, match=rf"no entry \[{row + 1},{column + 1}\] of '{key}'"):
        origin(ARTICLE, forward(ARTICLE), key, row, column)

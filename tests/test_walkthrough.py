"""The walk through a row: every stop is made of what is there, says what is done in a sentence, and computes truly."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from arithmetic import evaluate
from hypothesis import given
from hypothesis import strategies as st
from states import allowed_in, random_state, states
from tries import tries

from mha_course.engine.notation.digits import LONG, is_whole, written
from mha_course.forward.forward import forward
from mha_course.forward.mask_choices import MASKS
from mha_course.forward.presets import PRESETS, preset
from mha_course.forward.stages import STAGES
from mha_course.forward.walkthrough.walkthrough import reached, way

pytestmark = pytest.mark.filterwarnings("error")
ARTICLE, TWO_HEADS = preset("article"), preset("two_heads")
PLACE = re.compile(r"(\w+(?: \w+)?)\[(\d+),(\d+)\]")
LAST = {
    "inputs": "X", "queries_keys_values": "V", "scaled_scores": "scores", "softmax": "weights",
    "weighted_sums": "output", "heads": "result", "what_a_head_does": "total", "all": "result",
}  # fmt: skip


def way_of(state, stage="all", query=0, head=0, key=None):
    return way(state, forward(state, query), query, head, key, STAGES[stage].names)


def titles(stops):
    return [stop.title for stop in stops]


def assert_true(stop, path):
    """Evaluate what stands between two equal signs; what names an entry must end with what its table shows."""
    head = 1
    for equation in stop.arithmetic.split("; "):
        if "→" in equation or re.fullmatch(r"and \d+ more", equation):
            continue
        head = int(named[1]) if (named := re.match(r"head (\d+): ", equation)) else head
        parts = re.sub(r"^head \d+: ", "", equation).replace("−∞", "-inf").split(" = ")
        shown = parts.pop()
        if parts and (place := PLACE.fullmatch(parts[0])):
            step = path.get(f"{place[1]}/{head}") or path[place[1]]
            number = float(step.values[int(place[2]) - 1, int(place[3]) - 1])
            comes_near = any(evaluate(part) != number for part in parts[1:])  # 0.33333·3 is not quite 1: 1.0000
            as_shown = written(number, is_whole(step.values))
            assert shown == as_shown or (comes_near and shown == written(number, whole=False))
            is_copied = place[1] == "concatenation" or (place[1] == "weights" and float(shown) == 0)
            assert len(parts) > 1 or is_copied, equation
        label = parts[0] if parts and re.match("[a-z]+$|" + PLACE.pattern, parts[0]) else None
        for part in parts[1 if label else 0 :]:
            assert_says(part, shown)


def assert_says(part, shown):
    value, found = float(shown), evaluate(part)
    decimals = len(shown.partition("e")[0].partition(".")[2])
    tolerance = 0.5 * 10.0**-decimals * 10.0 ** int(shown.partition("e")[2] or 0)
    tolerance = max(tolerance, 1e-3 * abs(value)) if abs(value) >= LONG else tolerance
    assert found == value or abs(found - value) <= tolerance * (1 + 1e-9), f"{part} is {found}, not {shown}"


def assert_way(state, stage, query=0, head=0, key=None):
    path = forward(state, query)
    stops = way(state, path, query, head, key, STAGES[stage].names)
    for stop in stops:
        assert stop.words.endswith(".") and stop.title and stop.entries
        assert_true(stop, path)
        for places in (stop.entries, stop.sources):
            assert len(set(places)) == len(places)
            for name, row, column in places:
                height, width = path[name].values.shape
                assert 0 <= row < height and 0 <= column < width
    assert len(set(titles(stops))) == len(stops)
    if stops:
        last = path.get(LAST[stage]) or path[f"{LAST[stage]}/{(state.key_head(head) if stage[0] == 'q' else head) + 1}"]
        row = query if stage != "queries_keys_values" or state.context_tokens is None else stops[-1].entries[0][1]
        assert set(stops[-1].entries) == {(last.key, row, i) for i in range(last.values.shape[1])}
    return stops


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_every_way_of_a_preset_is_true_and_of_a_length_to_walk(name, stage):
    state = preset(name)
    queries = [0] if name == "paper_size" else range(len(state.tokens))
    for query in queries:
        for head in {0, state.num_heads - 1}:
            stops = assert_way(state, stage, query, head)
            has_way = stage != "inputs" or "embeddings" in state.inputs
            assert 4 <= len(stops) <= 12 if has_way else stops == ()


@pytest.mark.parametrize("stage", STAGES)
@tries(25)
@given(states(), st.integers(0, 3), st.integers(0, 3), st.none() | st.integers(0, 3))
def test_every_way_of_any_state_is_true(stage, state, query, head, key):
    path = forward(state)
    n_q, n_k = path["scores/1"].values.shape
    key = None if key is None else key % n_k
    stops = assert_way(state, stage, query % n_q, head % state.num_heads, key)
    assert 4 <= len(stops) <= 12 or (stage == "inputs" and "X" in state.inputs and not stops)


@pytest.mark.parametrize("temperature", [0.05, 0.5, 3.0, 1e9])
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("name", ["article", "saturated", "equal_scores", "two_heads", "translation", "positions"])
def test_a_way_is_true_with_every_mask_and_temperature(name, mask, temperature):
    state = replace(preset(name), mask=mask, temperature=temperature)
    for query in range(len(state.tokens)):
        for stage in ("softmax", "weighted_sums", "heads", "all"):
            assert 4 <= len(assert_way(state, stage, query)) <= 12


@tries(25)
@given(st.integers(0, 999), st.floats(-4, 4), st.sampled_from([1e-3, 0.1, 1.0, 30.0]))
def test_a_way_is_true_for_small_and_large_numbers(seed, exponent, temperature):
    state = random_state(seed, temperature=temperature, scale=0.37)
    large = {name: array * 10**exponent for name, array in state.inputs.items()}
    assert_way(replace(state, inputs=large), "all")


# What the stops are


WEIGHTS = ["exponentials", "sum of the row", "weights"]
SCORES = ["products", "sum", "scale"]
WAYS = [
    (ARTICLE, "queries_keys_values", ["products", "sum", "key", "value"]),
    (ARTICLE, "scaled_scores", ["query", "keys", *SCORES]),
    (ARTICLE, "softmax", ["query", "keys", *SCORES, *WEIGHTS]),
    (ARTICLE, "weighted_sums", ["query, keys, values", *SCORES, *WEIGHTS, "contributions", "mix"]),
    (ARTICLE, "heads", ["query, keys, values", *SCORES, "exponentials", "weights", "mix", "W_O"]),
    (TWO_HEADS, "heads",
     ["query, keys, values", *SCORES, "exponentials", "weights", "mix", "other heads", "concatenate", "W_O"]),
    (TWO_HEADS, "what_a_head_does",
     ["X·M", "X·M·Xᵀ", "scale", "exponentials", "weights", "X·W_V·W_O", "part", "sum of the heads"]),
    (preset("positions"), "inputs", ["turns", "angle", "sine", "cosine", "embedding + encoding"]),
    (preset("positions"), "all",
     ["embedding + encoding", "query, keys, values", *SCORES, "exponentials", "weights", "mix", "W_O"]),
    (replace(TWO_HEADS, mask="causal", temperature=0.01), "all",
     ["query, keys, values", *SCORES, "mask", "largest, temperature", "exponentials", "weights", "mix", "other heads",
      "concatenate", "W_O"]),
]  # fmt: skip


@pytest.mark.parametrize(("state", "stage", "expected"), WAYS)
def test_the_stops_of_a_stage(state, stage, expected):
    assert titles(way_of(state, stage)) == expected


def test_the_longest_way_there_is_has_twelve_stops():
    two = {name: np.tile(preset("positions").inputs[name], 2) for name in ("W_Q", "W_K", "W_V")}
    two["W_O"] = np.tile(preset("positions").inputs["W_O"], (2, 1))
    state = preset("positions")
    state = replace(state, inputs=state.inputs | two, num_heads=2, mask="causal", temperature=0.01)
    assert len(assert_way(state, "all")) == 12


SAYING_NOTHING = [
    ({"scale": "none"}, "scale"),
    ({"temperature": 1.0}, "temperature"),
    ({"mask": "none"}, "mask"),
]


@pytest.mark.parametrize(("setting", "title"), SAYING_NOTHING)
def test_what_says_nothing_is_no_stop(setting, title):
    state = replace(ARTICLE, mask="causal", temperature=2.0)
    assert title in titles(way_of(state, query=1))
    assert title not in titles(way_of(replace(state, **setting), query=1))


def test_a_row_from_which_the_mask_hides_nothing_has_no_stop_for_it():
    state = replace(ARTICLE, mask="causal")
    assert ["mask" in titles(way_of(state, "softmax", query)) for query in range(3)] == [True, True, False]


def test_the_largest_score_is_subtracted_where_the_powers_would_grow_large():
    stops = way_of(preset("saturated"), "softmax", query=1)
    assert "largest score" in titles(stops)
    assert stops[-4].arithmetic.split("; ")[1] == "147.8 - 147.8 = 0"
    assert stops[-3].arithmetic.split("; ")[1] == "e^0 = 1"


def test_a_way_reads_as_in_the_article():
    text = [stop.arithmetic for stop in way_of(ARTICLE, "scaled_scores", query=1, key=2)[2:]]
    assert text == [
        "2·2 = 4; 2·3 = 6; 2·1 = 2",
        "sum = 4 + 6 + 2 = 12",
        "scores[2,3] = 12 / √3 = 12 / 1.73205 = 6.9282",
    ]


def test_the_numbers_of_a_row_are_handed_on_from_stop_to_stop():
    exponentials, whole, share = (stop.arithmetic for stop in way_of(ARTICLE, "softmax", query=1)[-3:])
    assert exponentials == "e^2.3094 = 10.068; e^9.2376 = 10276; e^6.9282 = 1020.7"
    assert whole == "sum = 10.068 + 10276 + 1020.7 = 11307"
    assert share.split("; ")[2] == "weights[2,3] = 1020.7 / 11307 = 0.0903"


def test_the_key_with_the_largest_weight_is_shown_if_none_is_asked_for():
    path = forward(TWO_HEADS)
    for query in range(3):
        for head in range(2):
            strongest = int(path[f"weights/{head + 1}"].values[query].argmax())
            assert way_of(TWO_HEADS, "all", query, head) == way_of(TWO_HEADS, "all", query, head, strongest)


def test_a_query_that_sees_nothing_has_a_way_to_its_zeros():
    state = replace(ARTICLE, mask="last_padded").with_tokens(["one"])
    stops = assert_way(state, "softmax")
    assert titles(stops)[5:] == ["mask", "exponentials", "sum of the row", "weights"]
    assert [stop.arithmetic for stop in stops[5:]] == ["scores[1,1] → −∞", "e^(−∞) = 0", "sum = 0", "weights[1,1] = 0"]
    assert assert_way(state, "all")[-1].arithmetic.endswith(" = 0")


def test_the_mask_stop_speaks_of_what_is_hidden_from_the_row():
    state = random_state(1, n_q=3, n_k=4, origin="context", mask="causal")
    for query, allowed in enumerate(allowed_in(state)):
        (stop,) = (stop for stop in way_of(state, "softmax", query, 1) if stop.title == "mask")
        assert stop.sources == tuple(("scores/2", query, int(key)) for key in np.flatnonzero(~allowed))
        tokens = [token for token, may in zip(state.context_tokens, allowed, strict=True) if not may]
        assert all(token in stop.words for token in tokens)


def test_the_contributions_are_a_stop_of_their_query_only():
    path = forward(ARTICLE, query=1)
    names = STAGES["weighted_sums"].names
    of_contributions = [
        [stop.entries for stop in way(ARTICLE, path, query, names=names) if stop.title == "contributions"]
        for query in (0, 1)
    ]
    assert of_contributions[0] == [()]
    assert set(of_contributions[1][0]) == {("contributions/1", row, column) for row in range(3) for column in range(3)}


def test_heads_that_share_keys_are_told_with_the_keys_that_they_share():
    state = random_state(0, num_heads=4, group_size=2)
    sources = {key for stop in assert_way(state, "all", 1, 3) for key, _, _ in stop.sources}
    assert {"Q/4", "K/2", "V/2"} <= sources and not {"Q/2", "K/1"} & sources


# What is reached


@pytest.mark.parametrize("stage", STAGES)
def test_what_is_reached_only_grows_and_in_the_end_is_all(stage):
    stops = way_of(preset("positions"), stage, 1)
    found = [set(reached(stops, number)) for number in range(len(stops))]
    assert all(earlier <= later for earlier, later in pairwise(found))
    assert found[-1] == {each for stop in stops for each in (*stop.entries, *stop.sources)}


def test_an_entry_is_reached_when_its_number_is_made():
    stops = way_of(ARTICLE, "all", query=1)
    scores = {("scores/1", 1, key) for key in range(3)}
    is_there = {stop.title: scores <= set(reached(stops, number)) for number, stop in enumerate(stops)}
    assert [title for title, there in is_there.items() if not there] == ["query, keys, values", "products", "sum"]
    assert ("weights/1", 1, 0) not in reached(stops, titles(stops).index("exponentials"))
    assert ("scores/1", 0, 0) not in reached(stops, len(stops) - 1)  # another row


# What is not there


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((3,), "query"), ((-1,), "query"), ((0, 1), "head"), ((0, 0, 3), "key"), ((0, 0, -1), "key")],
)
def test_a_row_that_is_not_there_is_an_error(arguments, name):
    with pytest.raises(ValueError, match=rf"{name} is {arguments[-1]}, but there are [13], counted from 0"):
        way(ARTICLE, forward(ARTICLE), *arguments)

"""Attention over the sentence: true to its weights, and said in words that hold."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from mha_course import who_looks
from mha_course.engine.pictures.svg import changes
from mha_course.forward.forward import forward
from mha_course.forward.meaning import in_words, meaning
from mha_course.forward.presets import PRESETS, preset
from mha_course.pictures.heat_map import heat_map
from mha_course.pictures.sentence import MOST, THICK, sentence

SVG = "{http://www.w3.org/2000/svg}"
ATTACK = '<img src=x onerror="alert(1)">\x00'


def drawn(path, chosen, head=1):
    weights = path[f"weights/{head}"]
    read = weights.columns if "context" in path else None
    return sentence(weights.values, weights.rows, chosen, read)


def strong(drawing):
    """Return the widths of the arcs of the chosen word, and of each word's faint ones."""
    groups = [group.findall(f"{SVG}path") for group in ElementTree.fromstring(drawing.svg).iter(f"{SVG}g")]
    widths = [[float(path.get("stroke-width")) for path in each] for each in groups if each]
    return widths[-1], widths[:-1]


def percents(drawing):
    (group,) = (g for g in ElementTree.fromstring(drawing.svg).iter(f"{SVG}g") if g.get("class") == "mha-percents")
    return [text.text for text in group]


@pytest.mark.parametrize("name", PRESETS)
def test_arcs_bars_and_percent_are_the_weights_of_the_chosen_word(name):
    path = forward(preset(name))
    weights = path["weights/1"].values
    for chosen in range(len(weights)):
        drawing = drawn(path, chosen)
        widths, faint = strong(drawing)
        assert len(faint) == len(weights)
        for width, text, share in zip(widths, percents(drawing), weights[chosen].tolist(), strict=True):
            assert text == f"{round(100 * share, 6):.0f} %"
            assert (width == 0) == (share < 0.02) and (not width or abs(width - max(THICK * share, 1.2)) < 0.01)


@pytest.mark.parametrize("seed", range(3))
def test_which_elements_there_are_depends_on_the_words_alone(seed):
    rng = np.random.default_rng(seed)
    for count in (1, 2, 5, MOST):
        words = [f"word{i}" for i in range(count)]
        first, second = (sentence(rng.dirichlet(np.ones(count), size=count), words, rng.integers(count)) for _ in "ab")
        assert changes(first.root, second.root) is not None
        assert first.root.attributes["viewBox"] == second.root.attributes["viewBox"]


def test_who_is_masked_is_struck_and_gets_no_arc():
    path = forward(preset("causal"))
    weights = path["weights/1"]
    hidden = ~np.tri(4, dtype=bool)
    drawing = sentence(weights.values, weights.rows, 1, masked=hidden)
    assert percents(drawing)[2:] == ["masked", "masked"] and strong(drawing)[0][2:] == [0, 0]
    assert drawing.svg.count('text-decoration="line-through"') == 2


def test_a_word_is_data_and_never_markup_and_a_long_one_is_cut_in_the_drawing_alone():
    for picture in (
        sentence([[1]], [ATTACK], 0),
        who_looks([[1]], [ATTACK], 0, title=ATTACK),
        heat_map(np.ones((1, 1)), [ATTACK], [ATTACK]),
    ):
        html = picture.svg if hasattr(picture, "svg") else picture.html
        assert "<img src=x" not in html
    long = "incomprehensibilities" * 3
    drawing = sentence([[1]], [long], 0)
    assert f">{long}<" not in drawing.svg and long in drawing.text


def test_two_sentences_stand_in_two_lines_and_the_one_that_is_read_above():
    path = forward(preset("translation"))
    texts = [
        (text.text, float(text.get("y"))) for text in ElementTree.fromstring(drawn(path, 1).svg).iter(f"{SVG}text")
    ]
    heights = dict(texts)
    assert max(heights[word] for word in ("the", "cat", "here")) < min(heights[word] for word in ("le", "chat", "ici"))
    assert len(percents(drawn(path, 1))) == 5


@pytest.mark.parametrize(
    ("give", "message"),
    [
        (lambda: sentence(np.eye(2), ["a"], 0), r"shape \(2, 2\), but 1 words that look at 1 need \(1, 1\)"),
        (lambda: sentence([[2.0]], ["a"], 0), "an entry outside 0 to 1"),
        (lambda: sentence([[1.0]], ["a"], 1), "chosen is 1, but the words count from 0 to 0"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(give, message):
    with pytest.raises(ValueError, match=message):
        give()


def presets():
    return ((name, forward(preset(name))) for name in PRESETS)


def edits():
    rng = np.random.default_rng(0)
    for _ in range(200):
        begin = rng.choice(["article", "steals", "steals_two_heads", "two_heads", "causal"])
        state = preset(begin)
        name = rng.choice([each for each in state.inputs if each != "W_O"])
        rows, columns = state.inputs[name].shape
        edited = state.with_entry(name, int(rng.integers(rows)), int(rng.integers(columns)), float(rng.integers(-4, 5)))
        yield begin, forward(edited)


@pytest.mark.parametrize("made", [presets, edits])
def test_the_sentence_names_what_is_asked_and_all_largest_weights_and_no_others(made):
    for name, path in made():
        sense, weights, Q = PRESETS[name].sense, path["weights/1"], path["Q/1"].values
        for query, word in enumerate(weights.rows):
            row, parts = weights.values[query], meaning(path, query, sense=sense)
            asked = [text for text, entry in zip(sense.asks, Q[query], strict=bool(sense.asks)) if entry > 0]
            largest = [each for each, share in zip(weights.columns, row, strict=True) if abs(share - row.max()) < 1e-9]
            is_even = len(row) > 1 and np.ptp(row) < 0.01
            found = [] if is_even else [sense.called.get(each, each) for each in largest]
            assert [text for text, is_strong in parts if is_strong] == [word, *asked, *found]
            shown = re.search(r": (\d+) per cent( each)?\.$", in_words(parts))
            assert abs(int(shown[1]) - 100 * row.max()) <= 0.5 + 1e-6 and bool(shown[2]) == (
                is_even or len(largest) > 1
            )

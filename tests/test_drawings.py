"""Drawings: the same bytes everywhere, true to their numbers, with labels that cross nothing."""

import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from itertools import combinations, pairwise
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
import pytest

from mha_course.forward.forward import forward
from mha_course.forward.presets import PRESETS, preset
from mha_course.forward.pull import pull, strongest
from mha_course.pictures.arrows import arrows
from mha_course.pictures.labelling import Room, Wanted
from mha_course.pictures.lettering import HEIGHT, width_of
from mha_course.pictures.mixes import mixes
from mha_course.pictures.plane import round_limit
from mha_course.pictures.sentence import sentence

SVG = "{http://www.w3.org/2000/svg}"
LESSONS = [name for name in PRESETS if name != "paper_size"]
ATTACK = '<img src=x onerror="alert(1)">\x00'
EVERY = """
from mha_course.pictures import arrows, mixes
from mha_course.pictures.sentence import sentence
from mha_course.forward.presets import PRESETS, preset
from mha_course.forward.forward import forward
for name in PRESETS:
    path = forward(preset(name))
    w, Q, K, V, out = (path[f"{each}/1"] for each in ("weights", "Q", "K", "V", "output"))
    for is_small in (False, True):
        print(sentence(w.values, w.rows, 0, w.columns, key=w.key, is_small=is_small).svg)
    print(arrows.arrows(Q.values, K.values, Q.rows, K.rows, live=(Q.key, K.key, "scores/1")).picture.html)
    print(mixes.mixes(V.values, out.values, V.rows, out.rows, live=(V.key, out.key)).picture.html)
"""


def sentence_of(path):
    weights = path["weights/1"]
    read = weights.columns if "context" in path else None
    return sentence(weights.values, weights.rows, 0, read, key=weights.key)


def planes_of(name):
    """Draw the planes of a preset, for several heads, pairs and columns."""
    path = forward(preset(name))
    for head in range(1, 3):
        if f"Q/{head}" in path and f"K/{head}" in path:
            Q, K, V, out = (path[f"{each}/{head}"] for each in ("Q", "K", "V", "output"))
            for columns in ((0, 1), (1, 2), (0, 2)):
                pair = (head % len(Q.rows), columns[1] % len(K.rows))
                yield arrows(Q.values, K.values, Q.rows, K.rows, pair, columns, (Q.key, K.key, f"scores/{head}"))
                yield mixes(V.values, out.values, V.rows, out.rows, columns, (V.key, out.key))


def drawn_at_random(seed):
    rng = np.random.default_rng(seed)
    n_q, n_k = rng.integers(1, 7, size=2)
    names = [f"{word}{i}" for i, word in enumerate(rng.choice(["a", "innovators", "create", "日本", "WWW"], size=7))]
    Q, K, V = (rng.normal(size=(n, 2)) * 10.0 ** rng.integers(-2, 4) for n in (n_q, n_k, n_k))
    weights = rng.dirichlet(np.full(n_k, 0.5), size=n_q)
    yield arrows(Q, K, names[:n_q], names[:n_k], pair=(n_q - 1, n_k - 1))
    yield mixes(V, weights @ V, names[:n_k], names[:n_q])


def without_live(svg):
    return re.sub(r' data-live-(of|percents|at)="[^"]*"', "", svg)


def tree(drawing):
    return ElementTree.fromstring(drawing.svg)


def test_two_processes_draw_the_same_bytes():
    command = [sys.executable, "-X", "utf8", "-c", EVERY]
    first, second = (
        subprocess.run(command, capture_output=True, check=True, env=os.environ | {"PYTHONHASHSEED": seed}).stdout
        for seed in "12"
    )
    assert len(first) > 100_000
    assert first == second


def test_noise_in_the_last_digit_changes_no_byte():
    path = forward(preset("two_heads"))
    weights, V, out = (path[f"{name}/1"] for name in ("weights", "V", "output"))
    noisy = np.nextafter(weights.values, 0), np.nextafter(out.values, 9)
    ties = np.array([[0.125, 0.875]])
    nearly = ties, np.nextafter(ties, 0), np.nextafter(ties, 1)
    assert len({sentence(each, "a", 0, "bc").svg for each in nearly}) == 1
    assert sentence(noisy[0], weights.rows, 0, key=weights.key).svg == sentence_of(path).svg
    assert mixes(V.values, noisy[1], V.rows).svg == mixes(V.values, out.values, V.rows).svg


def structure(drawing):
    """The elements of a drawing, with what an update in place cannot change."""
    return [
        (e.tag, e.get("data-query"), e.get("data-key"), e.get("data-token"), e.get("data-x"))
        for e in tree(drawing).iter()
    ]


@pytest.mark.parametrize("seed", range(5))
def test_which_elements_there_are_does_not_depend_on_the_values(seed):
    rng = np.random.default_rng(seed)
    names = ["one", "two", "three", "four"]
    rows = [np.zeros((4, 2)), np.ones((4, 2)), rng.normal(size=(4, 2)), rng.normal(size=(4, 2)) * 1e6]
    for draw in (lambda a, b: arrows(a, b, names, names), lambda a, b: mixes(a, b, names, live=("V/1", "output/1"))):
        found = [structure(draw(a, b)) for a, b in combinations(rows, 2)]
        assert all(each == found[0] for each in found)


def test_size_follows_from_labels_and_tokens_alone():
    def size(drawing):
        return tuple(float(tree(drawing).get(side)) for side in ("width", "height"))

    for name in LESSONS:
        width, height = size(sentence_of(forward(preset(name))))
        widest, highest = (480, 170) if name == "translation" else (450, 145)  # that has two lines
        assert 240 <= width <= widest and 90 <= height <= highest
    longest = ["W" * 40] * 2
    assert size(sentence(np.eye(2), longest, 0))[0] <= 430
    assert {size(drawing)[0] for name in LESSONS for drawing in planes_of(name)} <= {224, 260}
    assert all(190 <= size(drawing)[1] <= 260 for name in LESSONS for drawing in planes_of(name))


def boxes_and_lines(drawing):
    """Return the boxes of the seen labels in the plane, and every line that is drawn there."""
    root, boxes, lines = tree(drawing), [], []
    for text in root.iter(f"{SVG}text"):
        if text.get("visibility") != "hidden":
            width, x, y = width_of("".join(text.itertext())), float(text.get("x")), float(text.get("y"))
            left = x - width * {"middle": 0.5, "end": 1}.get(text.get("text-anchor"), 0)
            boxes.append((left, y - 9, left + width - 2, y + 2))
    for path in root.iter(f"{SVG}path"):
        for part in path.get("d").split("M")[1:]:
            points = [tuple(map(float, each.split())) for each in part.replace("Z", "").split("L")]
            points += points[:1] if "Z" in part else []
            lines += pairwise(points)
    return boxes, lines


def meets(box, line):
    """Whether a line runs through a box: it is looked at in many places."""
    left, top, right, bottom = box
    (x0, y0), (x1, y1) = line
    return any(
        left < x0 + (x1 - x0) * share < right and top < y0 + (y1 - y0) * share < bottom
        for share in np.linspace(0, 1, 2 + int(math.dist(*line) * 4))
    )


def assert_labels_cross_nothing(drawing):
    boxes, lines = boxes_and_lines(drawing)
    for box, line in ((box, line) for box in boxes for line in lines):
        assert not meets(box, line), (drawing, box, line)
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (drawing, a, b)
    for circle in tree(drawing).iter(f"{SVG}circle"):
        x, y, r = (float(circle.get(name)) for name in ("cx", "cy", "r"))
        if r and circle.get("fill") != "transparent":
            ring = [((x - r, y - r), (x + r, y + r)), ((x - r, y + r), (x + r, y - r))]
            assert not any(meets(box, line) for box in boxes for line in ring), (drawing, x, y)


@pytest.mark.parametrize("name", PRESETS)
def test_labels_cross_no_line_no_point_and_no_other_label(name):
    drawings = list(planes_of(name))
    assert drawings
    for drawing in drawings:
        assert_labels_cross_nothing(drawing)


@pytest.mark.parametrize("seed", range(12))
def test_labels_cross_nothing_whatever_the_numbers(seed):
    for drawing in drawn_at_random(seed):
        assert_labels_cross_nothing(drawing)


@pytest.mark.parametrize("columns", [(0, 1), (1, 2)])
def test_a_point_has_its_label_beside_it_or_shows_it_while_it_is_looked_at(columns):
    path = forward(preset("article"))
    Q, K, V, out = (path[f"{each}/1"] for each in ("Q", "K", "V", "output"))
    for signs, drawing in (
        ("qk", arrows(Q.values, K.values, Q.rows, K.rows, (1, 1), columns)),
        ("vo", mixes(V.values, out.values, V.rows, out.rows, columns)),
    ):
        texts = [(text, "".join(text.itertext())) for text in tree(drawing).iter(f"{SVG}text")]
        crowded = {words for text, words in texts if text.get("data-crowded") == "yes"} - {""}
        seen = {words for text, words in texts if text.get("visibility") != "hidden"}
        wanted = {f"{sign} {name}" for sign in signs for name in Q.rows}
        assert crowded | seen > wanted and not crowded & seen and len(seen & wanted) >= 3


def test_a_label_is_nearest_to_its_own_point():
    room = Room((0, 0, 200, 100), points=[(50, 50, 5), (70, 50, 5)])
    for point in ((50, 50), (70, 50)):
        left, top, right, bottom = room.places(Wanted("name", point))[0]
        distances = {x: math.dist((x, 50), (np.clip(x, left, right), np.clip(50, top, bottom))) for x in (50, 70)}
        assert min(distances, key=distances.get) == point[0]


def test_labels_are_not_smaller_than_said():
    texts = [text for name in LESSONS for drawing in planes_of(name) for text in tree(drawing).iter(f"{SVG}text")]
    assert texts and not any(text.get("font-size") for text in texts)
    assert 'font-size="12"' in next(planes_of("article")).svg and HEIGHT >= 12


def test_a_token_is_data_and_never_markup():
    for picture in (
        arrows([[1, 2]], [[2, 1]], [ATTACK], [ATTACK]), mixes([[1, 2]], [[1, 2]], [ATTACK]),
        sentence([[0.5, 0.5]], [ATTACK], 0, [ATTACK, "ok"], key="weights/1"),
    ):  # fmt: skip
        assert "<img" not in picture.svg and ElementTree.fromstring(picture.svg) is not None
        assert picture.picture.html.count("<img") == 1 and 'onerror="' not in picture.picture.html


def test_descriptions_say_the_numbers():
    path = forward(preset("article_scale_1"))
    Q, K, V, out = (path[f"{each}/1"] for each in ("Q", "K", "V", "output"))
    assert "innovators: 6 % to innovators, 47 % to create, 47 % to disrupt;" in sentence_of(path).text
    labels = [e.get("aria-label") for e in tree(sentence_of(path)).iter() if e.get("data-word") == "0"]
    assert labels == ["innovators: 6 % to innovators, 47 % to create, 47 % to disrupt"]
    drawing = arrows(Q.values, K.values, Q.rows, K.rows, (1, 2), live=("Q/1", "K/1", "scores/1"))
    assert "q·k = 2·2 + 2·3 = 10. The projection of q on k has length 2.77, that of k is 3.61" in drawing.text
    assert "The other columns add 2, so that q·k is 12 in all." in drawing.text
    assert "q·k ≈ 2.77 × 3.61 + 2 = 12" in "".join(tree(drawing).itertext())
    assert 'aria-label="query of create: (2, 2); arrow keys move it"' in drawing.svg
    told = mixes(V.values, out.values, V.rows, columns=(1, 2)).text
    assert told.startswith("Columns 2 and 3. Values: innovators (2, 3), create (8, 0), disrupt (6, 3).")
    assert told.endswith("All outputs lie inside the values.")


def test_what_is_drawn_of_a_row_names_it():
    path = forward(preset("article"))
    Q, K, V, out = (path[f"{each}/1"] for each in ("Q", "K", "V", "output"))
    planes = (
        arrows(Q.values, K.values, Q.rows, K.rows, (1, 2), live=("Q/1", "K/1", "scores/1")),
        mixes(V.values, out.values, V.rows, out.rows, live=("V/1", "output/1")),
    )
    found = [[e.get("data-live-of") for e in tree(plane).iter() if e.get("data-live-of")] for plane in planes]
    rows = {f"{name}/1:{row}" for name in "QK" for row in range(3)}
    assert set(found[0]) == rows | {"scores/1:1"} and all(found[0].count(row) == 3 for row in rows)
    assert found[0].count("scores/1:1") == 5  # the shadow, two lines, its length and the product
    rows = {f"{name}/1:{row}" for name in ("V", "output") for row in range(3)}
    assert set(found[1]) == rows | {"V/1"} and all(found[1].count(row) == 3 for row in rows)


def test_an_output_that_is_no_mix_is_not_said_to_be_one():
    values = [[1, 1], [2, 1], [1, 2]]
    assert mixes(values, [[1.2, 1.2], [0, 0]], "abc", "de").text.endswith("1 of 2 outputs lie inside the values.")
    assert mixes([[1, 1]], [[1, 1]], "a").text.endswith("All outputs lie inside the values.")
    assert mixes([[1, 1], [3, 3]], [[2, 2], [2, 2.5]], "ab").text.endswith("1 of 2 outputs lie inside the values.")


def test_the_projection_is_where_it_belongs():
    path = forward(preset("two_heads"))
    Q, K = path["Q/2"], path["K/2"]
    for pair in np.ndindex(3, 3):
        told = arrows(Q.values[:, :2], K.values[:, :2], Q.rows, K.rows, pair).text
        length, size = map(float, re.search(r"has length (\S+), that of k is ([\d.]+):", told).groups())
        assert length * size == pytest.approx(Q.values[pair[0], :2] @ K.values[pair[1], :2], abs=0.05)


def test_the_chosen_pair_lies_above_the_others():
    drawing = arrows([[1, 1], [2, 2], [3, 1]], [[4, 4], [1, 2]], "abc", "de", pair=(1, 0))
    opacities = [e.get("opacity") for e in tree(drawing).iter(f"{SVG}g") if e.get("opacity")]
    assert opacities == ["0.45", "0.45", "0.45", "1", "1"]


def test_limits_are_round_and_stay_under_small_changes():
    limits = [round_limit(each) for each in np.linspace(0.5, 100, 2000)]
    assert all(limit >= each - 1e-9 for limit, each in zip(limits, np.linspace(0.5, 100, 2000), strict=True))
    assert len(set(limits)) < 25 and limits == sorted(limits)
    assert round_limit(1e-300) == 1 and round_limit(7e99) == 8e99
    units = {tree(mixes([[size, 1]], [[1, 1]], "a")).get("data-unit") for size in (6.2, 7, 7.3, 7.9)}
    assert len(units) == 1


def test_the_still_is_the_same_drawing_on_white():
    drawing = sentence_of(forward(preset("article")))
    inside = unquote(unescape(re.search(r'src="data:image/svg\+xml,([^"]+)"', drawing.picture.html)[1]))
    assert inside.replace('<rect width="100%" height="100%" fill="#fff"/>', "") == without_live(drawing.svg)
    assert without_live(drawing.svg) != drawing.svg and "data-live" not in inside
    assert inside.index("#fff") < inside.index("<path") and f'alt="{drawing.text}"' in drawing.picture.html
    assert drawing._repr_html_() == drawing.picture.html


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: arrows(np.eye(2), np.eye(2), "ab", "ab", pair=(0, 2)), r"pair is \(0, 2\), but there are 2 queries"),
        (lambda: arrows(np.eye(2), np.eye(2), "ab", "ab", columns=(0, 2)), r"queries has shape \(2, 2\), but columns"),
        (lambda: mixes(np.eye(2), np.eye(2), "abc"), "names has 3 names, but needs 2"),
    ],
)
def test_what_does_not_fit_is_said(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


# Pulling


@pytest.mark.parametrize("name", ["article", "two_heads", "translation", "positions", "paper_size"])
@pytest.mark.parametrize("difference", [0.5, -1.0])
def test_a_pulled_entry_moves_as_far_as_asked_by_one_changed_entry(name, difference):
    state = preset(name)
    path = forward(state)
    for key in [key for key in path if key[:2] in ("Q/", "K/", "V/")][:6]:
        for row in range(len(path[key].values)):
            if not np.any(path["X" if key[0] == "Q" or "context" not in path else "context"].values[row]):
                continue
            pulled = pull(state, path, key, row, 1, difference)
            ((changed, _, wide),) = pulled.changes_since(state)
            after = forward(pulled)[key].values
            assert after[row, 1] - path[key].values[row, 1] == pytest.approx(difference, abs=0.02)
            assert np.array_equal(np.delete(after, 1, axis=1), np.delete(path[key].values, 1, axis=1))
            assert changed == f"W_{key[0]}" and wide == (int(key[2:]) - 1) * after.shape[1] + 1


def test_a_pull_moves_the_other_tokens_little():
    state = preset("article")
    path = forward(state)
    before, after = path["V/1"].values, forward(pull(state, path, "V/1", 0, 2, 3.0))["V/1"].values
    assert (after - before)[:, 2].tolist() == [3, 0, 3]  # create has a 0 where innovators has a 1
    assert strongest(np.array([[3, 2], [5, 0]]), 0) == 1
    assert strongest(np.array([[3, 1], [5, 0]]), 0) == 0  # a 1 would have to be changed by a lot


def test_an_input_is_pulled_itself_and_keeps_two_decimals():
    state = preset("article")
    pulled = pull(state, forward(state), "W_Q", 1, 2, 1 / 3)
    assert pulled.changes_since(state) == [("W_Q", 1, 2)] and pulled.inputs["W_Q"][1, 2] == 0.33


def test_what_cannot_be_pulled_is_said():
    article = preset("article")
    state = replace(article, inputs=article.inputs | {"X": article.inputs["X"] * [[1], [1], [0]]})
    path = forward(state)
    with pytest.raises(ValueError, match=r"Q\[3,1\] stays 0: the row of disrupt in X is all zeros"):
        pull(state, path, "Q/1", 2, 0, 1.0)
    for key in ("weights/1", "M/1", "carried/1"):
        with pytest.raises(ValueError, match=f"{key} cannot be pulled"):
            pull(state, path, key, 0, 0, 0.1)
    for place in ((4, 0), (-1, 0)):
        with pytest.raises(ValueError, match="there is no entry"):
            pull(state, path, "Q/1", *place, 0.1)

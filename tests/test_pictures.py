"""Pictures: the same bytes each time, readable by eye, by screen reader and in any colour."""

import ast
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import colour_vision
import numpy as np
import pytest

import mha_course
from mha_course import article, chain, curves, legend, matrix, mixes
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.cards import card
from mha_course.engine.pictures.theme import BORDER, NEGATIVE, STRONGEST, STRONGEST_NEGATIVE, VERDICTS
from mha_course.forward.matrices import MATRICES
from mha_course.pictures.palette import ROLES, tint

DRAW = {
    "matrix": "m.matrix(m.article.X, 'X', m.article.tokens)",
    "chain": "m.chain(m.matrix(m.article.X, 'X'), '·', m.matrix(m.article.W_Q, 'W_Q'))",
    "curves": "m.curves([0, 1, 2], {'a': [0, 1, 4], 'b': [1, 1, 1]}, 'x', 'y', 'Two curves.')",
    "mixes": "m.mixes([[0, 0], [4, 0], [0, 4]], [[1, 1]], ['a', 'b', 'c'], ['mean']).picture",
    "legend": "m.legend()",
    "whole_path": "m.whole_path(m.steps(m.preset('two_heads')))",
}


@pytest.mark.parametrize("call", DRAW.values(), ids=DRAW.keys())
def test_two_processes_draw_the_same_bytes(call):
    command = [sys.executable, "-X", "utf8", "-c", f"import mha_course as m; print(({call}).html)"]
    first, second = (subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2))
    assert len(first) > 100
    assert first == second


@pytest.mark.parametrize("call", DRAW.values(), ids=DRAW.keys())
def test_every_picture_says_in_words_what_it_shows(call):
    picture = eval(call, {"m": mha_course})
    assert len(picture.text) > 8 and repr(picture) == picture.text
    tables, images = picture.html.count("<table"), picture.html.count("<img")
    assert tables + images > 0
    assert len(re.findall(r"<caption[^>]*>(?:<b>)?[^<]+<", picture.html)) == tables
    assert len(re.findall(r'<img [^>]*alt="[^"]+"', picture.html)) == images
    assert not re.search(r"<svg|<image|%3Cimage|base64|dc:date|<script", picture.html)


def test_a_table_names_its_rows_its_columns_and_itself():
    html = matrix([[1, 2]], "scores", ["to"], ["be", "or"]).html
    assert re.findall(r'<th scope="row"[^>]*>(\w+)</th>', html) == ["to"]
    assert re.findall(r'<th scope="col"[^>]*>(\w+)</th>', html) == ["be", "or"]
    assert ">scores (1 × 2): queries down, keys across</caption>" in html


def test_a_token_is_data_and_never_markup():
    attack = "<img src=x onerror=alert(1)>"
    picture = chain(matrix([[attack]], "scores", [attack], [attack], title=attack), attack)
    assert "<img" not in picture.html
    assert picture.html.count("&lt;img src=x onerror=alert(1)&gt;") == 5
    assert '"onload' not in curves([0], {"a": [0]}, "x", "y", '"onload="alert(1)').html


def test_a_long_axis_is_cut_and_its_last_entry_kept():
    picture = matrix(np.arange(600).reshape(20, 30), "X")
    assert "X (20 × 30)" in picture.html
    assert ">599</td>" in picture.html and ">…</th>" in picture.html and ">⋮</th>" in picture.html
    assert picture.html.count("<tr>") == 1 + 7
    assert len(picture.text.splitlines()) == 2 + 7


def test_the_entries_on_the_screen_are_the_entries_of_the_array():
    values = np.random.default_rng(3).normal(size=(4, 5))
    shown = re.findall(r"<td [^>]*>([^<]+)</td>", matrix(values, "scores", decimals=6).html)
    np.testing.assert_allclose(np.array(shown, dtype=float).reshape(4, 5), values, atol=5e-7)


def test_marked_entries_and_only_they_get_a_frame():
    html = matrix([[1, 2], [3, 4]], "scores", marked={(1, 0)}).html
    assert re.findall(r"outline:[^>]*>(\d)</td>", html) == ["3"]


def test_masked_entries_and_only_they_get_lines():
    html = matrix([[1, 2], [3, 4]], "scores", masked={(0, 1)}).html
    assert re.findall(r"background:repeating[^>]*>(\d)</td>", html) == ["2"]


def test_shares_are_bars_below_their_digits():
    html = matrix([[0.25, 0.75]], "weights").html
    assert re.findall(r"linear-gradient\([^)]*\) 0 100%/(\d+)% 4px no-repeat", html) == ["25", "75"]


def test_minus_zero_and_what_is_not_finite_are_written_plainly():
    assert matrix([[-0.0, 0.5]], "scores", decimals=1).text.split()[-2:] == ["0.0", "0.5"]
    assert matrix([[np.nan, np.inf]], "scores").text.split()[-2:] == ["nan", "inf"]


def test_curves_tell_their_description_and_hold_no_date_and_no_pixels():
    html = curves([0, 1], {"a": [0, 1]}, "x", "y", "A rising line.").html
    assert 'alt="A rising line."' in html
    assert not re.search(r"dc:date|%3Cimage|base64|Matplotlib v", html)


def luminance(colour):
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def over(colour, opacity, page):
    return [opacity * c + (1 - opacity) * p for c, p in zip(colour, page, strict=True)]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("strength", [1, -1])
@pytest.mark.parametrize(("page", "ink"), [((255,) * 3, (33,) * 3), ((17,) * 3, (255,) * 3)], ids=["light", "dark"])
def test_text_on_a_tint_passes_the_contrast_of_wcag_aa(role, strength, page, ink):
    *colour, opacity = bytes.fromhex(tint(role, strength).removeprefix("#"))
    opacity /= 255
    bright, dark = sorted([luminance(over(colour, opacity, page)), luminance(ink)], reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= 4.5


PAGES = {"light": (255,) * 3, "dark": (17,) * 3}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("seen_by", colour_vision.KINDS)
def test_the_colour_of_outputs_is_told_from_every_other(page, seen_by):
    tints = {role: over(colour, STRONGEST, PAGES[page]) for role, colour in ROLES.items()} | {"page": PAGES[page]}
    output = tints.pop("output")
    distances = {role: colour_vision.distance(output, colour, seen_by) for role, colour in tints.items()}
    assert min(distances.values()) > 7, distances
    assert distances["query"] > (12 if seen_by == "everybody" else 7)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("seen_by", colour_vision.KINDS)
def test_the_grey_of_what_is_negative_is_told_from_every_colour(page, seen_by):
    negative = over(NEGATIVE, STRONGEST_NEGATIVE, PAGES[page])
    tints = {role: over(colour, STRONGEST, PAGES[page]) for role, colour in ROLES.items()} | {"page": PAGES[page]}
    distances = {role: colour_vision.distance(negative, colour, seen_by) for role, colour in tints.items()}
    assert min(distances.values()) > 5, distances


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("role", "sign"), [*((role, 1) for role in ROLES), ("query", -1)])
def test_the_steps_of_a_colour_are_visible_on_both_pages(page, role, sign):
    tints = [bytes.fromhex(tint(role, sign * strength).removeprefix("#")) for strength in (0, 0.25, 0.5, 0.75, 1)]
    steps = [over(colour, opacity / 255, PAGES[page]) for *colour, opacity in tints]
    distances = [colour_vision.distance(one, next_one) for one, next_one in pairwise(steps)]
    assert min(distances) > 3, distances  # from 2.3 on, two colours that touch are seen as two


def test_the_border_of_what_can_be_changed_is_seen_on_both_pages():
    for page in PAGES.values():
        bright, dark = sorted([luminance(BORDER), luminance(page)], reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 3


def test_a_card_says_its_verdict_by_sign_word_and_colour_and_counts_its_entries():
    one = [("yours", "axis = -2"), ("right", "axis = -1")]
    assert "✗ not right</span> <b>No.</b>" in card("wrong", "No.").html
    colours = [re.findall(r"background:([^;\"]+)", card(verdict, "…").html)[0] for verdict in VERDICTS]
    assert len(set(colours)) == 3
    assert ">One entry, yours and the right one</caption>" in card("wrong", "No.", lines=one).html
    assert ">2 entries, yours and the right ones</caption>" in card("wrong", "No.", lines=one * 2).html


def test_every_kind_of_matrix_has_a_colour():
    assert {kind.role for kind in MATRICES.values()} == set(ROLES)
    assert all(f">{role}</th>" in legend().html for role in ROLES)


def test_the_triangle_is_named_in_its_text():
    assert (
        "Values: innovators (1, 0), create (0, 2), disrupt (1, 1)." in mixes(article.X, article.X, article.tokens).text
    )


# How HTML is written

PACKAGE = Path(mha_course.__file__).parent
MARKUP, OF_THE_BOARD = "engine/pictures/markup.py", "pictures/board_markup.py"
TAG = re.compile(r"</?(?!start>|end>)[a-z]+[ >]")  # <start> and <end> are tokens of a sentence
STYLE = re.compile(r"\b(text-align|background(-color|-image)?|border(-\w+)?|margin|padding|font-size|display|outline):")


def literals(path):
    """Every text that a file's code makes, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


@pytest.mark.parametrize(
    ("kind", "writers"), [(TAG, {MARKUP}), (STYLE, {MARKUP, OF_THE_BOARD})], ids=["tags", "styles"]
)
def test_only_one_module_spells_html(kind, writers):
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    found = {name: [text for text in literals(path) if kind.search(text)] for name, path in paths.items()}
    assert {name: texts for name, texts in found.items() if texts and name not in writers} == {}
    assert found[MARKUP]  # so that the search finds what it looks for


def test_no_style_and_no_colour_is_written_twice():
    declarations = [
        declaration.strip()
        for name in (MARKUP, OF_THE_BOARD)
        for text in literals(PACKAGE / name)
        for declaration in text.split(";")
        if re.fullmatch(r"\s*[a-z-]+:[^:]+", declaration)
    ]
    assert len(declarations) > 10 and len(declarations) == len(set(declarations))
    colours = [text for path in PACKAGE.rglob("pictures/*.py") for text in literals(path) if "rgb" in text]
    assert len(colours) == len(set(colours))


class Nesting(HTMLParser):
    """Notes which elements a text opens, with their attributes, and whether each is closed in its turn."""

    def __init__(self, html):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in ("input", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("call", DRAW.values(), ids=DRAW.keys())
def test_what_is_opened_is_closed(call):
    nesting = Nesting(eval(call, {"m": mha_course}).html)
    assert nesting.seen and not nesting.open


@pytest.mark.parametrize("text", ['"><b onclick="x">', "a & b < c", "'", "&amp;"])
def test_text_stays_text_wherever_it_stands(text):
    element = markup.element("p", text, title=text)
    (parsed,) = Nesting(element).seen
    assert parsed == ("p", {"title": text})
    assert markup.element("p", element).count("&amp;amp;") == element.count("&amp;amp;")  # markup is not escaped again
    for html in (markup.row_header(text), markup.cell(text), markup.entry(text, "red", "")):
        assert len(Nesting(html).seen) == 1


def test_what_a_text_and_markup_make_together_by_hand_is_taken_for_text():
    assert markup.escaped("" + markup.bold("x")) == "&lt;b&gt;x&lt;/b&gt;"


def test_every_matrix_names_itself_to_programs():
    tables = re.findall(r'<table [^>]*data-matrix="([^"]*)"', eval(DRAW["whole_path"], {"m": mha_course}).html)
    assert tables[:3] == ["X", "W_Q", "Q"] and "result" in tables

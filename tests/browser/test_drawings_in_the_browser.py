"""Drawings on a plain page in a real browser: brought up to date in place, a word chosen, points pulled."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from lab import patient, wait_until
from playwright.sync_api import expect

import mha_course
from mha_course.forward.forward import forward
from mha_course.forward.presets import preset
from mha_course.forward.pull import pull
from mha_course.pictures.arrows import arrows
from mha_course.pictures.mixes import mixes
from mha_course.pictures.sentence import sentence

FILES = Path(mha_course.__file__).parent / "widgets" / "browser"
PAGE = """<!doctype html><html lang="en"><title>Drawings</title>
<style>{css}</style><body class="mha" style="margin:20px;font-family:sans-serif;background:white;color:#212121">
<main><h1 style="font-size:12px">Drawings</h1>
<div id="sentence"></div><div id="arrows"></div><div id="mixes"></div></main>
<script>{js}</script>"""


def drawn(page):
    """Wait until a page has been drawn once more, and so has done what it does for each frame."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


class Board:
    """What a session does with the drawings: it pulls, and draws anew."""

    def __init__(self, page):
        self.page, self.state, self.pulls = page, preset("article"), []
        read = {name: (FILES / f"drawings.{name}").read_text(encoding="utf-8") for name in ("css", "js")}
        page.set_content(PAGE.format(**read))
        page.expose_function("pull", self.pull)
        page.evaluate("""() => {
            const show = (all) => Object.entries(all).forEach(([id, svg]) => refresh(document.getElementById(id), svg));
            window.show = show;
            window.chosen = [];
            choosing(document.body, (word) => chosen.push(word));
            window.delay = 0;
            let asked = 0;
            window.drops = 0;
            pullable(document.body, async (name, at, difference) => {
                if (name === "drop") return drops += 1;
                asked += 1;
                const all = await pull(name, at, difference);
                setTimeout(() => { show(all); asked -= 1; }, delay);
            }, () => asked === 0);
        }""")
        self.show()

    def drawings(self):
        path = forward(self.state)
        w, Q, K, V, out = (path[f"{name}/1"] for name in ("weights", "Q", "K", "V", "output"))
        return {
            "sentence": sentence(w.values, w.rows, 1, w.columns if "context" in path else None, key=w.key).svg,
            "arrows": arrows(Q.values, K.values, Q.rows, K.rows, (1, 2), live=(Q.key, K.key, "scores/1")).svg,
            "mixes": mixes(V.values, out.values, V.rows, out.rows, (1, 2), (V.key, out.key)).svg,
        }

    def show(self):
        self.page.evaluate("show", self.drawings())

    def pull(self, name, at, difference):
        self.pulls.append((name, at, difference))
        key, place = at.split(":")
        self.state = pull(self.state, forward(self.state), key, *map(int, place.split(",")), difference)
        return self.drawings()

    def entry(self, key, row, column):
        return forward(self.state)[key].values[row, column]

    def html(self):
        """Every drawing as it stands on the page; the order of attributes is none."""
        return self.written("""() => [...document.querySelectorAll("svg")].map((svg) => {
            const copy = svg.cloneNode(true);
            for (const node of [copy, ...copy.querySelectorAll("*")]) OWN.forEach((name) => node.removeAttribute(name));
            return new XMLSerializer().serializeToString(copy);
        })""")

    def fresh(self):
        return self.written(
            """(svgs) => svgs.map((svg) => {
            const place = document.createElement("div");
            place.innerHTML = svg;
            return new XMLSerializer().serializeToString(place.firstChild);
        })""",
            list(self.drawings().values()),
        )

    def written(self, *script):
        return [ElementTree.canonicalize(svg) for svg in self.page.evaluate(*script)]


@pytest.fixture
def board(browser):
    page = patient(browser.new_page(viewport={"width": 900, "height": 700}))
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    yield Board(page)
    page.close()
    assert errors == []


def test_an_update_in_place_is_the_fresh_drawing_and_keeps_nodes_and_focus(board):
    token = board.page.locator('#sentence [data-word="1"]')
    token.focus()
    board.page.evaluate("window.kept = [...document.querySelectorAll('svg *:not(text, tspan)')]")
    for name, place, value in (("W_K", (0, 2), 5), ("W_V", (1, 1), -3), ("W_Q", (0, 0), 0), ("X", (1, 1), 0.25)):
        board.state = board.state.with_entry(name, *place, value)
        board.show()
        assert board.html() == board.fresh()
    assert board.page.evaluate("kept.every((node) => node.isConnected)")
    assert token.evaluate("(node) => node === document.activeElement")


def test_another_structure_is_taken_over_too(board):
    board.state = preset("translation")
    board.show()
    assert board.html() == board.fresh()


def test_a_word_is_chosen_by_a_click_an_arrow_key_or_enter(board):
    words = board.page.locator("#sentence [data-word]")
    words.nth(2).click()
    expect(words.nth(2)).to_be_focused()
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "Enter"):
        board.page.keyboard.press(key)
    assert board.page.evaluate("chosen") == ["2", "0", "2", "1", "1"]
    expect(words.nth(1)).to_be_focused()


def test_arrow_keys_pull_by_a_tenth_or_by_one_and_keep_the_focus(board):
    board.page.get_by_role("application", name="query of create: (2, 2); arrow keys move it").focus()
    handle = board.page.locator('#arrows [data-x="Q/1:1,0"]')
    for key, at, expected in (
        ("ArrowRight", "Q/1:1,0", 2.1), ("Shift+ArrowLeft", "Q/1:1,0", 1.1), ("ArrowUp", "Q/1:1,1", 2.1),
        ("Shift+ArrowDown", "Q/1:1,1", 1.1),
    ):  # fmt: skip
        before = len(board.pulls)
        handle.press(key)
        wait_until(lambda: len(board.pulls) > before, "what the key asks for")  # noqa: B023
        assert board.pulls[-1][:2] == ("pull", at)
        assert board.entry("Q/1", 1, int(at[-1])) == pytest.approx(expected)
    expect(handle).to_have_attribute("aria-label", re.compile(r"query of create: \(1\.1, 1\.1\)"))
    assert handle.evaluate("(node) => node === document.activeElement")


@pytest.mark.parametrize(
    ("place", "at", "delay", "held"), [("arrows", "K/1:2,0", 0, []), ("mixes", "V/1:0,1", 100, ["Shift"])]
)
def test_a_drag_brings_the_point_under_the_pointer_or_to_the_nearest_half(board, place, at, delay, held):
    board.page.evaluate("(each) => (delay = each)", delay)
    for key in held:
        board.page.keyboard.down(key)
    handle = board.page.locator(f'#{place} [data-x="{at}"]')
    unit = float(board.page.locator(f"#{place} svg").get_attribute("data-unit"))
    before = [float(each) for each in handle.get_attribute("data-here").split()]
    x, y = middle_of(handle)
    board.page.mouse.move(x, y)
    board.page.mouse.down()
    for i in range(1, 31):
        board.page.mouse.move(x + i, y - i / 2)
        drawn(board.page)

    def is_under_the_pointer():
        after = [float(each) for each in handle.get_attribute("data-here").split()]
        wanted = [before[0] + 30 / unit, before[1] + 15 / unit]
        return after == pytest.approx(wanted if held else [round(2 * each) / 2 for each in wanted], abs=0.05)

    wait_until(is_under_the_pointer, "the point under the pointer")
    board.page.mouse.up()
    assert 2 <= len(board.pulls) <= 62 and {pulled[1][:3] for pulled in board.pulls} == {at[:3]}
    assert all(difference > -0.1 for _, _, difference in board.pulls)  # it never asks twice for the same way
    wait_until(lambda: board.page.evaluate("drops") == 1, "its end, said once the last answer has come")
    count = len(board.pulls)
    board.page.mouse.move(x, y)
    drawn(board.page)
    assert len(board.pulls) == count  # let go


def middle_of(handle):
    box = handle.locator("circle").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_drag_asks_for_nothing_while_an_answer_is_still_to_come(board):
    board.page.evaluate("delay = 1e6")
    handle = board.page.locator('#mixes [data-x="V/1:0,1"]')
    x, y = middle_of(handle)
    board.page.mouse.move(x, y)
    board.page.mouse.down()
    for i in range(1, 21):
        board.page.mouse.move(x + i, y - i)
        drawn(board.page)
    board.page.mouse.up()
    assert [at for _, at, _ in board.pulls] == ["V/1:0,1", "V/1:0,2"]  # once for each axis


def test_a_finger_pulls_and_the_page_stays_where_it_is(browser):
    page = patient(browser.new_context(viewport={"width": 390, "height": 700}, has_touch=True)).new_page()
    Board(page)
    page.evaluate("document.body.style.height = '3000px'")
    handle = page.locator('#arrows [data-x="K/1:2,0"]')
    (x, y), unit = middle_of(handle), float(page.locator("#arrows svg").get_attribute("data-unit"))
    hand = page.context.new_cdp_session(page)
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for i in range(1, 16):
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + 3 * i}]})
        drawn(page)
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def is_under_the_finger():
        here = [float(each) for each in handle.get_attribute("data-here").split()]
        return here == pytest.approx([2, round(2 * (3 - 45 / unit)) / 2], abs=0.05)

    wait_until(is_under_the_finger, "the point under the finger")
    assert page.evaluate("scrollY") == 0
    page.context.close()


def test_real_letters_stay_within_the_room_kept_for_them(board):
    outside = board.page.evaluate("""() => [...document.querySelectorAll("svg")].flatMap((svg) => {
        const whole = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("text:not([visibility])")].filter((text) => {
            const box = text.getBoundingClientRect();
            const size = parseFloat(getComputedStyle(text).fontSize);
            return size < 12 || box.left < whole.left || box.right > whole.right || box.bottom > whole.bottom + 1;
        }).map((text) => text.textContent);
    })""")
    assert outside == []


def test_axe_finds_nothing_serious(board):
    results = Axe().run(board.page)
    found = [each for each in results.response["violations"] if each["impact"] in ("serious", "critical")]
    assert found == []

"""Every widget where a reader's system chooses the colours, where the page is zoomed, and how its lines are set."""

import json

import pytest
from driving import begin_to_write, new_readers, open_all
from plain import PlainTab
from playwright.sync_api import expect
from stored import NOTEBOOKS

from mha_course import Desk, Gallery, Speak, Train, Workbench, arrange, practise, predict, quiz

LEAST, LONGEST_LINE = 12, 72  # pixels of a letter; letters of a line
# What is drawn behind numbers, and of the entries in miniature.
LOOKS = """() => [...document.querySelectorAll('.mha :is(td, i, span, label)[style*="background:"]')].map((each) => {
    const { backgroundColor, backgroundImage, backgroundSize } = getComputedStyle(each);
    return `${backgroundColor} ${backgroundImage} ${backgroundSize}`;
})"""
# The colours of what is pressed in and of what is not, which may not be the same.
PRESSED = """selector => [...document.querySelectorAll(selector)].map((each) => {
    const { backgroundColor, backgroundImage, borderBottomColor } = getComputedStyle(each);
    return `${backgroundColor} ${backgroundImage} ${borderBottomColor}`;
})"""
# Texts that are seen smaller than they may be, in the size that they have on the page.
SMALL = """least => [...document.querySelectorAll('.mha')].flatMap((widget) => {
    const found = [], walker = document.createTreeWalker(widget, NodeFilter.SHOW_TEXT);
    const note = (node, size, text) => size < least - 0.1 && found.push(`${widget.className}: ${text} ${size}`);
    while (walker.nextNode()) {
        const text = walker.currentNode.data.trim(), node = walker.currentNode.parentElement;
        if (!text || !node.checkVisibility()) continue;
        const scale = node.closest('svg') ? node.getScreenCTM().a : 1;
        note(node, scale * parseFloat(getComputedStyle(node).fontSize), text);
    }
    for (const node of widget.querySelectorAll('button, input, select, textarea')) {
        const size = parseFloat(getComputedStyle(node).fontSize);
        if (node.checkVisibility()) note(node, size, node.outerHTML.slice(0, 80));
    }
    return found;
})"""
# What reaches beyond its widget, or beyond a box that clips it, where nothing scrolls.
CUT = """() => [...document.querySelectorAll('.mha')].flatMap((widget) => {
    const box = (node) => node.getBoundingClientRect();
    const is = (node, way) => getComputedStyle(node).overflowX === way;
    const around = (node) => node === widget ? [] : [node.parentElement, ...around(node.parentElement)];
    const kinds = 'td, th, button, select, input, textarea, text, p, caption, code, label, legend';
    return [...widget.querySelectorAll(kinds)]
        .filter((node) => node.checkVisibility() && box(node).width && getComputedStyle(node).clip === 'auto')
        .filter((node) => {
            const scrolls = around(node).findIndex((each) => is(each, 'auto') || is(each, 'scroll'));
            const limits = around(node).filter((each) => each === widget || is(each, 'hidden'));
            return limits.some((limit) => {
                const isScrolled = scrolls >= 0 && scrolls <= around(node).indexOf(limit);
                return !isScrolled && (box(node).right > box(limit).right + 1 || box(node).left < box(limit).left - 1);
            });
        })
        .map((node) => `${widget.className}: ${node.outerHTML.slice(0, 120)}`);
})"""
# The longest lines in which the paragraphs below some elements are set.
LINES = """selector => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility()).map((each) => {
    const lines = new Map(), range = document.createRange();
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        if (text.parentElement.closest('table, pre, li:has(> code:only-child)')) continue;
        for (let i = 0; i < text.length; i++) {
            range.setStart(text, i);
            range.setEnd(text, i + 1);
            const { width, bottom } = range.getBoundingClientRect();
            if (width) lines.set(Math.round(bottom / 8), (lines.get(Math.round(bottom / 8)) ?? '') + text.data[i]);
        }
    }
    return [...lines.values()].map((line) => line.trim()).sort((a, b) => b.length - a.length)[0] ?? '';
})"""
BOARDS = [
    lambda: Workbench(stage="scaled_scores"),
    lambda: Workbench("steals", stage="weighted_sums"),
    lambda: Workbench("steals_two_heads", stage="heads"),
    lambda: Workbench(stage="softmax", goal="two_texts"),
    lambda: Workbench("translation", stage="softmax"),
    lambda: Workbench("two_heads", stage="what_a_head_does"),
    lambda: Workbench("paper_size"),
    lambda: Workbench("paper_size", stage="weighted_sums"),
    lambda: Workbench("translation", stage="weighted_sums"),
]
MODELS = [Train, lambda: Train("repeat", 0, 2, 4), Speak, Gallery, Desk]
FORMS = [
    lambda: predict("scaled_scores.largest-key"),
    lambda: quiz("scaled_scores"),
    lambda: arrange("scaled_scores.batch"),
    lambda: practise("scaled_scores.wrong-entry"),
]
EACH = [
    pytest.param(BOARDS, id="boards"),
    pytest.param(MODELS, id="models", marks=pytest.mark.needs("model")),
    pytest.param(FORMS, id="forms"),
]


@pytest.fixture
def tab(plain_tab):
    """A page on which nothing is emulated before and after a test."""
    yield plain_tab
    plain_tab.page.emulate_media(forced_colors="none", color_scheme="light")
    assert plain_tab.errors == []


@pytest.fixture(scope="module", params=[(640, 360, 460), (390, 844, 274)], ids=["zoomed to 200 %", "a phone"])
def small_tab(request, browser):
    """A page as small as one of 1280 x 720 is at 200 %, and one of a phone."""
    width, height, main = request.param
    with new_readers(browser) as begin:
        tab = PlainTab(begin(viewport={"width": width, "height": height}, device_scale_factor=2))
        tab.page.add_style_tag(content=f"main#widgets {{ width: {main}px; }}")
        yield tab
    assert tab.errors == []


def begun(tab):
    """Let the models that are on a page write and read; return when all is there that can be seen."""
    page = tab.page
    if page.locator(".mha-speak").count():
        begin_to_write(page.locator(".mha-speak"))
        page.locator(".mha-speak button[name='token 4']").click()
    for widget, parts in (("gallery", "[data-maps] button"), ("desk", "[data-losses] td")):
        if page.locator(f".mha-{widget}").count():
            page.locator(f".mha-{widget} button[name=read]").click()
            expect(page.locator(f".mha-{widget} {parts}").first).to_be_attached()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_bars_and_tints_stay_where_the_system_chooses_the_colours(tab, scheme):
    tab.show(*(make() for make in (*BOARDS, Train, FORMS[-1])))
    tab.page.locator("td[data-at^='weights/']:visible").first.click()
    tab.settle()
    looks = tab.page.evaluate(LOOKS)
    tab.page.emulate_media(forced_colors="active", color_scheme=scheme)
    assert len(set(looks)) > 100
    assert tab.page.evaluate(LOOKS) == looks


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_are_drawn_in_the_systems_colours(tab, scheme):
    tab.show(Workbench("two_heads", stage="heads"))
    tab.page.emulate_media(forced_colors="active", color_scheme=scheme)
    tab.page.locator("td[data-at='weights/1:1,0']").click()
    ink = "() => getComputedStyle(document.querySelector('.mha-question')).color"
    frame = "td => getComputedStyle(td).boxShadow.split(')')[0] + ')'"
    for marked in ("td.mha-selected", "td.mha-source"):
        assert tab.page.locator(marked).first.evaluate(frame) == tab.page.evaluate(ink)
    chosen, other = tab.page.evaluate(PRESSED, "button[name^='head/']")
    assert chosen != other


@pytest.mark.needs("model")
def test_what_is_chosen_is_seen_in_the_systems_colours(tab):
    tab.show(Speak(), Gallery(), Desk())
    begun(tab)
    tab.page.emulate_media(forced_colors="active")
    tab.page.locator(".mha-desk button[name='head 1 1']").click()
    expect(tab.page.locator(".mha-desk button[name='head 1 1']")).to_have_attribute("aria-pressed", "true")
    for widget in (".mha-speak [data-flow]", ".mha-gallery [data-maps]", ".mha-desk [data-switches]"):
        pressed = set(tab.page.evaluate(PRESSED, f"{widget} button[aria-pressed=true]"))
        assert pressed and not pressed & set(tab.page.evaluate(PRESSED, f"{widget} button:not([aria-pressed=true])"))
    grey, other = tab.page.evaluate(PRESSED, ".mha-desk [data-losses] th:last-child i")
    assert grey != other


@pytest.mark.parametrize("widgets", EACH)
def test_on_a_small_page_nothing_is_cut_and_no_letter_is_small(small_tab, widgets):
    for make in widgets:
        small_tab.show(make())
        begun(small_tab)
        open_all(small_tab.page)
        small_tab.settle()
        assert small_tab.page.evaluate(CUT) == []
        assert small_tab.page.evaluate(SMALL, LEAST) == []


@pytest.mark.parametrize("widgets", EACH)
def test_no_letter_of_a_widget_is_small(tab, widgets):
    tab.show(*(make() for make in widgets))
    begun(tab)
    open_all(tab.page)
    tab.settle()
    assert tab.page.evaluate(SMALL, LEAST) == []


def test_in_a_low_window_the_board_has_room_beside_what_stays_in_sight(tab):
    tab.show(Workbench("two_heads", stage="heads"))
    stays = """() => [...document.querySelectorAll('.mha-workbench *')]
        .filter((each) => getComputedStyle(each).position === 'sticky').map((each) => each.outerHTML.slice(0, 80))"""
    assert tab.page.evaluate(stays) != []
    before = tab.page.viewport_size
    for size in ({"width": 640, "height": 360}, {"width": 844, "height": 390}):
        tab.page.set_viewport_size(size)
        assert tab.page.evaluate(stays) == []
    tab.page.set_viewport_size(before)


def test_no_line_of_a_question_or_a_card_is_long(tab):
    tab.show(*(make() for make in FORMS))
    assert max(map(len, tab.page.evaluate(LINES, ".mha :is(legend, p, li)"))) <= LONGEST_LINE
    outputs = [
        "".join(output["data"].get("text/html", []))
        for path in NOTEBOOKS
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    tab.page.evaluate(
        "html => (document.getElementById('widgets').innerHTML = `<div class='stored'>${html}</div>`)",
        "".join(each for each in outputs if "data-question" in each or "border-left:4px solid" in each),
    )
    of_cards = ".stored :is([data-question], [style*='border-left:4px solid']) :is(p, li)"
    lines = tab.page.evaluate(LINES, of_cards)
    assert len(lines) > 200
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


def test_on_a_wide_page_no_sentence_of_a_board_is_long(tab):
    before = tab.page.viewport_size
    tab.page.set_viewport_size({"width": 1920, "height": 1080})
    tab.show(Workbench(stage="softmax"), Workbench("two_heads", stage="heads"))
    assert max(map(len, tab.page.evaluate(LINES, "[data-part=words], [data-part=status]"))) <= LONGEST_LINE
    tab.page.set_viewport_size(before)

"""How every workbench of the lessons stands on the page: cause and effect in one view, nothing cut off or tiny."""

import pytest
from boards import ROOMS, calls
from driving import entry, open_all, part, type_into
from lab import wait_until
from plain import BESIDE
from playwright.sync_api import expect

from mha_course import Workbench

GOAL = 30  # pixels of what a board says of its goal
VIEW = 599  # pixels of a notebook that are seen in JupyterLab at 1280 x 720
CALLS = calls()

# What stands wrong: text that is too small, what is cut off, what reaches beyond the page, what is hard to hit, and a
# miniature that the edge of the page would cut.
FAULTS = """() => [...document.querySelectorAll('.mha-workbench')].map((each) => {
    const seen = [...each.querySelectorAll('*')].filter((node) => node.checkVisibility() && !node.closest('svg defs'));
    const own = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    const hidden = (node) => node.closest('th') && getComputedStyle(node.closest('th')).position === 'absolute';
    const small = seen.filter((node) => own(node) && !hidden(node) && parseFloat(getComputedStyle(node).fontSize) < 12);
    const right = each.getBoundingClientRect().right;
    const beyond = seen.filter((node) => !node.closest('svg, th, caption, option')
        && node.getBoundingClientRect().right > right + 1 && !node.closest('[style*=flex] > div:has(> table)'));
    const clipped = [...each.querySelectorAll('td input')].filter((field) => field.scrollWidth > field.clientWidth + 1);
    const box = (node) => node.getBoundingClientRect();
    const pressed = seen.filter((node) => node.matches('button, select, summary, [data-form=controls] input'));
    const tiny = pressed.filter((node) => Math.min(box(node).width, box(node).height) < 24);
    const spilt = seen.filter((node) => node.matches('.mha-tall .mha-result')
        && box(node).bottom > box(node.closest('[data-part=messages]')).bottom);
    const write = (nodes) => nodes.slice(0, 3).map((node) => node.outerHTML.slice(0, 160));
    const faults = { small, beyond, clipped, tiny, spilt };
    return Object.fromEntries(Object.entries(faults).map(([name, nodes]) => [name, write(nodes)]));
})"""


@pytest.fixture(scope="module", params=BESIDE, ids=lambda width: f"{width} wide")
def tab(request, plain_tab):
    """A page of one width with all workbenches, which were drawn at that width."""
    plain_tab.page.set_viewport_size({"width": request.param, "height": 720})
    plain_tab.show(*(eval(call, {"Workbench": Workbench}) for _, call in CALLS))
    plain_tab.width = request.param
    yield plain_tab
    assert plain_tab.errors == []


def most(lesson, call):
    """How high a workbench may be, in pixels at 1280 x 720."""
    if lesson == "large":
        return 1200
    if any(name in call for name in ("two_heads", "two_ways", "stop_carrying", "translation")):  # two heads
        return 780 if "translation" in call else 720  # of two sentences, with parameters of seven rows
    return 640 if "previous_token" in call else 560 + GOAL * ("goal" in call)  # its output finds no room beside


def test_cause_and_effect_stand_in_one_view(tab):
    rooms = tab.page.evaluate(ROOMS)
    assert len(rooms) == len(CALLS)
    too_high, too_far = {}, {}
    for (lesson, call), room in zip(CALLS, rooms, strict=True):
        if tab.width == 1280 and room["height"] > most(lesson, call):
            too_high[lesson, call] = room["height"]
        is_one_head = most(lesson, call) <= 640
        if tab.width >= 1280 and is_one_head and room["distance"] > VIEW:
            too_far[lesson, call] = room["distance"]
    assert (too_high, too_far) == ({}, {})


# Puts a number into the same field of every workbench, as if it had been typed. Returns how many have that field.
EDIT_ALL = """([at, text]) => {
    const workbenches = [...document.querySelectorAll('.mha-workbench')];
    const fields = workbenches.map((each) => each.querySelector(`td[data-at="${at}"] input`)).filter(Boolean);
    for (const field of fields) {
        field.value = text;
        field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    }
    return fields.length;
}"""


def test_numbers_with_decimals_leave_cause_and_effect_in_one_view(tab):
    if tab.width != 1280:
        return  # elsewhere there is room enough, or what is wide stands below anyway
    before = tab.page.evaluate(ROOMS)
    for at, text in (("X:0,0", "1.25"), ("W_K:0,1", "-0.75"), ("W_V:1,1", "-1.2")):
        count = tab.page.evaluate(EDIT_ALL, [at, text])
        told = tab.page.locator(".mha-workbench [data-part=status]", has_text=text)
        expect(told).to_have_count(count)
    after = tab.page.evaluate(ROOMS)
    tab.page.evaluate("document.querySelectorAll('.mha-workbench button[name=reset]').forEach(each => each.click())")
    tab.settle()
    lower = {
        call: (room["distance"], now["distance"])
        for call, room, now in zip(CALLS, before, after, strict=True)
        if now["distance"] > room["distance"] + 2 and now["distance"] > VIEW  # else what has no room stands below
    }
    assert lower == {}


@pytest.mark.parametrize("open_first", [False, True], ids=["as it begins", "all open"])
def test_nothing_is_cut_off_or_tiny(tab, open_first):
    if open_first:
        open_all(tab.page)
    faults = tab.page.evaluate(FAULTS)
    open_all(tab.page, False)
    found = {call: fault for call, fault in zip(CALLS, faults, strict=True) if any(fault.values())}
    assert found == {}


def find(tab, call):
    return tab.workbenches.nth([each for _, each in CALLS].index(call))


def test_the_question_the_titles_the_numbers_and_the_names_have_their_sizes(tab):
    workbench = find(tab, 'Workbench(stage="softmax")')
    sizes = workbench.evaluate("""each => ['.mha-question', 'caption b', 'td', 'thead th'].map(name => {
        const { fontSize, fontWeight } = getComputedStyle(each.querySelector(name));
        return [Math.round(10 * parseFloat(fontSize)) / 10, Number(fontWeight) >= 600];
    })""")
    (question, is_bold), (title, _), (number, _), (name, _) = sizes
    assert is_bold and question == 16 and name >= 12 and title >= 13
    assert number == (16 if tab.width == 1920 else 14)
    if tab.width == 1920:
        cell = workbench.locator("td.mha-input").first.bounding_box()
        board = workbench.locator(".mha-board").bounding_box()
        assert cell["width"] + 2 >= 40 and cell["height"] + 2 >= 30 and board["width"] <= 1240


def test_the_strip_stays_where_it_is_whatever_it_says(tab):
    workbench = find(tab, 'Workbench("steals", stage="weighted_sums")')
    places = []
    for deed in ("", "W_V:0,0", "W_V:0,0 x", "output/1:0,1"):
        at, _, text = deed.partition(" ")
        if at.startswith("output"):
            workbench.locator(f'td[data-at="{at}"]').click()
            expect(part(workbench, "arithmetic")).to_contain_text("output[1,2]")
        elif at:
            type_into(workbench, at, text or "2")
            expect(part(workbench, "alert" if text else "status")).not_to_be_empty()
        strip, whole = (each.bounding_box() for each in (part(workbench, "messages"), workbench))
        places.append((round(strip["height"]), round(whole["height"])))
    workbench.locator("button[name=reset]").dispatch_event("click")
    assert len(set(places)) == 1


# Of every cell on the screen: whether something lies over its digits, which end at the baseline of their line.
COVERED = """() => {
    const cells = [...document.querySelectorAll('.mha-workbench td[data-at]:not(.mha-input)')];
    const seen = cells.filter(td => td.checkVisibility());
    const marks = seen.map(td => td.appendChild(document.createElement('span')));  // all, before any is measured
    for (const mark of marks) mark.style.cssText = 'display:inline-block;width:0;height:0';
    const found = seen.filter((td, number) => {
        const { left, bottom } = td.getBoundingClientRect(), range = document.createRange();
        range.setStart(td, 0);
        range.setEndBefore(marks[number]);
        const digits = range.getBoundingClientRect(), baseline = marks[number].getBoundingClientRect().bottom;
        const hasBar = td.style.background.includes('4px');
        return (td.dataset.moved && digits.left < left + 6) || (hasBar && baseline > bottom - 4);
    });
    for (const mark of marks) mark.remove();
    return found.map(td => td.dataset.at);
}"""


def test_no_digit_is_covered(tab):
    count = tab.page.evaluate(EDIT_ALL, ["W_Q:0,0", "3"])
    expect(tab.page.locator(".mha-workbench td[data-moved]").first).to_be_attached()
    expect(tab.page.locator(".mha-workbench [data-part=status]", has_text="→ 3")).to_have_count(count)
    covered = tab.page.evaluate(COVERED)
    tab.page.evaluate("document.querySelectorAll('.mha-workbench button[name=reset]').forEach(each => each.click())")
    tab.settle()
    assert covered == []


def test_all_bars_of_a_board_have_one_scale(tab):
    units = tab.page.evaluate("""() => [...document.querySelectorAll('.mha-workbench')].map(each => {
        const cells = [...each.querySelectorAll('td[data-at^="weights/"]')].filter(td => td.checkVisibility());
        return [...new Set(cells.map(td => Math.round(td.getBoundingClientRect().width)))];
    })""")
    assert any(units) and all(max(widths, default=0) - min(widths, default=0) <= 1 for widths in units)
    rooms = tab.page.evaluate(ROOMS)
    assert {call: room["sideways"] for call, room in zip(CALLS, rooms, strict=True) if room["sideways"] > 0} == {}


def test_who_looks_at_whom_is_seen_first_on_a_phone(tab):
    if tab.width != 390:
        return
    workbench = find(tab, 'Workbench(stage="softmax")')
    names = [".mha-header", ".mha-sentence", ".mha-hand", ".mha-way", "table:not(.mha-away)"]
    workbench.evaluate("each => each.scrollIntoView()")  # what sticks to the edge stands where it is then
    top, arcs, hand, way, table = workbench.evaluate(
        "(each, names) => names.map(name => each.querySelector(name).getBoundingClientRect().top)", names
    )
    assert top < arcs < hand < way < table and hand - top < 300
    lines = workbench.locator(".mha-way > div")
    expect(lines).to_have_text(
        ["X0202", "Q222", "scoresinnovators2.31create9.24disrupt6.93", "weightsinnovators0.00create0.91disrupt0.09"]
    )
    shown = "all => [...new Set(all.filter(td => td.checkVisibility()).map(td => td.closest('table').dataset.matrix))]"
    assert len(workbench.locator("td.mha-input").evaluate_all(shown)) == 1
    workbench.locator(".mha-matrices button", has_text="W_K").click()
    assert workbench.locator("td.mha-input").evaluate_all(shown) == ["W_K"]
    entry(workbench, "W_K:0,2").click()
    workbench.get_by_role("button", name="One more").click()
    expect(entry(workbench, "W_K:0,2")).to_have_value("2")
    expect(workbench.locator(".mha-hand output")).to_have_text("2")
    workbench.locator("button[name=reset]").dispatch_event("click")


def test_the_result_of_many_heads_stands_beside_the_message(tab):
    workbench = tab.workbenches.nth([call for _, call in CALLS].index('Workbench("steals_two_heads", stage="heads")'))
    spots = workbench.locator("[data-part=messages] [data-look^='result:']")
    looks = "all => all.map(each => each.style.background)"
    before = spots.evaluate_all(looks)
    assert len(before) == 24
    workbench.locator("button[name='head/2']").click()
    type_into(workbench, "W_Q:0,4", "-3")  # a column of head 2
    wait_until(lambda: spots.evaluate_all(looks) != before, "another result in miniature")
    expect(workbench.locator("button[name='head/2']")).to_have_attribute("aria-pressed", "true")
    box, field = (each.bounding_box() for each in (part(workbench, "messages"), entry(workbench, "W_Q:0,4")))
    assert tab.width < 1280 or box["y"] + box["height"] - field["y"] <= VIEW
    workbench.locator("button[name=reset]").dispatch_event("click")


# The colour of the line below a field, as the screen shows it.
LINE = """field => {
    const { borderBottomColor, borderBottomWidth } = getComputedStyle(field);
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
    canvas.fillStyle = borderBottomColor;
    canvas.fillRect(0, 0, 1, 1);
    return [[...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3), parseFloat(borderBottomWidth)];
}"""


def contrast(colour, other):
    def luminance(rgb):
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted([luminance(colour), luminance(other)])
    return (bright + 0.05) / (dark + 0.05)


def test_what_can_be_changed_has_an_edge_and_zeros_have_no_colour(tab):
    workbench = tab.workbenches.nth([call for _, call in CALLS].index('Workbench(stage="queries_keys_values")'))
    if tab.width == 390:
        workbench.get_by_role("button", name="Show X").click()
    for at in ("X:0,0", "W_Q:0,0", "W_K:0,0", "W_V:0,0"):
        line, width = entry(workbench, at).evaluate(LINE)
        assert contrast(line, [255, 255, 255]) >= 3 and width == 2
    zero = workbench.locator('td[data-at="X:0,1"]')
    zero.hover()
    found = zero.evaluate("""td => [td, td.parentElement, td.closest('table')].map(node => {
        const style = getComputedStyle(node);
        return style.backgroundColor.replace(/ /g, '');
    })""")
    assert {colour for colour in found if not colour.endswith(",0)")} == set()

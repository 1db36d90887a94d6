"""How every workbench of the lessons stands on the page: cause and effect in one view, nothing cut off or tiny."""

import pytest
from boards import ROOMS, calls
from driving import entry, part, type_into
from lab import SECONDS, wait_until
from plain import BESIDE
from playwright.sync_api import expect

from mha_course import Workbench

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
        return 720
    return 640 if "previous_token" in call or ("softmax" in call and lesson == "07_masks") else 560


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


def test_numbers_with_decimals_leave_every_matrix_in_its_place(tab):
    if tab.width != 1280:
        return  # elsewhere there is room enough, or what is wide stands below anyway
    before = tab.page.evaluate(ROOMS)
    for at, text in (("X:0,0", "1.25"), ("W_K:0,1", "-0.75"), ("W_V:1,1", "-1.2")):
        count = tab.page.evaluate(EDIT_ALL, [at, text])
        told = tab.page.locator(".mha-workbench [data-part=status]", has_text=text)
        expect(told).to_have_count(count, timeout=1000 * SECONDS)
    after = tab.page.evaluate(ROOMS)
    tab.page.evaluate("document.querySelectorAll('.mha-workbench button[name=reset]').forEach(each => each.click())")
    tab.settle()
    lower = {
        call: (room["distance"], now["distance"])
        for call, room, now in zip(CALLS, before, after, strict=True)
        if now["distance"] > room["distance"] + 2
    }
    assert lower == {}


def test_nothing_is_cut_off_or_tiny(tab):
    faults = tab.page.evaluate(FAULTS)
    found = {call: fault for call, fault in zip(CALLS, faults, strict=True) if any(fault.values())}
    assert found == {}
    rooms = tab.page.evaluate(ROOMS)
    assert {call: room["sideways"] for call, room in zip(CALLS, rooms, strict=True) if room["sideways"] > 0} == {}


def test_the_result_of_many_heads_stands_beside_the_message(tab):
    workbench = tab.workbenches.nth([call for _, call in CALLS].index('Workbench("two_heads", stage="heads")'))
    spots = workbench.locator("[data-part=messages] [data-look^='result:']")
    looks = "all => all.map(each => each.style.background)"
    before = spots.evaluate_all(looks)
    assert len(before) == 12
    type_into(workbench, "W_Q:0,4", "3")  # a column of head 2
    wait_until(lambda: spots.evaluate_all(looks) != before, "another result in miniature")
    workbench.locator("button[name='head/2']").click()
    expect(workbench.locator("button[name='head/2']")).to_have_attribute("aria-pressed", "true")
    box, field = (each.bounding_box() for each in (part(workbench, "messages"), entry(workbench, "W_Q:0,4")))
    assert tab.width < 1280 or box["y"] + box["height"] - field["y"] <= VIEW
    workbench.locator("button[name=reset]").click()


def test_what_can_be_changed_has_an_edge_and_zeros_have_no_colour(tab):
    workbench = tab.workbenches.nth([call for _, call in CALLS].index('Workbench(stage="queries_keys_values")'))
    edge = entry(workbench, "X:0,0").evaluate("field => getComputedStyle(field).borderColor")
    red, green, blue = (int(part) for part in edge.removeprefix("rgb(").removesuffix(")").split(","))
    assert red == green == blue and 0x76 <= red <= 0x94  # a contrast of 3 on white, and more on a dark page
    zero = workbench.locator('td[data-at="X:0,1"]')
    zero.hover()
    found = zero.evaluate("""td => [td, td.parentElement, td.closest('table')].map(node => {
        const style = getComputedStyle(node);
        return style.backgroundColor.replace(/ /g, '');
    })""")
    assert {colour for colour in found if not colour.endswith(",0)")} == set()

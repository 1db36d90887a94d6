"""The slides in a real browser without a network: nothing is cut off, nothing is too small, no answer is given away."""

import re

import nbformat
import pytest
from classroom.cells import exercises
from stored import NOTEBOOKS

MANY_KINDS = [NOTEBOOKS[number] for number in (0, 6, 12)]  # whose slides differ most: boards, heads, code to read
SMALLEST_TEXT = 18  # pixels on a screen of 1280 × 720, in pictures too: what the last row of a room can read

# What of the slides in `place` lies outside of it or is hidden by a scroll bar, and how small the text is.
MEASURE = """place => {
    const frame = place.getBoundingClientRect(), outside = [], sizes = [];
    const look = ({ left, top, right, bottom }, what) => {
        const is_in = left >= frame.left - 1 && top >= frame.top - 1
            && right <= frame.right + 1 && bottom <= frame.bottom + 1;
        if (right > left && bottom > top && !is_in) outside.push(what);
    };
    const noteSize = (parent, scale) => sizes.push(parseFloat(getComputedStyle(parent).fontSize) * scale);
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode, parent = text.parentElement, range = document.createRange();
        if (!text.data.trim() || parent.closest('annotation') || !parent.checkVisibility()) continue;
        range.selectNodeContents(text);
        for (const rect of range.getClientRects()) look(rect, text.data);
        noteSize(parent, parent.currentCSSZoom * (Reveal.isPrintView() ? 1 : Reveal.getScale()));
    }
    for (const image of place.querySelectorAll('img')) {
        const data = image.src.slice(image.src.indexOf(',') + 1), is_encoded = /^[^,]*base64/.test(image.src);
        const source = is_encoded ? atob(data) : decodeURIComponent(data);
        const svg = document.body.appendChild(new DOMParser().parseFromString(source, 'image/svg+xml').documentElement);
        const scale = image.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        svg.querySelectorAll('text, tspan').forEach((text) => noteSize(text, scale));
        svg.remove();
    }
    for (const each of place.querySelectorAll('table, img, svg, pre')) look(each.getBoundingClientRect(), each.tagName);
    for (const each of place.querySelectorAll('*'))
        if (each.clientWidth && getComputedStyle(each).overflow !== 'visible'
            && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1))
            outside.push(`scrolls: ${each.className}`);
    return { outside, smallest: Math.min(...sizes), text: place.innerText };
}"""


@pytest.fixture
def show(open_file, kit):
    """Open a lesson's slides, on a new page or in place of others."""

    def open_slides(name, how="", page=None):
        address = (kit / "slides" / f"{name}.html").as_uri() + how
        if page:
            page.goto(address)
        else:
            page = open_file(address)
        page.wait_for_function("window.Reveal?.isReady()")
        return page

    return open_slides


def measure(page):
    return page.evaluate(f"({MEASURE})(Reveal.getCurrentSlide())")


def every_slide(page):
    """Go through the slides as the arrow key does, and measure each."""
    return page.evaluate(f"""() => {{
        const measure = {MEASURE}, measured = [measure(Reveal.getCurrentSlide())];
        while (!Reveal.isLastSlide()) {{
            Reveal.next();
            measured.push(measure(Reveal.getCurrentSlide()));
        }}
        return measured;
    }}""")


@pytest.mark.parametrize(
    "lessons",
    [
        pytest.param(MANY_KINDS, marks=pytest.mark.fewer, id="few"),
        pytest.param(NOTEBOOKS, marks=pytest.mark.minutes, id="all"),
    ],
)
def test_every_slide_fits_the_screen_and_gives_nothing_away(lessons, show):
    page, outside, small = None, [], []
    for path in lessons:
        page = show(path.stem, page=page)
        measured = every_slide(page)
        assert len(measured) == page.evaluate("Reveal.getTotalSlides()") > 10
        outside += [(path.stem, slide["text"][:60], slide["outside"][:3]) for slide in measured if slide["outside"]]
        small += [(path.stem, slide["text"][:60]) for slide in measured if slide["smallest"] < SMALLEST_TEXT]
        text = "\n".join(slide["text"] for slide in measured)
        assert not re.search(r"Hint 1|_solution|\bcheck\(|One way to reach it|Not answered yet|\$", text), path.stem
        for each in exercises(nbformat.read(path, 4)):
            assert re.search(r"Exercise \d+\.\d · .*", each.task.source)[0] in text
    assert outside == [] and small == []


def test_the_measure_sees_what_is_cut_off_and_text_in_pictures(show):
    page = show(NOTEBOOKS[0].stem)
    assert not measure(page)["outside"]
    for style in ("position: absolute; top: 715px", "width: 40px; overflow: hidden; white-space: nowrap"):
        page.evaluate("""style => Reveal.getCurrentSlide().insertAdjacentHTML('beforeend',
            `<p class="extra" style="${style} !important">one more line</p>`)""", style)  # fmt: skip
        page.add_style_tag(content=".reveal .slides section .extra { overflow: hidden !important }")
        assert measure(page)["outside"]
        page.evaluate("document.querySelector('.extra').remove()")
    drawing = (
        """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 20"><text font-size="10" y="9">q</text></svg>"""
    )
    for width, size in ((100, 20), (80, 16)):
        page.evaluate("""([drawing, width]) => {
            const image = new Image(width);
            image.src = 'data:image/svg+xml,' + encodeURIComponent(drawing);
            image.style.zoom = 1;
            Reveal.getCurrentSlide().replaceChildren(image);
            return image.decode();
        }""", [drawing, width])  # fmt: skip
        assert measure(page)["smallest"] == pytest.approx(size)


def text_size(page):
    return page.evaluate("""() => {
        const text = Reveal.getCurrentSlide().querySelector("p, pre, td, li");
        return parseFloat(getComputedStyle(text).fontSize) * text.currentCSSZoom;
    }""")


def test_larger_stays_for_the_next_slides_and_scrolls_to_what_has_no_room(show):
    page = show("01_inputs")
    switch, more = page.get_by_role("button", name="A+"), page.get_by_text("more below")
    normal, scrolled = text_size(page), 0
    page.keyboard.press("a")
    assert switch.get_attribute("aria-pressed") == "true"
    assert text_size(page) > 1.3 * normal
    for _ in range(20):
        slide = page.evaluate("Reveal.getCurrentSlide().innerText")
        while more.is_visible():
            page.keyboard.press("ArrowDown")
            scrolled += 1
            assert page.evaluate("Reveal.getCurrentSlide().innerText") == slide
        assert page.evaluate("Reveal.getCurrentSlide().scrollWidth <= Reveal.getCurrentSlide().clientWidth + 1")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("Reveal.getCurrentSlide().innerText") != slide
    assert scrolled > 0
    page.evaluate("Reveal.slide(0)")
    switch.click()
    assert switch.get_attribute("aria-pressed") == "false"
    assert text_size(page) == normal


def test_slides_print_one_to_a_page_and_whole(show):
    page = show("03_scaled_scores", "?print-pdf")
    page.wait_for_selector(".pdf-page", state="attached")
    assert page.locator(".pdf-page").count() == page.evaluate("Reveal.getTotalSlides()") > 20
    measured = page.locator(".pdf-page").evaluate_all(f"pages => pages.map({MEASURE})")
    assert [(each["text"][:60], each["outside"][:3]) for each in measured if each["outside"]] == []
    assert min(each["smallest"] for each in measured) >= SMALLEST_TEXT
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == len(measured)
    assert set(re.findall(rb"/MediaBox \[([^\]]*)\]", printed)) == {b"0 0 960 540"}  # points: 1280 by 720 pixels

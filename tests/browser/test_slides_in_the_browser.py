"""The slides in a real browser without a network: nothing is cut off, nothing is too small, no answer is given away."""

import re

import nbformat
import pytest
from classroom import slides
from classroom.cells import exercises
from stored import NOTEBOOKS

SCREEN = {"width": 1280, "height": 720}
SMALLEST_TEXT = 10  # pixels on that screen; a projector shows it about twice as large as a laptop

# What of the current slide lies outside of the screen or is hidden by a scroll bar, and how small its text is.
MEASURE = """() => {
    const slide = Reveal.getCurrentSlide(), outside = [];
    let smallest = Infinity;
    const look = (rect, what) => {
        const { left, top, right, bottom } = rect;
        const is_in = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
        if (right > left && bottom > top && !is_in) outside.push(what);
    };
    const texts = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode, range = document.createRange();
        if (!text.data.trim() || text.parentElement.closest('annotation')) continue;
        range.selectNodeContents(text);
        for (const rect of range.getClientRects()) look(rect, text.data);
        const size = parseFloat(getComputedStyle(text.parentElement).fontSize);
        smallest = Math.min(smallest, size * text.parentElement.currentCSSZoom * Reveal.getScale());
    }
    for (const each of slide.querySelectorAll('table, img, svg, pre')) look(each.getBoundingClientRect(), each.tagName);
    for (const each of slide.querySelectorAll('*'))
        if (each.clientWidth && getComputedStyle(each).overflow !== 'visible'
            && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1))
            outside.push(`scrolls: ${each.className}`);
    return { outside, smallest, text: slide.innerText };
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    for path in NOTEBOOKS:
        (folder / f"{path.stem}.html").write_text(slides.to_html(nbformat.read(path, 4)), encoding="utf-8")
    slides.add_library(folder)
    return folder


@pytest.fixture
def show(browser, folder):
    """Open a lesson's slides. The page has no network, and what goes wrong is kept in its list `errors`."""
    context = browser.new_context(viewport=SCREEN, offline=True)

    def open_page(name):
        page = context.new_page()
        page.errors = []
        page.on("requestfailed", lambda request: page.errors.append(request.url))
        page.on("request", lambda request: request.url.startswith("file:") or page.errors.append(request.url))
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.goto((folder / f"{name}.html").as_uri())
        page.wait_for_function("window.Reveal?.isReady()")
        return page

    yield open_page
    context.close()


def every_slide(page):
    """Go through the slides as the arrow key does, and measure each."""
    measured = [page.evaluate(MEASURE)]
    while not page.evaluate("Reveal.isLastSlide()"):
        page.keyboard.press("ArrowRight")
        measured.append(page.evaluate(MEASURE))
    return measured


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_slide_fits_the_screen_and_gives_nothing_away(show, path):
    lesson = nbformat.read(path, 4)
    page = show(path.stem)
    measured = every_slide(page)
    assert len(measured) == page.evaluate("Reveal.getTotalSlides()") > 20
    assert [(slide["text"][:60], slide["outside"][:3]) for slide in measured if slide["outside"]] == []
    assert min(slide["smallest"] for slide in measured) >= SMALLEST_TEXT
    assert page.errors == []

    text = "\n".join(slide["text"] for slide in measured)
    assert not re.search(r"Hint 1|_solution|\bcheck\(|One way to reach it|Not answered yet|\$", text)
    for each in exercises(lesson):
        assert re.search(r"Exercise \d+\.\d · .*", each.task.source)[0] in text


def test_the_measure_sees_what_is_cut_off(show):
    page = show(NOTEBOOKS[0].stem)
    assert not page.evaluate(MEASURE)["outside"]
    for style in ("position: absolute; top: 715px", "width: 40px; overflow: hidden; white-space: nowrap"):
        page.evaluate("""style => Reveal.getCurrentSlide().insertAdjacentHTML('beforeend',
            `<p class="extra" style="${style} !important">one more line</p>`)""", style)  # fmt: skip
        page.add_style_tag(content=".reveal .slides section .extra { overflow: hidden !important }")
        assert page.evaluate(MEASURE)["outside"]
        page.evaluate("document.querySelector('.extra').remove()")

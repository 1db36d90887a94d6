"""The site in a real browser, opened as files and without a network: read, searched, printed, and used by keys."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import PHONE, new_readers
from lab import wait_until
from playwright.sync_api import expect

from mha_course.forward.forward import forward
from mha_course.forward.presets import preset

LESSON = "03_scaled_scores"
WIDTHS = 390, 800, 1280, 1920

# What of a page is wider than its place: the page itself, or a line of code.
MEASURE = """() => ({
    page: document.documentElement.scrollWidth - innerWidth,
    code: [...document.querySelectorAll('pre')].filter((each) => each.scrollWidth > each.clientWidth)
        .map((each) => each.innerText),
})"""
CUT = """() => [...document.querySelectorAll('.formula, .output')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent.slice(0, 60))"""
PAPER = 703  # pixels between the margins of A4, of 12 mm
UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


@pytest.fixture
def show(open_file, site_folder):
    """Open a page of the site."""
    return lambda name, **options: open_file((site_folder / f"{name}.html").as_uri(), **options)


def test_no_page_is_wider_than_its_window_no_line_of_code_than_its_place_and_on_paper_nothing_is_cut(show, site_folder):
    page = show("index")
    wide, cut = [], []
    for file in sorted(site_folder.glob("*.html")):
        page.goto(file.as_uri())
        if file.stem[0].isdecimal():  # a lesson
            page.emulate_media(media="print")
            page.set_viewport_size({"width": PAPER, "height": 1000})
            cut += [(file.stem, each) for each in page.evaluate(CUT)]
            page.emulate_media(media="screen")
        page.evaluate(UNFOLD)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 720})
            found = page.evaluate(MEASURE)
            wide += [(file.stem, width)] if found["page"] > 0 else []
            wide += [(file.stem, width, code) for code in found["code"] if width >= 1280]
    assert wide == [] and cut == []


@pytest.mark.parametrize(
    ("name", "theme"),
    [("index", "light"), ("11_stacks", "light"), ("06_heads", "light"), ("01_inputs", "dark"), ("search", "dark")],
)
def test_axe_finds_nothing_serious(show, name, theme):
    page = show(name, color_scheme=theme)
    page.evaluate(UNFOLD)
    for entry in page.locator("td[data-at]").all()[:1]:
        entry.hover()
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    # "preload" asks for the style sheets again, which a file may not.
    options = {"preload": False, "resultTypes": ["violations"]}
    violations = Axe().run(page, options=options).response["violations"]
    assert [each for each in violations if each["impact"] in ("serious", "critical")] == []


def test_matrices_and_formulas_stand_the_same_way_on_a_page_that_is_read_from_right_to_left(show):
    page = show(LESSON)
    places = """() => [...document.querySelectorAll('.cell_output td[data-at], math mi, math mo')]
        .filter((each) => each.checkVisibility()).map((each) => {
            const { left } = (each.closest('.cell_output, .formula') ?? each.closest('math')).getBoundingClientRect();
            return [each.textContent, Math.round(each.getBoundingClientRect().left - left)];
        })"""
    before = page.evaluate(places)
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert len(before) > 100 and page.evaluate(places) == before


def test_search_is_a_key_away_and_leads_to_the_lesson(show):
    page = show("index")
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("causal mask")
    page.keyboard.press("Enter")
    found = page.locator("#search-results li a")
    expect(found.first).to_have_text("7 · Masks")
    found.first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("7 · Masks")


@pytest.mark.parametrize(
    ("words", "lesson"),
    [
        ("embedding", "1 · Inputs"),
        ("query", "2 · Queries, keys, values"),
        ("scaled scores", "3 · Scaled scores"),
        ("softmax", "4 · Softmax"),
        ("weights", "5 · Weighted sums"),
        ("heads", "6 · Heads"),
        ("mask", "7 · Masks"),
        ("cross-attention", "8 · Cross-attention"),
        ("residual", "9 · Residual connection and norm"),
        ("stack", "11 · Encoder, decoder and stacks"),
        ("gradient", "13 · How a head learns"),
        ("real model", "15 · A real model"),
    ],
)
def test_the_lesson_on_a_word_is_found_first_with_what_it_says(show, words, lesson):
    page = show("search")
    page.get_by_role("searchbox").last.fill(words)
    page.keyboard.press("Enter")
    first = page.locator("#search-results li").first
    expect(first.get_by_role("link").first).to_have_text(lesson)
    begun = "|".join(re.findall(r"\b\w{3,4}", words))
    expect(first.locator("p mark").first).to_have_text(re.compile(begun, re.IGNORECASE))


def test_an_excerpt_is_a_way_to_its_section(show, site_folder):
    page = show("index")
    page.goto(f"{(site_folder / 'search.html').as_uri()}?q=translation")
    page.locator("#search-results li p a").first.click()
    heading = page.locator(":target h2, :target h3").first
    expect(heading).to_be_in_viewport()


BELOW = "each => each.closest('.cell').nextElementSibling.getBoundingClientRect().top + scrollY"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_number_that_is_pointed_at_says_where_it_came_from_and_nothing_moves(show, width):
    page = show(LESSON, has_touch=True)
    page.set_viewport_size({"width": width, "height": 420})
    board, told = page.locator(".mha-board").first, page.locator(".arithmetic").first
    before = board.evaluate(BELOW)
    score = board.locator('td[data-at="scores/1:1,2"]')
    (score.tap if width == 390 else score.hover)()
    expect(told).to_contain_text("scores[2,3] = (2·2 + 2·3 + 2·1) / √3 = 12 / 1.73205 = 6.9282")
    assert board.locator("td.mha-source").count() == 6  # three of Q and three of K
    board.evaluate("each => each.scrollIntoView()")
    expect(told).to_be_in_viewport(ratio=1)  # though the board is taller than the window
    assert board.evaluate(BELOW) == before
    assert told.evaluate("each => each.scrollHeight - each.clientHeight") == 0


def test_a_board_is_one_stop_of_the_tab_key_and_arrows_walk_through_it(show):
    page = show(LESSON)
    board, told = page.locator(".mha-board").first, page.locator(".arithmetic").first
    expect(board.locator("[tabindex='0']")).to_have_count(1)
    board.locator("[tabindex='0']").focus()
    expect(told).to_contain_text("X[1,1] = 1")
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("X[1,2] = 0")
    expect(board.locator(":focus")).to_have_accessible_name("X, token innovators, column 2: 0")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(board.get_by_role("grid").nth(1).locator(":focus")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(board.locator(":focus")).to_have_count(0)
    expect(told).to_have_attribute("role", "status")


def percent_of(value, word=1):
    row = forward(preset("steals").with_entry("W_Q", 0, 1, value))["weights/1"].values[word]
    return [f"{100 * share:.0f} %" for share in row]


def test_the_number_of_the_first_page_moves_its_picture_before_python_is_there(show):
    page = show("index")
    stage = page.locator(".stage")
    percent, less, more = stage.locator(".mha-percents text"), stage.get_by_label("Less"), stage.get_by_label("More")
    expect(stage.locator(".said")).to_have_text("steals asks who does it, and finds the dog: 90 per cent.")
    for value in (0.25, 0.5, 0.75, 1, 2, 3):
        more.click()
        expect(percent).to_have_text(percent_of(value))
        expect(stage.locator("output")).to_have_text(f"{value:g}")
    expect(stage.locator(".said")).to_contain_text("what it is done to, and finds the ball: 100 per cent.")
    expect(more).to_be_disabled()
    less.focus()
    for _ in range(8):  # once more than it goes
        page.keyboard.press("Enter")
    expect(less).to_be_disabled()
    expect(less).to_be_focused()
    expect(percent).to_have_text(percent_of(-1))
    expect(stage.locator(".why")).to_contain_text("Below 0 nothing moves")
    stage.get_by_role("radio").nth(3).click()
    expect(percent).to_have_text(percent_of(-1, word=3))
    page.keyboard.press("ArrowRight")  # on from the last word to the first
    expect(stage.get_by_role("radio").first).to_be_focused()
    expect(stage.locator(".said")).to_have_text("dog asks what is done, and finds steals: 97 per cent.")


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["laptop", "phone"])
def test_the_first_screen_shows_the_picture_and_the_number_to_push(show, size):
    page = show("index", viewport={"width": size[0], "height": size[1]})
    for name in ("h1", ".mha-sentence", ".said", ".stepper"):
        expect(page.locator(name).first).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


def test_without_scripts_a_board_is_a_picture_alone(browser, site_folder):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto((site_folder / f"{LESSON}.html").as_uri())
        expect(page.locator(".mha-board").first).to_be_visible()
        expect(page.locator(".arithmetic").first).to_be_hidden()


def test_a_reader_chooses_light_or_dark_and_the_next_page_keeps_it(show):
    page = show("index")
    page.wait_for_load_state()  # before, the theme's script hears nothing
    page.locator(".bd-header .theme-switch-button").click()
    page.get_by_role("button", name="Dark", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    beside = page.context.new_page()  # what one page keeps reaches others a moment later
    beside.goto(page.url)
    wait_until(lambda: beside.evaluate("localStorage.getItem('mode')") == "dark", "the choice, in another page")
    page.get_by_role("link", name="Begin lesson 0").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("0 · Start here")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_lesson_is_read_by_keys_alone(show):
    page = show(LESSON)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    solution = page.locator("summary", has_text="Solution 3.2")
    page.keyboard.press("Tab")
    seen = 0
    while not solution.evaluate("each => each === document.activeElement"):
        assert (seen := seen + 1) < 100
        page.keyboard.press("Tab")
    expect(page.get_by_text("# Solution 3.2")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.get_by_text("# Solution 3.2")).to_be_visible()


def test_the_sections_of_a_page_are_listed_with_the_one_that_is_read_in_a_narrow_window_too(show):
    page = show(LESSON)
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Why divide?").click()
    expect(page.get_by_role("heading", name="Why divide?")).to_be_in_viewport()
    expect(page.locator(".sections [aria-current=true]")).to_have_text("Why divide?")
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Site navigation").click()
    page.get_by_role("dialog").get_by_role("link", name="Common mistakes").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", name="Common mistakes")).to_be_in_viewport()
    expect(page.locator(".sections [aria-current=true]")).to_have_text("Common mistakes")


def test_on_paper_results_are_open_and_solutions_stay_folded(show):
    page = show(LESSON)
    result = page.locator("pre", has_text="variance     1.0").last
    solution = page.get_by_text("# Solution 3.4")
    expect(result).to_be_hidden()
    explained = page.get_by_text("tied with disrupt in row 1")
    expect(explained).to_be_hidden()
    page.emulate_media(media="print")
    expect(result).to_be_visible()
    expect(explained).to_be_visible()
    expect(solution).to_be_hidden()
    expect(page.get_by_text("Hint 1").first.locator("xpath=..").locator("p").first).to_be_hidden()
    for part in (".bd-header", ".bd-sidebar-primary", ".prev-next-footer", "#run"):
        expect(page.locator(part)).to_be_hidden()


def test_on_paper_the_foot_comes_last(show):
    page = show(LESSON)
    page.emulate_media(media="print")
    # A flexible box is not cut into pages as its text is: what stands below it then lies over the text.
    for around in (".bd-container__inner", ".bd-content", ".bd-article-container"):
        expect(page.locator(around)).to_have_css("display", "block")


def test_paper_is_light_though_the_page_is_dark(show):
    page = show(LESSON, color_scheme="dark")
    page.evaluate("addEventListener('beforeprint', () => { window.printed = document.documentElement.dataset.theme; })")
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert page.evaluate("printed") == "light"
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.needs("pyodide")
@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}], ids=["as a file", "without scripts"])
def test_a_page_that_cannot_be_activated_is_one_to_read(options, browser, site_folder):
    with new_readers(browser) as begin:
        page = begin(**options)
        page.goto((site_folder / f"{LESSON}.html").as_uri())
        expect(page.locator(".widget-placeholder[data-cell=explore] table").first).to_be_visible()
        assert page.locator("button", has_text="live").count() == 0

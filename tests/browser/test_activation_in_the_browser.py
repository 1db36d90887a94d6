"""A page to read that comes alive, on a server as any: touched, worked with, left, and opened again."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import entry, expect_numbers
from lab import wait_until
from live import PATIENCE, REST, Live, served
from playwright.sync_api import expect
from reading import CONNECTED, SAVES, visits

from mha_course import preset

LESSON, STUB = "03_scaled_scores", "exercise-scaled-stub"
BOARD, QUESTION = ".widget-placeholder[data-cell=explore]", ".widget-placeholder[data-cell=predict-largest-key]"
SCRIPT = "**/run/page/activation.js"  # what activates a page
FIRST = ".widget-placeholder[data-cell=touch]"  # the board of the first page
STORED = """async (path) => (await (await import("/run/page/browser_store.js")).storedFiles()).has(path)"""
KEPT = """async (path) => Boolean(await (await caches.open("mha_course")).keys().then(
    (keys) => keys.find(({ url }) => url.includes(path))))"""
SITUATIONS = {  # what a browser says of itself -> whether a page's Python begins by itself
    CONNECTED.format("{ saveData: false, effectiveType: '4g' }"): True,
    SAVES: False,
    CONNECTED.format("{ saveData: false, effectiveType: '3g' }"): False,
    CONNECTED.format("{ saveData: false, effectiveType: '4g', type: 'cellular' }"): False,
    "Object.defineProperty(navigator, 'deviceMemory', { value: 2 });": False,
    CONNECTED.format("undefined"): True,  # but there is a mouse
    CONNECTED.format("undefined") + "window.matchMedia = () => ({ matches: false });": False,
    SAVES + "sessionStorage.setItem('active', 'yes');": True,
}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

pytestmark = [pytest.mark.needs("pyodide"), pytest.mark.minutes]


@pytest.fixture(scope="module")
def files(site_folder):
    """The site, on a server."""
    with served(site_folder) as files:
        yield files


@pytest.fixture
def visit(browser, files):
    """Visit the site as a new reader."""
    with visits(browser, files) as show:
        yield show


@pytest.fixture(scope="module")
def active(browser, files):
    """Lesson 3, activated by touching an entry of its board."""
    with visits(browser, files) as show:
        reader = show()
        reader.open(LESSON)
        board = reader.page.locator(BOARD)
        board.evaluate("board => board.scrollIntoView()")
        reader.top = board.bounding_box()["y"]
        board.locator("[data-at='W_K:0,2']").first.click()
        is_active(reader, BOARD)
        yield reader


@pytest.mark.parametrize(("situation", "begins"), SITUATIONS.items())
def test_what_a_browser_says_of_itself_decides_whether_python_begins_by_itself(situation, begins, visit):
    reader = visit(situation)
    reader.open("licences")
    assert reader.page.evaluate("import('/run/page/auto_start.js').then(({ mayBegin }) => mayBegin())") is begins


DO = """async (lines) => {
    const { changeFile } = await import("/run/page/browser_store.js");
    await changeFile("my_progress.jsonl", () => lines.map((line) => `${JSON.stringify(line)}\\n`).join(""));
}"""


def test_the_map_says_what_is_done_and_where_to_go_on(visit):
    reader = visit()
    reader.open("index")
    done = reader.page.locator(".lesson-map .is-done")
    expect(done.first).to_have_text("")
    kinds = [("start_here.strongest", "predicted"), ("inputs.token-count", "predicted"), ("inputs.ids", "mistake")]
    reader.page.evaluate(DO, [{"name": name, "kind": kind} for name, kind in kinds])
    reader.page.reload()
    expect(done.first).to_have_text("✓ done")
    asked = reader.page.locator(".lesson-map > li").nth(1).get_attribute("data-asks").split()
    expect(done.nth(1)).to_have_text(f"1 of {len(asked)} answered · go on here")
    expect(done.nth(2)).to_have_text("")
    begin = reader.page.locator(".begin")
    expect(begin).to_have_text("Go on: 1 · Inputs")
    begin.click()
    expect(reader.page.get_by_role("heading", level=1)).to_contain_text("1 · Inputs")


def test_the_sections_beside_a_lesson_say_which_of_them_are_done(visit):
    reader = visit()
    reader.open(LESSON)
    done = reader.page.locator(".sections a[data-done]")
    reader.page.evaluate(DO, [{"name": "scaled_scores.largest-key", "kind": "predicted"}])
    reader.page.evaluate("document.dispatchEvent(new Event('progress'))")
    expect(done).to_have_text(["Every query with every key"])
    reader.page.reload()
    expect(done).to_have_text(["Every query with every key"])


def test_the_way_into_the_notebook_is_seen_under_the_hand_and_the_focus(visit):
    reader = visit()
    reader.open(LESSON)
    link = reader.page.locator("p.open a").nth(1)

    def is_seen():
        return link.evaluate("link => getComputedStyle(link).opacity === '1'")

    assert not is_seen()
    link.locator("xpath=../following-sibling::div[1]").hover()
    wait_until(is_seen, "the way under the hand")
    reader.page.mouse.move(0, 0)
    wait_until(lambda: not is_seen(), "no way")
    link.focus()
    wait_until(is_seen, "the way under the focus")


def is_active(reader, which):
    expect(reader.page.locator(f"{which}.is-active")).to_have_count(1, timeout=1000 * PATIENCE)


def all_are_active(reader):
    expect(reader.page.locator(".widget-placeholder:not(.is-active)")).to_have_count(0, timeout=1000 * PATIENCE)


def alive(reader, which=BOARD):
    return reader.page.locator(f"{which} > .alive")


def test_the_board_that_was_touched_is_activated_where_it_stood_with_the_hand_where_it_was(active):
    board = alive(active)
    expect(entry(board, "W_K:0,2")).to_be_focused()
    assert abs(active.page.locator(BOARD).bounding_box()["y"] - active.top) < 2
    active.page.keyboard.press("ArrowUp")
    expect_numbers(board, preset("article").with_entry("W_K", 0, 2, 1.1), stage="scaled_scores")
    all_are_active(active)
    assert abs(active.page.locator(BOARD).bounding_box()["y"] - active.top) < 2
    expect(active.page.locator("#activation")).to_contain_text("This page is live. What you do is kept in this browser")


def test_what_is_done_is_there_again_on_the_page_and_in_the_notebook_which_leads_back_to_the_same_cell(active, files):
    page = active.page
    changed = preset("article").with_entry("W_K", 0, 2, 5.0)
    entry(alive(active), "W_K:0,2").fill("5")
    page.keyboard.press("Enter")
    expect_numbers(alive(active), changed, stage="scaled_scores")
    is_active(active, QUESTION)
    question = alive(active, QUESTION)
    question.get_by_label("create").check()
    question.get_by_role("button", name="Commit").click()
    page.wait_for_function(STORED, arg="my_progress.jsonl", polling=REST)

    page.reload()  # which comes alive by itself
    is_active(active, BOARD)
    expect_numbers(alive(active), changed, stage="scaled_scores")

    page.locator(f"#{STUB} a").click()
    here = f"jupyterapp.shell.currentWidget.content.activeCell.model.id === '{STUB}'"
    page.wait_for_function(f"window.jupyterapp?.shell.currentWidget?.content?.activeCell && {here}", polling=REST)
    expect(page.locator(".jp-Notebook-cell.jp-mod-active")).to_be_in_viewport()
    live = Live(page, f"{files.url}run/")
    live.wait()
    live.run("imports")
    live.run("explore")
    expect_numbers(page.locator(".mha-workbench").first, changed, stage="scaled_scores")

    def is_counted():
        said = live.run("quiz", "from mha_course import how_far\nhow_far()")
        (here,) = [line for line in said.splitlines() if line.startswith("3 · ")]
        return "predictions 1 of 2" in here

    wait_until(is_counted, "the prediction, counted in the notebook", PATIENCE)

    live.run(STUB)
    page.get_by_role("link", name="Read").click()
    expect(page.locator(f"#{STUB}")).to_be_in_viewport()


def test_the_board_of_the_first_page_comes_alive_under_a_hand_that_is_quicker_than_its_script(visit):
    reader = visit()
    held = []
    reader.page.route(SCRIPT, lambda route: held.append(route))
    with reader.page.expect_request(SCRIPT):
        reader.open("index")
    reader.page.locator(f"{FIRST} [data-at='W_K:0,2']").first.click()
    held.pop().continue_()
    is_active(reader, FIRST)
    field = entry(alive(reader, FIRST), "W_K:0,2")
    expect(field).to_be_focused()
    field.press("ArrowUp")
    expect(alive(reader, FIRST).locator("[data-part=status]")).to_contain_text("W_K[1,3]: 2 → 2.1")


def test_keys_alone_activate_a_page_that_suits_a_phone_and_axe_and_the_next_one_comes_alive_by_itself(visit):
    reader = visit(**PHONE)
    reader.open(LESSON)
    button = reader.page.get_by_role("button", name="Make it live").first
    button.focus()
    button.press("Enter")
    all_are_active(reader)
    assert reader.page.evaluate("Boolean(document.activeElement.closest('.alive'))")
    alive(reader).get_by_role("button", name="Show W_K").tap()
    field = entry(alive(reader), "W_K:0,2")
    for number in ("3", "4"):
        field.tap()
        reader.page.keyboard.type(number)
        reader.page.keyboard.press("Enter")
        expect_numbers(alive(reader), preset("article").with_entry("W_K", 0, 2, float(number)), stage="scaled_scores")
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for theme in ("light", "dark"):
        reader.page.emulate_media(color_scheme=theme)
        expect(reader.page.locator("html")).to_have_attribute("data-theme", theme)
        violations = Axe().run(reader.page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [each for each in violations if each["impact"] in ("serious", "critical")] == []
    reader.open("index")
    is_active(reader, FIRST)


def test_where_python_does_not_come_the_pictures_stay_and_a_sentence_says_why_and_it_can_be_asked_again(visit):
    reader = visit(service_workers="block")
    reader.page.route("**/*.wasm.packed", lambda route: route.fulfill(status=404))
    reader.open(LESSON)
    reader.page.get_by_role("button", name="Make this page live").click()
    note = reader.page.locator("#activation")
    expect(note).to_contain_text("Python does not run here: A part of Python did not load")
    expect(reader.page.locator(f"{BOARD} table").first).to_be_visible()
    reader.page.unroute("**/*.wasm.packed")
    reader.page.get_by_role("button", name="Make this page live").click()  # once more
    is_active(reader, QUESTION)
    expect(note).to_have_text("This page is live. This browser keeps nothing of what you do.")


@pytest.fixture(scope="module")
def by_itself(browser, files):
    """The first page, which came alive by itself while somebody wrote into its picture."""
    with visits(browser, files) as show:
        reader = show(next(iter(SITUATIONS)))
        with files.holding("pyodide.asm.wasm.packed"):
            reader.open("index")
            reader.page.locator(f"{FIRST} [data-at='W_K:0,2']").first.click()
            early = reader.page.locator(".early")
            early.fill("5")
            early.press("Enter")
            reader.page.locator(f"{FIRST} [data-at='W_Q:0,0']").first.click()
            reader.page.keyboard.type("0.")
        is_active(reader, FIRST)
        yield reader


def test_what_is_written_into_a_picture_is_the_boards_as_soon_as_it_lives_and_not_a_key_is_lost(by_itself):
    board = alive(by_itself, FIRST)
    field = entry(board, "W_Q:0,0")
    expect(field).to_be_focused()
    by_itself.page.keyboard.type("5")
    expect(field).to_have_value("0.5")
    by_itself.page.keyboard.press("Enter")
    expect_numbers(board, preset("steals").with_entry("W_K", 0, 2, 5.0).with_entry("W_Q", 0, 0, 0.5), stage="softmax")


def test_what_comes_alive_by_itself_says_nothing_until_it_is_touched(visit, files):
    reader = visit(next(iter(SITUATIONS)))
    with files.holding("pyodide.asm.wasm.packed"):
        reader.open(LESSON)
        note = reader.page.locator("#activation")
        expect(note).to_contain_text("Fetching Python")
        expect(note).to_be_hidden()
        expect(reader.page.get_by_role("button", name="Make this page live")).to_be_hidden()
        reader.page.locator(BOARD).get_by_role("button", name="Make it live").click()
        expect(note).to_be_visible()
    is_active(reader, BOARD)
    expect(note).to_contain_text("This page is live.")


def test_after_one_visit_pages_boards_and_recorded_answers_work_without_a_network(by_itself):
    page = by_itself.page
    page.wait_for_function(KEPT, arg=f"/{LESSON}.html", polling=REST)  # which was never opened
    for part in ("/_static/push.js", "/_static/stix-two-math.woff2", "/search.html", "/searchindex.js"):
        page.wait_for_function(KEPT, arg=part, polling=REST)
    page.context.set_offline(True)
    by_itself.open(LESSON)
    is_active(by_itself, BOARD)
    by_itself.open("index")
    page.get_by_role("button", name="More").click()
    expect(page.locator(".stage .said")).to_contain_text("89 per cent")

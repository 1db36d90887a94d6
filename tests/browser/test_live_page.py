"""A lesson inside a web page, without a server: what it gives is as in Jupyter; and what stands around it."""

import json
import os
import re
import shutil
import time
import zipfile

import nbformat
import numpy as np
import pytest
from as_cell import as_cell
from axe_playwright_python.sync_playwright import Axe
from classroom.report import hand_ins
from classroom.report.stored_verdicts import events_in
from driving import entry, expect_numbers, new_readers
from given import differing
from lab import SECONDS, wait_until
from live import PATIENCE, Live, served
from playwright.sync_api import expect
from stored import NOTEBOOKS, ROOT
from website.live.page_shell import write_keeper

from mha_course import check, preset

LESSON, NEXT, TITLE = "03_scaled_scores", "04_softmax", "3 · Scaled scores"
IN_A_PAGE = [path for path in NOTEBOOKS if path.stem not in ("15_real_model", LESSON)]  # which runs by the menu
STUB, CHECK = "exercise-scaled-stub", "exercise-scaled-check"
ANSWERS = {
    "wrong": "return Q @ K.T",
    "without end": "while True: pass",
    "right": "return Q @ K.T / np.sqrt(Q.shape[-1])",
}
CHANGED = preset("article").with_entry("W_Q", 0, 0, 1.1)  # by an arrow key
MINE = "# My own words"
TRY = """import numpy as np
from mha_course import check, hand_in
display(check("scaled_scores.scaled", lambda Q, K: Q @ np.swapaxes(K, -1, -2)))
hand_in()"""
NEEDS_MORE = """from importlib import import_module
try:
    import_module("matplotlib")
except ImportError as error:
    print(error)"""
PROGRESS, ANSWERED_HERE = "my_progress.jsonl", '{"name": "here"}\n'  # before other work was brought
LONG = " and more" * 400_000  # of three megabytes
FIRST_CELL = "jupyterapp.shell.currentWidget.content.model.cells.get(0).sharedModel"
KEPT = "caches.open('mha_course').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => url))"
CONTENTS = "jupyterapp.serviceManager.contents.get"
NAMES = f"{CONTENTS}('', {{ content: true }}).then(({{ content }}) => content.map(({{ name }}) => name))"
HOW_LONG = re.compile(r"after \d+ seconds(, for most of which it waited)?")  # as the machine has time for it
ENDLESS = (
    "void jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code: 'while True: pass' })"
)
LOOK_AGAIN = "navigator.serviceWorker.ready.then((keeper) => keeper.update()).then(() => false)"
FORGET_PYTHON = """caches.open('mha_course').then(async (cache) => {
    for (const each of await cache.keys()) if (each.url.includes('pyodide.asm.wasm')) await cache.delete(each);
})"""
PICTURES = (
    "({ content }) => content.cells.flatMap(({ outputs }) => outputs ?? []).map(({ data }) => data?.['text/html'])"
    ".filter(Boolean)"
)
ADD_LINES = """async ([own, path]) => {
    const { contents } = jupyterapp.serviceManager;
    for (let number = 0; number < 25; number += 1) {  // as Python does for each answer
        const there = await contents.get(path, { content: true }).then(({ content }) => content, () => "");
        const content = `${there}{"tab": "${own}${number}"}\\n`;
        await contents.save(path, { path, type: 'file', format: 'text', content });
    }
}"""
SAVE_TEXT = """([path, content]) => jupyterapp.serviceManager.contents.save(
    path, { path, name: path, type: 'file', format: 'text', mimetype: 'text/plain', content })"""
LEFT = "ServiceWorkerRegistration.prototype.unregister = async () => { globalThis.wasTakenAway = true; }"
SENTENCES = {  # what a browser lacks -> the script by which it lacks it, and a part of what is said
    "WebAssembly": ("Object.defineProperty(window, 'WebAssembly', { value: undefined })", "too old to run Python"),
    "a store": ("Object.defineProperty(window, 'indexedDB', { value: undefined })", "keeps no files for this page"),
}

pytestmark = [pytest.mark.needs("pyodide"), pytest.mark.minutes]


class Page(Live):
    """A page of a live lesson with what stands around it."""

    @property
    def note(self):
        """The note that lies over the page."""
        return self.page.locator("#course-note")

    @property
    def status(self):
        """What the bar says."""
        return self.page.locator("#course-status")

    def show(self, name, app="notebooks"):
        """Open a lesson, and wait for nothing."""
        self.page.goto(f"{self.url}{app}/index.html?path={name}.ipynb", wait_until="commit")

    def choose(self, command):
        """Choose a command of the menu."""
        self.page.locator("#course-bar summary").click()
        self.page.get_by_role("button", name=command).click()

    def write(self, text):
        """Write into the first cell, and save."""
        self.page.evaluate(f"text => {FIRST_CELL}.setSource(text)", text)
        self.page.evaluate("jupyterapp.shell.currentWidget.context.save()")

    def is_shown(self):
        """Wait until the lesson is shown; Python may not be ready."""
        expect(self.page.locator(".jp-Notebook h1").first).to_be_visible(timeout=1000 * SECONDS)

    def is_ready(self):
        """Wait until Python is ready."""
        expect(self.status).to_have_text("Python is ready.", timeout=1000 * PATIENCE)

    def first_line(self):
        """Return the first line of the lesson."""
        return self.page.evaluate(f"{FIRST_CELL}.getSource()").splitlines()[0]


@pytest.fixture(scope="module")
def folder(site_folder, tmp_path_factory):
    """A copy of the live notebooks, to be changed. It is an hour old: a browser keeps old files without asking."""
    folder = shutil.copytree(site_folder / "run", tmp_path_factory.mktemp("live") / "run")
    for path in folder.rglob("*"):
        os.utime(path, times=(time.time() - 3600,) * 2)
    return folder


@pytest.fixture(scope="module")
def files(folder):
    """The live notebooks, on a server."""
    with served(folder) as files:
        yield files


@pytest.fixture
def new_page(browser, files):
    """Open a page as a new reader."""
    with new_readers(browser) as begin:
        yield lambda **options: Page(begin(**options), files.url)


@pytest.fixture
def without_python(files):
    """Let Python be on its way to every new page, for tests that do not need it: to begin is most of their work."""
    with files.holding("pyodide.asm.wasm.packed"):
        yield


@pytest.fixture(scope="module")
def at_work(browser, files):
    """A page on which a learner has written something. It reaches nobody else."""
    with new_readers(browser) as begin:
        page = Page(begin(accept_downloads=True, proxy=files.way), files.url)
        page.show(LESSON)
        page.is_ready()
        page.write(MINE)
        page.run("imports", TRY)
        yield page
    assert files.elsewhere == []


@pytest.fixture(scope="module")
def download(at_work, tmp_path_factory):
    """The learner's work as a file."""
    with at_work.page.expect_download() as saved:
        at_work.choose("Download my work")
    path = tmp_path_factory.mktemp("work") / saved.value.suggested_filename
    saved.value.save_as(path)
    return path


def test_the_bar_can_be_used_by_everybody(at_work):
    at_work.page.locator("#course-bar summary").press("Enter")
    found = Axe().run(at_work.page, context="#course-bar").response["violations"]
    assert [each["id"] for each in found] == []
    at_work.page.keyboard.press("Escape")
    expect(at_work.page.locator("#course-bar .commands")).to_be_hidden()


def test_nothing_is_shown_that_says_nothing_to_a_learner(at_work):
    shown = at_work.page.locator("body").inner_text()
    assert "Trusted" not in shown and "Checkpoint" not in shown
    expect(at_work.page.locator(".jp-NotebookKernelLogo, #jp-NotebookLogo, #jp-MainLogo")).to_have_count(0)


def test_the_page_may_ask_nobody_else(at_work):
    asked = "fetch('https://example.org').then(() => 'it may').catch((error) => error.message)"
    with at_work.page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        assert at_work.page.evaluate(asked) != "it may"


def test_what_was_downloaded_opens_in_jupyter(download):
    with zipfile.ZipFile(download) as work:
        notebook = json.loads(work.read(f"{LESSON}.ipynb"))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "".join(notebook["cells"][0]["source"]) == MINE


def test_what_was_downloaded_is_read_by_the_class_report(download, tmp_path):
    shutil.copy(download, tmp_path / f"ada_{download.name}")
    found = hand_ins.read(tmp_path).events["ada"]
    with zipfile.ZipFile(download) as work:
        assert {"my_progress.jsonl", "my_progress_to_hand_in.jsonl"} <= set(work.namelist())
        stored, _ = events_in(work.read(f"{LESSON}.ipynb"))
    for told in (found, stored):
        wrong = "scaled_scores.scaled", "mistake", ("The scale is missing.",)
        assert [(each.name, each.kind, each.mistakes) for each in told] == [wrong]


def test_the_lines_of_a_picture_stand_together(at_work):
    pictures = at_work.page.evaluate(f"{CONTENTS}('{NEXT}.ipynb', {{ content: true }}).then({PICTURES})")
    assert pictures and all(isinstance(each, str) for each in pictures)


def test_work_is_brought_into_another_browser_and_nothing_there_is_lost(download, new_page, without_python):
    page = new_page()
    page.show(LESSON)
    page.is_shown()
    page.write("# What stood here")
    page.page.evaluate(SAVE_TEXT, [PROGRESS, ANSWERED_HERE])
    with page.page.expect_file_chooser() as chooser:
        page.choose("Bring my work")
    with page.page.expect_navigation():
        chooser.value.set_files([download, ROOT / "notebooks" / f"{NEXT}.ipynb"])
    expect(page.page.locator(".jp-Notebook h1").first).to_contain_text(MINE.removeprefix("# "))
    kept = [name for name in page.page.evaluate(NAMES) if name.startswith(f"{LESSON}_before_")]
    assert len(kept) == 1
    answered = page.page.evaluate(f"{CONTENTS}('{PROGRESS}', {{ content: true }}).then(({{ content }}) => content)")
    assert answered.startswith(ANSWERED_HERE) and "scaled_scores.scaled" in answered
    pictures = page.page.evaluate(f"{CONTENTS}('{NEXT}.ipynb', {{ content: true }}).then({PICTURES})")
    assert pictures and all(isinstance(each, str) for each in pictures)


@pytest.fixture(scope="module")
def begun_anew(at_work):
    """The same page with the lesson as it came."""
    at_work.choose("Begin this lesson anew")
    wait_until(lambda: at_work.first_line() != MINE, "the lesson as it came")
    at_work.is_ready()
    return at_work


def test_a_lesson_is_begun_anew_and_the_learners_own_stays_beside_it(begun_anew):
    kept = [name for name in begun_anew.page.evaluate(NAMES) if name.startswith(f"{LESSON}_mine_")]
    read = f"name => {CONTENTS}(name, {{ content: true }}).then(({{ content }}) => content.cells[0])"
    assert "".join(begun_anew.page.evaluate(read, kept[0])["source"]) == MINE


def test_what_does_not_end_is_said_and_ended(begun_anew):
    begun_anew.page.evaluate(ENDLESS)
    expect(begun_anew.status).to_contain_text("This cell has been running for")
    begun_anew.page.get_by_role("button", name="Restart Python").click()
    begun_anew.is_ready()


@pytest.fixture(scope="module")
def lesson(begun_anew):
    """The lesson with its board, on which an arrow key was pressed."""
    begun_anew.run("imports")
    begun_anew.run("explore")
    entry(board(begun_anew), "W_Q:0,0").focus()
    begun_anew.page.keyboard.press("ArrowUp")
    return begun_anew


def board(page):
    """The lesson's own board, of which there may be an older view."""
    return page.page.locator(".mha-workbench:has(td[data-at='W_Q:0,0'] input)").first


def test_a_board_follows_the_arrow_keys(lesson):
    expect_numbers(board(lesson), CHANGED, stage="scaled_scores")


def answered(lesson, body):
    """Answer an exercise, and return the answer and what its check says."""
    source = f"def my_scaled_scores(Q, K):\n    {body}"
    lesson.run(STUB, source)
    return source, lesson.run(CHECK)


@pytest.mark.parametrize("body", ANSWERS.values(), ids=ANSWERS)
def test_a_check_says_what_it_says_in_jupyter(body, lesson):
    source, said = answered(lesson, body)
    here = check("scaled_scores.scaled", as_cell(source, {"np": np})).text
    assert HOW_LONG.sub("after a while", said) == HOW_LONG.sub("after a while", here)


@pytest.fixture(scope="module")
def without_network(lesson):
    """Another tab, in which the lesson is opened once more, now without a network; one exercise has been solved."""
    answered(lesson, ANSWERS["right"])
    lesson.command("docmanager:save")
    wait_until(lambda: any(f"{NEXT}.ipynb" in url for url in lesson.page.evaluate(KEPT)), "all that is kept")
    context = lesson.page.context
    context.set_offline(True)
    other = Page(context.new_page(), lesson.url)
    other.page.add_init_script(f"localStorage.clear(); {LEFT}")
    other.show(LESSON)
    other.is_ready()
    yield other
    context.set_offline(False)


def test_what_was_done_is_there_again_without_a_network_and_the_keeper_of_the_files_stays_where_it_is(without_network):
    without_network.run("imports")
    without_network.run("explore")
    expect_numbers(board(without_network), CHANGED, stage="scaled_scores")
    said = without_network.run("quiz", "from mha_course import how_far\nhow_far()")
    assert "Scaled scores: exercises 1 of 1 + 0 of 4" in said
    without_network.run(STUB)
    assert "Right." in without_network.run(CHECK)
    assert "there is no network now" in without_network.run("quiz", NEEDS_MORE)
    without_network.change(NEXT)
    assert without_network.first_line() == "# 4 · Softmax"
    beside = [name for name in without_network.page.evaluate(NAMES) if name.startswith(f"{LESSON}_")]
    assert all("_mine_" in name for name in beside)  # and no new version, as there is none
    assert not without_network.page.evaluate("globalThis.wasTakenAway")


@pytest.fixture(scope="module")
def with_network(without_network):
    """The same page with a network: for Matplotlib and SciPy, which no cell needed before."""
    without_network.page.context.set_offline(False)
    return without_network


@pytest.mark.parametrize("path", IN_A_PAGE, ids=lambda path: path.stem)
def test_a_lesson_gives_what_is_stored(path, with_network):
    assert differing(with_network.run_unseen(path.stem), nbformat.read(path, 4).cells) == []


def test_run_all_gives_what_is_stored(with_network):
    with_network.change(LESSON)
    assert differing(with_network.run_all(), nbformat.read(ROOT / "notebooks" / f"{LESSON}.ipynb", 4).cells) == []


def test_what_two_tabs_answer_at_one_moment_is_all_kept(new_page, without_python):
    page = new_page()
    tabs = [page, Page(page.page.context.new_page(), page.url)]
    for tab in tabs:
        tab.show(NEXT)
    for tab, name in zip(tabs, "ab", strict=True):
        tab.is_shown()
        tab.page.evaluate(f"([...given]) => {{ globalThis.added = ({ADD_LINES})(given); }}", [name, PROGRESS])
    for tab in tabs:
        tab.page.evaluate("added")
    kept = page.page.evaluate(f"{CONTENTS}('{PROGRESS}', {{ content: true }}).then(({{ content }}) => content)")
    assert sorted(kept.split()[1::2]) == sorted(f'"{name}{number}"}}' for name in "ab" for number in range(25))


def test_where_a_browser_has_no_locks_answers_are_kept_all_the_same(new_page, without_python):
    page = new_page()
    page.page.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    page.show(NEXT)
    page.is_shown()
    page.page.evaluate(SAVE_TEXT, [PROGRESS, ANSWERED_HERE])
    kept = page.page.evaluate(f"{CONTENTS}('{PROGRESS}', {{ content: true }}).then(({{ content }}) => content)")
    assert kept == ANSWERED_HERE


def test_what_finds_no_room_in_the_browser_is_said_and_can_be_downloaded(new_page, without_python):
    page = new_page()
    room = {"origin": page.url.rstrip("/"), "quotaSize": 2_000_000}
    page.page.context.new_cdp_session(page.page).send("Storage.overrideQuotaForOrigin", room)
    page.show(LESSON)
    page.is_shown()
    page.page.evaluate(f"text => {FIRST_CELL}.setSource(text)", MINE + LONG)
    page.page.evaluate("jupyterapp.shell.currentWidget.context.save().catch(() => {})")
    expect(page.note).to_contain_text("no room left")
    with page.page.expect_download() as saved:
        page.choose("Download my work")
    with zipfile.ZipFile(saved.value.path()) as work:
        assert MINE + LONG in work.read(f"{LESSON}.ipynb").decode()


def test_a_new_version_stands_beside_what_the_learner_changed(browser, folder):
    with served(folder) as files, new_readers(browser) as begin:  # a server that nobody else asks
        page = Page(begin(), files.url)
        asked = lambda: [path for path, _ in files.asked if path.startswith("/service-worker.js")]  # noqa: E731
        with files.holding("pyodide.asm.wasm.packed"):
            page.show(LESSON, app="lab")
            page.is_shown()
            page.write(MINE)
            page.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        before = len(asked())
        page.page.reload()  # from now on the keeper answers
        wait_until(lambda: len(asked()) > before, "the browser's own look for a newer keeper", PATIENCE)
        page.is_ready()
        wait_until(lambda: any("parts.json" in url for url in page.page.evaluate(KEPT)), "a page that is kept")
        publish_anew(folder)
        wait_until(lambda: page.page.evaluate(LOOK_AGAIN) or page.note.count(), "what a newer keeper says", PATIENCE)
        expect(page.note).to_contain_text("A new version of the course is here")
        page.page.evaluate(FORGET_PYTHON)
        with files.holding("pyodide.asm.wasm.packed"):  # which has no part in the rest
            page.page.reload()
            expect(page.note).to_contain_text(f"There is a new version of “{TITLE}”", timeout=1000 * PATIENCE)
            heading = page.page.locator(".jp-Notebook h1").first
            expect(heading).to_contain_text(MINE.removeprefix("# "), timeout=1000 * PATIENCE)
            page.note.get_by_role("link").click()
            expect(heading).to_contain_text("A new beginning", timeout=1000 * PATIENCE)


def publish_anew(folder):
    """Change the lesson as a new version of the course would."""
    lesson, parts = folder / "files" / f"{LESSON}.ipynb", folder / "page" / "parts.json"
    notebook, known = json.loads(lesson.read_text()), json.loads(parts.read_text())
    notebook["cells"][0]["source"] = "# A new beginning"
    (listed,) = (each for each in known["lessons"] if each["name"] == LESSON)
    notebook["metadata"]["lesson"] = listed["stamp"] = "new"
    known["version"] = "99"
    lesson.write_text(json.dumps(notebook))
    parts.write_text(json.dumps(known))
    write_keeper(folder)


@pytest.mark.parametrize(("lacks", "said"), SENTENCES.values(), ids=SENTENCES)
def test_a_browser_that_lacks_something_is_told_and_has_a_way_on(lacks, said, new_page, files):
    page = new_page()
    page.page.add_init_script(lacks)
    page.show(LESSON)
    expect(page.note).to_contain_text(said)
    assert page.note.get_by_role("link").first.get_attribute("href") == f"../../{LESSON}.html"


def test_inside_a_page_that_lets_it_store_nothing_a_lesson_says_so_and_opens_in_a_tab_of_its_own(new_page):
    page = new_page()
    lesson = f"{page.url}notebooks/index.html?path={LESSON}.ipynb"
    page.page.goto(f"{page.url}page/bar.css")  # any other file of this server
    page.page.set_content(f'<iframe sandbox="allow-scripts" src="{lesson}"></iframe>')
    note = page.page.frame_locator("iframe").locator("#course-note")
    expect(note).to_contain_text("needs to store files in this browser, which does not let this page")
    own, read = note.get_by_role("link").all()
    assert (own.get_attribute("href"), own.get_attribute("target")) == (lesson, "_blank")
    assert read.get_attribute("href") == f"../../{LESSON}.html"


def test_a_lesson_that_cannot_run_in_a_page_says_where_it_runs(folder):
    notebook = json.loads((folder / "files" / "15_real_model.ipynb").read_text())
    text = "".join(notebook["cells"][1]["source"])
    assert text.startswith("**Here you can only read this lesson.**") and "https://mybinder.org/" in text
    assert any(cell.get("outputs") for cell in notebook["cells"])


def test_without_javascript_a_sentence_leads_to_the_page_to_read(new_page):
    page = new_page(java_script_enabled=False)
    page.show(LESSON)
    expect(page.note).to_contain_text("A live lesson needs JavaScript")


def test_a_page_opened_as_a_file_says_which_command_serves_it(new_page, folder):
    page = new_page()
    page.page.goto((folder / "lab" / "index.html").as_uri())
    expect(page.note).to_contain_text("python -m http.server")


def test_a_part_of_python_that_does_not_load_is_named(new_page):
    page = new_page(service_workers="block")
    page.page.route("**/python_stdlib.zip", lambda route: route.abort())
    page.show(LESSON)
    expect(page.note).to_contain_text("python_stdlib.zip")

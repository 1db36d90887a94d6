"""A student on a real JupyterHub, as it is shipped: handed out by a link, and nothing lost by a restart."""

import json
import re
import shutil
import sys
from contextlib import suppress
from urllib.parse import quote

import nbformat
import psutil
import pytest
from driving import entry, open_below, part, type_into
from lab import Tab, open_notebook, patient, wait_for_notebook, wait_until
from playwright.sync_api import expect
from pulling import committed
from stored import ROOT

sys.path.insert(0, str(ROOT / "hub"))
import loopback

LESSON = "lessons/03_scaled_scores.ipynb"
IDS = [cell.id for cell in nbformat.read(ROOT / "notebooks" / "03_scaled_scores.ipynb", 4).cells]
TASK, STUB, CHECK = "exercise-scaled", "exercise-scaled-stub", "exercise-scaled-check"
ANSWER = "return Q @ K.T / np.sqrt(Q.shape[-1])"
NUMBER = "5"  # which the student puts into the workbench
WINDOW = {"width": 1280, "height": 900}

pytestmark = pytest.mark.minutes  # a hub, a proxy, and a server for each student


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """A hub that no student has visited yet."""
    with loopback.running(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory):
    """A teacher's repository with one lesson."""
    folder = tmp_path_factory.mktemp("teacher") / "lessons"
    folder.mkdir()
    shutil.copy(ROOT / "notebooks" / "03_scaled_scores.ipynb", folder)
    return committed(folder)


@pytest.fixture(scope="module")
def ada(hub, browser, handed_out):
    """A student who followed the teacher's link and logged in."""
    tab = Tab(patient(browser.new_context(viewport=WINDOW)).new_page(), hub.server("ada"))
    link = f"hub/user-redirect/git-pull?repo={quote(str(handed_out), '')}&branch=main&urlpath=lab/tree/{LESSON}"
    tab.page.goto(f"{hub.url}/{link}")
    loopback.log_in(tab.page, "ada", hub.token)
    expect(tab.page.locator(".jp-Notebook .jp-Cell").first).to_be_visible()
    wait_for_notebook(tab, LESSON)
    yield tab
    tab.page.context.close()


def processes():
    """Yield the command and the variables of all that the hub has started."""
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            yield " ".join(each.cmdline()), each.environ()


def cell(tab, name):
    """Find the cell of that id."""
    return tab.page.locator(".jp-Notebook .jp-Cell").nth(IDS.index(name))


def run(tab, *names):
    """Run cells one after the other, and wait for each."""
    for name in names:
        prompt = cell(tab, name).locator(".jp-InputPrompt")
        prompt.click()
        prompt.evaluate("each => (each.textContent = '')")
        tab.page.keyboard.press("Shift+Enter")
        expect(prompt).to_have_text(re.compile(r"\[\d+\]:"))


def answer(tab):
    """Write an answer to exercise 3.2, and check it."""
    open_below(cell(tab, TASK))
    cell(tab, STUB).locator(".cm-content").click()
    tab.page.keyboard.press("ControlOrMeta+a")
    for each in ("def my_scaled_scores(Q, K):", ANSWER):
        tab.page.keyboard.type(each)
        tab.page.keyboard.press("Enter")
    run(tab, STUB, CHECK)


def kinds(home):
    """Return what the progress of a home says, in order."""
    lines = (home / "my_progress.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["kind"] for line in lines]


def restart(tab, hub):
    """Stop the student's server on the hub's own page, and start it again."""
    tab.page.goto(f"{hub.url}/hub/home", wait_until="networkidle")  # before, its buttons do nothing
    tab.page.locator("#stop").click()
    start = tab.page.locator("#start", has_text="Start My Server")
    expect(start).to_be_visible()
    start.click()
    tab.page.wait_for_url("**/user/*/lab**")


def test_what_a_student_did_is_there_after_the_server_was_stopped_and_started(hub, ada):
    home = ada.lab.folder
    run(ada, "imports", "explore")
    type_into(ada.workbenches.first, "W_K:0,2", NUMBER)
    answer(ada)
    ada.page.keyboard.press("ControlOrMeta+s")
    wait_until(lambda: ANSWER in (home / LESSON).read_text(encoding="utf-8"), "a save")
    wait_until(lambda: list(home.glob("my_progress.workbenches/*.json")), "what was left, kept")
    assert kinds(home) == ["right"]
    before = ada.lab.ask("GET", "status")["started"]

    restart(ada, hub)

    open_notebook(ada, LESSON)
    assert ada.lab.ask("GET", "status")["started"] > before
    open_below(cell(ada, TASK))
    expect(cell(ada, STUB)).to_contain_text(ANSWER)
    expect(cell(ada, CHECK)).to_contain_text("Exercise 3.2")  # the verdict, stored
    run(ada, "imports", "explore")
    expect(entry(ada.workbenches.first, "W_K:0,2")).to_have_value(NUMBER)
    expect(part(ada.workbenches.first, "status")).to_contain_text("how you left it")
    assert kinds(home) == ["right"]


def test_nobody_gets_into_the_server_of_somebody_else(hub, ada, browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{hub.url}/hub/home")
        loopback.log_in(page, "bob", hub.token)
        expect(page.locator("#start")).to_be_visible()
        for path in ("lab", f"files/{LESSON}"):
            assert page.goto(f"{hub.url}/user/ada/{path}").status in (403, 404)


def test_every_kernel_has_what_the_configuration_says(hub, ada):
    kernels = [variables for command, variables in processes() if "ipykernel_launcher" in command]
    of_students = [each for each in kernels if each.get("HOME", "").startswith(str(hub.homes))]
    assert {each["HOME"] for each in of_students} == {str(hub.homes / "ada")}
    for each in of_students:
        assert each["OMP_NUM_THREADS"] == each["OPENBLAS_NUM_THREADS"] == "1"
        assert each["MHA_COURSE_MODEL_CACHE"] == str(ROOT / "hub" / "model")
        assert "MHA_COURSE_PROGRESS" not in each


def test_idle_kernels_and_servers_end_by_themselves(hub, ada):
    commands = [command for command, _ in processes()]
    (server,) = [command for command in commands if "jupyterhub-singleuser" in command]
    assert "MappingKernelManager.cull_idle_timeout=" in server and "cull_connected=True" in server
    assert any("jupyterhub_idle_culler" in command for command in commands)

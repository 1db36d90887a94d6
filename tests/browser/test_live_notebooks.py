"""The lessons inside a web page, without a server and with every other host cut off: all is as in Jupyter."""

import nbformat
import pytest
from driving import entry, expect_numbers, new_readers
from given import differing
from live import Live, served
from stored import NOTEBOOKS

from mha_course import preset

LESSON = "03_scaled_scores"
IN_A_PAGE = [path for path in NOTEBOOKS if path.stem != "15_real_model"]
RIGHT = "return Q @ K.T / np.sqrt(Q.shape[-1])"

pytestmark = [pytest.mark.needs("pyodide"), pytest.mark.everything]


@pytest.fixture(scope="module")
def files(site_folder):
    """The live notebooks, on a server."""
    with served(site_folder / "run") as files:
        yield files


@pytest.fixture(scope="module")
def any_lesson(browser, files):
    """A page for all lessons, one after the other, that reaches nobody else."""
    with new_readers(browser) as begin:
        live = Live(begin(proxy=files.way), files.url)
        live.open(LESSON)
        yield live
    assert files.elsewhere == []


def test_what_was_done_is_there_again_when_the_page_is_opened_anew(any_lesson):
    live, changed = any_lesson, preset("article").with_entry("W_Q", 0, 0, 1.1)

    def begin(show=live.open):
        show(LESSON)
        live.run("imports")
        live.run("explore")
        return live.page.locator(".mha-workbench:has(td[data-at='W_Q:0,0'] input)").first

    entry(begin(live.change), "W_Q:0,0").focus()
    live.page.keyboard.press("ArrowUp")
    live.run("exercise-scaled-stub", f"def my_scaled_scores(Q, K):\n    {RIGHT}")
    assert "Right." in live.run("exercise-scaled-check")
    live.command("docmanager:save")
    expect_numbers(begin(), changed, stage="scaled_scores")
    assert "Scaled scores: exercises 0 of 1 + 1 of 4" in live.run("quiz", "from mha_course import how_far\nhow_far()")
    live.run("exercise-scaled-stub")
    assert "Right." in live.run("exercise-scaled-check")


@pytest.fixture(scope="module")
def unseen(any_lesson):
    """The same page, on which no notebook is drawn: to lay its cells out after each one takes as long as to run it."""
    any_lesson.page.add_style_tag(content=".jp-WindowedPanel-outer { display: none; }")
    return any_lesson


@pytest.mark.parametrize("path", IN_A_PAGE, ids=lambda path: path.stem)
def test_run_all_gives_what_is_stored(path, unseen):
    unseen.change(path.stem)
    assert differing(unseen.run_all(), nbformat.read(path, 4).cells) == []

"""What listens on a page: it grows neither by running cells again nor by saving, and goes with its widget."""

import pytest
from driving import entry
from forms import store
from lab import open_notebook, run_all, wait_until

RUNS, SAVES = 3, 2
CELLS = (
    # Hands the page's widget manager to the test.
    """import anywidget
class Finder(anywidget.AnyWidget):
    _esm = "export default { initialize: ({ model }) => void (window.manager = model.widget_manager) }"
Finder()""",
    "from mha_course import Workbench\nWorkbench()",
)
# Before any script of the page: count the observers of its whole body.
COUNTING = """
    const observe = MutationObserver.prototype.observe, disconnect = MutationObserver.prototype.disconnect;
    window.observers = new Set();
    MutationObserver.prototype.observe = function (node, options) {
        if (node === document.body && options.subtree) window.observers.add(this);
        return observe.call(this, node, options);
    };
    MutationObserver.prototype.disconnect = function () {
        window.observers.delete(this);
        return disconnect.call(this);
    };
"""
OF_MODELS = """async () => {
    const models = await Promise.all(Object.values(window.manager._models));
    const boards = models.filter(each => each.get("mark"));
    return boards.map(each => (each._events["msg:custom"] ?? []).length);
}"""
ALIVE = """all => all.filter(each => each.className?.includes?.("mha-workbench")).length"""


@pytest.fixture
def tab(new_tab, lab):
    """A page that counts, with one workbench that has not run yet."""
    for name in ("listening.ipynb", "second.ipynb"):
        store(lab.folder / name, CELLS)
    tab = new_tab()
    tab.page.add_init_script(COUNTING)
    open_notebook(tab, "listening.ipynb")
    return tab


def observers(tab):
    return tab.page.evaluate("window.observers.size")


def on_the_page(tab):
    """Count the listeners of the document, the window and the body, as the browser knows them: those of widgets."""
    session, widgets, count = tab.page.context.new_cdp_session(tab.page), set(), 0
    session.on(
        "Debugger.scriptParsed", lambda script: script["url"].startswith("blob:") and widgets.add(script["scriptId"])
    )
    session.send("Debugger.enable")
    for name in ("document", "window", "document.body"):
        found = session.send("Runtime.evaluate", {"expression": name})["result"]["objectId"]
        listeners = session.send("DOMDebugger.getEventListeners", {"objectId": found})["listeners"]
        count += sum(each["scriptId"] in widgets for each in listeners)
    session.detach()
    return count


def elements_alive(tab):
    """Count the workbenches' elements that something still holds, whether the page shows them or not."""
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("HeapProfiler.collectGarbage")
    prototype = session.send("Runtime.evaluate", {"expression": "HTMLDivElement.prototype"})["result"]["objectId"]
    found = session.send("Runtime.queryObjects", {"prototypeObjectId": prototype})["objects"]["objectId"]
    call = {
        "functionDeclaration": f"function () {{ return ({ALIVE})(this) }}",
        "objectId": found,
        "returnByValue": True,
    }
    count = session.send("Runtime.callFunctionOn", call)["result"]["value"]
    session.detach()
    return count


def run_again(tab):
    """Run the workbench's cell once more, and wait for the new workbench."""
    tab.page.evaluate("document.querySelector('.mha-workbench').dataset.old = 'true'")
    tab.page.evaluate("""() => {
        const { content } = jupyterapp.shell.currentWidget;
        content.activeCellIndex = 1;
        return jupyterapp.commands.execute('notebook:run-cell');
    }""")
    answered = ".mha-workbench:not([data-old]) [data-part=words]:not(:empty)"
    wait_until(lambda: tab.page.locator(answered).count() == 1, "a new workbench with an answer")


def open_beside(tab, name):
    """Open a second notebook, and run it, with nothing that would ask to be saved."""
    tab.page.evaluate("path => jupyterapp.commands.execute('docmanager:open', { path }).then(() => null)", name)
    wait_until(lambda: tab.lab.kernel_is_idle(name), "a second kernel")
    tab.page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells').then(() => null)")
    answered = ".mha-workbench [data-part=words]:not(:empty)"
    wait_until(lambda: tab.page.locator(answered).count() == 2, "two workbenches with an answer")
    tab.page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty = false")


def save(tab):
    """Save by the keys, with the hand in the workbench, and wait until nothing is unsaved.

    JupyterLab takes no such key while it writes the checkpoint of the save before: it is pressed again then.
    """
    entry(tab.workbenches.first, "W_K:0,2").focus()
    tab.page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty = true")

    def is_saved():
        tab.page.keyboard.press("ControlOrMeta+s")
        return not tab.page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")

    wait_until(is_saved, "a saved notebook")


def test_neither_runs_nor_saves_leave_anything_behind_and_the_last_widget_leaves_nothing(tab):
    before = observers(tab)
    run_all(tab, workbenches=1)
    for _ in range(RUNS):
        run_again(tab)
    assert observers(tab) == before + 1
    of_models = tab.page.evaluate(OF_MODELS)
    assert len(of_models) == RUNS + 1 and sorted(of_models) == [1] * RUNS + [2]  # one has a view, which listens too
    for _ in range(SAVES):
        save(tab)
    assert observers(tab) == before + 1 and tab.page.evaluate(OF_MODELS) == of_models
    assert on_the_page(tab) == 1  # who follows links
    assert elements_alive(tab) == 1

    tab.page.evaluate("window.first = jupyterapp.shell.currentWidget")
    open_beside(tab, "second.ipynb")
    tab.page.evaluate("window.first.close()")
    wait_until(lambda: tab.workbenches.count() == 1, "the second notebook's workbench alone")
    assert observers(tab) == before + 1 and on_the_page(tab) == 1  # which the first had made
    tab.page.evaluate("jupyterapp.shell.currentWidget.close()")
    wait_until(lambda: observers(tab) == before, "a page that nobody watches any more")
    assert on_the_page(tab) == 0
    assert [
        each for each in tab.errors if "debugger state" not in each
    ] == []  # of the kernel that JupyterLab has ended

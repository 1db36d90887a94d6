"""JupyterLab as `make lab` starts it: it shows what a learner needs."""

import platform
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
from lab import run_all
from playwright.sync_api import expect
from run_notebooks import METADATA
from stored import ROOT
from traitlets.config import PyFileConfigLoader


def test_a_learner_meets_nothing_of_the_teachers(shared_tab, lab):
    cells = [nbformat.v4.new_code_cell()]  # JupyterLab would put one into a notebook without any
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), lab.folder / "empty.ipynb")
    tab = shared_tab("empty.ipynb", anew=True)
    menus = tab.page.locator(".lm-MenuBar-itemLabel")
    expect(menus.filter(has_text="Help")).to_be_visible()
    shown = " ".join(menus.all_text_contents() + tab.page.locator("body").all_inner_texts())
    assert "Kernel" in shown and not re.search("nbgrader|create assignment|validate", shown, re.IGNORECASE)


def test_answers_are_folded_until_their_cell_runs(shared_tab):
    tab = shared_tab("01_inputs.ipynb", anew=True)
    folded = tab.page.locator(".jp-OutputPlaceholder:visible")
    expect(folded.first).to_contain_text("number of tokens, and the tokens:")
    assert "8 ['innovators'" not in tab.page.locator(".jp-Notebook").inner_text()
    run_all(tab, workbenches=2)
    expect(folded).to_have_count(0)
    expect(tab.page.locator(".jp-Notebook")).to_contain_text("8 ['innovators'")


def test_a_lesson_that_is_opened_and_left_alone_stays_as_it_is(shared_tab, lab):
    path = lab.folder / "opened.ipynb"
    version = f'"version": "{platform.python_version()}"'  # of the kernel, which JupyterLab notes in any case
    stored = re.sub(r'"version": "3[\d.]+"', version, (ROOT / "notebooks" / "01_inputs.ipynb").read_text())
    path.write_text(stored)
    tab = shared_tab(path.name, anew=True)
    info = "jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.info"
    tab.page.evaluate(f"async () => {{ await {info}; }}")
    tab.page.evaluate("new Promise(requestIdleCallback)")
    assert not tab.page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")
    tab.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    assert path.read_text() == stored


def test_a_board_whose_cell_was_just_run_stands_whole_in_view(shared_tab, lab):
    long = "\n\n".join(["A line of text."] * 30)
    cells = [
        nbformat.v4.new_markdown_cell(long),
        nbformat.v4.new_code_cell('from mha_course import Workbench\nWorkbench(stage="scaled_scores")'),
        nbformat.v4.new_markdown_cell(long),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), lab.folder / "in_view.ipynb")
    tab = shared_tab("in_view.ipynb", anew=True)
    tab.page.set_viewport_size({"width": 1280, "height": 720})
    tab.page.locator(".jp-CodeCell .jp-InputArea-editor").first.click()
    tab.page.keyboard.press("Shift+Enter")
    board = tab.workbenches.first
    expect(board.locator("[data-part=words]")).not_to_be_empty()
    expect(board).to_be_in_viewport(ratio=1)


def test_make_lab_starts_jupyterlab_with_that_configuration():
    command = subprocess.run(["make", "-n", "lab"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f'JUPYTER_CONFIG_PATH="{ROOT / "tools"}' in command
    assert (ROOT / "tools" / "labconfig" / "page_config.json").exists()


def test_what_a_kernel_says_leaves_the_server_at_once(monkeypatch):
    there = Path(sys.prefix, "etc", "jupyter", "jupyter_server_config.py")
    assert there.read_text(encoding="utf-8") == (ROOT / "tools" / "server_config.py").read_text(encoding="utf-8")
    connection = PyFileConfigLoader(str(there)).load_config().ServerApp.kernel_websocket_connection_class
    done = []
    monkeypatch.setattr(connection.__bases__[0], "connect", lambda self: done.append("connected"))
    monkeypatch.setattr(connection, "websocket_handler", SimpleNamespace(set_nodelay=done.append))
    connection.__new__(connection).connect()
    assert done == [True, "connected"]

"""JupyterLab as `make lab` starts it: it shows what a learner needs."""

import re
import subprocess

import nbformat
from lab import open_notebook, run_all
from playwright.sync_api import expect
from run_notebooks import METADATA
from stored import ROOT


def test_a_learner_meets_nothing_of_the_teachers(new_tab, lab):
    nbformat.write(nbformat.v4.new_notebook(metadata=METADATA), lab.folder / "empty.ipynb")
    tab = new_tab()
    open_notebook(tab, "empty.ipynb")
    menus = tab.page.locator(".lm-MenuBar-itemLabel")
    expect(menus.filter(has_text="Help")).to_be_visible()
    shown = " ".join(menus.all_text_contents() + tab.page.locator("body").all_inner_texts())
    assert "Kernel" in shown and not re.search("nbgrader|create assignment|validate", shown, re.IGNORECASE)


def test_answers_are_folded_until_their_cell_runs(new_tab):
    tab = new_tab()
    open_notebook(tab, "01_inputs.ipynb")
    folded = tab.page.locator(".jp-OutputPlaceholder:visible")
    expect(folded.first).to_contain_text("number of tokens, and the tokens:")
    assert "8 ['innovators'" not in tab.page.locator(".jp-Notebook").inner_text()
    run_all(tab, workbenches=2)
    expect(folded).to_have_count(0)
    expect(tab.page.locator(".jp-Notebook")).to_contain_text("8 ['innovators'")


def test_make_lab_starts_jupyterlab_with_that_configuration():
    command = subprocess.run(["make", "-n", "lab"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f'JUPYTER_CONFIG_PATH="{ROOT / "tools"}' in command
    assert (ROOT / "tools" / "labconfig" / "page_config.json").exists()

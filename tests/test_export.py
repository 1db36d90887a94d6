"""A lesson as a page: everything can be read without a network, and solutions are folded."""

import nbformat
import pytest
from bs4 import BeautifulSoup
from export import to_html
from stored import NOTEBOOKS


@pytest.fixture(scope="module")
def page():
    path = next(path for path in NOTEBOOKS if path.stem == "03_scaled_scores")
    return BeautifulSoup(to_html(nbformat.read(path, 4)), "html.parser")


def test_a_page_needs_no_network_and_draws_its_formulas(page):
    assert page.select("script[src], link[href^=http], img[src^=http]") == []
    text = nbformat.read(next(path for path in NOTEBOOKS if path.stem == "03_scaled_scores"), 4)
    assert any("$" in cell.source for cell in text.cells if cell.cell_type == "markdown")
    assert len(page.select("math")) > 3
    assert not any("$" in each.get_text() for each in page.select(".jp-RenderedMarkdown p"))


def test_the_solutions_of_a_page_are_folded(page):
    solutions = [each for each in page.select("details.solution") if "# Solution 3." in each.get_text()]
    assert len(solutions) >= 3 and not any(each.has_attr("open") for each in solutions)
    folded = sum(each.get_text().count("# Solution 3.") for each in solutions)
    assert folded == page.get_text().count("# Solution 3.")

"""A plain page as the host of widgets: those of another subject live there, in one view or more, and go."""

import pytest
from driving import replace_text
from playwright.sync_api import expect
from toy.board import Taps, TapsSession

from mha_course.engine.browser.widget import Widget


@pytest.fixture
def tab(plain_tab):
    """A page with two widgets of one kind, the first of them seen twice."""
    first, second = Taps(), Taps()
    plain_tab.show(first, second, first)
    plain_tab.first = first
    yield plain_tab
    assert plain_tab.errors == []


def result(tab, number):
    return tab.page.locator(".mha-form").nth(number).locator("[data-part=result]")


def test_what_a_hand_does_reaches_one_widget_and_comes_back_to_all_its_views(tab):
    untouched = result(tab, 1).inner_html()
    replace_text(tab.page.locator(".mha-form >> nth=0 >> input >> nth=1"), "1")
    for view in (0, 2):
        expect(result(tab, view).locator("tbody td").last).to_have_text("12")
        expect(tab.page.locator(f".mha-form >> nth={view} >> input >> nth=1")).to_have_value("1")
    assert result(tab, 1).inner_html() == untouched


def test_styles_come_once_for_all_widgets_of_a_kind(tab):
    sheets = tab.page.locator("head style").all_text_contents()
    assert len(sheets) == len(set(sheets))


def test_a_widget_that_is_closed_leaves_no_view_and_listens_no_more(tab):
    tab.first.close()
    tab.tell()
    expect(tab.page.locator(".mha-form")).to_have_count(1)
    replace_text(tab.page.locator(".mha-form input").first, "2")
    expect(result(tab, 0).locator("tbody td").last).to_have_text("12")


class Echo(Widget):
    """Show the markup that Python has at the time."""

    _esm = "export default { render: ({ model, el }) => { el.className = 'mha'; el.innerHTML = model.get('html'); } }"


def test_what_python_changes_by_itself_is_there_for_the_next_view(plain_tab):
    echo = Echo(TapsSession())
    plain_tab.show(echo)
    echo.html = "<p>Another screen.</p>"
    plain_tab.add(echo)
    assert plain_tab.page.locator(".mha").all_text_contents()[1] == "Another screen."

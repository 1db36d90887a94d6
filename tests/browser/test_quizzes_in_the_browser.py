"""The quizzes on paper: one sheet of questions and one of answers, on A4 and on Letter, black on white."""

import re

import pytest
from classroom.quizzes.quiz_page import key, sheet

from mha_course.lessons import LESSONS

PAGE = re.compile(rb"/Type\s*/Page\b")  # not /Pages
COLOURS = """() => {
    const styles = [...document.querySelectorAll("body, body *")].map(each => getComputedStyle(each));
    return [...new Set(styles.flatMap(each => [each.color, each.backgroundImage, each.backgroundColor]))].sort();
}"""


@pytest.fixture(scope="module")
def tab(browser):
    page = browser.new_page()
    page.emulate_media(media="print")
    yield page
    page.close()


@pytest.mark.parametrize("write", [sheet, key])
def test_each_is_one_page_on_either_paper_and_needs_no_ink_but_black(tab, write):
    for lesson in LESSONS.values():
        tab.set_content(write(lesson))
        pages = {paper: len(PAGE.findall(tab.pdf(format=paper))) for paper in ("A4", "Letter")}
        assert pages == {"A4": 1, "Letter": 1}, lesson.name
        assert tab.evaluate(COLOURS) == ["none", "rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"]
        assert tab.evaluate("document.body.scrollWidth <= document.documentElement.clientWidth")

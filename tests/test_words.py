"""The list of words says what the lessons say, and leads to where each word is explained."""

import re

import nbformat
import numpy as np
import pytest
from stored import NOTEBOOKS

from mha_course import check, words
from mha_course.engine.pictures.glossary import Glossary
from mha_course.lessons import LESSONS
from mha_course.lessons.words import ALL_WORDS, WORDS

NAMES = {word.name for explained in WORDS.values() for word in explained}
WRITTEN = {r"\sqrt{d_k}": "√d_k", "d_{model}": "d_model", "$": "", "*": "", "`": ""}  # in Markdown -> in the list


def cells(notebook):
    return {cell.id: cell.source for cell in nbformat.read(notebook, 4).cells}


def rows(notebook):
    """The rows of a lesson's own table of new words, as plain text."""
    table = cells(notebook)["summary"].partition("## New words")[2].partition("## Read on")[0]
    for written, plain in WRITTEN.items():
        table = table.replace(written, plain)
    found = [tuple(map(str.strip, line.strip("|").split("|"))) for line in table.splitlines() if line.startswith("|")]
    return [row for row in found if row[0] != "word" and set(row[0]) != {"-"}]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_lesson_and_the_list_say_the_same_of_its_words(notebook):
    explained = {word.name: word.meaning for word in WORDS[notebook.stem.partition("_")[2]]}
    said = dict(rows(notebook))
    assert explained.items() <= said.items()
    assert set(said) <= NAMES


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_lesson_uses_the_words_that_it_explains(notebook):
    text = " ".join(source for name, source in cells(notebook).items() if name != "summary").lower()
    for word in WORDS[notebook.stem.partition("_")[2]]:
        for each in word.name.split(", "):
            stem = re.sub("[^a-z]", "", each.removeprefix("to ").lower())
            assert stem in re.sub("[^a-z]", "", text), each


def test_every_word_is_listed_once_with_its_lesson():
    listed = words()
    assert len(NAMES) == sum(map(len, WORDS.values())) == listed.html.count('<th scope="row"')
    assert list(WORDS) == list(LESSONS) and all(lesson.notebook in listed.html for lesson in LESSONS.values())


def test_a_check_links_the_words_that_it_uses_to_the_list():
    said = check("masks.padding", lambda lengths, n_k: np.arange(n_k) < lengths[:, None], seed=0)
    notebook, _, cell = ALL_WORDS.partition("#cell-id=")
    assert re.search(f'<a href="{ALL_WORDS}" title="[^"]+">[^<]+</a>', said.html), said.html
    assert "<a" not in said.text
    assert cells(next(path for path in NOTEBOOKS if path.name == notebook))[cell].startswith("### All words")


def test_a_name_in_code_or_before_its_size_is_no_mention_of_a_word():
    linked = Glossary({"mask": "which key is seen"}, "words.html").linked
    for text in ("np.where(mask, scores, 0)", "mask.any()", "mask = 1", "With the example (scores 2 × 3, mask 2 × 3):"):
        assert list(linked([text])) == [text]
    assert [text.count("<a") for text in linked(["A mask hides keys.", "This mask does not."])] == [1, 0]

"""Lesson 15 and the real model: what its predictions take from the notebook, and that a learner's function fits in."""

import re

import nbformat
import numpy as np
import pytest
from checks import EXERCISES
from stored import NOTEBOOKS, ROOT

from mha_course import real_model
from mha_course.forward import trained_heads as trained
from mha_course.lessons.real_model.predictions import LOSSES, WITHOUT_COPYING
from mha_course.widgets.head_ablation import TEXT
from mha_course.widgets.heads_of_text import HeadsRead

pytestmark = pytest.mark.long

CELLS = {cell.id: cell for cell in nbformat.read(ROOT / "notebooks" / "15_real_model.ipynb", 4).cells}


def stored(cell):
    return CELLS[cell].outputs[0].text


def test_the_losses_that_a_prediction_tells_are_those_that_the_notebook_shows():
    assert f"right                     {LOSSES['right']:.2f}\n" in stored("loss")
    assert f"no causal mask            {LOSSES['no causal mask']:.1f}\n" in stored("loss")
    shown = re.findall(r"text ([\d.]+), name, first time [\d.]+, second time ([\d.]+)", stored("copying-off"))
    assert [tuple(map(float, pair)) for pair in shown] == list(zip(*WITHOUT_COPYING.values(), strict=True))


def test_every_number_that_the_lesson_tells_of_a_stored_output_stands_there():
    told = {
        "loss": ("1.0", "2.98"),
        "claim": ("0.64", "19.9", "2.9"),
        "partners": ("17.1 alone  [1.6 2.3 5.4]", "all four    [1.5 2.5 4.1]"),
        "resting": ("41 heads, 4 of them copy: all heads 2.98, without them 3.09", "others 3.43 to 4.07"),
        "sink-by-length": ("138 heads", "41 heads"),
        "jobs": ("21.7 0.58, 24.3 0.55",),
        "copying-off": ("7.4", "0.2", "2.0"),
        "explanation": ("[1.5 1. ]", "[ 5 79 85 78 80 84 84 80 73]"),
        "rows-without-cache": ("5,050", "46,080"),
    }
    for cell, numbers in told.items():
        for number in numbers:
            assert number in stored(cell), (cell, number)


@pytest.mark.needs("model")
def test_the_answer_of_the_last_exercise_on_masks_speaks_as_the_model_does():
    model, right = real_model(), EXERCISES["masks.attention"].right
    assert model.speak("The capital of France is", attention=right, tokens=2) == " Paris."
    assert np.allclose(model.read("Innovators", attention=right).logits, model.read("Innovators").logits, atol=0.01)


# What earlier lessons store of the model


@pytest.mark.needs("model")
def test_the_three_trained_heads_of_lesson_6_are_those_of_the_model():
    reading = real_model().read(trained.SENTENCE)
    assert tuple(token.strip() for token in reading.tokens) == trained.TOKENS
    for name, stored in trained.WEIGHTS.items():
        layer, head = map(int, name.split("."))
        np.testing.assert_allclose(reading.weights[layer - 1, head - 1], stored, atol=2e-3)


@pytest.mark.needs("model")
def test_the_desk_forgot_the_name_as_lesson_0_says():
    model, copying = real_model(), HeadsRead(TEXT).jobs.heads("induction")
    recorded = next(cell.source for cell in nbformat.read(NOTEBOOKS[0], 4).cells if cell.id == "ahead-forgetting")
    written = [_written(model, off) for off in ((), copying)]
    rows = re.findall(r"<td>(.*?)</td>", recorded)
    assert len(copying) == 4 and f"after: {TEXT}<" in recorded
    assert [re.sub("<.*?>", "", each) for each in rows[1::2]] == written


def _written(model, off):
    return "".join(each.text for each in model.stream(TEXT, tokens=10, without=off)).strip()

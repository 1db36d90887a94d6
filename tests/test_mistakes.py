"""Every mistake that an exercise knows is recognised by its name, and shown on one entry."""

import re

import pytest
from arithmetic import evaluate
from checks import EVERY_WAY, EXERCISES, diagnosis_of, every_exercise

EVERY_MISTAKE = [each.mistakes[0] for ways in EVERY_WAY.values() for each in ways]
every_way = pytest.mark.parametrize(
    ("exercise", "way"),
    [
        pytest.param(EXERCISES[name], way, id=f"{name}-{i}-{way.names[0]}")
        for name, ways in EVERY_WAY.items()
        for i, way in enumerate(ways)
    ],
)


@every_way
def test_every_mistake_gets_its_own_diagnosis(exercise, way):
    (mistake,), found = way.mistakes, diagnosis_of(exercise, way)
    assert (found.kind, found.headline, found.where) == ("mistake", mistake.name, mistake.where)
    assert found.mistakes == (mistake.name,)
    assert mistake.why in found.paragraphs
    assert not any("The same numbers come from" in paragraph for paragraph in found.paragraphs)


@every_exercise
def test_a_mistake_shows_one_entry_whose_arithmetic_gives_its_number(exercise):
    for way in EVERY_WAY[exercise.name]:
        lines = diagnosis_of(exercise, way).lines
        assert [who for who, _ in lines] in (["yours", "right"], [])
        assert len({line.split(" = ")[-1] for _, line in lines}) == len(lines), "both numbers are the same"
        for _, line in lines:
            arithmetic_gives_its_number(line)


def arithmetic_gives_its_number(line):
    """See what stands between the signs of one line evaluate to the number at its end."""
    place, *parts, shown = line.split(" = ")
    assert re.fullmatch(r"\w+(\[[\d,]+\])?", place)
    for part in parts:
        if not re.fullmatch(r"[A-Za-z_]\w*(\[[\d,\[\]]+\])?", part) and shown not in ("nan", "inf", "-inf"):
            assert evaluate(part) == pytest.approx(float(shown), abs=0.51e-4, rel=1e-3 if "e+" in shown else 0), line


def test_only_errors_and_a_mere_shape_show_no_entry():
    for name, ways in EVERY_WAY.items():
        for way in ways:
            found = diagnosis_of(EXERCISES[name], way)
            if not found.lines:
                expected = r"it raises|only their shape is not|Only the axes|has shape \([\d, ]*\), but needs"
                assert re.search(expected, found.paragraphs[-1]), (name, found.headline)


def test_400_mistakes_and_more_are_known_each_as_a_sentence_with_a_reason_and_perhaps_its_threads():
    assert len({mistake.name for mistake in EVERY_MISTAKE}) >= 400
    for mistake in EVERY_MISTAKE:
        assert mistake.name.endswith(".") and mistake.why.endswith(".")
        assert all(re.fullmatch(r"[\w.-]+/[\w.-]+ #\d+", each) for each in mistake.where.split(", ") if each)


def test_a_name_stands_for_one_reason_in_an_exercise():
    for name, ways in EVERY_WAY.items():
        reasons = {}
        for (mistake,) in (way.mistakes for way in ways):
            assert reasons.setdefault(mistake.name, mistake.why) == mistake.why, (name, mistake.name)


THREADS = """reczoo/FuxiCTR #30, ajhalthor/Transformer-Neural-Network #8, lsdefine/attention-is-all-you-need-keras #36,
MarcoMeter/episodic-transformer-memory-ppo #22, deepjavalibrary/d2l-java #186, huggingface/blog #2893,
mlc-ai/mlc-llm #3426, huggingface/transformers #38290, chelsea0x3b/dfdx #171, FareedKhan-dev/train-llm-from-scratch #3,
mkara44/transunet_pytorch #4, YutaroOgawa/pytorch_advanced #174, labmlai/annotated_deep_learning_paper_implementations
#146, nerminnuraydogan/vision-transformer #1, PetrochukM/PyTorch-NLP #2, FudanNLP/fastNLP #254,
jadore801120/attention-is-all-you-need-pytorch #52, facebookresearch/detr #247, cmu-l3/anlp-fall2025-code #1,
jsbaan/transformer-from-scratch #1, poloclub/transformer-explainer #19, huggingface/pytorch-image-models #2236,
georg-wolflein/good-features #1, lucidrains/memory-compressed-attention #2,
tensorflow/text #894, lsdefine/attention-is-all-you-need-keras #16, tracel-ai/burn #4697, ml-explore/mlx #2395,
pytorch/pytorch #131060,
jadore801120/attention-is-all-you-need-pytorch #17, Howuhh/faster-trajectory-transformer #3,
harvardnlp/annotated-transformer #119, hkproj/pytorch-transformer #31, rasbt/LLMs-from-scratch #431"""


@pytest.mark.parametrize("thread", " ".join(THREADS.split()).split(", "))
def test_a_mistake_that_was_made_in_public_is_known_with_its_thread(thread):
    assert any(thread in mistake.where for mistake in EVERY_MISTAKE)

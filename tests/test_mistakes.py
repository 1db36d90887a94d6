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
    assert (found.kind, found.headline) == ("mistake", mistake.name)
    assert (found.where, found.asked) == (mistake.where, mistake.asked)
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
        for threads in (mistake.where, mistake.asked):
            assert all(re.fullmatch(r"[\w.-]+/[\w.-]+ #\d+", each) for each in threads.split(", ") if each)


def test_a_name_stands_for_one_reason_in_an_exercise():
    for name, ways in EVERY_WAY.items():
        reasons = {}
        for (mistake,) in (way.mistakes for way in ways):
            assert reasons.setdefault(mistake.name, mistake.why) == mistake.why, (name, mistake.name)

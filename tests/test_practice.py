"""Lines to put in order, and tasks by hand: what is right is right, and what is wrong is told why."""

import re

import numpy as np
import pytest
from proofs import TRUE_SENTENCES

from mha_course import arrange, how_far, practise, two_heads
from mha_course.engine.asking.numbers import Numbers
from mha_course.engine.asking.several_choices import Several
from mha_course.engine.asking.wrong_entry import WrongEntry
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.pictures.protocol import Update
from mha_course.lessons import CATALOGUE, LESSONS
from mha_course.lessons.by_name import COURSE

EXERCISES, PUZZLES, TASKS = CATALOGUE.exercises, CATALOGUE.puzzles, CATALOGUE.tasks
STEPS = {part.name: part for task in TASKS.values() for part in task.parts}
every_puzzle = pytest.mark.parametrize("name", PUZZLES)
every_step = pytest.mark.parametrize("name", STEPS)

BATCH = "scaled_scores.batch"  # lines 0 to 3 are right; 4 and 5 are in place of 0 and 1
BY_HAND, SENTENCES, ENTRY = "weighted_sums.by-hand", "softmax.true-sentences", "scaled_scores.wrong-entry"
ON_PAPER = [["1", "3", "0", "1"], ["0.71", "2.12", "0", "0.71"], ["2.03", "8.33", "1", "2.03"],
            ["0.2", "0.8", "0.33", "0.67"], ["1.6", "2.4", "1.99", "2.01"]]  # fmt: skip


def kinds(kind):
    return {name: step.kind for name, step in STEPS.items() if isinstance(step.kind, kind)}


def keys_of(puzzle):
    """The keys of the right lines in their order."""
    return [str(number) for number in range(len(puzzle.lines))]


def made_by(line):
    """What a line makes: two lines that make the same stand in place of each other."""
    return "return" if line.startswith("return ") else line.partition(" = ")[0]


def submitted(session, name, answer):
    """What the screen has to change when a step of a task is answered."""
    kind = STEPS[name].kind
    return session.act([["submit", name, kind.fields(answer)]])


# Lines to put in order


@every_puzzle
def test_the_lines_in_their_order_are_right_and_shown_in_another(name):
    puzzle = PUZZLES[name]
    right = keys_of(puzzle)
    assert diagnose(EXERCISES[name], puzzle.function(right)).kind == "right"
    assert len(right) >= 4 and len(puzzle.wrong) == 2 and len(set(puzzle.texts.values())) == len(puzzle.texts)
    shown = puzzle.shuffled()
    assert sorted(shown) == sorted(puzzle.texts) and shown == puzzle.shuffled()
    assert [key for key in shown if key in right] not in (right, right[::-1])
    assert puzzle.head.startswith("def my_") and puzzle.makes.endswith(".")
    assert re.search(r"\((.*)\)", puzzle.head)[1].split(", ") == list(EXERCISES[name].arguments)


@every_puzzle
def test_a_wrong_line_in_place_of_its_right_one_is_a_mistake_with_a_name(name):
    puzzle = PUZZLES[name]
    for wrong in list(puzzle.texts)[len(puzzle.lines) :]:
        (place,) = (key for key in keys_of(puzzle) if made_by(puzzle.texts[key]) == made_by(puzzle.texts[wrong]))
        arranged = [wrong if key == place else key for key in keys_of(puzzle)]
        found = diagnose(EXERCISES[name], puzzle.function(arranged))
        assert found.kind == "mistake" and found.mistakes, puzzle.texts[wrong]


@every_puzzle
def test_a_name_that_no_line_above_makes_is_told_in_plain_words(name):
    puzzle = PUZZLES[name]
    right = keys_of(puzzle)
    for arranged in (right[1:], [*right[-2::-1], right[-1]]):
        found = diagnose(EXERCISES[name], puzzle.function(arranged))
        assert found.headline == "It stops with an error."
        assert "A line uses a name before any line above it has made it." in found.paragraphs
        assert any(f"in the line  {line}" in found.paragraphs[0] for line in puzzle.lines)  # the line itself is quoted


def test_where_no_kernel_runs_the_shuffled_lines_are_shown():
    for name, puzzle in PUZZLES.items():
        text = repr(arrange(name))
        assert text.endswith("Not run yet.")
        places = [text.index(f"- {puzzle.texts[key]}\n") for key in puzzle.shuffled()]
        assert places == sorted(places)


# Tasks


@every_step
def test_the_truth_is_an_answer_that_can_be_given_and_is_right(name):
    kind = STEPS[name].kind
    truth = kind.truth()
    assert kind.can_be(truth) and kind.read(kind.fields(truth)) == truth
    assert kind.judged(truth).is_right
    for nothing in (None, [], ["?"], "1", [1], [None]):
        assert not kind.can_be(nothing)
    with pytest.raises(ValueError, match=r"\."):
        kind.read({})


@pytest.mark.parametrize("name", kinds(Several))
def test_every_sentence_has_a_reason_and_whoever_judges_it_wrongly_is_told_it(name):
    kind = STEPS[name].kind
    truth, sentences = kind.truth(), kind.options
    assert len(sentences) == 5 and 2 <= len(truth) <= 3
    assert len({each.reason for each in sentences.values()}) == 5
    for key, sentence in sentences.items():
        wrong = [each for each in sentences if (each in truth) != (each == key)]
        judged = kind.judged(wrong)
        assert not judged.is_right and judged.told.startswith("1 of 5 is judged wrongly.")
        assert sentence.reason in judged.told


@pytest.mark.parametrize("name", kinds(WrongEntry))
def test_one_entry_alone_is_wrong_and_every_other_is_told_how_it_is_made(name):
    kind = STEPS[name].kind
    shown = {f"{table.name}:{place}": number for table in kind.tables for place, number in table.numbers().items()}
    assert set(shown) == {kind.wrong, *kind.made}
    for at, made in kind.made.items():
        assert np.isclose(shown[at], float(made.rpartition("= ")[2]), atol=6e-5)
        judged = kind.judged([at])
        assert not judged.is_right and judged.told.endswith(f"is right: {made}. Look for another one.")
    should_be, is_there = (float(each) for each in re.findall(r"= (-?[\d.]+\d|\d)\.(?: |$)", kind.told)[:2])
    assert np.isclose(shown[kind.wrong], is_there, atol=6e-5) and abs(should_be - is_there) > 0.1
    assert len(shown) >= 9


@pytest.mark.parametrize("name", kinds(Numbers))
def test_numbers_that_come_from_a_known_mistake_are_told_its_name(name):
    kind = STEPS[name].kind
    named = set()
    for mistake in kind.mistakes:
        judged = kind.judged([f"{number:.6g}" for number in mistake.numbers.values()])
        wrong = [
            place
            for place, number in mistake.numbers.items()
            if abs(number - kind.table.numbers()[place]) > kind.tolerance
        ]
        is_one_whole = len(wrong) == 1 and mistake.numbers[wrong[0]].is_integer()
        assert judged.is_right == (not wrong) and bool(judged.mistake) == (bool(wrong) and not is_one_whole)
        named.add(judged.mistake)
    assert len(named) >= (5 if name.startswith(BY_HAND) else 3)


def test_the_likeliest_mistake_is_named_first():
    for step, answer, name in (
        (1, ["1", "0", "3", "1"], "Queries and keys are swapped."),
        (2, ["1", "3", "0", "1"], "The scale is missing."),
        (2, ["0.5", "1.5", "0", "0.5"], "The scale is d_k, not its root."),
        (3, ["0.49", "0.12", "1", "0.49"], "The scores have the wrong sign."),
        (4, ["2.03", "8.34", "1", "2.03"], "The division by the sum is missing."),
        (4, ["0.67", "0.8", "0.33", "0.2"], "The softmax runs over the queries, not the keys."),
        (5, ["1.11", "0.99", "3.89", "2.01"], "The weights are transposed."),
    ):
        judged = STEPS[f"{BY_HAND}.{step}"].kind.judged(answer)
        assert judged.mistake == name and f"What gives this: {name} " in judged.told


def test_the_products_of_the_task_on_one_matrix_are_those_of_queries_and_keys():
    q, K = two_heads.X[1] @ two_heads.W_Q[1], two_heads.X @ two_heads.W_K[1]
    assert STEPS["what_a_head_does.one-matrix.2"].kind.truth() == [f"{product:g}" for product in K @ q]


def test_one_whole_number_that_is_wrong_alone_is_no_mistake():
    kind = STEPS[f"{BY_HAND}.1"].kind
    judged = kind.judged(["1", "2", "0", "1"])  # as without the transpose, but nothing else is
    assert judged.mistake == "" and judged.told.startswith("products[1,2] is not 2. A dot product:")


def test_whoever_goes_on_with_two_decimals_is_right_to_the_end():
    session = practise(BY_HAND)._session
    for number, answer in enumerate(ON_PAPER, 1):
        update = submitted(session, f"{BY_HAND}.{number}", answer)
        assert "✓ right" in update["parts"][f"result {BY_HAND}.{number}"], number
        assert update["locked"] == [f"{BY_HAND}.{each}" for each in range(1, number + 1)]
        assert update["hidden"] == [f"{BY_HAND}.{each}" for each in range(number + 2, 6)]
    assert TASKS[BY_HAND].notice in update["parts"][f"result {BY_HAND}.5"]
    assert update["parts"]["stand"] == "All steps are right."


def _exercises(lesson):
    """How many exercises and tasks of a lesson are solved, and how many there are, optional ones too."""
    row = how_far().text.splitlines()[1 + lesson.number]
    counts = re.findall(r"(\d+) of (\d+)", re.search(r"exercises ([^,]+),", row)[1])
    return tuple(sum(map(int, numbers)) for numbers in zip(*counts, strict=True))


@pytest.mark.parametrize("name", TASKS)
def test_a_task_whose_steps_are_all_right_is_solved_and_counts(name):
    lesson = LESSONS[name.partition(".")[0]]
    assert _exercises(lesson) == (0, len(lesson.exercises) + len(lesson.tasks))
    session = practise(name)._session
    for step in session._questions:
        assert name not in COURSE.progress.solved()
        update = submitted(session, step, STEPS[step].kind.truth())
    assert name in COURSE.progress.solved()
    assert TASKS[name].notice.partition("*")[0] in update["parts"][f"result {step}"].replace("&#x27;", "'")
    assert _exercises(lesson)[0] == 1
    assert repr(practise(name)).count("✓ Right.") == len(TASKS[name].parts)


def test_the_sentences_that_are_true_are_those_that_were_worked_out_on_paper():
    truths = {name: part.kind.truth() for name, part in STEPS.items() if isinstance(part.kind, Several)}
    assert truths == TRUE_SENTENCES


# Both


def test_every_part_that_an_update_fills_is_there():
    for form in [*map(arrange, PUZZLES), *map(practise, TASKS)]:
        update = form._session.act([])
        html = form.html + "".join(update["parts"].values())
        assert set(update) <= set(Update.__annotations__)
        for name in update["parts"]:
            assert form.html.count(f'data-part="{name}"') == 1
        for name in [*update.get("fields", {}), *update.get("hidden", [])]:
            assert form.html.count(f'data-form="{name}"') == 1
        for name in update["off"]:
            assert html.count(f'name="{name}"') == 1


def test_every_field_has_a_name_for_those_who_cannot_see_where_it_stands():
    for name in TASKS:
        for field in re.findall("<input[^>]*>", practise(name).html):
            assert "aria-label=" in field or 'type="checkbox"' in field
    for puzzle in map(arrange, PUZZLES):
        parts = puzzle._session.act([["press", "line 0"], ["press", "line 1"]])["parts"]
        for button in re.findall("<button[^>]*>", parts["function"] + parts["aside"]):
            assert "aria-label=" in button


def test_a_name_that_is_none_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"no exercise with lines is called that\. Did you mean 'masks.softmax'"):
        arrange("masks.softmaxx")
    with pytest.raises(ValueError, match=rf"no task is called that\. Did you mean '{BY_HAND}'"):
        practise("weighted_sums.by_hand")


def test_nothing_is_about_an_exercise_that_is_gone():
    assert set(PUZZLES) <= set(EXERCISES) and len(PUZZLES) == 11
    for name in (*PUZZLES, *TASKS):
        assert name in {*LESSONS[name.partition(".")[0]].puzzles, *LESSONS[name.partition(".")[0]].tasks}
    assert not {*TASKS, *STEPS} & {*EXERCISES, *CATALOGUE.predictions, *CATALOGUE.questions}

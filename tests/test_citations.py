"""Every public thread that the course cites, and whether the mistake happened there or was only asked about.

tests/fixtures/citations.json has them all, each with what decides its kind. happened: that repository's code was wrong.
asked: it was right, or nobody said that it was wrong, and a reader proposed the wrong form or asked about it.
"""

import json
import re
from pathlib import Path

import nbformat
from checks import EXERCISES
from stored import NOTEBOOKS, ROOT

from mha_course.engine.asking.kinds import Choice
from mha_course.engine.checking.diagnosis import Diagnosis
from mha_course.engine.checking.solution import known_to
from mha_course.engine.checking.verdict import known_from
from mha_course.lessons import LESSONS

CITED = json.loads((Path(__file__).parent / "fixtures" / "citations.json").read_text(encoding="utf-8"))
BESIDE = (ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("mha_course/lessons/*/teaching.md"))
THREAD = re.compile(r"([A-Za-z0-9][\w-]*/[\w.-]+)?[ \n]\(?#(\d+)\b|\(#(\d+)\)")
CHECKED = (ROOT / "CHANGELOG.md", ROOT / "docs" / "measurements.md", ROOT / "tests" / "recorded_answers.jsonl")
BY_WHOM = re.compile(r"\b(?:editor|mathematician|proofreader|reviewer|people who|people had)\b", re.IGNORECASE)
MISTAKES = [mistake for exercise in EXERCISES.values() for mistake in known_to(exercise)]


def threads(text):
    """List the threads in a text; a bare number belongs to the repository before it, if there is one."""
    found, repository = [], None
    for named, number, bare in THREAD.findall(text):
        repository = named or repository
        if repository:
            found.append(f"{repository} #{number or bare}")
    return found


def asked_texts():
    """Yield every text of the predictions and quizzes."""
    for lesson in LESSONS.values():
        for each in (*lesson.predictions.values(), *lesson.quiz.values()):
            yield each.text
            if isinstance(each.kind, Choice):
                yield from (option.reason for option in each.kind.options.values())


def prose():
    """List what the lessons say in words: notices, reasons, questions, cells, and the texts beside them."""
    texts = [exercise.notice for exercise in EXERCISES.values()]
    texts += [f"{mistake.name} {mistake.why}" for mistake in MISTAKES] + list(asked_texts())
    texts += [cell.source for path in NOTEBOOKS for cell in nbformat.read(path, 4).cells]
    return texts + [path.read_text(encoding="utf-8") for path in BESIDE]


def test_every_citation_has_an_entry_and_every_entry_is_cited():
    fields = [threads(f" {text}") for each in MISTAKES for text in (each.where, each.asked)]
    cited = {thread for found in (*fields, *map(threads, prose())) for thread in found}
    assert cited == set(CITED)


def test_a_mistake_keeps_what_happened_and_what_was_asked_apart():
    for mistake in MISTAKES:
        for text, kind in ((mistake.where, "happened"), (mistake.asked, "asked")):
            listed = [thread for thread in text.split(", ") if thread]
            assert {thread: CITED[thread]["kind"] for thread in listed} == dict.fromkeys(listed, kind), mistake.name


def test_where_a_lesson_says_that_it_has_happened_it_has():
    said = [
        sentence
        for text in prose()
        for sentence in re.split(r"(?<=[a-z0-9)])\.(?=\s|$)", text)
        if "It has happened in" in sentence or "it has happened in" in sentence
    ]
    assert len(said) >= 6
    for sentence in said:
        assert threads(sentence) and {CITED[thread]["kind"] for thread in threads(sentence)} == {"happened"}, sentence


def test_every_entry_says_what_decides_its_kind():
    for thread, entry in CITED.items():
        assert entry["kind"] in ("happened", "asked") and isinstance(entry["found"], bool), thread
        assert len(entry["because"].split()) >= 4 and entry["because"].rstrip('"').endswith((".", "!")), thread
    assert sum(entry["found"] for entry in CITED.values()) >= 0.9 * len(CITED)


def test_it_is_said_how_something_was_checked_and_not_by_whom():
    assert {path.name: found for path in CHECKED if (found := BY_WHOM.findall(path.read_text(encoding="utf-8")))} == {}


def test_a_learner_reads_them_in_two_sentences():
    both = Diagnosis("mistake", "It is wrong.", where="a/b #1", asked="c/d #2")
    happened, asked = known_from(both)
    assert happened == "This has happened to others: a/b #1."
    assert asked == "Readers of other code have brought it up: c/d #2."
    assert known_from(Diagnosis("mistake", "It is wrong.")) == []


def test_threads_are_read_as_they_are_written():
    assert threads("(see a/b #1 and #2, c/d.e #3)") == ["a/b #1", "a/b #2", "c/d.e #3"]
    assert threads("reported (a/b\n#21), and taken back (#22)") == ["a/b #21", "a/b #22"]
    assert threads("colour #333 alone") == []

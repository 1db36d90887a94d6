"""How a workbench was left is kept whole, or not at all."""

from concurrent.futures import ThreadPoolExecutor

from toy.course import SIGNALS

from mha_course.engine.progress.kept_texts import KeptTexts

KEPT = KeptTexts(SIGNALS)
TEXTS = ["a" * 10**6, "b" * 10**6]


def test_whoever_reads_while_another_writes_finds_one_text_or_the_other_and_never_a_part():
    KEPT.keep("board", TEXTS[0])
    with ThreadPoolExecutor(1) as other:
        writes = other.submit(lambda: [KEPT.keep("board", text) for text in TEXTS * 50])
        while not writes.done():
            assert KEPT.kept("board") in TEXTS
    assert KEPT.kept("board") == TEXTS[1]


def test_what_is_taken_away_is_gone_and_may_be_taken_away_again():
    KEPT.keep("board", TEXTS[0])
    KEPT.keep("board", None)
    KEPT.keep("board", None)
    assert KEPT.kept("board") is None

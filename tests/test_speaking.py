"""The real model under a hand: it writes, shows its heads, and does without some; and what goes wrong is told."""

import os
import re
import time
from html import unescape
from threading import Lock

import numpy as np
import pytest

from mha_course import Desk, Gallery, Speak, attention, head_jobs, real_model, repeated_tokens
from mha_course.language_model.missing_model import not_installed
from mha_course.widgets import (
    gallery,
    generation,
    generation_process,
    head_ablation,
    head_ablation_session,
    heads_of_text,
)
from mha_course.widgets.gallery_session import GallerySession
from mha_course.widgets.generation_process import Speaker
from mha_course.widgets.head_ablation_session import HeadAblationSession
from mha_course.widgets.speak_session import SpeakingSession

pytestmark = pytest.mark.slow


def needs_model(test):
    """Mark a test in which the model speaks, in a process of its own."""
    return pytest.mark.world(pytest.mark.needs("model")(test))


FRANCE = "The capital of France is"
WORDS = " Paris.\n\nThe answer"
ATTACK = "<img src=x onerror=alert(1)>"
SESSIONS = {
    "speak": lambda: SpeakingSession(FRANCE),
    "gallery": lambda: GallerySession(gallery.TEXT),
    "desk": lambda: HeadAblationSession(head_ablation.TEXT),
}


def alert(update):
    return unescape(update["parts"]["alert"])


def run(session, *actions):
    """Do something, then give the ticks that the page gives, until it asks for none; return the last update."""
    update, end = session.act([list(action) for action in actions]), time.monotonic() + generation.OPENING
    while {"write", "writing"} & set(update.get("on", [])):
        update = session.act([["tick"]])
        assert time.monotonic() < end
    return update


# Jobs


def weights_of(*looks, n=6):
    """Weights of one layer in which each head looks at one place alone: looks(query) -> key."""
    weights = np.zeros((1, len(looks), n, n))
    for head, look in enumerate(looks):
        for query in range(n):
            weights[0, head, query, look(query)] = 1
    return weights


def test_a_head_gets_the_job_that_its_weights_show():
    tokens = ["So", ",", " we", " went", " home", " then"]
    weights = weights_of(
        lambda query: 0,
        lambda query: max(0, query - 1),
        lambda query: query,
        lambda query: 1 if query > 1 else 0,
        lambda query: 2 * (query // 2),  # now itself, now the one before
    )
    mixed = 0.6 * weights[:, :1] + 0.4 * weights[:, 1:2]  # enough for neither
    jobs = head_jobs(np.concatenate([weights, mixed], axis=1), tokens)
    assert jobs.names.tolist() == [["sink", "previous", "itself", "punctuation", "previous", "mixed"]]
    assert jobs.heads("previous") == [(1, 2), (1, 5)] and jobs.score(1, 5) == 0.5
    np.testing.assert_allclose(jobs.scores["punctuation"][0, :4], [0, 1 / 4, 0, 1])


def test_who_copies_is_named_after_that_even_where_there_is_nothing_to_copy():
    copies = weights_of(lambda query: max(0, query - 2), lambda query: 0)  # of 3 tokens, said twice
    jobs = head_jobs(weights_of(lambda query: 0, lambda query: 0), list("abcdef"), copies)
    assert jobs.names.tolist() == [["induction", "sink"]]
    assert jobs.scores["induction"].tolist() == [[1, 0]] and jobs.scores["sink"].tolist() == [[1, 1]]


def test_a_single_token_has_no_later_queries():
    assert head_jobs(np.ones((2, 3, 1, 1)), ["a"]).names.tolist() == [["mixed"] * 3] * 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((np.ones((2, 3, 3)), ["a"]), r"weights has shape (2, 3, 3), but must be (layers, heads, n, n)."),
        ((np.ones((1, 2, 3, 3)), ["a"]), "weights has shape (1, 2, 3, 3), but there are 1 tokens."),
        ((np.ones((1, 2, 1, 1)), ["a"], np.ones((1, 3, 4, 4))), "repeated is of (1, 3) layers and heads"),
    ],
)
def test_weights_of_another_shape_are_told(arguments, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        head_jobs(*arguments)


@needs_model
def test_the_heads_that_copy_are_the_same_for_other_random_tokens():
    reading = real_model().read("Innovators create and disrupt in equal measure.")
    for seed in (0, 1):
        again = real_model().read(repeated_tokens(seed=seed))
        jobs = head_jobs(reading.weights, reading.tokens, again.weights)
        assert jobs.heads("induction") == [(19, 7), (18, 5), (18, 4), (18, 6)]
        assert jobs.heads("previous") == [(12, 2), (3, 2), (17, 1), (2, 3)]
        assert len(jobs.heads("sink")) == 139


# Before a hand does anything


@pytest.fixture
def no_model(monkeypatch):
    """The model's packages are not installed."""

    def missing():
        raise not_installed("gguf")

    for module in (heads_of_text, head_ablation_session, generation_process):
        monkeypatch.setattr(module, "real_model", missing)
    monkeypatch.setattr(generation, "WarmProcess", lambda module: pytest.fail("A process was started."))


@pytest.mark.parametrize("make", SESSIONS.values(), ids=SESSIONS)
def test_nothing_is_computed_before_a_press_and_the_picture_needs_no_model(no_model, make):
    session = make()
    session.screen()
    update = session.act([])
    assert alert(update) == "" and session.still() == make().still()
    if not isinstance(session, GallerySession):
        assert alert(session.act([["tick"]])) == ""  # of a page whose Stop was heard meanwhile


@pytest.mark.parametrize("widget", [Speak, Gallery, Desk])
def test_a_text_that_is_none_is_told_where_it_was_given(no_model, widget):
    with pytest.raises(TypeError, match=r"text must be a string, but it is int\."):
        widget(5)


@pytest.mark.parametrize("make", [SESSIONS["gallery"], SESSIONS["desk"]], ids=["gallery", "desk"])
def test_without_the_model_a_sentence_says_how_to_get_it(no_model, make):
    assert alert(make().act([["press", "read"]])).startswith("The real model is not installed (gguf is missing). Run ")


def test_without_the_model_the_process_says_how_to_get_it(no_model):
    told = []
    settings = {"tokens": 1, "temperature": None, "seed": 0}
    Speaker().make(
        generation.pickle.dumps(("begin", FRANCE, [], None, {}, settings)), 60, lambda *each: told.append(each)
    )
    assert told == [("failed", str(not_installed("gguf")))]


# It writes


@needs_model
def test_it_writes_token_by_token_and_says_what_was_likely_at_each_place():
    session = SpeakingSession(FRANCE, tokens=6)
    seen = set()
    update = session.act([["press", "write"]])
    while "write" in update["on"]:
        update = session.act([["tick"]])
        seen.add(session.written)
        assert "token 7 of 6" not in update["parts"]["told"]
    assert {"", " Paris", " Paris.", WORDS} <= seen and session.written == WORDS
    update = session.act([["press", "token 0"]])
    table = update["parts"]["likeliest"]
    names = re.findall(r'<th scope="row"[^>]*>([^<]*)', table)
    shares = [int(each) for each in re.findall(r">(\d+) %<", table)]
    assert names[0] == "␣Paris" and len(names) == 5 and shares == sorted(shares, reverse=True)
    logits = next(real_model().stream(FRANCE, tokens=1)).logits
    share = 1 / np.exp(logits.astype(float) - logits.max()).sum()
    assert abs(shares[0] - 100 * share) <= 1
    assert table.count("← written") == 1
    assert (
        session.still().text.splitlines()[0]
        == f"The real model continues with: {FRANCE} | {session.written}".split("\n")[0]
    )


@needs_model
def test_what_is_drawn_depends_on_the_seed_and_a_rare_token_tells_its_place():
    def drawn(seed, temperature):
        session = SpeakingSession(FRANCE, tokens=5)
        fields = {"choose": "drawn", "seed": seed, "temperature": temperature}
        update = run(session, *(["set", *each] for each in fields.items()), ["press", "write"])
        return session.written, update["parts"]["likeliest"]

    (first, table), (again, _), (other, _) = drawn("1", "4"), drawn("1", "4"), drawn("2", "4")
    assert first == again != other
    assert re.search(r"← written \(number [\d,]+\)", table)
    session = SpeakingSession(FRANCE)
    for name, text, told in (
        ("temperature", "0", "Temperature: it must be above 0."),
        ("seed", "x", "Seed: 'x' is no"),
    ):
        update = session.act([["set", "choose", "drawn"], ["set", name, text], ["press", "write"]])
        assert alert(update).startswith(told) and "write" not in update["on"]
        session.act([["set", name, "1"]])


@needs_model
def test_a_stop_is_heard_and_it_goes_on_where_it_stood():
    session = SpeakingSession(FRANCE, tokens=6)
    session.act([["press", "write"]])
    while not session.written:
        session.act([["tick"]])
    update = session.act([["press", "write"]])
    assert "write" not in update["on"] and "more" not in update["off"]
    standing = session.written
    session.act([["tick"]])
    assert session.written == standing
    run(session, ["press", "more"])
    assert session.written == WORDS


@needs_model
def test_it_writes_on_as_if_it_had_never_paused_up_to_the_longest_text_there_may_be(monkeypatch):
    most = len(real_model().ids(FRANCE)) + 14
    monkeypatch.setattr("mha_course.widgets.speak_session.MOST", most)
    session = SpeakingSession(FRANCE, tokens=6)
    for count in (6, 12, 14):
        update = run(session, ["press", "more" if session.written else "write"])
        assert session.written == real_model().speak(FRANCE, tokens=count)
        assert ("more" in update["off"]) == (count == 14)
    assert update["parts"]["told"] == f"14 tokens written. A text has at most {most} tokens here."


@needs_model
def test_another_likely_token_can_be_taken_and_the_text_goes_on_from_it():
    session = SpeakingSession(FRANCE, tokens=4)
    update = run(session, ["press", "write"])
    assert alert(session.act([["press", "take 6"]])).startswith("['press', 'take 6'] is nothing")
    update = session.act([["press", "token 1"]])
    assert [int(each) for each in re.findall('name="take (.)"', update["parts"]["likeliest"])] == [2, 3, 4, 5]
    taken = session._written[1].likeliest[1]
    update = run(session, ["press", "take 2"])
    begun = [*real_model().ids(FRANCE), session._written[0].id, taken[0]]
    assert session.written == f" Paris{taken[1]}" + real_model().speak(begun, tokens=4)
    table = session.act([["press", "token 1"]])["parts"]["likeliest"]
    assert [int(each) for each in re.findall('name="take (.)"', table)] == [1, 3, 4, 5]


@needs_model
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "text is empty, but the model needs at least one token to begin with."),
        ("x" * 10_000, "text has 2,500 tokens, and 3 more are "),
        ("😀 приве́т 日本\x00\n\t", ""),
        (ATTACK, ""),
    ],
)
def test_any_text_ends_with_words_or_with_a_sentence(text, told):
    session = SpeakingSession(text, tokens=3)
    update = run(session, ["press", "write"])
    assert alert(update).startswith(told) and bool(alert(update)) == bool(told) != bool(session.written)
    assert "<img" not in update["parts"]["flow"] and "\x00" not in update["parts"]["flow"]


@needs_model
def test_a_second_text_takes_the_process_and_the_first_says_so():
    first = SpeakingSession(FRANCE, tokens=3)
    first.act([["press", "write"]])
    second = SpeakingSession(FRANCE, tokens=3)
    second.act([["press", "write"]])
    update = first.act([["tick"]])
    assert alert(update).startswith("Another text was begun meanwhile.") and "write" not in update["on"]
    run(second)
    assert second.written


# With somebody's own attention inside


def right(Q, K, V, mask):
    return attention(Q, K, V, mask)


def all_equal(Q, K, V, mask):
    return np.tril(np.ones(mask.shape)) / np.arange(1, Q.shape[2] + 1)[:, None] @ V


def in_layer_7(bad):
    """An attention that is right except in layer 7."""
    calls = []

    def mine(Q, K, V, mask):
        calls.append(1)
        return bad(Q) if len(calls) == 7 else attention(Q, K, V, mask)

    return mine


def hangs(Q):
    while True:
        time.sleep(1)


def raises(Q):
    return Q @ Q


def stops(Q):
    raise SystemExit


def half_nan(Q):
    output = np.zeros_like(Q)
    output[0, 2, 1, 0] = np.nan
    return output


@needs_model
def test_a_right_attention_of_ones_own_writes_the_same_and_says_how_slow_it_is():
    session = SpeakingSession(FRANCE, right, tokens=3)
    assert "the first one is timed" in session.act([])["parts"]["told"]
    update = run(session, ["press", "write"])
    assert session.written == " Paris.\n"
    assert re.search(r"With your attention, the first took [\d.]+ s; 3 need about \d+ s\.", update["parts"]["told"])
    run(session, ["set", "whose", "model"], ["press", "write"])
    assert session.written == " Paris.\n"


@needs_model
def test_a_mistake_is_heard():
    session = SpeakingSession(FRANCE, all_equal, tokens=3)
    run(session, ["press", "write"])
    assert session.written == real_model().speak(FRANCE, attention=all_equal, tokens=3) != WORDS[:8]


@needs_model
def test_before_a_slow_attention_writes_everything_a_hand_says_that_it_may(monkeypatch):
    monkeypatch.setattr("mha_course.widgets.speak_session.LONG", 0.0)
    session = SpeakingSession(FRANCE, right, tokens=2)
    update = run(session, ["press", "write"])
    assert session.written == " Paris" and "Press Write on" in update["parts"]["told"] and "more" not in update["off"]
    run(session, ["press", "more"])
    assert session.written == " Paris."


GOT = "Q (1, 9, 5, 64), K (1, 9, 5, 64), V (1, 9, 5, 64)"


@needs_model
@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (raises, "Layer 7: your attention raised ValueError: matmul"),
        (stops, "Layer 7: your attention was stopped, because it raised SystemExit. It got Q"),
        (half_nan, "Layer 7, head 3: your attention returned nan, for query 2 in column 1;"),
        (lambda Q: Q[0], f"Layer 7: your attention returned shape (9, 5, 64). It got {GOT} and mask (1, 5, 5)"),
        (lambda Q: "no", "Layer 7: your attention returned "),
        (lambda Q: os._exit(3), "Layer 7: your attention was stopped, because it ended Python itself"),
    ],
)
def test_what_a_wrong_attention_does_is_told_with_its_layer_and_the_model_lives_on(bad, told, monkeypatch):
    monkeypatch.setattr(generation, "SECONDS", 60.0)
    session = SpeakingSession(FRANCE, in_layer_7(bad), tokens=3)
    update = run(session, ["press", "write"])
    assert alert(update).startswith(told)
    assert alert(session.act([["tick"]])).startswith(told)  # one that was under way takes no sentence away
    run(session, ["set", "whose", "model"], ["press", "write"])
    assert session.written == " Paris.\n"


class Clock:
    """The time, which a test can put forward."""

    ahead = 0.0

    def monotonic(self):
        return time.monotonic() + self.ahead


def hanging():
    """A session that waits for an attention which hangs."""
    session, end = SpeakingSession(FRANCE, in_layer_7(hangs)), time.monotonic() + generation.OPENING
    session.act([["press", "write"]])
    while "layer 7" not in session.act([["tick"]])["parts"]["told"]:
        assert time.monotonic() < end
    return session


@needs_model
def test_an_attention_that_hangs_is_stopped_when_its_time_is_up(monkeypatch):
    monkeypatch.setattr(generation, "time", clock := Clock())
    session = hanging()
    clock.ahead = generation.SECONDS
    why = "your attention was stopped, because one token took more than 30 seconds"
    assert alert(session.act([["tick"]])).startswith(f"Layer 7: {why}. It got {GOT}")


@needs_model
def test_stop_ends_an_attention_that_hangs_at_once():
    update = hanging().act([["press", "write"]])
    assert generation._child is None
    assert "write" not in update["on"] and "more" in update["off"]


@needs_model
def test_an_attention_that_no_other_process_can_have_is_told():
    lock = Lock()
    session = SpeakingSession(FRANCE, lambda Q, K, V, mask: lock)
    assert alert(session.act([["press", "write"]])).startswith("Your attention cannot be sent to the process")


# All heads


@needs_model
def test_a_gallery_shows_every_head_and_one_of_them_in_numbers():
    session = GallerySession(gallery.TEXT)
    update = session.act([["press", "read"]])
    assert re.findall(r'name="(head \d+ \d+)"', update["parts"]["maps"]) == [
        f"head {layer} {head}" for layer in range(1, 31) for head in range(1, 10)
    ]
    assert sum(map(len, update["parts"].values())) < 400_000
    update = session.act([["press", "head 12 2"], ["set", "query", "4"]])
    assert "maps" not in update["parts"]  # what does not change is not sent again
    weights = real_model().read(gallery.TEXT).weights[11, 1]
    shown = re.findall(r">(\d\.\d\d)</td>", update["parts"]["large"])
    assert shown == [f"{share:.2f}" for share in weights[4, :5]]
    assert "12.2: layer 12, head 2 · the previous token" in update["parts"]["large"]
    assert "Shown large: 12.2 (the previous token)." in session.still().text


@needs_model
def test_heads_are_sorted_by_what_they_do_best_first():
    session = GallerySession(gallery.TEXT)
    update = session.act([["press", "read"], ["set", "show", "previous"]])
    names = re.findall(r'aria-label="([\d.]+) the previous token, 0.\d\d"', update["parts"]["maps"])
    assert names == ["12.2", "3.2", "17.1", "2.3"]
    assert update["on"] == ["head 12 2"]
    update = session.act([["set", "show", "punctuation"]])  # which nobody does here
    assert update["parts"]["maps"] == "" and "12.2" in update["parts"]["large"]


@needs_model
@pytest.mark.parametrize("make", [SESSIONS["gallery"], SESSIONS["desk"]], ids=["gallery", "desk"])
def test_a_text_too_long_or_too_short_for_heads_is_told_and_the_one_before_stays(make):
    session = make()
    shown = session.act([["press", "read"]])["parts"]["told"]
    for text, told in (("", "text is empty"), ("word " * 500, "Text: it has 501 tokens, but here the model reads at")):
        update = session.act([["set", "text", text], ["press", "read"]])
        assert alert(update).startswith(told) and update["parts"]["told"] == shown
    update = session.act([["set", "text", ATTACK], ["press", "read"]])
    assert alert(update) == "" and not any("<img" in part for part in update["parts"].values())


@needs_model
def test_without_the_heads_that_copy_the_name_is_not_repeated():
    session = HeadAblationSession(head_ablation.TEXT)
    update = run(session, ["press", "read"])
    whole = session._before.result
    assert whole.words.startswith(" Quindle.") and update["on"] == []
    update = run(session, ["press", "group induction"])
    off = {"head 18 4", "head 18 5", "head 18 6", "head 19 7"}
    assert set(update["on"]) == off | {"group induction"}
    result = session._after.result
    assert "Quindle" not in result.words
    assert result.losses[-2] > whole.losses[-2] + 2 and "▲" in update["parts"]["results"]
    assert update["parts"]["told"].startswith("Without 18.4, 18.5, 18.6, 19.7: mean loss ")
    without = real_model().read(head_ablation.TEXT, without=[(18, 4), (18, 5), (18, 6), (19, 7)])
    assert result.loss == pytest.approx(without.loss, abs=1e-3)
    update = run(session, ["press", "group induction"])
    assert update["on"] == [] and session._after is session._before


@needs_model
def test_heads_at_random_are_others_each_time_and_one_switch_is_one_head():
    session = HeadAblationSession("Innovators create")
    session.act([["press", "read"]])
    first = set(session.act([["press", "group random"]])["on"]) - {"writing"}
    assert len(first) == 21 and "group random" in first
    assert not set(session.act([["press", "group random"]])["on"]) - {"writing"}
    second = set(session.act([["press", "group random"]])["on"]) - {"writing"}
    assert len(second) == 21 and second != first
    session.act([["press", "all on"]])
    assert set(session.act([["press", "head 30 9"]])["on"]) - {"writing"} == {"head 30 9"}
    assert alert(session.act([["press", "head 31 1"]])) == "'head' is no button here."

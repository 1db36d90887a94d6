"""What a check says of anything but a known mistake: the most basic thing first."""

import builtins
import contextlib
import io
import itertools
import os
import pdb
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from stored import ROOT
from toy.bank import BANK, ENDS

from mha_course.engine.checking.answers import right_answer
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.verdict import verdict
from mha_course.engine.isolated_call import stopwatch
from mha_course.engine.isolated_call.attempt import call

PATIENCE = 60  # seconds, on a busy machine; what hangs takes for ever
RIGHT = [right_answer(BANK, inputs) for inputs in BANK.inputs(0)]


def said_of(diagnosis):
    """Return all that the learner reads."""
    return verdict(BANK, diagnosis).text


def raises(S, F):
    wrong = S @ F[:, :2]
    return wrong / 2


def only_the_example(S, F):
    return np.array([[2.5, 2.5, 1.5], [1.0, 2.0, 1.0]])


def divides_in_place(S, F):
    S /= 4
    return S @ F.T


def raises_silently(S, F):
    assert S is F


def only_two_axes(S, F):
    (n,) = S.shape
    return n


async def waits(S, F):
    return S @ F.T


def dots_below(S, F):
    return my_half_done(S) @ F.T


def my_half_done(S):
    scale = ...
    return S / scale


@dataclass
class Everything:
    """Stands for what a function gives back that gives more than one thing."""

    output: np.ndarray
    rest: np.ndarray


OTHERS = {
    "an error": (
        raises,
        "It stops with an error.",
        ["wrong = S @ F[:, :2]", "ValueError", "the left must have as many columns"],
    ),
    "None": (lambda S, F: None, "It returns None.", ["without return"]),
    "text": (lambda S, F: "2.5", "It returns something other than numbers.", ["answers is of the type str"]),
    "ragged rows": (lambda S, F: [[1], [1, 2]], "It returns something other than numbers.", ["different lengths"]),
    "another shape": (lambda S, F: np.zeros((7, 1)), "The shape is not right.", ["has shape (7, 1), but needs (2, 3)"]),
    "transposed and wrong": (lambda S, F: F @ S.T * 7, "The shape is not right.", ["(3, 2)", "(2, 3)"]),
    "a lost axis": (lambda S, F: (S @ F.T).sum(axis=0), "The shape is not right.", ["An axis is gone"]),
    "flat": (lambda S, F: (S @ F.T / 4).ravel(), "The shape is not right.", ["only their shape is not"]),
    "nan": (lambda S, F: S @ F.T * np.nan, "It returns nan, not a number.", ["0 / 0"]),
    "inf": (lambda S, F: S @ F.T / 0.0, "It returns inf, infinity.", ["divided by 0"]),
    "wrong numbers": (
        lambda S, F: S @ F.T / 3,
        "The numbers are not right.",
        ["6 of 6 numbers", "/ 3 = 3.3333", "/ 4 = 2.5000"],
    ),
    "hard-coded": (only_the_example, "Right for the example, but not in general.", ["The shape is not right."]),
    "a hard-coded size": (
        lambda S, F: S @ F.T / 4 + (len(F) > 3),
        "Right for the example, but not in general.",
        ["/ 3 = "],
    ),
    "decimals": (
        lambda S, F: np.int64(BANK.right(S, F)),
        "The decimals are cut off.",
        ["All numbers came out whole", "right  answers[1,1]"],
    ),
    "rounding": (
        lambda S, F: BANK.right(S, F).round(1) + 0.0,
        "Right for the example, but not in general.",
        ["Leave out the round"],
    ),
    "a function": (lambda S, F: S.sum, "It returns something other than numbers.", ["round brackets"]),
    "a comma": (lambda S, F: (BANK.right(S, F),), "It returns something other than numbers.", ["a comma at the end"]),
    "everything": (
        lambda S, F: Everything(BANK.right(S, F), S),
        "It returns something other than numbers.",
        ["take .output"],
    ),
    "two things": (lambda S, F: (S @ F.T, F), "It returns something other than numbers.", ["2 things, but needs one"]),
    "an error without words": (raises_silently, "It stops with an error.", ["AssertionError"]),
    "another error than a known mistake's": (
        only_two_axes,
        "It stops with an error.",
        ["too many values", "more axes than names"],
    ),
    "an exit": (lambda S, F: raise_exit(), "It stops with an error.", ["SystemExit"]),
    "too few arguments": (lambda S: S, "It stops with an error.", ["different number of arguments"]),
}


def raise_exit():
    raise SystemExit(1)


@pytest.mark.parametrize(("function", "headline", "parts"), OTHERS.values(), ids=OTHERS)
def test_anything_else_is_told_the_first_thing_that_differs(function, headline, parts):
    found = diagnose(BANK, function)
    assert (found.kind, found.headline) == ("difference", headline)
    for part in parts:
        assert part in said_of(found)


def test_an_error_is_named_only_by_a_mistake_with_the_very_same_error():
    def right_or_an_error(S, F):
        return BANK.right(S, F) if len(S) == 2 else S @ F

    assert diagnose(BANK, right_or_an_error).headline == "Right for the example, but not in general."


LIBRARY_ERRORS = """
import numpy as np
from mha_course.engine.isolated_call.attempt import call

def einsum(x):
    return np.einsum("ab,cd->e", x, x)

def split(x):
    return np.split(x, 4, axis=-1)

def stack(x):
    return np.stack([x, x[:1]])

def norm(x):
    return np.linalg.norm(x, axis=(0, 1, 2))
"""
LIBRARY_CALLS = re.findall(r"return (.*)", LIBRARY_ERRORS)


@pytest.mark.parametrize("line", LIBRARY_CALLS)
def test_an_error_inside_a_library_is_shown_with_the_learners_own_line(line, tmp_path):
    path = tmp_path / "of_the_learner.py"
    path.write_text(LIBRARY_ERRORS)
    scope = {}
    exec(compile(path.read_text(), path, "exec"), scope)
    function = next(scope[name] for name in ("einsum", "split", "stack", "norm") if f".{name}(" in line)
    assert call(function, (np.ones((2, 3)),)).line == f"return {line}"


def test_the_line_is_the_learners_wherever_numpy_is_installed(tmp_path):
    (tmp_path / "libraries").mkdir()
    (tmp_path / "libraries" / "numpy").symlink_to(Path(np.__file__).parent)
    ask = "\nfor function in (einsum, split, stack, norm):\n    print(call(function, (np.ones((2, 3)),)).line)"
    (tmp_path / "of_the_learner.py").write_text(LIBRARY_ERRORS + ask)
    paths = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path / "libraries"), str(ROOT)])}
    found = subprocess.run([sys.executable, tmp_path / "of_the_learner.py"], env=paths, capture_output=True, text=True)
    assert found.stdout.splitlines() == [f"return {line}" for line in LIBRARY_CALLS], found.stderr


def fills_whole_numbers(S, F):
    answers = np.zeros_like(S @ F.T)
    answers[:] = BANK.right(S, F)
    return answers


def divides_without_rest(S, F):
    return S @ F.T // S.shape[-1]


def keeps_two_digits(S, F):
    return (BANK.right(S, F) * 100 + 0.5) // 1 / 100


NOT_WRITTEN = {  # advice that would be about code that is not there
    "a whole division": (divides_without_rest, "//", ["zeros_like", "round"]),
    "a table for whole numbers": (fills_whole_numbers, "zeros_like", ["//", "round"]),
    "a conversion": (lambda S, F: BANK.right(S, F).astype(int), "whole", ["zeros_like", "//", "round"]),
    "digits cut away": (keeps_two_digits, "Keep all digits", ["Leave out the round"]),
    "a tuple": (lambda S, F: tuple([BANK.right(S, F)]), "a tuple of one thing", ["comma"]),
    "a list": (lambda S, F: [BANK.right(S, F)], "only their shape is not", ["comma", "tuple"]),
}


@pytest.mark.parametrize(("function", "said", "unsaid"), NOT_WRITTEN.values(), ids=NOT_WRITTEN)
def test_no_advice_speaks_of_code_that_the_learner_did_not_write(function, said, unsaid):
    text = said_of(diagnose(BANK, function))
    assert said in text and not [words for words in unsaid if words in text]


def test_what_the_mistakes_do_not_explain_is_told_besides():
    text = said_of(diagnose(BANK, divides_in_place))
    assert "The number of taps is that of the example" in text
    assert all(part in text for part in ("Besides, it stops with an error.", "S /= 4", "holds whole numbers"))

    def undivided_in_place(S, F):
        S += 0.5 if S.dtype.kind == "f" else 1
        return (S - (0.5 if S.dtype.kind == "f" else 1)) @ F.T

    found = diagnose(BANK, undivided_in_place)
    assert found.mistakes == ("The sums are not divided.",)
    assert "Besides, it overwrites its input: signals." in said_of(found)


def test_of_two_steps_the_second_is_set_beside_what_it_should_make_of_wrong_numbers():
    found = diagnose(BANK, lambda S, F: S @ F.T * len(F))
    assert found.mistakes == (
        "The filters are counted, not their taps.",
        "It multiplies by the number of taps.",
    )
    assert [who for who, _ in found.lines] == ["yours", "right", "yours", "right from there"]


def test_the_last_right_line_is_told_and_what_comes_after_it():
    def unknown(S, F):
        products = S @ F.T
        return products / 17 + 1

    found = said_of(diagnose(BANK, unknown))
    assert "Right as far as the line  products = S @ F.T. The next result has shape (2, 3), in the line  " in found
    assert "in the line  return products / 17 + 1" in found and "step" not in found
    nothing = said_of(diagnose(BANK, lambda S, F: np.outer(S[:, 0], F[:, 0]) + 17))
    assert "The numbers are not right." in nothing and "Right as far" not in nothing


def test_an_answer_that_changes_its_input_is_told_which():
    def shifts(S, F):
        answers = S @ F.T / S.shape[-1]
        F *= 2
        return answers

    found = diagnose(BANK, shifts)
    assert found.headline == "It overwrites its input: filters."
    assert RIGHT[0][0].tolist() == [[2.5, 2.5, 1.5], [1.0, 2.0, 1.0]]
    assert diagnose(BANK, BANK.right).kind == "right"  # nothing that a function does harms later checks


class Unreadable:
    """Stands for what a library gives back that has no numbers to read."""

    def __array__(self, dtype=None, copy=None):
        raise NotImplementedError("no numbers here")


def test_what_cannot_be_read_as_numbers_is_told_so():
    found = diagnose(BANK, lambda S, F: Unreadable())
    assert found.headline == "It returns something other than numbers."
    assert "the type Unreadable, which cannot be read as numbers: no numbers here" in said_of(found)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_several_results_are_asked_for_when_another_number_comes(count):
    found = diagnose(ENDS, lambda *given: tuple([given[0]] * count))
    assert found.headline == "It returns something other than numbers."
    assert "needs 3: low, middle, high" in said_of(found)


def test_one_array_where_three_are_needed_is_told_so():
    found = diagnose(ENDS, lambda *given: 3.0)
    assert "It returns one float, but needs 3 results: low, middle, high." in said_of(found)


@pytest.mark.parametrize(
    "stub",
    [
        lambda S, F: ...,
        lambda S, F: S @ F.T / ...,
        lambda S, F: np.sqrt(...),
        lambda S, F: (..., S),
        lambda S, F: S @ ...,
        lambda S, F: [[..., 1], [2, 3]],
        dots_below,
        lambda S, F: S @ F.swapaxes(..., -1),
    ],
)
def test_a_stub_whose_dots_are_still_there_is_not_started(stub):
    assert diagnose(BANK, stub).kind == "not started"


def cuts_the_end(S, F):
    return S[..., 0 : F.nothing]


def fills_the_end(S, F):
    answers = np.zeros((len(S), len(F)))
    answers[..., : len(F) / 2] += 1
    return answers


def names_its_index(S, F):
    rest = (..., slice(0, 1))
    return S[rest] @ F


@pytest.mark.parametrize(
    "finished",
    [
        cuts_the_end,
        fills_the_end,
        names_its_index,
        lambda S, F: S[..., 0 : len(F)] + "1",
        lambda S, F: F[0:1, ...].nothing,
        lambda S, F: S[..., [i for i in F if i.nothing]],
        lambda S, F: S[..., 0 : 1 if len(F) else 2] + None,
        lambda S, F: np.einsum("...qd,...kd->qk", S, F) @ S[..., None, None, None],
        lambda S, F: np.einsum("...qd,kd->qk...", S, F),
        lambda S, F: np.einsum("..qd,kd->qk", S, F),
        lambda S, F: S[..., 0, 0, 0],
    ],
)
def test_dots_that_stand_in_an_index_or_a_text_are_no_stub(finished):
    assert diagnose(BANK, finished).kind != "not started"


def without_source(lines):
    """Make a function whose source nobody can read."""
    scope = {"np": np}
    exec(f"def made(S, F):\n    {lines}", scope)
    return scope["made"]


def test_a_stub_is_known_without_its_source_too():
    assert diagnose(BANK, without_source("scale = ...; return S @ F.T / scale")).kind == "not started"
    assert diagnose(BANK, without_source("return S[..., 0:len(F)] + 'a'")).kind == "difference"


def test_dots_that_raise_nothing_are_still_a_stub():
    assert diagnose(BANK, lambda S, F: np.where(..., S @ F.T, 0)).kind == "not started"


def test_a_helper_that_still_returns_dots_is_not_started():
    def my_scale(S):
        return ...

    assert diagnose(BANK, lambda S, F: S @ F.T / my_scale(S)).kind == "not started"


def test_dots_that_are_no_value_do_not_keep_an_answer_from_being_judged():
    def wrong(S, F, scale: Callable[..., float] = ...):
        def later(): ...

        return S @ F.T if scale is ... else later()

    assert diagnose(BANK, wrong).headline == "The sums are not divided."


def test_the_error_of_a_generator_is_told_with_its_line_and_an_endless_one_is_stopped():
    def raising(S, F):
        yield S @ F

    def endlessly(S, F):
        while True:
            yield 1

    assert "in the line  yield S @ F" in said_of(diagnose(BANK, raising))
    assert diagnose(BANK, endlessly, seconds=0.1).headline == "It takes too long."


def test_a_mistake_made_in_a_generator_has_its_name_and_its_arithmetic():
    found = diagnose(BANK, lambda S, F: (signal @ F.T for signal in S))
    assert found.headline == "The sums are not divided." and "2·3 + " in found.lines[0][1]


NOT_NUMBERS = {
    "texts": lambda S, F: BANK.right(S, F).astype(str),
    "texts among objects": lambda S, F: BANK.right(S, F).astype(str).astype(object),
    "complex": lambda S, F: BANK.right(S, F) + 0j,
    "nothing among numbers": lambda S, F: np.array([[1, None], [2, 3]]),
}


@pytest.mark.parametrize("function", NOT_NUMBERS.values(), ids=NOT_NUMBERS)
def test_what_only_looks_like_numbers_is_none(function):
    assert diagnose(BANK, function).headline == "It returns something other than numbers."


def endless(S, F):
    while True:
        pass


def endless_and_deaf(S, F):
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def asleep(S, F):
    time.sleep(60)


def slow_then_right(S, F):
    try:
        endless(S, F)
    except BaseException:
        return BANK.right(S, F)


def printing(S, F):
    while True:
        print(S)


def silent_after_many_words(S, F):
    print("word " * 1000)
    while True:
        pass


@pytest.mark.world
@pytest.mark.parametrize(
    "function", [endless, endless_and_deaf, asleep, slow_then_right, printing, silent_after_many_words]
)
def test_what_does_not_end_is_stopped_and_told_so(function, capsys):
    begin = time.monotonic()
    found = diagnose(BANK, function, seconds=0.1)
    assert found.headline == ("It prints without end." if function is printing else "It takes too long.")
    assert re.search(r"after 0\.[17] seconds", said_of(found))
    assert time.monotonic() - begin < PATIENCE
    assert len(capsys.readouterr().out) < 3000
    assert diagnose(BANK, BANK.right).kind == "right"
    assert sys.gettrace() is None or "mha_course" not in str(sys.gettrace())


@pytest.mark.world
def test_a_loop_that_is_endless_only_for_other_inputs_is_stopped_too():
    found = diagnose(BANK, lambda S, F: BANK.right(S, F) if len(S) == 2 else endless(S, F), seconds=0.2)
    assert found.headline == "It takes too long." and "4 signals" in said_of(found)


def test_an_async_function_is_told_so_and_leaves_no_warning(recwarn):
    assert "leave out async" in said_of(diagnose(BANK, waits))
    assert not recwarn.list


def replayed(turn):
    """Make a function that only counts its calls, and gives the right answers in their order."""
    calls = itertools.count()
    return lambda S, F: RIGHT[turn(next(calls), len(RIGHT))][0]


REPLAYS = {"from the start": lambda i, n: i % n, "the last one": lambda i, n: min(i, n - 1)}
SAYS_OTHERWISE = "It gives different answers to the same arguments."


@pytest.mark.parametrize("turn", REPLAYS.values(), ids=REPLAYS)
def test_a_counter_that_replays_the_right_answers_is_not_right(turn):
    assert diagnose(BANK, replayed(turn)).headline == SAYS_OTHERWISE


def noisy(S, F):
    return BANK.right(S, F) + np.random.default_rng().normal(size=(len(S), len(F)))


def timed(S, F):
    return BANK.right(S, F) * (time.time_ns() % 10**7)


def remembering(S, F, before=[]):  # noqa: B006
    before.append(S)
    return BANK.right(S, F) * len(before)


@pytest.mark.parametrize("function", [noisy, timed, remembering])
def test_an_answer_that_is_another_every_time_is_told_so(function):
    found = diagnose(BANK, function)
    assert (found.kind, found.headline) == ("difference", SAYS_OTHERWISE)
    assert all(word in said_of(found) for word in ("random", "time", "keeps its value", "4 signals, 5 filters"))


def test_a_function_may_remember_what_it_has_found_out():
    known = {}

    def memoised(S, F):
        key = (S.tobytes(), F.tobytes(), S.shape)
        return known.setdefault(key, BANK.right(S, F))

    assert diagnose(BANK, memoised).kind == "right"


def test_randomness_that_does_not_reach_the_answer_does_no_harm():
    def shuffled(S, F):
        order = np.random.default_rng().permutation(len(F))
        return BANK.right(S, F[order])[:, np.argsort(order)]

    assert diagnose(BANK, shuffled).kind == "right"


def test_a_function_that_behaves_differently_every_time_does_no_harm():
    calls = iter(range(10**6))
    found = diagnose(BANK, lambda S, F: BANK.right(S, F) + next(calls))
    assert found.kind == "difference"
    other = diagnose(BANK, lambda S, F: BANK.right(S, F) * 2 if S.dtype != object else None)
    assert ("yours", "answers[1,1] = 5") in other.lines


def test_the_stop_button_stops_the_check():
    def stopped(S, F):
        signal.raise_signal(signal.SIGINT)  # as the button does; where it is rehearsed, nobody listens
        return BANK.right(S, F)

    with pytest.raises(KeyboardInterrupt):
        diagnose(BANK, stopped)


def test_of_a_long_error_the_beginning_is_told():
    def raises_it(S, F):
        raise ValueError("this comes first" + " and more" * 100)

    assert "ValueError in the line  raise ValueError(" in said_of(diagnose(BANK, raises_it))
    assert ": this comes first and more" in said_of(diagnose(BANK, raises_it))


def test_who_raises_the_error_of_the_stop_button_has_not_pressed_it():
    def raises_it(S, F):
        raise KeyboardInterrupt

    said = said_of(diagnose(BANK, raises_it))
    assert "it raised KeyboardInterrupt in the line  raise KeyboardInterrupt" in said


def computed(seconds):
    """Compute for so long, however long that takes."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def slow_but_right(S, F):
    computed(0.1)
    return BANK.right(S, F)


@pytest.mark.world
def test_what_waits_is_stopped_by_the_clock_and_told_that_it_waits():
    said = said_of(diagnose(BANK, asleep, seconds=0.1))
    assert "it was still running after 0.7 seconds, for most of which it waited, so it was stopped." in said


@pytest.fixture
def patient(monkeypatch):
    """Let as good as no time be over that nobody computes in, however little of a machine is left for an answer."""
    monkeypatch.setattr(stopwatch, "WAITING", 1000.0)


@pytest.mark.world
def test_a_busy_machine_takes_no_time_from_an_answer(patient):
    def right(S, F):
        computed(0.04)
        return BANK.right(S, F)

    with contextlib.ExitStack() as stack:
        for _ in range(3 * os.cpu_count()):
            burner = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(burner.kill)
        assert diagnose(BANK, right, seconds=0.1).kind == "right"


@pytest.mark.world
def test_each_input_has_its_own_seconds(patient):
    assert len(RIGHT) * 0.1 > 0.4
    assert diagnose(BANK, slow_but_right, seconds=0.4).kind == "right"


@pytest.mark.world
def test_all_inputs_have_four_times_as_many_together_and_what_they_took_is_said(patient):
    def slow(S, F):
        computed(0.17)
        return BANK.right(S, F)

    said = said_of(diagnose(BANK, slow, seconds=0.25))
    assert "It takes too long." in said and "while loop" not in said
    assert re.search(r"the [345] earlier inputs took 0\.[5-9] of the 1 seconds allowed for all", said), said


class Endless:
    """A result that says it is long."""

    def __len__(self):
        return 10**9

    def __getitem__(self, place):
        return 1.0


class Sleeping:
    """A result whose numbers never come."""

    def __array__(self, *given, **named):
        time.sleep(60)


class Ending:
    """A result that ends Python where its numbers are asked for."""

    def __array__(self, *given, **named):
        os._exit(3)


class Failing:
    """A result that has no numbers, after all."""

    def __array__(self, *given, **named):
        raise OSError("no numbers today")


@pytest.mark.world
@pytest.mark.parametrize("kind", [Endless, Sleeping])
def test_a_result_that_takes_forever_to_read_is_stopped_as_a_call_is(kind):
    begin = time.monotonic()
    found = diagnose(BANK, lambda S, F: kind(), seconds=0.5)
    assert found.headline in ("It takes too long.", "It returns far too much.") and time.monotonic() - begin < PATIENCE


def test_a_result_that_ends_python_when_it_is_read_ends_nothing():
    lock = threading.Lock()  # which cannot be sent to another process
    assert diagnose(BANK, lambda S, F: Ending()).headline == "It ends Python itself."
    assert diagnose(BANK, lambda S, F: lock and Ending()).headline == "It would end Python itself."


def test_a_result_that_cannot_be_read_is_told_with_its_reason():
    said = said_of(diagnose(BANK, lambda S, F: Failing()))
    assert "of the type Failing, which cannot be read as numbers: no numbers today" in said


@pytest.mark.world
@pytest.mark.parametrize(
    ("value", "told"),
    [
        (lambda: np.broadcast_to(0.0, (10**6, 10**6)), "an array of shape (1000000, 1000000): more than the 1,000,000"),
        (lambda: np.ones((2, 10**6)), "an array of shape (2, 1000000): more than"),
        (lambda: [[1.0] * 1000] * 1001, "It returned more than the 1,000,000 numbers that are looked at."),
    ],
)
def test_far_too_many_numbers_are_not_looked_at(value, told):
    begin = time.monotonic()
    found = diagnose(BANK, lambda S, F: value())
    assert found.headline == "It returns far too much." and told in said_of(found)
    assert time.monotonic() - begin < PATIENCE


def test_a_masked_number_is_no_number():
    def masked(S, F, which=slice(None)):
        made = np.ma.array(BANK.right(S, F), mask=False)
        made[which] = np.ma.masked
        return made

    assert "6 of 6 entries are masked" in said_of(diagnose(BANK, masked))
    assert "1 of 6 entries are masked" in said_of(diagnose(BANK, lambda S, F: masked(S, F, (0, 0))))
    assert diagnose(BANK, lambda S, F: np.ma.array(BANK.right(S, F))).kind == "right"


class Mute(Exception):
    """An error that cannot be written."""

    def __str__(self):
        raise TypeError("not a word")


class Slow(Exception):
    """An error that takes long to write."""

    def __str__(self):
        time.sleep(60)
        return "at last"


class Wordless:
    """Something to raise an error with."""

    def __str__(self):
        raise TypeError("not a word")


@pytest.mark.world
def test_an_error_that_cannot_be_written_is_told_without_its_words():
    def raises_it(error):
        def raising(S, F):
            raise error

        return raising

    assert "it raised Mute in the line  raise error" in said_of(diagnose(BANK, raises_it(Mute())))
    assert "it raised ValueError in the line  raise error" in said_of(diagnose(BANK, raises_it(ValueError(Wordless()))))
    assert diagnose(BANK, raises_it(Slow()), seconds=0.3).headline == "It takes too long."


@pytest.mark.parametrize("holds", [None, threading.Lock()], ids=["rehearsed", "only here"])
@pytest.mark.parametrize("end", ["exit()", "quit()", "os._exit(5)", "os.abort()"])
def test_who_calls_what_ends_python_is_told_so(end, holds):
    names = {"os": os, "holds": holds}
    exec(f"def ends(S, F):\n    holds\n    {end}", names)
    found = diagnose(BANK, names["ends"])
    is_isolated = holds is None and end.startswith("os")
    assert found.headline == ("It ends Python itself." if is_isolated else "It would end Python itself.")
    assert is_isolated or f"It calls {end.replace('5', '')}, which would end Python itself." in said_of(found)
    assert "nothing in your notebook is lost" in said_of(found)


def test_what_ends_python_only_here_is_kept_from_it():
    here = os.getpid()
    before = os._exit, os.abort, builtins.exit
    found = diagnose(BANK, lambda S, F: os._exit(5) if os.getpid() == here else BANK.right(S, F))
    assert found.headline == "It would end Python itself."
    assert before == (os._exit, os.abort, builtins.exit)


@pytest.mark.parametrize("holds", [None, threading.Lock()], ids=["rehearsed", "only here"])
def test_who_asks_with_input_is_told_so_and_nobody_is_asked(holds, monkeypatch):
    asked = []
    monkeypatch.setattr(builtins, "input", asked.append)
    found = diagnose(BANK, lambda S, F: (holds, float(input("a number? ")) * BANK.right(S, F))[1])
    assert found.headline == "It asks with input()." and asked == []
    input("now")
    assert asked == ["now"]


@pytest.mark.parametrize("holds", [None, threading.Lock()], ids=["rehearsed", "only here"])
def test_a_place_to_look_around_in_is_passed_over(holds, monkeypatch):
    stopped = []
    monkeypatch.setattr(sys, "breakpointhook", lambda *given, **how: stopped.append(given))

    def with_breakpoints(S, F):
        breakpoint()
        pdb.set_trace()
        return (holds, BANK.right(S, F))[1]

    assert diagnose(BANK, with_breakpoints).kind == "right" and stopped == []
    breakpoint()
    assert stopped == [()]


@pytest.mark.parametrize("holds", [None, threading.Lock()], ids=["rehearsed", "only here"])
def test_who_calls_itself_without_end_is_told_so_whatever_the_limit_is(holds):
    def calls_itself(S, F):
        sys.setrecursionlimit(10**6)
        return holds, calls_itself(S, F)

    most = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        found = diagnose(BANK, calls_itself)
        assert sys.getrecursionlimit() == 10**6
    finally:
        sys.setrecursionlimit(most)
    assert "The function calls itself without end." in said_of(found)


def test_who_yields_is_told_to_return():
    def yields(S, F):
        yield from BANK.right(S, F)

    assert "It yields its result, piece by piece: write return in place of yield." in said_of(diagnose(BANK, yields))
    assert diagnose(BANK, lambda S, F: (row for row in BANK.right(S, F))).kind == "right"


@pytest.mark.parametrize(("module", "name"), [(np, "sqrt"), (np.linalg, "norm")])
def test_a_name_of_numpys_that_stands_for_something_else_is_named(module, name, monkeypatch):
    monkeypatch.setattr(module, name, lambda x: x)

    def uses(S, F):
        return S @ F.T / np.sqrt(F.shape[-1]) * np.linalg.norm(F.shape[-1])

    found = diagnose(BANK, uses)
    assert found.headline == f"{module.__name__.replace('numpy', 'np')}.{name} is not NumPy's any more."
    assert "Restart Kernel" in said_of(found)
    assert diagnose(BANK, BANK.right).kind == "right"


def test_a_process_that_a_call_makes_may_end_itself():
    lock = threading.Lock()

    def forks(S, F):
        child = lock and os.fork()
        if not child:
            os._exit(7)
        return BANK.right(S, F) if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7 else 0

    assert diagnose(BANK, forks).kind == "right"


@pytest.mark.parametrize("holds", [None, threading.Lock()], ids=["rehearsed", "only here"])
def test_a_function_that_closes_the_output_is_told_what_is_wrong_with_it(holds, capsys):
    def closes(S, F):
        print("here", holds is None)
        sys.stdout.close()
        return BANK.right(S, F)

    assert diagnose(BANK, closes).kind == "right"
    assert capsys.readouterr().out.startswith("here")


def test_a_notebook_without_an_output_does_not_keep_a_check_from_its_end(monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise ValueError("I/O operation on closed file")

    monkeypatch.setattr(sys, "stdout", Closed())
    assert diagnose(BANK, lambda S, F: print("here") or BANK.right(S, F)).kind == "right"


def test_what_a_function_prints_is_shown_once(capsys):
    diagnose(BANK, lambda S, F: print("here") or BANK.right(S, F))
    assert capsys.readouterr().out == "here\n"

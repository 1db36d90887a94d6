"""One call of a learner's function: whatever it does, the kernel lives on and the check comes to its end."""

import contextlib
import ctypes
import os
import subprocess
import sys
import threading
import time

import numpy as np
import psutil
import pytest
from checks import SCALED, text_of
from jupyter_client.manager import start_new_kernel

from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.isolated_call import isolated_call
from mha_course.engine.isolated_call.attempt import Caller, call
from mha_course.engine.isolated_call.stopwatch import WAITING

HUGE = 10**6  # numbers

pytestmark = [pytest.mark.world, pytest.mark.slow]


def nested_try():
    while True:
        try:
            try:
                while True:
                    pass
            except:  # noqa: E722
                pass
        except:  # noqa: E722
            pass


def swallowing():
    try:
        while True:
            pass
    except:  # noqa: E722
        return None


def swallowing_helper():
    while True:
        with contextlib.suppress(BaseException):
            swallowing()


def one_long_operation():
    return 7 ** (7**9)


def asleep():
    time.sleep(60)


@pytest.fixture(autouse=True)
def small_memory(monkeypatch):
    """Let calls have less memory than a learner's, so that tests are quick."""
    monkeypatch.setattr(isolated_call, "MOST_MEMORY", 2**27)


@pytest.mark.parametrize("function", [nested_try, swallowing_helper, one_long_operation, asleep])
def test_nothing_escapes_the_end_of_its_time(function):
    call(lambda: 0, ())  # from here on there is a process
    begin = time.monotonic()
    attempt = call(function, (), seconds=0.2)
    assert attempt.ran_out_of_time and attempt.error is None
    assert time.monotonic() - begin < 60


def hungry():
    rows = []
    while True:
        rows.append(np.ones(HUGE))


def hungry_and_deaf():
    rows = []
    while True:
        with contextlib.suppress(BaseException):
            rows.append(np.ones(HUGE))


@pytest.mark.parametrize("function", [hungry, hungry_and_deaf])
def test_a_hungry_loop_is_stopped_before_the_kernel_has_no_memory_left(function):
    before = psutil.Process().memory_info().rss
    attempt = call(function, (), seconds=20)
    assert attempt.stopped == "memory" and isinstance(attempt.error, MemoryError)
    assert str(attempt.error) == "It used more than 1 GB of memory, so it was stopped."
    assert psutil.Process().memory_info().rss - before < 2**26


@pytest.mark.parametrize("end", [lambda: os._exit(0), lambda: ctypes.string_at(0)], ids=["exit", "crash"])
def test_what_ends_python_does_not_end_the_kernel(end):
    attempt = call(end, ())
    assert attempt.stopped == "death" and "ended Python itself" in str(attempt.error)
    assert call(lambda: 3, ()).value == 3  # in a new process


def test_what_is_printed_is_shown_once_also_by_what_had_to_be_stopped(capsys):
    def prints(wait):
        print("here")
        time.sleep(wait)

    call(prints, (0,))
    assert capsys.readouterr().out == "here\n"
    call(prints, (60,), seconds=0.2)
    assert capsys.readouterr().out == "here\n"


def test_an_endless_print_shows_its_first_part(capsys):
    def prints():
        while True:
            print("here")

    assert call(prints, (), seconds=0.2).ran_out_of_time
    assert capsys.readouterr().out == "here\n" * 400 + "\n… and more.\n"


def test_an_error_comes_with_the_learners_own_line():
    def wrong(Q):
        return Q @ Q

    attempt = call(wrong, (np.ones((2, 3)),))
    assert isinstance(attempt.error, ValueError) and attempt.line == "return Q @ Q"
    assert attempt.error.__traceback__ is not None  # with the values that stood in its frames


def test_an_error_that_no_other_process_could_read_keeps_its_words():
    class Own(Exception):
        def __init__(self, one, two):
            super().__init__(f"{one} and {two}")
            self.lock = threading.Lock()

    def raises():
        raise Own("this", "that")

    attempt = call(raises, ())
    assert type(attempt.error) is Own and str(attempt.error) == "this and that" and attempt.stopped is None


def test_arguments_that_were_changed_are_noticed():
    def changes(Q, K):
        K += 1

    assert call(changes, (np.ones(2), np.ones(2))).changed == (1,)


@pytest.mark.parametrize("thing", [threading.Lock(), sys.__stdout__, (i for i in range(3))])
def test_what_cannot_be_sent_is_called_here_and_guarded_as_far_as_possible(thing):
    def holds(wait):
        time.sleep(wait)
        return thing is not None

    assert call(holds, (0,)).value is True
    assert call(holds, (60,), seconds=0.2).ran_out_of_time


def test_what_cannot_come_back_comes_back():
    lock = call(lambda: threading.Lock(), ()).value
    assert lock.acquire(blocking=False)


def test_too_much_to_send_is_called_here(monkeypatch):
    monkeypatch.setattr(isolated_call, "MOST_SENT", 100)
    assert call(lambda Q: Q.sum(), (np.ones(1000),)).value == 1000


def test_a_module_that_is_nowhere_to_be_found_is_no_obstacle(monkeypatch):
    module = type(sys)("only_here")
    module.three = type("Three", (), {"__module__": "only_here", "__reduce__": lambda self: "three"})()
    monkeypatch.setitem(sys.modules, "only_here", module)
    assert call(lambda thing: thing, (module.three,)).value is module.three


def test_what_a_function_counts_it_counts_once():
    counted = []

    def counts():
        counted.append(1)
        return len(counted)

    assert [call(counts, ()).value for _ in range(3)] == [1, 2, 3] and len(counted) == 3


class Unsendable:
    def __reduce__(self):
        raise TypeError("cannot be sent")

    def __deepcopy__(self, memo):
        return self


class Counted:
    """Something that a function holds, which counts how often it is sent."""

    sent = 0

    def __reduce__(self):
        Counted.sent += 1
        return int, ()


def test_a_function_is_sent_once_a_check_not_once_an_input(monkeypatch):
    held = Counted()

    def wrong(Q, K):
        assert held is not None
        return Q @ K.T + 0.3  # nothing that has a name, so every part of a check has its look at it

    monkeypatch.setattr(Counted, "sent", 0)
    assert diagnose(SCALED, wrong).kind == "difference" and Counted.sent == 1


@pytest.mark.parametrize("between", [(), (asleep,), (lambda: threading.Lock(),)], ids=["nothing", "end", "other"])
def test_what_a_function_remembers_it_remembers_where_it_is_rehearsed(between):
    counted = []

    def third_is_endless(given):
        counted.append(1)
        return time.sleep(60) if len(counted) == 3 else len(counted)

    caller = Caller(third_is_endless)
    assert caller.call((0,)).value == 1
    assert caller.call((Unsendable(),)).value == 2  # so it is called here only
    for function in between:
        call(function, (), seconds=0.2)  # in the same process, or in one that has to be ended
    assert caller.call((0,), seconds=0.2).ran_out_of_time and len(counted) == 2  # for it was stopped before


def test_who_makes_a_call_elsewhere_tells_what_it_changed():
    given = np.ones(2), np.ones(2)
    attempt = Caller(None, lambda arguments: (3, (1,))).call(given)
    assert attempt.value == 3 and attempt.changed == (1,) and (given[1] == 1).all()


def test_a_helper_that_was_mended_is_mended_in_the_next_check():
    names = {"helper": asleep}
    exec("def calls():\n    return helper()", names)
    assert call(names["calls"], (), seconds=0.2).ran_out_of_time
    names["helper"] = lambda: 3
    assert call(names["calls"], (), seconds=0.2).value == 3


def test_an_input_that_is_asked_for_waits_in_neither_process(monkeypatch):
    monkeypatch.setattr("builtins.input", lambda: "7")
    assert call(lambda: input(), ()).stopped == "input"


def test_a_loop_that_displays_is_stopped_as_any_other(monkeypatch):
    monkeypatch.setattr("builtins.display", print, raising=False)

    def displays():
        display("here")  # noqa: F821
        nested_try()

    assert call(displays, (), seconds=0.2).ran_out_of_time


STOP_BUTTON = """
import os, signal, threading
from mha_course.engine.isolated_call import isolated_call
from mha_course.engine.isolated_call.attempt import call

def deaf():
    while True:
        try:
            while True:
                pass
        except:
            pass

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests deaf to it
call(lambda: 0, ())
child = isolated_call._child

watched = isolated_call.IsolatedCall._watched

def watched_by_a_hand(self, seconds):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    return watched(self, seconds)

isolated_call.IsolatedCall._watched = watched_by_a_hand
try:
    print("it came back:", call(deaf, (), seconds=20))
except KeyboardInterrupt:
    isolated_call.IsolatedCall._watched = watched
    print("stopped", child.is_alive, call(lambda: 3, ()).value)
"""


def test_the_stop_button_stops_a_rehearsal_and_its_process():
    run = subprocess.run([sys.executable, "-c", STOP_BUTTON], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["stopped", "False", "3"], run.stdout + run.stderr


def test_a_check_from_another_thread_is_stopped_too():
    found = []
    threads = [threading.Thread(target=lambda: found.append(call(asleep, (), seconds=0.2))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [attempt.ran_out_of_time for attempt in found] == [True, True]


def test_a_process_that_was_ended_while_it_waited_is_started_anew():
    call(lambda: 0, ())
    isolated_call._child._process.kill()
    isolated_call._child._process.wait()
    assert call(nested_try, (), seconds=0.2).ran_out_of_time


# What a check says of it


@pytest.mark.parametrize(
    ("function", "headline", "sentence"),
    [
        (lambda Q, K: nested_try(), "It takes too long.", "it was still running after 0.5 seconds"),
        (lambda Q, K: hungry(), "It needs too much memory.", "It used more than 1 GB of memory, so it was stopped."),
        (lambda Q, K: os._exit(0), "It ends Python itself.", "nothing in your notebook is lost"),
    ],
)
def test_a_check_says_why_it_had_to_stop_a_call(function, headline, sentence):
    found = diagnose(SCALED, function, seconds=0.5 if "long." in headline else 20)
    assert found.headline == headline and sentence in text_of(found)


def test_only_the_functions_own_time_is_counted(monkeypatch):
    class Slow(isolated_call.WarmProcess):
        def __init__(self):
            super().__init__()
            time.sleep(2 * 0.3 * WAITING)

    isolated_call._end()
    monkeypatch.setattr(isolated_call, "WarmProcess", Slow)
    assert diagnose(SCALED, lambda Q, K: SCALED.right(Q, K), seconds=0.3).kind == "right"


# What it costs

KERNEL = """
import sys
import psutil
from mha_course.engine.isolated_call.attempt import call
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.isolated_call.stopwatch import WAITING
from mha_course.lessons import CATALOGUE
exercise = CATALOGUE.exercises["scaled_scores.scaled"]
diagnose(exercise, exercise.right), diagnose(exercise, exercise.right.with_mistakes(exercise.right.step_mistakes[0]))
print(len(psutil.Process().children()), flush=True)
call(lambda: 0, ())
print(psutil.Process().children()[0].pid, flush=True)
{then}
"""
DEAF = "call(lambda: 7 ** (7 ** 9), (), 0.5)"


def test_the_courses_own_functions_need_no_process():
    run = subprocess.run([sys.executable, "-c", KERNEL.format(then="")], capture_output=True, text=True, check=True)
    count, child = map(int, run.stdout.split())
    assert count == 0 and run.stderr == ""
    _, alive = psutil.wait_procs([psutil.Process(child)] if psutil.pid_exists(child) else [], timeout=600)
    assert not alive


@pytest.mark.parametrize("then", ["sys.stdin.read()", DEAF], ids=["idle", "busy"])
def test_no_process_outlives_the_kernel(then):
    kernel = subprocess.Popen(
        [sys.executable, "-c", KERNEL.format(then=then)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    kernel.stdout.readline()
    child = psutil.Process(int(kernel.stdout.readline()))
    time.sleep(0.2)
    kernel.kill()
    kernel.communicate()
    child.wait(timeout=600)


# In a kernel

ENDS = """
from mha_course import check
def my_scaled_scores(Q, K):
    {end}
print(check("scaled_scores.scaled", my_scaled_scores).text)
"""
DRAWS = """
from matplotlib import pyplot as plt
from IPython.display import display
from mha_course import check
def my_scaled_scores(Q, K):
    plt.figure()
    plt.imshow(Q @ K.T)
    {then}
    return Q @ K.T
print(check("scaled_scores.scaled", my_scaled_scores).text)
"""


@pytest.fixture(scope="module")
def kernel():
    """Return what runs a cell in a kernel, and says what it shows."""
    manager, client = start_new_kernel()
    shown = []

    def run(source):
        shown.clear()
        reply = client.execute_interactive(source, timeout=600, output_hook=shown.append)
        assert reply["content"]["status"] == "ok", reply
        return [message["content"] for message in shown if message["msg_type"] in ("stream", "display_data")]

    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("end", ["exit()", "quit()", "get_ipython().ask_exit()", "exit"])
def test_no_way_to_end_a_kernel_ends_it(kernel, end):
    kernel("before = 3")
    (said,) = kernel(ENDS.format(end=end))
    if end.endswith(")"):
        assert "It calls exit() or quit(), which would end Python itself." in said["text"]
    time.sleep(2)  # a kernel that was asked to end takes its time
    assert kernel("print(before)")[0]["text"] == "3\n"


@pytest.mark.parametrize("then", ["plt.show()", "pass", "display(3); plt.close()"])
def test_what_a_function_draws_is_shown_once(kernel, then):
    kernel("%matplotlib inline")
    shown = kernel(DRAWS.format(then=then))
    assert len([each for each in shown if "data" in each]) == 1

"""As many threads as are faster: the clock is ours, and each layer takes as long as we say."""

import pytest

from mha_course.language_model import thread_tuning as module
from mha_course.language_model.thread_tuning import SHARE, SOONEST, ThreadTuning
from mha_course.maths.threads import product_threads

LAYERS = range(30)


class Machine:
    """A pace, and a clock that moves on with each layer."""

    def __init__(self, monkeypatch):
        self.now, self.alone, self.together, self.trials = 0.0, 1.0, 0.6, 0
        monkeypatch.setattr(module, "perf_counter", lambda: self.now)
        self.pace = ThreadTuning()
        self.pace._all = 2
        monkeypatch.setattr(self.pace, "_choose", lambda is_alone: setattr(self.pace, "_is_alone", is_alone))

    def call(self, n=1):
        """Go through all layers, and return how long it took."""
        begin, seen = self.now, []
        for layer in self.pace.each(LAYERS, n):
            seen.append(layer)
            self.now += self.alone if self.pace._is_alone else self.together
        assert seen == list(LAYERS)  # each once, in order
        return self.now - begin


@pytest.fixture
def machine(monkeypatch):
    return Machine(monkeypatch)


def test_several_threads_are_used_where_they_are_faster(machine):
    machine.call()
    assert machine.call() == pytest.approx(30 * 0.6)


def test_one_thread_is_used_on_a_busy_machine_and_trials_cost_little(machine):
    machine.together = 20.0
    times = [machine.call() for _ in range(1000)]
    assert max(times) == pytest.approx(29 + 20)  # a trial ends with the first layer that takes long
    assert sum(times) < 1000 * 30 * (1 + 1.1 * SHARE)


def test_a_machine_that_becomes_busy_or_idle_is_noticed(machine):
    machine.call()
    machine.together = 20.0
    machine.call()  # a bad surprise, once
    assert machine.call() == 30
    machine.together = 0.6
    assert any(machine.call() == pytest.approx(30 * 0.6) for _ in range(500))
    assert machine.call(n=SOONEST) < 30  # other sizes are not compared with it


def test_threads_are_as_before_afterwards():
    before = product_threads().info()
    with pytest.raises(KeyError), ThreadTuning().chosen():
        raise KeyError
    assert product_threads().info() == before

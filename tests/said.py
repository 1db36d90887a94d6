"""What the course says, in whatever Python this is: run natively and inside a page, it is to say the same."""

import contextlib
import os
import sys
import time

import numpy as np

from mha_course import Train, Workbench, check, how_far
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.solution import Solution
from mha_course.engine.checking.verdict import verdict
from mha_course.engine.isolated_call.attempt import call
from mha_course.lessons import CATALOGUE
from mha_course.maths.threads import share
from mha_course.training.training import Training

EXERCISES = CATALOGUE.exercises
SCALED = EXERCISES["scaled_scores.scaled"]


def endless(Q, K):
    while True:
        pass


def deaf(Q, K):
    while True:
        with contextlib.suppress(BaseException):
            endless(Q, K)


def deep(Q, K):
    return deep(Q, K)


def deep_inside_of_python(Q, K):
    return list(map(deep_inside_of_python, [Q], [K]))


def changes(Q, K):
    Q *= 2
    return Q @ K.T / 2 / np.sqrt(Q.shape[1])


def exits(Q, K):
    exit()


def interrupts(Q, K):
    raise KeyboardInterrupt


def closes(Q, K):
    print("here")
    sys.stdout.close()
    return Q @ K.T


def floods(Q, K):
    return np.broadcast_to(0.0, (2000, 2000))


def masks(Q, K):
    return np.ma.array(Q @ K.T, mask=True)


class Mute(Exception):
    """An error that cannot be written."""

    def __str__(self):
        raise TypeError


def mutes(Q, K):
    raise Mute


HARD = (
    endless, deaf, deep, deep_inside_of_python, changes, exits, interrupts, closes, floods, masks, mutes,
)  # fmt: skip


def verdicts():
    """Name -> text of the verdict on each right answer, and on one mistake of each exercise."""
    said = {}
    for exercise in EXERCISES.values():
        said[exercise.name] = _text(exercise, exercise.right)
        said[f"{exercise.name}, wrong"] = _text(exercise, _mistake(exercise))
    return said


def stopped():
    """Name -> text of the verdict on what does not end, and what is otherwise hard on Python."""
    begin = time.monotonic()
    said = {f.__name__: _text(SCALED, f, 1.5) for f in HARD}
    goes_on = call(lambda: 3, ()).value, sys.gettrace() is None, os._exit.__module__
    return {**said, "in time": time.monotonic() - begin < 60, "goes on": list(goes_on)}


def kept():
    """What is said of an answer, and of the progress that is read from the file afterwards."""
    before = how_far().text
    said = check("scaled_scores.scaled", lambda Q, K: Q @ K.T / np.sqrt(K.shape[1]), seed=0)
    return {"before": before, "check": said.text, "after": how_far().text}


def boards():
    """A board after an edit, and a model after some steps."""
    board = Workbench("article")
    board.edit("X", 0, 0, 7)
    training = Training("repeat", 0)
    training.train(5)
    squares = np.zeros(4)
    share(lambda i: squares.put(i, i * i), range(4))
    return {"board": board.to_json(), "train": Train(training=training).training.steps, "squares": squares.tolist()}


def _mistake(exercise):
    right = exercise.right
    if isinstance(right, Solution) and right.step_mistakes:
        return right.with_mistakes(right.step_mistakes[0])
    return exercise.mistakes[0].variants[0]


def _text(exercise, function, seconds=3.0):
    return verdict(exercise, diagnose(exercise, function, seconds)).text

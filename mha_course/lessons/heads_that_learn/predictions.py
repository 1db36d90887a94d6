"""What this lesson asks before its cells run."""

from functools import cache

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.maths.small_model import SmallModel
from mha_course.training.training import Training, TrainingResult

STEPS = 200
SENTENCE = "dbacdb"
W = ("W_Q/1", "W_K/1", "W_V/1")  # of the first layer


@cache
def _after(steps: int, num_layers: int | None = None, lengths: tuple[int, ...] | None = None) -> Training:
    """Train a model, which takes about a second: once."""
    training = Training("repeat", seed=0, num_layers=num_layers, lengths=lengths)
    training.train(steps)
    return training


def _position_of_the_answer():
    """The position, counted from 1, after the earlier occurrence of the last letter."""
    return SENTENCE.index(SENTENCE[-1]) + 2


def _one_layer():
    return _after(2 * STEPS, num_layers=1).test()


def _how_good(accuracy: float) -> str:
    return "all" if accuracy > 0.9 else "half" if accuracy > 0.3 else "chance"


def _whole_and_without() -> tuple[TrainingResult, TrainingResult]:
    return _after(STEPS).test(), _after(STEPS).test(off=[(1, 1)])


def _what_falls():
    """What becomes lower without the head of layer 1."""
    whole, without = _whole_and_without()
    finds, answers = without.weight > whole.weight / 2, without.accuracy > whole.accuracy / 2
    return {(True, True): "nothing", (True, False): "answers", (False, False): "both"}[finds, answers]


def _fixed_elsewhere():
    return _after(STEPS, lengths=(7,)).test(lengths=[3, 4, 5, 6, 8])


def _range_of(accuracy: float) -> str:
    return "all" if accuracy > 0.9 else "half" if accuracy > 0.4 else "few"


def _parted() -> list[float]:
    """How far the two heads of layer 1 are apart after one step, if only their rows of W_O differ before it."""
    training = Training("repeat", seed=0, num_heads=2)
    parameters = dict(training.model.parameters)
    for name in parameters:
        if name.startswith(("W_Q", "W_K", "W_V")):
            first, _ = np.split(parameters[name], 2, axis=1)
            parameters[name] = np.concatenate([first, first], axis=1)
    training.model = SmallModel(training.model.design, parameters)
    training.train(1)
    halves = [np.split(training.model.parameters[name], 2, axis=1) for name in W]
    return [float(np.abs(first - second).max()) for first, second in halves]


def _which_part():
    apart = [distance > 1e-6 for distance in _parted()]
    return {(True, True, True): "all", (False, False, True): "values", (False, False, False): "none"}[tuple(apart)]


PREDICTIONS = (
    number("heads_that_learn.which-place", """
        A word is repeated, and so far the sentence is d b a c d b. A head is to find the letter that comes next. At
        which position does it stand? The first position has the number 1.
        """, right=_position_of_the_answer,
        numbers=lambda: (
            f"the last letter, {SENTENCE[-1]}, stood at position {SENTENCE.index(SENTENCE[-1]) + 1} before. What came "
            f"after it comes again: {SENTENCE[_position_of_the_answer() - 1]}, at position {_position_of_the_answer()}."
        )),
    choice("heads_that_learn.one-layer", """
        A model with one layer is trained twice as long, on the same kind of sentences. How many of the letters
        that can be known does it get right?

        - nearly all of them  [all]
          It would have to look for something that none of its keys contains.
        - 1 of 12, as by chance  [chance]
          It can do better than chance: look back by a few fixed distances.
        - about half of them  [half]
          The words have few lengths. So the letters at a few distances back are good guesses, and often right.
        """, right=lambda: _how_good(_one_layer().accuracy),
        numbers=lambda: f"{_one_layer()!r} after {2 * STEPS} steps."),
    choice("heads_that_learn.first-off", """
        The head of layer 1 is off: it adds nothing. Layer 2 stays as it is. What falls by more than half?

        - the accuracy; layer 2 still looks at the right positions  [answers]
          Its keys are made of what layer 1 wrote. Without that, it cannot tell which positions are right.
        - both: the accuracy, and the weight at the right positions  [both]
          Layer 2 looks for what layer 1 wrote into the rows, and now it is not there.
        - neither: layer 2 does the work  [nothing]
          Layer 2 alone is a model of one layer, and that cannot do it.
        """, right=_what_falls,
        numbers=lambda: (
            f"with all heads, {_whole_and_without()[0]!r}; without the head of layer 1, {_whole_and_without()[1]!r}."
        )),
    choice("heads_that_learn.other-lengths", """
        Another model was trained on words of 7 letters only. Its loss is 0.00, its accuracy 1.00. How many letters does
        it get right when the words have 3, 4, 5, 6 or 8 letters?

        - nearly all of them  [all]
          So it would if it had learned to look for the same letter.
        - about half of them  [half]
          It has learned one distance, and words of other lengths need another.
        - fewer than a third  [few]
          It has learned to look a fixed distance back. With words of 7 letters nothing more was needed.
        """, right=lambda: _range_of(_fixed_elsewhere().accuracy),
        numbers=lambda: (
            f"on words of 7 letters, {_after(STEPS, lengths=(7,)).test()!r}; "
            f"on the other lengths, {_fixed_elsewhere()!r}."
        )),
    choice("heads_that_learn.alike", """
        Two heads of a layer start with the same W_Q, the same W_K and the same W_V. Only their rows of W_O differ. One
        step is taken. Which of W_Q, W_K and W_V are then no longer the same for both heads?

        - none of them: what starts alike stays alike  [none]
          Both heads compute the same, but what they add differs. So the loss pulls each its own way.
        - W_V only: it alone is beside W_O  [values]
          The backward pass goes on from the values to the weights, and from them to the queries and keys.
        - all three  [all]
          The gradient goes back through each head's own rows of W_O, and on to everything in front of them.
        """, right=_which_part,
        numbers=lambda: (
            "the largest differences are "
            f"{', '.join(f'{far:.3f} in {name[:3]}' for far, name in zip(_parted(), W, strict=True))}."
        )),
)  # fmt: skip

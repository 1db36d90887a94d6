"""One run of training: a model, its skill, and what became of it step by step."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from mha_course.engine.validation import read_count
from mha_course.maths import gradients
from mha_course.maths.adam import Adam, clipped
from mha_course.maths.small_model import Design, Reading, SmallModel
from mha_course.maths.threads import one_thread
from mha_course.maths.which_head import Head
from mha_course.training.sentences import ALPHABET, ids_of
from mha_course.training.skills import read_lengths, read_skill
from mha_course.training.training_arguments import read_bool, read_model, read_off

BATCH = 32  # sentences of one step
TESTED = 256  # sentences of a test
LONGEST_GRADIENT = 1.0  # of all parameters together; longer ones are shortened
SPARSER = 100  # steps after which every second model is kept, after as many again every third, and so on
MOST_STEPS = 5000
LARGEST = 16  # layers, and heads of each: with more, nobody sees it learn


@dataclass(frozen=True)
class TrainingResult:
    """What a test found: the loss, and two parts of 1.

    accuracy: right answers among those that count. weight: how much of the last layer's attention weights lies
    where the answers are, the mean over its heads.
    """

    loss: float
    accuracy: float
    weight: float

    def __repr__(self) -> str:
        return f"loss {self.loss:.2f}, accuracy {self.accuracy:.2f}, weight {self.weight:.2f}"


class Training:
    """A small model that learns a skill, step by step. The same seed always takes the same steps.

    skill: one of `SKILLS`. seed: of the parameters and of the sentences to learn from. num_layers, lengths (of the
    words): the skill's own unless given. residual, norm: whether its layers have them; without gain and bias.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.

    >>> training = Training("previous", seed=0)
    >>> training.train(100)
    >>> training.steps, training.test().accuracy > 0.95
    (100, True)
    """

    def __init__(
        self,
        skill: str = "repeat",
        seed: int = 0,
        num_layers: int | None = None,
        num_heads: int = 1,
        lengths: Collection[int] | None = None,
        residual: bool = True,
        norm: bool = False,
    ) -> None:
        """Initialise the parameters; nothing is trained yet."""
        self.skill = read_skill(skill)
        self.lengths = read_lengths(self.skill, lengths)
        design = Design(
            vocabulary=len(ALPHABET),
            num_layers=read_count(
                "num_layers", self.skill.num_layers if num_layers is None else num_layers, most=LARGEST
            ),
            num_heads=read_count("num_heads", num_heads, most=LARGEST),
            residual=read_bool("residual", residual),
            norm=read_bool("norm", norm),
            crosses=self.skill.crosses,
            base=self.skill.base,
            loudness=self.skill.loudness,
        )
        _keep_memory()
        self.seed = read_count("seed", seed, least=0)
        self._rng = np.random.default_rng(self.seed)
        self._adam = Adam()
        self._model = SmallModel.random(design, self._rng)
        self._kept = {0: self._model}
        self.losses: list[float] = []  # of each step, before it was taken
        self.accuracies: list[float] = []

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.losses)

    @property
    def model(self) -> SmallModel:
        """The model after the last step. It may be replaced by one of the same design."""
        return self._model

    @model.setter
    def model(self, model: SmallModel) -> None:
        self._model = self._kept[self.steps] = read_model(model, self._model.design)

    def train(self, steps: int = 1) -> None:
        """Take so many steps more.

        Errors: `ValueError` below 1 and beyond `MOST_STEPS` in all, `TypeError` if it is not a whole number.
        """
        if self.steps + read_count("steps", steps) > MOST_STEPS:
            raise ValueError(f"steps is {steps}, but after {self.steps} at most {MOST_STEPS - self.steps} more can be.")
        with one_thread():  # the matrices are small
            for _ in range(steps):
                self._step()

    def _step(self) -> None:
        batch = self.skill.draw(self._rng, BATCH, self.lengths)
        reading = self._model.read(batch.ids, self.skill.mask(self.skill.n))
        loss, of_logits = gradients.cross_entropy(reading.logits, batch.answers, batch.loss_mask)
        found = clipped(self._model.gradients(reading, of_logits), LONGEST_GRADIENT)
        self._model = SmallModel(self._model.design, self._adam.step(self._model.parameters, found))
        self.losses.append(loss)
        self.accuracies.append(_accuracy(reading, batch.answers, batch.loss_mask))
        if self.steps % (1 + self.steps // SPARSER) == 0:
            self._kept[self.steps] = self._model

    @property
    def kept(self) -> list[int]:
        """The steps whose models can still be looked at, in their order."""
        return sorted({*self._kept, self.steps})

    def at(self, step: int) -> SmallModel:
        """Return the model as it was after so many steps, or a few earlier where not every model was kept.

        Beyond the last step it is the last model. Errors: `ValueError` below 0.
        """
        last = read_count("step", step, least=0)
        return self._model if last >= self.steps else self._kept[max(each for each in self._kept if each <= last)]

    def read(self, text: str, off: Collection[Head] = (), step: int | None = None) -> Reading:
        """Let the model read a sentence of letters. off: heads switched off, as (layer, head), counted from 1.

        Errors: `ValueError` or `TypeError` for a text that is empty, too long, or has other letters than a to l, and
        for heads or a step that there are not.
        """
        ids = ids_of(text, self.skill.n)[None]
        model = self._model if step is None else self.at(step)
        return model.read(ids, self.skill.mask(ids.shape[1]), read_off(off, model.design))

    def test(
        self,
        lengths: Collection[int] | None = None,
        off: Collection[Head] = (),
        step: int | None = None,
        count: int = TESTED,
    ) -> TrainingResult:
        """Test the model on sentences sampled for this alone, with words of these lengths: always the same ones.

        Errors: `ValueError` or `TypeError` for lengths, heads or a step that there are not.
        """
        tested = self.lengths if lengths is None else read_lengths(self.skill, lengths)
        batch = self.skill.draw(np.random.default_rng(2**32), count, tested)
        model = self._model if step is None else self.at(step)
        with one_thread():
            reading = model.read(batch.ids, self.skill.mask(self.skill.n), read_off(off, model.design))
        loss, _ = gradients.cross_entropy(reading.logits, batch.answers, batch.loss_mask)
        found = (reading.layers[-1].weights * batch.looks[:, None]).sum(axis=-1)  # (count, h, n)
        return TrainingResult(
            loss, _accuracy(reading, batch.answers, batch.loss_mask), float(found.mean(axis=1)[batch.loss_mask].mean())
        )


def _accuracy(reading: Reading, answers: np.ndarray, loss_mask: np.ndarray) -> float:
    return float((reading.predictions == answers)[loss_mask].mean())


def _keep_memory() -> None:
    """Let the arrays of one step lie where those of the step before lay: a quarter faster.

    Where memory is glibc's, what is freed goes back to the system and must be asked for again at every step, until
    something larger was freed once.
    """
    np.empty(2**20)

"""A model that is trained before one's eyes, in the browser."""

from collections.abc import Collection

from mha_course.engine.browser.widget import Widget
from mha_course.forward.trained_layer import LONGEST, learned
from mha_course.training.training import Training
from mha_course.widgets.scripts import script, styles
from mha_course.widgets.training_session import TrainingSession
from mha_course.widgets.workbench import Workbench


class Train(Widget):
    """Show a model that can be trained, looked at step by step, and taken apart. It is trained only by hand.

    The arguments are those of `Training`. training: one that was made, and perhaps trained, before.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.

    >>> train = Train("repeat", seed=0)
    >>> train.training.steps
    0
    """

    _esm, _css = script("ticking.js", "enter_key.js", "train.js"), styles("models.css", "train.css")
    _session: TrainingSession

    def __init__(
        self,
        skill: str = "repeat",
        seed: int = 0,
        num_layers: int | None = None,
        num_heads: int = 1,
        lengths: Collection[int] | None = None,
        training: Training | None = None,
    ) -> None:
        """Begin at step 0, or where the training given stands."""
        if training is None:
            training = Training(skill, seed, num_layers, num_heads, lengths)
        elif not isinstance(training, Training):
            raise TypeError(f"training is {training!r}, but must be a Training, as Training(…) makes it.")
        super().__init__(TrainingSession(training))

    @property
    def training(self) -> Training:
        """The training on the screen."""
        return self._session.training

    def workbench(self, layer: int = 1, text: str | None = None) -> Workbench:
        """Take one layer to a workbench, as it is at the step that is looked at.

        text: what the model reads; the first letters of the sentence on the screen unless given.
        Errors: `ValueError` for a layer that there is not, or a text that cannot be read.
        """
        session, training = self._session, self.training
        read = session.text[:LONGEST] if text is None else text
        return Workbench(learned(training.at(session.at), read, layer, training.skill.is_causal))

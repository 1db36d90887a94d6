"""One prediction in use: what the learner did, and what the screen has to change."""

from collections.abc import Iterable, Mapping

from mha_course.workbook.asking.prediction import Prediction
from mha_course.workbook.learner.progress import Progress
from mha_course.workbook.pictures.forms import OPEN, form, outcome, reason_form, screen, still
from mha_course.workbook.pictures.markup import Markup, escaped
from mha_course.workbook.pictures.picture import Picture
from mha_course.workbook.pictures.update import Actions, Update

LABEL = "Predict."
WHY = "Why is it so? One line in your own words, for yourself:"
LONGEST = 500  # characters of a reason in the learner's own words


class PredictionSession:
    """Commit to an answer, meet the truth, say why in your own words.

    name: of the prediction. progress: where the answer is kept.
    """

    def __init__(self, name: str, prediction: Prediction, progress: Progress):
        """Begin with what the progress file says of this prediction."""
        self._name, self._prediction, self._progress = name, prediction, progress
        answer = progress.answers().get(name)
        self._answer = answer if prediction.kind.can_be(answer) else None
        self._why = progress.notes().get(name, "") if self._is_answered else ""
        self._alert = ""

    def screen(self) -> Markup:
        """Return the markup of the form; what is answered comes with the first update."""
        question = form(self._name, LABEL, self._prediction.text, self._prediction.kind.drawn(), "Commit")
        return screen([question, reason_form("why", WHY, LONGEST, "Keep")], summary="kept")

    def still(self) -> Picture:
        """Return the `Picture` that stands for the form where no kernel runs.

        It is stored in the notebook, which may be handed in: so what the learner wrote to themselves is not in it.
        """
        told = self._prediction.confront(self._answer) if self._is_answered else OPEN
        return still(LABEL, self._prediction.text, self._prediction.kind.texts(), told)

    def act(self, actions: Actions) -> Update:
        """Do what the learner did, one action after the other, and return what the screen has to change.

        What cannot be done changes nothing, and the update says why.
        """
        self._alert = ""
        for action in actions:
            self._do(action)
        return self._update([] if self._alert else [self._name, "why"])

    def _do(self, action: object) -> None:
        match action:
            case ["submit", self._name, dict(fields)] if not self._is_answered:
                self._commit(fields)
            case ["submit", "why", {"why": str(text)}] if self._is_answered:
                self._why = text.strip()[:LONGEST]
                self._progress.note(self._name, self._why)
            case ["press", "start over"] if self._is_answered:
                self._answer, self._why = None, ""
                self._progress.record("predicted", self._name)

    def _commit(self, fields: Mapping[str, object]) -> None:
        """Take an answer, if it can be read."""
        try:
            self._answer, self._alert = self._prediction.kind.read(fields), ""
        except ValueError as error:
            self._alert = str(error)
        else:
            self._progress.record("predicted", self._name, answer=self._answer)

    @property
    def _is_answered(self) -> bool:
        return self._answer is not None

    def _update(self, renewed: Iterable[str]) -> Update:
        """Return what the browser has to change. renewed: the forms whose fields are set anew."""
        prediction, is_answered = self._prediction, self._is_answered
        fields = {self._name: prediction.kind.fields(self._answer) if is_answered else {}, "why": {"why": self._why}}
        return Update(
            fields={name: fields[name] for name in renewed},
            locked=[self._name] if is_answered else [],
            hidden=[] if is_answered else ["why"],
            off=[] if is_answered else ["start over"],
            parts={
                f"alert {self._name}": escaped(self._alert),
                f"result {self._name}": self._outcome() if is_answered else "",
                "kept": "Your line is kept." if self._why else "",
                "notice": escaped(" ".join(self._progress.notices())),
            },
        )

    def _outcome(self) -> Markup:
        kind, answer = self._prediction.kind, self._answer
        return outcome(kind.is_right(answer, self._prediction.truth()), self._prediction.confront(answer))

"""One prediction in use: what the learner did, and what the screen has to change."""

from html import escape

from mha_course.progress import notices, record, recorded
from mha_course.questions.drawing import OPEN, form, inline, still
from mha_course.questions.predictions import PREDICTIONS

LABEL = "Predict."
LONGEST = 500  # characters of a reason in the learner's own words


class PredictionSession:
    """Commit to an answer, meet the truth, say why in your own words.

    name: one of `PREDICTIONS`. Errors: `ValueError` listing the names there are.

    >>> session = PredictionSession("heads.eight-copies")
    >>> update = session.act(["submit", "heads.eight-copies", {"answer": "two"}])
    >>> update["parts"]["alert heads.eight-copies"]
    '&quot;two&quot; is not a number.'
    """

    def __init__(self, name):
        """Begin with what the progress file says of this prediction."""
        if name not in PREDICTIONS:
            raise ValueError(f"name is {name!r}, but must be one of {list(PREDICTIONS)}.")
        self._name, self._prediction = name, PREDICTIONS[name]
        self._answer, self._why = _saved(name)
        self._alert = ""

    def screen(self):
        """Return the markup of the form; what is answered comes with the first update."""
        return f"""{form(self._name, LABEL, self._prediction.text, self._prediction.kind, "Commit")}
<form data-form="why" hidden><p><label>Why is it so? One line in your own words, for yourself:
<input name="why" autocomplete="off" maxlength="{LONGEST}"></label> <button>Keep</button></p></form>
<p data-part="kept" role="status"></p>
<p data-part="notice" role="status"></p>
<p><button type="button" name="start over">Start over</button></p>"""

    def still(self):
        """Return the `Picture` that stands for the form where no kernel runs."""
        why = f" You wrote: {self._why}" if self._why else ""
        outcome = self._prediction.confront(self._answer) + why if self._is_answered else OPEN
        return still(LABEL, self._prediction.text, self._prediction.kind, outcome)

    def act(self, action):
        """Do what the learner did, and return what the screen has to change.

        What cannot be done changes nothing, and the update says why.
        """
        self._alert, renewed = "", [self._name, "why"]
        match action:
            case ["submit", self._name, dict(fields)] if not self._is_answered:
                try:
                    self._answer = self._prediction.kind.read(fields)
                    self._save()
                except ValueError as error:
                    self._alert, renewed = str(error), []
            case ["submit", "why", {"why": str(text)}] if self._is_answered:
                self._why = text.strip()[:LONGEST]
                self._save()
            case ["press", "start over"] if self._is_answered:
                self._answer, self._why = None, ""
                record("predicted", self._name, None)
        return self._update(renewed)

    @property
    def _is_answered(self):
        return self._answer is not None

    def _save(self):
        record("predicted", self._name, {"answer": self._answer, "why": self._why})

    def _update(self, renewed):
        """Return what the browser has to change. renewed: the forms whose fields are set anew."""
        prediction, is_answered = self._prediction, self._is_answered
        fields = {self._name: prediction.kind.fields(self._answer) if is_answered else {}, "why": {"why": self._why}}
        return {
            "fields": {name: fields[name] for name in renewed},
            "locked": [self._name] if is_answered else [],
            "hidden": [] if is_answered else ["why"],
            "off": [] if is_answered else ["start over"],
            "parts": {
                f"alert {self._name}": escape(self._alert),
                f"result {self._name}": f"<p>{inline(prediction.confront(self._answer))}</p>" if is_answered else "",
                "kept": "Your line is kept." if self._why else "",
                "notice": escape(" ".join(notices())),
            },
        }


def _saved(name):
    """Return the answer and the reason that the progress file has, or None and nothing."""
    match recorded("predicted").get(name):
        case {"answer": answer, "why": str(why)} if PREDICTIONS[name].kind.can_be(answer):
            return answer, why
    return None, ""

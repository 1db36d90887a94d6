"""One quiz in use: what the learner did, and what the screen has to change."""

from collections.abc import Iterable, Mapping

from mha_course.workbook.asking.question import Question
from mha_course.workbook.learner.progress import Progress
from mha_course.workbook.pictures.forms import (
    OPEN,
    below_each_other,
    folded_reasons,
    form,
    in_words,
    outcome,
    screen,
    still,
)
from mha_course.workbook.pictures.markup import Markup, escaped, joined
from mha_course.workbook.pictures.picture import Picture
from mha_course.workbook.pictures.update import Actions, Update


class QuizSession:
    """Five questions; each can be answered again until it is right.

    questions: by name. progress: where the answers are kept.
    """

    def __init__(self, questions: Mapping[str, Question], progress: Progress):
        """Begin with what the progress file says of these questions."""
        self._questions, self._progress = questions, progress
        saved = progress.answers()
        self._answers: dict[str, str] = {
            name: answer for name, question in questions.items() if question.kind.can_be(answer := saved.get(name))
        }
        self._alerts: dict[str, str] = {}

    def screen(self) -> Markup:
        """Return the markup of the forms; what is answered comes with the first update."""
        forms = (
            form(name, self._label(name), each.text, each.kind.drawn(), "Check")
            for name, each in self._questions.items()
        )
        return screen(forms, summary="score")

    def still(self) -> Picture:
        """Return the `Picture` that stands for the quiz where no kernel runs."""
        pictures = [
            still(self._label(name), each.text, each.kind.texts(), self._outcome(name))
            for name, each in self._questions.items()
        ]
        return below_each_other(pictures)

    def act(self, actions: Actions) -> Update:
        """Do what the learner did, one action after the other, and return what the screen has to change.

        What cannot be done changes nothing, and the update says why.
        """
        actions = list(actions)
        self._alerts, renewed = {}, [] if actions else list(self._questions)
        for action in actions:
            renewed += self._do(action)
        return self._update(renewed)

    def _do(self, action: object) -> list[str]:
        """Do one action. Return the forms whose fields are set anew: others may be half filled in."""
        match action:
            case ["submit", str(name), dict(fields)] if name in self._questions and not self._is_right(name):
                return self._check(name, fields)
            case ["press", "start over"]:
                for name in self._answers:
                    self._progress.record("answered", name)
                self._answers = {}
                return list(self._questions)
        return []

    def _check(self, name: str, fields: Mapping[str, object]) -> list[str]:
        """Take an answer, and return the form that it came from, if it could be read."""
        try:
            self._answers[name] = self._questions[name].kind.read(fields)
        except ValueError as error:
            self._alerts[name] = str(error)
            return []
        self._alerts.pop(name, None)  # of a try before it
        self._progress.record("answered", name, answer=self._answers[name])
        return [name]

    def _label(self, name: str) -> str:
        return f"Question {list(self._questions).index(name) + 1}."

    def _is_right(self, name: str) -> bool:
        return name in self._answers and self._answers[name] == self._questions[name].truth()

    def _outcome(self, name: str) -> str:
        if name not in self._answers:
            return OPEN
        return in_words(self._is_right(name), self._verdict(name))

    def _verdict(self, name: str) -> str:
        """Say why the answer is right or wrong."""
        option = self._questions[name].kind.options[self._answers[name]]
        return option.reason if self._is_right(name) else f"Not “{option.text}”. {option.reason} Choose again."

    def _result(self, name: str) -> str:
        if name not in self._answers:
            return ""
        told = outcome(self._is_right(name), self._verdict(name))
        if not self._is_right(name):
            return told
        options = self._questions[name].kind.options
        others = [(option.text, option.reason) for key, option in options.items() if key != self._answers[name]]
        return joined([told, folded_reasons("Why not the others?", others)])

    def _update(self, renewed: Iterable[str]) -> Update:
        """Return what the browser has to change. renewed: the forms whose fields are set anew."""
        right = [name for name in self._questions if self._is_right(name)]
        score = f"{len(right)} of {len(self._questions)} right." if self._answers else OPEN
        return Update(
            fields={name: {"answer": self._answers.get(name)} for name in renewed},
            locked=right,
            off=[] if self._answers else ["start over"],
            parts={
                **{f"alert {name}": escaped(self._alerts.get(name, "")) for name in self._questions},
                **{f"result {name}": self._result(name) for name in self._questions},
                "score": score,
                "notice": escaped(" ".join(self._progress.notices())),
            },
        )

"""One review in use: what the learner did, and what the screen has to change."""

from collections.abc import Callable, Iterable, Mapping

from mha_course.workbook.asking.review_question import ReviewQuestion
from mha_course.workbook.learner.event import Answer
from mha_course.workbook.learner.progress import Progress
from mha_course.workbook.learner.spacing import KIND, RIGHT, RULE, WRONG
from mha_course.workbook.pictures.forms import OPEN, below_each_other, form, in_words, outcome, screen, still
from mha_course.workbook.pictures.markup import Markup, escaped, joined, paragraph
from mha_course.workbook.pictures.picture import Picture
from mha_course.workbook.pictures.update import Actions, Update

NOTHING_MET = (
    "There is nothing to review yet: review() asks about exercises that you have tried, and asks again what you "
    "predicted or answered wrong, from the next day on."
)


class ReviewSession:
    """A handful of questions, each of which is answered once.

    questions: what is asked. progress: where it is kept how they were answered. what_is_due: says what is due by
    now; nothing if nothing was met.
    """

    def __init__(self, questions: Iterable[ReviewQuestion], progress: Progress, what_is_due: Callable[[], str]):
        """Begin with nothing answered."""
        self._questions = {each.name: each for each in questions}
        self._progress, self._what_is_due = progress, what_is_due
        self._answers: dict[str, Answer] = {}
        self._alerts: dict[str, str] = {}

    def screen(self) -> Markup:
        """Return the markup of the forms; what is answered comes with the first update."""
        forms = (
            form(name, self._label(name), each.text, joined([each.shown.html, each.kind.drawn()], "\n"), "Commit")
            for name, each in self._questions.items()
        )
        return screen([paragraph(self._first_line()), *forms], summary="score", can_start_over=False)

    def still(self) -> Picture:
        """Return the `Picture` that stands for the review where no kernel runs."""
        pictures = [
            still(self._label(name), each.text, each.kind.texts(), self._outcome(name), each.shown)
            for name, each in self._questions.items()
        ]
        lines = [Picture(paragraph(line), line) for line in (self._first_line(), self._score()) if line]
        pictures = [*lines[:1], *pictures, *lines[1:]]
        return below_each_other(pictures)

    def act(self, actions: Actions) -> Update:
        """Do what the learner did, one action after the other, and return what the screen has to change.

        What cannot be done changes nothing, and the update says why.
        """
        actions = list(actions)
        self._alerts, renewed = {}, [] if actions else list(self._questions)
        for action in actions:
            match action:
                case ["submit", str(name), dict(fields)] if name in self._questions and name not in self._answers:
                    renewed += self._take(name, fields)
        return self._update(renewed)

    def _take(self, name: str, fields: Mapping[str, object]) -> list[str]:
        """Take an answer, and return the form that it came from, if it could be read."""
        question = self._questions[name]
        try:
            answer = question.kind.read(fields)
        except ValueError as error:
            self._alerts[name] = str(error)
            return []
        self._alerts.pop(name, None)  # of a try before it
        self._answers[name] = answer
        recognised = [question.recognised(answer)]
        result = RIGHT if question.is_right(answer) else WRONG
        self._progress.record(KIND, name, mistakes=filter(None, recognised), answer=result)
        return [name]

    def _label(self, name: str) -> str:
        return f"{list(self._questions).index(name) + 1}. {self._questions[name].source}."

    def _first_line(self) -> str:
        return RULE if self._questions or self._what_is_due() else NOTHING_MET

    def _outcome(self, name: str) -> str:
        if name not in self._answers:
            return OPEN
        return in_words(self._is_right(name), self._told(name))

    def _is_right(self, name: str) -> bool:
        return self._questions[name].is_right(self._answers[name])

    def _told(self, name: str) -> str:
        return self._questions[name].told(self._answers[name])

    def _score(self) -> str:
        """Say how far the sitting is; once all is answered, when the next questions are due."""
        right, total = sum(map(self._is_right, self._answers)), len(self._questions)
        if len(self._answers) < total:
            return f"{len(self._answers)} of {total} answered, {right} right." if self._answers else OPEN
        return " ".join([*[f"{right} of {total} right."] * bool(total), self._what_is_due()]).strip()

    def _update(self, renewed: Iterable[str]) -> Update:
        """Return what the browser has to change. renewed: the forms whose fields are set anew."""
        given, questions = self._answers, self._questions
        return Update(
            fields={name: questions[name].kind.fields(given[name]) if name in given else {} for name in renewed},
            locked=list(given),
            parts={
                **{f"alert {name}": escaped(self._alerts.get(name, "")) for name in questions},
                **{f"result {name}": outcome(self._is_right(name), self._told(name)) for name in given},
                "score": escaped(self._score()),
                "notice": escaped(" ".join(self._progress.notices())),
            },
        )

"""Questions in use: what the learner did, and what the screen has to change."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mha_course.engine.asking.kind import Judgement
from mha_course.engine.asking.own_words import FORM, OwnWords
from mha_course.engine.asking.question import Question
from mha_course.engine.pictures.forms import (
    OPEN,
    below_each_other,
    folded_reasons,
    form,
    in_words,
    outcome,
    screen,
    still,
)
from mha_course.engine.pictures.markup import Markup, escaped, joined, paragraph
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Actions, Update
from mha_course.engine.progress.event import Event
from mha_course.engine.progress.progress import Progress
from mha_course.engine.progress.spacing import RIGHT, WRONG


@dataclass(frozen=True)
class Manner:
    """How questions are asked. What is not said here is the same for all.

    event: the kind under which answers are kept. comes_back: whether they are there again the next time, and can be
    cleared; if not, only whether they were right is kept. solves: the name of the whole, under which wrong tries are
    kept, and that all is right.

    label: what stands before the text of a question, with {place}, {asked} and {source} in it. button: what stands on
    it. told: what comes of an answer. in_words: the same, where it stands as text alone. stand: how things stand, of
    how many are right, answered and asked. summary: the part of the screen that says so. first_line: above everything.
    notice: with what is told of the last answer, once all is right.

    is_final: whether the first answer counts; if not, it may be tried until it is right, and then each answer's reason
    is told. in_turn: whether each question opens when the one before is right.
    """

    event: str
    button: str
    summary: str
    label: str
    told: Callable[[Question[Any], Any], str] = lambda question, answer: question.kind.judged(answer).told
    stand: Callable[[int, int, int], str] = lambda right, answered, asked: ""
    in_words: Callable[[bool, str], str] = in_words
    comes_back: bool = True
    solves: str = ""
    first_line: str = ""
    notice: str = ""
    is_final: bool = False
    in_turn: bool = False


class Session:
    """Questions that are asked in one manner. progress: where the answers are kept."""

    def __init__(
        self,
        questions: Iterable[Question[Any]],
        progress: Progress,
        manner: Manner,
        own_words: OwnWords | None = None,
    ):
        """Begin with what the progress file says of these questions."""
        self._questions = {each.name: each for each in questions}
        self._progress, self._manner, self._own_words = progress, manner, own_words
        saved = progress.answers() if manner.comes_back else {}
        self._answers = {
            name: answer for name, each in self._questions.items() if each.kind.can_be(answer := saved.get(name))
        }
        self._answers = {name: self._answers[name] for name in self._open() if name in self._answers}
        if own_words and not self._answers:
            own_words.forget()
        self._alerts: dict[str, str] = {}

    def screen(self) -> Markup:
        """Return the markup of the forms; what is answered comes with the first update."""
        manner = self._manner
        first = [paragraph(manner.first_line)] if manner.first_line else []
        forms = (
            form(name, self._label(name), each.text, each.render(), manner.button)
            for name, each in self._questions.items()
        )
        last = [self._own_words.render()] if self._own_words else []
        return screen([*first, *forms, *last], manner.summary, can_start_over=manner.comes_back)

    def still(self) -> Picture:
        """Return the `Picture` that stands for the questions where no kernel runs.

        It is stored in the notebook, which may be handed in: so what the learner wrote to themselves is not in it.
        """
        questions = [self._still(name) for name in self._open()]
        if not self._manner.first_line:
            events = (Event("", name, 0, self._manner.event, answer=answer) for name, answer in self._answers.items())
            return replace(below_each_other(questions), events=tuple(events))
        above, *below = (Picture(paragraph(line), line) for line in (self._manner.first_line, self._stand()) if line)
        return below_each_other([above, *questions, *below])

    def act(self, actions: Actions) -> Update:
        """Do what the learner did, one action after the other, and return what the screen has to change.

        What cannot be done changes nothing, and the update says why.
        """
        actions = list(actions)
        self._alerts, renewed = {}, [] if actions else self._forms()
        for action in actions:
            renewed += self._do(action)
        return self._update(renewed)

    def _do(self, action: object) -> list[str]:
        """Do one action. Return the forms whose fields are set anew: others may be half filled in."""
        match action:
            case ["submit", str(name), dict(fields)] if name in self._open():
                return [name] if self._is_closed(name) else self._take(name, fields)
            case ["submit", "why", {"why": str(text)}] if self._own_words and self._answers:
                self._own_words.keep(text)
                return [FORM]
            case ["press", "start over"] if self._answers and self._manner.comes_back:
                return self._start_over()
        return []

    def _take(self, name: str, fields: Mapping[str, object]) -> list[str]:
        """Take an answer, and return the form that it came from, if it could be read."""
        try:
            self._answers[name] = self._questions[name].kind.read(fields)
        except ValueError as error:
            self._alerts[name] = str(error)
            return []
        self._alerts.pop(name, None)  # of a try before it
        self._keep(name)
        return [name]

    def _keep(self, name: str) -> None:
        """Keep an answer, and what came of it."""
        manner, judgement = self._manner, self._judged(name)
        mistakes = [judgement.mistake] if judgement.mistake else []
        if manner.comes_back:
            self._progress.record(manner.event, name, answer=self._answers[name])
        else:
            self._progress.record(manner.event, name, mistakes=mistakes, answer=RIGHT if judgement.is_right else WRONG)
        if manner.solves and not judgement.is_right:
            self._progress.record("mistake" if mistakes else "difference", manner.solves, mistakes=mistakes)
        elif manner.solves and self._is_done():
            self._progress.record("right", manner.solves)

    def _start_over(self) -> list[str]:
        for name in self._answers:
            self._progress.record(self._manner.event, name)
        self._answers = {}
        if self._own_words:
            self._own_words.forget()
        return self._forms()

    def _forms(self) -> list[str]:
        return [*self._questions, *([FORM] if self._own_words else [])]

    def _open(self) -> list[str]:
        """List the questions that can be seen: all, or in turn those that are right, and the first that is not."""
        names = list(self._questions)
        wrong = (place for place, name in enumerate(names, 1) if not self._is_right(name))
        return names[: next(wrong, None)] if self._manner.in_turn else names

    def _is_right(self, name: str) -> bool:
        return name in self._answers and self._judged(name).is_right

    def _judged(self, name: str) -> Judgement:
        return self._questions[name].kind.judged(self._answers[name])

    def _is_closed(self, name: str) -> bool:
        return name in self._answers and (self._manner.is_final or self._is_right(name))

    def _is_done(self) -> bool:
        return all(map(self._is_right, self._questions))

    def _label(self, name: str) -> str:
        place, source = list(self._questions).index(name) + 1, self._questions[name].source
        return self._manner.label.format(place=place, asked=len(self._questions), source=source)

    def _told(self, name: str) -> str:
        """Say what comes of the answer to a question, and after the last what to notice."""
        told = self._manner.told(self._questions[name], self._answers[name])
        is_end = self._is_done() and name == list(self._questions)[-1]
        return " ".join(filter(None, [told, self._manner.notice if is_end else ""]))

    def _still(self, name: str) -> Picture:
        question, said = self._questions[name], OPEN
        if name in self._answers:
            said = self._manner.in_words(self._is_right(name), self._told(name))
        return still(self._label(name), question.text, question.kind.texts(), said, question.picture())

    def _result(self, name: str) -> Markup | str:
        if name not in self._answers:
            return ""
        judgement = self._judged(name)
        reasons = () if self._manner.is_final else judgement.reasons
        folded = [folded_reasons(judgement.summary, reasons)] if reasons else []
        return joined([outcome(judgement.is_right, self._told(name)), *folded])

    def _stand(self) -> str:
        if self._own_words:
            return self._own_words.told()
        right = sum(map(self._is_right, self._questions))
        return self._manner.stand(right, len(self._answers), len(self._questions))

    def _fields(self, form: str) -> Mapping[str, str]:
        if form == FORM and self._own_words:
            return {FORM: self._own_words.text}
        return self._questions[form].kind.fields(self._answers[form]) if form in self._answers else {}

    def _update(self, renewed: Iterable[str]) -> Update:
        """Return what the browser has to change. renewed: the forms whose fields are set anew."""
        is_open = [*self._open(), *([FORM] if self._answers else [])]
        return Update(
            fields={form: self._fields(form) for form in renewed},
            locked=[name for name in self._questions if self._is_closed(name)],
            hidden=[form for form in self._forms() if form not in is_open],
            off=[] if self._answers or not self._manner.comes_back else ["start over"],
            parts={
                **{f"alert {name}": escaped(self._alerts.get(name, "")) for name in self._questions},
                **{f"result {name}": self._result(name) for name in self._questions},
                self._manner.summary: escaped(self._stand()),
                "notice": escaped(" ".join(self._progress.notices())),
            },
        )

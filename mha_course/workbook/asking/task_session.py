"""One task in use: what the learner did, and what the screen has to change."""

from collections.abc import Iterable, Mapping

from mha_course.workbook.asking.task import Judgement, Said, Step, Task
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
from mha_course.workbook.pictures.practice import beside
from mha_course.workbook.pictures.update import Actions, Update

LABEL = "Practise."
DONE = "All steps are right."


class TaskSession:
    """Steps that are judged at once; each can be tried until it is right, which opens the next.

    name: of the task. progress: where the answers are kept.
    """

    def __init__(self, name: str, task: Task, progress: Progress):
        """Begin with what the progress file says of these steps."""
        self._name, self._task, self._progress = name, task, progress
        self._steps: dict[str, Step] = {f"{name}.{number}": step for number, step in enumerate(task.steps, 1)}
        saved = progress.answers()
        self._answers: dict[str, Said] = {}
        for key, step in self._steps.items():
            if step.kind.can_be(answer := saved.get(key)):
                self._answers[key] = answer
            if not self._is_right(key):
                break
        self._alerts: dict[str, str] = {}

    def screen(self) -> Markup:
        """Return the markup of the forms; what is answered comes with the first update."""
        return screen((self._form(key, step) for key, step in self._steps.items()), summary="stand")

    def still(self) -> Picture:
        """Return the `Picture` that stands for the task where no kernel runs: its steps as far as they are open."""
        return below_each_other(self._still(key) for key in self._open())

    def act(self, actions: Actions) -> Update:
        """Do what the learner did, one action after the other, and return what the screen has to change.

        What cannot be done changes nothing, and the update says why.
        """
        actions = list(actions)
        self._alerts, renewed = {}, [] if actions else list(self._steps)
        for action in actions:
            renewed += self._do(action)
        return self._update(renewed)

    def _do(self, action: object) -> list[str]:
        """Do one action. Return the forms whose fields are set anew: others may be half filled in."""
        match action:
            case ["submit", str(key), dict(fields)] if key in self._open() and not self._is_right(key):
                return self._check(key, fields)
            case ["press", "start over"] if self._answers:
                for key in self._answers:
                    self._progress.record("answered", key)
                self._answers = {}
                return list(self._steps)
        return []

    def _check(self, key: str, fields: Mapping[str, object]) -> list[str]:
        """Take an answer, and return the form that it came from, if it could be read."""
        try:
            answer = self._steps[key].kind.read(fields)
        except ValueError as error:
            self._alerts[key] = str(error)
            return []
        self._alerts.pop(key, None)  # of a try before it
        self._answers[key] = answer
        self._progress.record("answered", key, answer=answer)
        self._record(self._steps[key].kind.judged(answer))
        return [key]

    def _record(self, judgement: Judgement) -> None:
        """Keep what came of a try: a wrong one, or the last right one."""
        if not judgement.is_right:
            kind, mistakes = ("mistake", [judgement.mistake]) if judgement.mistake else ("difference", [])
            self._progress.record(kind, self._name, mistakes=mistakes)
        elif self._is_done():
            self._progress.record("right", self._name)

    def _open(self) -> list[str]:
        """List the steps that can be seen: those that are right, and the first that is not."""
        keys = list(self._steps)
        right = next((number for number, key in enumerate(keys) if not self._is_right(key)), len(keys))
        return keys[: right + 1]

    def _is_right(self, key: str) -> bool:
        return key in self._answers and self._judged(key).is_right

    def _judged(self, key: str) -> Judgement:
        return self._steps[key].kind.judged(self._answers[key])

    def _is_done(self) -> bool:
        return all(map(self._is_right, self._steps))

    def _label(self, key: str) -> str:
        number = list(self._steps).index(key) + 1
        return LABEL if len(self._steps) == 1 else f"Step {number} of {len(self._steps)}."

    def _told(self, key: str) -> str:
        """Say what came of the answer to a step, and after the last what to notice."""
        is_last = key == list(self._steps)[-1] and self._is_done()
        return " ".join(filter(None, [self._judged(key).told, self._task.notice if is_last else ""]))

    def _form(self, key: str, step: Step) -> Markup:
        fields = joined([beside(step.tables).html, step.kind.drawn()])
        return form(key, self._label(key), step.text, fields, "Check")

    def _still(self, key: str) -> Picture:
        step = self._steps[key]
        said = in_words(self._is_right(key), self._told(key)) if key in self._answers else OPEN
        return still(
            self._label(key), step.text, step.kind.texts(), said, beside([*step.tables, *step.kind.pictures()])
        )

    def _result(self, key: str) -> Markup | str:
        if key not in self._answers:
            return ""
        reasons = self._judged(key).reasons
        folded = [folded_reasons("Why?", reasons)] if reasons else []
        return joined([outcome(self._is_right(key), self._told(key)), *folded])

    def _update(self, renewed: Iterable[str]) -> Update:
        """Return what the browser has to change. renewed: the forms whose fields are set anew."""
        steps, is_open = self._steps, self._open()
        answers = {key: steps[key].kind.fields(self._answers[key]) if key in self._answers else {} for key in steps}
        right = [key for key in steps if self._is_right(key)]
        stand = f"{len(right)} of {len(steps)} steps are right." if len(steps) > 1 else ""
        return Update(
            fields={key: answers[key] for key in renewed},
            locked=right,
            hidden=[key for key in steps if key not in is_open],
            off=[] if self._answers else ["start over"],
            parts={
                **{f"alert {key}": escaped(self._alerts.get(key, "")) for key in steps},
                **{f"result {key}": self._result(key) for key in steps},
                "stand": DONE if self._is_done() and len(steps) > 1 else stand,
                "notice": escaped(" ".join(self._progress.notices())),
            },
        )

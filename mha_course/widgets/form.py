"""Questions as forms: what the learner sends goes to Python, and Python's answer comes to the page."""

from pathlib import Path

import anywidget
from traitlets import Unicode

from mha_course.questions.prediction_session import PredictionSession
from mha_course.questions.quiz_session import QuizSession

FOLDER = Path(__file__).parent


class Form(anywidget.AnyWidget):
    """Show the screen of a session, and do what is done to it.

    session: has `screen()`, `still()` and `act(action)`, as a `PredictionSession` has.

    >>> "What shape has V?" in Form(PredictionSession("projections.shape-of-values")).html
    True
    """

    _esm = FOLDER / "form.js"
    _css = FOLDER / "form.css"
    html = Unicode().tag(sync=True)

    def __init__(self, session):
        """Begin as the session stands."""
        self._session = session
        super().__init__(html=session.screen())
        self.on_msg(self._hear)

    def _hear(self, _, content, buffers):
        action = content["action"]
        update = self._session.act(action)
        if action[0] == "show":  # a view that has just opened; what others have half filled in stays
            update["view"] = action[1]
        self.send(update)

    def __repr__(self):
        """Write the question and what came of it as text."""
        return self._session.still().text

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        return data | {"text/html": self._session.still().html}, metadata  # its text is there by __repr__


def predict(name):
    """Ask for a prediction, and set it against what comes out.

    name: a lesson's word, a point, and which of its predictions. The answer is kept in my_progress.jsonl.
    Errors: `ValueError` listing the names there are.

    >>> predict("start.how-many-shares")
    Predict. Four French words ask, five English words answer. How many shares does one head compute?
    Not answered yet.
    """
    return Form(PredictionSession(name))


def quiz(lesson):
    """Ask five questions about a lesson and those before it. The answers are kept in my_progress.jsonl.

    lesson: its word, as "scores" for lesson 3. Errors: `ValueError` listing the words there are.

    >>> print(repr(quiz("scores")).splitlines()[1])
    - √512 ≈ 22.6
    """
    return Form(QuizSession(lesson))

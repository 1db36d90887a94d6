"""What every picture is: markup for the eye, text for everything else."""

from dataclasses import asdict, dataclass, field
from typing import Any

from mha_course.engine.pictures.markup import Markup

EVENTS = "mha_course"  # the name that they have in an output's metadata


@dataclass(frozen=True)
class Picture:
    """One picture as HTML together with the text that says the same.

    A notebook shows the HTML; a terminal, a diff or a screen reader can use the text. events: what the learner did, as
    dataclasses, of which a notebook stores for programs what is not None.

    >>> Picture("<b>1</b>", "1")
    1
    """

    html: str
    text: str
    events: tuple[Any, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Take the HTML for what it is, so that nothing escapes it again."""
        object.__setattr__(self, "html", Markup(self.html))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        events = [{name: said for name, said in asdict(event).items() if said is not None} for event in self.events]
        return {"text/html": self.html, "text/plain": self.text}, {EVENTS: events} if events else {}

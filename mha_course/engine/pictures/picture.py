"""What every picture is: markup for the eye, text for everything else."""

from dataclasses import dataclass

from mha_course.engine.pictures.markup import Markup


@dataclass(frozen=True)
class Picture:
    """One picture as HTML together with the text that says the same.

    A notebook shows the HTML; a terminal, a diff or a screen reader can use the text.

    >>> Picture("<b>1</b>", "1")
    1
    """

    html: str
    text: str

    def __post_init__(self) -> None:
        """Take the HTML for what it is, so that nothing escapes it again."""
        if not isinstance(self.html, Markup):
            object.__setattr__(self, "html", Markup(self.html))

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html

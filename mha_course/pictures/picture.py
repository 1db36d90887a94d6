"""What every picture is: markup for the eye, text for everything else."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    """One picture as HTML together with the text that says the same.

    A notebook shows the HTML; a terminal, a diff or a screen reader can use the text.

    >>> Picture("<b>1</b>", "1")
    1
    """

    html: str
    text: str

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return self.html

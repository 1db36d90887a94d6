"""Draws questions: as a form to fill in, and as the picture that stands for it where no kernel runs."""

import re
from collections.abc import Iterable, Mapping
from html import escape

from mha_course.pictures.picture import Picture

OPEN = "Not answered yet."
ITALICS = re.compile(r"(?<!\w)\*(\w[^*\n]*)\*")


def inline(text: str) -> str:
    """Write a text as HTML: *words* in italics, `code` as code.

    >>> inline("*create* in `weights[1]`")
    '<em>create</em> in <code>weights[1]</code>'
    """
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"<code>{escape(part[1:-1])}</code>" if part.startswith("`") else ITALICS.sub(r"<em>\1</em>", escape(part))
        for part in parts
    )


def choice_fields(options: Mapping[str, str]) -> str:
    """Draw one button for each answer that can be chosen: key -> text."""
    return _paragraphs(
        f'<label><input type="radio" name="answer" value="{escape(key)}"> <span>{inline(text)}</span></label>'
        for key, text in options.items()
    )


def order_fields(items: Mapping[str, str]) -> str:
    """Draw a field for the place of each item: key -> text."""
    places = "".join(f"<option>{place}</option>" for place in range(1, len(items) + 1))
    return _paragraphs(
        f'<label><select name="{escape(key)}"><option value="">place</option>{places}</select> '
        f"<span>{inline(text)}</span></label>"
        for key, text in items.items()
    )


def number_field() -> str:
    """Draw the field for a number."""
    field = '<input name="answer" inputmode="decimal" autocomplete="off" size="10">'
    return _paragraphs([f"<label>Your number: {field}</label>"])


def form(name: str, label: str, text: str, fields: str, button: str) -> str:
    """Draw one question as a form, with a place for complaints and one for what comes of it.

    label: what stands in bold before the question's text. fields: the markup of what is to be filled in.
    """
    return f"""<form data-form="{escape(name)}"><fieldset>
<legend><b>{escape(label)}</b> {inline(text)}</legend>
{fields}
<p><button>{escape(button)}</button></p>
</fieldset></form>
<p data-part="alert {escape(name)}" role="alert"></p>
<div data-part="result {escape(name)}" role="status"></div>"""


def still(label: str, text: str, items: Iterable[str], outcome: str) -> Picture:
    """Draw one question as it stands where no kernel runs.

    items: the texts to choose from or to put in order. outcome: a sentence.

    >>> still("Predict.", "How *many*?", [], OPEN)
    Predict. How many?
    Not answered yet.
    """
    items = list(items)
    listed = f"<ul>{''.join(f'<li>{inline(item)}</li>' for item in items)}</ul>\n" if items else ""
    html = f"<p><b>{escape(label)}</b> {inline(text)}</p>\n{listed}<p>{inline(outcome)}</p>"
    lines = [f"{label} {text}", *(f"- {item}" for item in items), outcome]
    return Picture(html, _plain("\n".join(lines)))


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def _plain(text: str) -> str:
    """Take the stars of *words* in italics away; `code` keeps its marks."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if part.startswith("`") else ITALICS.sub(r"\1", part) for part in parts)

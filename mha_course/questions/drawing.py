"""Draws questions: as a form to fill in, and as the picture that stands for it where no kernel runs."""

import re
from html import escape

from mha_course.pictures.picture import Picture
from mha_course.questions.kinds import Choice, Order

OPEN = "Not answered yet."
ITALICS = re.compile(r"(?<!\w)\*(\w[^*\n]*)\*")


def inline(text):
    """Write a text as HTML: *words* in italics, `code` as code.

    >>> inline("*create* in `weights[1]`")
    '<em>create</em> in <code>weights[1]</code>'
    """
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"<code>{escape(part[1:-1])}</code>" if part.startswith("`") else ITALICS.sub(r"<em>\1</em>", escape(part))
        for part in parts
    )


def controls(kind):
    """Draw the fields for an answer of a kind.

    >>> from mha_course.questions.kinds import Number
    >>> controls(Number())
    '<p><label>Your number: <input name="answer" inputmode="decimal" autocomplete="off" size="10"></label></p>'
    """
    match kind:
        case Choice(options):
            lines = [
                f'<label><input type="radio" name="answer" value="{escape(key)}"> <span>{inline(option.text)}</span>'
                "</label>"
                for key, option in options.items()
            ]
        case Order(items):
            places = "".join(f"<option>{place}</option>" for place in range(1, len(items) + 1))
            lines = [
                f'<label><select name="{escape(key)}"><option value="">place</option>{places}</select> '
                f"<span>{inline(text)}</span></label>"
                for key, text in items.items()
            ]
        case _:
            field = '<input name="answer" inputmode="decimal" autocomplete="off" size="10">'
            lines = [f"<label>Your number: {field}</label>"]
    return "".join(f"<p>{line}</p>" for line in lines)


def form(name, label, text, kind, button):
    """Draw one question as a form, with a place for complaints and one for what comes of it.

    label: what stands in bold before the question's text.

    >>> from mha_course.questions.kinds import Number
    >>> "Commit" in form("scores.variance", "Predict.", "How large?", Number(), "Commit")
    True
    """
    return f"""<form data-form="{escape(name)}"><fieldset>
<legend><b>{escape(label)}</b> {inline(text)}</legend>
{controls(kind)}
<p><button>{escape(button)}</button></p>
</fieldset></form>
<p data-part="alert {escape(name)}" role="alert"></p>
<div data-part="result {escape(name)}" role="status"></div>"""


def still(label, text, kind, outcome):
    """Draw one question as it stands where no kernel runs. outcome: a sentence.

    >>> from mha_course.questions.kinds import Number
    >>> still("Predict.", "How many?", Number(), OPEN)
    Predict. How many?
    Not answered yet.
    """
    listed = []
    if isinstance(kind, Choice):
        listed = [option.text for option in kind.options.values()]
    elif isinstance(kind, Order):
        listed = list(kind.items.values())
    items = f"<ul>{''.join(f'<li>{inline(item)}</li>' for item in listed)}</ul>\n" if listed else ""
    html = f"<p><b>{escape(label)}</b> {inline(text)}</p>\n{items}<p>{inline(outcome)}</p>"
    lines = [f"{label} {text}", *(f"- {item}" for item in listed), outcome]
    return Picture(html, _plain("\n".join(lines)))


def _plain(text):
    """Take the stars of *words* in italics away; `code` keeps its marks."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if part.startswith("`") else ITALICS.sub(r"\1", part) for part in parts)

"""A page that needs nothing else: no network, no script, no file beside it."""

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup


def single_page(title, style, *content):
    """Write a page. style: as text; content: of its body."""
    head = markup.joined(
        [
            markup.single("meta", charset="utf-8"),
            markup.single("meta", name="viewport", content="width=device-width"),
            markup.element("title", title),
            markup.element("style", Markup(style)),
        ]
    )
    body = markup.element("body", *content)
    return f"<!DOCTYPE html>\n{markup.element('html', markup.element('head', head), body, lang='en')}\n"

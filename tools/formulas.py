"""Text as HTML with its formulas as MathML, which browsers draw by themselves and without a network."""

import re

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

# A minus behind an opening bracket, a comma or another sign belongs to the number that follows: no space between them.
SIGN = re.compile(r"(<mo[^>]*>(?:&#x00028;|&#x0005B;|&#x0002C;|&#x0003D;|&#x022C5;)</mo>)<mo>(?=&#x02212;)")


def formula(text, display="inline"):
    """Return a formula as MathML. display: "inline", or "block" for one with a line of its own."""
    return SIGN.sub(r'\1<mo form="prefix">', convert(text, display=display))


class _Formulas(IPythonRenderer):
    def block_math(self, body):
        return formula(body, "block")

    def inline_math(self, body):
        return formula(body)


def text_to_html(text):
    """Return a Markdown text as HTML."""
    return MarkdownWithMath(renderer=_Formulas(escape=False, exclude_anchor_links=True)).render(text)

"""Text as HTML with its formulas as MathML, which browsers draw by themselves and without a network."""

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath


class _Formulas(IPythonRenderer):
    def block_math(self, body):
        return convert(body, display="block")

    def inline_math(self, body):
        return convert(body)


def text_to_html(text):
    """Return a Markdown text as HTML."""
    return MarkdownWithMath(renderer=_Formulas(escape=False, exclude_anchor_links=True)).render(text)

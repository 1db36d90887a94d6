"""The tokens of a text that somebody typed."""

from mha_course.maths.inputs import tokenize

HOW = (
    "Write a sentence, like I love my dog: it is split into words. "
    "Or write commas between the tokens, like <start>, my dog, <end>."
)


def typed_tokens(text: str) -> list[str]:
    """Split a sentence as lesson 1 does; of a text with commas, each part between them is a token.

    So a token that the first way cannot make, like <start> or New York, is had by the second.
    Errors: `ValueError` if there is no token, or an empty one.

    >>> typed_tokens("I love my dog."), typed_tokens("<start>, New York")
    (['i', 'love', 'my', 'dog', '.'], ['<start>', 'New York'])
    """
    tokens = [part.strip() for part in text.split(",")] if "," in text else tokenize(text)
    if not tokens or not all(tokens):
        raise ValueError(f"one of the tokens is empty. {HOW}")
    return tokens

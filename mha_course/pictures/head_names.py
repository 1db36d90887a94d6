"""How a head of a model is written, and what its button is called."""

from mha_course.maths.which_head import Head


def name_of(head: Head) -> str:
    """Write a head as a number, its layer first.

    >>> name_of((12, 2))
    '12.2'
    """
    return f"{head[0]}.{head[1]}"


def in_words(head: Head) -> str:
    """Write a head in words.

    >>> in_words((12, 2))
    'layer 12, head 2'
    """
    return f"layer {head[0]}, head {head[1]}"


def button_of(head: Head) -> str:
    """Return the name of the button that shows a head, or switches it.

    >>> button_of((12, 2))
    'head 12 2'
    """
    return f"head {head[0]} {head[1]}"

"""What scores.md beside this names: wrong ways that take more than an expression."""


def of_length_1(rows):
    """Return the rows, each divided by its length."""
    return rows / (rows * rows).sum(axis=-1, keepdims=True) ** 0.5

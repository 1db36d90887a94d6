"""Which head of a model is meant: its layer and its number, both counted from 1, as in 19.7."""

Head = tuple[int, int]


def all_heads(num_layers: int, num_heads: int) -> list[Head]:
    """List the heads of a model, layer by layer.

    >>> all_heads(2, 2)
    [(1, 1), (1, 2), (2, 1), (2, 2)]
    """
    return [(layer, head) for layer in range(1, num_layers + 1) for head in range(1, num_heads + 1)]

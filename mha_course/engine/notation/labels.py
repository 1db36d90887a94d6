"""Where an entry stands, and how that is written."""

Address = tuple[str, int, int]  # the key of a matrix, a row and a column, counted from 0


def address(key: str, row: int, column: int) -> str:
    """Write where an entry stands, as the browser knows it: counted from 0.

    >>> address("scores/1", 0, 2)
    'scores/1:0,2'
    """
    return f"{key}:{row},{column}"


def label(key: str, *place: int) -> str:
    """Write where an entry stands, as the lessons do: counted from 1. A single number has no place.

    >>> label("scores", 0, 2), label("heads", 1, 0, 2), label("score")
    ('scores[1,3]', 'heads[2,1,3]', 'score')
    """
    return f"{key}[{','.join(str(i + 1) for i in place)}]" if place else key

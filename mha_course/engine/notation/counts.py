"""A number with what it counts."""


def counted(number: int, one: str, many: str = "") -> str:
    """Write how many there are.

    >>> counted(1, "student"), counted(3, "student"), counted(2, "try", "tries")
    ('1 student', '3 students', '2 tries')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"

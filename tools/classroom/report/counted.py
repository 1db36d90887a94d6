"""A number with what it counts."""


def counted(number, one, many=None):
    """Write how many there are.

    >>> counted(1, "student"), counted(3, "student"), counted(1, "try", "tries")
    ('1 student', '3 students', '1 try')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"

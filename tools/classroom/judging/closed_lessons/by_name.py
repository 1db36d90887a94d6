"""The words of a lesson that ask something: nobody is there to answer, and the judge checks."""


class LeftOut:
    """What such a word gives."""

    kind, is_right, mistakes = "not started", False, ()

    def __repr__(self):
        return "(left out while the notebook is graded)"


def check(*named, **options):
    """Ask nothing."""
    return LeftOut()


arrange = practise = predict = quiz = review = how_far = check

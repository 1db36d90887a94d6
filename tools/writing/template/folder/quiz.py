"""Five questions at the end of lesson 99, two of them about an earlier lesson."""

from mha_course.workbook.asking.kinds import Choice, Option
from mha_course.workbook.asking.question import Question

LESSON_0 = ("start_here", "From lesson 0: ")
THIS = ("lesson_name", "")
ASKED = [(11, 1, THIS), (12, 3, LESSON_0), (13, 0, THIS), (14, 2, LESSON_0), (15, 3, THIS)]


def _options(number, place):
    """The right option stands at this place."""
    options = [
        Option(f"{number + 2}", "This is two more than the number."),
        Option(f"{number * 3}", "This is three times the number."),
        Option(f"{number}", "This is the number itself, once."),
    ]
    options.insert(place, Option(f"{number * 2}", "This is the number and once more the number."))
    return {option.text: option for option in options}


QUESTIONS = {
    f"lesson_name.twice-{number}": Question(
        about=about,
        text=f"{begins}How much is twice {number}?",
        kind=Choice(_options(number, place)),
        right=f"{number * 2}",
    )
    for number, place, (about, begins) in ASKED
}

"""Five questions at the end of this lesson; two of them are about earlier lessons."""

from mha_course.asking.question import Question

QUESTIONS: dict[str, Question] = {}

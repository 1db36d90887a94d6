"""The course, and its words that take a name."""

from mha_course.engine import Course, Identity

from course_package.lessons import LESSONS

COURSE = Course(Identity("Course title", package="course_package"), LESSONS.values())

check, arrange, practise = COURSE.check, COURSE.arrange, COURSE.practise
predict, quiz, review, how_far = COURSE.predict, COURSE.quiz, COURSE.review, COURSE.how_far

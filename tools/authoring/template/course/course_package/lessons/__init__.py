"""The lessons in their order: each has a folder, named as its notebook."""

from mha_course.engine.course.lesson import lessons_in

LESSONS = lessons_in(
    "course_package.lessons",
)

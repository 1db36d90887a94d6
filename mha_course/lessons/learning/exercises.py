"""The exercises of this lesson."""

from mha_course.checking.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()

"""Lesson 0 has no exercises."""

EXERCISES = ()

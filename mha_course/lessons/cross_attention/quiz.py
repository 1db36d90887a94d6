"""The questions at the end of this lesson."""

QUESTIONS = {}

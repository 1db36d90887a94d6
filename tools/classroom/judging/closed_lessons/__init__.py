"""Stands in for `mha_course.lessons` while a notebook is graded: it holds no answers."""

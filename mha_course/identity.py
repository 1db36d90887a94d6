"""What this course is called, and its colours: one for each role."""

from mha_course.engine.identity import Identity
from mha_course.pictures.palette import ROLES

IDENTITY = Identity(
    "Multi-head attention, down to the last number",
    package="mha_course",
    progress="my_progress.jsonl",
    prefix="mha",
    colours=ROLES,
)

"""What this lesson asks before its cells run."""

from mha_course.asking.prediction import Prediction

PREDICTIONS: dict[str, Prediction] = {}

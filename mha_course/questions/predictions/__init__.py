"""The predictions of all lessons: name -> `Prediction`; each lesson has a module of its own."""

from mha_course.questions.predictions import (
    heads,
    inputs,
    masks,
    mixing,
    projections,
    reading,
    scores,
    softmax,
    start,
    sublayer,
)

PREDICTIONS = {
    name: prediction
    for lesson in (start, inputs, projections, scores, softmax, mixing, heads, masks, sublayer, reading)
    for name, prediction in lesson.PREDICTIONS.items()
}

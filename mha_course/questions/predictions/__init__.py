"""The predictions of all lessons: name -> `Prediction`; each lesson has a module of its own."""

from mha_course.questions.predictions import heads, inputs, mixing, projections, scores, softmax, start

PREDICTIONS = {
    name: prediction
    for lesson in (start, inputs, projections, scores, softmax, mixing, heads)
    for name, prediction in lesson.PREDICTIONS.items()
}

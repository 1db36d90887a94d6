"""Every exercise of the course, by its name, in the order of the lessons."""

from mha_course.exercises import heads, inputs, masks, mixing, projections, reading, scores, softmax, sublayer

EXERCISES = {
    exercise.name: exercise
    for lesson in (inputs, projections, scores, softmax, mixing, heads, masks, sublayer, reading)
    for exercise in lesson.EXERCISES
}

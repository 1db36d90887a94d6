"""Every exercise of the course, by its name, in the order of the lessons."""

from mha_course.exercises import heads, inputs, mixing, projections, scores, softmax

EXERCISES = {
    exercise.name: exercise
    for lesson in (inputs, projections, scores, softmax, mixing, heads)
    for exercise in lesson.EXERCISES
}

"""The quizzes: the word of a lesson -> name -> `Question`; each lesson has a module of its own.

From lesson 2 on, some of the questions are about earlier lessons: what is called back is kept.
"""

from mha_course.questions.quizzes import (
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

QUIZZES = {
    "start": start.QUESTIONS,
    "inputs": inputs.QUESTIONS,
    "projections": projections.QUESTIONS,
    "scores": scores.QUESTIONS,
    "softmax": softmax.QUESTIONS,
    "mixing": mixing.QUESTIONS,
    "heads": heads.QUESTIONS,
    "masks": masks.QUESTIONS,
    "sublayer": sublayer.QUESTIONS,
    "reading": reading.QUESTIONS,
}

"""The words that a lesson imports."""

from course_package.board import Board
from course_package.lessons.by_name import arrange, check, how_far, practise, predict, quiz, review

__version__ = "0.1"
__all__ = ["Board", "arrange", "check", "how_far", "practise", "predict", "quiz", "review"]

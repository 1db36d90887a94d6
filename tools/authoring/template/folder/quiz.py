"""Five questions at the end of lesson 99, two of them about an earlier lesson."""

from mha_course.engine.asking.question_text import choice

QUESTIONS = (
    choice("lesson_name.twice-11", """
        How much is twice 11?

        - 13
          This is two more than the number.
        - 22
          This is the number and once more the number.
        - 33
          This is three times the number.
        - 11
          This is the number itself, once.
        """, right="22"),
    choice("lesson_name.twice-12", """
        From lesson 0: how much is twice 12?

        - 14
          This is two more than the number.
        - 36
          This is three times the number.
        - 12
          This is the number itself, once.
        - 24
          This is the number and once more the number.
        """, right="24", lesson="start_here"),
    choice("lesson_name.twice-13", """
        How much is twice 13?

        - 26
          This is the number and once more the number.
        - 15
          This is two more than the number.
        - 39
          This is three times the number.
        - 13
          This is the number itself, once.
        """, right="26"),
    choice("lesson_name.twice-14", """
        From lesson 0: how much is twice 14?

        - 16
          This is two more than the number.
        - 42
          This is three times the number.
        - 28
          This is the number and once more the number.
        - 14
          This is the number itself, once.
        """, right="28", lesson="start_here"),
    choice("lesson_name.twice-15", """
        How much is twice 15?

        - 17
          This is two more than the number.
        - 45
          This is three times the number.
        - 15
          This is the number itself, once.
        - 30
          This is the number and once more the number.
        """, right="30"),
)  # fmt: skip

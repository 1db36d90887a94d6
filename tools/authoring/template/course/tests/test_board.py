"""The board: change this with it."""

from course_package.board import BoardSession


def test_the_board_computes_and_refuses_what_is_no_number():
    board = BoardSession()
    board.act([["submit", "numbers", {"0": "4", "1": "2", "2": "3"}]])
    assert board.still().text.endswith("9  5  7")
    refused = board.act([["submit", "numbers", {"0": "four", "1": "2", "2": "3"}]])
    assert refused["parts"]["alert"] and refused["fields"]["numbers"]["0"] == "four"

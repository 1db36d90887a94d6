"""What is measured on answers that were written blind: counted as what they are, and laid out to be judged."""

import blind

ANSWERS = """
def sum_is_missing(query, key):
    return query * key

def sum_by_a_loop(query, key):
    return sum(q * k for q, k in zip(query, key))

def something_else(query, key):
    return 7.25 - query[0] ** 3 * key[-1]

INVENTED = (
    ("scaled_scores.dot", sum_is_missing, ("it is not added up",)),
    ("scaled_scores.dot", sum_by_a_loop, ()),
    ("scaled_scores.dot", something_else, ("a power", "a number from nowhere")),
)
"""


def test_answers_are_counted_as_what_they_are_and_laid_out_to_be_judged(tmp_path, monkeypatch, capsys):
    (tmp_path / "answers.py").write_text(ANSWERS, encoding="utf-8")
    made = tmp_path / "sheet.md"
    monkeypatch.setattr("sys.argv", ["blind", "--seeds", "2", "--sheet", str(made), str(tmp_path / "answers.py")])
    blind.main()
    printed = capsys.readouterr().out
    assert "named: 1 of 2, 50.0 %" in printed and "  two slips: 0 of 1" in printed
    assert "wrong and passed: 0 of 2" in printed and "right and refused: 0 of 1" in printed
    laid_out = made.read_text(encoding="utf-8")
    assert "query[0] ** 3" in laid_out and "truth: a power + a number from nowhere" in laid_out
    assert laid_out.count("true of the code") == 1

"""What is measured on answers that were written blind: counted as what they are, and laid out to be judged."""

import blind
from recorded_answers import Recorded

ANSWERS = [
    ("def sum_is_missing(query, key):\n    return query * key\n", ("it is not added up",)),
    ("def sum_by_a_loop(query, key):\n    return sum(q * k for q, k in zip(query, key))\n", ()),
    (
        "def something_else(query, key):\n    return 7.25 - query[0] ** 3 * key[-1]\n",
        ("a power", "a number from nowhere"),
    ),
]


def test_answers_are_counted_as_what_they_are_and_laid_out_to_be_judged(tmp_path, monkeypatch, capsys):
    records = [
        Recorded("scaled_scores.dot", "One score", "wrong" if wrong else "right", code, wrong)
        for code, wrong in ANSWERS
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(each.line for each in records), encoding="utf-8")
    made = tmp_path / "sheet.md"
    monkeypatch.setattr("sys.argv", ["blind", "--seeds", "2", "--sheet", str(made), str(tmp_path / "answers.jsonl")])
    blind.main()
    printed = capsys.readouterr().out
    assert "named: 1 of 2, 50.0 %" in printed and "  two mistakes: 0 of 1" in printed
    assert "wrong and passed: 0 of 2" in printed and "right and refused: 0 of 1" in printed
    laid_out = made.read_text(encoding="utf-8")
    assert "query[0] ** 3" in laid_out and "truth: a power + a number from nowhere" in laid_out
    assert laid_out.count("true of the code") == 1

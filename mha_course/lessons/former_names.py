"""Names as notebooks and progress files have them that are older than version 0.2.

Then a lesson's word was another than its folder: "scores.scaled" is "scaled_scores.scaled" now.
"""

FORMER = {
    "start": "start_here",
    "projections": "queries_keys_values",
    "scores": "scaled_scores",
    "mixing": "weighted_sums",
    "reading": "reading_code",
}


def present_name(name: str) -> str:
    """Return a lesson's, exercise's or question's name as it is today.

    >>> present_name("scores.scaled"), present_name("mixing"), present_name("heads.split")
    ('scaled_scores.scaled', 'weighted_sums', 'heads.split')
    """
    word, point, rest = name.partition(".")
    return FORMER.get(word, word) + point + rest

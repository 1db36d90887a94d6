"""Names as notebooks and progress files have them that an older version made.

Until version 0.2 a lesson's word was another than its folder: "scores.scaled" is "scaled_scores.scaled" now. Until
version 0.4 three lessons were longer: what moved out of them has a lesson's name of its own, and is listed whole.
Until version 0.8 some exercises asked for a line that stood above them, or for a part of what another one asks.
"""

FORMER = {
    "start": "start_here",
    "projections": "queries_keys_values",
    "scores": "scaled_scores",
    "mixing": "weighted_sums",
    "sublayer": "residual_and_norm",
    "reading": "five_treatments",
    "reading_code": "five_treatments",
}
MOVED = {
    "heads.parameters": "what_a_head_does.parameters",
    "residual_and_norm.signal": "stacks.signal",
    "five_treatments.check": "find_the_bug.check",
    "five_treatments.shapes-alone": "find_the_bug.shapes-alone",
    "five_treatments.scaled-first": "find_the_bug.scaled-first",
    "five_treatments.one-row": "find_the_bug.one-row",
}
GONE = {  # an exercise that there is no more -> the one that took its place
    "inputs.lookup": "inputs.ids",
    "queries_keys_values.entry": "queries_keys_values.qkv",
    "softmax.rows": "softmax.general",
    "weighted_sums.one": "weighted_sums.from_inputs",
    "weighted_sums.attention": "weighted_sums.from_inputs",
    "masks.causal": "masks.goes_on",
    "cross_attention.one_head": "cross_attention.multi_head",
    "heads_that_learn.off": "heads_that_learn.recovered",
    "five_treatments.parameters": "five_treatments.different",
}


def present_name(name: str) -> str:
    """Return a lesson's, exercise's or question's name as it is today.

    >>> present_name("scores.scaled"), present_name("reading.check"), present_name("heads.split")
    ('scaled_scores.scaled', 'find_the_bug.check', 'heads.split')
    """
    word, point, rest = name.partition(".")
    present = FORMER.get(word, word) + point + rest
    return MOVED.get(present, present)

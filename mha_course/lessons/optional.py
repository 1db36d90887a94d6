"""What lies beside the core path of lessons 0 to 8: exercises, predictions and tasks, by name.

Their cells have the tag `optional` in the notebooks; a test holds that both say the same.
"""

OPTIONAL = (
    "start_here.how-many-shares",
    "inputs.flat-minus-column", "inputs.ids", "inputs.add_positions", "inputs.angles", "inputs.encoding",
    "queries_keys_values.shape-of-values", "queries_keys_values.fused",
    "scaled_scores.divisors", "scaled_scores.wrong-entry", "scaled_scores.dot", "scaled_scores.batch",
    "scaled_scores.keys",
    "softmax.whole-maximum", "softmax.strongest", "softmax.ratio", "softmax.general", "softmax.new_key",
    "weighted_sums.by-hand", "weighted_sums.nearest", "weighted_sums.wrong-entry",
    "weighted_sums.missing_value", "weighted_sums.reach",
    "heads.eight-copies", "heads.copy_and_average",
    "masks.score-zero",
)  # fmt: skip

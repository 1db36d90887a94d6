"""The lessons in their order, the only list of them here: each has a folder, named as its notebook."""

from mha_course.lessons.lesson import lessons

LESSONS = lessons(
    start_here="Start here",
    inputs="Inputs",
    queries_keys_values="Queries, keys, values",
    scaled_scores="Scaled scores",
    softmax="Softmax",
    weighted_sums="Weighted sums",
    heads="Heads",
    masks="Masks and cross-attention",
    sublayer="The sublayer",
    reading_code="Reading other people's code",
)

"""The lessons in their order, the only list of them here: each has a folder, named as its notebook."""

from mha_course.engine.course.catalogue import Catalogue
from mha_course.engine.course.lesson import lessons_in
from mha_course.lessons.optional import OPTIONAL

LESSONS = lessons_in(
    "mha_course.lessons",
    OPTIONAL,
    start_here="Start here",
    inputs="Inputs",
    queries_keys_values="Queries, keys, values",
    scaled_scores="Scaled scores",
    softmax="Softmax",
    weighted_sums="Weighted sums",
    heads="Heads",
    masks="Masks",
    cross_attention="Cross-attention",
    residual_and_norm="Residual connection and norm",
    what_a_head_does="What a head does",
    stacks="Encoder, decoder and stacks",
    find_the_bug="Find the bug",
    learning="How a head learns",
    heads_that_learn="Heads that learn",
    real_model="A real model",
    five_treatments="Five treatments",
)
CATALOGUE = Catalogue(LESSONS.values())

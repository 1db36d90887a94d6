"""Five questions at the end of lesson 2; two of them are about earlier lessons."""

import numpy as np

from mha_course.lessons.queries_keys_values.predictions import ROWS
from mha_course.maths.inputs import positional_encoding
from mha_course.pipeline.examples import translation
from mha_course.workbook.asking.kinds import Choice, Option
from mha_course.workbook.asking.question import Question, only, shape_of

N, D_MODEL, D_K = 5, 7, 3


def _what_rows_match():
    """What is true of each word of the lesson's example."""
    matches = ROWS @ ROWS.T
    best = matches == matches.max(axis=1, keepdims=True)
    is_so = {"alike": best.diagonal().all(), "before": best.diagonal(-1).all(), "none": best.all()}
    return only(is_so)


def _product_that_fits():
    X, W = np.ones((N, D_MODEL)), np.ones((D_K, D_MODEL))  # as torch.nn.Linear keeps it
    products = {"XW": lambda: X @ W, "XWᵀ": lambda: X @ W.T, "WX": lambda: W @ X, "WᵀX": lambda: W.T @ X}
    return only({name: shape_of(product) == (N, D_K) for name, product in products.items()})


def _pair_that_differs_most():
    before, after = positional_encoding(5, 8)[3:]
    return str(int(np.abs(after - before).reshape(4, 2).sum(axis=1).argmax()))


QUESTIONS = {
    "queries_keys_values.without-matrices": Question(
        about="queries_keys_values",
        text="Without W_Q and W_K, the embeddings are compared as they are. What does a word match best?",
        kind=Choice(
            {
                "before": Option("the word before it", "An embedding does not know where its word stands."),
                "asked": Option(
                    "the word that answers its question",
                    "Without W_Q the query is the row itself: a word asks for what it is.",
                ),
                "alike": Option(
                    "mostly itself and words like it",
                    "Rows with large numbers in the same columns have a large dot product.",
                ),
                "none": Option("none: all match equally", "With a word that shares no column, the product is 0."),
            }
        ),
        right=_what_rows_match,
    ),
    "queries_keys_values.stored-the-other-way": Question(
        about="queries_keys_values",
        text="A library keeps W_Q as (d_k, d_model). Your X is (n, d_model). Which product gives the queries?",
        kind=Choice(
            {
                "XWᵀ": Option("`X @ W_Q.T`", "(n, d_model) times (d_model, d_k): the shared size meets itself."),
                "XW": Option(
                    "`X @ W_Q`",
                    "d_model columns meet d_k rows. That runs only if both happen to be equal, and is wrong then.",
                ),
                "WX": Option("`W_Q @ X`", "d_model columns meet n rows."),
                "WᵀX": Option("`W_Q.T @ X`", "d_k columns meet n rows."),
            }
        ),
        right=_product_that_fits,
    ),
    "queries_keys_values.square": Question(
        about="queries_keys_values",
        text="W_Q is 8 × 8, and you write `X @ W_Q.T` for `X @ W_Q`. How will you notice?",
        kind=Choice(
            {
                "error": Option("NumPy raises an error", "The sizes fit: 8 meets 8 either way."),
                "shape": Option("Q has its axes exchanged", "Q has the right shape, n × 8."),
                "never needed": Option(
                    "not at all, and nothing is lost: a square matrix is its own transpose",
                    "Only a symmetric one is, and a trained W_Q hardly ever is.",
                ),
                "numbers": Option("only by checking numbers", "All shapes are right, and the numbers are wrong."),
            }
        ),
        right="numbers",
    ),
    "queries_keys_values.fast-wave": Question(
        about="inputs",
        text="From lesson 1: which columns of the positional encoding tell position 3 from position 4 most clearly?",
        kind=Choice(
            {
                "3": Option(
                    "the last pair", "Its wave is the longest: one step hardly moves it. It tells far positions apart."
                ),
                "0": Option("the first pair", "Its wave is the shortest, so one step moves it furthest."),
                "all": Option("all columns alike", "Each pair turns at a speed of its own."),
                "sine": Option(
                    "the sine columns, whichever pair", "Sine and cosine of a pair turn together, at the same speed."
                ),
            }
        ),
        right=_pair_that_differs_most,
    ),
    "queries_keys_values.how-many-wholes": Question(
        about="start_here",
        text="From lesson 0: four French words ask, five English words answer. How many sums of shares must be 1?",
        kind=Choice(
            {
                "20": Option("20", "There are 20 shares. Each is only a part of a whole."),
                "9": Option(
                    "9: four rows and five columns",
                    "A word that answers may be wanted by all or by none, so columns are free.",
                ),
                "5": Option("5", "The five that answer do not share anything out. They are looked at."),
                "4": Option("4", "Each word that asks shares out one whole."),
            }
        ),
        right=lambda: str(len(translation.tokens)),
    ),
}

"""Five questions at the end of lesson 2; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only, shape_of
from mha_course.forward.examples import steals, translation
from mha_course.maths.inputs import positional_encoding

N, D_MODEL, D_K = 5, 7, 3


def _what_rows_match():
    """What is true of each word of the lesson's example."""
    matches = steals.X @ steals.X.T
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


QUESTIONS = (
    choice("queries_keys_values.without-matrices", """
        Without W_Q and W_K, our rows of *dog*, *steals*, *ball* and *cat* are compared as they are. What does each of
        these four match best?

        - the word before it  [before]
          These rows say nothing about positions.
        - the word that answers its question  [asked]
          Without W_Q the query is the row itself: a word can only look for words like itself.
        - itself, or a word like it  [alike]
          Rows with large numbers in the same columns have a large dot product.
        - nothing: all four match equally well  [none]
          Where two words share no column, the product is 0.
        """, right=_what_rows_match),
    choice("queries_keys_values.stored-the-other-way", """
        A library stores W_Q as (d_k, d_model). Your X is (n, d_model). Which product gives the queries? (`.T` exchanges
        rows and columns.)

        - `X @ W_Q.T`  [XWᵀ]
          (n, d_model) times (d_model, d_k): the two inner sizes are equal.
        - `X @ W_Q`  [XW]
          X has d_model columns, W_Q has d_k rows. That runs only if the two happen to be equal, and then the numbers
          are in general wrong.
        - `W_Q @ X`  [WX]
          W_Q has d_model columns, X has n rows.
        - `W_Q.T @ X`  [WᵀX]
          `W_Q.T` has d_k columns, X has n rows.
        """, right=_product_that_fits),
    choice("queries_keys_values.square", """
        W_Q is 8 × 8, and you write `X @ W_Q.T` instead of `X @ W_Q`, so its rows and columns are exchanged. How will
        you notice?

        - NumPy raises an error  [error]
          The sizes fit: both are 8, either way.
        - Q has its axes exchanged  [shape]
          Q has the right shape, n × 8.
        - not at all, and nothing is lost: a square matrix is its own transpose  [never needed]
          Only a symmetric one is, and a trained W_Q hardly ever is.
        - only by checking numbers  [numbers]
          All shapes are right, and the numbers are wrong.
        """, right="numbers"),
    choice("queries_keys_values.fast-wave", """
        From lesson 1: which columns of the positional encoding tell position 3 from position 4 most clearly?

        - the last pair  [3]
          Its wave is the longest: one step hardly moves it. It tells distant positions apart.
        - the first pair  [0]
          Its wave is the shortest, so one step moves it furthest.
        - all columns equally  [all]
          Each pair turns at a speed of its own.
        - the sine columns, whichever pair  [sine]
          Sine and cosine of a pair turn together, at the same speed.
        """, right=_pair_that_differs_most, lesson="inputs"),
    choice("queries_keys_values.how-many-wholes", """
        From lesson 0: each of four French words attends to five English words. How many sums of attention weights must
        be 1?

        - 20
          There are 20 weights. Each weight is only one part of a sum.
        - 9: four rows and five columns  [9]
          An English word may get much attention or little, so the columns may sum to other numbers.
        - 5
          The five English words do not attend here: they are attended to.
        - 4
          Each French word divides one whole among the English words.
        """, right=lambda: str(len(translation.tokens)), lesson="start_here"),
)  # fmt: skip

"""Five questions at the end of this lesson; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.maths.attention import attention
from mha_course.maths.heads import merge_heads


def _shared():
    """Count three shared 4 × 4 matrices and an output matrix of width 8."""
    return str(sum(np.ones(shape).size for shape in ((4, 4), (4, 4), (4, 4), (8, 8))))


def _unshifted():
    with np.errstate(all="ignore"):
        exponentials = np.exp([710.0, 0.0])
        return {True: "nan", False: "sure"}[bool(np.isnan(exponentials / exponentials.sum())[0])]


def _one_column():
    """Of how many heads one output column is made, without an output matrix: change one head's values and look."""
    Q, K, V = np.random.default_rng(0).normal(size=(3, 2, 4, 3))
    changed = V + np.array([0.0, 1.0])[:, None, None]
    before, after = (merge_heads(attention(Q, K, values).output) for values in (V, changed))
    moved = np.abs(after - before).max(axis=0) > 1e-9
    return only({"mix": list(moved) == [False] * 3 + [True] * 3, "shift": moved.all()})


def _order():
    """Find the order of the folded batch to which np.repeat fits: each place has its sentence's length."""
    sentences, num_heads = np.array([1, 2]), 3
    repeated = np.repeat(sentences, num_heads)
    tables = np.tile(sentences[:, None], (1, num_heads))  # (batch, h): which sentence a table belongs to
    folded = {"sentences": tables.reshape(-1), "heads": tables.T.reshape(-1)}
    return only({name: np.array_equal(order, repeated) for name, order in folded.items()})


QUESTIONS = (
    choice("five_treatments.positive", """
        All inputs and parameters are random numbers between 0 and 1, at width 100. All four queries of a sentence get
        the same row. Why, most likely?

        - the weights are all equal, so each row is the mean of the values  [mean]
          Equal weights would give equal rows, too. But here the scores are huge and lie far apart.
        - four equal queries came in  [inputs]
          The inputs differ. The key that they choose does not.
        - W_O adds up all rows  [W_O]
          W_O mixes the columns of a row, never two rows.
        - in each head, every query attends to one and the same key  [key]
          Nearly parallel queries and huge scores: one key wins by far, and for all of them.
        """, right="key"),
    choice("five_treatments.shared-count", """
        Width 8, two heads that share one 4 × 4 matrix for queries, one for keys, one for values; W_O is 8 × 8. How many
        parameters, without biases?

        - 112
          3 · 16 for the shared ones and 64 for W_O.
        - 256
          That is 4 · 8²: heads with matrices of their own, which see the whole row.
        - 160
          That counts the shared matrices once for each head. They exist once.
        - 64
          That is W_O alone, or four matrices of 4 × 4.
        """, right=_shared),
    choice("five_treatments.no-output-matrix", """
        C sets its heads side by side and stops there, without W_O. What can its output not do?

        - mix in one column what two heads found  [mix]
          Each column comes from one head. W_O would add them up.
        - change as soon as one head's values do  [shift]
          It does: in the columns of that head.
        - bring tokens together  [tokens]
          Every head does that by its weights, W_O or not.
        - keep the heads apart  [order]
          That is what it does: side by side, each in its columns.
        """, right=_one_column),
    choice("five_treatments.unshifted", """
        From lesson 4: code computes `np.exp(scores)` as they are, and divides by the sum. A row of scores is 710 and 0.
        What is the first weight?

        - 1  [sure]
          It would be, had the largest score been subtracted first.
        - inf
          The exponential is infinite, but so is the sum that it is divided by.
        - nan
          e to the power of 710 is infinite for the computer, and ∞ / ∞ is no number.
        - an error  [error]
          NumPy prints a warning, and goes on computing.
        """, right=_unshifted, lesson="softmax"),
    choice("five_treatments.repeated-lengths", """
        From lesson 12: `np.repeat([3, 2], 5)` gives each of two sentences' lengths to 5 heads: 3, 3, 3, 3, 3, 2, 2, 2,
        2, 2. In which order must the tables lie in the folded batch?

        - head 1 of both sentences, then head 2 of both  [heads]
          Then the lengths must alternate, 3, 2, 3, 2: np.tile.
        - in any order, since the shapes agree  [any]
          No error comes, but lengths go to wrong tables.
        - sentence 1 with its heads, then sentence 2  [sentences]
          Five tables of sentence 1, and five lengths of 3.
        - from the last head to the first  [mirrored]
          All heads of a sentence share its length.
        """, right=_order, lesson="find_the_bug"),
)  # fmt: skip

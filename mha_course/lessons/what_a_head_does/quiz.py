"""Five questions at the end of the lesson on what a head does; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.forward.examples import article
from mha_course.maths.attention import attention
from mha_course.maths.formulas import masked_softmax


def _doubled():
    Q, K = article.X @ article.W_Q, article.X @ article.W_K
    before, after = (attention(Q, K, article.X @ W) for W in (article.W_V, 2 * article.W_V))
    same = np.array_equal(before.weights, after.weights)
    return only({"carried": same and np.allclose(2 * before.output, after.output), "who": not same})


def _rank():
    W_Q, W_K = np.random.default_rng(0).normal(size=(2, 512, 64))
    return str(np.linalg.matrix_rank(W_Q @ W_K.T))


def _left():
    heads, W_O = np.random.default_rng(0).normal(size=(2, 3, 2)), np.random.default_rng(1).normal(size=(4, 5))
    second, whole = heads[1] @ W_O[2:], np.hstack([*heads]) @ W_O
    left = np.hstack([0 * heads[0], heads[1]]) @ W_O
    forms = {"same": second, "all": whole, "nothing": 0 * second, "half": second / 2}
    return only({name: np.allclose(form, left) for name, form in forms.items()})


def _next_hidden():
    n = 4
    weights = masked_softmax(100.0 * np.eye(n, k=1), np.tri(n, dtype=bool))
    forms = {"equal": np.tri(n) / np.arange(1, n + 1)[:, None], "itself": np.eye(n), "nothing": np.zeros((n, n))}
    forms["next"] = np.eye(n, k=1)
    return only({name: np.allclose(form, weights) for name, form in forms.items()})


def _block():
    W_O = np.zeros((8 * 64, 512))
    return " × ".join(map(str, np.split(W_O, 8)[0].shape))


QUESTIONS = (
    choice("what_a_head_does.doubled", """
        All entries of one head's W_V are doubled. What changes?

        - who looks at whom  [who]
          That is decided by W_Q and W_K. W_V has no part in the scores.
        - what the head adds: it is doubled  [carried]
          The weights stay, and each value that is mixed is doubled.
        - both: the softmax gets sharper  [both]
          The softmax sees the scores; W_V is not in them.
        - nothing, since weights sum to 1  [none]
          The weights do. What they mix is twice as large now.
        """, right=_doubled),
    choice("what_a_head_does.rank", """
        d_model = 512 and d_k = 64. What rank can M = W_Q W_Kᵀ have at most?

        - 512
          It has that many rows, but all are made of the same 64 rows of W_Kᵀ.
        - 8
          That is how many heads of 64 make 512. Each has an M of its own.
        - 64
          Each row of M is made of multiples of the 64 rows of W_Kᵀ.
        - 32,768  [32768]
          That is how many entries W_Q has. A rank is never above the number of rows.
        """, right=_rank),
    choice("what_a_head_does.without-one", """
        A layer has two heads. Head 1 is removed. What does head 2 add to the result then?

        - the same as before  [same]
          It never saw what head 1 did: the layer adds the two.
        - what both added together before  [all]
          It has its own rows of W_O alone, and nobody fills the gap.
        - half as much  [half]
          No mean is taken: each head's part goes in whole.
        - nothing
          It has its own rows of W_O, and uses them as before.
        """, right=_left),
    choice("what_a_head_does.next-hidden", """
        From lesson 7: W_Q and W_K give each token a large score for the next one, and the score 0 for all others. But
        the mask is causal. Whom does a token look at?

        - nobody: its weights are all 0  [nothing]
          It sees itself and all before it, so these get the weight.
        - itself alone  [itself]
          Its own score is 0, but so is that of each token before it.
        - itself and all before it, equally  [equal]
          All that it may see have the same score, 0: equal weights.
        - the next token, whose score is the largest  [next]
          Its score counts as −∞: large or not, it is hidden.
        """, right=_next_hidden, lesson="masks"),
    choice("what_a_head_does.block", """
        From lesson 6: d_model = 512 and eight heads with d_v = 64. Which part of W_O belongs to one head?

        - 64 of its columns: 512 × 64  [512 × 64]
          The columns of W_O are those of the result.
        - a square of 64 rows and 64 columns: 64 × 64  [64 × 64]
          Each head may add to every column of the result.
        - all of it: 512 × 512  [512 × 512]
          A head fills 64 columns of the concatenation, not all.
        - 64 of its rows: 64 × 512  [64 × 512]
          The concatenation has 64 columns of each head, and W_O a row for each.
        """, right=_block, lesson="heads"),
)  # fmt: skip

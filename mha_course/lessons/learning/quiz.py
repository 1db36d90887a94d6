"""Five questions at the end of the lesson on how a head learns; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.maths.attention import attention, attention_gradients, scaled_scores, softmax


def _drawn():
    """Return X, G and parameters of some head."""
    generator = np.random.default_rng(0)
    return (generator.normal(size=size) for size in ((4, 3, 5), (4, 3, 2), (5, 6), (5, 6), (5, 2)))


def _at_zero():
    X, G, W_Q, W_K, W_V = _drawn()
    found = attention_gradients(X @ (0 * W_Q), X @ (0 * W_K), X @ W_V, G)
    is_0 = {name: not (X.mT @ getattr(found, name)).any() for name in "QKV"}
    return {"110": "both", "101": "QV", "111": "all", "000": "none"}["".join(str(int(each)) for each in is_0.values())]


def _twice():
    X, G, W_Q, W_K, W_V = _drawn()

    def _gradient(X, G):
        found = attention_gradients(X @ W_Q, X @ W_K, X @ W_V, G)
        return (X.mT @ found.Q).mean(axis=0)

    ratio = _gradient(np.tile(X, (2, 1, 1)), np.tile(G, (2, 1, 1))) / _gradient(X, G)
    return only({"half": np.allclose(ratio, 0.5), "same": np.allclose(ratio, 1), "double": np.allclose(ratio, 2)})


def _hidden_value():
    X, G, W_Q, W_K, W_V = _drawn()
    mask = np.tile([True, False, True], (3, 1))
    hidden, seen = (attention_gradients(X @ W_Q, X @ W_K, X @ W_V, G, mask=each) for each in (mask, None))
    return only({"0": not hidden.V[:, 1].any(), "same": np.allclose(hidden.V[:, 1], seen.V[:, 1])})


def _all_scores_moved():
    X, _, W_Q, W_K, W_V = _drawn()
    scores = scaled_scores(X @ W_Q, X @ W_K)
    same = np.allclose(softmax(scores) @ X @ W_V, softmax(scores + 1) @ X @ W_V)
    return "stays" if same else "moves"


def _another_head():
    X, _, W_Q, W_K, W_V = _drawn()
    A = np.random.default_rng(1).normal(size=(6, 6))
    others = W_Q @ A, W_K @ np.linalg.inv(A).T
    outputs = [attention(X @ one, X @ other, X @ W_V).output for one, other in ((W_Q, W_K), others)]
    assert np.allclose(*outputs)
    same = {"WQ": np.allclose(W_Q, others[0]), "WK": np.allclose(W_K, others[1])}
    return only(same | {"M": np.allclose(W_Q @ W_K.T, others[0] @ others[1].T)})


QUESTIONS = (
    choice("learning.at-zero", """
        All entries of W_Q and W_K begin at 0, those of W_V do not. Which gradients are 0 at the first step?

        - none of the three  [none]
          dQ is made with K, and dK with Q. Both are 0 here.
        - those of W_Q and W_K  [both]
          dQ is made with K, which is 0, and dK with Q, which is 0: they never move.
        - those of W_Q and W_V  [QV]
          W_V learns: its gradient is made of the weights and G.
        - all three  [all]
          The gradient of V is made of the weights, which are equal but not 0, and G.
        """, right=_at_zero),
    choice("learning.twice", """
        The loss is the mean over a batch. Now each sentence is in it twice. What is the gradient of W_Q?

        - twice as large  [double]
          There are twice as many terms, and twice as much to divide by.
        - half as large  [half]
          Each sentence counts half as much, but it is there twice.
        - another matrix, in no simple relation  [other]
          Every sentence adds what it added before.
        - the same as before  [same]
          Twice the sum, divided by twice as many: the mean stays the same.
        """, right=_twice),
    choice("learning.hidden-value", """
        A mask hides key 2 from every query. What is the gradient of the loss for value 2?

        - what it is without the mask  [same]
          It contributes to no output: no push reaches the loss.
        - minus infinity  [-inf]
          That is the hidden score. Its weight is 0, and that is what counts.
        - 0 in all its columns  [0]
          Its weight is 0 for every query, so it collects none of G.
        - it has none: nan  [nan]
          A push on value 2 does nothing to the loss. That is a gradient of 0.
        """, right=_hidden_value),
    choice("learning.all-scores", """
        From lesson 4: all scores of one query grow by 1. What does the loss do?

        - it stays as it is  [stays]
          The weights stay the same, since only differences matter to the softmax.
        - it moves by the sum of their derivatives, which is not 0  [moves]
          It is 0: a row of dS always sums to 0.
        - it grows as well  [grows]
          Scores are not errors. Only their differences matter.
        - that depends on the target  [target]
          The output stays the same, so the loss does, for every target.
        """, right=_all_scores_moved, lesson="softmax"),
    choice("learning.compare", """
        From lesson 10: two heads of one layer, without rotary positions, do the same with other
        entries. What can be compared between them?

        - W_Q, entry by entry  [WQ]
          W_Q A does the same if W_K takes A out again.
        - W_K, entry by entry  [WK]
          Its columns can be mixed, if W_Q undoes what is mixed.
        - Q and K, one row after the other  [QK]
          Their columns have no fixed meaning, as those of W_Q have none.
        - W_Q W_Kᵀ, a product  [M]
          The scores see W_Q and W_K through this product alone.
        """, right=_another_head, lesson="what_a_head_does"),
)  # fmt: skip

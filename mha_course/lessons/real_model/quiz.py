"""Five questions at the end of the lesson on a real model; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.maths.attention import attention, softmax
from mha_course.maths.rotary import rotate

HEADS, KV_HEADS = 32, 8


def _turned():
    """Which arrays to turn, so that the outputs see the order of the tokens, and no common shift."""
    arrays = np.random.default_rng(0).normal(size=(3, 4, 6))

    def _outputs(turned, places):
        Q, K, V = (rotate(a, places) if name in turned else a for name, a in zip("QKV", arrays, strict=True))
        return attention(Q, K, V).output

    def _is_good(turned):
        before, shifted, other = (_outputs(turned, places) for places in ([0, 1, 2, 3], [9, 10, 11, 12], [0, 2, 1, 3]))
        return np.allclose(before, shifted) and not np.allclose(before, other)

    return only({turned: _is_good(turned) for turned in ("QKV", "V", "QK", "K")})


def _saved():
    left = KV_HEADS / HEADS
    counts = {"cache": left, "scores": HEADS / HEADS, "nothing": 1.0, "outputs": HEADS / HEADS}
    return only({name: count == 0.25 for name, count in counts.items()})


def _carried():
    """What a large weight says: here it meets a small value, and there a large one."""
    weights = np.array([0.99, 0.01])
    small, large = (np.linalg.norm(weights[0] * np.array(value)) for value in ([0.01, 0], [50, 0]))
    others = [np.linalg.norm(weights[1] * np.array([30, 0]))]
    return only({"most": small > others[0], "important": False, "harmless": large < others[0], "open": True})


def _greedy():
    logits = np.random.default_rng(0).normal(size=(5, 9))
    same = np.array_equal(logits.argmax(axis=-1), softmax(logits, temperature=0.5).argmax(axis=-1))
    return only({"bolder": not same, "same": same, "shorter": False, "error": False})


def _left_over():
    weights = softmax(np.zeros((4, 4))) * np.tri(4)
    return f"{weights[0].sum():g}"


QUESTIONS = (
    choice("real_model.what-is-turned", """
        Which rows does a model with rotary positions turn?

        - queries, keys and values  [QKV]
          A turned value would carry its absolute position along.
        - the keys alone  [K]
          Then a score depends on the key's position, not on the distance.
        - queries and keys  [QK]
          In their product only the difference of the two angles is left.
        - the values alone  [V]
          The scores would not depend on the positions.
        """, right=_turned),
    choice("real_model.what-is-saved", f"""
        {HEADS} query heads share {KV_HEADS} heads of keys and values. What becomes a quarter of what it was?

        - what is kept for each token  [cache]
          Keys and values are kept, and there are 8, not 32.
        - the number of scores  [scores]
          Each of the 32 query heads has its own table of them.
        - the width of the output  [outputs]
          There are still 32 heads, side by side.
        - nothing at all: they are repeated  [nothing]
          They are used again, but stored only once.
        """, right=_saved),
    choice("real_model.large-weight", """
        In a head, a query gives the weight 0.99 to the first token. What do you know about the head's output?

        - most of it comes from the first token  [most]
          A hundredth of a long value row may be more than all of a short one.
        - the first token is important for what is written  [important]
          Only a test could show that, such as switching it off.
        - the head can be removed  [harmless]
          If the first value is long, much would be missing.
        - little, before you have seen the values  [open]
          The output is weights times values: you know only one.
        """, right=_carried),
    choice("real_model.greedy-and-temperature", """
        From lesson 4: a model always writes the token with the largest probability. What changes at temperature 0.5?

        - it writes rarer words  [bolder]
          A low temperature does not lift the small probabilities.
        - it writes the same words  [same]
          All probabilities change, but which of them is largest does not.
        - it comes to an end sooner  [shorter]
          The end is a token like any other: the order decides.
        - its probabilities no longer sum to 1  [error]
          They are divided by their sum, as always.
        """, right=_greedy, lesson="softmax"),
    choice("real_model.hidden-afterwards", """
        From lesson 7: four tokens, and all scores are equal. The future is hidden after the softmax, and nothing is
        divided again. What do the weights of the first query sum to?

        - 1, as in every row  [1]
          So it is if the scores are hidden before the softmax.
        - 0, nothing is left  [0]
          Its weight for itself is left, since it may see itself.
        - 0.25, a quarter of 1  [0.25]
          There were four equal weights, and three of them are taken away.
        - 4, one for each token  [4]
          Taking weights away makes no sum larger.
        """, right=_left_over, lesson="masks"),
)  # fmt: skip

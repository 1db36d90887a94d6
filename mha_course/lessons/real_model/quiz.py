"""Five questions at the end of the lesson on a real model; two of them are about earlier lessons."""

import numpy as np

from mha_course.maths.attention import attention
from mha_course.maths.rotary import rotate
from mha_course.maths.softmax import softmax
from mha_course.workbook.asking.kinds import Choice, Option
from mha_course.workbook.asking.question import Question, only

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
    """What a large share says: here it meets a small value, and there a large one."""
    shares = np.array([0.99, 0.01])
    small, large = (np.linalg.norm(shares[0] * np.array(value)) for value in ([0.01, 0], [50, 0]))
    others = [np.linalg.norm(shares[1] * np.array([30, 0]))]
    return only({"most": small > others[0], "important": False, "harmless": large < others[0], "open": True})


def _greedy():
    logits = np.random.default_rng(0).normal(size=(5, 9))
    same = np.array_equal(logits.argmax(axis=-1), softmax(logits, temperature=0.5).argmax(axis=-1))
    return only({"bolder": not same, "same": same, "shorter": False, "error": False})


def _left_over():
    shares = softmax(np.zeros((4, 4))) * np.tri(4)
    return f"{shares[0].sum():g}"


QUESTIONS = {
    "real_model.what-is-turned": Question(
        about="real_model",
        text="Which rows does a model with rotary positions turn?",
        kind=Choice(
            {
                "QKV": Option("queries, keys and values", "A turned value would carry its absolute position along."),
                "K": Option("the keys alone", "Then a score depends on the key's position, not the distance."),
                "QK": Option("queries and keys", "In their product only the difference of the two angles is left."),
                "V": Option("the values alone", "Who looks at whom would know nothing of the order."),
            }
        ),
        right=_turned,
    ),
    "real_model.what-is-saved": Question(
        about="real_model",
        text=f"{HEADS} query heads share {KV_HEADS} heads of keys and values. What becomes a quarter of what it was?",
        kind=Choice(
            {
                "cache": Option("what is kept for each token", "Keys and values are kept, and there are 8, not 32."),
                "scores": Option("the number of scores", "Each of the 32 query heads has its own table of them."),
                "outputs": Option("the width of the output", "There are still 32 heads, side by side."),
                "nothing": Option("nothing at all: they are repeated", "They are used again, but stored only once."),
            }
        ),
        right=_saved,
    ),
    "real_model.large-weight": Question(
        about="real_model",
        text="A head gives 0.99 of a query's share to the first token. What do you know about the head's output?",
        kind=Choice(
            {
                "most": Option(
                    "most of it comes from the first token",
                    "A hundredth of a long value row may be more than all of a short one.",
                ),
                "important": Option(
                    "the first token is important for what is written", "Only switching it off could show that."
                ),
                "harmless": Option("the head can be removed", "If the first value is long, much would be missing."),
                "open": Option(
                    "little, before you have seen the values", "The output is shares times values: you know only one."
                ),
            }
        ),
        right=_carried,
    ),
    "real_model.greedy-and-temperature": Question(
        about="softmax",
        text="From lesson 4: a model always writes the token with the largest share. What changes at temperature 0.5?",
        kind=Choice(
            {
                "bolder": Option("it writes rarer words", "A low temperature does not lift the small shares."),
                "same": Option("it writes the same words", "All shares change, but which of them is largest does not."),
                "shorter": Option("it comes to an end sooner", "The end is a token like others: the order decides."),
                "error": Option("its shares no longer sum to 1", "They are divided by their sum, as always."),
            }
        ),
        right=_greedy,
    ),
    "real_model.hidden-afterwards": Question(
        about="masks",
        text=(
            "From lesson 7: four tokens, and all scores are equal. The future is hidden after the softmax, and nothing "
            "is divided again. What do the shares of the first token sum to?"
        ),
        kind=Choice(
            {
                "1": Option("1, as in every row", "So it is if the scores are hidden before the softmax."),
                "0": Option("0, nothing is left", "Its share for itself is left, since it may see itself."),
                "0.25": Option(
                    "0.25, a quarter of 1", "Four equal shares were given out, and three of them are taken away."
                ),
                "4": Option("4, one for each token", "Taking shares away makes no sum larger."),
            }
        ),
        right=_left_over,
    ),
}

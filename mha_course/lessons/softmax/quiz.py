"""Five questions at the end of lesson 4; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.maths.attention import attention, softmax

ROW = np.array([2.0, 4.0, 5.0])


def _gives_each_query_a_whole():
    scores = np.random.default_rng(0).normal(size=(4, 5))
    exps = np.exp(scores)
    shares = {
        "queries": exps / exps.sum(axis=0, keepdims=True),
        "keys": exps / exps.sum(axis=-1, keepdims=True),
        "everything": exps / exps.sum(),
    }
    return only({name: np.allclose(table, softmax(scores)) for name, table in shares.items()})


def _leaves_the_shares():
    changed = {
        "double": 2 * ROW,
        "largest": ROW + np.array([0, 0, 10]),
        "root": np.sqrt(ROW),
        "add": ROW + 10,
    }
    return only({name: np.allclose(softmax(row), softmax(ROW)) for name, row in changed.items()})


def _ratio_at_two():
    shares = softmax([1, 5], temperature=2)
    times = {"same": np.exp(4), "half": np.exp(4) / 2, "double": 2 * np.exp(4), "root": np.exp(2)}
    return only({name: np.isclose(shares[1] / shares[0], ratio) for name, ratio in times.items()})


def _growth():
    """How many times as large a typical dot product is, at width 64 and at width 16."""
    rng = np.random.default_rng(0)
    sizes = [(rng.normal(size=(20_000, d)) * rng.normal(size=(20_000, d))).sum(axis=1).std() for d in (16, 64)]
    return f"{sizes[1] / sizes[0]:.0f}"


def _what_another_key_changes():
    rng = np.random.default_rng(0)
    Q, K, V = (rng.normal(size=shape) for shape in ((4, 3), (6, 3), (6, 2)))
    before, after = attention(Q, K[:5], V[:5]).weights.shape, attention(Q, K, V).weights.shape
    return {(1, 0): "row", (0, 1): "column", (0, 0): "none"}[after[0] - before[0], after[1] - before[1]]


QUESTIONS = (
    choice("softmax.axis", """
        `exps` holds the exponentials of all scores, queries down and keys across. Which line computes the weights?

        - `exps / exps.sum(axis=0, keepdims=True)`  [queries]
          Axis 0 runs along the queries: each column would sum to 1.
        - `exps / exps.sum()`  [everything]
          All queries would compete: only the whole table would sum to 1.
        - `exps / exps.sum(axis=-1, keepdims=True)`  [keys]
          The last axis runs along the keys: each row sums to 1.
        """, right=_gives_each_query_a_whole),
    choice("softmax.what-stays", """
        A row of scores is 2, 4, 5. Which change leaves its weights as they are?

        - adding 10 to each  [add]
          Only differences matter, and they stay the same.
        - doubling each  [double]
          The differences double, so the weights get sharper, as at temperature ½.
        - adding 10 to the largest  [largest]
          Its lead grows, and it gets nearly all the weight.
        - taking the root of each  [root]
          The order stays the same, but the differences do not.
        """, right=_leaves_the_shares),
    choice("softmax.ratio-at-temperature-2", """
        Two scores are 1 and 5, so at temperature 1 the larger weight is e⁴, or 54.6, times the smaller. How many times
        the smaller is it at temperature 2?

        - 54.6 times: temperature does not change ratios  [same]
          It does not change their order. But their ratio depends on the difference of the scores, and that is halved.
        - 27.3 times  [half]
          The difference is halved, not the ratio: 4 / 2 is 2, and the ratio is e².
        - 109.2 times  [double]
          A higher temperature brings the weights closer to each other.
        - 7.4 times  [root]
          The difference of the scores is now 2, and e² is 7.4.
        """, right=_ratio_at_two),
    choice("softmax.four-times-as-wide", """
        From lesson 3: the width d_k of random queries and keys grows from 16 to 64, and nothing is divided. How does
        the typical size of a dot product grow?

        - 4 times  [4]
          That is how the variance grows. The typical size is its root.
        - not at all  [1]
          Four times as many products are added up.
        - by 48  [48]
          The products have both signs: in a sum they partly cancel.
        - 2 times  [2]
          The variance grows 4 times, its root 2 times. So √d_k is the right divisor.
        """, right=_growth, lesson="scaled_scores"),
    choice("softmax.another-context-word", """
        From lesson 2: one sentence attends to another, the context. The context gets one more word. What happens to the
        table of weights?

        - it gets a row  [row]
          Each row belongs to a query, and queries do not come from the context.
        - it gets a column  [column]
          A context word brings a key and a value: each query has one more weight.
        - it gets a row and a column  [both]
          That is so where a sentence attends to itself. Here it attends to a second one.
        - its shape stays the same  [none]
          The widths stay the same. But there is one more key to compare with.
        """, right=_what_another_key_changes, lesson="queries_keys_values"),
)  # fmt: skip

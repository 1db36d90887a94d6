"""Five questions at the end of lesson 7; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.maths.attention import weighted_sum
from mha_course.maths.multi_head import MultiHeadAttention


def _hiding_line():
    """The line whose row sums to 1 and gives the hidden keys nothing."""
    scores, mask = np.array([-2.0, -1.0, 3.0]), np.array([True, True, False])

    def _shares(row):
        exponentials = np.exp(row - row.max())
        return exponentials / exponentials.sum()

    made = {
        "where": _shares(np.where(mask, scores, -np.inf)),
        "after": _shares(scores) * mask,
        "times": _shares(scores * mask),
        "turned": _shares(np.where(mask, -np.inf, scores)),
    }
    return only({name: bool(np.isclose(row.sum(), 1) and not row[~mask].any()) for name, row in made.items()})


def _lined_up():
    """Where sentence 2's row of a (3, 6) mask lands among scores of (3, 8, 3, 6)."""
    lengths = np.array([6, 2, 4])
    mask = np.arange(6) < lengths[:, None]  # (sentences, keys)
    read = np.broadcast_to(mask, (3, 8, 3, 6))
    return only(
        {
            "sentences": bool((read == mask[:, None, None, :]).all()),
            "queries": bool((read == mask[None, None, :, :]).all()),
            "heads": bool((read[:, :3] == mask[None, :, None, :]).all()),
        }
    )


def _axes():
    layer = MultiHeadAttention.random(16, 8, np.random.default_rng(0))
    return str(layer(np.ones((2, 4, 16)), key=np.ones((2, 6, 16))).weights.shape)


def _mixed():
    return f"({', '.join(f'{x:.0f}' for x in weighted_sum([[0, 1, 0]], [[1, 2], [2, 8], [2, 6]])[0])})"


QUESTIONS = (
    choice("masks.which-line", """
        The mask is True where a query may attend. `softmax` is a plain one, which accepts infinite scores. Which line
        gives weights that sum to 1, and 0 for hidden keys?

        - `softmax(np.where(mask, scores, -np.inf))`  [where]
          e^−∞ = 0, and the other weights sum to 1.
        - `softmax(scores) * mask`  [after]
          The hidden keys get 0, but the other weights no longer sum to 1.
        - `softmax(scores * mask)`  [times]
          A hidden score becomes 0, and e^0 is 1, not 0.
        - `softmax(np.where(mask, -np.inf, scores))`  [turned]
          The two are swapped: only the keys to be hidden are seen.
        """, right=_hiding_line),
    choice("masks.lined-up", """
        The scores are (3, 8, 3, 6): 3 sentences, 8 heads, 3 queries, 6 keys. A padding mask of shape (3, 6) has a row
        for each sentence. It goes into `np.where(mask, scores, -np.inf)` as it is. What happens?

        - Each sentence is masked by its own row, in all eight of its heads.  [sentences]
          It would be with the shape (3, 1, 1, 6), which has a 1 each for heads and queries.
        - NumPy raises an error.  [error]
          With 4 queries it would. But here there are 3 queries and 3 sentences, and the shapes happen to fit.
        - In every sentence, head 2 is masked by the row of sentence 2.  [heads]
          The axis before the keys is that of the queries, not of the heads.
        - In every sentence, query 2 is masked by the row of sentence 2.  [queries]
          NumPy lines up axes from the end, and reads (3, 6) as 3 queries and 6 keys.
        """, right=_lined_up),
    choice("masks.too-good", """
        A model learns to predict the next token. After an hour it is right every time. What do you check first?

        - whether it sees the padding  [padding]
          Nothing in the padding gives the answer away.
        - whether the scale is missing  [scale]
          A missing scale does not show a model the answer.
        - what True means in its mask  [meaning]
          Inverted, the mask shows exactly the tokens that the model is to predict.
        - how many heads there are, and how wide each of them is  [heads]
          No number of heads reveals the future.
        """, right="meaning"),
    choice("masks.axes", """
        From lesson 6: 2 sentences, 8 heads, 4 queries, 6 keys. What shape do the weights have?

        - (2, 8, 4, 6)
          The batch first, then the heads, then queries and keys.
        - (8, 2, 4, 6)
          It is the batch that comes first, and then the heads.
        - (2, 4, 8, 6)
          Heads come before positions: each head has its own table.
        - (2, 4, 6)
          Each head has a table of its own, so there is an axis for heads.
        """, right=_axes, lesson="heads"),
    choice("masks.one-share", """
        From lesson 5: a query has the weights 0, 1, 0. The values are (1, 2), (2, 8), (2, 6). What is its output?

        - (1.7, 5.3)  [mean]
          That is the mean, which needs three equal weights.
        - (2, 8)
          All the weight is on key 2, so its value comes out unchanged.
        - (2, 6)
          That is the value of key 3. The weight of 1 is on key 2.
        - (5, 16)
          That is the sum of all values, whatever their weights.
        """, right=_mixed, lesson="weighted_sums"),
)  # fmt: skip

"""Five questions at the end of lesson 8; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.forward.examples import translation
from mha_course.maths.attention import project, softmax
from mha_course.maths.masks import causal_mask, padding_mask
from mha_course.maths.multi_head import MultiHeadAttention

ENGLISH, FRENCH = [5, 3], [4, 6]  # lengths


def _from_the_context():
    """Which of the three change when the context does."""
    X, context = translation.X, translation.context
    before, after = (
        [project(rows, W[0]) for rows, W in zip((X, other, other), _matrices(), strict=True)]
        for other in (context, context + 1)
    )
    changed = [name for name, one, two in zip("QKV", before, after, strict=True) if (one != two).any()]
    return "".join(changed)


def _matrices():
    return translation.W_Q, translation.W_K, translation.W_V


def _output_shape():
    layer = MultiHeadAttention.random(64, 8, np.random.default_rng(0))
    return str(layer(np.ones((2, 9, 64)), key=np.ones((2, 12, 64))).output.shape)


def _between_the_two():
    """The mask that hides the English padding from all French queries, and nothing else."""
    right = np.array([[[key < length for key in range(5)]] * 6 for length in ENGLISH])  # (2, 6, 5)
    made = {
        "causal": causal_mask(6, 5),
        "french": padding_mask(FRENCH, n_k=6),
        "english": padding_mask(ENGLISH, n_k=5),
        "both": causal_mask(6, 5) & padding_mask(ENGLISH, n_k=5),
    }
    return only(
        {name: mask.shape[-1] == 5 and (mask | ~right).all() and (~mask | right).all() for name, mask in made.items()}
    )


def _after_hiding():
    """What happens to the two shares that are left when the largest score is hidden."""
    scores = np.array([1.0, 4.0, 2.0])
    before, after = softmax(scores)[[0, 2]], softmax(scores, mask=np.array([True, False, True]))[[0, 2]]
    return only(
        {
            "stay": np.allclose(before, after),
            "equal": np.isclose(after[0], after[1]),
            "amount": np.isclose(*(after - before)),
            "factor": np.isclose(*(after / before)) and (after > before).all(),
        }
    )


def _keys():
    return " × ".join(map(str, project(translation.context, translation.W_K[0]).shape))


QUESTIONS = (
    choice("cross_attention.who-answers", """
        In cross-attention, what is made from the rows of the context?

        - queries and keys  [QK]
          The queries are made from the other sentence.
        - keys and values  [KV]
          Each token of the context has a key, by which it can be found, and a value, which it contributes.
        - queries and values  [QV]
          The queries are made from the other sentence, but the keys are not.
        - values alone  [V]
          Each value belongs to a key, and both are made from the same row.
        """, right=_from_the_context),
    choice("cross_attention.output-shape", """
        Two sentences of 9 tokens attend to two of 12 tokens. All rows are 64 wide, and there are 8 heads. What shape
        does the output have?

        - (2, 12, 64)
          There is one row for each query, not for each key.
        - (2, 8, 9, 12)
          That is the shape of the weights: a table for each head.
        - (2, 9, 64)
          One row for each query, and as wide as the inputs, thanks to W_O.
        - (2, 9, 8)
          8 is the width of one head. W_O combines all the heads.
        """, right=_output_shape),
    choice("cross_attention.which-mask", """
        A batch of two: English sentences, padded to 5 tokens, are translated into French ones, padded to 6. Which mask
        belongs in the cross-attention?

        - `causal_mask(6, 5)`  [causal]
          The whole English sentence is there from the start: none of it is in the future.
        - `padding_mask(french_lengths, n_k=6)`  [french]
          The queries are French here. A mask hides keys.
        - `padding_mask(english_lengths, n_k=5)`  [english]
          The keys are English, so the English padding is hidden.
        - `causal_mask(6, 5) & padding_mask(english_lengths, n_k=5)`  [both]
          The padding is right. But the first French word may attend to all of the English sentence.
        """, right=_between_the_two),
    choice("cross_attention.after-hiding", """
        From lesson 7: Of three keys, a mask hides the one with the largest score. What happens to the weights of the
        other two?

        - They stay as they were, and the sum is less than 1.  [stay]
          That happens with a mask after the softmax. With one before it, the row still sums to 1.
        - Both become one half.  [equal]
          Only if their scores are equal: a mask does not change them.
        - They grow by the same amount.  [amount]
          The larger weight grows by more: it is the factor that is the same.
        - They grow by the same factor.  [factor]
          Both are divided by a smaller sum, and their ratio stays the same.
        """, right=_after_hiding, lesson="masks"),
    choice("cross_attention.shape-of-keys", """
        From lesson 2: The context has five tokens, each a row of width 7. W_Q and W_K have 7 rows and 3 columns. What
        shape do the keys have?

        - 5 × 3
          One key for each token of the context, as wide as W_K has columns.
        - 7 × 3
          That is W_K itself. X times W_K has as many rows as X.
        - 5 × 7
          That is the shape of the context, before the projection: W_K changes the width.
        - 3 × 5
          That is K transposed, as in the product of Q and Kᵀ.
        """, right=_keys, lesson="queries_keys_values"),
)  # fmt: skip

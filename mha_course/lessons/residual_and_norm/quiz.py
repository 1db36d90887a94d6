"""Five questions at the end of this lesson; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only
from mha_course.forward.examples import article, two_heads
from mha_course.maths.attention import attention, project, softmax
from mha_course.maths.dropout import dropout
from mha_course.maths.multi_head import MultiHeadAttention
from mha_course.maths.norms import layer_norm
from mha_course.maths.sublayer import AttentionSublayer


def _means():
    return str(np.ones((32, 10, 512)).mean(axis=-1).size)


def _pre_norm():
    rng = np.random.default_rng(0)
    mha = MultiHeadAttention.random(d_model=6, num_heads=2, rng=rng)
    x = rng.normal(size=(3, 6)) * 2

    def _attend(rows):
        return mha(rows).output

    forms = {
        "post": layer_norm(x + _attend(x)),
        "both": layer_norm(x) + _attend(layer_norm(x)),
        "late": x + layer_norm(_attend(x)),
        "pre": x + _attend(layer_norm(x)),
    }
    return only({name: np.allclose(form, AttentionSublayer(mha, norm="pre")(x)) for name, form in forms.items()})


def _factor():
    dropped = dropout(np.ones(1000), 0.1, np.random.default_rng(0))
    return f"{dropped.max():.2f}"


def _can_be_added():
    Q, K, V = (project(article.X, W) for W in (two_heads.W_Q, two_heads.W_K, two_heads.W_V))
    heads = attention(Q, K, V).output  # (h, n, d_v)
    concatenation = np.concatenate(heads, axis=-1)
    forms = {
        "first": heads[0],
        "mixed": concatenation @ two_heads.W_O,
        "side by side": concatenation,
        "sum": heads.sum(axis=0),
    }
    return only({name: form.shape == article.X.shape for name, form in forms.items()})


def _ten_times():
    row = np.array([[1.0, 2.0, 3.0, 6.0]])
    softmax_stays = np.allclose(softmax(row), softmax(10 * row))
    norm_stays = np.allclose(layer_norm(row), layer_norm(10 * row), atol=1e-5)
    return {(True, True): "neither", (True, False): "norm", (False, True): "softmax", (False, False): "both"}[
        softmax_stays, norm_stays
    ]


QUESTIONS = (
    choice("residual_and_norm.how-many-means", """
        32 sentences of 10 tokens, rows of width 512. How many means does one layer norm compute?

        - 320
          One for each token of each sentence. No token sees another.
        - 512
          One for each column: then every token would depend on all others, in all sentences.
        - 32
          One for each sentence: then its tokens would see each other, masked ones too.
        - 10
          One for each position: then the sentences of a batch would mix.
        """, right=_means),
    choice("residual_and_norm.which-line", """
        Which line is a pre-norm sublayer?

        - `layer_norm(x + attend(x))`  [post]
          That is the post-norm of 2017.
        - `layer_norm(x) + attend(layer_norm(x))`  [both]
          The straight path must carry x itself. Here it is normalised in every layer.
        - `x + layer_norm(attend(x))`  [late]
          Attention reads x as it is. Pre means before attention.
        - `x + attend(layer_norm(x))`  [pre]
          Attention reads normalised rows, and x is added as it is.
        """, right=_pre_norm),
    choice("residual_and_norm.rate", """
        A dropout rate of 0.1, in training. What happens to a weight that is kept?

        - it is multiplied by 0.9  [0.90]
          That makes it smaller still, though on average a tenth of all weights is gone.
        - it stays as it is  [1.00]
          Then a row's weights would sum to less in training than in use, on average.
        - it is divided by 0.9  [1.11]
          So each weight keeps its average: 0.9 · (1 / 0.9) = 1.
        - it is divided by 0.1  [10.00]
          The divisor is the fraction that is kept, 1 − 0.1.
        """, right=_factor),
    choice("residual_and_norm.what-fits", """
        From lesson 6: X is 3 × 4, and two heads have values of width 3. What can be added to X?

        - the output of the first head  [first]
          It is 3 × 3. So is the article's, and it does not fit.
        - the concatenation, multiplied by W_O  [mixed]
          W_O is 6 × 4: it brings the rows back to d_model.
        - the concatenation of both heads  [side by side]
          It is 3 × 6: two values of width 3.
        - the sum of the outputs of both heads  [sum]
          It is 3 × 3: a sum has the width of its parts.
        """, right=_can_be_added, lesson="heads"),
    choice("residual_and_norm.ten-times", """
        From lesson 4: the row (1, 2, 3, 6) is multiplied by 10. Whose result changes, that of the softmax or of
        layer norm?

        - that of neither  [neither]
          The softmax takes out what is added to all, not a factor.
        - that of both  [both]
          Layer norm divides by the row's own size, and a factor cancels.
        - only that of layer norm  [norm]
          It is the other way round.
        - only that of the softmax  [softmax]
          Ten times the differences, sharper weights. Layer norm divides them away.
        """, right=_ten_times, lesson="softmax"),
)  # fmt: skip

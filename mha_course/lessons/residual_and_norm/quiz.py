"""Five questions at the end of this lesson; two of them are about earlier lessons."""

import numpy as np

from mha_course.maths.attention import attention
from mha_course.maths.dropout import dropout
from mha_course.maths.layer_norm import layer_norm
from mha_course.maths.multi_head import MultiHeadAttention
from mha_course.maths.projections import project
from mha_course.maths.softmax import softmax
from mha_course.maths.sublayer import AttentionSublayer
from mha_course.pipeline.examples import article, two_heads
from mha_course.workbook.asking.kinds import Choice, Option
from mha_course.workbook.asking.question import Question, only


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


QUESTIONS = {
    "residual_and_norm.how-many-means": Question(
        about="residual_and_norm",
        text="32 sentences of 10 tokens, rows of width 512. How many means does one layer norm compute?",
        kind=Choice(
            {
                "320": Option("320", "One for each token of each sentence. No token sees another."),
                "512": Option(
                    "512", "One for each column: then every token would depend on all others, in all sentences."
                ),
                "32": Option("32", "One for each sentence: then its tokens would see each other, masked ones too."),
                "10": Option("10", "One for each position: then the sentences of a batch would mix."),
            }
        ),
        right=_means,
    ),
    "residual_and_norm.which-line": Question(
        about="residual_and_norm",
        text="Which line is a pre-norm sublayer?",
        kind=Choice(
            {
                "post": Option("`layer_norm(x + attend(x))`", "That is the post-norm of 2017."),
                "both": Option(
                    "`layer_norm(x) + attend(layer_norm(x))`",
                    "The straight path must carry x itself. Here it is normalised in every layer.",
                ),
                "late": Option(
                    "`x + layer_norm(attend(x))`", "Attention reads x as it is. Pre means before attention."
                ),
                "pre": Option(
                    "`x + attend(layer_norm(x))`", "Attention reads normalised rows, and x is added as it is."
                ),
            }
        ),
        right=_pre_norm,
    ),
    "residual_and_norm.rate": Question(
        about="residual_and_norm",
        text="Dropout with rate 0.1, in training. What happens to a weight that is kept?",
        kind=Choice(
            {
                "0.90": Option(
                    "it is multiplied by 0.9", "That makes it smaller still, though a tenth of all weights is gone."
                ),
                "1.00": Option("it stays as it is", "Then outputs would be smaller in training than later."),
                "1.11": Option("it is divided by 0.9", "So each weight keeps its average: 0.9 · (1 / 0.9) = 1."),
                "10.00": Option("it is divided by 0.1", "The divisor is the share that is kept, 1 − 0.1."),
            }
        ),
        right=_factor,
    ),
    "residual_and_norm.what-fits": Question(
        about="heads",
        text="From lesson 6: X is 3 × 4, and two heads have values of width 3. What can be added to X?",
        kind=Choice(
            {
                "first": Option(
                    "the output of the first head", "It is 3 × 3. So is the article's, and it does not fit."
                ),
                "mixed": Option(
                    "the concatenation, multiplied by W_O", "W_O is 6 × 4: it brings the rows back to d_model."
                ),
                "side by side": Option("the concatenation of both heads", "It is 3 × 6: two values of width 3."),
                "sum": Option("the sum of the outputs of both heads", "It is 3 × 3: a sum has the width of its parts."),
            }
        ),
        right=_can_be_added,
    ),
    "residual_and_norm.ten-times": Question(
        about="softmax",
        text="From lesson 4: a row is multiplied by 10. Whose result changes, that of the softmax or of layer norm?",
        kind=Choice(
            {
                "neither": Option("that of neither", "The softmax takes out what is added to all, not a factor."),
                "both": Option("that of both", "Layer norm divides by the row's own size, and a factor cancels."),
                "norm": Option("only that of layer norm", "It is the other way round."),
                "softmax": Option(
                    "only that of the softmax",
                    "Ten times the differences, sharper shares. Layer norm divides them away.",
                ),
            }
        ),
        right=_ten_times,
    ),
}

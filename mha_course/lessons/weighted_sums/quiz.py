"""Five questions at the end of lesson 5; two of them are about earlier lessons."""

import numpy as np

from mha_course.maths.projections import project
from mha_course.maths.softmax import softmax
from mha_course.maths.weighted_sums import weighted_sum
from mha_course.pipeline.examples import article, translation
from mha_course.workbook.asking.kinds import Choice, Option
from mha_course.workbook.asking.question import Question, only, shape_of


def _product_that_mixes():
    rng = np.random.default_rng(0)
    weights, V = softmax(rng.normal(size=(5, 5))), rng.normal(size=(5, 6))
    products = {
        "transposed": lambda: weights.T @ V, "reversed": lambda: V @ weights,
        "turned": lambda: V.T @ weights.T, "right": lambda: weights @ V,
    }  # fmt: skip
    fits = {name: product for name, product in products.items() if shape_of(product) == (5, 6)}
    return only({name: np.allclose(product(), weighted_sum(weights, V)) for name, product in fits.items()})


def _out_of_reach():
    column = project(article.X, article.W_V)[:, 1]
    return only({text: not column.min() <= float(text) <= column.max() for text in ("2.5", "9.5", "5.3", "7.9")})


def _second_run():
    once = softmax([2, 4, 4])
    twice = softmax(once)
    if not np.isclose(twice.sum(), 1):
        return "sums"
    return "same" if np.allclose(once, twice) else "flatter"


def _swapped_place():
    Q, K = translation.X @ translation.W_Q[0], translation.context @ translation.W_K[0]
    places = np.argwhere((Q @ K.T)[0, 1] == K @ Q.T).tolist()
    return only({"mirrored": places == [[1, 0]], "same": places == [[0, 1]]})


QUESTIONS = {
    "weighted_sums.the-product": Question(
        about="weighted_sums",
        text="Five queries, five keys, values of width 6. Which product is the output?",
        kind=Choice(
            {
                "transposed": Option(
                    "`weights.T @ V`",
                    "It runs, as there are five of each. But it mixes by columns, and these do not sum to 1.",
                ),
                "right": Option("`weights @ V`", "Row by row: the shares of one query, times the value rows."),
                "reversed": Option("`V @ weights`", "6 columns do not fit 5 rows."),
                "turned": Option("`V.T @ weights.T`", "The numbers are right, but it stands on its side: 6 × 5."),
            }
        ),
        right=_product_that_mixes,
    ),
    "weighted_sums.out-of-reach": Question(
        about="weighted_sums",
        text=(
            "The second entries of the article's values are 2, 8 and 6. Which second entry can no output have, for any "
            "query?"
        ),
        kind=Choice(
            {
                "2.5": Option("2.5", "Nearly all of *innovators*, and a little of the others, gives that."),
                "5.3": Option("5.33", "Equal shares give that: the average of the three."),
                "7.9": Option("7.9", "Nearly all of *create*."),
                "9.5": Option("9.5", "A mix lies between the lowest and the highest of what is mixed."),
            }
        ),
        right=_out_of_reach,
    ),
    "weighted_sums.doubled-values": Question(
        about="weighted_sums",
        text="You double every entry of W_V. What happens?",
        kind=Choice(
            {
                "outputs": Option(
                    "outputs double, weights stay", "W_V makes values, and values play no part in the shares."
                ),
                "sharper": Option(
                    "the weights get sharper", "Doubling W_Q or W_K would do that. Values never reach the softmax."
                ),
                "nothing": Option(
                    "nothing: shares sum to 1 anyway", "The shares do. What they are shares of has doubled."
                ),
                "both": Option("outputs and weights double", "Weights that double would sum to 2."),
            }
        ),
        right="outputs",
    ),
    "weighted_sums.second-run": Question(
        about="softmax",
        text=(
            "From lesson 4: a cell writes the softmax back into the array of scores. You run it twice. How do you "
            "notice?"
        ),
        kind=Choice(
            {
                "sums": Option(
                    "the rows no longer sum to 1", "The softmax of anything sums to 1, also the softmax of shares."
                ),
                "same": Option(
                    "not at all, and no harm is done: a second softmax changes nothing",
                    "Shares lie between 0 and 1, so their differences are small: the second run flattens them.",
                ),
                "flatter": Option(
                    "only by shares that are too flat", "Sums, signs and order are all as they should be."
                ),
                "error": Option("NumPy raises an error", "Shares are numbers like any others."),
            }
        ),
        right=_second_run,
    ),
    "weighted_sums.swapped": Question(
        about="scaled_scores",
        text=(
            "From lesson 3: in the translation example, row *le*, column *cat* of `Q @ K.T` is −5. Somebody writes "
            "`K @ Q.T`. Where is the −5?"
        ),
        kind=Choice(
            {
                "same": Option(
                    "in row *le*, column *cat*",
                    "There is no row *le* any more: the rows are keys now.",
                ),
                "mirrored": Option("in row *cat*, column *le*", "The table is turned over: keys down, queries across."),
                "nowhere": Option("nowhere: other rows are multiplied", "Each query still meets each key."),
                "negative": Option(
                    "in row *cat*, column *le*, as +5", "A dot product does not care which row comes first."
                ),
            }
        ),
        right=_swapped_place,
    ),
}

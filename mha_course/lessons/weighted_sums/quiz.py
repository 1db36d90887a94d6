"""Five questions at the end of lesson 5; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import only, shape_of
from mha_course.forward.examples import article, translation
from mha_course.maths.attention import project, softmax, weighted_sum


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


QUESTIONS = (
    choice("weighted_sums.the-product", """
        Five queries, five keys, values of width 6. Which product is the output?

        - `weights.T @ V`  [transposed]
          It runs, as there are as many queries as keys. But columns of weights need not sum to 1.
        - `weights @ V`  [right]
          Row by row: the weights of one query, times the value rows.
        - `V @ weights`  [reversed]
          6 columns do not fit 5 rows.
        - `V.T @ weights.T`  [turned]
          The numbers are right, but transposed: 6 × 5.
        """, right=_product_that_mixes),
    choice("weighted_sums.out-of-reach", """
        The second entries of the article's values are 2, 8 and 6. Which of these can never be the
        second entry of an output, whatever the query?

        - 2.5
          A large weight for *innovators* and small ones for the other two can give that.
        - 5.33  [5.3]
          Equal weights give that: the average of the three.
        - 7.9
          A weight near 1 for *create* can give that.
        - 9.5
          The output lies between the smallest and the largest of the numbers that are mixed.
        """, right=_out_of_reach),
    choice("weighted_sums.doubled-values", """
        You double every entry of W_V. What happens?

        - outputs double, weights stay  [outputs]
          W_V makes values, and the weights do not depend on them.
        - the weights get sharper  [sharper]
          Doubling W_Q or W_K can do that. Values never reach the softmax.
        - nothing: weights sum to 1 anyway  [nothing]
          They do, but the values that they mix have doubled.
        - outputs and weights double  [both]
          Doubled weights would sum to 2.
        """, right="outputs"),
    choice("weighted_sums.second-run", """
        From lesson 4: a cell writes the softmax back into the array of scores. You run the cell twice.
        How can you notice?

        - the rows no longer sum to 1  [sums]
          The softmax makes every row sum to 1, even if it is given weights.
        - not at all, and no harm is done: a second softmax changes nothing  [same]
          Weights lie between 0 and 1, so their differences are small: the second run flattens them.
        - only from weights that are too flat  [flatter]
          The sums, the signs and the order are all as they should be.
        - NumPy raises an error  [error]
          Weights are numbers like any others.
        """, right=_second_run, lesson="softmax"),
    choice("weighted_sums.swapped", """
        From lesson 3: in the translation example, the entry in row *le*, column *cat* of `Q @ K.T` is −5.
        Somebody writes `K @ Q.T` instead. Where is the −5?

        - in row *le*, column *cat*  [same]
          There is no row *le* any more: the rows are keys now.
        - in row *cat*, column *le*  [mirrored]
          The table is transposed: keys down, queries across.
        - nowhere: other rows are multiplied  [nowhere]
          Every query is still multiplied by every key.
        - in row *cat*, column *le*, as +5  [negative]
          A dot product is the same whichever row comes first.
        """, right=_swapped_place, lesson="scaled_scores"),
)  # fmt: skip

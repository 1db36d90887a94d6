"""A task of lesson 10: who looks at whom, from one matrix alone."""

from mha_course.engine.asking.numbers import Numbers
from mha_course.engine.asking.question import Task
from mha_course.engine.asking.question_text import part, task
from mha_course.engine.course.lesson import exercise_page
from mha_course.engine.course.tasks_from_solutions import mistakes_of
from mha_course.engine.pictures.practice import Table
from mha_course.forward.examples import two_heads
from mha_course.forward.matrices import Kind
from mha_course.pictures.matrix import table

QUERY = 1  # create
TOKEN = two_heads.tokens[QUERY]
KEY = 0  # innovators
HEAD = 1  # the second one: of the first, Q Kᵀ is symmetric
M = two_heads.W_Q[HEAD] @ two_heads.W_K[HEAD].T
GIVEN = two_heads.X[[QUERY]], M, two_heads.X
THROUGH_M = exercise_page(__package__).solution("what_a_head_does.through-m")


def _table(name: str, kind: Kind) -> Table:
    columns = two_heads.tokens if name == "products" else None
    return table(name, THROUGH_M.followed(GIVEN)[-1][name], (TOKEN,), columns, kind)


def _product(query: int, key: int) -> int:
    return int(two_heads.X[query] @ M @ two_heads.X[key])


def _one_matrix() -> Task:
    features, wide = [str(i + 1) for i in range(len(M))], Kind("query", "one token", "d_model")
    wide_query = _table("xM", wide)
    products = _table("products", Kind("scores", "queries", "keys"))
    x = table("x", GIVEN[0], (TOKEN,), kind=Kind("input", "one token", "d_model"))
    return task(
        "what_a_head_does.one-matrix",
        "Scores from one matrix",
        part(
            f"M = W_Q W_Kᵀ of head 2 in the example with two heads. The query is that of *{TOKEN}*: multiply its row x "
            "by M.",
            Numbers(
                wide_query,
                "Multiply each row of M by its entry of x. Then add up the rows.",
                mistakes=mistakes_of(THROUGH_M, GIVEN, "xM", ("xM",)),
            ),
            x.picture(),
            table("M", M, features, kind=Kind("scores", "d_model", "d_model")).picture(),
        ),
        part(
            "Now multiply this row by the row of every token: one dot product each.",
            Numbers(
                products,
                "Multiply x M and the token's row of X in pairs, then add.",
                mistakes=mistakes_of(THROUGH_M, GIVEN, "products", ("products",)),
            ),
            wide_query.picture(),
            table("X", two_heads.X, two_heads.tokens).picture(),
        ),
        notice="These are the products q · k of this row, and neither q nor k was computed. M need not be symmetric: "
        f"the query of *{TOKEN}* and the key of *{two_heads.tokens[KEY]}* give {_product(QUERY, KEY)}, "
        f"the query of *{two_heads.tokens[KEY]}* and the key of *{TOKEN}* give {_product(KEY, QUERY)}.",
    )


TASKS = (_one_matrix(),)

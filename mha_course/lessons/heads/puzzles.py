"""Answers in lines, to be put in order, of lesson 6."""

from mha_course.engine.checking.puzzle import Puzzle
from mha_course.maths.attention import attention
from mha_course.maths.heads import merge_heads, split_heads

PUZZLES = {
    "heads.merge": Puzzle(
        makes="This function puts the heads of each token side by side again: (h, n, d_v) becomes (n, h·d_v).",
        head="def my_merge(heads):",
        lines=(
            "num_heads, n, d_v = heads.shape",
            "by_token = heads.swapaxes(0, 1)",
            "width = num_heads * d_v",
            "return by_token.reshape(n, width)",
        ),
        wrong=(
            "by_token = heads.swapaxes(1, 2)",
            "return heads.reshape(n, width)",
        ),
    ),
    "heads.multi_head": Puzzle(
        makes=(
            "Multi-head attention, with the heads side by side in W_Q, W_K and W_V: queries from X, "
            "keys and values from the context, and W_O mixes the heads."
        ),
        head="def my_multi_head_attention(X, context, W_Q, W_K, W_V, W_O, num_heads):",
        lines=(
            "Q = split_heads(X @ W_Q, num_heads)",
            "K = split_heads(context @ W_K, num_heads)",
            "V = split_heads(context @ W_V, num_heads)",
            "heads = attention(Q, K, V).output",
            "wide = merge_heads(heads)",
            "return wide @ W_O",
        ),
        wrong=(
            "V = split_heads(X @ W_V, num_heads)",
            "return wide",
        ),
        names={"attention": attention, "merge_heads": merge_heads, "split_heads": split_heads},
    ),
}

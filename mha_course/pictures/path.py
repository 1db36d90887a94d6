"""Draws the whole way from the inputs to the result of multi-head attention."""

from mha_course.maths.projections import project
from mha_course.pictures.chain import chain
from mha_course.pictures.matrix import matrix
from mha_course.pictures.picture import Picture


def whole_path(example, result):
    """Show X, then Q, K, V, scores, weights and output of every head, then how heads are joined.

    example: an `Example` whose weights have a head axis. result: its `MultiHeadAttention`.

    >>> from mha_course import merge_heads, multi_head_attention, two_heads as e
    >>> fused = [merge_heads(W) for W in (e.W_Q, e.W_K, e.W_V)]
    >>> picture = whole_path(e, multi_head_attention(e.X, *fused, e.W_O, num_heads=2))
    >>> picture.text.splitlines()[0]
    'The inputs'
    """
    tokens = example.tokens
    steps = [("The inputs", chain(matrix(example.X, "X", tokens)))]
    for head in range(len(example.W_Q)):
        views = {
            name: project(example.X, W[head])
            for name, W in (("Q", example.W_Q), ("K", example.W_K), ("V", example.W_V))
        }
        steps.append((
            f"Head {head + 1}: three views of X",
            chain(*(matrix(view, name, tokens, decimals=2) for name, view in views.items())),
        ))  # fmt: skip
        steps.append((
            f"Head {head + 1}: scores = Q Kᵀ / √d_k, softmax of every row, weights · V",
            chain(
                matrix(result.scores[head], "scores", tokens, tokens, decimals=2), "→ softmax →",
                matrix(result.weights[head], "weights", tokens, tokens, decimals=2), "→ · V →",
                matrix(result.heads[head], "output", tokens, decimals=2),
            ),
        ))  # fmt: skip
    steps.append((
        "Both heads side by side, mixed by W_O",
        chain(
            matrix(result.concatenation, "concatenation", tokens, decimals=2), "→ · W_O →",
            matrix(result.output, "result", tokens, decimals=2),
        ),
    ))  # fmt: skip
    html = "".join(f'<p style="margin:10px 0 2px"><b>{title}</b></p>{picture.html}' for title, picture in steps)
    return Picture(html, "\n".join(f"{title}\n{picture.text}" for title, picture in steps))

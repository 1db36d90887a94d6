"""Answers in lines, to be put in order, of lesson 7."""

from mha_course.engine.checking.puzzle import Puzzle
from mha_course.maths.attention import softmax

PUZZLES = {
    "masks.softmax": Puzzle(
        makes=(
            "A softmax that gives hidden keys a weight of 0. The mask is True where a query may attend; "
            "a row without visible keys is 0 throughout."
        ),
        head="def my_masked_softmax(scores, mask):",
        lines=(
            "visible = np.where(mask, scores, -np.inf)",
            "largest = visible.max(axis=-1, keepdims=True)",
            "finite = np.where(np.isfinite(largest), largest, 0)",
            "exponentials = np.exp(visible - finite)",
            "sums = exponentials.sum(axis=-1, keepdims=True)",
            "return exponentials / np.where(sums == 0, 1, sums)",
        ),
        wrong=(
            "visible = scores * mask",
            "return exponentials / sums",
        ),
    ),
    "masks.attention": Puzzle(
        makes=(
            "Attention with many heads and a mask. Q, K and V have the axes (batch, h, n, d), the mask "
            "has (batch, 1 or n_q, n_k)."
        ),
        head="def my_masked_attention(Q, K, V, mask):",
        lines=(
            "d_k = Q.shape[-1]",
            "scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)",
            "for_all_heads = mask[:, None]",
            "weights = softmax(scores, mask=for_all_heads)",
            "return weights @ V",
        ),
        wrong=(
            "d_k = V.shape[-1]",
            "weights = softmax(scores) * for_all_heads",
        ),
        names={"softmax": softmax},
    ),
}

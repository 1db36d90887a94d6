"""A learner reads these messages: each names the argument, what came and what was needed."""

import numpy as np
import pytest
from rows import rows

import mha_course as mha
from mha_course import article

X, W = article.X, article.W_Q
WIDE = [np.ones((4, 6)), np.ones((4, 6)), np.ones((4, 6)), np.ones((6, 4))]

CASES = [
    (lambda: mha.project(X, W.T), ValueError, r"W has shape \(3, 4\), but needs \(d_model = 4, d_k\)"),
    (lambda: mha.project([1, 2, 3, 4], W), ValueError, r"X has shape \(4,\), but needs \(n, d_model\)"),
    (lambda: mha.project(np.ones((2, 3, 4)), np.ones((3, 4, 5))), ValueError, r"batch.*X \(2,\), W \(3,\)"),
    (lambda: mha.project(np.ones((0, 4)), W), ValueError, r"X is empty: it has shape \(0, 4\)"),
    (lambda: mha.project("abc", W), TypeError, "X holds <U3 values, but needs real numbers"),
    (lambda: mha.project(None, W), TypeError, "X holds object values"),
    (lambda: mha.project(X * 1j, W), TypeError, "X holds complex128 values"),
    (lambda: mha.project([[1, 2], [3]], W), ValueError, "X has rows of different lengths"),
    (lambda: mha.project(X * np.nan, W), ValueError, r"X has nan at position \[0, 0\]"),
    (lambda: mha.project(X, [[1, 2], [np.inf, 1], [0, 0], [0, 0]]), ValueError, r"W has inf at position \[1, 0\]"),
    (lambda: mha.scaled_scores(X, W), ValueError, r"K has shape \(4, 3\), but needs \(n_k, d_k = 4\)"),
    (lambda: mha.scaled_scores(X, X, scale=0), ValueError, "scale is 0, but must be a finite number above 0"),
    (lambda: mha.scaled_scores(X, X, scale=np.inf), ValueError, "scale is inf"),
    (lambda: mha.scaled_scores(X, X, scale="2"), TypeError, "scale is '2', but must be one number"),
    (lambda: mha.scaled_scores(X * 1e200, X * 1e200), ValueError, "scores would be larger than 1.8e.308"),
    (lambda: mha.scaled_scores(*[np.float32(X) * 1e30] * 2), ValueError, r"scores .* the largest float32 number"),
    (lambda: mha.softmax([]), ValueError, r"scores is empty: it has shape \(0,\)"),
    (lambda: mha.softmax(3), ValueError, r"scores has shape \(\), but needs \(n_k\)"),
    (lambda: mha.softmax([1, 2], temperature=-1), ValueError, "temperature is -1"),
    (lambda: mha.softmax([1, 2], temperature=True), TypeError, "temperature is True"),
    (lambda: mha.weighted_sum(X, X), ValueError, r"V has shape \(3, 4\), but needs \(n_k = 4, d_v\)"),
    (lambda: mha.contributions(X, X), ValueError, r"V has shape \(3, 4\), but needs \(n_k = 4, d_v\)"),
    (lambda: mha.attention(X, X, W), ValueError, r"V has shape \(4, 3\), but needs \(n_k = 3, d_v\)"),
    (lambda: mha.split_heads(np.ones((3, 10)), 4), ValueError, r"\(3, 10\).*num_heads = 4: 10 / 4 is not"),
    (lambda: mha.split_heads(np.ones((3, 10)), 0), ValueError, "num_heads is 0, but must be at least 1"),
    (lambda: mha.split_heads(np.ones((3, 10)), 2.0), TypeError, "num_heads is 2.0, but must be a whole number"),
    (lambda: mha.merge_heads(X), ValueError, r"heads has shape \(3, 4\), but needs \(num_heads, n, d_v\)"),
    (lambda: mha.multi_head_attention(X, *WIDE, num_heads=4), ValueError, "6 / 4 is not a whole number"),
    (lambda: mha.multi_head_attention(X[:, :3], *WIDE, num_heads=2), ValueError, r"W_Q has shape \(4, 6\)"),
    (lambda: mha.multi_head_attention(X, *WIDE, 2, context=W), ValueError, r"context has shape \(4, 3\)"),
    (lambda: mha.multi_head_attention(X, *WIDE, num_heads=4), ValueError, r"W_Q has shape \(4, 6\)"),
    (lambda: mha.vocabulary(None), TypeError, "tokens"),
    (lambda: mha.token_ids(None, {}), TypeError, "tokens"),
    (lambda: mha.embed([[0], [1, 2]], X), ValueError, "ids has rows of different lengths"),
    (lambda: mha.embed("01", X), TypeError, "ids holds"),
    (lambda: mha.embed(None, X), TypeError, "ids holds"),
    (lambda: mha.matrix([[1], [2, 3]], "X"), ValueError, "values"),
    (lambda: mha.matrix(np.ones((0, 3)), "X"), ValueError, "values"),
    (lambda: mha.scaled_scores(*[np.float32([[1, 2]])] * 2, scale=1e-60), ValueError, "scale|scores"),
    (lambda: mha.tokenize(7), TypeError, "text is int, but must be a string"),
    (lambda: mha.token_ids(["new"], {"old": 0}), ValueError, r"tokens has 'new'.*\['old'\]"),
    (lambda: mha.embed([3], X), ValueError, "ids has 3, but embeddings has rows 0 to 2"),
    (lambda: mha.embed([-1], X), ValueError, "ids has -1"),
    (lambda: mha.embed([0.5], X), TypeError, "ids holds float64 values, but needs whole numbers"),
    (lambda: mha.embed([], X), ValueError, r"ids is empty: it has shape \(0,\)"),
    (lambda: mha.positional_encoding(0, 4), ValueError, "n is 0"),
    (lambda: mha.positional_encoding(4, 1.5), TypeError, "d_model is 1.5"),
    (lambda: mha.matrix([1, 2], "X"), ValueError, r"values has shape \(2,\), but needs \(rows, columns\)"),
    (lambda: mha.matrix(X, "X", rows=["a"]), ValueError, "rows has 1 labels, but needs 3"),
    (lambda: mha.matrix(X, "Y"), ValueError, "name is 'Y', but must be one of"),
    (lambda: mha.Workbench(np.eye(3)), ValueError, r"^preset is of the type ndarray, but must be one of \['steals', "),
    (lambda: mha.Workbench([]), ValueError, r"^preset is of the type list, but must be one of \['steals', "),
    (lambda: mha.Workbench(goal=3), ValueError, r"^goal is 3, but must be one of \['same_waves', "),
    (
        lambda: mha.Workbench(stage=np.eye(3)),
        ValueError,
        r"^stage is of the type ndarray, but must be one of \['inputs'",
    ),
    (
        lambda: mha.Workbench(stage="softmax", goal="stop_carrying"),
        ValueError,
        r"^stage is 'softmax', but the goal 'stop_carrying' needs one of \['what_a_head_does', 'all'\]\.$",
    ),
    (lambda: mha.Train(training=5), TypeError, "^training is 5, but must be a Training"),
    (lambda: mha.Train(num_heads=10**6), ValueError, "^num_heads is 1000000, but must be at most 16"),
    (lambda: mha.repeated_tokens(-1), ValueError, "^count is -1, but must be at least 1"),
    (lambda: mha.repeated_tokens(10**6), ValueError, "^count is 1000000, but must be at most 39000"),
    (lambda: mha.repeated_tokens(5, seed=-1), ValueError, "^seed is -1, but must be at least 0"),
    (lambda: mha.Speak(tokens=10**6), ValueError, "^tokens is 1000000, but must be at most 512"),
    (lambda: mha.curves([1], {name: [1] for name in "abcdefg"}, "", "", ""), ValueError, "lines has 7 curves"),
]


ARRAYS = {
    "project": {"X": X, "W": W},
    "scaled_scores": {"Q": X, "K": X},
    "softmax": {"scores": X},
    "weighted_sum": {"weights": X, "V": X.T},
    "contributions": {"weights": X, "V": X.T},
    "attention": {"Q": X, "K": X, "V": X},
    "split_heads": {"wide": X},
    "merge_heads": {"heads": X[None]},
    "multi_head_attention": {"X": X, **dict(zip(("W_Q", "W_K", "W_V", "W_O"), WIDE, strict=True)), "context": X},
    "embed": {"embeddings": X},
}
OTHERS = {"split_heads": {"num_heads": 2}, "multi_head_attention": {"num_heads": 2}, "embed": {"ids": [0]}}
NO_ARRAYS = {
    "text": ("two", TypeError),
    "None": (None, TypeError),
    "complex": ([[1j]], TypeError),
    "objects": (np.array([[object()]]), TypeError),
    "ragged": ([[1, 2], [3]], ValueError),
    "nan": ([[[1, np.nan]]], ValueError),
    "inf": ([[[1, -np.inf]]], ValueError),
    "empty": ([], ValueError),
    "one number": (3, ValueError),
}
NO_COUNTS = [(0, ValueError), (-1, ValueError), *((v, TypeError) for v in (1.5, True, "2", np.nan, np.inf, None))]
NO_POSITIVES = [*((v, ValueError) for v in (0, -1, np.nan, np.inf, 10**400)), (True, TypeError), ("2", TypeError)]
LARGE = {
    "project": lambda a: mha.project(a, a),
    "scaled_scores": lambda a: mha.scaled_scores(a, a),
    "weighted_sum": lambda a: mha.weighted_sum(a, a),
    "contributions": lambda a: mha.contributions(a, a),
    "attention": lambda a: mha.attention(a, a, a),
    "multi_head_attention": lambda a: mha.multi_head_attention(a, a, a, a, a, num_heads=2),
}


@pytest.mark.filterwarnings("error")
@rows("value, kind", NO_ARRAYS.values())
@rows("name, argument", [(name, each) for name in ARRAYS for each in ARRAYS[name]])
def test_what_is_no_array_of_numbers_is_named_by_its_argument(name, argument, value, kind):
    arguments = ARRAYS[name] | OTHERS.get(name, {}) | {argument: value}
    if argument == "context" and value is None:
        assert getattr(mha, name)(**arguments).output.shape == X.shape  # then X is its own context
        return
    with pytest.raises(kind, match=rf"^{argument} (has|holds|is) "):
        getattr(mha, name)(**arguments)


@pytest.mark.filterwarnings("error")
@rows("value, kind", NO_COUNTS)
@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("num_heads", lambda count: mha.split_heads(X, count)),
        ("num_heads", lambda count: mha.multi_head_attention(X, *WIDE, count)),
        ("n", lambda count: mha.positional_encoding(count, 4)),
        ("d_model", lambda count: mha.positional_encoding(4, count)),
    ],
    ids=["split_heads", "multi_head_attention", "n", "d_model"],
)
def test_a_count_is_a_whole_number_of_at_least_1(argument, call, value, kind):
    with pytest.raises(kind, match=rf"^{argument} is "):
        call(value)


@pytest.mark.filterwarnings("error")
@rows("value, kind", NO_POSITIVES)
@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("scale", lambda number: mha.scaled_scores(X, X, number)),
        ("scale", lambda number: mha.attention(X, X, X, scale=number)),
        ("temperature", lambda number: mha.softmax(X, number)),
    ],
    ids=["scaled_scores", "attention", "softmax"],
)
def test_a_divisor_is_a_finite_number_above_0(argument, call, value, kind):
    with pytest.raises(kind, match=rf"^{argument} is "):
        call(value)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("dtype", "large"),
    [("float16", 1e4), ("float32", 1e30), ("float64", 1e200), ("longdouble", np.finfo(np.longdouble).max / 8)],
)
@rows("call", LARGE.values())
def test_products_too_large_for_their_dtype_are_an_error(call, dtype, large):
    with pytest.raises(ValueError, match=f"would be larger than .*e.*, the largest {np.dtype(dtype)} number"):
        call(np.full((4, 4), large, dtype))


@pytest.mark.filterwarnings("error")
@rows("call, kind, message", CASES)
def test_bad_input_gets_a_clear_error(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        mha.nonsense  # noqa: B018

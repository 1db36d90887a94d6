"""What the tests of lesson 99 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np

RIGHT = {
    "lesson_name.double": [
        lambda x: x + x + 1,
        lambda x: [2 * each + 1 for each in x],
        lambda x: np.polyval([2, 1], x),
        lambda x: np.add(np.multiply(x, 2), np.ones(len(x))),
        lambda x: np.einsum("i,j->i", x, [1, 1]) + 1,
        lambda x: np.stack([x, np.ones(len(x))], axis=1) @ [2, 1],
    ],
}

TRUTHS = {
    "lesson_name.sum": 15,
    "lesson_name.twice-11": "22",
    "lesson_name.twice-12": "24",
    "lesson_name.twice-13": "26",
    "lesson_name.twice-14": "28",
    "lesson_name.twice-15": "30",
}

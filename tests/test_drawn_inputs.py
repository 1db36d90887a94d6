"""The inputs of a check: the example stays, the others are drawn anew, and nobody can know their answers by heart."""

import numpy as np
import pytest
from checks import EXERCISES, SCALED, is_right, right_answers, text_of

from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.course import course
from mha_course.lessons.by_name import check

NOTHING_DRAWN = ("find_the_bug.check",)  # its inputs are functions
ATTENTIONS = ("weighted_sums.from_inputs", "heads.multi_head", "masks.attention")


def parts(argument):
    return argument if isinstance(argument, (list, tuple)) else [argument]


def same_arguments(one, other):
    pairs = zip(one.arguments, other.arguments, strict=True)
    return all(
        np.shape(a) == np.shape(b) and np.array_equal(a, b)
        for ones, others in pairs
        for a, b in zip(parts(ones), parts(others), strict=False)
        if not callable(a)
    )


def test_the_example_stays_and_the_same_seed_draws_the_same():
    assert [
        (exercise.name, case.words)
        for exercise in EXERCISES.values()
        for case, one, again in zip(exercise.cases, exercise.inputs(3), exercise.inputs(3), strict=True)
        if not same_arguments(one, again) or (case is exercise.cases[0] and case.is_random)
    ] == []


def test_another_seed_draws_other_inputs_wherever_it_can():
    for exercise in EXERCISES.values():
        drawn = [number for number, case in enumerate(exercise.cases) if case.is_random]
        assert len(drawn) >= 2 or exercise.name in NOTHING_DRAWN, exercise.name
        for number in drawn:
            first, others = exercise.inputs(0)[number], (exercise.inputs(seed)[number] for seed in range(1, 9))
            assert any(not same_arguments(first, other) for other in others), (exercise.name, first.words)


class Wide(np.ndarray):
    """Whole numbers of 64 bits, as a generator draws them wherever it is not told otherwise."""


class Elsewhere(np.random.Generator):
    """Draws as on a machine whose indices have 32 bits, where the default is too wide for one."""

    def integers(self, *bounds, dtype=None, **asked):
        drawn = super().integers(*bounds, dtype=dtype or np.int64, **asked)
        return drawn if dtype or not np.ndim(drawn) else drawn.view(Wide)


def test_a_drawn_number_is_never_too_wide_to_count_with(monkeypatch):
    monkeypatch.setattr(np.random, "default_rng", lambda seed: Elsewhere(np.random.PCG64(seed)))
    assert {
        exercise.name
        for exercise in EXERCISES.values()
        for inputs in exercise.inputs(0)
        for argument in inputs.arguments
        for part in parts(argument)
        if isinstance(part, Wide) and part.dtype.kind == "i"
    } == set()


def test_answers_that_were_learnt_by_heart_are_not_right():
    def learnt(exercise):
        example, *others = right_answers(exercise)
        known = {np.shape(made[0]): made for made in (example, *others)}

        def answers(*given):
            right = exercise.right(*given)
            made = known.get(np.shape(right if len(exercise.results) == 1 else right[0]), example)
            return made[0] if len(made) == 1 else tuple(made)

        return answers

    drawn = [exercise for exercise in EXERCISES.values() if exercise.name not in NOTHING_DRAWN]
    assert [exercise.name for exercise in drawn if is_right(exercise, learnt(exercise), seed=1)] == []


@pytest.mark.parametrize("name", ATTENTIONS)
def test_attention_meets_every_kind_of_inputs(name):
    shapes, largest, smallest, dtypes = set(), 0.0, 0.0, set()
    for seed in range(3):
        for inputs in EXERCISES[name].inputs(seed):
            arrays = [argument for argument in inputs.arguments if isinstance(argument, np.ndarray)]
            shapes.add((arrays[0].shape[-2] > arrays[1].shape[-2]) - (arrays[0].shape[-2] < arrays[1].shape[-2]))
            dtypes |= {array.dtype for array in arrays}
            largest = max(largest, *(float(array.max()) for array in arrays))
            smallest = min(smallest, *(float(array.min()) for array in arrays))
    assert shapes == {-1, 0, 1}, "as many queries as keys, fewer, and more"
    assert np.dtype(np.float32) in dtypes and smallest < 0 < largest


def test_drawn_numbers_are_not_0_and_none_is_there_twice():
    for seed in range(50):
        for array in Sampler(seed)((4, 5), (30, 8), (3,)):
            assert array.all() and len(set(array.flat)) == array.size and np.abs(array).max() <= 2


def test_a_check_draws_anew_unless_it_is_told_the_seed(monkeypatch):
    seeds = []

    def noted(exercise, function, seed):
        seeds.append(seed)
        return diagnose(exercise, function, seed=seed)

    monkeypatch.setattr(course, "diagnose", noted)
    for _ in range(5):
        check("scaled_scores.scaled", SCALED.right)
    assert len(set(seeds)) > 1 and all(0 <= seed < course.SEEDS for seed in seeds)
    check("scaled_scores.scaled", SCALED.right, seed=7)
    assert seeds[-1] == 7


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (1.5, TypeError), (True, TypeError), ("7", TypeError)])
def test_a_seed_is_a_whole_number_from_0(seed, error):
    with pytest.raises(error, match="seed is"):
        check("scaled_scores.scaled", SCALED.right, seed=seed)


def test_a_wrong_answer_tells_its_seed_where_only_that_brings_it_back():
    def sometimes(Q, K):
        return SCALED.right(Q, K) + ((Q.shape[0], Q.shape[-1]) == (5, 5))

    found = diagnose(SCALED, sometimes, seed=41)
    assert "seed=41" in text_of(found) and found.headline == "Right for the example, but not in general."

    def always(Q, K):
        return Q @ K.T / 17 + 1

    assert "seed=" not in text_of(diagnose(SCALED, always, seed=41))

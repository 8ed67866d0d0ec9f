from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.metrics import OBJECTIVES
from moselect.metrics.chosen_objectives import Objectives, chance_levels

subsets = st.lists(st.sampled_from(OBJECTIVES), min_size=2, max_size=6, unique=True)


@given(subsets)
def test_chosen_objectives_keep_their_order(names):
    chosen = Objectives(names)
    assert chosen.names == tuple(names) == tuple(objective.name for objective in chosen)
    assert len(chosen) == len(names)
    assert chosen.of_classes.tolist() == [n in ("accuracy", "one_minus_mae") for n in names]
    assert chosen == Objectives(tuple(names))
    values = np.arange(12.0).reshape(2, 6)
    of_names = [[row[OBJECTIVES.index(name)] for name in names] for row in values]
    np.testing.assert_array_equal(chosen.among(values), of_names)
    np.testing.assert_array_equal(chosen.among(values[0]), of_names[0])
    padded = chosen.among_all(chosen.among(values))
    kept = np.isin(OBJECTIVES, names)
    np.testing.assert_array_equal(padded, np.where(kept, values, 0.0))


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        ("vus", TypeError, "objectives is a string: give a sequence"),
        (("vus", "speed"), ValueError, "unknown objective 'speed': choose from accuracy, "),
        (("vus",), ValueError, "at least two different ones"),
        (("vus", "u_ovo", "vus"), ValueError, "at least two different ones"),
    ],
)
def test_objectives_that_cannot_be_searched(names, error, message):
    with pytest.raises(error, match=message):
        Objectives(names)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=6))
def test_chance_is_reached_by_a_constant_class_and_random_scores(counts):
    codes = np.repeat(np.arange(len(counts)), counts)
    constants = [(codes == k).mean() for k in range(len(counts))]
    deviations = [np.abs(codes - k).mean() for k in range(len(counts))]
    expected = [max(constants), 1 - min(deviations), 1 / math.factorial(len(counts))]
    found = chance_levels(np.array(counts))
    np.testing.assert_allclose(found, [*expected, 0.5, 0.5, 0.5], rtol=1e-12)

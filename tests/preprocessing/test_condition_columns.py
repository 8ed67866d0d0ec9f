"""Conditions with round split points."""

from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from moselect.preprocessing import ConditionColumns
from moselect.preprocessing.condition_columns import roundest

FINITE = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3))


@given(st.tuples(FINITE, FINITE).map(sorted))
def test_no_number_between_the_neighbours_is_rounder(bounds):
    low, high = bounds
    if low == high:
        return
    split_point = roundest(low, high)
    assert low <= split_point < high
    # The largest of the units 1, 2 and 5 times powers of ten that has a multiple in between.
    for power in range(7, -5, -1):
        for digit in (5, 2, 1):
            unit = digit * Fraction(10) ** power
            highest = -(-Fraction(high) // unit) - 1
            if highest * unit >= Fraction(low):
                assert split_point == float(highest * unit)
                return


def test_conditions_split_few_values_everywhere_and_many_values_at_nineteen_points(rng):
    X = pd.DataFrame(
        {"grade": rng.integers(1, 5, 400), "income": rng.lognormal(8.0, 1.0, 400)}
    )
    columns = ConditionColumns().fit(X)
    grades, split_points = (
        [one.above for one in columns.conditions_ if one.feature == name] for name in X
    )
    assert grades == [1.0, 2.0, 3.0]
    assert len(split_points) == 19
    shares = np.diff(
        [0.0, *((X["income"] <= split_point).mean() for split_point in split_points), 1.0]
    )
    assert shares.max() < 0.11
    met = columns.transform(X)
    np.testing.assert_array_equal(met[:, 3], X["income"] > split_points[0])

"""Contributions of columns to a score, against Shapley values over all subsets."""

from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest

from moselect.predictor.contributions import shapley_values

RNG = np.random.default_rng(0)


def by_subsets(score, row, background):
    """Return the Shapley values (p,) of a row by definition."""
    names = list(row)
    p = len(row)

    def coalition_value(present):
        return score(background.assign(**{name: row[name] for name in present})).mean()

    values = dict.fromkeys(names, 0.0)
    for name in names:
        others = [each for each in names if each != name]
        for size in range(p):
            # Probability of this coalition before the feature in a random order.
            weight = factorial(size) * factorial(p - size - 1) / factorial(p)
            for present in combinations(others, size):
                values[name] += weight * (
                    coalition_value([*present, name]) - coalition_value(present)
                )
    return values


def test_sums_of_terms_of_one_or_two_columns_are_exact():
    X, background = (
        pd.DataFrame(RNG.normal(size=(n, 4)), columns=list("abcd")) for n in (5, 9)
    )

    def score(rows):
        a, b, c, d = (rows[name].to_numpy() for name in "abcd")
        return np.sin(a) + 2.0 * b * c - np.abs(d) * a

    found = shapley_values(score, X, background)
    for k in range(len(X)):
        expected = by_subsets(score, X.iloc[k].to_dict(), background)
        assert found.iloc[k, :-1].to_dict() == pytest.approx(expected, abs=1e-12)
    np.testing.assert_allclose(found["baseline"], score(background).mean())

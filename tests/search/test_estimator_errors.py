"""The errors of `ParetoSearch` for settings and data that cannot be searched."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch

X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=["a", "b", "c"])
Y = pd.Series(np.arange(40) % 4)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (
            X.assign(b=X["b"].where(X.index != 3)),
            Y,
            "column 'b' has 1 missing or infinite values",
        ),
        (X.assign(b=["red", "blue"] * 20), Y, "column 'b' is not numeric"),
        (X.to_numpy()[:, 0], Y, "Reshape your data"),
        (X, Y.where(Y.index > 0, 9), "class 9 has a single sample"),
        (X, Y[:39], "X has 40 rows but y has 39 labels"),
        (X * 0.0 + 3.0, Y, "all features are constant"),
        (X[:0], Y[:0], "there are no rows"),
    ],
)
def test_data_that_cannot_be_searched(X, y, message):
    with pytest.raises(ValueError, match=message):
        ParetoSearch(n_iterations=1, prepare=False).fit(X, y)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"class_costs": [1, 1]}, ValueError, "class_costs has shape"),
        (
            {"class_costs": [1] * 9, "preferences": {"vus": 1}},
            ValueError,
            "either costs or pref",
        ),
        ({"priors": [0.5, 0.5]}, ValueError, "priors need costs"),
        (
            {"kind": "forest"},
            ValueError,
            "kind is 'forest': give one of 'points', 'linear'",
        ),
        ({"preferences": {"x": 1}}, ValueError, "'x' was not searched"),
        (
            {"preferences": "vus"},
            TypeError,
            "preferences is 'vus': give weights of objectives",
        ),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused_before_the_search(
    settings, error, message
):
    search = ParetoSearch(n_particles=4, n_iterations=1, cv=None, **settings)
    with pytest.raises(error, match=message):
        search.fit(X, Y)
    assert not hasattr(search, "front_")

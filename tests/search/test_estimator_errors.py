"""The errors of `ParetoSearch` for settings and data that cannot be searched."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch

X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=["a", "b", "c"])
Y = pd.Series(np.arange(40) % 4)


def changed(row, column, value):
    table = X.astype(object) if isinstance(value, str) else X.copy()
    table.loc[row, column] = value
    return table


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (changed(3, "b", np.nan), Y, "column 'b' has 1 missing or infinite values"),
        (changed(3, "c", np.inf), Y, "column 'c' has 1 missing or infinite values"),
        (changed(3, "a", np.nan).to_numpy(), Y, "column '0' has 1 missing or infinite values"),
        (X.assign(b=["red", "blue"] * 20), Y, "column 'b' is not numeric"),
        (X.to_numpy()[:, 0], Y, "Reshape your data"),
        (X, Y * 0 + 7, r"one class only \(7\)"),
        (X, Y.where(Y.index > 0, 9), "class 9 has a single sample"),
        (X, Y.astype(float).where(Y.index > 3), "4 of 40 labels are missing"),
        (X, Y.map(str) + "!", "labels without a known order"),
        (X, Y[:39], "X has 40 rows but y has 39 labels"),
        (X * 0.0 + 3.0, Y, "all features are constant"),
        (X[:0], Y[:0], "there are no rows"),
    ],
)
def test_data_that_cannot_be_searched(X, y, message):
    with pytest.raises(ValueError, match=message):
        ParetoSearch(n_iterations=1, prepare=False).fit(X, y)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1, 2], "unknown label 3: the classes are 0, 1, 2"),
        ([0, 1, 2, 3, 4], "class 4 has no samples"),
        ([0, 1, 2, 3, 3], "names a class twice"),
    ],
)
def test_labels_that_do_not_fit(labels, message):
    with pytest.raises(ValueError, match=message):
        ParetoSearch(labels=labels, n_iterations=1).fit(X, Y)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"class_costs": [1, 1]}, ValueError, "class_costs has shape"),
        ({"class_costs": [1] * 9, "preferences": {"vus": 1}}, ValueError, "either costs or pref"),
        ({"priors": [0.5, 0.5]}, ValueError, "priors need costs"),
        ({"preferences": {"x": 1}}, ValueError, "'x' was not searched"),
        ({"preferences": "vus"}, TypeError, "preferences is 'vus': give weights of objectives"),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused_before_the_search(settings, error, message):
    search = ParetoSearch(n_particles=4, n_iterations=1, cv=None, **settings)
    with pytest.raises(error, match=message):
        search.fit(X, Y)
    assert not hasattr(search, "front_")

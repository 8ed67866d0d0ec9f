from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.front import solved_costs
from moselect.plots import weights_map

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
Y = np.digitize(X[:, 0] + rng.normal(size=60), [0.0])
FRONT = moselect.ParetoSearch(n_particles=10, n_iterations=1, random_state=0).fit(X, Y).front_


@pytest.mark.parametrize("n_features", [2, 4])
@pytest.mark.parametrize(
    "draw",
    [
        lambda front, X: weights_map(front, X),
        lambda front, X: solved_costs(front, X, Y),
    ],
)
def test_as_many_features_as_the_models_have_are_needed(draw, n_features):
    assert FRONT.feature_names is None
    with pytest.raises(ValueError, match=f"X has {n_features} features, but the model needs"):
        draw(FRONT, np.ones((60, n_features)))


def test_columns_are_matched_by_name():
    front = replace(FRONT, feature_names=("a", "b", "c"))
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    one, other = (solved_costs(front, given, Y) for given in (table, table[["c", "a", "b"]]))
    np.testing.assert_array_equal(one, other)

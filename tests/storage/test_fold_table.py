from __future__ import annotations

import numpy as np
import pandas as pd

from moselect import ParetoSearch
from moselect.datasets import Dataset
from moselect.storage import read_run, write_run


def test_folds_may_have_fewer_columns_than_others(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60), "few": rng.integers(0, 7, size=60)})
    X.loc[X["few"] == 6, "few"] = 5
    X.loc[0, "few"] = 6  # the seventh value is in one fold only: the curve is a line without it
    y = np.digitize(X["a"] + 0.3 * rng.normal(size=60), [-0.5, 0.5])
    settings = {"n_particles": 4, "n_iterations": 2, "cv": 2, "random_state": 0}
    search = ParetoSearch(columns="splines", **settings).fit(X, y)
    widths = {fold.weights.shape[1] for fold in search.front_.fold_fronts}
    assert len(widths) == 2
    write_run(
        tmp_path / "run", search, Dataset("t", X, pd.Series(y, name="y"), (0, 1, 2), "y"), 1.0
    )
    again = read_run(tmp_path / "run").front
    for found, fold in zip(again.fold_fronts, search.front_.fold_fronts, strict=True):
        np.testing.assert_array_equal(found.weights, fold.weights)

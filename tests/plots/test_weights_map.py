from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import StandardScaler

from moselect.front import Front
from moselect.plots import weights_map

rng = np.random.default_rng(0)
FEATURES = ["a", "b", "c", "d"]
X = pd.DataFrame(rng.normal(size=(50, 4)) * [1.0, 100.0, 0.01, 1.0], columns=FEATURES)
X["d"] = 3.0  # whatever its weights, it has no influence


def make_front(k=12):
    rng = np.random.default_rng(0)
    return Front(
        objectives=pd.DataFrame({"accuracy": rng.random(k), "vus": rng.random(k)}),
        weights=rng.normal(size=(k, 4)) / [1.0, 100.0, 0.01, 0.001],
        thresholds=np.zeros((k, 2)),
        classes=np.arange(3),
        feature_names=tuple(FEATURES),
        chance=pd.Series({"accuracy": 0.3, "vus": 0.1}),
    )


def drawn(ax):
    (mesh,) = ax.collections
    return np.asarray(mesh.get_array()), [label.get_text() for label in ax.get_yticklabels()]


@pytest.mark.parametrize("objective", ["accuracy", "vus"])
def test_cells_are_shares_of_the_standardised_weights_in_order(objective):
    front = make_front()
    cells, names = drawn(weights_map(front, X, objective=objective))
    assert sorted(names) == FEATURES
    assert names[-1] == "d"
    scaler = StandardScaler().fit(X)
    for column, model in enumerate(np.argsort(front.objectives[objective])):
        # of features scaled to standard deviation 1, these weights give the same ranking
        scores = X.to_numpy() @ front.weights[model]
        shares = pd.Series(cells[:, column], index=names)[FEATURES]
        again = scaler.transform(X) @ shares
        assert np.corrcoef(scores, again)[0, 1] == pytest.approx(1.0)
        assert np.abs(shares).sum() == pytest.approx(1.0)
    assert (np.diff(np.abs(cells).mean(axis=1)) <= 0.0).all()


def test_neighbours_among_many_models_are_averaged():
    front = make_front(k=20_000)
    cells, names = drawn(weights_map(front, X))
    assert cells.shape == (4, 300)
    scaled = front.weights * X[FEATURES].std(ddof=0).to_numpy()
    shares = (scaled / np.abs(scaled).sum(axis=1, keepdims=True))[np.argsort(front.objectives.vus)]
    first, last = shares[:67].mean(axis=0), shares[-66:].mean(axis=0)
    order = [FEATURES.index(name) for name in names]
    np.testing.assert_allclose(cells[:, 0], first[order])
    np.testing.assert_allclose(cells[:, -1], last[order])


def test_columns_stand_at_the_values_of_the_objective():
    front = make_front()
    ax = weights_map(front, X)
    values = np.sort(front.objectives["vus"])
    edges = ax.collections[0].get_coordinates()[0, :, 0]
    assert (edges[:-1] < values).all()
    assert (values < edges[1:]).all()
    np.testing.assert_allclose(edges[1:-1], 0.5 * (values[1:] + values[:-1]))
    assert ax.get_xlabel() == "volume under the ROC surface (VUS) of 12 models"


def test_zero_is_the_ground_and_both_signs_have_the_same_scale():
    (image,) = weights_map(make_front(), X).collections
    low, high = image.get_clim()
    assert low == -high
    assert high == np.abs(image.get_array()).max()
    np.testing.assert_allclose(image.to_rgba(np.array([0.0]))[0, :3], 1.0, atol=0.01)

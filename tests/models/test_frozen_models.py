"""Frozen models in scikit-learn: they predict, and cannot be fitted."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from moselect.predictor import Model, OrdinalLinearClassifier
from moselect.predictor.decisions import LeastCost
from moselect.predictor.scorers import ProbabilityScorer

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3))
Y = np.digitize(X[:, 0] + 0.3 * RNG.normal(size=90), [-0.5, 0.5])
LINEAR = OrdinalLinearClassifier([1.0, 0.0, 0.0], [-0.5, 0.5], [0, 1, 2])
ENSEMBLE = Model(
    ProbabilityScorer.of(LogisticRegression().fit(X, Y)),
    [0, 1, 2],
    LeastCost(1.0 - np.eye(3)),
)
FROZEN = pytest.mark.parametrize("model", [LINEAR, ENSEMBLE], ids=["linear", "ensemble"])


@FROZEN
@pytest.mark.parametrize("use", [lambda model: model.fit(X, Y), clone])
def test_frozen_models_cannot_be_refitted(model, use):
    with pytest.raises(
        TypeError,
        match="is frozen and cannot be fitted: cross-validate the estimator behind it",
    ):
        use(model)


@FROZEN
def test_frozen_models_work_with_scikit_learn_tools(model):
    predicted = model.predict(X)
    assert model.score(X, Y) > 0.7
    scaled = make_pipeline(StandardScaler(with_mean=False, with_std=False).fit(X), model)
    for same in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), scaled):
        np.testing.assert_array_equal(same.predict(X), predicted)
    importances = permutation_importance(model, X, Y, random_state=0).importances_mean
    assert importances.argmax() == 0
    # The first feature drives the score, which rises with it.
    curve = partial_dependence(model, X, [0], response_method="decision_function")[
        "average"
    ][0]
    assert (np.diff(curve) > 0.0).all()

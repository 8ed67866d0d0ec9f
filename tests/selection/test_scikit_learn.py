"""A search as one of scikit-learn's classifiers."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from moselect import ParetoSearch
from moselect.predictor import OrdinalLinearClassifier
from tests.any_tables import ordinal_table
from tests.estimator_checks import EXPECTED_FAILURES, parametrize_with_checks

REPETITIONS = {
    "check_sample_weight_equivalence_on_dense_data": "its folds name rows of weight 0"
}
NAMES = ["low", "mid", "high"]
X, RANKS = ordinal_table(90)
X = pd.DataFrame(X, columns=["a", "b", "c"])
Y = pd.Categorical.from_codes(RANKS, NAMES, ordered=True)
QUICK = {"n_particles": 50, "n_iterations": 1, "cv": 2, "random_state": 0}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:model .* is excluded", "ignore:whole-number weights")
@pytest.mark.filterwarnings("ignore:constant columns", "ignore:class .* has .* samples")
@pytest.mark.filterwarnings("ignore:MS10")
@parametrize_with_checks(
    [
        ParetoSearch(**QUICK | {"cv": None, "preferences": {"vus": 1}}, model="linear"),
        ParetoSearch(**QUICK, model="additive"),
    ],
    expected_failed_checks=lambda _: EXPECTED_FAILURES | REPETITIONS,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def search():
    return ParetoSearch(**QUICK).fit(X, Y)


@pytest.mark.slow
def test_a_grid_search_predicts_for_its_own_costs():
    search = ParetoSearch(**QUICK | {"cv": None}, labels=NAMES, model="linear")
    grid = GridSearchCV(search, {"class_costs": [[1, 1, 1], [1, 1, 9]]}, cv=2)
    grid.fit(X, np.asarray(Y))
    model = grid.best_estimator_.to_predictor()
    assert isinstance(model, OrdinalLinearClassifier)
    assert model.evidence is None  # compared with nothing
    assert_array_equal(grid.predict(X), grid.best_estimator_.select().predict(X))


def test_it_predicts_and_selects_alike_after_pickling(search):
    used = clone(search).set_params(model="linear").fit(X, Y)
    predicted = used.predict_proba(X)
    tables = []
    for each in (used, pickle.loads(pickle.dumps(used))):
        assert_array_equal(each.predict_proba(X), predicted)
        selected = each.select([1, 1, 9], model="proportional odds")
        tables.append(selected.evidence.candidates.drop(columns="seconds"))
    pd.testing.assert_frame_equal(*tables)


@pytest.mark.parametrize(
    "criteria",
    [
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in ({"model": "cheapest"}, {"preferences": {"vus": 2}})
        ),
        {"class_costs": [1, 1, 9], "loss": "squared", "priors": [0.5, 0.3, 0.2]},
    ],
    ids=str,
)
def test_it_predicts_with_its_selected_model(search, criteria):
    criteria = {"model": "linear"} | criteria
    fitted = clone(search).set_params(**criteria).fit(X, Y)
    for model in (search.select(**criteria), fitted.select(), fitted.to_predictor()):
        for method in ("predict", "predict_proba", "decision_function"):
            found = getattr(fitted, method)(X)
            assert_array_equal(found, getattr(model, method)(X))
    assert fitted.score(X, Y) == (model.predict(X) == Y).mean()
    assert fitted.classes_.tolist() == NAMES
    assert fitted.to_predictor() is model  # selected once
    other = fitted.select(class_costs=[5, 1, 1], model="proportional odds")
    assert other.evidence.costs.matrix.tolist() == [[0, 5, 10], [1, 0, 1], [2, 1, 0]]

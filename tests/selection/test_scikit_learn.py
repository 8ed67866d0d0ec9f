"""A search as one of scikit-learn's classifiers."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from moselect import ParetoSearch
from moselect.predictor import OrdinalLinearClassifier
from tests.estimator_checks import EXPECTED_FAILURES, parametrize_with_checks

REPETITIONS = {
    "check_sample_weight_equivalence_on_dense_data": "cv is a number, not a list of splits"
}
NAMES = ["low", "mid", "high"]
QUICK = {"n_particles": 50, "n_iterations": 1, "cv": 2, "random_state": 0}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:constant columns", "ignore:class .* has .* samples")
@pytest.mark.filterwarnings("ignore:model .* is excluded", "ignore:whole-number weights")
@pytest.mark.filterwarnings("ignore:MS107")
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
def data(smooth):
    X, ranks = smooth(seed=2, r=3, n=90, p=3)
    y = pd.Categorical.from_codes(ranks, NAMES, ordered=True)
    return pd.DataFrame(X, columns=["a", "b", "c"]), y


@pytest.fixture(scope="module")
def search(data):
    return ParetoSearch(**QUICK).fit(*data)


@pytest.mark.parametrize(
    "candidate", [pytest.param("cheapest", marks=pytest.mark.slow), "linear"]
)
def test_it_predicts_with_its_selected_model(data, search, candidate):
    X, y = data
    search = clone(search).set_params(model=candidate).fit(X, y)
    by_name = search.select(model=candidate)
    assert (by_name.evidence.selected == "linear") == (candidate == "linear")
    for model in (by_name, search.select()):
        for method in ("predict", "predict_proba", "decision_function"):
            own = getattr(search, method)(X)
            np.testing.assert_array_equal(own, getattr(model, method)(X))
    assert search.score(X, y) == (model.predict(X) == y).mean()
    assert search.classes_.tolist() == NAMES
    assert search.to_predictor() is search.to_predictor()  # selected once


def test_the_constructor_selects_as_select_does():
    assert ParetoSearch().model == "cheapest"


def test_a_grid_search_predicts_for_its_own_costs(data):
    X, y = data
    search = ParetoSearch(**QUICK | {"cv": None}, labels=NAMES, model="linear")
    grid = GridSearchCV(search, {"class_costs": [[1, 1, 1], [1, 1, 9]]}, cv=2)
    grid.fit(X, np.asarray(y))
    model = grid.best_estimator_.to_predictor()
    assert isinstance(model, OrdinalLinearClassifier)
    assert model.evidence is None  # compared with nothing
    np.testing.assert_array_equal(
        grid.predict(X), grid.best_estimator_.select().predict(X)
    )


def test_nothing_is_selected_before_the_first_prediction(data, search):
    """Displays read every attribute, and pickles hold every one; neither is worth a wait."""
    X, y = data
    search = clone(search).set_params(model="linear").fit(X, y)
    search._repr_html_()
    loaded = pickle.loads(pickle.dumps(search))
    with pytest.raises(ValueError, match="X has 2 features"):
        search.predict(X.to_numpy()[:, :2])
    assert not search._selected
    np.testing.assert_array_equal(loaded.predict(X), search.predict(X))
    assert search._selected


def test_costs_of_each_row_predict_as_they_select(data):
    X, y = data
    rows = np.arange(1.0, 91.0)[:, None, None] * (1.0 - np.eye(3))
    costs = lambda table: rows[table.index]  # noqa: E731
    search = ParetoSearch(**QUICK | {"cv": None}, cost_matrix=costs, model="linear")
    model = search.fit(X, y).select()
    np.testing.assert_array_equal(search.predict(X), model.predict(X))


@pytest.mark.parametrize(
    "criteria",
    [
        {"preferences": {"vus": 2, "accuracy": 1}},
        {"class_costs": [1, 1, 9], "loss": "squared", "priors": [0.5, 0.3, 0.2]},
    ],
    ids=str,
)
def test_it_predicts_for_its_own_preferences_or_costs(data, search, criteria):
    X, y = data
    model = search.select(**criteria, model="linear")
    fitted = clone(search).set_params(**criteria, model="linear").fit(X, y)
    for same in (fitted.to_predictor(), fitted.select()):
        np.testing.assert_array_equal(same.coef_, model.coef_)
        np.testing.assert_array_equal(same.thresholds_, model.thresholds_)
    np.testing.assert_array_equal(fitted.predict(X), model.predict(X))
    other = fitted.select(class_costs=[5, 1, 1], model="additive")
    assert other.evidence.costs.matrix.tolist() == [[0, 5, 10], [1, 0, 1], [2, 1, 0]]


@pytest.mark.filterwarnings("ignore:.* rows count as duplicates")
def test_frequency_weights_equal_repeated_samples(data):
    X, y = data
    counts = np.random.default_rng(0).integers(0, 4, size=len(y))
    search = ParetoSearch(**QUICK)
    weighted = search.fit(X, y, sample_weight=counts, weight_type="counts").front_
    repeated = clone(search).fit(X.loc[X.index.repeat(counts)], y.repeat(counts)).front_
    columns = weighted.to_frame().filter(regex="^(?!se:)").columns
    pd.testing.assert_frame_equal(
        weighted.to_frame()[columns], repeated.to_frame()[columns]
    )
    pd.testing.assert_frame_equal(weighted.expected, repeated.expected)
    # a count says that the samples are independent, equal rows do not
    assert (repeated.expected_se > weighted.expected_se).all(axis=None)

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from moselect import CostSensitiveOrdinalClassifier, ParetoSearch, cost_matrix, expected_cost
from moselect.metrics import accuracy_score, mean_absolute_error, ranking_scores
from moselect.models import class_scores
from moselect.front import SelectedClassifier
from moselect.search.selection import RULES, make_fitter, search_folds

NAMES = np.array(["low", "mid", "high"])


def draw(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)) * [1.0, 20.0, 1.0, 1.0] + [0.0, 100.0, 0.0, 5.0]
    latent = X[:, 0] + X[:, 1] / 20 + rng.logistic(size=n)
    return X, NAMES[np.searchsorted(np.quantile(latent, [0.4, 0.8]), latent)]


@pytest.fixture(scope="module")
def search():
    X, y = draw()
    settings = {"n_particles": 20, "n_iterations": 10, "labels": list(NAMES), "random_state": 0}
    return ParetoSearch(**settings).fit(X, y)


@pytest.fixture(scope="module")
def model(search):
    return search.select(class_costs=[1, 2, 6])


def test_what_is_handed_over_is_the_cost_sensitive_classifier(model):
    X, y = draw()
    alone = CostSensitiveOrdinalClassifier(class_costs=[1, 2, 6], labels=list(NAMES)).fit(X, y)
    np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-9)
    np.testing.assert_allclose(model.thresholds_, alone.thresholds_, rtol=1e-9)


def test_it_is_a_classifier_for_new_objects(model):
    assert isinstance(model, SelectedClassifier)
    X_new, y_new = draw(seed=1)
    below = (model.thresholds_ < (X_new @ model.coef_)[:, None]).sum(axis=1)
    np.testing.assert_array_equal(model.predict(X_new), NAMES[below])
    np.testing.assert_array_equal(clone(model).predict(X_new), NAMES[below])
    paid = expected_cost(y_new, model.predict(X_new), model.report.cost_matrix, labels=NAMES)
    trivial = model.report.costs.loc["trivial", "cross-fitted"]
    assert paid < 0.85 * trivial


def test_notebooks_show_the_rule_and_its_costs(model):
    html = model._repr_html_()
    for label, scores in zip(NAMES, class_scores(model), strict=True):
        assert f"<th>{label}</th><td>{scores}</td>" in html
    assert f"{model.report.costs.loc['selected', 'cross-fitted']:.4g}" in html


def test_objectives_say_where_it_lies(model, search):
    X, y = draw()
    labels = NAMES.tolist()
    codes = np.array([labels.index(label) for label in y])
    predicted = model.predict(X)
    accuracy = accuracy_score(y, predicted, labels=labels)
    deviation = mean_absolute_error(y, predicted, labels=labels)
    expected = [accuracy, 1 - deviation, *ranking_scores(codes, X @ model.coef_)]
    found = model.report.objectives
    np.testing.assert_allclose(found.loc["training"], expected)
    assert list(found) == list(search.front_.objectives)
    held_out = model.report.predicted["selected"]
    assert found.loc["cross-fitted", "accuracy"] == (held_out == y).mean()
    assert 0.5 < found.loc["cross-fitted", "u_pairs"] < 1.0
    as_good = (search.front_.objectives.to_numpy() >= expected).all(axis=1)
    assert model.report.n_dominating == as_good.sum()


def test_costs_are_those_of_the_predictions(model):
    _, y = draw()
    report = model.report
    assert tuple(report.costs.index) == tuple(report.predicted) == RULES
    for rule in RULES:
        each = [
            report.cost_matrix[NAMES.tolist().index(a), NAMES.tolist().index(b)]
            for a, b in zip(y, report.predicted[rule], strict=True)
        ]
        assert report.costs.loc[rule, "cross-fitted"] == pytest.approx(np.mean(each))
        error = np.std(each, ddof=1) / np.sqrt(len(y))
        assert report.costs.loc[rule, "standard error"] == pytest.approx(error)


def test_the_cheapest_member_promises_more_than_it_keeps(model, search):
    X, y = draw()
    costs = model.report.costs.loc["cheapest member"]
    codes = np.array([NAMES.tolist().index(label) for label in y])
    scores = X @ search.front_.weights.T
    for column in scores.T:  # no member with any thresholds on a grid costs less than promised
        cuts = np.quantile(column, [[0.3, 0.6], [0.2, 0.7], [0.5, 0.9]])
        for pair in cuts:
            paid = model.report.cost_matrix[codes, np.searchsorted(pair, column)].mean()
            assert paid >= costs["training"] - 1e-9
    assert costs["training"] <= model.report.costs.loc["selected", "training"]
    assert costs["cross-fitted"] > costs["training"]


def test_cross_fitting_does_not_tell(search):
    """Labels that have nothing to do with the features cannot be predicted."""
    X, y = draw()
    shuffled = np.random.default_rng(0).permutation(y)
    noise = clone(search).fit(X, shuffled).select(class_costs=[1, 1, 1])
    costs = noise.report.costs
    assert costs.loc["cheapest member", "training"] < costs.loc["trivial", "training"]
    for rule in ("selected", "cheapest member", "proportional odds"):
        assert costs.loc[rule, "cross-fitted"] > costs.loc["trivial", "cross-fitted"] - 0.02


def test_a_front_alone_cannot_know_what_its_cheapest_member_keeps(search, model):
    X, y = draw()
    alone = search.front_.select(X, y, class_costs=[1, 2, 6])
    np.testing.assert_array_equal(alone.coef_, model.coef_)
    costs = alone.report.costs
    assert np.isnan(costs.loc["cheapest member", "cross-fitted"])
    assert costs.drop(index="cheapest member").notna().all(axis=None)
    assert "cheapest member" not in alone.report.predicted


def test_priors_move_the_thresholds_and_weigh_the_costs(search, model):
    _, y = draw()
    priors = [0.1, 0.1, 0.8]
    other = search.select(class_costs=[1, 2, 6], priors=priors)
    X, _ = draw()
    assert (other.predict(X) == "high").sum() > (model.predict(X) == "high").sum()
    paid = expected_cost(
        y,
        other.report.predicted["selected"],
        cost_matrix([1, 2, 6]),
        priors=priors,
        labels=list(NAMES),
    )
    assert other.report.costs.loc["selected", "cross-fitted"] == pytest.approx(paid)


def test_the_same_every_time(search, model):
    again = search.select(class_costs=[1, 2, 6])
    np.testing.assert_array_equal(again.coef_, model.coef_)
    pd.testing.assert_frame_equal(again.report.costs, model.report.costs)


def test_objectives_are_those_of_the_search():
    X, y = draw(100)
    search = ParetoSearch(("vus", "accuracy"), n_iterations=3, labels=NAMES, random_state=0)
    model = search.fit(X, y).select(cost_matrix=1 - np.eye(3))
    assert list(model.report.objectives) == ["vus", "accuracy"]


def test_a_class_too_small_for_folds(search):
    X, y = draw(60)
    y[y == "high"] = "mid"
    y[:2] = "high"
    found = clone(search).fit(X, y)
    codes = np.array([NAMES.tolist().index(label) for label in y])
    assert search_folds(found, X, codes, make_fitter(X, codes, 3).folds) is None
    model = found.select(class_costs=[1, 1, 1])
    assert np.isnan(model.report.costs.loc["cheapest member", "cross-fitted"])
    assert set(model.predict(X)) <= set(NAMES)


def test_columns_are_matched_by_name():
    X, y = draw(100)
    table = pd.DataFrame(X, columns=list("abcd"))
    front = ParetoSearch(n_iterations=3, labels=NAMES, random_state=0).fit(table, y).front_
    model = front.select(table[["d", "c", "b", "a"]], y, class_costs=[1, 1, 2])
    same = front.select(table, y, class_costs=[1, 1, 2])
    np.testing.assert_array_equal(model.coef_, same.coef_)
    assert model.feature_names == tuple("abcd")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give either class_costs or cost_matrix"),
        ({"class_costs": [1, 1, 1], "cost_matrix": np.eye(3)}, "give either"),
        ({"class_costs": [1, 1]}, r"class_costs has shape \(2,\), but there are 3 classes"),
        ({"class_costs": [1, 1, -1]}, "must not be negative"),
        ({"class_costs": [1, 1, 1], "priors": [0.5, 0.5]}, r"priors have shape \(2,\)"),
        ({"class_costs": [1, 1, 1], "priors": [0.5, 0.5, 0.5]}, "priors must sum to 1"),
    ],
)
def test_wrong_costs(search, arguments, message):
    with pytest.raises(ValueError, match=message):
        search.select(**arguments)


def test_a_front_needs_objects_of_every_class(search):
    X, y = draw()
    with pytest.raises(ValueError, match="class high has no objects"):
        search.front_.select(X[y != "high"], y[y != "high"], class_costs=[1, 1, 1])
    with pytest.raises(ValueError, match="unknown label huge"):
        search.front_.select(X[:2], ["low", "huge"], class_costs=[1, 1, 1])


@pytest.mark.parametrize("columns", [3, 5])
def test_objects_with_other_features_are_refused(search, columns):
    X, y = draw()
    with pytest.raises(ValueError, match=f"X has {columns} features, but the model needs 4"):
        search.front_.select(np.ones((len(X), columns)), y, class_costs=[1, 2, 6])


def test_ctrl_c_during_the_searches_of_the_folds_ends_the_selection():
    X, y = draw()
    search = ParetoSearch(n_particles=1, n_iterations=1000, labels=list(NAMES), random_state=0)
    search.fit(X, y)
    before = signal.getsignal(signal.SIGINT)

    def interrupt_a_search():
        while signal.getsignal(signal.SIGINT) is before:  # until the search of a fold listens
            time.sleep(0.001)
        time.sleep(0.2)  # and has found something
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt_a_search)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        search.select([1, 2, 6])
    thread.join()

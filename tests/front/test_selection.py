from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from moselect import CostSensitiveOrdinalClassifier, ParetoSearch, cost_matrix, expected_cost
from moselect.datasets import TrainingData
from moselect.decision import Costs, LinearRuleFitter
from moselect.front import SelectedClassifier, select
from moselect.metrics import accuracy_score, mean_absolute_error, ranking_scores
from moselect.models import class_scores
from moselect.search import search_folds

NAMES = np.array(["low", "mid", "high"])
RULES = ("selected", "cheapest member", "proportional odds", "trivial")


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
    np.testing.assert_array_equal(model.coef_, alone.coef_)
    np.testing.assert_array_equal(model.thresholds_, alone.thresholds_)


def test_it_is_a_classifier_for_new_samples(model):
    assert isinstance(model, SelectedClassifier)
    X_new, y_new = draw(seed=1)
    below = (model.thresholds_ < (X_new @ model.coef_)[:, None]).sum(axis=1)
    np.testing.assert_array_equal(model.predict(X_new), NAMES[below])
    np.testing.assert_array_equal(clone(model).predict(X_new), NAMES[below])
    paid = expected_cost(y_new, model.predict(X_new), model.evidence.cost_matrix, labels=NAMES)
    trivial = model.evidence.costs.loc["trivial", "cross-validated"]
    assert paid < 0.85 * trivial


def test_notebooks_show_the_rule_and_its_costs(model):
    html = model._repr_html_()
    for label, scores in zip(NAMES, class_scores(model), strict=True):
        assert f"<th>{label}</th><td>{scores}</td>" in html
    assert f"{model.evidence.costs.loc['selected', 'cross-validated']:.4g}" in html


def test_objectives_are_those_of_its_predictions(model, search):
    X, y = draw()
    labels = NAMES.tolist()
    codes = np.array([labels.index(label) for label in y])
    predicted = model.predict(X)
    accuracy = accuracy_score(y, predicted, labels=labels)
    deviation = mean_absolute_error(y, predicted, labels=labels)
    expected = [accuracy, 1 - deviation, *ranking_scores(codes, X @ model.coef_)]
    found = model.evidence.objectives
    np.testing.assert_allclose(found.loc["training"], expected)
    assert list(found) == list(search.front_.objectives)
    held_out = model.evidence.predicted["selected"]
    assert found.loc["cross-validated", "accuracy"] == (held_out == y).mean()
    assert 0.5 < found.loc["cross-validated", "u_pairs"] < 1.0
    as_good = (search.front_.objectives.to_numpy() >= expected).all(axis=1)
    assert model.evidence.n_dominating == as_good.sum()


def test_costs_are_those_of_the_predictions(model):
    _, y = draw()
    evidence = model.evidence
    assert tuple(evidence.costs.index) == tuple(evidence.predicted) == RULES
    for rule in RULES:
        each = [
            evidence.cost_matrix[NAMES.tolist().index(a), NAMES.tolist().index(b)]
            for a, b in zip(y, evidence.predicted[rule], strict=True)
        ]
        assert evidence.costs.loc[rule, "cross-validated"] == pytest.approx(np.mean(each))
        error = np.std(each, ddof=1) / np.sqrt(len(y))
        assert evidence.costs.loc[rule, "standard error"] == pytest.approx(error)


def test_the_cheapest_member_costs_more_on_new_samples(model, search):
    X, y = draw()
    costs = model.evidence.costs.loc["cheapest member"]
    codes = np.array([NAMES.tolist().index(label) for label in y])
    scores = X @ search.front_.weights.T
    for column in scores.T:  # no member with any thresholds on a grid costs less
        cuts = np.quantile(column, [[0.3, 0.6], [0.2, 0.7], [0.5, 0.9]])
        for pair in cuts:
            paid = model.evidence.cost_matrix[codes, np.searchsorted(pair, column)].mean()
            assert paid >= costs["training"] - 1e-9
    assert costs["training"] <= model.evidence.costs.loc["selected", "training"]
    assert costs["cross-validated"] > costs["training"]


def test_cross_validated_costs_show_that_labels_are_noise(search):
    """Labels that have nothing to do with the features cannot be predicted."""
    X, y = draw()
    shuffled = np.random.default_rng(0).permutation(y)
    noise = clone(search).fit(X, shuffled).select(class_costs=[1, 1, 1])
    costs = noise.evidence.costs
    assert costs.loc["cheapest member", "training"] < costs.loc["trivial", "training"]
    for rule in ("selected", "cheapest member", "proportional odds"):
        assert costs.loc[rule, "cross-validated"] > costs.loc["trivial", "cross-validated"] - 0.02


def test_without_fronts_of_the_folds_the_cheapest_member_is_not_cross_validated(search, model):
    X, y = draw()
    alone = select(search.front_, TrainingData.from_table(X, y, NAMES), Costs([1, 2, 6]))
    np.testing.assert_array_equal(alone.coef_, model.coef_)
    costs = alone.evidence.costs
    assert np.isnan(costs.loc["cheapest member", "cross-validated"])
    assert costs.drop(index="cheapest member").notna().all(axis=None)
    assert "cheapest member" not in alone.evidence.predicted


def test_priors_move_the_thresholds_and_weigh_the_costs(search, model):
    _, y = draw()
    priors = [0.1, 0.1, 0.8]
    other = search.select(class_costs=[1, 2, 6], priors=priors)
    X, _ = draw()
    assert (other.predict(X) == "high").sum() > (model.predict(X) == "high").sum()
    paid = expected_cost(
        y,
        other.evidence.predicted["selected"],
        cost_matrix([1, 2, 6]),
        priors=priors,
        labels=list(NAMES),
    )
    assert other.evidence.costs.loc["selected", "cross-validated"] == pytest.approx(paid)


def test_the_same_every_time(search, model):
    again = search.select(class_costs=[1, 2, 6])
    np.testing.assert_array_equal(again.coef_, model.coef_)
    pd.testing.assert_frame_equal(again.evidence.costs, model.evidence.costs)


def test_objectives_are_those_of_the_search():
    X, y = draw(100)
    search = ParetoSearch(("vus", "accuracy"), n_iterations=3, labels=NAMES, random_state=0)
    model = search.fit(X, y).select(cost_matrix=1 - np.eye(3))
    assert list(model.evidence.objectives) == ["vus", "accuracy"]


def test_a_class_too_small_for_folds(search):
    X, y = draw(60)
    y[y == "high"] = "mid"
    y[:2] = "high"
    found = clone(search).fit(X, y)
    data = TrainingData.from_table(X, y, NAMES)
    folds = LinearRuleFitter(X, data.codes, 3).folds
    assert search_folds(found, data, folds) is None
    model = found.select(class_costs=[1, 1, 1])
    assert np.isnan(model.evidence.costs.loc["cheapest member", "cross-validated"])
    assert set(model.predict(X)) <= set(NAMES)


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


@pytest.mark.parametrize("columns", [3, 5])
def test_samples_with_other_features_are_refused(search, columns):
    X, y = draw()
    data = TrainingData.from_table(np.tile(X, 2)[:, :columns], y, NAMES)
    with pytest.raises(ValueError, match=f"X has {columns} features, but the model needs 4"):
        select(search.front_, data, Costs([1, 2, 6]))


def test_costs_must_be_given(search):
    with pytest.raises(ValueError, match="give either class_costs or cost_matrix"):
        select(search.front_, TrainingData.from_table(*draw(), NAMES), Costs())


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

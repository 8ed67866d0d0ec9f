"""Costs by class label, as vector, matrix or `Costs`, are the same wherever costs are given."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

import moselect
from moselect import Costs, cost_matrix
from moselect.metrics import expected_cost, get_scorer
from moselect.models import CostSensitiveOrdinalClassifier
from tests.any_tables import ordinal_table

LABELS = ["low", "mid", "high"]
MATRIX = cost_matrix([1, 2, 5])
SHUFFLED = ["high", "low", "mid"]
NAMED = pd.DataFrame(MATRIX, LABELS, LABELS).loc[SHUFFLED, SHUFFLED]
FORMS = {
    "vector": [1, 2, 5],
    "mapping": {"high": 5, "low": 1, "mid": 2},
    "series": pd.Series({"mid": 2, "low": 1, "high": 5}),
    "matrix": MATRIX.tolist(),
    "frame": NAMED,
    "costs": Costs([1, 2, 5]),
    "costs of a mapping": Costs({"mid": 2, "high": 5, "low": 1}),
}


@pytest.fixture(scope="module")
def table():
    X, codes = ordinal_table(150)
    return X, np.array(LABELS)[codes]


@pytest.fixture(scope="module")
def search(table):
    search = moselect.ParetoSearch(n_iterations=1, cv=2, labels=LABELS, random_state=0)
    return search.fit(*table)


@pytest.fixture(scope="module")
def compared(table):
    return moselect.compare(["multinomial"], *table, labels=LABELS, cv=2, random_state=0)


@pytest.mark.checks("Costs", "one matrix in all its forms")
@pytest.mark.parametrize("form", ["series", "frame", "costs of a mapping"])
def test_each_form_of_costs_has_the_same_matrix_everywhere(form, table, search):
    costs = FORMS[form]
    X, y = table
    settings = {"costs": costs, "labels": LABELS}
    model = CostSensitiveOrdinalClassifier(**settings).fit(X, y)
    assert_array_equal(model.cost_matrix_, MATRIX)
    tuned = moselect.CostThresholdClassifier(LogisticRegression(), cv=2, **settings)
    assert_array_equal(tuned.fit(X, y).cost_matrix_, MATRIX)
    for evidence in (
        moselect.thresholds(y, X[:, 0], cv=2, **settings).evidence,
        search.select(costs=costs, model="proportional_odds").evidence,
    ):
        assert_array_equal(evidence.costs.matrix, MATRIX)
    objectives = ("cost", "vus")
    search = moselect.ParetoSearch(objectives, n_iterations=1, random_state=0)
    front = search.set_params(cv=None, **settings).fit(X, y).front_
    expected = [expected_cost(y, one.predict(X), MATRIX, labels=LABELS) for one in front]
    assert_allclose(1.0 - front.objectives["cost"], expected, rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_costs_have_one_matrix(form, compared):
    found = compared.for_costs(FORMS[form]).costs.matrix
    assert_array_equal(found, MATRIX)


def test_costs_of_comparisons_and_trials(table, compared):
    settings = {"labels": LABELS, "cv": 2, "random_state": 0, "costs": FORMS["mapping"]}
    evidence = moselect.compare("multinomial", *table, **settings)
    other = compared.for_costs([1, 2, 5])
    pd.testing.assert_series_equal(evidence.candidates["cost"], other.candidates["cost"])
    tuning = moselect.tune("multinomial", *table, n_trials=1, **settings)
    by_matrix = settings | {"costs": None, "cost_matrix": MATRIX}
    expected = moselect.tune("multinomial", *table, n_trials=1, **by_matrix)
    assert tuning.trials_["cost"].tolist() == expected.trials_["cost"].tolist()


@pytest.mark.parametrize("form", ["mapping", "frame"])
def test_expected_costs_take_costs_by_class(form):
    y, predicted = LABELS * 2, ["low", "low", "low", "mid", "mid", "high"]
    costs = FORMS[form]
    found = expected_cost(y, predicted, costs, labels=LABELS)
    assert found == expected_cost(y, predicted, MATRIX, labels=LABELS)
    scorer = get_scorer("neg_expected_cost", cost_matrix=costs, labels=LABELS)
    model = LogisticRegression().fit(np.eye(6), predicted)
    called = expected_cost(y, model.predict(np.eye(6)), MATRIX, labels=LABELS)
    assert scorer(model, np.eye(6), y) == pytest.approx(-called)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"costs": {"low": 1, "mid": 2}}, "labelled low, mid, but the classes are low"),
        ({"costs": {"low": 1, "mid": 2, "top": 5}}, "labelled low, mid, top, but"),
        ({"costs": [1, 2, 5], "class_costs": [1, 2, 5]}, "costs and class_costs are"),
        ({"costs": Costs([1, 2, 5]), "priors": [0.2, 0.3, 0.5]}, "costs and priors are"),
        ({"costs": Costs([1, 2, 5]), "metric": "kappa"}, "costs and metric are given"),
        ({"costs": Costs([1, 2, 5]), "loss": "squared"}, "costs and loss are given"),
        ({"cost_matrix": MATRIX, "loss": "squared"}, r"class costs \(with their loss\)"),
        ({"costs": NAMED, "loss": "zero_one"}, r"class costs \(with their loss\)"),
        ({"metric": "kappa", "loss": "squared"}, r"class costs \(with their loss\)"),
    ],
)
def test_costs_that_do_not_fit_are_named(settings, words, table, search):
    with pytest.raises(ValueError, match=words):
        search.select(**settings)
    with pytest.raises(ValueError, match=words):
        CostSensitiveOrdinalClassifier(labels=LABELS, **settings).fit(*table)


def test_a_loss_and_a_referral_without_costs_are_refused(search, table):
    for call in (
        lambda: search.select(loss="squared"),
        lambda: search.select(refer=1.0),
        lambda: moselect.ParetoSearch(loss="squared", labels=LABELS).fit(*table),
        lambda: moselect.thresholds(table[1], table[0][:, 0], loss="squared"),
    ):
        with pytest.raises(ValueError, match="loss, priors and a referral need costs"):
            call()


def test_costs_go_with_a_loss_and_priors(search):
    by_class = {
        "costs": FORMS["mapping"],
        "priors": {"low": 0.2, "high": 0.3, "mid": 0.5},
    }
    by_position = {"class_costs": [1, 2, 5], "priors": [0.2, 0.5, 0.3]}
    one, other = (
        search.select(loss="squared", model="proportional odds", **costs).evidence
        for costs in (by_class, by_position)
    )
    pd.testing.assert_frame_equal(one.candidates, other.candidates)

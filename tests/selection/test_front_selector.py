import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from moselect import (
    CostSensitiveOrdinalClassifier,
    ParetoSearch,
    expected_cost,
)
from moselect.costs.criteria import preference_loss, preference_weights
from moselect.metrics.objectives import DEFAULT
from moselect.models import ProportionalOdds
from moselect.models.linear.linear_rule import fit_rule
from moselect.samples import Samples
from tests.any_tables import ordinal_table

NAMES = np.array(["low", "mid", "high"])
X, codes = ordinal_table(150, 4)
X = X * [1.0, 20.0, 1.0, 1.0] + [0.0, 100.0, 0.0, 5.0]
y = NAMES[codes]


@pytest.fixture(scope="module")
def search():
    search = ParetoSearch(
        n_particles=50, n_iterations=4, labels=list(NAMES), cv=2, random_state=0
    )
    return search.fit(X, y)


def test_the_linear_rule_is_the_cost_sensitive_classifier(search):
    model = search.select(class_costs=[1, 2, 6], model="linear")
    alone = CostSensitiveOrdinalClassifier(class_costs=[1, 2, 6], labels=list(NAMES)).fit(
        X, y
    )
    assert_array_equal(model.coef_, alone.coef_)
    assert_array_equal(model.thresholds_, alone.thresholds_)
    assert_array_equal(model.predict_proba(X), alone.predict_proba(X))


@pytest.mark.checks("Costs", "rows of noise")
@pytest.mark.slow
def test_cross_validated_costs_of_noise_do_not_beat_always_one_class(search, rng):
    """Labels that are independent of the features cannot be predicted."""
    shuffled = rng.permutation(y)
    noise = clone(search).fit(X, shuffled).select(class_costs=[1, 1, 1], model="linear")
    rules = noise.evidence.candidates
    trivial = rules.loc["always one class"]
    assert rules.loc["best member", "train"] < trivial["train"]
    for rule in ("linear", "best member", "proportional odds"):
        assert rules.loc[rule, "cost"] > trivial["cost"] - 0.02
    assert not any(
        found.low > 0.0
        for baseline, found in noise.evidence.differences.items()
        if baseline != "best member"
    )


@pytest.mark.parametrize(
    "preferences",
    [pytest.param(None, marks=pytest.mark.slow), {"vus": 2, "accuracy": 1}],
)
def test_a_preference_is_the_linear_rule_for_scaled_gains(search, preferences):
    """The same as by hand: gains in units of the front's best, none for always one class."""
    front = search.front_
    weights = preference_weights(preferences, DEFAULT)
    gains = {name: front.objectives[name].max() - front.chance[name] for name in weights}
    loss = preference_loss(weights, gains, DEFAULT, np.bincount(codes))
    rule = fit_rule(Samples.from_table(X, codes), loss)
    model = search.select(preferences=preferences, model="linear")
    assert_array_equal(model.coef_, rule.coef_)
    assert_array_equal(model.thresholds_, rule.thresholds_)
    assert model.evidence.loss.preferences == weights
    assert model.evidence.costs is None
    trivial = model.evidence.candidates.loc["always one class"]
    assert trivial["train"] == pytest.approx(0.0, abs=1e-12)
    assert trivial["utility"] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.slow
def test_holdout_estimates_are_measured_on_the_holdout(search):
    searched = clone(search).set_params(holdout=0.3, n_iterations=2).fit(X, y)
    rows = searched.holdout_rows_
    search_rows = np.setdiff1d(np.arange(len(y)), rows)
    model = searched.select(class_costs=[1, 2, 6], model="linear")
    costs = model.evidence.costs.matrix
    labels = NAMES.tolist()
    one_class = costs[codes[search_rows]].sum(axis=0).argmin()
    odds = ProportionalOdds(alpha="cv").fit(X[search_rows], codes[search_rows])
    plug_in = (odds.predict_proba(X[rows]) @ costs).argmin(axis=1)
    expected = {
        "linear": expected_cost(y[rows], model.predict(X[rows]), costs, labels=labels),
        "always one class": costs[codes[rows], one_class].mean(),
        "proportional odds": costs[codes[rows], plug_in].mean(),
    }
    found = model.evidence.candidates.loc[[*expected], "holdout"]
    assert found.to_dict() == pytest.approx(expected)
    assert model.evidence.objectives.loc["holdout"]["accuracy"] == pytest.approx(
        (model.predict(X[rows]) == y[rows]).mean()
    )

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from moselect import CostSensitiveOrdinalClassifier, ParetoSearch, cost_matrix, expected_cost
from moselect.decision import (
    Costs,
    Goal,
    LinearRuleFitter,
    preference_goal,
    preference_weights,
)
from moselect.folds import Folds
from moselect.front import RULES, SelectedClassifier, Selector
from moselect.metrics import accuracy_score, mean_absolute_error, ranking_scores
from moselect.models.linear import class_scores
from moselect.samples import Samples, equal_rows

NAMES = np.array(["low", "mid", "high"])
CODES = {name: code for code, name in enumerate(NAMES)}


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


def test_without_fronts_of_folds_it_is_the_cost_sensitive_classifier(search):
    X, y = draw()
    model = clone(search).set_params(cv=None).fit(X, y).select(class_costs=[1, 2, 6])
    alone = CostSensitiveOrdinalClassifier(class_costs=[1, 2, 6], labels=list(NAMES)).fit(X, y)
    np.testing.assert_array_equal(model.coef_, alone.coef_)
    np.testing.assert_array_equal(model.thresholds_, alone.thresholds_)


def test_it_is_a_classifier_for_new_samples(model):
    assert isinstance(model, SelectedClassifier)
    X_new, y_new = draw(seed=1)
    below = (model.thresholds_ < (X_new @ model.coef_)[:, None]).sum(axis=1)
    np.testing.assert_array_equal(model.predict(X_new), NAMES[below])
    np.testing.assert_array_equal(clone(model).predict(X_new), NAMES[below])
    paid = expected_cost(y_new, model.predict(X_new), model.evidence.costs.matrix, labels=NAMES)
    trivial = model.evidence.rules.loc["always one class", "cross-validated"]
    assert paid < 0.85 * trivial


def test_notebooks_show_the_rule_and_its_costs(model):
    html = model._repr_html_()
    for label, scores in zip(NAMES, class_scores(model), strict=True):
        assert f"<th>{label}</th><td>{scores}</td>" in html
    assert f"{model.evidence.rules.loc['selected', 'cross-validated']:.4g}" in html


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
    assert found.loc["cross-validated", "accuracy"] == pytest.approx((held_out == y).mean())
    assert 0.5 < found.loc["cross-validated", "u_pairs"] < 1.0


def test_costs_are_those_of_the_predictions(model):
    _, y = draw()
    evidence = model.evidence
    assert tuple(evidence.rules.index) == tuple(evidence.predicted) == RULES
    for rule in RULES:
        each = [
            evidence.costs.matrix[NAMES.tolist().index(a), NAMES.tolist().index(b)]
            for a, b in zip(y, evidence.predicted[rule], strict=True)
        ]
        assert evidence.rules.loc[rule, "cross-validated"] == pytest.approx(np.mean(each))
        error = np.std(each, ddof=1) / np.sqrt(len(y))
        assert evidence.rules.loc[rule, "standard error"] == pytest.approx(error)


def test_the_best_member_costs_more_on_new_samples(model, search):
    X, y = draw()
    costs = model.evidence.rules.loc["best member"]
    codes = np.array([NAMES.tolist().index(label) for label in y])
    scores = X @ search.front_.weights.T
    for column in scores.T:  # no member with any thresholds on a grid costs less
        cuts = np.quantile(column, [[0.3, 0.6], [0.2, 0.7], [0.5, 0.9]])
        for pair in cuts:
            paid = model.evidence.costs.matrix[codes, np.searchsorted(pair, column)].mean()
            assert paid >= costs["training"] - 1e-9
    assert costs["training"] <= model.evidence.rules.loc["selected", "training"]
    assert costs["cross-validated"] > costs["training"]


def test_cross_validated_costs_show_that_labels_are_noise(search):
    """Labels that have nothing to do with the features cannot be predicted."""
    X, y = draw()
    shuffled = np.random.default_rng(0).permutation(y)
    noise = clone(search).fit(X, shuffled).select(class_costs=[1, 1, 1])
    rules = noise.evidence.rules
    trivial = rules.loc["always one class"]
    assert rules.loc["best member", "training"] < trivial["training"]
    for rule in ("selected", "best member", "proportional odds"):
        assert rules.loc[rule, "cross-validated"] > trivial["cross-validated"] - 0.02
    assert not any(
        said.startswith("saves") and "member" not in said for said in noise.evidence.verdicts
    )


def test_without_fronts_of_folds_the_best_member_is_not_cross_validated(search):
    X, y = draw()
    alone = clone(search).set_params(cv=None).fit(X, y)
    assert alone.front_.expected is None
    for model in (alone.select(class_costs=[1, 2, 6]), alone.select()):
        evidence = model.evidence
        assert np.isnan(evidence.rules.loc["best member", "cross-validated"])
        assert evidence.rules.drop(index="best member").notna().all(axis=None)
        assert "best member" not in evidence.predicted
        assert "best member" not in evidence.differences
        assert evidence.front_share == 0.0


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
    assert other.evidence.rules.loc["selected", "cross-validated"] == pytest.approx(paid)


def test_the_same_every_time(search, model):
    again = search.select(class_costs=[1, 2, 6])
    np.testing.assert_array_equal(again.coef_, model.coef_)
    pd.testing.assert_frame_equal(again.evidence.rules, model.evidence.rules)
    assert again.evidence.verdicts == model.evidence.verdicts


def test_objectives_are_those_of_the_search():
    X, y = draw(100)
    search = ParetoSearch(("vus", "accuracy"), n_iterations=3, labels=NAMES, random_state=0)
    model = search.fit(X, y).select(cost_matrix=1 - np.eye(3))
    assert list(model.evidence.objectives) == ["vus", "accuracy"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"priors": [0.2, 0.3, 0.5]}, "priors need costs: give class_costs or cost_matrix"),
        (
            {"class_costs": [1, 1, 1], "preferences": {"vus": 1}},
            "give either costs or preferences",
        ),
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
    data = Samples.from_table(np.tile(X, 2)[:, :columns], y, NAMES)
    with pytest.raises(ValueError, match=f"X has {columns} features, but the model needs 4"):
        Selector(search.front_, data).for_costs(Costs([1, 2, 6]))


def test_costs_must_be_given(search):
    selector = Selector(search.front_, Samples.from_table(*draw(), NAMES))
    with pytest.raises(ValueError, match="give either class_costs or cost_matrix"):
        selector.for_costs(Costs())


@pytest.mark.parametrize(
    "preferences", [None, {"vus": 1}, {"accuracy": 3}, {"vus": 2, "accuracy": 1, "u_cons": 0}]
)
def test_a_preference_is_the_rule_for_the_gains_of_the_front(search, preferences):
    """The same as by hand: gains in units of the front's best, the rule on the folds' fronts."""
    X, y = draw()
    front = search.front_
    codes = np.array([CODES[label] for label in y])
    weights = preference_weights(preferences, list(front.objectives))
    gains = {name: front.objectives[name].max() - front.chance[name] for name in weights}
    rule = LinearRuleFitter(X, codes, 3).fit(
        preference_goal(weights, gains, 3),
        front.weights,
        [fold.weights for fold in front.fold_fronts],
    )
    model = search.select(preferences=preferences)
    np.testing.assert_array_equal(model.coef_, rule.weights)
    np.testing.assert_array_equal(model.thresholds_, rule.thresholds)
    evidence = model.evidence
    np.testing.assert_array_equal(evidence.predicted["selected"], NAMES[rule.cross_fitted])
    assert evidence.front_share == rule.front_share
    assert evidence.preferences == weights
    assert evidence.costs is None


def test_costs_are_the_rule_for_their_goal_on_the_fronts_of_the_folds(search, model):
    X, y = draw()
    codes = np.array([CODES[label] for label in y])
    front = search.front_
    rule = LinearRuleFitter(X, codes, 3).fit(
        Goal(cost_matrix([1, 2, 6])), front.weights, [fold.weights for fold in front.fold_fronts]
    )
    np.testing.assert_array_equal(model.coef_, rule.weights)
    np.testing.assert_array_equal(model.thresholds_, rule.thresholds)
    assert model.evidence.front_share == rule.front_share


def test_the_folds_of_the_search_are_those_of_the_selection(search):
    X, y = draw()
    codes = np.array([CODES[label] for label in y])
    folds = LinearRuleFitter(X, codes, 3).folds
    np.testing.assert_array_equal(folds, Folds.deal(equal_rows(X), codes, 5).index)
    for fold, front in enumerate(search.front_.fold_fronts):
        outside = folds == fold
        for i in (0, len(front) - 1):
            right = (front[i].predict(X)[outside] == y[outside]).mean()
            assert front.holdout["accuracy"][i] == right


def test_utility_is_the_weighted_gain_above_chance(search):
    """In units of the best gain of the front; recomputed from the figures of all objectives."""
    front = search.front_
    wanted = {"accuracy": 2.0, "one_minus_mae": 1.0, "u_pairs": 1.0}
    evidence = search.select(preferences=wanted).evidence
    units = front.objectives.max() - front.chance
    for column in ("cross-validated", "training"):
        gains = (evidence.objectives.loc[column] - front.chance) / units
        expected = sum(weight / 4.0 * gains[name] for name, weight in wanted.items())
        found = evidence.rules.loc["selected", column]
        # Chance is the single class that is best for both errors together, not one for each.
        assert expected - 1e-9 <= found < expected + 0.1
    assert evidence.value == "utility"


def test_always_one_class_gains_nothing_in_training(search):
    for preferences in (None, {"vus": 1}, {"accuracy": 1}, {"vus": 1, "accuracy": 1}):
        rules = search.select(preferences=preferences).evidence.rules
        assert rules.loc["always one class", "training"] == pytest.approx(0.0, abs=1e-12)
        assert rules.loc["always one class", "cross-validated"] == pytest.approx(0.0, abs=1e-12)


def test_a_preference_for_one_objective_has_its_figures(search):
    """With all weight on one, utility is its gain in units of the front's."""
    front = search.front_
    for name in ("vus", "u_cons", "u_ovo", "u_pairs", "accuracy"):
        evidence = search.select(preferences={name: 7}).evidence
        unit = front.objectives[name].max() - front.chance[name]
        figures = evidence.objectives[name]
        for column in ("cross-validated", "training"):
            gain = (figures[column] - front.chance[name]) / unit
            # Where classes weigh nothing, a trace of their errors breaks ties.
            assert evidence.rules.loc["selected", column] == pytest.approx(gain, abs=1e-5)
        error = evidence.rules.loc["selected", "standard error"]
        assert error == pytest.approx(figures["standard error"] / unit, rel=0.05)


def test_differences_are_paired_and_said_in_words(model):
    _, y = draw()
    evidence = model.evidence
    matrix = evidence.costs.matrix
    true = [CODES[label] for label in y]
    paid = {
        rule: matrix[true, [CODES[label] for label in evidence.predicted[rule]]] for rule in RULES
    }
    assert list(evidence.differences) == list(RULES[1:])
    rng = np.random.default_rng(0)
    rows = rng.integers(0, len(y), (4000, len(y)))
    for rival, saving in evidence.differences.items():
        ratio = paid["selected"].mean() / paid[rival].mean()
        assert saving.estimate == pytest.approx(1.0 - ratio)
        drawn = 1.0 - paid["selected"][rows].mean(axis=1) / paid[rival][rows].mean(axis=1)
        assert saving.standard_error == pytest.approx(drawn.std(), rel=0.1)
    said = dict(zip(evidence.differences, evidence.verdicts, strict=True))
    saving = evidence.differences["always one class"]
    assert saving.shown
    assert said["always one class"] == (
        f"saves {100 * saving.estimate:.0f} % against always one class "
        f"({100 * saving.low:.0f} to {100 * saving.high:.0f} %)"
    )


@pytest.mark.parametrize(
    ("preferences", "message"),
    [
        ({"speed": 1}, "unknown objective 'speed'.*choose from accuracy, one_minus_mae, vus"),
        ({"vus": -1}, "the weight of 'vus' is -1: give a number of at least 0"),
        ({"vus": np.nan}, "the weight of 'vus' is nan: give a number"),
        ({"vus": "much"}, "the weight of 'vus' is 'much': give a number"),
        ({"vus": 0, "accuracy": 0.0}, "all preferences are 0"),
        ({}, "all preferences are 0"),
    ],
)
def test_wrong_preferences(search, preferences, message):
    with pytest.raises(ValueError, match=message):
        search.select(preferences=preferences)


def test_a_preference_for_what_was_not_searched():
    X, y = draw(100)
    search = ParetoSearch(("vus", "accuracy"), n_iterations=3, labels=NAMES, random_state=0)
    search.fit(X, y)
    with pytest.raises(ValueError, match="'u_cons' was not searched: choose from vus, accuracy"):
        search.select(preferences={"u_cons": 1})
    assert list(search.select().evidence.preferences) == ["vus", "accuracy"]


def test_a_selected_model_is_shown_on_a_screen(model):
    shown = repr(model.evidence)
    assert "\n" not in shown
    assert f"cross-validated cost {model.evidence.rules.iloc[0, 0]:.4g} +-" in shown
    assert all(verdict in shown for verdict in model.evidence.verdicts)
    assert len(repr(model)) < 1_000


def test_held_out_figures_are_those_of_the_samples_held_out(search):
    X, y = draw()
    held = clone(search).set_params(holdout=0.3, n_iterations=2).fit(X, y)
    rows = held.holdout_rows_
    inside = np.setdiff1d(np.arange(len(y)), rows)
    model = held.select(class_costs=[1, 2, 6])
    costs, labels = model.evidence.costs.matrix, NAMES.tolist()
    found = model.evidence.rules["held out"]
    paid = expected_cost(y[rows], model.predict(X[rows]), costs, labels=labels)
    assert found["selected"] == pytest.approx(paid)
    codes = np.array([CODES[label] for label in y])
    one_class = costs[codes[inside]].sum(axis=0).argmin()
    assert found["always one class"] == pytest.approx(costs[codes[rows], one_class].mean())
    fitter = LinearRuleFitter(X[inside], codes[inside], 3)
    plug_in, _ = fitter.predict_plug_in(X[rows], costs)
    assert found["proportional odds"] == pytest.approx(costs[codes[rows], plug_in].mean())
    np.testing.assert_array_equal(
        fitter.predict_plug_in(X[inside], costs)[0], fitter.plug_in(costs)[0]
    )
    figures = model.evidence.objectives.loc["held out"]
    assert figures["accuracy"] == pytest.approx((model.predict(X[rows]) == y[rows]).mean())
    gained = held.select(preferences={"accuracy": 1}).evidence
    most = held.front_.objectives["accuracy"].max() - held.front_.chance["accuracy"]
    commonest = np.bincount(codes[rows]).max() / len(rows)
    found = (gained.objectives.loc["held out", "accuracy"] - commonest) / most
    assert gained.rules.loc["selected", "held out"] == pytest.approx(found, abs=1e-4)

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from moselect import Costs, compare
from moselect.metrics import expected_cost
from moselect.metrics.scorers import find_measures
from moselect.selection.differences import cost_verdict

MODELS = {
    "logistic": LogisticRegression(),
    "twin": LogisticRegression(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=3),
    "line": LinearRegression(),
    "broken": LogisticRegression(C=-1),
}
WORKING = [name for name in MODELS if name != "broken"]


@pytest.fixture(scope="module")
def found(data):
    return compare(MODELS, *data, random_state=1)


def test_the_table_summarises_the_folds(found):
    values = found.per_fold
    assert list(found.table.columns.levels[0].sort_values()) == sorted(
        [*found.measures, "seconds"]
    )
    for measure in find_measures(found.measures):
        table = found.table[measure.name].loc[WORKING]
        folds = np.array([values.loc[name, measure.name] for name in WORKING])
        assert folds.shape == (5, 10)
        np.testing.assert_allclose(table["mean"], np.mean(folds, axis=1))
        np.testing.assert_allclose(table["sd"], np.std(folds, axis=1, ddof=1))
        ranks = rankdata(-measure.sign * table["mean"], method="min")
        np.testing.assert_array_equal(table["rank"], ranks)
    fit = np.median(values.loc["tree", "fit_seconds"])
    assert found.table.loc["tree", ("seconds", "fit")] == fit
    assert found.table.loc["broken"].isna().all()


def test_the_front_is_what_nothing_dominates(found):
    for names in (found.measures, ("accuracy", "vus"), ("mean_absolute_error", "u_cons")):
        measures = find_measures(names)
        means = found.measured(names)
        points = {
            name: [m.sign * means.loc[name, (m.name, "mean")] for m in measures]
            for name in WORKING
        }
        best = [
            name
            for name, point in points.items()
            if not any(
                all(o >= p for o, p in zip(other, point, strict=True)) and other != point
                for other in points.values()
            )
        ]
        assert found.front(names) == best
        assert ("logistic" in best) == ("twin" in best)
    assert len(found.front(["accuracy"])) < len(WORKING)


COSTS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 3.0, 0.0]])


def decide_by_hand(found, name, matrix, priors=None):
    """Return the classes of each fold: of least expected cost where there are probabilities."""
    decided = []
    shares = np.bincount(found.codes) / len(found.codes)
    for held_out in found.results[name].fold_predictions:
        if held_out.predictions.proba is None:
            decided.append(held_out.predictions.codes)
            continue
        ratio = np.ones(3) if priors is None else np.array(priors) / shares
        expected = [
            [sum(p[c] * ratio[c] * matrix[c][k] for c in range(3)) for k in range(3)]
            for p in held_out.predictions.proba
        ]
        decided.append(np.argmin(expected, axis=1))
    return decided


def pay_by_hand(found, name, matrix):
    """Return what each object costs on average over the two repeats of the folds."""
    paid = np.zeros(len(found.codes))
    decided = decide_by_hand(found, name, matrix)
    for (_, test), classes in zip(found.folds, decided, strict=True):
        paid[test] += matrix[found.codes[test], classes] / 2
    return paid


@pytest.mark.parametrize("priors", [None, [0.2, 0.2, 0.6]])
def test_costs_are_those_of_predictions_on_objects_held_out(found, priors):
    costs = found.costs(Costs(cost_matrix=COSTS, priors=priors))
    expected = {}
    for name in WORKING:
        # Both repeats hold every object out once, so they can be measured together.
        pairs = list(zip(found.folds, found.results[name].fold_predictions, strict=True))
        true = np.concatenate([found.codes[test] for (_, test), _ in pairs])
        predicted = np.concatenate(decide_by_hand(found, name, COSTS, priors))
        expected[name] = expected_cost(
            true, predicted, COSTS, priors=priors, labels=range(3)
        )
    for name, cost in expected.items():
        assert costs.loc[name, "cost"] == pytest.approx(cost)
    assert costs["cost"].is_monotonic_increasing
    decisions = dict.fromkeys(WORKING, "plug-in") | {"line": "as it is"}
    assert costs["decision"].to_dict() == decisions
    assert cost_verdict(costs).startswith(f"{costs.index[0]} costs least")
    assert found.best_for(Costs(cost_matrix=COSTS, priors=priors)) == costs.index[0]
    assert costs[["excess", "excess_low", "excess_high"]].iloc[0].tolist() == [0.0] * 3
    # The best of the rows that judge it looks better than it is.
    shown = costs["cost"] / costs["cost"].min() - 1.0
    assert (costs["excess"] <= shown + 1e-12).all()
    assert (costs["excess_high"] >= shown).all()


def test_standard_errors_of_costs_count_each_object_once(found):
    costs = found.costs(Costs([1, 2, 3], "squared"))
    matrix = np.array([[0, 1, 4], [2, 0, 2], [12, 3, 0]])
    paid, n = pay_by_hand(found, "tree", matrix), len(found.codes)
    error = np.hypot(np.std(paid, ddof=1) / np.sqrt(n), matrix.max() / n)
    assert costs.loc["tree", "std_error"] == pytest.approx(error)


def test_costs_of_objects_that_are_not_held_out_equally_often(data):
    folds = [(range(10, 90), range(10)), (range(10, 90), range(5)), (range(80), [80])]
    found = compare("multinomial", *data, cv=folds)
    first, second, third = decide_by_hand(found, "multinomial", COSTS)
    np.testing.assert_array_equal(first[:5], second)  # the same training rows
    rows = [*range(10), 80]
    cost = expected_cost(found.codes[rows], [*first, *third], COSTS, labels=range(3))
    assert found.costs(COSTS).loc["multinomial", "cost"] == pytest.approx(cost)


def test_evidence_for_costs_counts_each_object_once_in_all_its_figures(found):
    evidence = found.evidence(COSTS)
    assert evidence.selected == found.best_for(COSTS)
    shown = evidence.candidates.loc[evidence.selected]
    overall = evidence.by(np.zeros(len(found.codes))).iloc[0]
    assert overall["cost"] == pytest.approx(shown["cost"])
    paid, n = pay_by_hand(found, evidence.selected, COSTS), len(found.codes)
    error = np.hypot(np.std(paid, ddof=1) / np.sqrt(n), COSTS.max() / (2 * n))
    assert overall["std_error"] == pytest.approx(error, rel=0.02)
    for name, difference in evidence.differences.items():
        saved = 1.0 - evidence.resampled.selected / evidence.resampled.losses[name]
        assert difference.estimate == pytest.approx(saved)
    curve = evidence.price(f"{found.classes[-1]}<{found.classes[-1]}")
    assert curve["cost"].min() <= evidence.candidates["cost"].min() + 1e-12

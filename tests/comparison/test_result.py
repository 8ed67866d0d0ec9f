import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from moselect import Costs, compare
from moselect.metrics import expected_cost
from moselect.metrics.scorers import find_measures
from moselect.selection.choice import cost_verdict

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
def comparison(data):
    return compare(MODELS, *data, random_state=1)


def test_the_table_summarises_the_folds(comparison):
    values = comparison.per_fold
    assert list(comparison.table.columns.levels[0].sort_values()) == sorted(
        [*comparison.measures, "seconds"]
    )
    for measure in find_measures(comparison.measures):
        table = comparison.table[measure.name].loc[WORKING]
        folds = np.array([values.loc[name, measure.name] for name in WORKING])
        assert folds.shape == (5, 10)
        np.testing.assert_allclose(table["mean"], np.mean(folds, axis=1))
        np.testing.assert_allclose(table["sd"], np.std(folds, axis=1, ddof=1))
        ranks = rankdata(-measure.sign * table["mean"], method="min")
        np.testing.assert_array_equal(table["rank"], ranks)
    fit = np.median(values.loc["tree", "fit_seconds"])
    assert comparison.table.loc["tree", ("seconds", "fit")] == fit
    assert comparison.table.loc["broken"].isna().all()


def test_the_front_holds_the_nondominated_models(comparison, dominated):
    for names in (
        comparison.measures,
        ("accuracy", "vus"),
        ("mean_absolute_error", "u_cons"),
    ):
        measures = find_measures(names)
        means = comparison.measured(names)
        points = [
            [m.sign * means.loc[name, (m.name, "mean")] for m in measures]
            for name in WORKING
        ]
        best = np.array(WORKING)[~dominated(points, points)].tolist()
        assert comparison.front(names) == best
        assert ("logistic" in best) == ("twin" in best)
    assert len(comparison.front(["accuracy"])) < len(WORKING)


COSTS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 3.0, 0.0]])


def decide_by_hand(comparison, name, matrix, priors=None):
    """Predict each test fold: the class of least expected cost if there are probabilities."""
    classes_by_fold = []
    shares = np.bincount(comparison.codes) / len(comparison.codes)
    for held_out in comparison.results[name].fold_predictions:
        if held_out.predictions.proba is None:
            classes_by_fold.append(held_out.predictions.codes)
            continue
        ratio = 1.0 if priors is None else np.array(priors) / shares
        expected = held_out.predictions.proba * ratio @ matrix
        classes_by_fold.append(expected.argmin(axis=1))
    return classes_by_fold


def costs_by_hand(comparison, name, matrix):
    """Mean cost of each sample over the two repeats of cross-validation."""
    costs = np.zeros(len(comparison.codes))
    classes_by_fold = decide_by_hand(comparison, name, matrix)
    for (_, test), classes in zip(comparison.folds, classes_by_fold, strict=True):
        costs[test] += matrix[comparison.codes[test], classes] / 2
    return costs


@pytest.mark.parametrize("priors", [None, [0.2, 0.2, 0.6]])
def test_costs_match_the_out_of_fold_predictions(comparison, priors):
    costs = comparison.costs(Costs(cost_matrix=COSTS, priors=priors))
    expected = {}
    for name in WORKING:
        # Each repeat tests every sample once, so both can be measured together.
        pairs = list(
            zip(comparison.folds, comparison.results[name].fold_predictions, strict=True)
        )
        true = np.concatenate([comparison.codes[test] for (_, test), _ in pairs])
        predicted = np.concatenate(decide_by_hand(comparison, name, COSTS, priors))
        expected[name] = expected_cost(
            true, predicted, COSTS, priors=priors, labels=range(3)
        )
    for name, cost in expected.items():
        assert costs.loc[name, "cost"] == pytest.approx(cost)
    assert costs["cost"].is_monotonic_increasing
    decisions = dict.fromkeys(WORKING, "plug-in") | {"line": "as it is"}
    assert costs["decision"].to_dict() == decisions
    assert cost_verdict(costs).startswith(f"{costs.index[0]} costs least")
    assert comparison.best_for(Costs(cost_matrix=COSTS, priors=priors)) == costs.index[0]
    assert costs[["excess", "excess_low", "excess_high"]].iloc[0].tolist() == [0.0] * 3
    # A minimum over candidates is optimistic: the excess corrects for it.
    shown = costs["cost"] / costs["cost"].min() - 1.0
    assert (costs["excess"] <= shown + 1e-12).all()
    assert (costs["excess_high"] >= shown).all()


def test_standard_errors_of_costs_count_each_sample_once(comparison):
    costs = comparison.costs(Costs([1, 2, 3], "squared"))
    matrix = np.array([[0, 1, 4], [2, 0, 2], [12, 3, 0]])
    row_costs = costs_by_hand(comparison, "tree", matrix)
    n = len(comparison.codes)
    error = np.hypot(np.std(row_costs, ddof=1) / np.sqrt(n), matrix.max() / n)
    assert costs.loc["tree", "std_error"] == pytest.approx(error)


def test_costs_of_samples_in_unequal_numbers_of_test_folds(data):
    folds = [(range(10, 90), range(10)), (range(10, 90), range(5)), (range(80), [80])]
    comparison = compare("multinomial", *data, cv=folds)
    first, second, third = decide_by_hand(comparison, "multinomial", COSTS)
    np.testing.assert_array_equal(first[:5], second)  # the same training rows
    rows = [*range(10), 80]
    cost = expected_cost(comparison.codes[rows], [*first, *third], COSTS, labels=range(3))
    assert comparison.costs(COSTS).loc["multinomial", "cost"] == pytest.approx(cost)


def test_evidence_for_costs_counts_each_sample_once(comparison):
    evidence = comparison.evidence(COSTS)
    assert evidence.selected == comparison.best_for(COSTS)
    shown = evidence.candidates.loc[evidence.selected]
    overall = evidence.by(np.zeros(len(comparison.codes))).iloc[0]
    assert overall["cost"] == pytest.approx(shown["cost"])
    row_costs = costs_by_hand(comparison, evidence.selected, COSTS)
    n = len(comparison.codes)
    error = np.hypot(np.std(row_costs, ddof=1) / np.sqrt(n), COSTS.max() / (2 * n))
    assert overall["std_error"] == pytest.approx(error, rel=0.02)
    for name, difference in evidence.differences.items():
        saved = 1.0 - evidence.resampled.selected / evidence.resampled.losses[name]
        assert difference.estimate == pytest.approx(saved)
    curve = evidence.price(f"{comparison.classes[-1]}<{comparison.classes[-1]}")
    assert curve["cost"].min() <= evidence.candidates["cost"].min() + 1e-12

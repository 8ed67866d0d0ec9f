"""Selection for a metric: solved decisions, evidence in the metric, and the deployed model."""

import numpy as np
import pandas as pd
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression

import moselect
from moselect import Costs, CostThresholdClassifier
from moselect.metrics import metric_named
from moselect.metrics.decision_metrics import count_cells
from moselect.samples.samples import Samples
from tests.selection.decisions import decide

LABELS = ["slight", "mild", "severe", "fatal"]


def _draw(n, seed):
    """Draw rows of a proportional-odds law with shares of 50, 30, 15 and 5 %."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.searchsorted([0.0, 2.1, 4.2], X @ [1.5, 1.0] + rng.logistic(size=n))


def _loss(name, codes, predicted):
    return metric_named(name, LABELS).loss(count_cells(codes, predicted, None, 4))


@pytest.fixture(scope="module")
def decision():
    X, codes = _draw(1_000, 0)
    y = np.array(LABELS)[codes]
    return decide(Samples.from_table(X, y, LABELS), np.arange(1_000) % 3)


@pytest.fixture(scope="module")
def new_rows():
    return _draw(50_000, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["quadratic_kappa", "f1:severe", "minimum_sensitivity", "maximum_mae"]
)
def test_a_model_for_a_metric_is_better_in_it_than_one_for_equal_costs(
    decision, new_rows, name
):
    X, codes = new_rows
    plain = decision.select(Costs(np.ones(4)), model="proportional odds")
    model = decision.select(Costs(metric=name), model="proportional odds")
    tuned_loss, plain_loss = (
        _loss(name, codes, _codes(fitted.predict(X))) for fitted in (model, plain)
    )
    assert tuned_loss < plain_loss
    evidence = model.evidence
    assert evidence.value == name
    true = metric_named(name, LABELS).value(tuned_loss)
    assert abs(evidence.expected - true) < 3.0 * evidence.expected_se


@pytest.mark.parametrize("name", ["quadratic_kappa", "minimum_sensitivity"])
def test_the_gain_over_a_constant_prediction_is_the_value_itself(decision, name):
    """Definition: always the same class has a kappa, and a minimum sensitivity, of 0."""
    evidence = decision.select(Costs(metric=name), model="proportional odds").evidence
    assert evidence.candidates[name]["always one class"] == pytest.approx(0.0, abs=1e-12)
    gain = evidence.differences["always one class"]
    assert gain.estimate == pytest.approx(evidence.expected, abs=0.01)
    assert gain.low < gain.estimate < gain.high


def _codes(labels):
    return pd.Categorical(labels, categories=LABELS).codes.astype(np.int64)


def test_predictions_minimise_the_solved_cost_matrix(decision, new_rows):
    model = decision.select(Costs(metric="quadratic_kappa"), model="additive")
    X = new_rows[0][:500]
    cheapest = (model.predict_proba(X) @ model.evidence.costs.matrix).argmin(axis=1)
    np.testing.assert_array_equal(_codes(model.predict(X)), cheapest)
    confusion = model.evidence.confusion.to_numpy(dtype=float)
    metric = metric_named("quadratic_kappa", LABELS)
    # The matrix is w - lambda d, lambda by these predictions, up to a constant in each row.
    ratio = float(metric.loss(confusion))
    distance = np.subtract.outer(np.arange(4), np.arange(4)) ** 2
    shares = confusion.sum(axis=1) / confusion.sum()
    expected = distance - ratio * (shares @ distance)
    matrix, expected = (
        each - each[:, :1] for each in (model.evidence.costs.matrix, expected)
    )
    np.testing.assert_allclose(
        matrix / matrix[3, -1], expected / expected[3, -1], rtol=0.05
    )


@pytest.mark.parametrize("name", ["jaccard:mild", "maximum_mae"])
def test_thresholds_of_any_score_are_tuned_to_a_metric(name):
    X, codes = _draw(600, 2)
    y = np.array(LABELS)[codes]
    fitted = FrozenEstimator(LinearRegression().fit(X, codes + 1.0))
    tuned, plain = (
        CostThresholdClassifier(fitted, labels=LABELS, metric=metric).fit(X, y)
        for metric in (name, None)
    )
    new, truth = _draw(20_000, 3)
    tuned_loss, plain_loss = (
        _loss(name, truth, _codes(model.predict(new))) for model in (tuned, plain)
    )
    assert tuned_loss < plain_loss
    assert tuned.cost_matrix_.shape == (4, 4)


def test_a_comparison_shows_the_metric():
    X, codes = _draw(400, 5)
    costs = Costs(metric="quadratic_kappa")
    names = ["always_one_class", "multinomial", "linear", "ordinal_ridge"]
    evidence = moselect.compare(names, X, codes, cv=3, costs=costs, random_state=1)
    table = evidence.candidates
    assert table.index[0] in ("multinomial", "linear")
    assert table.columns[0] == "quadratic_kappa"
    assert table["quadratic_kappa"].is_monotonic_decreasing
    for decided in evidence.evaluations.values():
        expected = _loss("quadratic_kappa", codes, decided.out_of_fold.codes)
        assert decided.figure()[0] == pytest.approx(float(expected))
    assert evidence.for_costs(np.ones(4)).candidates.columns[0] == "cost"
    assert evidence.costs.matrix.shape == (4, 4)


@pytest.mark.slow
def test_worst_sensitivities_are_corrected_once(new_rows):
    """Decisions make the sensitivities equal on the rows that they were made for."""
    X_new, codes_new = new_rows
    excess = []
    for seed in range(2, 14):
        X, codes = _draw(300, seed)
        of_table = decide(Samples.from_table(X, np.array(LABELS)[codes], LABELS))
        costs = Costs(metric="minimum_sensitivity")
        model = of_table.select(costs, "proportional odds")
        predicted = pd.Index(LABELS).get_indexer(model.predict(X_new))
        true = 1.0 - _loss("minimum_sensitivity", codes_new, predicted)
        excess.append((model.evidence.expected - true) / model.evidence.expected_se)
    # Corrected twice, it is -.7.
    assert abs(np.mean(excess)) < 0.5

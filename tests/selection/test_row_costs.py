"""Costs of each row: thresholds, decisions, evidence and files."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import moselect
from moselect import Costs, CostSensitiveOrdinalClassifier, CostThresholdClassifier
from moselect.candidates.names import ROW_SHARES
from moselect.costs.priced import Priced
from moselect.evaluation.rules import LeastExpectedCost
from moselect.export import export_model
from moselect.models.training_columns import unprepared_samples
from moselect.predictor import predict_table
from moselect.report.headline import headline
from moselect.samples import Samples
from tests.selection.decisions import decide

# The score rises with the amount.
ONE_COLUMN = make_pipeline(
    FunctionTransformer(lambda table: table[["c"]]), LinearRegression()
)
ODDS = "proportional odds"
LABELS = np.array(["none", "small", "large"])
CELLS = pd.DataFrame(
    [
        ["0", "30", "60"],
        ["`claim amount` / 2", "0", "min(30, `claim amount`)"],
        ["`claim amount`", "0.5 * `claim amount`", "0"],
    ],
    LABELS,
    LABELS,
)


def _draw(n, seed):
    """Draw claims with lognormal amounts, and compute the costs (n, 3, 3) by hand."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    codes = np.searchsorted([-0.8, 1.5], X @ [1.5, 1.0] + rng.logistic(size=n))
    amounts = np.exp(rng.normal(4.0, 1.2, size=n)).round(2)
    costs = np.zeros((n, 3, 3))
    costs[:, 0, 1:] = 30.0, 60.0
    costs[:, 2, 0] = amounts
    costs[:, 1, 0] = costs[:, 2, 1] = amounts / 2.0
    costs[:, 1, 2] = np.where(amounts < 30.0, amounts, 30.0)
    table = pd.DataFrame(X, columns=["a", "b"]).assign(**{"claim amount": amounts})
    return table, codes, costs


def _mean_cost(costs, codes, labels, weights=None):
    predicted = pd.Categorical(labels, LABELS).codes
    return np.average(costs[np.arange(len(codes)), codes, predicted], weights=weights)


def _selector(table, codes, **roles):
    """Return a function that selects for costs; the amount is no feature."""
    X = table[["a", "b"]]
    decision = decide(unprepared_samples(X, codes, LABELS, None, **roles))
    by = table.assign(town="Bonn")
    return lambda cells, **options: decision.select(
        Costs(cost_matrix=cells, **options), ODDS, by=by
    )


def test_costs_that_differ_by_a_factor_keep_known_directions(rng):
    amounts = rng.uniform(1.0, 100.0, 200)
    matrix = np.array([[0.0, 1.0, 3.0], [2.0, 0.0, 1.0], [9.0, 4.0, 0.0]])
    rows = amounts[:, None, None] * matrix
    samples = Samples(np.empty((200, 0)), np.arange(200) % 3, LABELS, rows=np.arange(200))
    offset = rows.copy()
    offset[:, 2, 0] += 50.0
    for costs, expected in (
        (rows, True),
        (offset, False),
        (rows * (amounts > 50.0)[:, None, None], False),
    ):
        priced = Priced(costs.mean(axis=0), rows=costs, decides_by_row=True)
        rule = LeastExpectedCost(priced, priced.in_use, by_row=True)
        assert rule.keeps_order_by_row(samples) is expected


@pytest.mark.checks("Costs", "costs of new rows of a known law")
@pytest.mark.slow
@pytest.mark.parametrize("grouped", [False, True])
def test_row_cost_decisions_beat_mean_cost_decisions(grouped, rng):
    table, codes, costs = _draw(600, 0)
    weights = groups = None
    if grouped:  # two claims with each amount and class
        groups = np.arange(600) // 2
        table = table.iloc[2 * groups]
        codes = codes[2 * groups]
        costs = costs[2 * groups]
        weights = rng.uniform(0.5, 2.0, 600)
    select = _selector(
        table.reset_index(drop=True), codes, sample_weight=weights, groups=groups
    )
    model = select(CELLS)
    evidence = model.evidence
    plain = select(evidence.costs.matrix)
    new, truth, later = _draw(20_000, 3)
    labels = model.predict(new)
    costs_incurred = _mean_cost(later, truth, labels)
    assert costs_incurred < 0.95 * _mean_cost(later, truth, plain.predict(new))
    assert abs(evidence.expected - costs_incurred) < 3.0 * evidence.expected_se
    # Definition: the class of least P(x) C(x).
    expected = np.einsum("nc,ncm->nm", model.predict_proba(new), later)
    np.testing.assert_array_equal(labels, LABELS[expected.argmin(axis=1)])
    # The evidence is the mean cost of the out-of-fold predictions.
    shown, _ = evidence.evaluations[ODDS].figure()
    own = _mean_cost(costs, codes, evidence.predicted[ODDS], weights)
    assert shown == pytest.approx(own)
    assert evidence.sum == pytest.approx(600 * evidence.expected)
    assert moselect.check(model, new, LABELS[truth]).cost == pytest.approx(costs_incurred)


@pytest.fixture(scope="module")
def selection():
    table, codes, costs = _draw(300, 0)
    return _selector(table, codes), codes, costs


def test_a_constant_prediction_is_one_class_whatever_a_row_costs(selection):
    select, codes, costs = selection
    evidence = select(CELLS).evidence
    cost = evidence.candidates["cost"]
    # Definition: the cheapest of the three classes, predicted for every row.
    constant = costs[np.arange(len(codes)), codes].mean(axis=0)
    assert evidence.predicted["always one class"].nunique() == 1
    assert cost["always one class"] == pytest.approx(constant.min())
    # Definition: least cost of the row by the class shares of the other folds.
    shares = evidence.probabilities[ROW_SHARES]
    np.testing.assert_allclose(
        shares, [np.bincount(codes) / len(codes)] * len(codes), atol=0.01
    )
    by_row = np.einsum("nc,ncm->nm", shares, costs).argmin(axis=1)
    incurred = costs[np.arange(len(codes)), codes, by_row].mean()
    assert evidence.evaluations[ROW_SHARES].figure()[0] == pytest.approx(incurred)
    assert headline(evidence)[1].startswith("Class shares with the costs of the row (")
    assert set(evidence.price("large<large")["model"]) <= {ODDS, ROW_SHARES}
    # One matrix for all rows: both would be the same.
    assert ROW_SHARES not in select(evidence.costs.matrix).evidence.candidates.index


def test_a_row_without_an_amount_gets_a_reason_and_no_class(selection, tmp_path):
    model = selection[0](CELLS, refer=20.0)
    table = pd.DataFrame({"a": 0.0, "b": 0.0, "claim amount": ["90", "", "much", "-5"]})
    found = predict_table(model, table)
    assert found.classes[0] == model.predict(table[:1])[0]
    assert found.reasons.tolist() == [
        "",
        "'claim amount' of its costs is missing",
        "'claim amount' of its costs is 'much'",
        "a cost is negative",
    ]
    with pytest.raises(ValueError, match="row 2 has no costs: 'claim amount'"):
        model.predict(table)
    for suffix in ("sql", "onnx"):
        with pytest.raises(ValueError, match="decisions by the costs of each row"):
            export_model(model, tmp_path / f"m.{suffix}")


def test_costs_may_be_functions_or_arrays(selection, tmp_path):
    select, codes, costs = selection
    by_function = select(lambda table: costs[table.index])
    assert by_function.evidence.expected == select(CELLS).evidence.expected
    with pytest.raises(ValueError, match="costs by a function cannot be written"):
        moselect.io.write_model(tmp_path / "m.json", by_function)
    # New rows have no known costs: decisions minimise the mean costs, evidence uses each row.
    by_array = select(costs).evidence
    own = _mean_cost(costs, codes, by_array.predicted[ODDS])
    assert by_array.evaluations[ODDS].figure()[0] == pytest.approx(own)
    mean = np.stack([costs[codes == k, k].mean(axis=0) for k in range(3)])
    assert (by_array.predicted[ODDS] == select(mean).evidence.predicted[ODDS]).all()


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("amount", "need the column 'amount'; did you mean 'claim amount'"),
        ("town", "the column 'town', which is text"),
        ("a", "row \\d+ has no costs: a cost is negative"),
        ("1 / (a - a)", "row 1 has no costs: a cost is missing or infinite"),
    ],
)
def test_wrong_costs_are_refused_in_one_line(selection, cell, message):
    select, _, costs = selection
    with pytest.raises(ValueError, match=message) as error:
        select(CELLS.replace("30", cell))
    assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match="being right costs more than a mistake"):
        select(costs + 100.0 * np.eye(3))
    with pytest.raises(ValueError, match="a matrix for each row of the table"):
        select(costs[:9])


@pytest.mark.parametrize(
    "estimator",
    [
        CostSensitiveOrdinalClassifier(labels=LABELS.tolist()),
        CostThresholdClassifier(ONE_COLUMN, labels=LABELS.tolist()),
    ],
)
def test_thresholds_for_row_costs_beat_thresholds_for_mean_costs(estimator):
    # Large claims have high scores and large costs.
    (table, codes, _) = _draw(600, 1)
    (new, truth, later) = _draw(20_000, 2)
    table, new = (
        each.assign(c=each["a"] + np.log(each["claim amount"])) for each in (table, new)
    )
    fitted = estimator.set_params(cost_matrix=CELLS).fit(table, LABELS[codes])
    costs_incurred = _mean_cost(later, truth, fitted.predict(new))
    plain = estimator.set_params(cost_matrix=fitted.cost_matrix_).fit(
        table, LABELS[codes]
    )
    assert costs_incurred < 0.95 * _mean_cost(later, truth, plain.predict(new))


def test_compared_models_minimise_their_row_costs():
    table, codes, costs = _draw(300, 4)
    y = pd.Series(pd.Categorical.from_codes(codes, LABELS, ordered=True))
    row_costs = Costs(cost_matrix=CELLS)
    names = ["always_one_class", "proportional_odds"]
    found = moselect.compare(names, table, y, cv=3, costs=row_costs)
    proba = found.probabilities["proportional_odds"]
    labels = LABELS[np.einsum("nc,ncm->nm", proba, costs).argmin(axis=1)]
    costs_incurred = _mean_cost(costs, codes, labels)
    shown, _ = found.evaluations["proportional_odds"].figure()
    assert shown == pytest.approx(costs_incurred)
    constant = costs[np.arange(300), codes].mean(axis=0).min()
    assert found.candidates["cost"]["always_one_class"] == pytest.approx(constant)
    # Rows with their own costs can be evaluated for costs of classes, and back.
    again = found.for_costs([1.0] * costs.shape[1]).for_costs(row_costs)
    pd.testing.assert_frame_equal(again.candidates, found.candidates)

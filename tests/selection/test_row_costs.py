"""Costs of each row: thresholds, decisions, evidence and files."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import moselect
from moselect import Costs, CostSensitiveOrdinalClassifier, CostThresholdClassifier
from moselect.export import export_model
from moselect.metrics.cost_expressions import CostExpression
from moselect.models.training_columns import unprepared_samples
from moselect.predictor.predictions import predict_table
from moselect.selection import Decision
from moselect.selection.candidates import CandidateFactory
from moselect.selection.linear.thresholds import exact_thresholds

# a score that rises with the amount
ONE_COLUMN = make_pipeline(
    FunctionTransformer(lambda table: table[["a"]]), LinearRegression()
)
LABELS = ["none", "small", "large"]
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
    """Draw claims with lognormal amounts, which do not depend on the class."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    latent = X @ [1.5, 1.0] + rng.logistic(size=n)
    amounts = np.exp(rng.normal(4.0, 1.2, size=n)).round(2)
    return X, np.searchsorted([-0.8, 1.5], latent), amounts


def _costs(amounts):
    """Compute the costs (n, 3, 3) of `CELLS` by hand."""
    costs = np.zeros((len(amounts), 3, 3))
    costs[:, 0, 1:] = 30.0, 60.0
    costs[:, 1, 0] = amounts / 2.0
    costs[:, 1, 2] = np.where(amounts < 30.0, amounts, 30.0)
    costs[:, 2, 0] = amounts
    costs[:, 2, 1] = amounts / 2.0
    return costs


def _decision(X, codes, weights=None, groups=None):
    table = pd.DataFrame(X, columns=["a", "b"])
    samples = unprepared_samples(table, codes, np.array(LABELS), True, weights, groups)
    return Decision(samples, CandidateFactory(samples.X, n_jobs=1))


@pytest.mark.parametrize("text", ["-a + 2 * (b - .5) / a", "min(a, b, 3) - max(b, 1e2)"])
def test_expressions_are_those_of_python(text):
    a, b = np.random.default_rng(0).uniform(1.0, 9.0, (2, 20))
    expected = [eval(text, {"a": x, "b": y}) for x, y in zip(a, b, strict=True)]
    np.testing.assert_array_equal(CostExpression(text)({"a": a, "b": b}), expected)


@pytest.mark.parametrize("n_classes", [3, 4])
def test_no_thresholds_cost_less_in_sum_over_the_rows(n_classes):
    rng = np.random.default_rng(n_classes)
    rows = np.arange(9)
    for _ in range(60):
        codes = rng.permutation(rows % n_classes)
        scores = rng.integers(0, 6, 9).astype(float)  # ties
        weights = rng.uniform(0.5, 2.0, 9)
        costs = rng.lognormal(0.0, 1.5, (9, n_classes, n_classes))
        costs[:, np.arange(n_classes), np.arange(n_classes)] = 0.0

        def mean(thresholds, known=(codes, scores, weights, costs)):
            codes, scores, weights, costs = known
            predicted = np.searchsorted(thresholds, scores)
            return np.average(costs[rows, codes, predicted], weights=weights)

        places = [-np.inf, *np.unique(scores)]
        tried = itertools.combinations_with_replacement(places, n_classes - 1)
        thresholds, cost = exact_thresholds(scores, codes, costs, weights)
        assert cost == pytest.approx(min(map(mean, tried)), abs=1e-12)
        assert mean(thresholds) == pytest.approx(cost)


@pytest.mark.parametrize("grouped", [False, True])
def test_decisions_by_each_row_cost_less_than_by_the_mean(tmp_path, grouped):
    X, codes, amounts = _draw(600, 0)
    weights = groups = None
    if grouped:
        groups = np.arange(600) // 2
        codes, amounts = codes[2 * groups], amounts[2 * groups]
        X = X[2 * groups] + np.random.default_rng(1).normal(scale=0.01, size=X.shape)
        weights = np.random.default_rng(2).uniform(0.5, 2.0, 600)
    decision = _decision(X, codes, weights, groups)
    by = pd.DataFrame({"claim amount": amounts})
    model = decision.for_costs(Costs(cost_matrix=CELLS), "proportional odds", by=by)
    mean = Costs(cost_matrix=model.evidence.costs.matrix)
    plain = decision.for_costs(mean, "proportional odds")
    new, truth, later = _draw(20_000, 3)
    table = pd.DataFrame(new, columns=["a", "b"]).assign(**{"claim amount": later})
    costs = _costs(later)[np.arange(20_000), truth]
    paid = [
        costs[np.arange(20_000), pd.Categorical(labels, LABELS).codes].mean()
        for labels in (model.predict(table), plain.predict(table))
    ]
    assert paid[0] < 0.95 * paid[1]
    evidence = model.evidence
    assert abs(evidence.expected - paid[0]) < 3.0 * evidence.expected_se
    # by hand: the class of least P(x) C(x)
    expected = np.einsum("nc,ncm->nm", model.predict_proba(table), _costs(later))
    called = model.predict(table)
    np.testing.assert_array_equal(called, np.array(LABELS)[expected.argmin(axis=1)])
    # the evidence is that of the out-of-fold predictions, in money
    rows = np.arange(600)
    own = _costs(amounts)[rows, codes, evidence.predicted_codes["proportional odds"]]
    shown = evidence.candidates["cost"]["proportional odds"]
    assert shown == pytest.approx(np.average(own, weights=weights))
    assert evidence.sum == pytest.approx(600 * evidence.expected)
    moselect.io.write_model(tmp_path / "m.json", model)
    again = moselect.io.read_model(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict(table), called)
    checked = moselect.check(again, table, np.array(LABELS)[truth])
    assert checked.cost == pytest.approx(paid[0])


@pytest.fixture(scope="module")
def decided():
    X, codes, amounts = _draw(300, 0)
    decision = _decision(X, codes)
    by = pd.DataFrame({"claim amount": amounts, "town": "Bonn"})

    def select(cells, **further):
        costs = Costs(cost_matrix=cells, **further)
        return decision.for_costs(costs, "proportional odds", by=by)

    return select, _costs(amounts)


def test_a_row_without_an_amount_gets_a_reason_and_no_class(decided):
    select, _ = decided
    model = select(CELLS, refer=20.0)
    table = pd.DataFrame({"a": 0.0, "b": 0.0, "claim amount": ["90", "", "much", "-5"]})
    found = predict_table(model, table)
    assert (
        found.classes[0] == model.predict(table[:1].assign(**{"claim amount": 90.0}))[0]
    )
    assert found.classes[1:].tolist() == [None] * 3
    assert found.reasons[1:].tolist() == [
        "'claim amount' of its costs is missing",
        "'claim amount' of its costs is 'much'",
        "a cost is negative",
    ]
    with pytest.raises(ValueError, match="row 2 has no costs: 'claim amount'"):
        model.predict(table)


def test_functions_and_arrays_are_costs_too(decided, tmp_path):
    select, costs = decided
    by_function = select(lambda table: _costs(table["claim amount"].to_numpy()))
    assert by_function.evidence.expected == select(CELLS).evidence.expected
    with pytest.raises(ValueError, match="costs by a function cannot be written"):
        moselect.io.write_model(tmp_path / "m.json", by_function)
    # the costs of new rows are unknown: decisions are by their mean, and measured by each
    by_array = select(costs).evidence
    codes, predicted = (
        by_array.samples.codes,
        by_array.predicted_codes["proportional odds"],
    )
    own = costs[np.arange(300), codes, predicted].mean()
    assert by_array.candidates["cost"]["proportional odds"] == pytest.approx(own)
    mean = np.stack([costs[codes == k, k].mean(axis=0) for k in range(3)])
    plain = select(mean).evidence.predicted_codes["proportional odds"]
    np.testing.assert_array_equal(predicted, plain)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("amount", "the costs need the column 'amount'; did you mean 'claim amount'"),
        ("town", "the column 'town', which is text"),
        ("__import__('os').getpid()", "cannot be read: write numbers, columns"),
        ("a", "row \\d+ has no costs: a cost is negative"),
        ("1 / (a - a)", "row 1 has no costs: a cost is missing or infinite"),
    ],
)
def test_wrong_expressions_are_told_in_one_line(decided, cell, message):
    cells = CELLS.copy()
    cells.iloc[0, 1] = cell
    with pytest.raises(ValueError, match=message) as error:
        decided[0](cells)
    assert "\n" not in str(error.value)


def test_what_holds_no_costs_of_each_row_says_so(decided, tmp_path):
    model = decided[0](CELLS)
    for suffix in ("sql", "onnx"):
        with pytest.raises(ValueError, match="decisions by the costs of each row"):
            export_model(model, tmp_path / f"m.{suffix}")
    with pytest.raises(ValueError, match="being right costs more than a mistake"):
        decided[0](decided[1] + 100.0 * np.eye(3))
    with pytest.raises(ValueError, match="a matrix for each row of the table"):
        decided[0](decided[1][:9])


@pytest.mark.parametrize(
    "estimator",
    [
        CostSensitiveOrdinalClassifier(labels=LABELS),
        CostThresholdClassifier(ONE_COLUMN, labels=LABELS),
        CostThresholdClassifier(ONE_COLUMN, labels=LABELS, method="exact"),
    ],
)
def test_thresholds_for_the_costs_of_each_row_cost_less(estimator):
    # small claims have low scores: where costs are small
    def draw(n, seed):
        X, codes, amounts = _draw(n, seed)
        X[:, 0] += np.log(amounts)
        table = pd.DataFrame(X, columns=["a", "b"]).assign(**{"claim amount": amounts})
        return table, codes, amounts

    table, codes, _ = draw(600, 1)
    tested, truth, later = draw(20_000, 2)
    costs = _costs(later)[np.arange(20_000), truth]
    paid = []
    for cells in (CELLS, None):
        if cells is None:
            cells = estimator.cost_matrix_  # the mean given the true class
        estimator.set_params(cost_matrix=cells).fit(table, np.array(LABELS)[codes])
        predicted = pd.Categorical(estimator.predict(tested), LABELS).codes
        paid.append(costs[np.arange(20_000), predicted].mean())
    assert paid[0] < 0.95 * paid[1]


def test_compared_models_decide_by_the_costs_of_their_rows(tmp_path):
    X, codes, amounts = _draw(300, 4)
    table = pd.DataFrame(X, columns=["a", "b"]).assign(**{"claim amount": amounts})
    y = pd.Series(pd.Categorical(np.array(LABELS)[codes], LABELS, ordered=True))
    found = moselect.compare(
        "proportional_odds",
        table,
        y,
        cv=3,
        costs=Costs(cost_matrix=CELLS),
        random_state=1,
    )
    (parts,) = (result.held_out for result in found.results.values())
    paid = [
        costs[np.arange(len(costs)), codes[part.rows], expected.argmin(axis=1)]
        for part in parts
        for costs in [_costs(amounts[part.rows])]
        for expected in [np.einsum("nc,ncm->nm", part.proba, costs)]
    ]
    assert found.costs()["cost"].iloc[0] == pytest.approx(np.concatenate(paid).mean())
    moselect.io.write_comparison(tmp_path / "c.jsonl", found)
    again = moselect.io.read_comparison(tmp_path / "c.jsonl")
    pd.testing.assert_frame_equal(again.costs(), found.costs())

"""Figures of a model on all rows of a source, beside those of the table in memory."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import confusion_matrix

import moselect
from moselect.budgets import MEMORY
from moselect.datasets import load_dataset
from moselect.monitoring import evaluate_rows
from moselect.predictor import ModelCard

N = 3000


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    x = rng.normal(size=N)
    levels = np.digitize(x + rng.normal(size=N), [-1.0, 0.5, 2.4])
    return pd.DataFrame(
        {
            "x": x.round(4),
            "town": rng.choice(["Bonn", "Cork"], N),
            "weight": rng.integers(1, 4, N),
            "patient": rng.integers(0, 300, N),
            "grade": np.array(["none", "slight", "serious", "severe"])[levels],
        }
    )


ORDER = ["none", "slight", "serious", "severe"]


def linear_model(X, y, costs):
    search = moselect.ParetoSearch(n_iterations=1, cv=None, random_state=1).fit(X, y)
    return search.select(costs=costs, model="linear")


def grades(table):
    return pd.Categorical(table["grade"], ORDER, ordered=True)


@pytest.fixture(scope="module")
def model(table):
    return linear_model(table[["x", "town"]][:400], grades(table)[:400], [1, 2, 5, 10])


@pytest.fixture
def path(tmp_path, table, set_budget):
    set_budget(MEMORY, file_bytes=0, block_bytes=10_000, block_cells=2000)
    table.to_csv(tmp_path / "rows.csv", index=False)
    table.to_parquet(tmp_path / "rows.parquet")
    return tmp_path / "rows.csv"


def slow_figures(model, table, used, weights, clusters):
    """Confusion, cost and error of rows that are used, at the shares of all."""
    predicted = model.predict(table[["x", "town"]])
    confusion = confusion_matrix(
        table["grade"][used], predicted[used], labels=ORDER, sample_weight=weights[used]
    )
    codes = table["grade"].map(ORDER.index).to_numpy()
    answers = pd.Series(predicted).map(ORDER.index).to_numpy()
    losses = np.array(model.reference.costs)[codes, answers]
    cost = 0.0
    influences = np.zeros(N)
    for code in range(4):
        of_class = codes == code
        rows = of_class & used
        share = weights[of_class].sum() / weights.sum()
        mean = np.average(losses[rows], weights=weights[rows])
        cost += share * mean
        parts = weights[rows] / weights[rows].sum()
        influences[rows] = share * parts * (losses[rows] - mean)
    sums = pd.Series(influences[used]).groupby(clusters[used]).sum()
    return confusion, cost, np.std(sums, ddof=1) * np.sqrt(len(sums))


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("roles", [{}, {"weight": "weight"}, {"group": "patient"}])
def test_blocks_have_the_figures_of_the_table(
    model, path, table, form, roles, set_budget
):
    # As many clusters as rows or groups have no two of them in one.
    if "group" in roles:
        set_budget(MEMORY, clusters=2**20)
    rows = np.arange(0, N, 7)
    found = evaluate_rows(
        model, path.with_suffix(f".{form}"), target="grade", sample_rows=rows, **roles
    )
    used = ~np.isin(np.arange(N), rows)
    weights = table["weight"].to_numpy(float) if "weight" in roles else np.ones(N)
    clusters = table["patient"].to_numpy() if "group" in roles else np.arange(N)
    confusion, cost, error = slow_figures(model, table, used, weights, clusters)
    assert_allclose(found.confusion, confusion)
    assert found.cost == pytest.approx(cost, rel=1e-12)
    assert found.std_error == pytest.approx(error, rel=1e-9)
    assert (found.n_rows, found.n_sampled, found.n_excluded) == (used.sum(), len(rows), 0)


def test_few_clusters_estimate_the_same_error(model, path, set_budget):
    exact = evaluate_rows(model, path, target="grade").std_error
    set_budget(MEMORY, clusters=500)
    thinned = evaluate_rows(model, path, target="grade").std_error
    assert thinned == pytest.approx(exact, rel=4 / np.sqrt(2 * 500))


def test_a_class_without_other_rows_has_its_reported_cost_and_part_of_the_error(
    model, path, table
):
    in_sample = (table["grade"] == "severe") | (table.index % 3 == 0)
    rows = np.flatnonzero(in_sample)
    found = evaluate_rows(model, path, target="grade", sample_rows=rows)
    shares = (table["grade"].value_counts() / N)[ORDER]
    costs = np.array(model.reference.costs)
    parts = []
    cost = 0.0
    variance = 0.0
    for k, label in enumerate(ORDER):
        counts = np.array(model.reference.confusion)[k]
        mean = np.average(costs[k], weights=counts)
        spread = np.average((costs[k] - mean) ** 2, weights=counts)
        n = (in_sample & (table["grade"] == label)).sum()
        parts.append(shares[label] ** 2 * spread / n)
        others = np.repeat(costs[k], found.confusion.loc[label].astype(int))
        cost += shares[label] * (others.mean() if len(others) else mean)
        if len(others):
            variance += shares[label] ** 2 * others.var() / len(others)
    assert found.cost == pytest.approx(cost)
    variance += model.reference.error**2 * parts[3] / sum(parts)
    assert found.std_error == pytest.approx(np.sqrt(variance), rel=1e-3)


def test_rows_without_class_or_prediction_are_counted(model, path, table):
    table = table.astype({"x": object})
    table.loc[::10, "grade"] = None
    table.loc[5::100, "x"] = "heavy"
    table.to_csv(path, index=False)
    found = evaluate_rows(model, path, target="grade")
    assert (found.n_rows, found.n_excluded) == (N - 330, 330)
    assert found.confusion.sum(axis=None) == N - 330


@pytest.mark.slow
def test_merged_labels_and_bins_are_classes(path, table):
    merged = ["none", "slight + serious", "severe"]
    data = load_dataset(path, target="grade", order=merged)
    model = linear_model(data.X[["x", "town"]], data.y, [1, 2, 5])
    found = evaluate_rows(model, path, target="grade")
    counts = table["grade"].replace(["slight", "serious"], merged[1]).value_counts()
    assert found.confusion.sum(axis=1).to_dict() == counts.to_dict()
    binned = load_dataset(path, target="x", bins=3)
    model = linear_model(binned.X[["town", "weight"]], binned.y, [1, 2, 5])
    edges = binned.y.attrs["bin_edges"]
    highest = binned.codes == 2
    excluded = table["x"][highest].head(4)
    found = evaluate_rows(model, path, target="x", bin_edges=edges, leave_out=excluded)
    counts = np.bincount(binned.codes) - [0, 0, len(excluded)]
    assert_allclose(found.confusion.sum(axis=1), counts)


def test_the_target_and_costs_of_each_row_are_those_of_the_model(path, table):
    cells = [[f"{abs(k - y)} * weight" for k in range(4)] for y in range(4)]
    X = table[["x", "town", "weight"]][:400]
    costs = pd.DataFrame(cells, ORDER, ORDER)
    model = linear_model(X, grades(table)[:400], costs)
    model = model.replace(card=ModelCard(predicts="grade", n_rows=400))
    found = evaluate_rows(model, path)
    classes = pd.Categorical(model.predict(table), ORDER)
    errors = np.abs(classes.codes - grades(table).codes)
    assert found.cost == pytest.approx((errors * table["weight"]).mean())


def test_errors_are_one_line(model, path):
    with pytest.raises(ValueError, match="there is no column 'grades'"):
        evaluate_rows(model, path, target="grades")
    with pytest.raises(ValueError, match=r"no row of .* can be predicted"):
        evaluate_rows(model, path, target="grade", sample_rows=np.arange(N))

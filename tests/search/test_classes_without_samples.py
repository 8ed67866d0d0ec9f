"""Classes of the scale that no sample has: distances and costs count them."""

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.io import read_comparison, write_comparison

SCALE = [1, 2, 3, 4, 5]
CLASS_COSTS = [1, 1, 9, 5, 5]


@pytest.fixture(scope="module")
def table():
    """Labels 1, 2, 4, 5 by a noisy sum: numbers, so that distances are their differences."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(160, 2))
    score = X @ [1.0, 0.5] + rng.normal(size=160) * 0.7
    return X, np.array([1, 2, 4, 5])[np.digitize(score, [-1.0, 0.0, 1.0])]


@pytest.fixture(scope="module")
def search(table):
    objectives = ("accuracy", "one_minus_mae", "one_minus_macro_mae", "quadratic_kappa")
    settings = {"n_particles": 10, "n_iterations": 2, "cv": 2, "random_state": 1}
    search = moselect.ParetoSearch((*objectives, "cost"), **settings)
    return search.set_params(labels=SCALE, class_costs=CLASS_COSTS).fit(*table)


def test_objectives_are_those_of_the_whole_scale(table, search):
    X, y = table
    for index, values in search.front_.objectives.iterrows():
        predicted = search.front_[index].predict(X)
        off = np.abs(predicted - y)
        by_class = [off[y == label].mean() for label in (1, 2, 4, 5)]
        costs = np.array(CLASS_COSTS)[y - 1] * off
        kappa = moselect.metrics.weighted_kappa_score(
            y, predicted, weights="quadratic", labels=SCALE
        )
        measures = [(predicted == y).mean(), 1.0 - off.mean(), 1.0 - np.mean(by_class)]
        expected = [*measures, kappa, 1.0 - costs.mean()]
        np.testing.assert_allclose(values, expected, atol=1e-12)


def test_costs_of_the_whole_scale_select_what_those_of_its_part_do(table, search):
    present = np.array([0, 1, 3, 4])
    matrix = moselect.cost_matrix(CLASS_COSTS)
    assert search.classes_.tolist() == [1, 2, 4, 5]
    assert search.scale_.tolist() == SCALE
    priors = [0.1, 0.2, 0.0, 0.3, 0.4]
    by_scale = search.select(CLASS_COSTS, model="linear", priors=priors, refer=[2.0] * 5)
    without = moselect.ParetoSearch(**search.get_params() | {"labels": None})
    without.set_params(class_costs=None, cost_matrix=matrix[np.ix_(present, present)])
    by_part = without.fit(*table).select(
        cost_matrix=without.cost_matrix,
        priors=[0.1, 0.2, 0.3, 0.4],
        model="linear",
        refer=2.0,
    )
    np.testing.assert_array_equal(by_scale.predict(table[0]), by_part.predict(table[0]))
    with pytest.raises(ValueError, match="class 3 has a prior, but no samples"):
        search.select(CLASS_COSTS, priors=[0.2] * 5)
    with pytest.raises(ValueError, match="there are 5 classes"):
        search.select([1, 1, 5, 5])


@pytest.mark.parametrize(
    "model",
    [
        moselect.CostSensitiveOrdinalClassifier(class_costs=CLASS_COSTS, labels=SCALE),
        moselect.CostThresholdClassifier(
            moselect.models.ProportionalOdds(),
            class_costs=CLASS_COSTS,
            labels=SCALE,
            cv=2,
        ),
    ],
)
def test_estimators_take_costs_of_the_whole_scale(table, model):
    assert set(model.fit(*table).predict(table[0])) <= {1, 2, 4, 5}
    assert model.cost_matrix_[0].tolist() == [0.0, 1.0, 3.0, 4.0]
    assert model.predict_proba(table[0]).shape == (160, 4)


def test_comparisons_measure_on_the_whole_scale(table, tmp_path):
    X, y = table
    comparison = moselect.compare(
        ["always_one_class", "ordinal_ridge"],
        *(X, y),
        cv=2,
        labels=SCALE,
        costs=CLASS_COSTS,
        random_state=1,
        measures=["mean_absolute_error", "vus", "ranked_probability_error"],
    )
    part = comparison.results["ordinal_ridge"].held_out[0]
    predicted = np.array([1, 2, 4, 5])[part.predicted]
    off = np.abs(predicted - y[part.rows])
    measured = comparison.per_fold.loc[("ordinal_ridge", 0), "mean_absolute_error"]
    assert measured == pytest.approx(off.mean(), abs=1e-12)
    same = [[0, 1, 3, 4], [1, 0, 2, 3], [15, 10, 0, 5], [20, 15, 5, 0]]
    without = moselect.compare(
        ["always_one_class", "ordinal_ridge"], X, y, cv=2, costs=same, random_state=1
    )
    pd.testing.assert_series_equal(comparison.costs()["cost"], without.costs()["cost"])
    write_comparison(tmp_path / "models.jsonl", comparison)
    read = read_comparison(tmp_path / "models.jsonl")
    pd.testing.assert_frame_equal(
        read.costs(CLASS_COSTS).drop(columns="seconds"),
        comparison.costs().drop(columns="seconds"),
    )


def test_targets_on_a_grid_have_classes_and_continuous_ones_do_not(table):
    X, y = table
    settings = {"n_particles": 5, "n_iterations": 1, "cv": None, "random_state": 1}
    search = moselect.ParetoSearch(("accuracy", "balanced_accuracy"), **settings)
    fronts = [search.fit(X, labels).front_ for labels in (y, y / 2)]
    pd.testing.assert_frame_equal(*(front.objectives for front in fronts))
    assert search.classes_.tolist() == [0.5, 1.0, 2.0, 2.5]
    for fit in (search.fit, lambda X, y: moselect.compare(["ordinal_ridge"], X, y)):
        with pytest.raises(ValueError, match=r"y is continuous .*labels="):
            fit(X, X[:, 0])


def test_costs_by_position_need_an_order(table):
    X, y = table[0], np.array(["", "C", "B", "", "A", "A+"])[table[1]]
    search = moselect.ParetoSearch(n_particles=5, n_iterations=1, cv=None, random_state=1)
    with pytest.warns(UserWarning, match=r"lowest first: C, B, A, A\+"):
        search.fit(X, y)
    with pytest.raises(
        ValueError, match=r"class_costs .*labels=\['C', 'B', 'A', 'A\+'\]"
    ):
        search.select([1, 1, 5, 5])
    named = pd.Series({"A+": 5, "A": 5, "B": 1, "C": 1})
    costs = {"class_costs": named, "model": "linear"}
    with (
        pytest.warns(UserWarning, match="lowest first"),
        pytest.raises(ValueError, match="labels="),
    ):
        moselect.CostSensitiveOrdinalClassifier(class_costs=[1, 1, 5, 5]).fit(X, y)
    search.set_params(labels=["C", "B", "A", "A+"]).fit(X, y)
    np.testing.assert_array_equal(
        search.select(**costs).predict(X),
        search.select([1, 1, 5, 5], model="linear").predict(X),
    )

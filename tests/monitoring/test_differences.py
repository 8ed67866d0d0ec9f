"""Differences between two selected models, by hand and by statsmodels."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from statsmodels.stats.proportion import confint_proportions_2indep

import moselect
from moselect.io import read_model, write_model
from moselect.monitoring import model_differences
from tests.any_tables import ordinal_table

COSTS = [1.0, 1.0, 4.0]


def table(seed):
    """Draw three classes by two features."""
    X, y = ordinal_table(400 + seed, 2, seed=seed)
    return pd.DataFrame(X, columns=["age", "income"]), y


def selected(seed, columns=("age", "income"), **options):
    X, y = table(seed)
    search = moselect.ParetoSearch(n_iterations=1, cv=3, random_state=1)
    options = {"class_costs": COSTS, "model": "proportional odds"} | options
    return search.fit(X[list(columns)], y).select(**options)


@pytest.fixture(scope="module")
def first():
    return selected(1)


@pytest.mark.checks("Comparisons and corrections", "statsmodels' Agresti-Caffo interval")
def test_figures_are_those_of_the_evidence(first, tmp_path):
    other = selected(2)
    write_model(tmp_path / "other.json", other)
    found = model_differences(first, read_model(tmp_path / "other.json"))
    assert not found.same_rows
    figures = found.figures
    for name, model in (("first", first), ("second", other)):
        counts = model.evidence.confusion.to_numpy()
        shares = np.diagonal(counts) / counts.sum(axis=1)
        assert_allclose(figures[name].iloc[4:], shares)
        assert_allclose(figures[name].iloc[1:4], counts.sum(axis=1) / counts.sum())
        assert figures.loc["mean cost", name] == model.evidence.expected
    # Agresti and Caffo add one success and failure to each share, too.
    others, counts = (model.evidence.confusion.iloc[2] for model in (other, first))
    low, high = confint_proportions_2indep(
        others.iloc[2], others.sum(), counts.iloc[2], counts.sum(), method="agresti-caffo"
    )
    error = figures.loc["class 2 found", "std_error"]
    assert 2 * 1.96 * error == pytest.approx(high - low, rel=0.03)


@pytest.mark.checks("Comparisons and corrections", "weighted shares of rows, by hand")
def test_errors_of_classes_are_of_weighted_rows():
    X, y = table(3)
    weights = np.random.default_rng(3).lognormal(0.0, 1.0, len(y))
    search = moselect.ParetoSearch(n_iterations=1, cv=None, random_state=1)
    search.fit(X, y, sample_weight=weights)
    model = search.select(COSTS, model="proportional odds")
    errors = model_differences(model, model).figures["std_error"] / np.sqrt(2.0)
    predicted = model.evidence.predicted["proportional odds"].to_numpy()
    for k in range(3):
        for figure, counted, among in (
            (f"class {k} of all", y == k, np.ones(len(y), dtype=bool)),
            (f"class {k} found", predicted == k, y == k),
        ):
            w = weights[among] / weights[among].sum()
            share = w @ counted[among]
            alone = np.sqrt(w**2 @ (counted[among] - share) ** 2)
            assert alone <= errors[figure] <= 1.3 * alone
    model = search.select(COSTS, model="proportional odds", priors=[0.2, 0.3, 0.5])
    figures = model_differences(model, model).figures
    assert (figures["std_error"].iloc[1:4] == 0.0).all()


def test_settings_that_differ(first):
    found = model_differences(first, selected(1))
    assert found.settings.empty
    assert found.same_rows
    other = selected(1, ["age"], class_costs=[1.0, 1.0, 9.0])
    found = model_differences(first, other)
    assert found.settings.loc["columns that the other lacks"].tolist() == ["income", ""]
    assert found.settings.loc["costs", "second"] == "0 1 2; 1 0 1; 18 9 0"
    assert "mean cost" not in found.figures.index


def test_other_classes_are_refused(first):
    X, y = table(1)
    search = moselect.ParetoSearch(n_iterations=1, cv=3, random_state=1).fit(X, y + 1)
    other = search.select(class_costs=COSTS, model="proportional odds")
    with pytest.raises(ValueError, match="different classes: 0, 1, 2, and 1, 2, 3"):
        model_differences(first, other)

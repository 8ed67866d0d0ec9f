from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from moselect import (
    Costs,
    CostSensitiveOrdinalClassifier,
    CostThresholdClassifier,
    ParetoSearch,
    compare,
)
from moselect.comparison import fit_model
from moselect.preprocessing import Preparation

COSTS = Costs([1, 1, 5], "squared", priors=[0.3, 0.3, 0.4])
SEARCH = ParetoSearch(n_particles=10, n_iterations=2, model="linear", random_state=4)
GIVEN = {"class_costs": [1, 1, 5], "loss": "squared", "priors": [0.3, 0.3, 0.4]}


@pytest.fixture(scope="module")
def found(data):
    models = {
        "rule": CostSensitiveOrdinalClassifier(),
        "search": SEARCH,
        "cuts": CostThresholdClassifier(GaussianNB()),
        "own": CostThresholdClassifier(GaussianNB(), class_costs=[9, 1, 1]),
        "bayes": GaussianNB(),
        "line": "ordinal_ridge",
    }
    return compare(models, *data, cv=2, random_state=0, costs=COSTS)


@pytest.mark.slow
def test_models_that_take_costs_are_fitted_for_them(found, data):
    assert found.failures == {}
    X, y = data
    codes = y.cat.codes
    alone = {
        "rule": CostSensitiveOrdinalClassifier(**GIVEN),
        "search": clone(SEARCH).set_params(**GIVEN),
        "cuts": CostThresholdClassifier(GaussianNB(), **GIVEN),
        "own": CostThresholdClassifier(GaussianNB(), class_costs=[9, 1, 1]),
    }
    for name, model in alone.items():
        for (train, test), held_out in zip(
            found.folds, found.results[name].fold_predictions, strict=True
        ):
            model.fit(X.iloc[train], codes[train])
            np.testing.assert_array_equal(
                held_out.predictions.codes, model.predict(X.iloc[test]), name
            )
    decision = found.costs()["decision"].to_dict()
    fitted = dict.fromkeys(alone, "fitted")
    assert decision == fitted | {"bayes": "plug-in", "line": "as it is"}


def test_a_model_is_fitted_to_all_samples_as_it_was_in_the_folds(data):
    model = fit_model("linear", *data, costs=COSTS)
    alone = CostSensitiveOrdinalClassifier(**GIVEN).fit(*data)
    np.testing.assert_array_equal(model.coef_, alone.coef_)
    np.testing.assert_array_equal(model.thresholds_, alone.thresholds_)


def test_a_table_of_any_columns_is_prepared_inside_each_fold(data):
    X, y = data
    rng = np.random.default_rng(0)
    town = np.where(X["a"] > 0.0, "Gent", np.where(X["a"] > -0.5, "Lier", "Mol"))
    raw = X.assign(town=town, b=X["b"].mask(rng.random(len(X)) < 0.2))
    found = compare([GaussianNB(), "linear"], raw, y, cv=2, random_state=0)
    assert found.failures == {}
    codes = y.cat.codes
    for (train, test), held_out in zip(
        found.folds, found.results["GaussianNB"].fold_predictions, strict=True
    ):
        # By hand: the commonest level of the training part is the baseline, gaps get its median.
        inside = raw.iloc[train]
        levels = [t for t in ("Gent", "Lier", "Mol") if t != inside["town"].mode()[0]]

        def by_hand(part, inside=inside, levels=levels):
            return np.column_stack(
                [
                    part["a"],
                    part["b"].fillna(inside["b"].median()),
                    part["b"].isna(),
                    part["c"],
                    *(part["town"] == level for level in levels),
                ]
            ).astype(float)

        model = GaussianNB().fit(by_hand(inside), codes[train])
        np.testing.assert_allclose(
            held_out.predictions.proba, model.predict_proba(by_hand(raw.iloc[test]))
        )
    polars = pytest.importorskip("polars", reason="polars is not installed")
    again = compare([GaussianNB()], polars.from_pandas(raw), y, cv=2, random_state=0)
    assert again.costs()["cost"]["GaussianNB"] == found.costs()["cost"]["GaussianNB"]
    refused = compare([GaussianNB()], raw, y, cv=2, prepare=False)
    assert "could not convert string to float" in refused.failures["GaussianNB"]
    card = fit_model(
        "scorecard", raw, codes, prepare=Preparation(drop=["a", "town"])
    ).card_
    assert card["condition"].str.match("[bc]").all()

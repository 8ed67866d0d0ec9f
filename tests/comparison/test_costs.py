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
PARAMETERS = {"class_costs": [1, 1, 5], "loss": "squared", "priors": [0.3, 0.3, 0.4]}


@pytest.fixture(scope="module")
def comparison(data):
    models = {
        "rule": CostSensitiveOrdinalClassifier(),
        "search": SEARCH,
        "thresholds": CostThresholdClassifier(GaussianNB()),
        "own": CostThresholdClassifier(GaussianNB(), class_costs=[9, 1, 1]),
        "bayes": GaussianNB(),
        "line": "ordinal_ridge",
    }
    return compare(models, *data, cv=2, random_state=0, costs=COSTS)


@pytest.mark.slow
def test_cost_sensitive_models_are_fitted_for_the_costs(comparison, data):
    assert comparison.failures == {}
    X, y = data
    codes = y.cat.codes
    alone = {
        "rule": CostSensitiveOrdinalClassifier(**PARAMETERS),
        "search": clone(SEARCH).set_params(**PARAMETERS),
        "thresholds": CostThresholdClassifier(GaussianNB(), **PARAMETERS),
        "own": CostThresholdClassifier(GaussianNB(), class_costs=[9, 1, 1]),
    }
    for name, model in alone.items():
        for (train, test), held_out in zip(
            comparison.folds, comparison.results[name].fold_predictions, strict=True
        ):
            model.fit(X.iloc[train], codes[train])
            np.testing.assert_array_equal(
                held_out.predictions.codes, model.predict(X.iloc[test]), name
            )
    decision = comparison.costs()["decision"].to_dict()
    fitted = dict.fromkeys(alone, "fitted")
    assert decision == fitted | {"bayes": "plug-in", "line": "as it is"}


def test_the_final_fit_uses_the_costs_of_the_folds(data):
    model = fit_model("linear", *data, costs=COSTS)
    alone = CostSensitiveOrdinalClassifier(**PARAMETERS).fit(*data)
    np.testing.assert_array_equal(model.coef_, alone.coef_)
    np.testing.assert_array_equal(model.thresholds_, alone.thresholds_)


def test_tables_are_prepared_within_each_fold(data):
    X, y = data
    rng = np.random.default_rng(0)
    town = np.where(X["a"] > 0.0, "Gent", np.where(X["a"] > -0.5, "Lier", "Mol"))
    raw = X.assign(town=town, b=X["b"].mask(rng.random(len(X)) < 0.2))
    comparison = compare([GaussianNB(), "linear"], raw, y, cv=2, random_state=0)
    assert comparison.failures == {}
    codes = y.cat.codes
    for (train, test), held_out in zip(
        comparison.folds, comparison.results["GaussianNB"].fold_predictions, strict=True
    ):
        # By hand: the commonest level of the training part is the baseline, gaps get its median.
        training = raw.iloc[train]
        levels = [t for t in ("Gent", "Lier", "Mol") if t != training["town"].mode()[0]]

        def by_hand(part, training=training, levels=levels):
            return np.column_stack(
                [
                    part["a"],
                    part["b"].fillna(training["b"].median()),
                    part["b"].isna(),
                    part["c"],
                    *(part["town"] == level for level in levels),
                ]
            ).astype(float)

        model = GaussianNB().fit(by_hand(training), codes[train])
        np.testing.assert_allclose(
            held_out.predictions.proba, model.predict_proba(by_hand(raw.iloc[test]))
        )
    polars = pytest.importorskip("polars", reason="polars is not installed")
    again = compare([GaussianNB()], polars.from_pandas(raw), y, cv=2, random_state=0)
    assert again.costs()["cost"]["GaussianNB"] == comparison.costs()["cost"]["GaussianNB"]
    refused = compare([GaussianNB()], raw, y, cv=2, prepare=False)
    assert "could not convert string to float" in refused.failures["GaussianNB"]
    card = fit_model(
        "scorecard", raw, codes, prepare=Preparation(drop=["a", "town"])
    ).card_
    assert card["condition"].str.match("[bc]").all()

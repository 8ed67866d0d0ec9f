import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from moselect import CostSensitiveOrdinalClassifier, cost_matrix
from moselect.models import ModelColumns
from moselect.predictor import OrdinalLinearClassifier
from tests.any_tables import ordinal_table


def fitted(*data, **settings):
    return CostSensitiveOrdinalClassifier(class_costs=[1, 2, 5], **settings).fit(*data)


X, Y = ordinal_table(150)
CELLS = np.unique(np.column_stack([X > 0.0, Y]), axis=0).astype(int)
X = X * [1.0, 50.0, 1e-3] + [5.0, -1e3, 0.0]


@pytest.fixture(scope="module")
def model():
    return fitted(X, Y)


def test_the_model_is_a_linear_rule_in_the_units_of_the_features(model):
    assert isinstance(model.model_, OrdinalLinearClassifier)
    below = (model.thresholds_ < (X @ model.coef_)[:, None]).sum(axis=1)
    assert_array_equal(model.predict(X), below)
    assert_array_equal(model.model_.predict(X), below)
    assert_allclose(model.decision_function(X), X @ model.coef_, rtol=1e-9)
    scaled = fitted(X * [2, 1, 1] + 3, Y)
    assert_array_equal(scaled.predict(X * [2, 1, 1] + 3), below)
    assert_allclose(scaled.coef_[0], model.coef_[0] / 2, rtol=1e-3)


@pytest.mark.parametrize(
    ("X", "y", "max_count"),
    [
        (X, Y, 3),
        # contingency table: folds divide the people of a cell
        (CELLS[:, :-1], CELLS[:, -1], 30),
    ],
)
def test_weights_equal_repeated_rows_in_any_order(X, y, max_count, rng):
    counts = rng.integers(0, max_count, len(y))
    rule = CostSensitiveOrdinalClassifier(class_costs=[1, 2, 5])
    weighted = rule.fit(X, y, counts, weight_type="counts")
    order = rng.permutation(counts.sum())
    X_long = np.repeat(X, counts, axis=0)[order]
    repeated = clone(weighted).fit(X_long, np.repeat(y, counts)[order])
    assert_array_equal(weighted.coef_, repeated.coef_)
    assert_array_equal(weighted.thresholds_, repeated.thresholds_)


def test_priors_are_weights_of_the_classes_in_the_costs(model):
    """Priors multiply the rows of the cost matrix by prior / share."""
    priors = np.array([0.7, 0.2, 0.1])
    shares = np.bincount(Y) / len(Y)
    # Weighting each true class by prior / share changes its frequency to the prior.
    rows = cost_matrix([1, 2, 5]) * (priors / shares)[:, None]
    found = fitted(X, Y, priors=priors)
    same = CostSensitiveOrdinalClassifier(cost_matrix=rows).fit(X, Y)
    assert_allclose(found.thresholds_, same.thresholds_)
    assert_array_equal(found.cost_matrix_, cost_matrix([1, 2, 5]))
    assert_allclose(fitted(X, Y, priors=shares).thresholds_, model.thresholds_)


@pytest.mark.parametrize(
    "columns",
    [
        "splines",
        pytest.param(
            ModelColumns(["proportional_odds", "splines"]), marks=pytest.mark.slow
        ),
    ],
)
def test_spline_and_model_columns_fit_nonlinear_effects(columns, rng):
    X = rng.uniform(-1.0, 1.0, size=(300, 2))
    y = np.digitize(X[:, 0] ** 2 + 0.1 * rng.normal(size=300), [0.1, 0.4])
    new = rng.uniform(-1.0, 1.0, size=(300, 2))
    truth = np.digitize(new[:, 0] ** 2, [0.1, 0.4])
    linear = CostSensitiveOrdinalClassifier(class_costs=[1, 1, 2]).fit(X, y)
    flexible = CostSensitiveOrdinalClassifier(
        class_costs=[1, 1, 2], columns=columns, random_state=0
    )
    flexible.fit(X, y)
    assert (
        np.mean(flexible.predict(new) == truth)
        > 0.8
        > np.mean(linear.predict(new) == truth) + 0.2
    )
    assert_array_equal(flexible.model_.predict(new), flexible.predict(new))
    assert flexible.n_features_in_ == 2


def test_directions_of_named_columns_are_kept(model):
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    against = -int(np.sign(model.coef_[0]))
    assert fitted(table, Y, monotone={"a": against}).coef_[0] == 0.0

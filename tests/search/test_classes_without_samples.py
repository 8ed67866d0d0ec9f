"""Classes without samples count in distances and costs."""

import numpy as np
import pytest

import moselect
from tests.any_tables import ordinal_table

SCALE = [1, 2, 3, 4, 5]
CLASS_COSTS = [1, 1, 9, 5, 5]
X, CODES = ordinal_table(160, r=4)
# Numbers, so that distances are their differences.
Y = np.array([1, 2, 4, 5])[CODES]


def within_one(confusion):
    return np.tril(np.triu(confusion, -1), 1).sum() / confusion.sum()


@pytest.fixture(scope="module")
def search():
    objectives = ("accuracy", "one_minus_mae", "one_minus_macro_mae", "quadratic_kappa")
    settings = {"n_particles": 10, "n_iterations": 2, "cv": 2, "random_state": 1}
    search = moselect.ParetoSearch((*objectives, within_one, "cost"), **settings)
    return search.set_params(labels=SCALE, class_costs=CLASS_COSTS).fit(X, Y)


@pytest.mark.slow
def test_objectives_use_the_full_scale(search):
    for index, values in search.front_.objectives.iterrows():
        predicted = search.front_[index].predict(X)
        off = np.abs(predicted - Y)
        by_class = [off[label == Y].mean() for label in (1, 2, 4, 5)]
        costs = np.array(CLASS_COSTS)[Y - 1] * off
        kappa = moselect.metrics.weighted_kappa_score(
            Y, predicted, weights="quadratic", labels=SCALE
        )
        measures = [(predicted == Y).mean(), 1.0 - off.mean(), 1.0 - np.mean(by_class)]
        expected = [*measures, kappa, (off <= 1).mean(), 1.0 - costs.mean()]
        np.testing.assert_allclose(values, expected, atol=1e-12)


@pytest.mark.slow
def test_costs_of_the_full_scale_select_the_same_model_as_costs_of_the_observed_classes(
    search,
):
    present = np.array([0, 1, 3, 4])
    matrix = moselect.cost_matrix(CLASS_COSTS)
    assert search.classes_.tolist() == [1, 2, 4, 5]
    assert search.scale_.tolist() == SCALE
    priors = [0.1, 0.2, 0.0, 0.3, 0.4]
    by_scale = search.select(CLASS_COSTS, model="linear", priors=priors, refer=[2.0] * 5)
    without = moselect.ParetoSearch(**search.get_params() | {"labels": None})
    without.set_params(class_costs=None, cost_matrix=matrix[np.ix_(present, present)])
    by_part = without.fit(X, Y).select(
        cost_matrix=without.cost_matrix,
        priors=[0.1, 0.2, 0.3, 0.4],
        model="linear",
        refer=2.0,
    )
    np.testing.assert_array_equal(by_scale.predict(X), by_part.predict(X))
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
def test_estimators_take_costs_of_the_full_scale(model):
    assert set(model.fit(X, Y).predict(X)) <= {1, 2, 4, 5}
    assert model.cost_matrix_[0].tolist() == [0.0, 1.0, 3.0, 4.0]
    assert model.predict_proba(X).shape == (160, 4)

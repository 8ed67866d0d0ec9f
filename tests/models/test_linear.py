import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.predictor import OrdinalLinearClassifier

NAMES = ["age", "size", "price"]


@given(
    st.lists(st.integers(-3, 3), min_size=1, max_size=5).map(sorted),
    st.lists(st.integers(-8, 8).map(lambda k: k / 2), min_size=1),
)
def test_class_is_one_more_than_the_thresholds_strictly_below(thresholds, scores):
    classes = np.arange(1, len(thresholds) + 2)
    predicted = OrdinalLinearClassifier([1.0], thresholds, classes).predict(
        [[s] for s in scores]
    )
    assert predicted.tolist() == [1 + sum(t < s for t in thresholds) for s in scores]


def test_columns_are_matched_by_name():
    model = OrdinalLinearClassifier(
        [1.0, -2.0, 0.5], [-1.0, 1.0], ["poor", "fair", "good"], feature_names=NAMES
    )
    X = np.random.default_rng(0).normal(size=(40, 3))
    np.testing.assert_allclose(model.decision_function(X), X @ model.coef_)
    frame = pd.DataFrame(X, columns=NAMES)
    shuffled = frame[["price", "age", "size"]].assign(note="text")
    np.testing.assert_array_equal(
        model.decision_function(shuffled), model.decision_function(X)
    )
    assert (model.predict(shuffled) == model.predict(X)).all()
    with pytest.raises(ValueError, match="column 'size' is missing: the model needs"):
        model.predict(shuffled.drop(columns="size"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coef": [np.nan, 1.0]}, "finite numbers"),
        ({"thresholds": [1.0, 0.0]}, "thresholds must ascend"),
    ],
)
def test_impossible_parameters_are_refused(change, message):
    parameters = {
        "coef": [1.0, 2.0],
        "thresholds": [0.0, 1.0],
        "classes": ["a", "b", "c"],
    }
    with pytest.raises(ValueError, match=message):
        OrdinalLinearClassifier(**parameters | change)

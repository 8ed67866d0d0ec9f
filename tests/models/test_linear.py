import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from moselect.predictor import OrdinalLinearClassifier


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

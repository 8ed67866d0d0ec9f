import math

from hypothesis import given
from hypothesis import strategies as st

from moselect.export.graph import decisions_by_score
from moselect.predictor import OrdinalLinearClassifier

numbers = st.floats(-1e150, 1e150)


@given(threshold=numbers, r=st.integers(2, 200), steps=st.integers(-600, 600))
def test_exact_thresholds_agree_with_predict(threshold, r, steps):
    model = OrdinalLinearClassifier([1.0], [threshold] * (r - 1), range(r))
    exact_threshold = decisions_by_score(model)[0][0]
    row = threshold
    for _ in range(abs(steps)):  # to a double so many steps away
        row = math.nextafter(row, math.copysign(math.inf, steps))
    for value in (
        row,
        exact_threshold,
        math.nextafter(exact_threshold, -math.inf),
        -row,
        0.0,
        -0.0,
    ):
        above = model.predict([[value]])[0] == r - 1
        assert above == (value >= exact_threshold)

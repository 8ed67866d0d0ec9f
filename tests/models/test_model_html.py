import re

import numpy as np
import pytest

from moselect.predictor import OrdinalLinearClassifier

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    ("thresholds", "expected"),
    [
        ([-1.0, 2.0], ["up to -1", "above -1, up to 2", "above 2"]),
        ([3.0, 3.0], ["up to 3", "never", "above 3"]),
        ([-np.finfo(float).max, 2.0], ["never", "up to 2", "above 2"]),
        (
            [-6_396_711.25, -6_396_711.0],  # as many digits as distinguish them
            ["up to -6396711.2", "above -6396711.2, up to -6396711", "above -6396711"],
        ),
    ],
)
def test_score_ranges_describe_the_predicted_class(thresholds, expected):
    model = OrdinalLinearClassifier([1.0], thresholds, range(len(thresholds) + 1))
    assert model.decision.score_ranges(len(expected)) == expected
    for score in np.linspace(-4.0, 4.0, 33):
        text = expected[model.predict([[score]])[0]]
        low = re.search(r"above ([-\d.]+)", text)
        high = re.search(r"up to ([-\d.]+)", text)
        assert low is None or score > float(low[1])
        assert high is None or score <= float(high[1])


def test_names_are_escaped():
    model = OrdinalLinearClassifier([1.0, 2.0], [0.0], [HOSTILE, "b"], [HOSTILE, "&"])
    html = model._repr_html_()
    assert "<img" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") == 1

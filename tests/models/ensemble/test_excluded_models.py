"""Members that cannot be used."""

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning

from moselect.models import OrdinalStacking, ProportionalOdds

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, size=(60, 2))
X[-1, 0] = 2.0
Y = np.digitize(X @ [2.0, 1.0] + 0.3 * rng.normal(size=60), [-0.5, 0.5])


@pytest.fixture(scope="module")
def expected():
    """Predict with the usable member only."""
    stacking = OrdinalStacking([("odds", ProportionalOdds())], random_state=0)
    return stacking.fit(X, Y).predict_proba(X)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raising", "RuntimeError: no licence"),
        ("RaisingOnce", "ValueError: where is it"),
        ("Missing", "ValueError: it gives ranks that are not finite"),
        ("Constant", "it gives all samples the same score"),
    ],
)
def test_a_failing_model_is_excluded_and_named(odd_models, expected, name, reason):
    models = [("odd", getattr(odd_models, name)()), ("odds", ProportionalOdds())]
    stacking = OrdinalStacking(models, random_state=0)
    with pytest.warns(
        FitFailedWarning, match=f"model 'odd' is excluded: .*{reason}"
    ) as caught:
        stacking.fit(X, Y)
    assert len(caught) == 1
    assert "\n" not in str(caught[0].message)
    assert stacking.model_names_ == ["odds"]
    assert list(stacking.excluded_) == ["odd"]
    np.testing.assert_array_equal(stacking.predict_proba(X), expected)

"""The trivial classifier against the closed forms of Baccianella et al. (2009)."""

import numpy as np
import pytest

from moselect.metrics import mean_absolute_error, trivial_classifier
from moselect.metrics.predicted.error import ERRORS


@pytest.mark.parametrize("r", range(2, 12))
def test_macro_mean_absolute_error_has_a_closed_form(r):
    rng = np.random.default_rng(r)
    y = np.concatenate([np.arange(1, r + 1), rng.integers(1, r + 1, 50) ** 2 // r + 1])
    y = np.clip(y, 1, r)
    expected = r / 4 if r % 2 == 0 else (r**2 - 1) / (4 * r)
    best = trivial_classifier(y, error="macro_mean_absolute_error")
    assert best.error == pytest.approx(expected, rel=1e-12)
    assert best.label == (r + 1) // 2  # the lower of the middle classes
    squared = trivial_classifier(y, error="macro_mean_squared_error")
    assert squared.label == (r + 1) // 2


def test_five_classes_have_1_2():
    best = trivial_classifier([1, 2, 3, 4, 5, 5, 5], error="macro_mean_absolute_error")
    assert best == (3, pytest.approx(1.2))


def test_the_trivial_class_of_reviews_is_not_the_commonest():
    stars, shares = [1, 2, 3, 4, 5], [3.9, 7.2, 9.4, 34.5, 45.0]
    assert trivial_classifier(stars, sample_weight=shares).label == 4
    zero_one = trivial_classifier(stars, error="mean_zero_one_error", sample_weight=shares)
    assert zero_one == (5, pytest.approx(0.55))


@pytest.mark.parametrize("name", ERRORS)
def test_no_class_is_better(name):
    rng = np.random.default_rng(31)
    y, weights = rng.integers(0, 4, 40), rng.random(40)
    errors = [ERRORS[name](y, np.full(40, k), sample_weight=weights) for k in range(4)]
    best = trivial_classifier(y, error=name, sample_weight=weights)
    assert best == (int(np.argmin(errors)), min(errors))
    assert trivial_classifier(y, error=ERRORS[name], sample_weight=weights) == best


def test_strings_and_absent_classes():
    best = trivial_classifier(["low", "high", "high"], labels=["low", "mid", "high"])
    assert best == ("high", pytest.approx(2 / 3))
    values = trivial_classifier(
        [1, 2, 9, 9, 9],
        error=lambda *args, **kw: mean_absolute_error(*args, distances="values", **kw),
    )
    assert values == (9, 3.0)


def test_unknown_errors():
    with pytest.raises(ValueError, match="error must be one of 'mean_zero_one_error'"):
        trivial_classifier([1, 2], error="accuracy")

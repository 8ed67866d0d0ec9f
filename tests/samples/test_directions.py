"""Monotone directions of columns: forms and validation."""

import numpy as np
import pytest

from moselect.samples.features import check_directions, feature_signs


@pytest.mark.parametrize(
    ("monotone", "error", "message"),
    [
        ({"aeg": 1}, ValueError, "there is no column 'aeg'; did you mean 'age'"),
        ({"age": 2}, ValueError, "monotone of 'age' is 2: give 1"),
        (["age"], TypeError, "such as {'age': 1}"),
    ],
)
def test_wrong_directions_are_named(monotone, error, message):
    with pytest.raises(error, match=message):
        check_directions(monotone, ["age", "income"])


@pytest.mark.parametrize("monotone", [[1], [1, 2], [[1, 0]]])
def test_signs_fit_the_features(monotone):
    with pytest.raises(ValueError, match="give 1, -1 or 0 for each of 2 features"):
        feature_signs(monotone, None, 2)


def test_names_and_positions_give_the_same_signs():
    by_name = feature_signs({"b": -1}, ["a", "b"], 2)
    assert by_name.tolist() == feature_signs([0, -1], None, 2).tolist() == [0, -1]
    assert feature_signs({"x1": 1}, None, 2).tolist() == [0, 1]
    assert not np.any(feature_signs(None, None, 3))

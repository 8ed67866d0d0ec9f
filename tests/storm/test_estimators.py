"""Estimators that misbehave fail alone, and are told by name and in one line."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect import CostThresholdClassifier, compare
from moselect.storage import read_comparison, write_comparison
from tests.storm.campaign import storm
from tests.storm.commands import check_message, no_hang
from tests.storm.strategies.estimators import FAULTS, misbehaving

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(2)
X = RNG.normal(size=(30, 2))
Y = np.arange(30) % 3
HARMLESS = ("none", "column", "changes its samples", "hostile warning", "keyboard in a string")


@storm(60)
@given(st.lists(st.sampled_from(FAULTS), min_size=1, max_size=4, unique=True))
def test_comparisons(faults):
    models = {fault: misbehaving(fault) for fault in faults}
    untouched = X.copy()
    with no_hang(), warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare({**models, "sound": "trivial"}, X, Y, cv=2, random_state=1)
    np.testing.assert_array_equal(X, untouched)
    assert "sound" not in found.failures
    assert set(found.failures) >= set(faults) - set(HARMLESS)
    for line in found.failures.values():
        assert line.strip()
        assert len(line.splitlines()) == 1
        line.encode()
    numbers = found.per_fold.loc["sound"]
    assert np.isfinite(numbers.to_numpy()).all()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "c.npz"
        write_comparison(path, found)
        again = read_comparison(path)
    assert again.failures == found.failures
    pd.testing.assert_frame_equal(again.per_fold, found.per_fold, check_exact=True)
    assert str(again) == str(found)


@storm(60)
@given(
    st.sampled_from(FAULTS),
    st.sampled_from((2, 3, None, [], [(np.arange(20), np.arange(20, 30))], "prefit", 0, -1, 99)),
)
def test_thresholds_for_costs(fault, cv):
    estimator = misbehaving(fault)
    model = CostThresholdClassifier(estimator, class_costs=[1, 1, 5], cv=cv)
    try:
        with no_hang(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            predicted = model.fit(X.copy(), Y).predict(X.copy())
    except (TypeError, ValueError) as error:
        check_message(error)
    else:
        assert np.isin(predicted, [0, 1, 2]).all()
        assert predicted.shape == (30,)

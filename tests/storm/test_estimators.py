"""Estimators that misbehave fail alone, and are told by name and in one line."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

from moselect import compare
from tests.storm.commands import examples

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(2)
X = RNG.normal(size=(30, 2))
Y = np.arange(30) % 3
RAISED = {
    "raises": KeyError("column"),
    "exits": SystemExit(),
    "surrogate": ValueError("half a character \ud800, \x1b[31mred\x1b[0m"),
    "many lines": ValueError("first\nsecond\r\nthird\n\nfourth" * 100),
    "memory": MemoryError(),
}
SCORES = {
    "short scores": lambda scores: scores[:-1],
    "NaN scores": lambda scores: scores * np.nan,
}
HARMLESS = ("changes its samples", "hostile warning")
FAULTS = (*RAISED, "unknown class", *SCORES, *HARMLESS)


class Misbehaving(ClassifierMixin, BaseEstimator):
    """A classifier of the most frequent class, with one fault."""

    def __init__(self, fault: str = "none", at: str = "fit") -> None:
        self.fault = fault
        self.at = at

    def fit(self, X: Any, y: Any) -> Misbehaving:
        self.classes_ = np.unique(y)
        if self.at == "fit" and self.fault in RAISED:
            raise RAISED[self.fault]
        if self.fault == "hostile warning":
            warnings.warn("\x1b[2J\rcleared \ud800\n\n" * 50, UserWarning, stacklevel=2)
        return self

    def predict(self, X: Any) -> Any:
        if self.fault in RAISED:
            raise RAISED[self.fault]
        if self.fault == "changes its samples" and isinstance(X, np.ndarray) and X.flags.writeable:
            X[:] = np.nan
        label = 77 if self.fault == "unknown class" else self.classes_[0]
        return np.full(len(X), label)

    def decision_function(self, X: Any) -> Any:
        scores = np.asarray(X, dtype=float)[:, 0].copy()
        return SCORES.get(self.fault, np.copy)(scores)


@examples(60)
@given(
    st.lists(st.sampled_from(FAULTS), min_size=1, max_size=4, unique=True),
    st.sampled_from(("fit", "predict")),
)
def test_comparisons(faults, at):
    models = {fault: Misbehaving(fault, at) for fault in faults}
    untouched = X.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare({**models, "sound": "trivial"}, X, Y, cv=2, random_state=1)
    np.testing.assert_array_equal(X, untouched)
    assert "sound" not in found.failures
    assert set(found.failures) >= set(faults) - set(HARMLESS)
    for line in found.failures.values():
        assert line.strip()
        assert len(line.splitlines()) == 1
        line.encode()
    assert np.isfinite(found.per_fold.loc["sound"].to_numpy()).all()

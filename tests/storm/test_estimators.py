"""Estimators that misbehave fail alone, and are told by name and in one line."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

from moselect import CostThresholdClassifier, compare
from tests.storm.commands import check_message, examples

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(2)
X = RNG.normal(size=(30, 2))
Y = np.arange(30) % 3
EVEN = np.full((30, 3), 1.0 / 3.0)
RAISED = {
    "raises": KeyError("column"),
    "divides": ZeroDivisionError("float division by zero"),
    "exits": SystemExit(3),
    "exits without a code": SystemExit(),
    "surrogate": ValueError("half a character \ud800, \x1b[31mred\x1b[0m"),
    "many lines": ValueError("first\nsecond\r\nthird\n\nfourth" * 100),
    "recursion": RecursionError("too deep"),
    "memory": MemoryError(),
    "assertion": AssertionError(),
}
GUESSES = {"unknown class": 77, "text for a class": "\x1b[31mlow", "None for a class": None}
SCORES = {
    "short scores": lambda scores: scores[:-1],
    "long scores": lambda scores: np.r_[scores, 0.0],
    "NaN scores": lambda scores: scores * np.nan,
    "huge scores": lambda scores: scores * 1e308,
}
PROBABILITIES = {
    "NaN probabilities": lambda n: EVEN[:n] * np.nan,
    "negative probabilities": lambda n: EVEN[:n] - 1.0,
    "probabilities of two": lambda n: np.full((n, 2), 0.5),
    "one probability": np.ones,
}
HARMLESS = ("changes its samples", "hostile warning")
FAULTS = (*RAISED, *GUESSES, *SCORES, *PROBABILITIES, *HARMLESS)


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
        return np.array([GUESSES.get(self.fault, self.classes_[0])] * len(X))

    def decision_function(self, X: Any) -> Any:
        scores = np.asarray(X, dtype=float)[:, 0].copy()
        return SCORES.get(self.fault, np.copy)(scores)


class WithProbabilities(Misbehaving):
    """The same with class probabilities, from which its scores follow then."""

    def predict_proba(self, X: Any) -> Any:
        return PROBABILITIES[self.fault](len(X))


def misbehaving(fault: str, at: str) -> Misbehaving:
    return (WithProbabilities if fault in PROBABILITIES else Misbehaving)(fault, at)


@examples(60)
@given(
    st.lists(st.sampled_from(FAULTS), min_size=1, max_size=4, unique=True),
    st.sampled_from(("fit", "predict")),
)
def test_comparisons(faults, at):
    models = {fault: misbehaving(fault, at) for fault in faults}
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


@examples(60)
@given(
    st.sampled_from(FAULTS),
    st.sampled_from((2, 3, None, [], [(np.arange(20), np.arange(20, 30))], "prefit", 0, -1, 99)),
)
def test_thresholds_for_costs(fault, cv):
    model = CostThresholdClassifier(misbehaving(fault, "fit"), class_costs=[1, 1, 5], cv=cv)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            predicted = model.fit(X.copy(), Y).predict(X.copy())
    except (TypeError, ValueError) as error:
        check_message(error)
    else:
        assert np.isin(predicted, [0, 1, 2]).all()
        assert predicted.shape == (30,)

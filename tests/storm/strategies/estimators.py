"""Estimators that do what estimators must not do."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

FAULTS = (
    "none",
    "column",
    "short scores",
    "long scores",
    "wide scores",
    "NaN scores",
    "huge scores",
    "fit raises",
    "predict raises",
    "exit in fit",
    "exit in predict",
    "exit without a code",
    "surrogate",
    "many lines",
    "NaN probabilities",
    "negative probabilities",
    "probabilities of two",
    "one probability",
    "unknown class",
    "text for a class",
    "None for a class",
    "changes its samples",
    "hostile warning",
    "recursion",
    "memory",
    "assertion",
    "keyboard in a string",
)


class Misbehaving(ClassifierMixin, BaseEstimator):
    """A classifier of the most frequent class, with one fault."""

    def __init__(self, fault: str = "none") -> None:
        self.fault = fault

    def fit(self, X: Any, y: Any) -> Misbehaving:
        self.classes_ = np.unique(y)
        if self.fault == "fit raises":
            raise KeyError("column")
        if self.fault == "exit in fit":
            raise SystemExit(3)
        if self.fault == "exit without a code":
            raise SystemExit
        if self.fault == "surrogate":
            raise ValueError("half a character \ud800, \x1b[31mred\x1b[0m")
        if self.fault == "many lines":
            raise ValueError("first\nsecond\r\nthird\n\nfourth" * 100)
        if self.fault == "hostile warning":
            import warnings

            warnings.warn("\x1b[2J\rcleared \ud800\n\n" * 50, UserWarning, stacklevel=2)
        if self.fault == "recursion":
            raise RecursionError("too deep")
        if self.fault == "memory":
            raise MemoryError
        if self.fault == "assertion":
            raise AssertionError
        return self

    def predict(self, X: Any) -> Any:
        n = len(X)
        if self.fault == "predict raises":
            raise ZeroDivisionError("float division by zero")
        if self.fault == "exit in predict":
            raise SystemExit("bye")
        if self.fault == "changes its samples" and isinstance(X, np.ndarray) and X.flags.writeable:
            X[:] = np.nan
        guess: Any = self.classes_[0]
        if self.fault == "unknown class":
            guess = 77
        if self.fault == "text for a class":
            guess = "\x1b[31mlow"
        if self.fault == "None for a class":
            guess = None
        found = np.array([guess] * n)
        return found[:, None] if self.fault == "column" else found

    def decision_function(self, X: Any) -> Any:
        n = len(X)
        scores = np.asarray(X, dtype=float)[:, 0].copy()
        return {
            "short scores": scores[: n - 1],
            "long scores": np.r_[scores, 0.0],
            "wide scores": np.ones((n, 17)),
            "NaN scores": np.full(n, np.nan),
            "huge scores": scores * 1e308,
        }.get(self.fault, scores)


class WithProbabilities(Misbehaving):
    """The same with class probabilities, from which its scores follow then."""

    def predict_proba(self, X: Any) -> Any:
        r = len(self.classes_)
        even = np.full((len(X), r), 1.0 / r)
        return {
            "NaN probabilities": even * np.nan,
            "negative probabilities": even - 1.0,
            "probabilities of two": np.full((len(X), 2), 0.5),
            "one probability": np.ones(len(X)),
        }.get(self.fault, even)


def misbehaving(fault: str) -> Misbehaving:
    """Return an estimator with a fault."""
    return (WithProbabilities if "probabilit" in fault else Misbehaving)(fault)

"""Violations of monotone directions along a grid of each feature, other features fixed."""

import numpy as np
import pandas as pd

TOLERANCE = 1e-12


def grids(X, signs):
    """Return values of each bounded feature, within and beyond its range, as the score rises."""
    values = {}
    for j in np.flatnonzero(signs):
        low, high = X[:, j].min(), X[:, j].max()
        margin = 0.2 * (high - low)
        values[j] = np.linspace(low - margin, high + margin, 30)[:: signs[j]]
    return values


def violation(model, X, grids):
    """Return the largest fall of P(y > k), the score or the class along a grid of a feature."""
    worst = 0.0
    for name, values in grids.items():
        figures = []
        for value in values:
            moved = X.copy()
            columns = moved if isinstance(moved, pd.DataFrame) else moved.T
            columns[name] = value
            now = [np.searchsorted(model.classes_, model.predict(moved))]
            if hasattr(model, "decision_function"):
                now.append(model.decision_function(moved))
            if getattr(model, "calibration", True) is not None:
                now += list(model.predict_proba(moved)[:, :0:-1].cumsum(axis=1).T)
            figures.append(now)
        worst = max(worst, -np.diff(figures, axis=0).min())
    return worst


def table(seed, n=160, p=4, r=4):
    """Draw features and classes with nonlinear effects and interactions of any direction."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, p)), int(rng.integers(0, 4)))
    score = X @ rng.normal(size=p) + np.sin(2.0 * X[:, 0]) + X[:, -2] * X[:, -1]
    thresholds = np.quantile(score, np.linspace(0.0, 1.0, r + 1)[1:-1])
    y = np.digitize(score + rng.logistic(size=n) / 3.0, thresholds)
    return X, y, rng.choice([-1, 0, 1], size=p, p=[0.4, 0.2, 0.4])

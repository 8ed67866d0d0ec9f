"""Violations of directions, along a grid of each column with all else as it is."""

import numpy as np

TOLERANCE = 1e-12


def violation(model, X, signs, n_grid=30):
    """Return how far P(y > k), the score and the class move the wrong way, at most."""
    worst = 0.0
    for j in np.flatnonzero(signs):
        low, high = X[:, j].min(), X[:, j].max()
        beyond = 0.2 * (high - low)
        before = None
        for value in np.linspace(low - beyond, high + beyond, n_grid):
            moved = X.copy()
            moved[:, j] = value
            above = model.predict_proba(moved)[:, :0:-1].cumsum(axis=1)
            classes = np.searchsorted(model.classes_, model.predict(moved))
            now = np.column_stack([above, above.sum(axis=1), classes])
            if before is not None:
                worst = max(worst, float((signs[j] * (before - now)).max()))
            before = now
    return worst


def table(seed, n=160, p=4, r=4):
    """Draw features and classes: effects of any direction, curves and interactions."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, p)), int(rng.integers(0, 4)))
    score = X @ rng.normal(size=p) + np.sin(2.0 * X[:, 0]) + X[:, -2] * X[:, -1]
    cuts = np.quantile(score, np.linspace(0.0, 1.0, r + 1)[1:-1])
    y = np.digitize(score + rng.logistic(size=n) / 3.0, cuts)
    return X, y, rng.choice([-1, 0, 1], size=p, p=[0.4, 0.2, 0.4])

"""Violations of monotone directions along a grid of each feature, other features fixed."""

import numpy as np

TOLERANCE = 1e-12


def violation(model, X, signs, n_grid=30):
    """Return the largest move of P(y > k), the score or the class against its direction."""
    worst = 0.0
    for j in np.flatnonzero(signs):
        low = X[:, j].min()
        high = X[:, j].max()
        margin = 0.2 * (high - low)
        previous = None
        for value in np.linspace(low - margin, high + margin, n_grid):
            moved = X.copy()
            moved[:, j] = value
            above = model.predict_proba(moved)[:, :0:-1].cumsum(axis=1)
            classes = np.searchsorted(model.classes_, model.predict(moved))
            current = np.column_stack([above, above.sum(axis=1), classes])
            if previous is not None:
                worst = max(worst, float((signs[j] * (previous - current)).max()))
            previous = current
    return worst


def table(seed, n=160, p=4, r=4):
    """Draw features and classes with nonlinear effects and interactions of any direction."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, p)), int(rng.integers(0, 4)))
    score = X @ rng.normal(size=p) + np.sin(2.0 * X[:, 0]) + X[:, -2] * X[:, -1]
    thresholds = np.quantile(score, np.linspace(0.0, 1.0, r + 1)[1:-1])
    y = np.digitize(score + rng.logistic(size=n) / 3.0, thresholds)
    return X, y, rng.choice([-1, 0, 1], size=p, p=[0.4, 0.2, 0.4])

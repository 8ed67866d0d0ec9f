"""Consequences of the definitions: trivial classifiers, balanced data, shares of reviews."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from moselect import metrics
from moselect.metrics import mean_absolute_error

Rows = dict[str, tuple[object, ...]]


def root_mean_squared_error(
    y: ArrayLike, predicted: ArrayLike, average: Literal["micro", "macro"] = "micro"
) -> float:
    """Return the root of the averaged error (section 3), not the average of roots."""
    return float(np.sqrt(metrics.mean_squared_error(y, predicted, average=average)))


ERRORS = {
    "MAE": metrics.mean_absolute_error,
    "MSE": metrics.mean_squared_error,
    "RMSE": root_mean_squared_error,
    "MZOE": metrics.mean_zero_one_error,
}
STARS = [1, 2, 3, 4, 5]
SHARES = {  # of 1 to 5 stars
    "TripAdvisor": [0.039, 0.072, 0.094, 0.345, 0.45],
    "Amazon": [0.083, 0.055, 0.087, 0.2, 0.575],
}


def trivial_classifier(
    y: ArrayLike,
    average: Literal["micro", "macro"],
    sample_weight: ArrayLike | None = None,
) -> tuple[int, float]:
    """Return the lowest class whose prediction for every sample has the least MAE, and that."""
    errors = {
        int(k): mean_absolute_error(
            y, np.full(len(y), k), average=average, sample_weight=sample_weight
        )
        for k in np.unique(y)
    }
    label = min(errors, key=lambda k: (round(errors[k], 12), k))
    return label, errors[label]


def closed_forms() -> Rows:
    """Give the trivial macro MAE of 2 to 9 classes of random sizes, and the trivial classes."""
    rng = np.random.default_rng(0)
    rows: Rows = {}
    for r in range(2, 10):
        y = np.repeat(np.arange(1, r + 1), rng.integers(1, 200, r))
        rows[f"macro MAE, {r} classes"] = (trivial_classifier(y, "macro")[1],)
        least = set()
        for name in ("MAE", "MSE", "RMSE"):
            errors = np.array(
                [
                    ERRORS[name](y, np.full(len(y), k), average="macro")
                    for k in range(1, r + 1)
                ]
            )
            best = 1 + np.flatnonzero(np.isclose(errors, errors.min(), rtol=1e-12))
            least.add(" and ".join(map(str, best)))
        rows[f"trivial classes, {r} classes"] = ("; ".join(sorted(least)),)
    return rows


def coincidence() -> Rows:
    """Give the greatest difference of micro and macro versions on random balanced data."""
    rng = np.random.default_rng(0)
    greatest = dict.fromkeys(ERRORS, 0.0)
    for _ in range(100):
        y = np.repeat(STARS, rng.integers(1, 50))
        predicted = rng.integers(1, 6, len(y))
        for name, error in ERRORS.items():
            difference = abs(error(y, predicted) - error(y, predicted, average="macro"))
            greatest[name] = max(greatest[name], difference)
    return {f"balanced: {name}": (value,) for name, value in greatest.items()}


def review_shares() -> Rows:
    """Give what trivial classifiers make of the printed shares of stars."""
    rows: Rows = {}
    for name, shares in SHARES.items():
        for kind in ("micro", "macro"):
            label, value = trivial_classifier(STARS, kind, shares)
            rows[f"{name}: trivial class by {kind} MAE"] = (label,)
            rows[f"{name}: trivial {kind} MAE"] = (value,)
        majority = [STARS[int(np.argmax(shares))]] * len(STARS)
        rows[f"{name}: micro MAE of the majority class"] = (
            mean_absolute_error(STARS, majority, sample_weight=shares),
        )
        rows[f"{name}: macro MAE of the majority class"] = (
            mean_absolute_error(STARS, majority, average="macro", sample_weight=shares),
        )
    return rows

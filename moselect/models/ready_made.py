"""Directions of classical linear ordinal models, the initial solutions of a search."""

import threading
import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVR

from moselect._types import Floats
from moselect.models.maximum_likelihood import fit_proportional_odds

# liblinear has one generator per process, which concurrent fits would share.
_liblinear = threading.Lock()

PENALTIES = 1e-3, 1.0, 10.0, 100.0


def ready_made_directions(
    Z: Floats, codes: NDArray[np.int64], n_classes: int, weights: Floats | None = None
) -> dict[str, Floats]:
    """Fit the classical linear models of an ordinal target.

    Takes standardised features (n, p), class codes (n,), with samples of each class, and
    sample weights (n,). Returns weights (p,) by model name: proportional odds (plain, ridge,
    class-balanced), a logistic model for each cut, ordinal ridge and least absolute
    deviations on the class ranks.
    """
    n, p = Z.shape
    sample_weights = np.ones(n) if weights is None else weights
    masses = np.bincount(codes, sample_weights, minlength=n_classes)
    # Balanced weights give every class the same total.
    balanced = sample_weights * (sample_weights.sum() / (n_classes * masses)[codes])
    directions = {}
    for penalty in PENALTIES:
        name = f"proportional odds, ridge {penalty:g}"
        fit = fit_proportional_odds(Z, codes, n_classes, penalty, sample_weights)
        directions[name] = fit.weights
    fit = fit_proportional_odds(Z, codes, n_classes, 1.0, balanced)
    directions["proportional odds, balanced"] = fit.weights
    # A binary logistic model for each boundary: the direction that a single threshold
    # favours.
    for cut in range(n_classes - 1):
        above = (codes > cut).astype(np.int64)
        fit = fit_proportional_odds(Z, above, 2, 1.0, sample_weights)
        directions[f"logistic, cut {cut + 1}"] = fit.weights
    root = np.sqrt(sample_weights)
    targets = codes - np.average(codes, weights=weights)
    if weights is not None:
        # Centred under the weights, in place of an intercept.
        Z = Z - np.average(Z, axis=0, weights=weights)
    R = Z * root[:, None]
    ranks = targets * root
    for penalty in PENALTIES:
        # The dual form where there are more features than samples: an (n, n) system.
        directions[f"ordinal ridge, {penalty:g}"] = (
            R.T @ solve(R @ R.T + penalty * np.eye(n), ranks, assume_a="pos")
            if p > n
            else solve(R.T @ R + penalty * np.eye(p), R.T @ ranks, assume_a="pos")
        )
    # Most matrix entries for least absolute deviations, to take some tenths of a second.
    most_work = 200_000_000
    lad = LinearSVR(
        epsilon=0.0, C=1.0, max_iter=max(most_work // Z.size, 1), random_state=0
    )
    with (
        _liblinear,
        warnings.catch_warnings(action="ignore", category=ConvergenceWarning),
    ):
        directions["least absolute deviations"] = lad.fit(Z, targets, weights).coef_
    return directions

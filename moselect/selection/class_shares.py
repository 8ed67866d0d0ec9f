"""Maximum-likelihood estimation of class shares from class likelihoods (prior shift)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats

TOLERANCE = 1e-9  # change of the shares at which they are final


def likelihoods_of(proba: Floats, trained: ArrayLike) -> Floats:
    """Compute class likelihoods (n, r), up to a factor per row.

    By Bayes' theorem: class probabilities (n, r) divided by the class shares (r,) under
    which they were trained.
    """
    known = np.asarray(trained, dtype=np.float64)
    return np.divide(proba, known, out=np.zeros_like(proba), where=known > 0.0)


def posterior_of(likelihoods: Floats, shares: ArrayLike) -> Floats:
    """Compute class probabilities (n, r) under the given class shares (r,)."""
    joint = likelihoods * np.asarray(shares)
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def class_shares(likelihoods: Floats, weights: Floats) -> Floats:
    """Estimate class shares (r,) of maximum likelihood by expectation maximisation.

    Saerens, Latinne & Decaestecker (2002), eq. 2.9. With one-hot likelihoods the result
    equals the observed class shares.
    """
    n_classes = likelihoods.shape[1]
    shares = np.full(n_classes, 1.0 / n_classes)
    max_iterations = 1_000
    for _ in range(max_iterations):
        before = shares
        shares = np.average(posterior_of(likelihoods, shares), axis=0, weights=weights)
        if np.abs(shares - before).max() < TOLERANCE:
            break
    return shares


def share_influences(likelihoods: Floats, shares: Floats, weights: Floats) -> Floats:
    """Compute the influence (n, r) of each row on the maximum-likelihood class shares.

    The influence is the score function of each row times the inverse Fisher information,
    for shares above 0 and in directions that keep their sum at 1.
    """
    first, *others = np.eye(len(shares))[shares > TOLERANCE]
    changes = np.array(others).reshape(-1, len(shares)) - first
    scores = likelihoods @ changes.T / (likelihoods @ shares)[:, None]
    information = (scores.T * weights) @ scores / weights.sum()
    return np.asarray(scores @ np.linalg.pinv(information) @ changes)

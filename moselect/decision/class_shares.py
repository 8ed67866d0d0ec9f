"""Shares of the classes among rows, from likelihoods of the classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats

MAX_ITERATIONS = 1_000
TOLERANCE = 1e-9  # change of the shares at which they are final


def likelihoods_of(proba: Floats, trained: ArrayLike) -> Floats:
    """Return the likelihood (n, r) of each class, up to a factor a row.

    By Bayes' theorem that is the probability (n, r) over the share (r,) of the class for
    which it holds.
    """
    known = np.asarray(trained, dtype=np.float64)
    return np.divide(proba, known, out=np.zeros_like(proba), where=known > 0.0)


def posterior_of(likelihoods: Floats, shares: ArrayLike) -> Floats:
    """Return class probabilities (n, r) where classes have some shares (r,)."""
    joint = likelihoods * np.asarray(shares)
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def class_shares(likelihoods: Floats, weights: Floats) -> Floats:
    """Estimate the shares (r,) of most likelihood by expectation maximisation.

    Saerens, Latinne & Decaestecker (2002), eq. 2.9. Where the likelihood of a row is 1
    for its class, and 0 for the others, they are those of the labels.
    """
    n_classes = likelihoods.shape[1]
    shares = np.full(n_classes, 1.0 / n_classes)
    for _ in range(MAX_ITERATIONS):
        before = shares
        shares = np.average(posterior_of(likelihoods, shares), axis=0, weights=weights)
        if np.abs(shares - before).max() < TOLERANCE:
            break
    return shares


def share_influences(likelihoods: Floats, shares: Floats, weights: Floats) -> Floats:
    """Return the influence (n, r) of each row on the shares of most likelihood.

    The scores of the rows over the Fisher information, along changes of the shares above
    0 whose sum stays 1.
    """
    first, *others = np.eye(len(shares))[shares > TOLERANCE]
    changes = np.array(others).reshape(-1, len(shares)) - first
    scores = likelihoods @ changes.T / (likelihoods @ shares)[:, None]
    information = (scores.T * weights) @ scores / weights.sum()
    return np.asarray(scores @ np.linalg.pinv(information) @ changes)

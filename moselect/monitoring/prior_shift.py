"""Class shares of rows without labels, by the probabilities of a model (prior shift)."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers
from moselect.inference.standard_errors import widening
from moselect.predictor.score_calibration import posterior_of
from moselect.samples.samples import Samples
from moselect.validation import ratios_or_zero

TOLERANCE = 1e-9  # change of the shares at which they are final


def likelihoods_of(proba: Floats, trained: ArrayLike) -> Floats:
    """Compute class likelihoods (n, r), up to a factor per row.

    By Bayes' theorem: class probabilities (n, r) divided by the class shares (r,) under
    which they were trained.
    """
    return ratios_or_zero(proba, np.asarray(trained))


MAX_ITERATIONS = 1_000


def class_shares(likelihoods: Floats, weights: Floats) -> Floats:
    """Estimate class shares (r,) of maximum likelihood by expectation maximisation.

    Saerens, Latinne & Decaestecker (2002), eq. 2.9. With one-hot likelihoods the result
    equals the observed class shares.
    """
    n_classes = likelihoods.shape[1]
    shares = np.full(n_classes, 1.0 / n_classes)
    for _ in range(MAX_ITERATIONS):
        before = shares
        shares = np.average(posterior_of(likelihoods, shares), axis=0, weights=weights)
        if np.abs(shares - before).max() < TOLERANCE:
            break
    return shares


def share_sensitivity(likelihoods: Floats, shares: Floats, weights: Floats) -> Floats:
    """Compute the change (r, r) of maximum-likelihood shares by mean likelihood ratios.

    It is the inverse Fisher information, for classes that some row may have and in directions
    that keep the sum of shares at 1. The influence of a row is its likelihoods over their
    mean, times this.
    """
    first, *others = np.eye(len(shares))[likelihoods.any(axis=0)]
    changes = np.array(others).reshape(-1, len(shares)) - first
    scores = likelihoods @ changes.T / (likelihoods @ shares)[:, None]
    information = (scores.T * weights) @ scores / weights.sum()
    return np.asarray(changes.T @ np.linalg.pinv(information) @ changes)


def calibration_covariance(
    samples: Samples, proba: Floats, shares: Floats, costs: Floats, predicted: Integers
) -> Floats:
    """Estimate the covariance (2 r + 1, 2 r + 1) due to the finite calibration sample.

    The statistics are mean out-of-fold probabilities (n, r) under the class ``shares`` in
    use, class shares, and the mean difference between costs and expected costs of the
    predictions, as far as it depends on the mean errors of the probabilities. A fitted model
    takes these sample means for population means.
    """
    trained = samples.class_weights / samples.sample_weight_or_ones.sum()
    in_use = samples.in_use(ratios_or_zero(shares, trained))
    is_class = np.eye(len(shares))[samples.codes]
    expected = posterior_of(likelihoods_of(proba, trained), shares)
    errors = is_class - expected
    of_costs = (errors * costs[:, predicted].T).sum(axis=1)
    roots = np.sqrt(in_use.sample_weight_or_ones)[:, None]
    # Probabilities may be too low for a class, or too sure: their errors then rise with it.
    ranks = expected @ np.arange(len(shares))
    errors = np.hstack([errors, errors * ranks[:, None]])
    fit = np.linalg.lstsq(roots * errors, roots[:, 0] * of_costs)[0]
    of_costs = errors @ fit
    values = np.column_stack([expected, is_class, of_costs])
    means = np.average(values, axis=0, weights=in_use.weights)
    influences = in_use.sum_by_cluster((values - means).T)
    return np.cov(influences) * widening(samples) ** 2 / influences.shape[-1]


def calibration_table(
    shares: pd.DataFrame, likelihoods: Floats, weights: Floats
) -> pd.DataFrame:
    """Tabulate mean probability and share of each class, equal for a calibrated model."""
    proba = posterior_of(likelihoods, shares["reported"])
    means = np.average(proba, axis=0, weights=weights)
    return pd.DataFrame({"mean probability": means, "share": shares["now"]}, shares.index)

"""Inference for ranking measures and their differences between models."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, stdtr, stdtrit

from moselect._kernels.scores import has_mixed_prefix
from moselect._types import Floats, LabelOrder, record
from moselect.inference.covariance import (
    check_draws,
    delong_covariance,
    draw_squares,
    exact_covariance,
    measure_weights,
    rankings_of,
)
from moselect.inference.prediction_inference import welch_degrees
from moselect.listing import listing
from moselect.metrics.class_pairs import check_scored_samples
from moselect.metrics.objectives import RANKING_OBJECTIVES
from moselect.metrics.ranking import measure_rankings
from moselect.samples.weights import WeightType
from moselect.validation import (
    Ties,
    check_choice,
    check_level,
    check_ties,
    require_samples,
    weights_or_ones,
)


@record
class RankingInference:
    """Estimates of one ranking measure for m models, with inference.

    Attributes
    ----------
    measure, method : str
        Names of the measure and of the estimator of the covariance.
    estimates : ndarray of shape (m,)
        The measure of each model.
    covariance : ndarray of shape (m, m)
        Covariance of the estimates.
    confidence_intervals : ndarray of shape (m, 2)
        Lower and upper ends, within 0..1.
    p_values : ndarray of shape (m, m)
        Two-sided, for the hypothesis that two models have the same expected measure.

    Examples
    --------
    >>> found = ranking_inference([1, 1, 2, 2], [0.1, 0.3, 0.2, 0.4], "u_pairs", "delong")
    >>> found.estimates, found.standard_errors.round(3)
    (array([0.75]), array([0.354]))
    """

    measure: str
    method: str
    estimates: Floats
    covariance: Floats
    confidence_intervals: Floats
    p_values: Floats

    @property
    def standard_errors(self) -> Floats:
        """Square roots (m,) of the variances; 0 where an unbiased variance is negative."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))


# largest sample size with the exact covariance by default
MAX_EXACT_SAMPLES = 1000


def ranking_inference(
    y_true: ArrayLike,
    scores: ArrayLike,
    measure: str = "vus",
    method: Literal["exact", "delong"] | None = None,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    weight_type: WeightType | None = None,
    labels: LabelOrder = None,
    confidence_level: float = 0.95,
) -> RankingInference:
    """Estimate a ranking measure with confidence intervals, for one or several models.

    Inference is conditional on the class sizes: the samples of each class are a random
    sample from that class.

    Parameters
    ----------
    y_true, labels
        As in `ranking_scores`.
    scores : array-like of shape (n,) or (n, m)
        Scores of one model, or of m models in columns; higher means a higher class.
    measure : {"vus", "u_ovo", "u_cons", "u_pairs"}, default="vus"
        The measure.
    method : {"exact", "delong"}, optional
        Estimator of the covariance. "exact" is unbiased, takes O(r n^2), and is for VUS
        without real weights or groups. "delong" takes O(n) after the sort and is slightly
        too large on small data. By default "exact" where it is possible, up to 1,000
        samples.
    ties : {"strict", "average"}, default="strict"
        Credit for equal scores of different classes, as in `ranking_scores`; half credit
        is for measures of pairs, and for VUS where no scores tie.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples, on any scale. Of counts, the result equals the one for
        repeated samples.
    groups : array-like of shape (n,), optional
        Group labels, such as patients: samples of a group may be dependent, groups are
        independent. By default all samples are independent.
    weight_type : {"counts", "sampling"}, optional
        Whether integer weights count equal samples; by default only if classes and
        predictions are the cells of a contingency table. A warning names the type that was
        found.
    confidence_level : float, default=0.95
        Nominal coverage probability of the intervals.

    Returns
    -------
    RankingInference
        Estimates, covariance, confidence intervals and p-values of pairwise differences.

    Raises
    ------
    ValueError
        On wrong input as in `ranking_scores`, if a class has fewer than two samples, or
        samples of fewer than two groups, or for "exact" with another measure than VUS,
        real weights or groups.

    Notes
    -----
    Intervals are of Student's t on the logit scale, with the degrees of freedom of Welch and
    Satterthwaite for classes whose samples vary alike. At an estimate of exactly 0 or 1, where that
    scale ends, they are Clopper-Pearson intervals of as many independent sequences as the
    smallest class has samples, all right or all wrong; coverage is at least the level.

    Real weights and groups enter by influence: the influence of a sample is its weighted
    structural component less the mean of its class, and influences of a group are summed
    before they are squared. The effective size of a class of groups (or samples) with
    weights w is (sum w)^2 / sum w^2 (Kish 1965). There is at most one degree of freedom less
    than there are groups: the variance between few groups is poorly estimated. 95 %
    intervals of 6, 10 and 25 groups then cover .94, .93 and .97.

    An unbiased variance may come out negative on very small data; then nothing is known,
    the interval is 0..1, and a p-value, as where a difference has no positive variance,
    is 1.

    References
    ----------
    DeLong, DeLong, Clarke-Pearson (1988), Comparing the areas under two or more
    correlated receiver operating characteristic curves, Biometrics 44:837-845.
    Liang, Zeger (1986), Longitudinal data analysis using generalized linear models,
    Biometrika 73:13-22.
    Bell, McCaffrey (2002), Bias reduction in standard errors for linear regression with
    multi-stage samples, Survey Methodology 28:169-181.
    Kish (1965), Survey sampling, Wiley.
    Nakas, Yiannoutsos (2004), Ordered multiple-class ROC analysis with continuous
    measurements, Statistics in Medicine 23:3437-3449.
    Waegeman, De Baets, Boullart (2008), On the scalability of ordered multi-class ROC
    analysis, Computational Statistics and Data Analysis 52:3371-3388.

    Examples
    --------
    >>> y = [1, 1, 1, 2, 2, 2, 3, 3, 3]
    >>> result = ranking_inference(y, [1, 4, 2, 3, 7, 5, 6, 8, 9])
    >>> result.estimates
    array([0.777...])
    >>> result.confidence_intervals.round(3)
    array([[0.421, 0.944]])
    """
    half_credit = check_ties(ties)
    check_choice("measure", measure, RANKING_OBJECTIVES)
    check_level(confidence_level)
    weights, draws = check_draws(sample_weight, groups, weight_type, scores, y_true)
    samples = check_scored_samples(y_true, scores, weights, labels)
    require_samples(samples.class_weights, samples.classes, measure)
    # Counts are repetitions: the covariance takes each sample by itself.
    if weights is not None and draws is None:
        counts = weights.astype(int)
        codes = samples.codes.repeat(counts)
        rows = samples.rows.repeat(counts, axis=1)
        samples = samples._replace(codes=codes, weights=None, rows=rows)
    sizes = samples.class_weights
    if draws is not None:
        # Effective number of draws in a class (Kish 1965).
        each = weights_or_ones(samples.weights, len(samples.codes))
        sizes = sizes**2 / draw_squares(samples.codes, each, draws, len(sizes))
    if sizes.min() <= 1.0:
        alone = listing(samples.classes[sizes <= 1.0])
        drawn = "samples" if groups is None else "groups"
        raise ValueError(
            f"inference needs two {drawn} of every class: class {alone} has one"
        )
    can_be_exact = measure == "vus" and draws is None
    if method is None:
        small = can_be_exact and len(samples.codes) <= MAX_EXACT_SAMPLES
        method = "exact" if small else "delong"
    exact = check_choice("method", method, ("exact", "delong")) == "exact"
    if exact and not can_be_exact:
        raise ValueError(
            'method="exact" is for vus without real weights or groups: take "delong"'
        )
    # A tied run of m classes has a credit of 1/m!, which no sum over pairs of samples
    # gives.
    divides = measure == "vus" and half_credit
    if divides and any(
        has_mixed_prefix(one.keys, one.bits) for one in rankings_of(samples)
    ):
        raise ValueError(
            "inference on vus knows no half credit for tied scores: ties='strict'"
        )
    ranking = measure_weights(measure)
    estimates = measure_rankings(samples, half_credit) @ ranking
    if exact:
        covariance = exact_covariance(samples, estimates)
    else:
        covariance = delong_covariance(samples, ranking, half_credit, draws)
    degrees = welch_degrees(1.0 / sizes, sizes)
    if draws is not None:
        degrees = min(degrees, draws.max())
    intervals = [
        logit_interval(estimate, variance, confidence_level, sizes.min(), degrees)
        for estimate, variance in zip(estimates, np.diagonal(covariance), strict=True)
    ]
    return RankingInference(
        measure,
        method,
        estimates,
        covariance,
        np.array(intervals),
        _p_values(estimates, covariance, degrees),
    )


def logit_interval(
    estimate: float, variance: float, level: float, smallest: float, degrees: float
) -> tuple[float, float]:
    """Compute confidence limits as in the notes of `ranking_inference`."""
    tail = (1.0 - level) / 2.0
    # All chains ascend: the one-sided limit of p^n = tail, as in the rule of three.
    if estimate >= 1.0:
        return tail ** (1.0 / smallest), 1.0
    if estimate <= 0.0:
        return 0.0, 1.0 - tail ** (1.0 / smallest)
    # An unbiased variance may be negative: the interval is then all that is possible.
    if variance <= 0.0:
        return 0.0, 1.0
    # Delta method: the standard error on the scale of the logit, d logit(p) = dp / (p (1
    # - p)).
    error = math.sqrt(variance) / (estimate * (1.0 - estimate))
    half = stdtrit(degrees, 1.0 - tail) * error
    return expit(logit(estimate) - half), expit(logit(estimate) + half)


# Variances of differences below this share of the variances are rounding errors.
VARIANCE_ROUNDING = 1e-12


def _p_values(estimates: Floats, covariance: Floats, degrees: float) -> Floats:
    """Two-sided p-values (m, m) of the differences between models."""
    diagonal = np.diagonal(covariance)
    sums = diagonal[:, None] + diagonal
    # Var(a - b) = Var(a) + Var(b) - 2 Cov(a, b).
    variances = sums - 2.0 * covariance
    p_values = np.ones_like(covariance)
    known = variances > VARIANCE_ROUNDING * np.abs(sums)
    differences = np.subtract.outer(estimates, estimates)
    z = differences[known] / np.sqrt(variances[known])
    p_values[known] = 2.0 * stdtr(degrees, -np.abs(z))
    return p_values

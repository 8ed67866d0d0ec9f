"""Confidence intervals of measures of predicted classes."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincinv, ndtri, stdtrit

from moselect._types import Floats, Integers, LabelOrder
from moselect.inference.covariance import check_draws, draw_squares
from moselect.labels.labels import order_is_guessed
from moselect.metrics.confusion import Confusion, count_confusion
from moselect.metrics.objective import distances, errors
from moselect.samples.weights import WeightType
from moselect.validation import (
    check_cost_matrix,
    check_level,
    in_class_order,
    weights_or_ones,
)

JEFFREYS = 0.5  # prior count of each of the two outcomes of a binomial share
TINY = np.finfo(np.float64).tiny  # keeps quotients of zeros finite
# Relative variance of a constant loss, and its effective sample size.
CONSTANT_VARIANCE = 1e-20
CONSTANT_SIZE = 1e12
# Sensitivities between which the upper limit of the least is interpolated
N_SENSITIVITIES = 1_000


class PredictionLaw:
    """Distribution of the predictions of each class, estimated from a confusion matrix.

    With ``draws`` (n,), of samples with ``weights`` (n,), the matrix may hold weights.

    Attributes
    ----------
    sizes, effective_sizes : ndarray of shape (k,)
        Weight of the samples of each stratum, a class (k = r) or all samples
        (k = 1), and their effective number of draws (Kish 1965).
    shares, smoothed : ndarray of shape (k, m)
        Share of each cell in its stratum; the same with half a correct and half
        a wrong prediction added to each class.
    """

    def __init__(
        self,
        confusion: Confusion,
        weights: Floats | None,
        draws: Integers | None,
        level: float,
    ) -> None:
        counts = confusion.matrix
        r = len(counts)
        self._cells = confusion.cells
        self._weights = weights_or_ones(weights, len(self._cells))
        self._draws = draws
        self._tail = (1.0 - level) / 2.0
        self.sizes = counts.sum(axis=1)
        self.shares = counts / np.maximum(self.sizes, TINY)[:, None]
        self.effective_sizes = self.sizes
        # Counts need no draws: a confusion matrix says all.
        if draws is not None:
            squares = draw_squares(self._cells // r, self._weights, draws, r)
            self.effective_sizes = self.sizes**2 / np.maximum(squares, TINY)
        effective_counts = self.shares * self.effective_sizes[:, None]
        distance = distances(self.sizes).astype(int)
        by_distance = np.bincount(distance.ravel(), effective_counts.ravel(), minlength=r)
        # prior probability that an error is off by one class more
        farther = 0.5
        wrong = np.append(0.0, by_distance[1:] + farther ** np.arange(1, r))[distance]
        prior = JEFFREYS * (wrong / wrong.sum(axis=1, keepdims=True) + np.eye(r))
        totals = (effective_counts + prior).sum(axis=1, keepdims=True)
        self.smoothed = (effective_counts + prior) / totals

    def of_all_samples(self) -> Self:
        """Return the distribution without strata: the sizes of the classes are random."""
        law = copy(self)
        weights = self.sizes[:, None] / self.sizes.sum()
        law.shares = (weights * self.shares).reshape(1, -1)
        law.smoothed = (weights * self.smoothed).reshape(1, -1)
        law.sizes = law.effective_sizes = self.sizes.sum(keepdims=True)
        if self._draws is not None:
            every = np.zeros_like(self._cells)
            squares = draw_squares(every, self._weights, self._draws, 1)
            law.effective_sizes = law.sizes**2 / squares
        return law

    def interval(self, loss: Floats, class_shares: Floats) -> tuple[float, float, float]:
        """Compute a mean loss and the ends of its confidence interval."""
        mean, size, n = self.as_share(loss, class_shares)
        share = np.clip(mean / size, 0.0, 1.0)
        lower, upper = (
            size * jeffreys_quantile(share, n, probability)
            for probability in (self._tail, 1.0 - self._tail)
        )
        return mean, min(lower, mean), max(upper, mean)

    def as_share(self, loss: Floats, class_shares: Floats) -> tuple[float, float, float]:
        """Compute a mean loss, with loss size and sample number n of an equivalent binomial.

        Each of the n samples has a loss of this size, or 0.
        """
        loss = loss.reshape(self.shares.shape)
        effective = np.maximum(self.effective_sizes, TINY)
        mean, means, variances = _moments(self.shares, loss, class_shares)
        expected, _, spreads = _moments(self.smoothed, loss, class_shares)
        squared, _, _ = _moments(self.smoothed, loss**2, class_shares)
        size = squared / expected if expected > 0.0 else 1.0
        variance = class_shares**2 / effective @ spreads
        if not variance > CONSTANT_VARIANCE * size**2:
            return mean, size, CONSTANT_SIZE
        n = expected * (size - expected) / variance
        draws = self._draws
        if draws is None:
            return mean, size, n
        # The design effect: variance with clustered draws, relative to independent samples.
        codes = self._cells // loss.shape[1]
        each = (class_shares / np.maximum(self.sizes, TINY))[codes] * self._weights
        influences = np.bincount(draws, each * (loss.ravel()[self._cells] - means[codes]))
        independent = class_shares**2 / effective @ variances
        effect = influences @ influences / max(independent, TINY)
        degrees = welch_degrees(class_shares**2 / effective, effective)
        degrees = min(degrees, len(np.unique(draws[each > 0.0])) - 1.0)
        effect *= (stdtrit(max(degrees, 1.0), self._tail) / ndtri(self._tail)) ** 2
        mistakes = n * mean / size
        return mean, size, n * (mistakes + 1.0) / (mistakes * effect + 1.0)

    def minimum_sensitivity(self) -> tuple[float, float, float]:
        """Compute the minimum sensitivity and its confidence interval."""
        each = np.eye(len(self.sizes))
        present = each[self.sizes > 0.0]
        found = [self.as_share(1.0 - each, only) for only in present]
        wrong, _, n = np.transpose(found)
        least = 1.0 - wrong.max()
        lower = 1.0 - jeffreys_quantile(wrong, n, 1.0 - self._tail).max()
        # The probability that all classes have at least the observed minimum.
        sensitivities = np.linspace(least, 1.0, N_SENSITIVITIES)[:, None]
        own = 1.0 - (n * wrong + JEFFREYS) / (n + 2.0 * JEFFREYS)
        counts = n * least + JEFFREYS, n * (1.0 - least) + JEFFREYS
        exceeding = betainc(*counts, np.maximum(sensitivities, own)).prod(axis=1)
        upper = np.interp(1.0 - self._tail, exceeding, sensitivities[:, 0])
        return least, min(lower, least), max(upper, least)


def welch_degrees(variances: Floats, sizes: Floats) -> float:
    """Compute the degrees of freedom of a sum of variances (k,) of means of ``sizes`` (k,) rows.

    Welch (1947) and Satterthwaite: a class of few rows has most of the variance.
    """
    parts = variances**2 / np.maximum(sizes - 1.0, TINY)
    return variances.sum() ** 2 / parts.sum()


def _moments(
    shares: Floats, loss: Floats, class_shares: Floats
) -> tuple[float, Floats, Floats]:
    """Compute the mean of a loss (k, m), and its means and variances (k,) by stratum."""
    means = (shares * loss).sum(axis=1)
    variances = (shares * loss**2).sum(axis=1) - means**2
    return class_shares @ means, means, variances


def jeffreys_quantile(share: Floats, n: Floats | float, probability: float) -> Any:
    """Compute a quantile of Jeffreys' posterior of a share observed in n samples."""
    return betaincinv(n * share + JEFFREYS, n * (1.0 - share) + JEFFREYS, probability)


def prediction_inference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    weight_type: WeightType | None = None,
    labels: LabelOrder = None,
    cost_matrix: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Estimate measures of predicted classes with confidence intervals.

    The samples are a random sample, in which the sizes of the classes vary, too. Only for
    means over classes, and the minimum over them, the sizes are given.

    Parameters
    ----------
    y_true, y_pred, labels
        As in `accuracy_score`.
    sample_weight, groups : array-like of shape (n,), optional
        Weights of the samples, and names of groups, as in `ranking_inference`.
    weight_type : {"counts", "sampling"}, optional
        Whether integer weights count equal samples; by default only if classes and
        predictions are the cells of a contingency table. A warning names the type that was
        found.
    cost_matrix : array-like of shape (r, r), optional
        Costs, rows true classes, columns predicted ones, for a row ``expected_cost``.
    confidence_level : float, default=0.95
        Nominal coverage probability of the intervals.

    Returns
    -------
    DataFrame
        One row a measure, with the columns ``estimate``, ``lower`` and ``upper``.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`, if the level is not between 0 and 1, or if
        all samples are of one class, which is also the only one predicted.

    Notes
    -----
    Each measure but the minimum sensitivity is a weighted mean of the losses of single
    samples; kappa is linearised at its estimate. A mean loss L is treated as the share p
    = L / S of errors of one size S in n samples, and its interval is Jeffreys' interval of this
    share (Brown, Cai and DasGupta 2001, section 4.3) times S, which keeps a width where
    all predictions are right. The size S = E[loss^2] / E[loss] and the effective number n
    = L (S - L) / variance are such that n such samples have the mean and the variance of
    the loss (Korn and Graubard 1998). Their moments come from a smoothed confusion
    matrix, with half a correct and half a wrong prediction added to each class, the latter
    distributed over distances like the errors of all classes.

    For real weights and groups, n is divided by the design effect: the ratio of the
    sandwich variance of group influences to the variance of (sum w)^2 / sum w^2 effective
    samples of each class, times the squared ratio of the quantiles of Student's t (with
    the effective number less one degrees of freedom) and the normal distribution. With few
    errors it is poorly estimated and shrunk towards complete agreement within groups.

    The minimum sensitivity over several classes is biased downwards. Its lower limit is
    the minimum of the Jeffreys limits of the classes. The upper limit is the sensitivity s
    at which the observed least one, m, would be exceeded by all classes with a
    probability of (1 + level) / 2, if each had at least s, or its smoothed sensitivity if
    that is higher.

    References
    ----------
    Brown, Cai, DasGupta (2001), Interval estimation for a binomial proportion,
    Statistical Science 16:101-133.
    Korn, Graubard (1998), Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data, Survey Methodology 24:193-201.

    Examples
    --------
    >>> table = prediction_inference([1, 1, 2, 2, 3, 3] * 10, [1, 1, 2, 2, 3, 2] * 10)
    >>> table.loc["accuracy"].round(2).tolist()
    [0.83, 0.72, 0.91]
    """
    weights, draws = check_draws(sample_weight, groups, weight_type, y_pred, y_true)
    confusion = count_confusion(y_true, y_pred, weights, labels)
    guessed = order_is_guessed(y_true, labels)
    costs = in_class_order("cost_matrix", cost_matrix, confusion.classes, guessed=guessed)
    counts = confusion.matrix
    if costs is not None:
        costs = check_cost_matrix(costs, len(counts))
    check_level(confidence_level)
    if len(counts) < 2:
        raise ValueError("there is one class only: nothing can be predicted wrongly")
    if not counts.any():
        raise ValueError("no row has a weight: there is nothing to measure")
    law = PredictionLaw(confusion, weights, draws, confidence_level)
    of_all = law.of_all_samples()
    rows = {}
    for name, loss, class_shares, upside_down in _mean_losses(counts, costs):
        strata = of_all if len(class_shares) == 1 else law
        value, lower, upper = strata.interval(loss, class_shares)
        rows[name] = (value, lower, upper)
        # The measure is 1 - loss: its limits change places.
        if upside_down:
            rows[name] = (1.0 - value, 1.0 - upper, 1.0 - lower)
    rows["minimum_sensitivity"] = law.minimum_sensitivity()
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["estimate", "lower", "upper"]
    )


def _mean_losses(
    counts: Floats, cost_matrix: Floats | None
) -> Iterator[tuple[str, Floats, Floats, bool]]:
    """Yield name, losses (r, r), shares of strata (k,) and whether the measure is 1 - mean loss."""
    sizes = counts.sum(axis=1)
    present = sizes > 0.0
    every = np.ones(1)  # all samples are one stratum
    distance = distances(sizes)
    yield "accuracy", errors(sizes), every, True
    yield "off_by_one_accuracy", (distance > 1.0).astype(float), every, True
    yield "mean_absolute_error", distance, every, False
    # Macro averages weigh all classes with samples equally.
    yield "macro_mean_absolute_error", distance, present / present.sum(), False
    # 1 - kappa = D / E, with the mean distance D and that by chance E; its derivative by
    # the cells is (distance - D / E chance) / E, where chance is the sum of the mean
    # distances of the predicted class from all true ones, and of the true class from all
    # predicted ones.
    shares = sizes / sizes.sum()
    answers = counts.sum(axis=0) / sizes.sum()
    chance = shares @ distance + (distance @ answers)[:, None]
    # Mean distance under independence of class and prediction.
    expected = shares @ distance @ answers
    with np.errstate(invalid="ignore"):
        ratio = (counts * distance).sum() / sizes.sum() / expected
        loss = (distance - ratio * (chance - 2.0 * expected)) / expected
    yield "linear_kappa", loss, every, True
    if cost_matrix is not None:
        yield "expected_cost", cost_matrix, every, False

"""Distribution of predictions by class, with its uncertainty from a confusion matrix."""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import betainc, betaincinv, ndtri, stdtrit

from moselect._types import Floats, Integers
from moselect.metrics.class_costs import distances
from moselect.metrics.uncertainty.covariance import draw_squares

JEFFREYS = 0.5  # prior count of each of the two outcomes of a binomial share
TINY = np.finfo(np.float64).tiny  # keeps quotients of zeros finite


class DrawnCells(NamedTuple):
    """Cell of the confusion matrix, weight and draw (or group) of each sample, all (n,)."""

    cells: Integers
    weights: Floats
    draws: Integers


class PredictionLaw:
    """Distribution of the predictions of each class, estimated from a confusion matrix (r, r).

    Attributes
    ----------
    sizes, effective_sizes : ndarray of shape (r,)
        Weight of the samples of each class, and their effective number of draws
        (Kish 1965).
    shares, smoothed : ndarray of shape (r, r)
        Share of each class predicted as each class; the same with half a correct and half
        a wrong prediction added to each class.
    """

    def __init__(self, counts: Floats, level: float, drawn: DrawnCells | None) -> None:
        r = len(counts)
        self._drawn = drawn
        self._tail = (1.0 - level) / 2.0
        self.sizes = counts.sum(axis=1)
        self.shares = counts / np.maximum(self.sizes, TINY)[:, np.newaxis]
        self.effective_sizes = self.sizes
        if drawn is not None:
            squares = draw_squares(drawn.cells // r, drawn.weights, drawn.draws, r)
            self.effective_sizes = self.sizes**2 / np.maximum(squares, TINY)
        effective_counts = self.shares * self.effective_sizes[:, np.newaxis]
        distance = distances(self.sizes).astype(np.int64)
        by_distance = np.bincount(distance.ravel(), effective_counts.ravel(), minlength=r)
        # prior probability that an error is off by one class more
        farther = 0.5
        wrong = np.append(0.0, by_distance[1:] + farther ** np.arange(1, r))[distance]
        prior = JEFFREYS * (wrong / wrong.sum(axis=1, keepdims=True) + np.eye(r))
        totals = (effective_counts + prior).sum(axis=1, keepdims=True)
        self.smoothed = (effective_counts + prior) / totals

    def interval(self, loss: Floats, class_shares: Floats) -> tuple[float, float, float]:
        """Compute a mean loss and the ends of its confidence interval."""
        mean, size, n = self.as_share(loss, class_shares)
        share = np.clip(mean / size, 0.0, 1.0)
        lower, upper = (
            float(size * _quantile(share, n, probability))
            for probability in (self._tail, 1.0 - self._tail)
        )
        return mean, min(lower, mean), max(upper, mean)

    def as_share(self, loss: Floats, class_shares: Floats) -> tuple[float, float, float]:
        """Compute a mean loss, with loss size and sample number n of an equivalent binomial.

        Each of the n samples has a loss of this size, or 0.
        """
        effective = np.maximum(self.effective_sizes, TINY)
        mean, means, variances = _moments(self.shares, loss, class_shares)
        expected, _, spreads = _moments(self.smoothed, loss, class_shares)
        squared, _, _ = _moments(self.smoothed, loss**2, class_shares)
        size = squared / expected if expected > 0.0 else 1.0
        variance = float(class_shares**2 / effective @ spreads)
        # relative variance of a constant loss
        rounding = 1e-20
        if not variance > rounding * size**2:
            # its effective sample size
            many = 1e12
            return mean, size, many
        n = expected * (size - expected) / variance
        if self._drawn is None:
            return mean, size, n
        # The design effect: variance with clustered draws, relative to independent samples.
        cells, weights, draws = self._drawn
        codes = cells // len(means)
        each = (class_shares / np.maximum(self.sizes, TINY))[codes] * weights
        influences = np.bincount(draws, each * (loss.ravel()[cells] - means[codes]))
        independent = float(class_shares**2 / effective @ variances)
        effect = float(influences @ influences) / max(independent, TINY)
        effective_size = class_shares.sum() ** 2 / float(
            (class_shares**2 / effective).sum()
        )
        degrees = min(effective_size, len(np.unique(draws[each > 0.0]))) - 1.0
        effect *= float(stdtrit(max(degrees, 1.0), self._tail) / ndtri(self._tail)) ** 2
        mistakes = n * mean / size
        return mean, size, n * (mistakes + 1.0) / (mistakes * effect + 1.0)

    def minimum_sensitivity(self) -> tuple[float, float, float]:
        """Compute the minimum sensitivity and its confidence interval."""
        each = np.eye(len(self.sizes))
        present = each[self.sizes > 0.0]
        found = [self.as_share(1.0 - each, only) for only in present]
        wrong, _, n = np.transpose(found)
        least = 1.0 - float(wrong.max())
        lower = 1.0 - float(_quantile(wrong, n, 1.0 - self._tail).max())
        # The probability that all classes have at least the observed minimum.
        # sensitivities between which the upper limit of the least is interpolated
        n_grid = 1_000
        sensitivities = np.linspace(least, 1.0, n_grid)[:, np.newaxis]
        own = 1.0 - (n * wrong + JEFFREYS) / (n + 2.0 * JEFFREYS)
        counts = n * least + JEFFREYS, n * (1.0 - least) + JEFFREYS
        exceeding = betainc(*counts, np.maximum(sensitivities, own)).prod(axis=1)
        upper = np.interp(1.0 - self._tail, exceeding, sensitivities[:, 0])
        return least, min(lower, least), max(float(upper), least)


def _moments(
    shares: Floats, loss: Floats, class_shares: Floats
) -> tuple[float, Floats, Floats]:
    """Compute the mean of a loss (r, r), and its means and variances (r,) by class."""
    means = (shares * loss).sum(axis=1)
    variances = (shares * loss**2).sum(axis=1) - means**2
    return float(class_shares @ means), means, variances


def _quantile(share: Any, n: Any, probability: float) -> Any:
    """Compute a quantile of Jeffreys' posterior of a share observed in n samples."""
    return betaincinv(n * share + JEFFREYS, n * (1.0 - share) + JEFFREYS, probability)

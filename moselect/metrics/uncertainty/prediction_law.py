"""Law of the predictions of each class, and how sure it is from a confusion matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, betaincinv, ndtri, stdtrit

from moselect._types import Floats, Integers
from moselect.metrics.class_costs import distances
from moselect.metrics.uncertainty.draws import draw_squares

JEFFREYS = 0.5  # prior count of each of the two outcomes of a binomial share
FARTHER = 0.5  # prior probability that a mistake is one more class off
TINY = np.finfo(np.float64).tiny  # divides what is 0, too
N_GRID = 1_000  # sensitivities between which the upper limit of the least is interpolated


class DrawnCells(NamedTuple):
    """Cell of the confusion matrix, weight and draw (or group) of each sample, all (n,)."""

    cells: Integers
    weights: Floats
    draws: Integers


class _Share(NamedTuple):
    """A mean loss as the share of mistakes of one size among a number of samples."""

    mean_loss: float
    size: float
    n: float

    def quantiles(self, probabilities: Floats) -> Floats:
        """Return quantiles of the mean loss: those of Jeffreys' posterior of the share."""
        share = np.clip(self.mean_loss / self.size, 0.0, 1.0)
        right = self.n * (1.0 - share) + JEFFREYS
        return np.asarray(
            self.size * betaincinv(self.n * share + JEFFREYS, right, probabilities)
        )


@dataclass(frozen=True)
class PredictionLaw:
    """Law of the predictions of each class, estimated by a confusion matrix (r, r)."""

    counts: Floats
    level: float
    drawn: DrawnCells | None

    @cached_property
    def sizes(self) -> Floats:
        """Weight (r,) of the samples of each class."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def shares(self) -> Floats:
        """Share (r, r) of each class that is predicted to be each."""
        return np.asarray(self.counts / np.maximum(self.sizes, TINY)[:, np.newaxis])

    @cached_property
    def effective_sizes(self) -> Floats:
        """Number (r,) of equally weighted draws that each class is worth (Kish 1965)."""
        if self.drawn is None:
            return self.sizes
        cells, weights, draws = self.drawn
        r = len(self.sizes)
        squares = draw_squares(cells // r, weights, draws, r)
        return np.asarray(self.sizes**2 / np.maximum(squares, TINY))

    @cached_property
    def smoothed(self) -> Floats:
        """The shares, as if each class had half a mistake and half a right sample more."""
        r = len(self.sizes)
        distance = distances(self.sizes).astype(np.int64)
        seen = self.shares * self.effective_sizes[:, np.newaxis]
        mistakes = np.bincount(distance.ravel(), seen.ravel(), minlength=r)
        by_distance = np.append(0.0, mistakes[1:] + FARTHER ** np.arange(1, r))
        wrong = by_distance[distance]
        wrong /= wrong.sum(axis=1, keepdims=True)
        prior = JEFFREYS * (wrong + np.eye(r))
        total = self.effective_sizes + 2.0 * JEFFREYS
        return np.asarray((seen + prior) / total[:, np.newaxis])

    def interval(self, loss: Floats, class_shares: Floats) -> tuple[float, float, float]:
        """Return a mean loss and the ends of its confidence interval."""
        tail = (1.0 - self.level) / 2.0
        share = self._share(loss, class_shares)
        if share is None:
            constant = float(class_shares @ (self.shares * loss).sum(axis=1))
            return constant, constant, constant
        value = share.mean_loss
        lower, upper = share.quantiles(np.array([tail, 1.0 - tail]))
        return value, min(float(lower), value), max(float(upper), value)

    def _share(self, loss: Floats, class_shares: Floats) -> _Share | None:
        """Return a mean loss as a share of equal mistakes; None if it cannot vary."""
        mean = float(class_shares @ (self.shares * loss).sum(axis=1))
        smoothed = (self.smoothed * loss).sum(axis=1)
        squared = (self.smoothed * loss**2).sum(axis=1)
        effective = np.maximum(self.effective_sizes, TINY)
        variance = float(class_shares**2 / effective @ (squared - smoothed**2))
        expected = float(class_shares @ smoothed)
        if not variance > 0.0 or expected <= 0.0:
            return None
        size = float(class_shares @ squared) / expected
        n = expected * (size - expected) / variance
        share = _Share(mean, size, n)
        return share if self.drawn is None else self._in_draws(share, loss, class_shares)

    def _in_draws(self, share: _Share, loss: Floats, class_shares: Floats) -> _Share:
        """Divide the effective number of samples by the design effect of the draws."""
        assert self.drawn is not None
        cells, weights, draws = self.drawn
        means = (self.shares * loss).sum(axis=1)
        variances = (self.shares * loss**2).sum(axis=1) - means**2
        effective = np.maximum(self.effective_sizes, TINY)
        independent = float(class_shares**2 / effective @ variances)
        codes = cells // len(means)
        each = (class_shares / np.maximum(self.sizes, TINY))[codes] * weights
        influences = each * (loss.ravel()[cells] - means[codes])
        sandwich = float((np.bincount(draws, influences) ** 2).sum())
        ratio = sandwich / independent if independent > 0.0 else 1.0
        n_draws = len(np.unique(draws[each > 0.0]))
        worth = float(class_shares.sum() ** 2 / (class_shares**2 / effective).sum())
        tail = (1.0 - self.level) / 2.0
        student = stdtrit(max(min(n_draws, worth) - 1.0, 1.0), tail)
        ratio *= float(student / ndtri(tail)) ** 2
        mistakes = share.n * share.mean_loss / share.size
        return share._replace(n=share.n * (mistakes + 1.0) / (mistakes * ratio + 1.0))

    def minimum_sensitivity(self) -> tuple[float, float, float]:
        """Return the least sensitivity of a class and the ends of its interval."""
        r = len(self.sizes)
        found = [self._share(1.0 - np.eye(r), np.eye(r)[k]) for k in range(r)]
        of_classes = [
            share
            for share, size in zip(found, self.sizes, strict=True)
            if share is not None and size > 0.0
        ]
        tail = (1.0 - self.level) / 2.0
        least = 1.0 - max(share.mean_loss for share in of_classes)
        lower = 1.0 - max(
            float(share.quantiles(np.array([1.0 - tail]))[0]) for share in of_classes
        )
        if least == 1.0:
            return least, lower, least
        sensitivities = np.linspace(least, 1.0, N_GRID)
        exceeding = np.ones(N_GRID)  # probability that all classes have at least m
        for share in of_classes:
            right = share.n * (1.0 - share.mean_loss) + JEFFREYS
            own = right / (share.n + 2.0 * JEFFREYS)
            exceeding *= betainc(
                share.n * least + JEFFREYS,
                share.n * (1.0 - least) + JEFFREYS,
                np.maximum(sensitivities, own),
            )
        upper = float(np.interp(1.0 - tail, exceeding, sensitivities))
        return least, min(lower, least), max(upper, least)

"""Limits: upper bounds on the frequency of given mistakes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from moselect._types import Booleans, Floats, Integers
from moselect.metrics.decisions import least_expected_cost
from moselect.samples.samples import Samples
from moselect.selection.standard_errors import (
    class_means,
    effective_size,
    sandwich,
    share_errors,
    variance_of_models,
    variance_on_equal_rows,
)

# Lagrange multiplier of a limit, in units of the mean cost, beyond which decisions are
# constant
LARGEST_PRICE = 2.0**24
# Margin below a limit in standard errors. The standard error reflects the sampled rows,
# but the deployed model is not one of the fold models: by
# experiments/coverage/trade_offs.py, a margin of 1.645 keeps the limit in 81 to 86 % of
# simulated samples, 2 in 86 %, 2.33 in 90 %.
SURE = 2.33


@dataclass(frozen=True, eq=False)
class Limit:
    """Upper bound on the share of a mistake.

    Attributes
    ----------
    words : str
        The mistake, as written by the user.
    mistakes : ndarray of bool, shape (r, r)
        Cells of the confusion matrix that count: true classes (rows), predicted classes
        (columns).
    among : ndarray of bool, shape (r,)
        True classes whose samples form the denominator of the share.
    most : float
        The greatest share, above 0 and below 1.
    ratios : ndarray of shape (r,)
        Prior of each class over its share in the table, 1 without priors; the share is
        estimated under the priors.
    members : ndarray of bool, shape (N,), or None
        Rows of the table that form the group in which the limit holds; None for all.
    """

    words: str
    mistakes: Booleans
    among: Booleans
    most: float
    ratios: Floats
    members: Booleans | None = None

    def reached(
        self,
        samples: Samples,
        predicted: Integers,
        folds: Integers | None = None,
        unlimited: Integers | None = None,
    ) -> LimitReached:
        """Estimate the share of mistakes among all samples of some classes.

        Share and standard error hold under the priors. Referred samples count in the
        denominator, and not as mistakes.

        Parameters
        ----------
        samples : Samples
            The samples (n,).
        predicted : ndarray of int, shape (n,)
            Predicted class codes, which alone determine whether the limit is met.
        folds : ndarray of int, shape (n,), optional
            Fold of each sample: the standard error includes the variance between fold
            models.
        unlimited : ndarray of int, shape (n,), optional
            Class codes predicted without limits. If these do not meet the limit, the
            decision was selected on the samples, and the share is corrected for that.
        """
        if self.members is not None:
            rows = self.members[samples.rows]
            part = replace(samples, X=np.empty((len(samples), 0))).take(rows)
            folds = None if folds is None else folds[rows]
            unlimited = None if unlimited is None else unlimited[rows]
            overall = replace(self, members=None)
            return overall.reached(part, predicted[rows], folds, unlimited)
        in_use = samples.in_use(self.ratios)
        codes = in_use.codes
        weights = np.where(self.among[codes], in_use.sample_weight_or_ones, 0.0)
        total = float(weights.sum())
        if total == 0.0:  # classes of prior 0
            return LimitReached(self.words, self.most, 0.0, 0.0, True)
        counted = self.frequencies(len(self.among) + 1) > 0.0
        mistakes = counted[codes, predicted].astype(np.float64)
        share = float(weights @ mistakes) / total
        # The share is a ratio of sums over independent rows or groups: its variance is
        # the variance of the residuals (linearisation), within classes if priors are known.
        has_priors = (self.ratios != 1.0).any()
        expected = class_means(in_use, mistakes) if has_priors else share
        residuals = np.bincount(in_use.units, weights * (mistakes - expected))
        variance = sandwich(in_use, residuals @ residuals / total**2)
        size = effective_size(in_use, self.among)
        error = float(share_errors(share, variance, size))
        met = share + SURE * error <= self.most
        if folds is not None:
            parts = weights * (folds == np.unique(folds[weights > 0.0])[:, None])
            shares = parts @ mistakes / parts.sum(axis=1)
            models = variance_on_equal_rows(samples.X, parts, mistakes)
            if models is None:
                models = variance_of_models(shares, error**2)
            error = math.hypot(error, math.sqrt(models))
        if unlimited is not None and met and not self.reached(samples, unlimited).met:
            # The threshold was placed at the first sample that is no mistake, next to m
            # mistakes of n samples. A new sample has any rank among these n + 1 with
            # equal probability, so it is a mistake with probability (m + 1) / (n + 1), as
            # in conformal risk control (Angelopoulos et al. 2024).
            share = (share * size + 1.0) / (size + 1.0)
        return LimitReached(self.words, self.most, share, error, met)

    def frequencies(self, n_answers: int) -> Floats:
        """Return the weight of each mistake (r, n_answers): the prior ratio of its class.

        A referral, after the classes, is no mistake.
        """
        own = self.mistakes * self.ratios[:, None]
        return np.pad(own, ((0, 0), (0, n_answers - len(own))))


class LimitReached(NamedTuple):
    """A limit and the cross-validated share of its mistake.

    Attributes
    ----------
    words : str
        The limit.
    most : float
        The greatest share allowed.
    share, std_error : float
        Cross-validated share of the mistake by the deployed model, with its standard error.
    met : bool
        Whether the share of the out-of-fold predictions lies below the limit by 2.33
        standard errors, without the variance between fold models.

    Examples
    --------
    >>> str(LimitReached("severe<serious", 0.2, 0.15, 0.02, True))
    'severe<serious: met, 15.0% ± 2.0%, cross-validated'
    """

    words: str
    most: float
    share: float
    std_error: float
    met: bool

    def __str__(self) -> str:
        state = "met" if self.met else "not met"
        return f"{self.words}: {state}, {self.share:.1%} ± {self.std_error:.1%}, cross-validated"


def costs_within(
    limits: Sequence[Limit], costs: Floats, samples: Samples, probabilities: Floats
) -> Floats:
    """Increase the costs of limited mistakes until the limits hold with their margin.

    ``costs`` are (r, a), or (n, r, a) of each sample.
    """
    unit = float(costs.mean()) or 1.0
    prices = np.zeros(len(limits))

    def priced(values: Floats) -> Floats:
        prices_of = zip(values, limits, strict=True)
        return costs + sum(
            p * limit.frequencies(costs.shape[-1]) for p, limit in prices_of
        )

    def holds(index: int, price: float) -> bool:
        tried = prices.copy()
        tried[index] = price
        predicted = least_expected_cost(probabilities, priced(tried))
        return limits[index].reached(samples, predicted).met

    bisections = 20
    # coordinate-wise passes over all limits
    rounds = 5
    for _ in range(rounds):
        before = prices.copy()
        for index in range(len(limits)):
            if holds(index, prices[index]):
                continue
            low = float(prices[index])
            high = unit
            while high < LARGEST_PRICE * unit and not holds(index, high):
                low = high
                high = 2.0 * high
            for _ in range(bisections):
                middle = (low + high) / 2.0
                low, high = (low, middle) if holds(index, middle) else (middle, high)
            prices[index] = high
        if np.array_equal(before, prices):
            break
    return priced(prices)


def boundary_limits(boundary: int, ratios: Floats) -> tuple[Limit, Limit]:
    """Return miss rate and false alarm rate at a boundary as limits with bound 1.

    Samples of class ``boundary`` or above are misses if they are predicted below it; the
    others are false alarms if they are not.
    """
    above = np.arange(len(ratios)) >= boundary
    return (
        Limit("missed", above[:, None] & ~above, above, 1.0, ratios),
        Limit("false alarms", ~above[:, None] & above, ~above, 1.0, ratios),
    )

"""Limits: upper bounds on the frequency of given mistakes, written in class labels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Booleans, Floats, Integers
from moselect.listing import listing
from moselect.metrics.decisions import least_expected_cost
from moselect.samples.labels import as_label_array
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
Z_MARGIN = 2.33


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
        met = share + Z_MARGIN * error <= self.most
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


def read_limit(
    words: str, most: float, classes: ArrayLike, ratios: Floats | None = None
) -> Limit:
    """Parse a limit given in class labels; ValueError if it is invalid.

    ``"severe<serious", 0.2``: at most a fifth of the samples of class severe or above
    may be predicted below serious. ``"slight>serious", 0.1``: at most a tenth of class
    slight or below may be predicted above serious. ``"slight predicted severe", 0.1``: at
    most a tenth of class slight. ``"predicted severe", 0.05``: at most a twentieth of all
    samples may be predicted severe. ``ratios`` (r,) are the priors over the class shares.
    """
    names = [str(label) for label in as_label_array(classes).tolist()]
    if not 0.0 < most < 1.0:
        raise ValueError(f"the limit {words!r} is {most}: give a share between 0 and 1")
    parts = parts_of(words, names)
    relation, c = next(iter(parts.items()))
    ranks = np.arange(len(names))
    truth = parts.get("truth", 0)
    if relation == "predicted":
        among = (ranks == truth) | ("truth" not in parts)
        wrong = ranks == c
    elif relation == "below":
        among = ranks >= truth
        wrong = ranks < c
    else:
        among = ranks <= truth
        wrong = ranks > c
        if c < truth:
            raise ValueError(
                f"the limit {words!r} counts correct predictions: write "
                f"'{names[c]}>{names[c]}' or '{names[c]} predicted {names[truth]}'"
            )
    mistakes = among[:, None] & wrong
    if not mistakes.any():
        raise ValueError(
            f"the limit {words!r} excludes nothing: no class is {relation} {names[c]}"
        )
    return Limit(
        words, mistakes, among, most, np.ones(len(names)) if ratios is None else ratios
    )


def split_limit(words: str) -> tuple[str, str, str]:
    """Split a limit into the mistake and, if it holds in groups, column and group.

    Examples
    --------
    >>> split_limit("severe<serious by sex: m"), split_limit("predicted severe")
    (('severe<serious', 'sex', 'm'), ('predicted severe', '', ''))
    """
    mistake, by, groups = words.rpartition(" by ")
    column, _, group = groups.partition(": ")
    return (mistake, column, group) if by else (words, "", "")


def parts_of(words: str, names: Sequence[str]) -> dict[str, int]:
    """Parse a limit into class codes: ``below``, ``above`` or ``predicted``, and ``truth``."""
    splits = [
        (words[: found.start()].strip(), found[0], words[found.end() :].strip())
        for found in re.finditer(r"<|>|\bpredicted ", words)
    ]
    splits = [split for split in splits if split[2]]
    if not splits:
        raise ValueError(
            f"the limit {words!r} cannot be read: write 'severe<serious', 'slight>serious', "
            "'predicted severe' or 'slight predicted severe'"
        )
    # Labels may contain such signs: <1, >2. rank_of refuses unknown labels.
    known = (split for split in splits if split[2] in names and split[0] in ("", *names))
    truth, relation, label = next(known, splits[0])
    side = {"<": "below", ">": "above"}.get(relation, "predicted")
    parts = {side: rank_of(label, names)}
    if truth or side != "predicted":
        parts["truth"] = rank_of(truth, names)
    return parts


def rank_of(name: str, names: Sequence[str]) -> int:
    """Return the code of a class; ValueError for an unknown name."""
    if name.strip() not in names:
        raise ValueError(f"{name.strip()!r} is no class: choose from {listing(names)}")
    return names.index(name.strip())

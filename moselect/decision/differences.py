"""Whether a rule costs less than its rival, from what both cost on the same samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from moselect._types import Floats


class PairedDifference(NamedTuple):
    """A paired difference with its confidence interval.

    Examples
    --------
    >>> PairedDifference(estimate=0.12, standard_error=0.03, low=0.05, high=0.18).shown
    True
    >>> PairedDifference(estimate=0.01, standard_error=0.03, low=-0.05, high=0.07).shown
    False
    """

    estimate: float
    standard_error: float
    low: float
    high: float

    @property
    def shown(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0.0 or self.high < 0.0


def paired_saving(
    paid: Floats, rival: Floats, weights: Floats | None = None, confidence_level: float = 0.95
) -> PairedDifference:
    """Return the share of a rival's cost that a rule saves, 1 - mean(paid) / mean(rival).

    The standard error is that of the ratio of two means of paired values (delta method).
    """
    w = np.ones(len(paid)) if weights is None else weights
    mean = float(w @ rival) / w.sum()
    if mean == 0.0:
        raise ValueError("the rival costs nothing: there is nothing to save")
    ratio = float(w @ paid) / w.sum() / mean
    return _interval(1.0 - ratio, (ratio * rival - paid) / mean, w, confidence_level)


def paired_gain(
    loss: float,
    influence: Floats,
    rival_loss: float,
    rival_influence: Floats,
    weights: Floats | None = None,
    confidence_level: float = 0.95,
) -> PairedDifference:
    """Return how much less the loss of a goal is by a rule than by its rival."""
    w = np.ones(len(influence)) if weights is None else weights
    return _interval(rival_loss - loss, rival_influence - influence, w, confidence_level)


def loss_difference(
    own: tuple[float, Floats], rival: tuple[float, Floats], by_cost: bool
) -> PairedDifference | None:
    """Return the share of a rival's cost that a rule saves, or how much less its loss is.

    Both are losses with the influence (n,) of each sample. None if the rival costs nothing.
    """
    if not by_cost:
        return paired_gain(*own, *rival)
    return paired_saving(own[0] + own[1], rival[0] + rival[1]) if rival[0] > 0.0 else None


def verdict(difference: PairedDifference, rival: str, *, in_percent: bool) -> str:
    """Return in words by how much a selected model is better than a rival, and how sure that is."""
    estimate, low, high = difference.estimate, difference.low, difference.high
    if not in_percent:
        if estimate >= 0.0:
            return f"gains {estimate:.2g} over {rival} ({low:.2g} to {high:.2g})"
        return f"loses {-estimate:.2g} to {rival} ({-high:.2g} to {-low:.2g})"
    share, low, high = (round(100.0 * each) for each in (estimate, low, high))
    if share >= 0:
        return f"saves {share} % against {rival} ({low} to {high} %)"
    return f"costs {-share} % more than {rival} ({-high} to {-low} %)"


def standard_errors(influences: Floats, weights: Floats | None = None) -> Floats:
    """Return the standard errors (...) of weighted means from the influences (..., n) on them."""
    w = np.ones(influences.shape[-1]) if weights is None else weights
    total, n = w.sum(), int(np.count_nonzero(w))
    centred = influences - (influences @ w / total)[..., None]
    return np.asarray(np.sqrt(centred**2 @ w**2 * n / max(1, n - 1)) / total)


def _interval(
    estimate: float, influence: Floats, weights: Floats, confidence_level: float
) -> PairedDifference:
    error, n = float(standard_errors(influence, weights)), int(np.count_nonzero(weights))
    reach = error * float(student.ppf(0.5 + confidence_level / 2.0, max(1, n - 1)))
    return PairedDifference(estimate, error, estimate - reach, estimate + reach)

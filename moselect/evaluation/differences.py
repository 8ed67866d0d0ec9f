"""Paired differences between two candidates, with their intervals."""

import math
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from moselect._types import Floats, Integers
from moselect.costs.priced import Priced
from moselect.inference.standard_errors import standard_errors, typical_weights
from moselect.samples.samples import Samples

EXCESS = ("excess", "excess_low", "excess_high")
# Relative excess costs above it are reported as a multiple, not in percent.
MULTIPLE_FROM = 2.0


class PairedDifference(NamedTuple):
    """A paired difference with its 95 % confidence interval.

    Examples
    --------
    >>> PairedDifference(estimate=0.12, std_error=0.03, low=0.05, high=0.18).low > 0.0
    True
    """

    estimate: float
    std_error: float
    low: float
    high: float


def loss_difference(
    rule: tuple[float, Floats],
    baseline: tuple[float, Floats],
    by_cost: bool,
    one_more: float = 0.0,
    resampled: tuple[float, float] | None = None,
) -> PairedDifference | None:
    """Estimate a model's relative saving over a baseline, or its difference in loss.

    Parameters
    ----------
    rule, baseline : tuple of (float, ndarray of shape (u,))
        Cross-validated loss and the influence of each cluster on it.
    by_cost : bool
        Whether the difference is relative to the baseline's loss.
    one_more : float, default=0
        Difference from one further row that the two decide otherwise, included in the
        standard error.
    resampled : tuple of (float, float), optional
        Losses of model and baseline on clusters that were not used to select the model.
        Their difference is the estimate; the standard error includes half of its distance
        from the difference of the cross-validated losses (selection bias). Models of equal losses
        on all clusters differ by 0.

    Returns
    -------
    PairedDifference or None
        None if the baseline has no loss. The standard error of a relative saving, a ratio
        of two paired means, is found by the delta method; the 95 % interval is Student's t,
        truncated at a saving of 100 %.
    """
    loss, influence = rule
    baseline_loss, baseline_influence = baseline
    are_equal = loss == baseline_loss and np.array_equal(influence, baseline_influence)
    if resampled is None or are_equal:
        resampled = loss, baseline_loss
    resampled_loss, resampled_baseline = resampled
    unit, resampled_unit = (baseline_loss, resampled_baseline) if by_cost else (1.0, 1.0)
    if min(unit, resampled_unit) <= 0.0:
        return None
    ratio = loss / unit if by_cost else 1.0
    shown = (baseline_loss - loss) / unit
    estimate = (resampled_baseline - resampled_loss) / resampled_unit
    error = float(standard_errors(ratio * baseline_influence - influence))
    # share of the correction for selection bias that is its own error, by experiments/coverage
    error_of_correction = 0.5
    correction = error_of_correction * (estimate - shown)
    error = math.hypot(error / unit, one_more / unit, correction)
    half_width = error * float(student.ppf(0.975, max(1, len(influence) - 1)))
    most = 1.0 if by_cost else math.inf
    return PairedDifference(
        estimate, error, estimate - half_width, min(most, estimate + half_width)
    )


def max_difference(
    criteria: Priced,
    costs: Floats,
    samples: Samples,
    first: Integers,
    second: Integers,
) -> float:
    """Compute the change of a paired difference by one further row that differs.

    Two models can only differ further on rows of the kind on which their decisions (n,)
    differ: by a pair of answers that differs on some row, or by neighbouring classes if none
    does, in the class where the pair differs most by ``costs`` (r, a), of a metric linearised.
    """
    r = len(costs)
    pairs = np.unique(np.stack([first, second])[:, first != second], axis=1)
    if pairs.size == 0:
        pairs = np.stack([np.arange(r - 1), np.arange(1, r)])
    changes = np.abs(costs[:, pairs[0]] - costs[:, pairs[1]]).max(axis=1)
    return criteria.of_one_row(samples, changes * typical_weights(samples))

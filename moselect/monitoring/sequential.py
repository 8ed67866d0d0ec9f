"""Verdict on the cost of later rows, by a confidence sequence that is valid at every check."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
from msgspec import ValidationError, convert
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

from moselect._types import Number
from moselect.inference.standard_errors import student_ratio
from moselect.monitoring.reference import Figure, MeanCost
from moselect.predictor.reference import Reference
from moselect.samples.samples import Samples

# Linear boundaries a + b t of a Brownian motion up to t = 1, each with its share of the
# level. At a level of 5 % the first one lies 2.4 to 2.9 standard errors away for t > 0.2, or
# a quarter as many rows as the reference has. The second one, about 3 standard errors away
# at t = 0.02, is for later rows whose costs vary far more, as under a changed law.
BOUNDARIES = ((0.9, 1.584, 0.9), (0.1414, 7.07, 0.1))
# Error probability on each side of the sequence of all rows, and of all sequences
# together that begin at later checks, which find a late change.
LEVEL_OF_ALL = 0.04
# Relative excess cost; the check is inconclusive if the interval reaches beyond it.
TOLERATED = 0.2
# Searched multiples of the rows so far for the number of rows for a verdict.
MORE_ROWS = np.geomspace(1.0, 1e4, 400)


Hashes = NDArray[np.uint64]


def combined_cost(means: Sequence[MeanCost]) -> MeanCost:
    """Combine the mean costs of disjoint rows, in proportion to their numbers."""
    rows, clusters, cost, error, one_more = np.array([mean[:5] for mean in means]).T
    shares = rows / rows.sum()
    return MeanCost(
        int(rows.sum()),
        int(clusters.sum()),
        float(shares @ cost),
        float(np.linalg.norm(shares * error)),
        float((shares * one_more).max()),
    )


def radius(variance: Number, reference_variance: float, level: float) -> Number:
    """Compute the radius of the confidence sequence of an excess cost.

    The excess D of the mean cost over its reference has the variance V, in which the error
    of the reference counts, too: V falls towards the variance R of the reference as rows
    accumulate. If nothing has changed, W = D sqrt(R) / V is then a Brownian motion in
    t = R / V <= 1, however many rows follow. With what probability it ever exceeds
    a + b t is known, so that D exceeds a V / sqrt(R) + b sqrt(R) at any check with
    probability ``level``. The boundary comes from a test martingale, a bet of fixed size
    exp(2 b W - 2 b^2 t), which the end of time cuts short. Of two boundaries the nearer one
    counts (`BOUNDARIES`). Means of any distribution with
    estimated variances are approximated by Brownian motion, as in the asymptotic
    confidence sequences of Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (2024, Annals of
    Statistics 52, 2613-2640).

    Parameters
    ----------
    variance : float or ndarray
        Variance V of the excess at a check.
    reference_variance : float
        Variance of the reference cost, known before the first check.
    level : float
        Error probability on each side, over all checks.
    """
    error = np.sqrt(reference_variance or variance)
    radii = [
        scale_of(intercept, slope, share * level)
        * (intercept * variance / error**2 + slope)
        * error
        for intercept, slope, share in BOUNDARIES
    ]
    return np.min(radii, axis=0)


@cache
def scale_of(intercept: float, slope: float, level: float) -> float:
    """Find the multiple of a boundary that is crossed with probability ``level``."""

    def excess(scale: float) -> float:
        a = scale * intercept
        b = scale * slope
        # Siegmund (1985), Sequential Analysis, eq. 3.15.
        crossed = ndtr(-a - b) + np.exp(-2.0 * a * b) * ndtr(b - a)
        return crossed - level

    return brentq(excess, 0.1, 10.0)


def margin_of(
    reference: Reference, mean: MeanCost, level: float, more: Number | float = 1.0
) -> Number:
    """Compute the radius at a mean cost, as if there were ``more`` times as many rows."""
    # Few rows seldom include the costliest mistakes; their mean cost and its standard
    # error are then too low. If nothing has changed, the variance per row is the same
    # then and now, so the standard error of the difference is at least the common one.
    # A row without a group does not vary as a group did: variances per group would be
    # compared between different units.
    ratio = reference.n_rows / mean.rows
    variance = reference.error**2 + mean.error**2 / more
    common = reference.error**2 * ratio / more + mean.error**2 / ratio
    radii = radius(np.maximum(variance, common), reference.error**2, level)
    has_groups = mean.clusters <= mean.rows / 2.0  # most rows are in given groups
    if has_groups or reference.n_units == reference.n_rows:
        return radii
    # Rows may come in groups that are unknown, so that the error of their mean is too
    # small. The error of few groups of the reference is widened for 95 % intervals, but
    # the boundary is beyond these: it is crossed at one check in about 0.5 %.
    usual, extreme = (student_ratio(reference.n_units, at) for at in (0.975, 0.995))
    return radii * extreme / usual


# Error rate of all later checks together.
LEVEL_OF_LATER = 0.01


def verdict_of(
    reference: Reference, means: Sequence[MeanCost]
) -> tuple[bool | None, str, float]:
    """Test the costs of all checks against their reference.

    Returns
    -------
    holds : bool or None
        Whether the cost is as reported; None if there are too few rows to tell.
    verdict : str
        The result as a sentence.
    margin : float
        Radius of the confidence sequence of all rows.
    """
    unit = reference.cost or 1.0
    found = []
    for start in range(len(means)):
        # The sum of 1 / (j (j + 1)) over all later checks j is 1.
        level = LEVEL_OF_LATER / (start * (start + 1)) if start else LEVEL_OF_ALL
        mean = combined_cost(means[start:])
        margin = margin_of(reference, mean, level)
        found.append((mean.cost - reference.cost - margin, margin, mean, start))
    least, radius_of_sequence, mean, start = max(found)
    if least > 0.0:
        high = least + 2.0 * radius_of_sequence
        since = f" since check {start + 1}" if start else ""
        verdict = (
            f"cost{since} {least / unit:.0%} to {high / unit:.0%} higher than estimated: "
        )
        verdict += reference.describe_cost(mean.cost)
        return False, verdict, found[0][1]
    least, margin, mean, _ = found[0]
    # No cost is below 0.
    low = max(least / unit, -1.0)
    high = (least + 2.0 * margin) / unit
    shown = f"{reference.describe_cost(mean.cost)} ({low:+.0%} to {high:+.0%})"
    if high <= TOLERATED:
        return True, f"as expected: {shown}", margin
    n_rows = rows_for_verdict(reference, mean)
    more = ""
    if n_rows is not None:
        rounded = float(f"{n_rows - mean.rows:.2g}")
        more = f", about {rounded:,.0f} more labelled cases needed"
    return None, f"inconclusive{more}: {shown}", margin


def rows_for_verdict(reference: Reference, mean: MeanCost | None = None) -> float | None:
    """Compute the number of rows that exclude an excess cost above the tolerance.

    Of a model that has not been checked yet, rows with the same cost and the same variance
    as the rows of the reference, in such groups, are assumed. None if no number of rows is
    enough, as the reference itself is too uncertain.
    """
    multiples = MORE_ROWS
    if mean is None:
        n = reference.n_rows
        mean = MeanCost(n, reference.n_units, reference.cost, reference.error, 0.0)
        multiples = MORE_ROWS / MORE_ROWS[len(MORE_ROWS) // 2]  # fewer rows may do
    excess = max(mean.cost - reference.cost, 0.0)
    reaches = margin_of(reference, mean, LEVEL_OF_ALL, multiples)
    enough = multiples[excess + reaches <= TOLERATED * (reference.cost or 1.0)]
    return np.ceil(mean.rows * enough[0]) if len(enough) else None


def row_hashes(samples: Samples) -> Hashes:
    """Hash each row of a table with its class, (n,)."""
    texts = samples.X.map(str).assign(**{"": samples.codes})
    return np.asarray(pd.util.hash_pandas_object(texts, index=False), np.uint64)


def digest_of(hashes: Hashes) -> str:
    """Return the number of rows and the sum of their hashes, as text."""
    return f"{len(hashes)}:{hashes.sum():016x}"


def n_counted(hashes: Hashes, history: Sequence[MeanCost]) -> int:
    """Count the first rows that earlier checks hold, complete and in the order of the checks.

    Rows are not compared one by one: new cases may equal earlier ones, and more often so
    the fewer values the features have.
    """
    start = 0
    for mean in history:
        stop = start + int(mean.digest.partition(":")[0])
        if digest_of(hashes[start:stop]) == mean.digest:
            start = stop
    return start


def earlier_costs(history: pd.DataFrame | None, reference: Reference) -> list[MeanCost]:
    """Return the mean costs of earlier checks; ValueError if they are not of the model."""
    if history is None:
        return []
    try:
        lines = history[[*MeanCost._fields]].to_numpy(object).tolist()
        means = convert(lines, list[MeanCost], strict=False)
        reported = convert(history["reported"].tolist(), list[Figure], strict=False)
    except (KeyError, ValidationError) as error:
        raise ValueError(
            f"the history of checks is damaged ({error}): restore it, or begin a new history"
        ) from None
    for cost in reported:
        if not np.isclose(cost, reference.cost):
            raise ValueError(
                f"the history is of a model with a reported cost of {cost:.4g}, not "
                f"{reference.cost:.4g}: begin a new one for each model"
            )
    return means

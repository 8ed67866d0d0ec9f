"""Mean cost of rows without labels: an estimate, or bounds where the model was not trained."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.samples.samples import Samples
from moselect.selection.profiles import Profile
from moselect.selection.reference import MeanCost, Reference, estimate_cost


class UnlabelledCost(NamedTuple):
    """Estimated cost of rows without labels.

    Where its probabilities do not hold, the cost is NaN, and lies between the ``bounds``.
    """

    mean: MeanCost
    bounds: tuple[float, float]
    verdict: str


def estimate_unlabelled(
    reference: Reference,
    shares: pd.DataFrame,
    likelihoods: Floats,
    costs: Floats,
    samples: Samples,
    predicted: Integers,
    drift: pd.DataFrame,
) -> UnlabelledCost:
    """Estimate class shares (added to ``shares``) and the mean cost; parameters as in `check`.

    Rows with values outside the training range of drifted columns, and all rows if most
    columns have drifted, may have any class: if they matter, there are bounds only.
    """
    calibration = reference.calibration
    known = likelihoods, costs, samples, predicted
    covariance = None if calibration is None else np.array(calibration)
    mean = estimate_cost(shares, *known, covariance)
    drifted = drift.index[drift["drifted"]]
    change = f"{len(drifted)} of {len(drift)} columns have drifted"
    if 2 * len(drifted) > len(drift):
        unknown = np.ones(len(samples), dtype=np.bool_)
    else:
        unknown = _outside(reference.columns, drifted, samples)
    weights = samples.sample_weight_or_ones
    every = np.arange(len(samples))
    of_class = costs[:, predicted].T if costs.ndim == 2 else costs[every, :, predicted]
    # Known rows cost what the model expects under the shares that were reported.
    proba = likelihoods * shares["reported"].to_numpy()
    expected = (proba * of_class).sum(axis=1) / proba.sum(axis=1)
    lower, upper = (
        float(np.average(np.where(unknown, ends, expected), weights=weights))
        for ends in (of_class.min(axis=1), of_class.max(axis=1))
    )
    # A few rows out of range change little.
    if upper - lower <= mean.error and not unknown.all():
        words = reference.describe_cost(mean.cost)
        ends = mean.cost, mean.cost
        return UnlabelledCost(mean, ends, f"without labels: estimated {words}; {change}")
    shares[["now", "std_error"]] = np.nan
    share = np.average(unknown, weights=weights)
    where = "most columns" if unknown.all() else f"{share:.1%} of rows, out of range"
    words = f"between {lower:.3g} and {upper:.3g}, {reference.cost:.3g} at selection"
    return UnlabelledCost(
        mean._replace(cost=np.nan, std_error=np.nan),
        (lower, upper),
        f"without labels the cost cannot be estimated where the model was not trained ({where}): "
        f"{words}; {change}",
    )


def _outside(profiles: list[Profile], names: pd.Index, samples: Samples) -> Booleans:
    """Find the rows (n,) with values outside the training range of some columns."""
    outside = np.zeros(len(samples), dtype=np.bool_)
    for profile in profiles:
        if profile.name in names:
            outside |= profile.bins_of(samples.X[profile.name])[1]
    return outside

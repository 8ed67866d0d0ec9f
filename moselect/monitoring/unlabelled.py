"""Mean cost of rows without labels: an estimate, or bounds where the model was not trained."""

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.monitoring.prior_shift import posterior_of
from moselect.monitoring.profiles import bins_of
from moselect.monitoring.reference import MeanCost, costs_of, estimate_cost
from moselect.predictor.reference import Reference
from moselect.samples.samples import Samples


def estimate_unlabelled(
    reference: Reference,
    shares: pd.DataFrame,
    likelihoods: Floats,
    costs: Floats,
    samples: Samples,
    predicted: Integers,
    drift: pd.DataFrame,
) -> tuple[MeanCost, tuple[float, float], str]:
    """Estimate class shares (added to ``shares``) and the mean cost; parameters as in `check`.

    Rows with values outside the training range of drifted columns, and all rows if most
    columns have drifted, may have any class. If they matter, the cost is NaN, and lies between
    the bounds that are returned beside it, with a verdict.
    """
    calibration = reference.calibration
    known = likelihoods, costs, samples, predicted
    covariance = None if calibration is None else np.array(calibration)
    mean = estimate_cost(shares, *known, covariance)
    drifted = drift.index[drift["drifted"]]
    change = f"{len(drifted)} of {len(drift)} columns have drifted"
    unknown = np.full(len(samples), 2 * len(drifted) > len(drift))
    for profile in reference.columns:
        if profile.name in drifted:
            unknown |= bins_of(profile, samples.X[profile.name])[1]
    weights = samples.sample_weight_or_ones
    of_class = costs_of(predicted, costs)
    # Known rows cost what the model expects under the shares that were reported.
    expected = (posterior_of(likelihoods, shares["reported"]) * of_class).sum(axis=1)
    lower, upper = (
        float(np.average(np.where(unknown, ends, expected), weights=weights))
        for ends in (of_class.min(axis=1), of_class.max(axis=1))
    )
    # A few rows out of range change little.
    if upper - lower <= mean.error and not unknown.all():
        words = reference.describe_cost(mean.cost)
        ends = mean.cost, mean.cost
        return mean, ends, f"without labels: estimated {words}; {change}"
    shares[["now", "std_error"]] = np.nan
    share = np.average(unknown, weights=weights)
    where = "most columns" if unknown.all() else f"{share:.1%} of rows, out of range"
    words = f"between {lower:.3g} and {upper:.3g}, {reference.cost:.3g} at selection"
    return (
        mean._replace(cost=np.nan, std_error=np.nan),
        (lower, upper),
        f"without labels the cost cannot be estimated where the model was not trained ({where}): "
        f"{words}; {change}",
    )

"""Reference figures of a selection, and the same figures of later rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
import pandas as pd
from msgspec import Meta

from moselect._types import Floats, Integers, Labels
from moselect.costs.decisions import costs_at
from moselect.costs.limits import read_limit, split_limit
from moselect.inference.standard_errors import (
    cost_errors,
    interval,
    max_mistakes,
    rate_of,
    standard_errors,
    widening,
)
from moselect.inspection.conformal import calibrate_sets
from moselect.listing import rounded
from moselect.metrics.decision_metrics import count_cells
from moselect.monitoring.prior_shift import (
    calibration_covariance,
    class_shares,
    share_sensitivity,
)
from moselect.monitoring.profiles import bins_of
from moselect.predictor import Model
from moselect.predictor.reference import Profile, Reference
from moselect.predictor.score_calibration import posterior_of
from moselect.samples.samples import Samples
from moselect.tables.levels import group_places
from moselect.validation import ratios_or_zero

if TYPE_CHECKING:  # slow to import
    from moselect.costs.priced import Priced
    from moselect.evaluation.decision import Evaluation
    from moselect.selection.evidence import Evidence


def reference_figures(evidence: Evidence, columns: list[Profile]) -> Reference:
    """Compute the reference figures of a selection, under the class shares in use.

    ``columns`` are the distributions of the columns that the model uses.
    """
    criteria = evidence.criteria
    reported = evidence.reported
    samples = reported.splits.predicted
    metric = evidence.loss.metric
    proba = evidence.probabilities.get(evidence.selected)
    counts = reported.confusion().to_numpy(float)
    # The mean cost in use is the sum of plain costs times this confusion.
    confusion = counts / counts.sum() * criteria.ratios[:, None]
    trained = evidence.confusion.to_numpy(float).sum(axis=1)
    trained /= trained.sum()
    expected = evidence.expected
    costs = None
    if evidence.costs is not None:
        costs = _mean_costs(evidence.costs, reported, counts)
        if metric is not None:
            # To first order the mean cost differs from the loss of the metric by a
            # constant.
            more = metric.value(expected) - reported.cv_loss[0]
            expected = float((confusion * costs).sum() + more)
    tested = evidence.samples
    calibration = None
    if proba is not None and costs is not None:
        predicted = evidence.chosen.out_of_fold.codes
        shares = trained * criteria.ratios
        calibration = calibration_covariance(tested, proba, shares, costs, predicted)
    # Priors have no error.
    is_estimated = not criteria.has_priors
    predicted = reported.out_of_fold.codes
    errors = [
        [
            is_estimated * rate_of(samples.codes == k, samples, own | True).error,
            rate_of(predicted == k, samples, own).error,
        ]
        for k, own in enumerate(np.eye(samples.n_classes, dtype=bool))
    ]
    return Reference(
        None if costs is None else costs.tolist(),
        expected,
        evidence.expected_se,
        confusion.tolist(),
        trained.tolist(),
        list(evidence.limits),
        len(samples),
        samples.n_units,
        columns,
        errors,
        None if proba is None else calibrate_sets(tested.in_use(criteria.ratios), proba),
        None if metric is None else evidence.loss.label,
        None if calibration is None else calibration.tolist(),
        None if is_estimated else criteria.ratios.tolist(),
    )


def reference_of(model: Model) -> Reference:
    """Return the reference figures of a model; ValueError if they have no cost."""
    reference: Reference | None = model.reference
    if reference is None or reference.costs is None:
        raise ValueError(
            "no cost was reported of the model, so there is nothing to compare: select it for "
            "costs, and check the file that select writes"
        )
    return reference


def _mean_costs(costs: Priced, reported: Evaluation, counts: Floats) -> Floats:
    """Return the cost matrix; of costs of each row their means by cell of the confusion."""
    samples = reported.splits.predicted
    given = costs.of(samples).given
    if given.ndim == 2:
        return costs.matrix
    predicted = reported.out_of_fold.codes
    row_costs = costs_at(given, samples.codes, predicted)
    weighted = row_costs * samples.sample_weight_or_ones
    sums = count_cells(samples.codes, predicted, weighted, *counts.shape)
    return np.divide(sums, counts, out=costs.matrix.copy(), where=counts > 0.0)


# A finite number, in a history of checks: no cost is beyond 1e100.
Figure = Annotated[float, Meta(ge=0.0, le=1e100)]


class MeanCost(NamedTuple):
    """Mean cost of some rows, with its standard error.

    Attributes
    ----------
    rows, clusters : int
        Number of rows, and of independent rows or groups.
    cost, std_error : float
        Mean cost and its standard error.
    one_more : float
        Increase of the mean by one further mistake of maximum cost.
    digest : str
        Number and hash of the rows, which identify them.
    """

    rows: Annotated[int, Meta(ge=1)]
    clusters: Annotated[int, Meta(ge=1)]
    cost: Figure
    std_error: Figure
    one_more: Figure
    digest: Annotated[str, Meta(pattern=r"^\d{1,18}:[0-9a-f]{16}$")] = ""

    @property
    def error(self) -> float:
        """Standard error, widened by one unobserved mistake."""
        return float(np.hypot(self.std_error, self.one_more))


def costs_of(predicted: Integers, costs: Floats) -> Floats:
    """Look up the costs (n, r) of decisions by class; ``costs`` are (r, a) or (n, r, a)."""
    if costs.ndim == 2:
        return costs[:, predicted].T
    return costs[np.arange(len(predicted)), :, predicted]


def estimate_cost(
    shares: pd.DataFrame,
    likelihoods: Floats,
    costs: Floats,
    samples: Samples,
    predicted: Integers,
    calibration: Floats | None = None,
) -> MeanCost:
    """Estimate class shares (added to ``shares``) and the mean cost, with standard errors.

    ``costs`` are (r, a), or (n, r, a) of each row. The errors
    include the sampling of the rows and of the ``calibration`` (`calibration_covariance`).
    """
    weights = samples.sample_weight_or_ones
    now = class_shares(likelihoods, weights)
    odds = likelihoods / (likelihoods @ now)[:, None]
    sensitivity = share_sensitivity(likelihoods, now, weights)
    of_shares = odds @ sensitivity
    std_errors = widening(samples) * standard_errors(samples.sum_by_cluster(of_shares.T))
    of_answer = costs_of(predicted, costs)
    expected_costs = (posterior_of(likelihoods, now) * of_answer).sum(axis=1)
    cost = float(np.average(expected_costs, weights=weights))
    # Delta method: posteriors depend on the shares, d cost / d share_k = P(x | k) / P(x)
    # (cost_k - cost), with the expected cost of a row.
    slopes = np.average(
        odds * (of_answer - expected_costs[:, None]), axis=0, weights=weights
    )
    influences = samples.sum_by_cluster(expected_costs - cost + of_shares @ slopes)
    mean = costs if costs.ndim == 2 else costs.mean(axis=0)
    is_any_classified = (predicted < len(mean)).any()
    one_more = is_any_classified * max_mistakes(mean, samples).max() / weights.sum()
    error = float(cost_errors(influences, 0.0, samples))
    if calibration is not None:
        # Likelihood ratios fit the means of the training sample: they are too low for a class
        # whose probability is high there. Its class shares are in the expected costs.
        moved = ratios_or_zero(sensitivity, shares["reported"].to_numpy()[:, None])
        of_cost = np.concatenate([-moved @ slopes, -slopes, [1.0]])
        r = len(now)
        added = np.einsum("ji,jk,ki->i", moved, calibration[:r, :r], moved)
        std_errors = np.sqrt(std_errors**2 + added)
        error = float(np.sqrt(error**2 + of_cost @ calibration @ of_cost))
    shares["now"] = now
    shares["std_error"] = std_errors
    return MeanCost(len(samples), influences.size, cost, error, float(one_more))


def mistake_table(now: Floats, reported: Floats, answers: Labels) -> pd.DataFrame:
    """Tabulate the contribution of each mistake to the mean cost, largest difference first."""
    true, predicted = cells = np.nonzero(~np.eye(*now.shape, dtype=np.bool_))
    table = pd.DataFrame(
        {
            "true": answers[true],
            "predicted": answers[predicted],
            "cost": now[cells],
            "reported": reported[cells],
            "difference": (now - reported)[cells],
        }
    )
    return table.sort_values(
        "difference", ascending=False, kind="stable", ignore_index=True
    )


def limit_table(
    reference: Reference, samples: Samples, predicted: Integers, by: pd.DataFrame
) -> pd.DataFrame:
    """Tabulate the share of each limited mistake in the samples, and whether its limit holds."""
    rows = {}
    parts = [split_limit(known.words) for known in reference.limits]
    for known, (mistake, column, group) in zip(reference.limits, parts, strict=True):
        limit = read_limit(mistake, known.most, samples.classes)
        if column:
            names = [*dict.fromkeys(name for _, own, name in parts if own == column)]
            members = group_places(by[column], names) == names.index(group)
            limit = replace(limit, members=members)
        now = limit.reached(samples, predicted)
        holds = now.share <= known.most
        rows[known.words] = known.most, known.share, now.share, now.std_error, holds
    names = ["limit", "reported", "now", "std_error", "holds"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


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
    covariance = None if calibration is None else np.array(calibration)
    mean = estimate_cost(shares, likelihoods, costs, samples, predicted, covariance)
    drifted = drift.index[drift["drifted"]]
    change = f"{len(drifted)} of {len(drift)} columns have drifted"
    unknown = np.full(len(samples), 2 * len(drifted) > len(drift))
    for profile in reference.columns:
        if profile.name in drifted:
            unknown |= bins_of(profile, samples.X[profile.name])[1]
    weights = samples.sample_weight_or_ones
    of_class = costs_of(predicted, costs)
    # Known rows cost what the model expects under the shares that were reported.
    usual = posterior_of(likelihoods, shares["reported"])
    expected = (usual * of_class).sum(axis=1)
    lower, upper = (
        float(np.average(np.where(unknown, ends, expected), weights=weights))
        for ends in (of_class.min(axis=1), of_class.max(axis=1))
    )
    # A few rows out of range change little.
    if upper - lower <= mean.error and not unknown.all():
        if len(drifted):
            # Columns drift with the class shares, or by themselves: then the probabilities hold.
            distance = mean.cost - np.average(expected, weights=weights)
            mean = mean._replace(std_error=float(np.hypot(mean.std_error, distance)))
            distances = shares["now"] - np.average(usual, axis=0, weights=weights)
            shares["std_error"] = np.hypot(shares["std_error"], distances)
        most = float(costs.max())
        _, *ends = map(rounded, interval(mean.cost, mean.error, least=0.0, most=most))
        words = reference.describe_cost(mean.cost, f" (95 %: {' to '.join(ends)})")
        bounds = mean.cost, mean.cost
        return mean, bounds, f"without labels: estimated {words}; {change}"
    shares[["now", "std_error"]] = np.nan
    share = np.average(unknown, weights=weights)
    where = "most columns" if unknown.all() else f"{share:.1%} of rows, out of range"
    words = f"between {rounded(lower)} and {rounded(upper)}, {rounded(reference.cost)} at selection"
    return (
        mean._replace(cost=np.nan, std_error=np.nan),
        (lower, upper),
        f"without labels the cost cannot be estimated where the model was not trained ({where}): "
        f"{words}; {change}",
    )

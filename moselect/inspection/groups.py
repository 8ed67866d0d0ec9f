"""Cost, errors and rates of mistakes by group of samples, and the largest differences."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pandas as pd
from scipy.special import ndtri

from moselect._types import Booleans, Floats, Integers, record
from moselect.costs.decisions import costs_at
from moselect.inference.standard_errors import sandwich, student_ratio
from moselect.inspection.group_members import (
    MOST_VALUES,
    group_labels,
    group_order,
    group_values,
)
from moselect.samples.samples import Samples
from moselect.tables.amounts import column_of_part
from moselect.tables.features import DROPPED

# Columns of a table of largest differences: two groups, and an interval.
DIFFERENCE = ["lowest", "highest", "difference", "low", "high"]
# Rows of the common mistakes that are added to each group.
N_ADDED = 4.0


def unseen_variances(moments: Floats, common: Floats, sizes: Floats) -> Floats:
    """Compute the variances (g,) that means of groups lack if few mistakes were seen.

    A group with few mistakes by chance has a small variance, too, so that it would differ
    from others too often. Some rows with the distribution of all groups are added to each
    (as successes and failures in Agresti & Coull 1998).

    Parameters
    ----------
    moments : ndarray of shape (2, g)
        Means and mean squares of groups.
    common : ndarray of shape (2,)
        The same of all rows.
    sizes : ndarray of shape (g,)
        Effective number of rows of each group.
    """
    weights = N_ADDED / (sizes + N_ADDED)
    means, squares = moments + weights * (common[:, None] - moments)
    return ((squares - means**2) - (moments[1] - moments[0] ** 2)) / sizes


def upper_level(n_groups: int, level: float) -> float:
    """Return the level of the upper ends of intervals that hold for all pairs of groups."""
    pairs = max(1, n_groups * (n_groups - 1) // 2)
    return 1.0 - (1.0 - level) / (2.0 * pairs)


def largest_difference(
    means: Floats, covariance: Floats, level: float
) -> tuple[int, int, float, float, float]:
    """Find the lowest and highest of some means, and an interval of the largest difference.

    The lower end allows for all pairs of groups (Bonferroni). The upper end is the highest
    one of the pairs that may be the highest and the lowest group, each on its own, as one of
    them is the right pair.
    """
    variances = covariance.diagonal()
    squares = np.add.outer(variances, variances) - 2.0 * covariance
    errors = np.sqrt(np.maximum(squares, 0.0))
    errors[~(errors > 0.0)] = np.inf
    gaps = np.subtract.outer(means, means)
    lower = (gaps - errors * ndtri(upper_level(len(means), level))).max()
    # Groups within two standard errors of the highest or lowest value may have it.
    margin = 2.0
    highest = (gaps >= -margin * errors).all(axis=1)
    lowest = (gaps <= margin * errors).all(axis=1)
    may_be = np.outer(highest, lowest) & np.isfinite(errors)
    upper = (gaps + errors * ndtri((1.0 + level) / 2.0))[may_be].max()
    low, *_, high = np.argsort(means, kind="stable").tolist()
    return low, high, np.ptp(means), max(0.0, lower), upper


@record
class GroupEstimates:
    """Estimates by group of samples.

    Attributes
    ----------
    table : DataFrame
        One row per group. ``rows``: number of rows; ``cost`` and ``std_error``: mean cost,
        if costs are in use; ``accuracy``, without referred rows; ``miss_rate k`` and
        ``false_alarm_rate k``: share of the samples of class k or above that are predicted
        below k, and of the others predicted at or above it; ``mean_error``: mean of
        predicted minus true rank, above 0 if predictions are too high. Each has a standard
        error, ``<name> std_error``, at least one further mistake; NaN without such samples.
    differences : DataFrame
        One row per measure: the groups with the ``lowest`` and ``highest`` value, their
        ``difference``, and the 95 % interval from ``low`` to ``high`` of the largest
        difference between any two groups, simultaneous over all pairs.
    overall : Series
        The measures over all samples.
    cases : DataFrame
        Number of rows of each measure by group, as of the classes of a rate.
    errors : dict of str to str
        Column of the standard errors of each measure.
    lowest : str or None
        Name of the lowest class if errors on it cost more than errors on the highest: then
        false alarms at a boundary are misses of the classes below it.

    Examples
    --------
    >>> samples = Samples(np.empty((80, 0)), np.arange(80) % 2, np.array(["no", "yes"]))
    >>> towns = pd.Series(np.repeat(["Bonn", "Cork"], 40), name="town")
    >>> found = group_estimates(towns, samples, np.arange(80) // 40)
    >>> found.table["miss_rate yes"].round(6).tolist()
    [1.0, 0.0]
    """

    table: pd.DataFrame
    differences: pd.DataFrame
    overall: pd.Series
    cases: pd.DataFrame
    errors: dict[str, str]
    lowest: str | None = None


def group_estimates(
    values: pd.Series,
    samples: Samples,
    predicted: Integers,
    costs: Floats | None = None,
    *,
    n_measures: int | None = None,
    level: float = 0.95,
) -> GroupEstimates:
    """Estimate cost, accuracy and rates of mistakes by group.

    Parameters
    ----------
    values : Series of shape (n,)
        Group of each sample, as in `group_labels`.
    samples : Samples
        True classes, with the weights and clusters that hold in use.
    predicted : ndarray of shape (n,)
        Codes of the decisions; r is a referral.
    costs : ndarray of shape (r, a) or (n, r, a), optional
        Misclassification costs of all rows, or of each sample.
    n_measures : int, optional
        Number of measures, the cost first; by default all.
    level : float, default=0.95
        Confidence level of the intervals of differences.

    Examples
    --------
    >>> samples = Samples(np.empty((80, 0)), np.arange(80) % 2, np.array(["no", "yes"]))
    >>> towns = pd.Series(["Bonn"] * 80)
    >>> group_estimates(towns, samples, np.zeros(80, int)).overall.to_dict()
    {'accuracy': 0.5, 'miss_rate yes': 1.0, 'false_alarm_rate yes': 0.0, 'mean_error': -0.5}
    """
    labels = group_labels(values)
    names, codes = np.unique(labels, return_inverse=True)
    members = codes == np.arange(len(names))[:, None]
    parts = [samples.take(rows) for rows in members]
    table = pd.DataFrame({"rows": members.sum(axis=1)}, pd.Index(names, name=values.name))
    differences = {}
    overall = {}
    cases = {}
    errors = {}
    measures = islice(_measures(samples, predicted, costs), n_measures)
    for name, loss, among, most, span in measures:
        weights = among * samples.sample_weight_or_ones
        shares = members * weights
        totals = shares.sum(axis=1)
        # A group has no such rows, or all are referred.
        with np.errstate(invalid="ignore"):
            means = shares @ loss / totals  # in this order equal figures are equal
            shares = shares / totals[:, None]
            common = weights @ np.array([loss, loss**2]).T / weights.sum()
        # Linearisation of a ratio of sums over independent rows or groups.
        residuals = shares * (loss - means[:, None])
        sums, of_units = np.zeros((2, len(names), samples.n_units))
        np.add.at(sums.T, samples.units, residuals.T)
        np.add.at(of_units.T, samples.units, shares.T)
        covariance = sums @ sums.T
        variances = np.array([*map(sandwich, parts, covariance.diagonal())])
        sizes = 1.0 / (of_units**2).sum(axis=1)
        moments = np.array([means, shares @ loss**2])
        unseen = unseen_variances(moments, common, sizes)
        if samples.n_units < len(samples):
            # The variance of rows may exceed that of clusters: nothing is subtracted.
            unseen = np.maximum(unseen, 0.0)
        variances += unseen
        # A rare mistake may be absent from all groups by chance.
        variances = np.maximum(variances, (shares * most).max(axis=1) ** 2)
        variances = np.minimum(variances, (span / 2.0) ** 2)
        overall[name] = common[0]
        cases[name] = (shares > 0.0).sum(axis=1)
        table[name] = means
        errors[name] = f"{name} std_error".removeprefix("cost ")
        table[errors[name]] = np.sqrt(variances)
        if samples.n_units == len(samples):
            # A sandwich has Student's quantiles already.
            variances *= student_ratio(sizes, upper_level(len(sizes), level)) ** 2
        np.fill_diagonal(covariance, variances)
        known = totals > 0.0
        if known.sum() > 1:
            low, high, difference, *ends = largest_difference(
                means[known], covariance[np.ix_(known, known)], level
            )
            labels_of_ends = names[known][low], names[known][high]
            differences[name] = *labels_of_ends, difference, *np.minimum(ends, span)
    largest = pd.DataFrame.from_dict(differences, orient="index", columns=DIFFERENCE)
    return GroupEstimates(
        table.iloc[group_order(names)],
        largest,
        pd.Series(overall),
        pd.DataFrame(cases, table.index),
        errors,
        str(samples.classes[0]) if is_lowest_costlier(costs) else None,
    )


# probability that any of the intervals misses its difference
MISS_PROBABILITY = 0.05


def differences_by_column(
    table: pd.DataFrame, samples: Samples, predicted: Integers, costs: Floats | None
) -> pd.DataFrame:
    """Return the largest difference in cost between groups of each categorical column.

    Columns of at most 10 values, of numbers 2, are compared, those with the highest lower
    end of the interval first; dropped ones are not. The 95 % intervals hold for all columns
    at once (Bonferroni).
    """
    columns = {}
    contents = samples.schema or {}
    for name in map(str, table):
        is_dropped = name in contents and contents[name].excluded == DROPPED
        if is_dropped or column_of_part(name) != name:
            continue
        values = group_values(name, table, samples)
        # Few numbers are measurements or counts rather than categories.
        most = 2 if pd.api.types.is_numeric_dtype(values) else MOST_VALUES
        if values.nunique() <= most and group_labels(values).nunique() > 1:
            columns[name] = values
    level = 1.0 - MISS_PROBABILITY / max(1, len(columns))
    rows = {}
    for name, values in columns.items():
        found = group_estimates(
            values, samples, predicted, costs, n_measures=1, level=level
        )
        rows[name] = found.differences.iloc[0]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=DIFFERENCE)
    return table.sort_values("low", ascending=False, kind="stable")


def is_lowest_costlier(costs: Floats | None) -> bool:
    """Whether errors on the lowest class cost more than errors on the highest.

    It sets the classes to be found at each boundary: the lower ones if they cost more,
    else the upper ones. ``costs`` are (r, a), or (n, r, a) of each sample and averaged.

    Examples
    --------
    >>> is_lowest_costlier(np.array([[0.0, 9.0], [1.0, 0.0]]))
    True
    """
    if costs is None:
        return False
    r = costs.shape[-2]
    # Without the referral, whose cost is no error.
    matrix = costs[..., :r].reshape(-1, r, r).mean(axis=0)
    most = matrix.max(axis=1)
    return bool(most[0] > most[-1])


def _measures(
    samples: Samples, predicted: Integers, costs: Floats | None
) -> Iterator[tuple[str, Floats, Booleans, Floats | float, float]]:
    """Yield each measure: name, value of each row, rows that count, greatest value, and span.

    The greatest value is by one further mistake; the span is of a difference between groups.
    """
    codes = samples.codes
    r = samples.n_classes
    every = np.ones(len(codes), bool)
    if costs is not None:
        most = costs_at(costs, codes).max(axis=1)
        yield "cost", costs_at(costs, codes, predicted), every, most, most.max()
    is_class = predicted < r
    shares = {"accuracy": (predicted == codes, is_class)}
    for k in range(1, r):
        label = samples.classes[k]
        above = codes >= k
        alarms = (predicted >= k) & is_class
        shares[f"miss_rate {label}"] = predicted < k, above
        shares[f"false_alarm_rate {label}"] = alarms, ~above
    for name, (is_counted, among) in shares.items():
        yield name, is_counted.astype(float), among, 1.0, 1.0
    error = (predicted - codes).astype(float)
    yield "mean_error", error, is_class, 1.0, 2.0 * (r - 1)

"""Cost, errors and rates of mistakes by group of samples, and the largest differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import norm

from moselect._types import Booleans, Floats, Integers, Labels
from moselect.metrics.cost_expressions import costs_at
from moselect.preprocessing.cells import as_frame
from moselect.samples.features import as_pandas
from moselect.samples.samples import Samples
from moselect.selection.standard_errors import sandwich

# Groups of fewer rows are merged.
FEWEST_ROWS = 30
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class GroupEstimates:
    """Estimates by group of samples.

    Attributes
    ----------
    table : DataFrame
        One row per group. ``rows``: number of rows; ``cost`` and ``std_error``: mean cost,
        if costs are in use; ``accuracy``; ``miss_rate k`` and ``false_alarm_rate k``:
        share of the samples of class k or above that are predicted below k, and of the
        others predicted at or above it; ``mean_error``: mean of predicted minus true
        rank, above 0 if predictions are too high. Each has a standard error, ``<name>
        std_error``, with one further mistake; NaN without such samples.
    differences : DataFrame
        One row per measure: the groups with the ``lowest`` and ``highest`` value, their
        ``difference``, and the 95 % interval from ``low`` to ``high`` of the largest
        difference between any two groups, simultaneous over all pairs that may have it.
    overall : Series
        The measures over all samples.
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
    lowest: str | None = None

    @property
    def errors(self) -> dict[str, str]:
        """Column of the standard errors of each measure."""
        names = map(str, self.overall.index)
        return {name: f"{name} std_error".removeprefix("cost ") for name in names}


def group_estimates(
    values: pd.Series, samples: Samples, predicted: Integers, costs: Floats | None = None
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
    for name, loss, among, most in _measures(samples, predicted, costs):
        weights = np.where(among, samples.sample_weight_or_ones, 0.0)
        shares = members * weights
        totals = shares.sum(axis=1)
        # A group has no such rows, or all are referred.
        with np.errstate(invalid="ignore"):
            means = shares @ loss / totals  # in this order equal figures are equal
            shares = shares / totals[:, None]
            overall[name] = weights @ loss / weights.sum()
        # Linearisation of a ratio of sums over independent rows or groups.
        residuals = shares * (loss - means[:, None])
        sums = np.zeros((len(names), samples.n_units))
        np.add.at(sums.T, samples.units, residuals.T)
        covariance = sums @ sums.T
        variances = [
            sandwich(part, square)
            for part, square in zip(parts, covariance.diagonal(), strict=True)
        ]
        one_more = (shares * most).max(axis=1) ** 2
        table[name] = means
        table[f"{name} std_error".removeprefix("cost ")] = np.sqrt(variances + one_more)
        # A rare mistake may be absent from a group by chance.
        np.fill_diagonal(covariance, np.maximum(variances, one_more))
        known = totals > 0.0
        if known.sum() > 1:
            low, high, *figures = _largest_difference(
                means[known], covariance[np.ix_(known, known)]
            )
            differences[name] = names[known][low], names[known][high], *figures
    columns = ["lowest", "highest", "difference", "low", "high"]
    largest = pd.DataFrame.from_dict(differences, orient="index", columns=columns)
    # Sorted last: the simulated intervals do not depend on the order of the groups.
    return GroupEstimates(
        table.iloc[group_order(names)],
        largest,
        pd.Series(overall),
        str(samples.classes[0]) if is_lowest_costlier(costs) else None,
    )


def is_lowest_costlier(costs: Floats | None) -> bool:
    """Whether errors on the lowest class cost more than those on the highest.

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


def group_order(names: Labels) -> Integers:
    """Sort the names of groups: by the number that they begin with, then others as text.

    Examples
    --------
    >>> names = np.array(["10 to 25", "5 to 10", "missing"])
    >>> names[group_order(names)].tolist()
    ['5 to 10', '10 to 25', 'missing']
    """
    numbers = pd.Series([str(name).split(" to ")[0] for name in names])
    starts = pd.to_numeric(numbers, errors="coerce").to_numpy(np.float64)
    return np.argsort(starts, kind="stable")


def table_by_row(samples: Samples, by: pd.DataFrame | None) -> pd.DataFrame:
    """Join features and other columns ``by``, indexed by row of the user's table."""
    X = as_frame(samples.X)
    if samples.feature_names is not None:
        X = X.set_axis([*samples.feature_names], axis="columns")
    X = X.set_axis(np.asarray(samples.rows))
    X = X[~X.index.duplicated()]
    if by is None:
        return X
    extra = pd.DataFrame(as_pandas(by)).reset_index(drop=True)
    _check_rows(len(extra), X)
    return X.drop(columns=extra.columns, errors="ignore").join(extra)


def group_values(
    values: str | ArrayLike, table: pd.DataFrame, samples: Samples
) -> pd.Series:
    """Return the value (n,) of each sample: of a column of a table, or of values by row."""
    if isinstance(values, str):
        if values not in table:
            raise ValueError(f"no column {values!r} is known: give its values")
        values = table[values]
    else:
        values = pd.Series(np.asarray(values), name=getattr(values, "name", None))
        _check_rows(len(values), table)
    return values.loc[np.asarray(samples.rows)]


def _check_rows(n_rows: int, table: pd.DataFrame) -> None:
    """Raise ValueError if values are fewer than rows."""
    if n_rows <= table.index.max():
        raise ValueError(f"by has {n_rows} rows: give a value for each row of the table")


def is_in_bands(values: pd.Series) -> bool:
    """Whether a column has so many numbers that groups are bands of them."""
    most_values = 10
    return pd.api.types.is_numeric_dtype(values) and values.nunique() > most_values


def group_labels(
    values: pd.Series, fewest: int = FEWEST_ROWS, complete: bool = False
) -> pd.Series:
    """Name the group of each value (n,): text, bands of numbers, or small groups merged.

    If ``complete``, larger groups are merged with them until they have ``fewest`` rows.

    Examples
    --------
    >>> group_labels(pd.Series(["a"] * 30 + ["b", "c", None])).unique().tolist()
    ['a', 'others (3 groups)']
    >>> group_labels(pd.Series(np.arange(120.0))).unique().tolist()
    ['0 to 29.8', '29.8 to 59.5', '59.5 to 89.2', '89.2 to 119']
    """
    if is_in_bands(values):
        bands = pd.qcut(values, 4, duplicates="drop", precision=12)
        ends = np.unique(np.nanquantile(values, np.linspace(0.0, 1.0, 5)))
        names = [f"{a:.3g} to {b:.3g}" for a, b in pairwise(ends)]
        values = bands.cat.rename_categories(names)
    labels = values.astype(object).where(values.notna(), "missing").astype(str)
    counts = labels.value_counts(ascending=True)
    is_small = counts < fewest
    if complete:  # rows of all smaller groups together
        is_small |= counts.cumsum() - counts < fewest
    small = counts.index[is_small]
    if len(small) > 1:
        labels = labels.mask(labels.isin(small), f"others ({len(small)} groups)")
    return labels


def _measures(
    samples: Samples, predicted: Integers, costs: Floats | None
) -> Iterator[tuple[str, Floats, Booleans, Any]]:
    """Yield each measure: name, value of each row, rows that count, and greatest value."""
    codes = samples.codes
    r = samples.n_classes
    every = np.ones(len(codes), dtype=np.bool_)
    if costs is not None:
        most = costs_at(costs, codes).max(axis=1)
        yield "cost", costs_at(costs, codes, predicted), every, most
    shares = {"accuracy": (predicted == codes, every)}
    for k in range(1, r):
        label = samples.classes[k]
        above = codes >= k
        alarms = (predicted >= k) & (predicted < r)
        shares[f"miss_rate {label}"] = predicted < k, above
        shares[f"false_alarm_rate {label}"] = alarms, ~above
    for name, (is_counted, among) in shares.items():
        yield name, is_counted.astype(np.float64), among, 1.0
    yield "mean_error", (predicted - codes).astype(np.float64), predicted < r, 1.0


def _largest_difference(
    means: Floats, covariance: Floats
) -> tuple[int, int, float, float, float]:
    """Find the lowest and highest of some means, and an interval of the largest difference.

    The lower end allows for all pairs of groups that may be the highest and the lowest:
    their greatest studentised difference is simulated (Tukey's range test, for unequal and
    correlated errors). The upper end is the highest one of these pairs, each on its own, as
    one of them is the right pair.
    """
    variances = covariance.diagonal()
    errors = np.sqrt(np.add.outer(variances, variances) - 2.0 * covariance)
    np.fill_diagonal(errors, np.inf)
    gaps = np.subtract.outer(means, means)
    # Groups within two standard errors of the highest or lowest value may have it.
    margin = 2.0
    highest = (gaps >= -margin * errors).all(axis=1)
    lowest = (gaps <= margin * errors).all(axis=1)
    above, below = np.nonzero(np.outer(highest, lowest) & np.isfinite(errors))
    rng = np.random.default_rng(0)
    drawn = rng.multivariate_normal(np.zeros(len(means)), covariance, size=10_000)
    std_errors = errors[above, below]
    differences = gaps[above, below]
    greatest = ((drawn[:, above] - drawn[:, below]) / std_errors).max(axis=1)
    level = (1.0 + LEVEL) / 2.0
    lower = (differences - std_errors * np.quantile(greatest, level)).max()
    upper = float((differences + std_errors * norm.ppf(level)).max())
    low, *_, high = np.argsort(means, kind="stable").tolist()
    return low, high, float(np.ptp(means)), max(0.0, lower), upper

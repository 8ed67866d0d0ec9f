"""Reference figures of a selected model, with column distributions but no rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.predictor import Model
from moselect.predictor.predictions import SetWeights
from moselect.preprocessing.cells import as_frame, read_dates, read_numbers
from moselect.preprocessing.levels import as_written, look_up, read_levels
from moselect.samples.features import steps_of
from moselect.samples.samples import Samples
from moselect.selection.limits import LimitReached
from moselect.selection.standard_errors import widening

SEED = 0
# codes of missing values, and of levels that are not named
MISSING = -1
NEW = -2


class Profile(msgspec.Struct, frozen=True):
    """Distribution of a column of the training table.

    Columns read as numbers, in the format ``content``, have bin ``edges`` (b + 1,) and a
    share per bin; others have a share per level in ``levels``, with ``more`` if some
    levels are not named. The last share is of missing values and of levels that are not
    named. ``rows`` is the effective sample size of the shares.
    """

    name: str
    content: tuple[str, str]  # content and date format, as in the schema
    shares: list[float]
    rows: float
    edges: list[float] | None = None
    levels: list[str] | None = None
    more: bool = False

    @classmethod
    def of(cls, column: pd.Series, samples: Samples) -> Profile:
        """Estimate the distribution of a column, given its samples in clusters."""
        content = samples.content_of(str(column.name))
        draft = cls(
            str(column.name), (content.content_type, content.date_format), [], 0.0
        )
        counted = np.ones(len(column), dtype=np.bool_)
        if content.content_type != "levels" and column.notna().any():
            edges = _bin_edges(draft.numbers(column))
            known: dict[str, Any] = {"edges": edges.tolist()}
        else:
            codes, levels = read_levels(column)
            clusters = np.asarray(samples.groups)
            named = _common_levels(codes, clusters)
            more = False
            if len(named) < len(levels):
                # Levels selected as the most frequent have overestimated shares
                # (regression to the mean): one half of the clusters selects them, and the
                # other half estimates their shares.
                n_clusters = int(clusters.max()) + 1
                more = True
                order = np.random.default_rng(SEED).permutation(n_clusters)
                counted = order[clusters] >= n_clusters // 2
                named = _common_levels(np.where(counted, MISSING, codes), clusters)
            known = {"levels": [levels[k] for k in named], "more": more}
        draft = msgspec.structs.replace(draft, **known)
        shares, rows, _ = draft.shares_of(column[counted], samples.take(counted))
        return msgspec.structs.replace(draft, shares=shares.tolist(), rows=rows)

    def shares_of(
        self, column: pd.Series, samples: Samples
    ) -> tuple[Floats, float, float]:
        """Estimate the share of each bin or level, and of values not seen in training.

        Not seen in training are numbers out of range and unknown levels. The second value
        is the effective sample size of the shares.
        """
        if self.edges is not None:
            values = self.numbers(column)
            n_bins = max(len(self.edges) - 1, 1)
            bins = np.searchsorted(self.edges[1:-1], values, side="right")
            bins[np.isnan(values)] = n_bins
            new = (values < self.edges[0]) | (values > self.edges[-1])
        else:
            names = self.levels or []
            n_bins = len(names)
            places = {level: float(place) for place, level in enumerate(names)}
            known = as_written(places, MISSING)
            bins = look_up(column, known, NEW, MISSING).values[:, 0].astype(np.int64)
            new = (bins == NEW) & (not self.more)
            bins[bins < 0] = n_bins
        shares, rows = bin_shares(bins, n_bins + 1, samples)
        # Variances of few clusters are uncertain: the square of Student's quantile.
        rows /= widening(samples) ** 2
        return shares, rows, float(np.average(new, weights=samples.weights))

    def draw(self, n: int, rng: np.random.Generator) -> Any:
        """Draw stratified values (n,) from the distribution; missing values are None."""
        shares = np.cumsum(self.shares)
        quantiles = rng.permutation((np.arange(n) + 0.5) / n) * shares[-1]
        bins = np.searchsorted(shares, quantiles).clip(max=len(shares) - 1)
        if self.edges is None:
            return np.array([*(self.levels or []), None], dtype=object)[bins]
        lower = np.append(0.0, shares)[bins]
        tiny = 1e-300
        within = (quantiles - lower) / np.maximum(shares[bins] - lower, tiny)
        low = np.append(self.edges[:-1] or self.edges, np.nan)[bins]
        high = np.append(self.edges[1:] or self.edges, np.nan)[bins]
        values = low + within.clip(0.0, 1.0) * (high - low)
        content_type = self.content[0]
        if content_type == "number":
            return values
        if content_type == "boolean":
            return np.rint(values)
        times = pd.to_timedelta(values, "s")
        return times + pd.Timestamp(0) if content_type == "date" else times

    def as_written(self, number: float) -> str:
        """Format a number of the column: dates and times as such."""
        content_type = self.content[0]
        if content_type == "date":
            return f"{pd.Timestamp(number, unit='s'):%Y-%m-%d}"
        if content_type in ("number", "boolean"):
            return f"{number:.6g}"
        return str(pd.to_timedelta(number, "s")).removeprefix("0 days ")

    def numbers(self, column: pd.Series) -> Floats:
        """Convert a column to numbers (n,), NaN for missing values."""
        content_type, date_format = self.content
        if content_type == "date":
            dates, _ = read_dates(column, date_format)
            return np.asarray(
                (dates - pd.Timestamp(0)).dt.total_seconds(), dtype=np.float64
            )
        return read_numbers(column, written=content_type)[0]  # type: ignore[arg-type]


class Reference(msgspec.Struct, frozen=True):
    """Reference: cross-validated figures reported when the model was selected.

    ``cost`` is the expected cost per row, with standard error ``error``, for the cost
    matrix ``costs`` (r, r), or (r, r + 1) with a referral, under the priors if given.
    ``confusion``, of the same shape, has the shares of all rows under these priors.
    ``trained`` (r,) are the class shares under which the model's probabilities are
    calibrated. The figures are based on ``n_rows`` rows in ``n_units`` independent rows or groups;
    ``columns`` are the distributions of the table's columns, ``sets`` calibrates
    prediction sets, and limits hold in each group of the columns ``by_columns``. The costs
    are the linearisation of a ``metric``, if the model was selected for one.
    """

    costs: list[list[float]] | None
    cost: float
    error: float
    confusion: list[list[float]]
    trained: list[float]
    limits: list[LimitReached]
    n_rows: int
    n_units: int
    columns: list[Profile]
    sets: SetWeights | None = None
    by_columns: list[str] = []
    metric: str | None = None

    def describe_cost(self, cost: float) -> str:
        """Describe a mean cost and the reference cost."""
        of_metric = "" if self.metric is None else f" (costs that optimise {self.metric})"
        return f"mean cost {cost:.3g}{of_metric}, {self.cost:.3g} at selection"

    def background(self) -> pd.DataFrame:
        """Draw background rows (100, m) from the marginal distributions of the columns."""
        rng = np.random.default_rng(SEED)
        n_drawn = 100
        return pd.DataFrame(
            {profile.name: profile.draw(n_drawn, rng) for profile in self.columns}
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


def profiles_of(samples: Samples) -> list[Profile]:
    """Estimate the distribution of each column of a table."""
    rows = in_clusters(samples)
    return [Profile.of(column, rows) for _, column in as_frame(samples.X).items()]


def used_profiles(model: Model, profiles: list[Profile]) -> list[Profile]:
    """Select the profiles of the columns that a model uses."""
    first: Any = next(iter(steps_of(model.columns)), None)
    if not hasattr(first, "inputs"):
        return profiles
    names = {column.name for column in first.inputs}
    return [profile for profile in profiles if profile.name in names]


def in_clusters(samples: Samples) -> Samples:
    """Replace groups by the clusters of cross-validation, and drop features."""
    return replace(samples, X=np.empty((len(samples), 0)), groups=samples.cv_groups)


def bin_shares(bins: Integers, n_bins: int, samples: Samples) -> tuple[Floats, float]:
    """Estimate the shares of bins, and their effective sample size.

    Rao & Scott (1984, Annals of Statistics 12, 46-60): the covariance of shares p of n
    independent rows is (diag(p) - p p') / n; for weighted rows in clusters it is
    estimated by the sandwich. The ratio of their Frobenius norms is the design effect if
    that is equal for all bins, and a conservative value otherwise.
    """
    shares = (
        np.bincount(bins, samples.weights, n_bins) / samples.sample_weight_or_ones.sum()
    )
    n_clusters = len(np.unique(np.asarray(samples.groups)))
    if n_clusters == 1 or (samples.weights is None and n_clusters == len(samples)):
        return shares, float(n_clusters)
    is_in = np.arange(n_bins)[:, None] == bins
    influences = samples.sum_by_cluster(is_in - shares[:, None])
    clustered = np.linalg.norm(np.atleast_2d(np.cov(influences))) / n_clusters
    independent = np.linalg.norm(np.diag(shares) - np.outer(shares, shares))
    if not clustered > 0.0:  # all clusters in the same bins
        return shares, float(n_clusters)
    return shares, min(float(independent / clustered), float(len(samples)))


def _bin_edges(values: Floats) -> Floats:
    """Compute bin edges at quantiles, or one bin per value if there are few.

    A bin begins at its lower edge; the last one holds the highest value, too.
    """
    different = np.unique(values[~np.isnan(values)])
    n_bins = 10
    if len(different) <= n_bins:
        return np.append(different, different[-1:])
    return np.unique(np.nanquantile(values, np.linspace(0.0, 1.0, n_bins + 1)))


def _common_levels(codes: Integers, clusters: Integers) -> Integers:
    """Return the most frequent levels that occur in several clusters, by their number.

    Rarer levels could identify persons.
    """
    known = codes >= 0
    n_clusters = int(clusters.max()) + 1
    pairs = np.unique(codes[known] * n_clusters + clusters[known])
    sizes = np.bincount(pairs // n_clusters)
    # Named levels of a column; rarer ones are merged, as are levels in too few clusters.
    most_levels = 30
    common = np.argsort(-sizes, kind="stable")[:most_levels]
    fewest_rows = 5
    return common[sizes[common] >= fewest_rows]

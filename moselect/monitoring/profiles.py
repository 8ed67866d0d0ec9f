"""Training distributions of the columns of a table, compared with later rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.budgets import INSPECTION
from moselect.inference.standard_errors import bin_shares, in_clusters, widening
from moselect.predictor import Model
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame, read_content
from moselect.tables.features import ColumnContent, steps_of
from moselect.tables.levels import as_written, look_up, read_levels

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
            edges = _bin_edges(draft.numbers(column)).tolist()
            draft = msgspec.structs.replace(draft, edges=edges)
        else:
            codes, levels = read_levels(column)
            clusters = np.asarray(samples.groups)
            named = _common_levels(codes, clusters)
            more = len(named) < len(levels)
            if more:
                # Levels selected as the most frequent have overestimated shares
                # (regression to the mean): one half of the clusters selects them, and the
                # other half estimates their shares.
                n_clusters = int(clusters.max()) + 1
                order = np.random.default_rng(SEED).permutation(n_clusters)
                counted = order[clusters] >= n_clusters // 2
                named = _common_levels(np.where(counted, MISSING, codes), clusters)
            names = [levels[k] for k in named]
            draft = msgspec.structs.replace(draft, levels=names, more=more)
        shares, rows, _ = draft.shares_of(column[counted], samples.take(counted))
        return msgspec.structs.replace(draft, shares=shares.tolist(), rows=rows)

    @property
    def n_bins(self) -> int:
        """Number of bins or levels."""
        return len(self.levels or []) if self.edges is None else len(self.edges) - 1

    def bins_of(self, column: pd.Series) -> tuple[Integers, Booleans]:
        """Find the bin or level of each value, and whether it was not seen in training.

        Not seen in training are numbers out of range and unknown levels.
        """
        if self.edges is not None:
            values = self.numbers(column)
            bins = np.searchsorted(self.edges[1:-1], values, side="right")
            bins[np.isnan(values)] = self.n_bins
            new = (values < self.edges[0]) | (values > self.edges[-1])
        else:
            levels = self.levels or []
            places = {level: float(place) for place, level in enumerate(levels)}
            known = as_written(places, MISSING)
            bins = look_up(column, known, NEW, MISSING).values[:, 0].astype(np.int64)
            new = (bins == NEW) & (not self.more)
            bins[bins < 0] = self.n_bins
        return bins, new

    def shares_of(
        self, column: pd.Series, samples: Samples
    ) -> tuple[Floats, float, float]:
        """Estimate the share of each bin or level, and of values not seen in training.

        The second value is the effective sample size of the shares.
        """
        bins, new = self.bins_of(column)
        shares, rows = bin_shares(bins, self.n_bins + 1, samples)
        # Variances of few clusters are uncertain: the square of Student's quantile.
        rows /= widening(samples) ** 2
        return shares, rows, float(np.average(new, weights=samples.weights))

    def draw(self, n: int, rng: np.random.Generator) -> Any:
        """Draw stratified values (n,) from the distribution; missing values are None."""
        shares = np.cumsum(self.shares)
        quantiles = rng.permutation((np.arange(n) + 0.5) / n) * shares[-1]
        if self.edges is None:
            bins = np.searchsorted(shares, quantiles).clip(max=len(shares) - 1)
            return np.array([*(self.levels or []), None], dtype=object)[bins]
        # The quantile function is linear in each bin; the last share is of missing values.
        starts = np.append(0.0, shares[:-1])
        values = np.interp(quantiles, starts, self.edges, right=np.nan)
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
        content = ColumnContent(content_type, date_format)  # type: ignore[arg-type]
        return read_content(column, content)[0]


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


# Familywise error rate: if nothing has changed, some column is flagged in 5 % of
# tables.
FAMILYWISE_LEVEL = 0.05


def column_drift(profiles: Sequence[Profile], samples: Samples) -> pd.DataFrame:
    """Compare the distribution of each column with training, by total variation distance.

    The null distribution of the distance is simulated: both tables are drawn from the
    common shares, with their effective sample sizes. The bounds are Bonferroni-corrected.
    """
    rng = np.random.default_rng(0)
    rows = {}
    n_columns = max(len(profiles), 1)
    n_draws = max(INSPECTION.drift_draws, INSPECTION.drift_draws_per_column * n_columns)
    clusters = in_clusters(samples)
    for profile in profiles:
        if profile.name not in samples.X:
            continue
        then = np.array(profile.shares)
        now, n_now, outside = profile.shares_of(samples.X[profile.name], clusters)
        distance = float(np.abs(now - then).sum() / 2.0)
        common = (n_now * now + profile.rows * then) / (n_now + profile.rows)
        sizes = [max(1, round(n)) for n in (n_now, profile.rows)]
        first, second = (rng.multinomial(n, common, n_draws) / n for n in sizes)
        distances = np.abs(first - second).sum(axis=1) / 2.0
        # Weibull's plotting position: a further draw exceeds this order statistic with that
        # probability.
        unchanged = np.quantile(
            distances, 1.0 - FAMILYWISE_LEVEL / n_columns, method="weibull"
        )
        rows[profile.name] = (outside, distance, unchanged, bool(distance > unchanged))
    names = ["outside", "distance", "unchanged", "drifted"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def range_counts(profiles: Sequence[Profile], table: pd.DataFrame) -> pd.DataFrame:
    """Count the values outside the training range of each column.

    Parameters
    ----------
    profiles : sequence of Profile
        Training distributions of the columns, as in the reference of a model.
    table : DataFrame
        Later rows. Columns without a profile are ignored.

    Returns
    -------
    DataFrame
        A row a column: the number of values ``outside`` and of all ``known`` ones, and the
        ``lowest`` and ``highest`` of these.
    """
    counts: dict[str, list[float]] = {}
    for profile in profiles:
        if profile.edges is None or profile.name not in table:
            continue
        values = profile.numbers(table[profile.name])
        known = values[np.isfinite(values)]
        low, *_, high = profile.edges
        outside = int(((known < low) | (known > high)).sum())
        ends = known.min(initial=np.inf), known.max(initial=-np.inf)
        counts[profile.name] = [outside, len(known), *ends]
    columns = ["outside", "known", "lowest", "highest"]
    return pd.DataFrame.from_dict(counts, orient="index", columns=columns)


MAX_REMARKS = 5


def range_remarks(
    profiles: Sequence[Profile], blocks: Iterable[pd.DataFrame]
) -> list[str]:
    """Describe columns with values outside their training range, in their own units.

    Parameters
    ----------
    profiles : sequence of Profile
        Training distributions of the columns.
    blocks : iterable of DataFrame
        Counts of some rows each, as of `range_counts`.

    Returns
    -------
    list of str
        At most five, the columns with most values outside first, and how many more there
        are.
    """
    by_column = pd.concat(blocks).groupby(level=0, sort=False)
    counts = by_column.agg(
        {"outside": "sum", "known": "sum", "lowest": "min", "highest": "max"}
    )
    counts = counts[counts["outside"] > 0]
    most_first = counts.sort_values("outside", ascending=False, kind="stable")
    by_name = {profile.name: profile for profile in profiles}
    texts = []
    for name, outside, known, *ends in most_first.itertuples():
        profile = by_name[name]
        assert profile.edges is not None
        training, here = (
            " to ".join(map(profile.as_written, values))
            for values in ((profile.edges[0], profile.edges[-1]), ends)
        )
        texts.append(
            f"'{name}': {outside:.0f} of {known:.0f} rows are outside the training range "
            f"{training} (here {here})"
        )
    n_more = len(texts) - MAX_REMARKS
    if n_more > 0:
        texts[MAX_REMARKS:] = [f"{n_more} more columns have values outside their range"]
    return texts


N_BINS = 10


def _bin_edges(values: Floats) -> Floats:
    """Compute bin edges at quantiles, or one bin per value if there are few.

    A bin begins at its lower edge; the last one holds the highest value, too.
    """
    different = np.unique(values[~np.isnan(values)])
    if len(different) <= N_BINS:
        return np.append(different, different[-1:])
    return np.unique(np.nanquantile(values, np.linspace(0.0, 1.0, N_BINS + 1)))


# Named levels of a column; rarer ones are merged, as are levels in too few clusters.
MAX_LEVELS = 30
MIN_ROWS_OF_A_LEVEL = 5


def _common_levels(codes: Integers, clusters: Integers) -> Integers:
    """Return the most frequent levels that occur in several clusters, by their number.

    Rarer levels could identify persons.
    """
    known = codes >= 0
    n_clusters = int(clusters.max()) + 1
    pairs = np.unique(codes[known] * n_clusters + clusters[known])
    sizes = np.bincount(pairs // n_clusters)
    common = np.argsort(-sizes, kind="stable")[:MAX_LEVELS]
    return common[sizes[common] >= MIN_ROWS_OF_A_LEVEL]

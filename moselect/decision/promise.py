"""The reference of a selected model: figures and shares of its columns, no rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.columns.cells import as_frame, find_content, read_dates, read_numbers
from moselect.columns.levels import as_written, look_up, read_levels
from moselect.decision.limits import LimitReached
from moselect.samples import Samples

N_BINS = 10
SEED, N_DRAWN, TINY = 0, 100, 1e-300
MOST_LEVELS = 30  # of a column; the rarer ones are one, as are those of fewer clusters
FEWEST_ROWS = 5
MISSING, NEW = -1, -2  # places of cells without a level, and of levels without a name


class Profile(msgspec.Struct, frozen=True):
    """How a column of the table was distributed.

    Of what is read as a number, ``content`` says how, ``edges`` (b + 1,) and the shares
    of the bins between them; of others the shares of ``levels``, of which there may have
    been ``more``. The last share is that of missing values and of levels that are not
    named. The shares are as well known as those of so many independent ``rows``.
    """

    name: str
    content: tuple[str, str]  # kind and format of dates, as `find_content` has them
    shares: list[float]
    rows: float
    edges: list[float] | None = None
    levels: list[str] | None = None
    more: bool = False

    @classmethod
    def of(cls, column: pd.Series, samples: Samples) -> Profile:
        """Describe a column of a table, the rows of which are ``samples`` in clusters."""
        content = find_content(column)
        draft = cls(str(column.name), (content.kind, content.date_format), [], 0.0)
        counted = np.ones(len(column), dtype=np.bool_)
        if content.kind != "levels" and column.notna().any():
            edges = _bin_edges(draft._numbers(column))
            known: dict[str, Any] = {"edges": edges.tolist()}
        else:
            codes, levels = read_levels(column)
            clusters = np.asarray(samples.groups)
            named, more = _common_levels(codes, clusters), False
            if len(named) < len(levels):
                # The most frequent levels of a sample are less frequent in others. One half of
                # the clusters names the levels, and the other one counts them.
                n_clusters, more = int(clusters.max()) + 1, True
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
        """Estimate the share of each bin or level, and of cells that are new.

        New are numbers beyond the range, and levels that no row had. The second value is
        the number of independent rows that would know the shares as well.
        """
        if self.edges is not None:
            values = self._numbers(column)
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
        return shares, rows, float(np.average(new, weights=samples.weights))

    def draw(self, n: int, rng: np.random.Generator) -> Any:
        """Draw cells (n,) evenly from what the column was; missing ones are None."""
        shares = np.cumsum(self.shares)
        quantiles = rng.permutation((np.arange(n) + 0.5) / n) * shares[-1]
        bins = np.searchsorted(shares, quantiles).clip(max=len(shares) - 1)
        if self.edges is None:
            return np.array([*(self.levels or []), None], dtype=object)[bins]
        lower = np.append(0.0, shares)[bins]
        within = (quantiles - lower) / np.maximum(shares[bins] - lower, TINY)
        low = np.append(self.edges[:-1] or self.edges, np.nan)[bins]
        high = np.append(self.edges[1:] or self.edges, np.nan)[bins]
        values = low + within.clip(0.0, 1.0) * (high - low)
        kind = self.content[0]
        if kind == "number":
            return values
        if kind == "boolean":
            return np.rint(values)
        times = pd.to_timedelta(values, "s")
        return times + pd.Timestamp(0) if kind == "date" else times

    def _numbers(self, column: pd.Series) -> Floats:
        """Return a column as numbers (n,), NaN where there is none."""
        kind, date_format = self.content
        if kind == "date":
            dates, _ = read_dates(column, date_format)
            return np.asarray(
                (dates - pd.Timestamp(0)).dt.total_seconds(), dtype=np.float64
            )
        return read_numbers(column, written=kind)[0]  # type: ignore[arg-type]


class Promise(msgspec.Struct, frozen=True):
    """Figures on new data that were reported of a model when it was selected.

    ``cost`` is expected, with ``error`` as its standard error, by the ``costs`` (r, r),
    or (r, r + 1) with a referral, where classes have the priors that were given as their
    shares. The ``confusion`` of that shape holds shares of all rows there, too. The
    probabilities of the model hold where classes have the shares ``trained`` (r,). The
    figures come from ``n_units`` independent rows or groups, ``columns`` from the table.
    """

    costs: list[list[float]] | None
    cost: float
    error: float
    confusion: list[list[float]]
    trained: list[float]
    limits: list[LimitReached]
    n_units: int
    columns: list[Profile]

    def background(self) -> pd.DataFrame:
        """Draw rows (100, m) with columns distributed as they were, each by itself."""
        rng = np.random.default_rng(SEED)
        return pd.DataFrame(
            {profile.name: profile.draw(N_DRAWN, rng) for profile in self.columns}
        )


def profiles_of(samples: Samples) -> list[Profile]:
    """Describe the columns of a table of samples."""
    rows = in_clusters(samples)
    return [Profile.of(column, rows) for _, column in as_frame(samples.X).items()]


def in_clusters(samples: Samples) -> Samples:
    """Replace groups by the clusters that no fold divides, and leave features out."""
    return replace(samples, X=np.empty((len(samples), 0)), groups=samples.undivided)


def bin_shares(bins: Integers, n_bins: int, samples: Samples) -> tuple[Floats, float]:
    """Estimate the shares of bins, and from how many independent rows they are as good.

    Rao & Scott (1984, Annals of Statistics 12, 46-60): the covariance of shares p of n
    independent rows is (diag(p) - p p') / n; that of weighted rows in clusters is
    estimated by the sandwich. Their Frobenius norms are compared, which is the mean
    design effect if it is the same for all bins, and more, on the safe side, if not.
    """
    shares = np.bincount(bins, samples.weights, n_bins) / samples.each_weight.sum()
    n_clusters = len(np.unique(np.asarray(samples.groups)))
    if n_clusters == 1 or (samples.weights is None and n_clusters == len(samples)):
        return shares, float(n_clusters)
    is_in = np.arange(n_bins)[:, None] == bins
    influences = samples.of_units(is_in - shares[:, None])
    clustered = np.linalg.norm(np.atleast_2d(np.cov(influences))) / n_clusters
    independent = np.linalg.norm(np.diag(shares) - np.outer(shares, shares))
    if not clustered > 0.0:  # all clusters in the same bins
        return shares, float(n_clusters)
    return shares, min(float(independent / clustered), float(len(samples)))


def _bin_edges(values: Floats) -> Floats:
    """Return edges between bins of equal shares, or of few different values one bin each.

    A bin begins at its lower edge; the last one holds the highest value, too.
    """
    different = np.unique(values[~np.isnan(values)])
    if len(different) <= N_BINS:
        return np.append(different, different[-1:])
    return np.unique(np.nanquantile(values, np.linspace(0.0, 1.0, N_BINS + 1)))


def _common_levels(codes: Integers, clusters: Integers) -> Integers:
    """Return the most frequent levels that occur in several clusters, by their number.

    Rarer ones name persons.
    """
    known = codes >= 0
    n_clusters = int(clusters.max()) + 1
    pairs = np.unique(codes[known] * n_clusters + clusters[known])
    sizes = np.bincount(pairs // n_clusters)
    common = np.argsort(-sizes, kind="stable")[:MOST_LEVELS]
    return common[sizes[common] >= FEWEST_ROWS]

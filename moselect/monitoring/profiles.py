"""Training distributions of the columns of a table, compared with later rows."""

from collections.abc import Collection, Sequence

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.budgets import INSPECTION
from moselect.inference.standard_errors import bin_shares, in_clusters, widening
from moselect.predictor.reference import SEED, Profile
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame
from moselect.tables.levels import as_written, read_levels

# codes of missing values, and of levels that are not named
MISSING = -1
NEW = -2


def profile_of(column: pd.Series, samples: Samples) -> Profile:
    """Estimate the distribution of a column, given its samples in clusters."""
    content = samples.content_of(str(column.name))
    draft = Profile(
        str(column.name), (content.content_type, content.date_format), [], 0.0
    )
    counted = np.ones(len(column), bool)
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
            n_clusters = clusters.max() + 1
            order = np.random.default_rng(SEED).permutation(n_clusters)
            counted = order[clusters] >= n_clusters // 2
            named = _common_levels(np.where(counted, MISSING, codes), clusters)
        names = [levels[k] for k in named]
        draft = msgspec.structs.replace(draft, levels=names, more=more)
    shares, rows, _ = shares_of(draft, column[counted], samples.take(counted))
    return msgspec.structs.replace(draft, shares=shares.tolist(), rows=rows)


def bins_of(profile: Profile, column: pd.Series) -> tuple[Integers, Booleans]:
    """Find the bin or level of each value, and whether it was not seen in training.

    Not seen in training are numbers out of range and unknown levels.
    """
    if profile.edges is not None:
        values = profile.numbers(column)
        bins = np.searchsorted(profile.edges[1:-1], values, side="right")
        bins[np.isnan(values)] = profile.n_bins
        new = (values < profile.edges[0]) | (values > profile.edges[-1])
    else:
        places = {level: place for place, level in enumerate(profile.levels or [])}
        known = as_written(places, MISSING)
        codes, found = read_levels(column)
        bins = np.array([*(known.get(level, NEW) for level in found), MISSING])[codes]
        new = (bins == NEW) & (not profile.more)
        bins[bins < 0] = profile.n_bins
    return bins, new


def shares_of(
    profile: Profile, column: pd.Series, samples: Samples
) -> tuple[Floats, float, float]:
    """Estimate the share of each bin or level, and of values not seen in training.

    The second value is the effective sample size of the shares.
    """
    bins, new = bins_of(profile, column)
    shares, rows = bin_shares(bins, profile.n_bins + 1, samples)
    # Variances of few clusters are uncertain: the square of Student's quantile.
    rows /= widening(samples) ** 2
    return shares, rows, np.average(new, weights=samples.weights)


def profiles_of(samples: Samples, used: Collection[str] | None) -> list[Profile]:
    """Estimate the distribution of each column of a table in use, or of all for None."""
    rows = in_clusters(samples)
    return [
        profile_of(column, rows)
        for name, column in as_frame(samples.X).items()
        if used is None or name in used
    ]


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
        now, n_now, outside = shares_of(profile, samples.X[profile.name], clusters)
        distance = np.abs(now - then).sum() / 2.0
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
    n_clusters = clusters.max() + 1
    pairs = np.unique(codes[known] * n_clusters + clusters[known])
    sizes = np.bincount(pairs // n_clusters)
    common = np.argsort(-sizes, kind="stable")[:MAX_LEVELS]
    return common[sizes[common] >= MIN_ROWS_OF_A_LEVEL]

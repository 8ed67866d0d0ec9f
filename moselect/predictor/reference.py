"""Reference figures that a model's file keeps of its selection, and training distributions."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Array, Floats
from moselect.budgets import INSPECTION
from moselect.costs.limits import LimitReached, split_limit
from moselect.listing import rounded
from moselect.predictor.predictions import SetWeights
from moselect.tables.amounts import column_of_part
from moselect.tables.cells import read_content
from moselect.tables.features import ColumnContent

SEED = 0


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

    @property
    def n_bins(self) -> int:
        """Number of bins or levels."""
        return len(self.levels or []) if self.edges is None else len(self.edges) - 1

    def draw(self, n: int, rng: np.random.Generator) -> Array | pd.Index:
        """Draw stratified values (n,) from the distribution; missing values are None."""
        shares = np.cumsum(self.shares)
        quantiles = rng.permutation((np.arange(n) + 0.5) / n) * shares[-1]
        if self.edges is None:
            bins = np.searchsorted(shares, quantiles).clip(max=len(shares) - 1)
            return np.array([*(self.levels or []), None], object)[bins]
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
            return str(pd.Timestamp(number, unit="s")).removesuffix(" 00:00:00")
        if content_type in ("number", "boolean"):
            return f"{number:.6g}"
        return str(pd.to_timedelta(number, "s")).removeprefix("0 days ")

    def numbers(self, column: pd.Series) -> Floats:
        """Convert a column to numbers (n,), NaN for missing values."""
        content_type, date_format = self.content
        content = ColumnContent(content_type, date_format)  # type: ignore[arg-type]
        return read_content(column, content)[0]


def range_counts(
    profiles: Sequence[Profile], numbers: Mapping[str, Floats]
) -> pd.DataFrame:
    """Count the values outside the training range of each column.

    Parameters
    ----------
    profiles : sequence of Profile
        Training distributions of the columns, as in the reference of a model.
    numbers : mapping of str to ndarray of shape (n,)
        Numbers of the columns of later rows, as of `predict_table`. Columns without a
        profile are ignored.

    Returns
    -------
    DataFrame
        A row a column: the number of values ``outside`` and of all ``known`` ones, and the
        ``lowest`` and ``highest`` of these.
    """
    counts: dict[str, list[float]] = {}
    for profile in profiles:
        if profile.edges is None or profile.name not in numbers:
            continue
        values = numbers[profile.name]
        known = values[np.isfinite(values)]
        low, *_, high = profile.edges
        outside = int(((known < low) | (known > high)).sum())
        ends = known.min(initial=np.inf), known.max(initial=-np.inf)
        counts[profile.name] = [outside, len(known), *ends]
    return pd.DataFrame.from_dict(counts, orient="index", columns=[*JOINED_BY])


MAX_REMARKS = 5
# Figures of a column, and how those of blocks of rows become those of all rows
JOINED_BY = {"outside": "sum", "known": "sum", "lowest": "min", "highest": "max"}


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
    counts = pd.concat(blocks).groupby(level=0, sort=False).agg(JOINED_BY)
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


class Reference(msgspec.Struct, frozen=True):
    """Reference: cross-validated figures reported when the model was selected, but no rows.

    ``cost`` is the expected cost per row, with standard error ``error``, for the cost
    matrix ``costs`` (r, r), or (r, r + 1) with a referral, under the priors if given.
    ``confusion``, of the same shape, has the shares of all rows under these priors.
    ``trained`` (r,) are the class shares under which the model's probabilities are
    calibrated. The figures are based on ``n_rows`` rows in ``n_units`` independent rows or groups;
    ``columns`` are the distributions of the table's columns, and ``sets`` calibrates
    prediction sets. ``calibration`` is by `calibration_covariance`. The costs are the
    linearisation of a ``metric``, if the model was selected for one. ``ratios`` (r,) are
    the priors over the class shares of the table, if there are any. ``class_errors``
    (r, 2) are standard errors of the share of each class in use, and of the share of it
    that is found.
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
    class_errors: list[list[float]]
    sets: SetWeights | None = None
    metric: str | None = None
    calibration: list[list[float]] | None = None
    ratios: list[float] | None = None

    @property
    def table_columns(self) -> list[str]:
        """Columns of the table; one with two numbers in a cell is one, of two profiles."""
        return list(dict.fromkeys(column_of_part(each.name) for each in self.columns))

    @property
    def by_columns(self) -> list[str]:
        """Columns in whose groups limits hold."""
        return sorted({split_limit(limit.words)[1] for limit in self.limits} - {""})

    def describe_cost(self, cost: float, within: str = "") -> str:
        """Describe a mean cost, with an interval if given, and the reference cost."""
        of_metric = "" if self.metric is None else f" (costs that optimise {self.metric})"
        return f"mean cost {rounded(cost)}{within}{of_metric}, {rounded(self.cost)} at selection"

    def background(self) -> pd.DataFrame:
        """Draw background rows (100, m) from the marginal distributions of the columns."""
        rng = np.random.default_rng(SEED)
        return pd.DataFrame(
            {
                profile.name: profile.draw(INSPECTION.background_rows, rng)
                for profile in self.columns
            }
        )

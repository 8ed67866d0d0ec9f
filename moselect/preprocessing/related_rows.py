"""Remarks on related rows: copies, near copies, and rows of one person or thing."""

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from moselect._types import Floats, Integers
from moselect.listing import setting, short
from moselect.samples.duplicates import (
    explained_by_coincidence,
    neighbours_of,
)
from moselect.samples.samples import Samples
from moselect.samples.serial import correlation_length
from moselect.tables.cells import ISO, MOST_LEVELS, as_frame, read_content
from moselect.tables.date_formats import first_days
from moselect.tables.features import ColumnContent, Schema
from moselect.tables.schema import are_integers, named_like, names_a_thing

# Rows of a value of a column that identifies persons or things, on average.
ROWS_OF_A_THING = (1.2, 50.0)
FEWEST_THINGS = 10


def related_row_remarks(samples: Samples) -> Iterator[str]:
    """Report rows that may be related although folds divide them, with the option for it.

    Nothing is reported if groups or times are given.
    """
    if samples.copy_groups is None:
        return
    # A row that its count repeats is one row, and so are copies that share a fold.
    units = samples.rows if samples.groups is None else samples.groups
    samples = samples.take(np.unique(units, return_index=True)[1])  # type: ignore[call-overload]
    groups = _group_remark(samples)
    if groups is not None:
        yield f"MS102: {groups}"
        return
    X = samples.observed
    found = neighbours_of(X, samples.codes)
    if found is None:
        return
    # Equal rows of several columns that coincidence explains in part only are doubtful, if
    # the figures depend on them.
    is_doubtful = X.shape[1] > 1 and explained_by_coincidence(X) < 1.0
    if is_doubtful and found.with_duplicates > found.accuracy + 0.1:
        yield (
            "MS107: rows that are equal in all features count as independent: the nearest row has "
            f"the same class in {found.with_duplicates:.0%} of rows, the nearest that differs in "
            f"{found.accuracy:.0%}; if equal rows are copies of one case, keep them in one fold "
            "(groups=cases)"
        )
    if found.has_approximate_duplicates:
        yield (
            f"MS108: {found.close:.0%} of rows have a near copy, {found.expected_close:.0%} by "
            "chance, and folds divide them: the nearest row has the same class in "
            f"{found.accuracy:.0%} of rows, one beyond near copies in {found.beyond_close:.0%}, "
            "as new rows may; if they are of one case, keep them in one fold (groups=cases)"
        )


def duplicates_remark(samples: Samples, n_duplicates: int) -> str:
    """Report copies that are kept in one fold, with the option for independent rows."""
    found = neighbours_of(samples.observed, samples.codes)
    figures = ""
    if found is not None:
        figures = (
            f"; the nearest row has the same class in {found.accuracy:.0%} of rows, "
            f"{found.with_duplicates:.0%} if copies are divided"
        )
    return (
        f"MS107: {n_duplicates:,} of {len(samples):,} rows count as duplicates (equal in "
        "features): they share a fold, and count once in standard errors, unlike rows with a "
        f"count as weight{figures}; if they are independent: groups=range(len(X))"
    )


# Words at the end of names of whole numbers, of more values than a year has months.
TIMES = {"date", "period", "month", "week", "quarter", "wave"}
MONTHS = 12
LATER = 0.3  # share of the rows that are held out if times are given
MIN_LENGTH = 2.0  # rows: a shorter memory hardly reaches from one row to the next


def time_remarks(frame: pd.DataFrame, codes: Integers, contents: Schema) -> list[str]:
    """Report times along which classes (n,) change, although folds mix earlier and later rows.

    ``contents`` are those of the columns in use.
    """
    remarks = []
    # of a year in another column; 0 if there are none
    months = frame.filter(regex="(?i)^month$").select_dtypes("number").sum(axis=1)
    # Rows of the same time have no order, whatever that of the file.
    shuffled = np.random.default_rng(0).permutation(len(codes))
    for name, content in contents.items():
        times = _times(frame[name], content)
        if name.lower() == "year":
            times = times + months.to_numpy() / MONTHS
        order = shuffled[np.argsort(times[shuffled])]
        ordered = codes[order][: np.isfinite(times).sum()]
        if correlation_length(ordered) > MIN_LENGTH:
            lag = int(LATER * len(ordered))
            next_row, later = (np.mean(ordered[k:] == ordered[:-k]) for k in (1, lag))
            remarks.append(
                f"MS109: classes change along '{short(name)}', and folds mix earlier and later "
                f"rows: the next row has the same class in {next_row:.0%} of rows, one {LATER:.0%} "
                f"of the rows later in {later:.0%}; if the model is to predict later ones, "
                f"evaluate it on these ({setting('time', [name])})"
            )
    return remarks


def _times(column: pd.Series, content: ColumnContent) -> Floats:
    """Return the times (n,) in a column: dates, quarters, years, or numbers named like times.

    All NaN if there are none.
    """
    if content.content_type == "levels":
        days = first_days(column)
        if days is None:
            return np.full(len(column), np.nan)
        column, content = days, ColumnContent("date", ISO)
    values = read_content(column, content)[0]
    present = np.unique(values[np.isfinite(values)])
    is_named = len(present) > MONTHS and named_like(str(column.name), TIMES, ())
    are_years = len(present) and present[0] >= 1900.0 and present[-1] <= 2100.0
    if content.content_type == "date" or is_named or are_years:
        return values
    return np.full(len(values), np.nan)


# share of rows that repeat an identifier
MIN_REPEATED = 0.05
MOST_PAIRED = 10  # columns, those of most values
# A column, or two, as the index (n,) of each row's value, what to say of them, and the groups.
Things = tuple[Integers, str, str]


def _group_remark(samples: Samples) -> str | None:
    """Describe the column, or the two, that identify the persons or things of several rows.

    By its name, or because classes of equal values agree by more than a trend, or because most
    other columns hardly vary within one. Of several the one with most values.
    """
    frame = as_frame(samples.X)
    n = len(frame)
    residuals = samples.codes - samples.codes.mean()
    things = list[Things]()
    keys = dict[str, Integers]()
    for name in map(str, frame):
        content = samples.content_of(name)
        if content.excluded:
            continue
        places, is_measured = _places(frame[name], content)
        n_values = int(places.max()) + 1
        if not is_measured:
            keys[name] = places
        if name in keys and names_a_thing(name):
            is_thing = FEWEST_THINGS <= n_values <= (1.0 - MIN_REPEATED) * n
        elif not _may_be_things(places):
            is_thing = False
        elif is_measured:
            is_thing = _differ(places, residuals, Z_MEASURED)
        else:
            others = frame.drop(columns=name)
            is_thing = _differ(places, residuals, Z_KEY) or _resemble(others, places)
        if is_thing:
            things.append((places, f"'{short(name)}' has", f"X[{name!r}]"))
    things = things or list(_pairs_of_things(keys, residuals))
    if not things:
        return None
    places, names, groups = max(things, key=lambda thing: thing[0].max())
    return (
        f"{names} {places.max() + 1:,} values in {n:,} rows, and folds divide them: the other "
        f"rows of a value tell the class of {_share_predicted(samples, places):.0%} of rows, the "
        f"most frequent class {samples.class_sizes.max() / n:.0%}; if new rows have other values, "
        f"keep rows of equal value in one fold (groups={groups}), or estimates are too optimistic"
    )


def _pairs_of_things(keys: Mapping[str, Integers], codes: Floats) -> Iterator[Things]:
    """Find pairs of keys whose values differ in class (n,) beyond the effects of each."""
    paired = sorted(keys, key=lambda name: -keys[name].max())[:MOST_PAIRED]
    for first, second in combinations(paired, 2):
        cells = keys[first] * len(codes) + keys[second]
        places = np.unique(cells, return_inverse=True)[1]
        if not _may_be_things(places):
            continue
        residuals = codes
        for values in (keys[first], keys[second]):
            means = np.bincount(values, residuals) / np.bincount(values)
            residuals = residuals - means[values]
        if _differ(places, residuals, Z_PAIR):
            names = f"'{short(first)}' and '{short(second)}' together have"
            yield places, names, "cases"


def _may_be_things(places: Integers) -> bool:
    """Whether more values than a category has levels repeat, with several rows each."""
    sizes = np.bincount(places)
    least, most = ROWS_OF_A_THING
    return (sizes > 1).sum() > MOST_LEVELS and bool(least <= sizes.mean() <= most)


# Share of the variance, and standard errors, by which the covariance within values exceeds that
# with the next ones. Pairs of columns are many, and measurements repeat for other reasons.
MIN_SHARE = 0.1
Z_KEY = 2.58
Z_PAIR = 3.29
Z_MEASURED = 4.26


def _differ(places: Integers, residuals: Floats, min_z: float) -> bool:
    """Test whether residuals (n,) agree within values by more than a trend along them.

    ``places`` (n,) are the indices of the values in ascending order. Rows of one value share
    its effect and the trend, rows of two adjacent ones the trend alone: the difference of the
    covariances is the variance of the effects.
    """
    sizes = np.bincount(places)
    sums = np.bincount(places, residuals)
    squares = np.bincount(places, residuals**2)
    repeated = sizes > 1
    within = (sums**2 - squares)[repeated] / (sizes[repeated] - 1)
    around, n_around = (
        np.convolve(of_values, [1, 0, 1], "same") for of_values in (sums, sizes)
    )
    effects = within - (sums * around / n_around)[repeated]
    std_error = effects.std() * np.sqrt(len(effects))
    least = max(min_z * std_error, MIN_SHARE * squares[repeated].sum())
    return bool(effects.sum() > least)


def _share_predicted(samples: Samples, places: Integers) -> float:
    """Compute the share of rows whose class is the most frequent of the others of their value."""
    codes = samples.codes
    counts = np.zeros((places.max() + 1, samples.n_classes))
    np.add.at(counts, (places, codes), 1.0)
    others = counts[places] - np.eye(samples.n_classes)[codes]
    # Of a value of one row, and of classes alike in number, the most frequent class.
    others += samples.class_sizes / (1.0 + len(codes))
    return float(np.mean(others.argmax(axis=1) == codes))


def _places(column: pd.Series, content: ColumnContent) -> tuple[Integers, bool]:
    """Return the index (n,) of each cell's value among all, ascending, and if it is measured.

    Missing cells are one value, the last. Dates, and numbers other than integers, are
    measurements.
    """
    is_measured = False
    if content.content_type == "levels":
        values: pd.Series | Floats = column.map(str, na_action="ignore")
    else:
        values = read_content(column, content)[0]
        is_date = content.content_type == "date"
        is_measured = is_date or not are_integers(values[np.isfinite(values)])
    return pd.factorize(values, sort=True, use_na_sentinel=False)[0], is_measured


def _resemble(others: pd.DataFrame, places: Integers) -> bool:
    """Whether most other columns hardly vary within the values of a column.

    Their variance within values is less than a tenth of the variance of all rows. Columns that
    follow the order of the values, as an amount and its square do, do not count.
    """
    rng = np.random.default_rng(0)
    sizes = np.bincount(places)
    votes = []
    for name in others:
        column = others[name]
        if is_numeric_dtype(column.dtype):
            values = column.rank(na_option="top").to_numpy(float)
        else:
            # A random number for each level: pairs of rows agree in it if they agree in level.
            levels = pd.factorize(column)[0]
            values = rng.normal(size=levels.max() + 2)[levels]
        means = np.bincount(places, values) / sizes
        within = ((values - means[places]) ** 2).sum() / max(1, len(places) - len(sizes))
        # von Neumann's ratio: 1 for means in random order
        follows = np.mean(np.diff(means) ** 2) / 2.0 < means.var() / 2.0
        if values.var() > 0.0:
            votes.append(within < 0.1 * values.var() and not follows)
    return bool(votes and np.mean(votes) > 0.5)

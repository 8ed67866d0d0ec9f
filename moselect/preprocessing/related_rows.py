"""Remarks on related rows: copies, near copies, and rows of one person or thing."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from moselect._types import Floats, Integers
from moselect.datasets.roles import MIN_LEAK_AUC, best_aucs
from moselect.listing import short
from moselect.preprocessing.integer_columns import differ_beyond_trend
from moselect.samples.duplicates import explained_by_coincidence, neighbours_of
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame, read_content
from moselect.tables.features import ColumnContent
from moselect.tables.schema import are_integers, names_a_thing

# Rows of a value of a column that identifies persons or things, on average.
ROWS_OF_A_THING = (1.2, 50.0)
FEWEST_THINGS = 10
# Variance of classes within the values of such a column, relative to that left by a trend.
MAX_WITHIN = 0.8
# Error of the class told by equal measurements, relative to that told by the next ones.
MAX_ERROR = 0.75


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


# share of rows that repeat an identifier
MIN_REPEATED = 0.05


def _group_remark(samples: Samples) -> str | None:
    """Describe the column that identifies the persons or things of several rows, if any.

    By its name; or by its values, text or integers: the other columns hardly vary within
    one, or classes differ between them more than along them. Measurements, such as a height,
    must also tell the class better than the next ones do, as a trend along them is common.
    Of several the one with most values, and how well a value tells the class of its rows.
    """
    frame = as_frame(samples.X)
    n = len(frame)
    most_frequent = samples.class_sizes.max() / n
    found: tuple[int, str, float] = (0, "", 0.0)
    for name in map(str, frame):
        places, is_measured = _places(frame[name], samples.content_of(name))
        n_values = int(places.max()) + 1
        if not max(FEWEST_THINGS, found[0] + 1) <= n_values <= (1.0 - MIN_REPEATED) * n:
            continue
        is_named = names_a_thing(name) and not is_measured
        least, most = ROWS_OF_A_THING
        if not (is_named or least <= n / n_values <= most):
            continue
        share = _share_predicted(samples, places)
        tells_class = share > most_frequent and differ_beyond_trend(
            places, samples.codes, MAX_WITHIN
        )
        if tells_class and is_measured:
            by_next = max(most_frequent, _share_predicted(samples, places, step=1))
            is_copied = len(frame.drop_duplicates()) <= n_values
            tells_class = 1.0 - share < MAX_ERROR * (1.0 - by_next) and not is_copied
        if tells_class and samples.content_of(name).content_type != "levels":
            # Not its values but their order may tell the class, as points tell a grade.
            tells_class = best_aucs(places[:, None], samples.codes)[0] <= MIN_LEAK_AUC
        if (
            is_named
            or tells_class
            or (not is_measured and _resemble(frame.drop(columns=name), places))
        ):
            found = n_values, name, share
    n_values, name, share = found
    if not n_values:
        return None
    return (
        f"'{short(name)}' has {n_values:,} values in {n:,} rows, and folds divide "
        f"them: the other rows of a value tell the class of {share:.0%} of rows, the most "
        f"frequent class {most_frequent:.0%}; if new rows have other values, "
        f"keep rows of equal value in one fold (groups=X[{name!r}]), or estimates are too "
        "optimistic"
    )


def _share_predicted(samples: Samples, places: Integers, step: int = 0) -> float:
    """Compute the share of rows whose class is the most frequent of the others of their value.

    With a ``step`` of 1, of the rows of the two next values.
    """
    codes = samples.codes
    counts = np.zeros((places.max() + 3, samples.n_classes))
    np.add.at(counts, (places + 1, codes), 1.0)
    own = np.eye(samples.n_classes)[codes] * (step == 0)
    others = (counts[places + 1 - step] + counts[places + 1 + step]) / 2.0 - own
    # A value of one row tells nothing: the most frequent class takes its place.
    predicted = np.where(
        others.any(axis=1), others.argmax(axis=1), samples.class_sizes.argmax()
    )
    return float(np.mean(predicted == codes))


def _places(column: pd.Series, content: ColumnContent) -> tuple[Integers, bool]:
    """Return the index (n,) of each cell's value among all, ascending, and if it is measured.

    Missing cells are one value, the last; excluded columns have -1. Dates, and numbers other
    than integers, are measurements.
    """
    if content.excluded:
        return np.full(len(column), -1), False
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

"""Remarks on rows that belong together: copies, near copies, and rows of a person or thing."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.listing import short
from moselect.preprocessing.cells import as_frame, read_content
from moselect.preprocessing.integer_columns import differ_beyond_trend
from moselect.preprocessing.levels import read_levels
from moselect.preprocessing.roles import Diagnostic
from moselect.preprocessing.schema import are_integers, names_a_thing
from moselect.samples.duplicates import (
    MIN_EXPLAINED,
    explained_by_coincidence,
    has_identifying_levels,
)
from moselect.samples.features import ColumnContent
from moselect.samples.neighbours import Neighbours
from moselect.samples.samples import Samples

# Rows of a value of a column that identifies persons or things, on average.
ROWS_OF_A_THING = (1.2, 50.0)
FEWEST_THINGS = 10


def related_row_remarks(samples: Samples) -> Iterator[str]:
    """Report rows that may belong together although folds divide them, with the option for it.

    Nothing is reported if groups or times are given.
    """
    if samples.copy_groups is None:
        return
    # A row that an integer weight repeats is one row, and so are copies that share a fold.
    units = samples.rows if samples.groups is None else samples.groups
    samples = samples.take(np.unique(units, return_index=True)[1])  # type: ignore[call-overload]
    name = _group_column(samples)
    if name is not None:
        yield Diagnostic.GROUPS.remark(_group_text(samples, name))
        return
    observed = samples.observed
    neighbours = Neighbours.of(observed, samples.codes)
    if neighbours is None:
        return
    if samples.groups is None and _may_be_copies(samples, neighbours):
        yield Diagnostic.DUPLICATES.remark(
            f"{np.isfinite(neighbours.of_copies).mean():.0%} of rows are equal to others in all "
            "features, and count as independent: the nearest row has the same class in "
            f"{neighbours.accuracy_with_copies:.0%} of rows, the nearest that differs in "
            f"{neighbours.accuracy:.0%}; if they are copies of one case, keep them in one fold "
            "(groups=cases)"
        )
    if neighbours.has_near_copies:
        yield Diagnostic.NEAR_COPIES.remark(
            f"{neighbours.are_near.mean():.0%} of rows have a near copy in another fold, "
            f"{neighbours.expected_near:.0%} by chance: the nearest row has the same class in "
            f"{neighbours.accuracy:.0%} of rows, one beyond near copies in "
            f"{neighbours.accuracy_without_near:.0%}, as new rows may; if they are of one "
            "case, keep them in one fold (groups=cases)"
        )


def duplicates_remark(samples: Samples, n_duplicates: int) -> str:
    """Report copies that are kept in one fold, with the option for independent rows."""
    text = f"{n_duplicates:,} of {len(samples):,} rows count as duplicates (equal in features)"
    neighbours = Neighbours.of(samples.observed, samples.codes)
    figures = ""
    if neighbours is not None:
        figures = (
            f"; the nearest row has the same class in {neighbours.accuracy:.0%} of rows, "
            f"{neighbours.accuracy_with_copies:.0%} if copies are divided"
        )
    return Diagnostic.DUPLICATES.remark(
        f"{text}: they share a fold, and count once in standard errors, unlike rows with an "
        f"integer weight{figures}; if they are independent: groups=range(len(X))"
    )


def _may_be_copies(samples: Samples, neighbours: Neighbours) -> bool:
    """Whether coincidence explains equal rows in part only, and it matters for the figures.

    It does if the accuracies of copies and of other neighbours differ by three standard errors.
    """
    gain = neighbours.accuracy_with_copies - neighbours.accuracy
    error = np.sqrt(0.25 / len(neighbours.agreement))
    if gain < 3.0 * error:
        return False
    X = samples.observed
    explained = explained_by_coincidence(X)
    # The repeats of a single column tell nothing.
    return bool(
        X.shape[1] > 1
        and explained < 1.0
        and (explained >= MIN_EXPLAINED or has_identifying_levels(X))
    )


def _group_column(samples: Samples) -> str | None:
    """Return the column that identifies the persons or things of several rows, if any.

    By its name; or by its values, text or integers: the other columns hardly vary within
    one, or classes differ between them more than along them.
    """
    frame = as_frame(samples.X)
    n = len(frame)
    found: dict[str, int] = {}
    for name, column in frame.items():
        content = samples.content_of(str(name))
        if content.excluded or content.content_type not in ("levels", "number"):
            continue
        places, is_ordered = _places(column, content)
        n_values = int(places.max()) + 1 if len(places) else 0
        is_named = names_a_thing(str(name))
        # share of rows that repeat an identifier
        min_repeated = 0.05
        if n_values < FEWEST_THINGS or n_values > (1.0 - min_repeated) * n:
            continue
        least, most = ROWS_OF_A_THING
        if is_named or (
            least <= n / n_values <= most
            and (places >= 0).all()
            and (
                differ_beyond_trend(places, samples.codes)
                or _resemble(samples, str(name), places, is_ordered)
            )
        ):
            found[str(name)] = n_values
    return max(found, key=found.__getitem__) if found else None


def _group_text(samples: Samples, name: str) -> str:
    """Describe a column of groups, and how well a value tells the class of its rows."""
    places, _ = _places(as_frame(samples.X)[name], samples.content_of(name))
    codes = samples.codes
    counts = np.zeros((places.max() + 2, samples.n_classes))
    np.add.at(counts, (places, codes), 1.0)
    others = counts[places] - np.eye(samples.n_classes)[codes]
    # A value of one row tells nothing: the most frequent class takes its place.
    overall = counts.sum(axis=0)
    known = others.sum(axis=1) > 0.0
    told = np.where(known, others.argmax(axis=1), overall.argmax())
    return (
        f"'{short(name)}' has {places.max() + 1:,} values in {len(codes):,} rows, and folds "
        f"divide them: the other rows of a value tell the class of {np.mean(told == codes):.0%} "
        f"of rows, the most frequent class {overall.max() / len(codes):.0%}; if new rows have "
        f"other values, keep rows of equal value in one fold (groups=X[{name!r}]), or estimates "
        "are too optimistic"
    )


def _places(column: pd.Series, content: ColumnContent) -> tuple[Integers, bool]:
    """Return the index (n,) of each cell's value, and whether the values are in order.

    Missing cells have -1, and so have all numbers of a column that are no integers.
    """
    if content.content_type == "levels":
        places, levels = read_levels(column)
        # Levels in random order: a table may be sorted by class.
        order = np.random.default_rng(0).permutation(len(levels))
        return np.append(order, -1)[places], False
    values = read_content(column, content)[0]
    known = np.isfinite(values)
    places = np.full(len(values), -1)
    if are_integers(values[known]):
        places[known] = np.unique(values[known], return_inverse=True)[1]
    return places, True


def _resemble(samples: Samples, name: str, places: Integers, is_ordered: bool) -> bool:
    """Whether most other columns hardly vary within the values of a column.

    Their variance within values is less than a tenth of that of all rows. Columns that follow
    ordered values, as an amount and its square do, are not counted.
    """
    most_rows = 20_000
    rng = np.random.default_rng(0)
    kept = rng.random(places.max() + 1)[places] < most_rows / len(places)
    frame = as_frame(samples.X).loc[kept].drop(columns=name)
    columns = [_numbers(column, rng) for _, column in frame.items()]
    places = np.unique(places[kept], return_inverse=True)[1]
    n_values = places.max() + 1 if len(places) else 0
    if not n_values < len(places):
        return False
    sizes = np.bincount(places)
    votes = []
    for values in columns:
        variance = values.var()
        if variance == 0.0:
            continue
        means = np.bincount(places, values) / sizes
        within = ((values - means[places]) ** 2).sum() / (len(places) - n_values)
        # von Neumann's ratio: 1 for means in random order
        follows = is_ordered and np.mean(np.diff(means) ** 2) / 2.0 < means.var() / 2.0
        votes.append(within < 0.1 * variance and not follows)
    return np.mean(votes) > 0.5 if votes else False


def _numbers(column: pd.Series, rng: np.random.Generator) -> Floats:
    """Return ranks of numbers, and a random number for each level (n,)."""
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column.rank(na_option="top").to_numpy(np.float64)
    places = pd.factorize(column)[0]
    return np.append(rng.normal(size=places.max() + 1), 0.0)[places]

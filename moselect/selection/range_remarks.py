"""Remarks on values outside the range of the training data."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from moselect.selection.reference import Profile


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
    most_remarks = 5
    n_more = len(texts) - most_remarks
    if n_more > 0:
        texts[most_remarks:] = [f"{n_more} more columns have values outside their range"]
    return texts

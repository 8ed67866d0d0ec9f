"""Remarks on values outside the range of the training data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from moselect.selection.reference import Profile


def range_remarks(profiles: Sequence[Profile], table: pd.DataFrame) -> list[str]:
    """Describe columns with values outside their training range, in their own units.

    Parameters
    ----------
    profiles : sequence of Profile
        Training distributions of the columns, as in the reference of a model.
    table : DataFrame
        Later rows. Columns without a profile are ignored.

    Returns
    -------
    list of str
        At most five, the columns with most values outside first, and how many more there
        are.
    """
    remarks: dict[str, int] = {}  # each with its number of values outside the range
    for profile in profiles:
        if profile.edges is None or profile.name not in table:
            continue
        values = profile.numbers(table[profile.name])
        known = values[np.isfinite(values)]
        low, *_, high = profile.edges
        outside = int(((known < low) | (known > high)).sum())
        if outside:
            training, here = (
                " to ".join(map(profile.as_written, ends))
                for ends in ((low, high), (known.min(), known.max()))
            )
            remarks[
                f"'{profile.name}': {outside} of {len(known)} rows lie outside the training range "
                f"{training} (here {here})"
            ] = outside
    texts = sorted(remarks, key=lambda text: -remarks[text])
    most_remarks = 5
    n_more = len(texts) - most_remarks
    if n_more > 0:
        texts[most_remarks:] = [f"{n_more} more columns have values outside their range"]
    return texts

"""Rows of the tables that are stored by split."""

from __future__ import annotations

import pandas as pd


def rows_of_split(
    name: str, split: int, found: dict[str, float], selected: str, seconds: float
) -> pd.DataFrame:
    """Return a row for each value of a split, by its method."""
    return pd.DataFrame(
        {
            "set": name,
            "split": split,
            "method": list(found),
            "value": list(found.values()),
            "selected": selected,
            "seconds": round(seconds, 1),
        }
    )

"""A second row of names, or of units, below the names of columns."""

from __future__ import annotations

import pandas as pd


def has_second_header(cells: pd.DataFrame, texts: pd.DataFrame) -> bool:
    """Return whether the second row is text where other rows have numbers or dates.

    ``cells`` are the first rows of a table, names included, and ``texts`` says which of them are
    text. A row of data with words for what is missing has some of them in common with other rows.
    """
    rest = cells.iloc[2:]
    if rest.empty:
        return False
    typed = (rest.notna() & ~texts.iloc[2:]).any()
    second = cells.iloc[1]
    return bool(
        texts.iloc[0].all()
        and (texts.iloc[1] | second.isna()).all()
        and (texts.iloc[1] & typed).any()
        and not rest.eq(second).any(axis=None)
    )

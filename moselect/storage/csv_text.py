"""Tables as text."""

from __future__ import annotations

import csv

import pandas as pd

from moselect.datasets import Reading

# How our own tables are written, whatever their names and values look like.
FORMAT: Reading = {"separator": ",", "decimal": ".", "encoding": "utf-8"}


def as_csv(table: pd.DataFrame, separator: str = ",") -> bytes:
    r"""Return a table as it stands in a CSV file, without its index.

    Examples
    --------
    >>> as_csv(pd.DataFrame({"score": [0.5], "class": ["low"]}))
    b'score,class\n0.5,low\n'
    """
    text = table.to_csv(index=False, sep=separator, lineterminator="\n")
    if "\r" in text:  # Python quotes a line feed by itself, but a carriage return ends a row, too
        text = table.to_csv(
            index=False, sep=separator, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC
        )
    return text.encode()

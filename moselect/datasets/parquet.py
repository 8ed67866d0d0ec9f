"""Column names of Parquet files, and types that these do not keep."""

from collections.abc import Collection
from io import BytesIO

import pandas as pd


def stored_names(content: bytes, wanted: Collection[str]) -> list[str] | None:
    """Return the stored names of the wanted columns; None, for all, if one is missing."""
    from pyarrow import parquet

    stored = parquet.read_schema(BytesIO(content)).names
    found = [name for name in stored if name.strip() in wanted]
    return found if len(found) == len({*wanted}) else None


def unordered_columns(content: bytes, table: pd.DataFrame) -> list[str]:
    """Return columns of Parquet that pandas wrote as ordered categories of numbers."""
    from pyarrow import parquet

    written = parquet.read_schema(BytesIO(content)).pandas_metadata or {}
    ordered = {
        str(column["name"]).strip()
        for column in written.get("columns", ())
        if (column["metadata"] or {}).get("ordered")
    }
    return [name for name in table.select_dtypes("number") if name in ordered]

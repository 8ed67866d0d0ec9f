"""Read Parquet and Feather files, and find types that these do not keep."""

from collections.abc import Collection
from functools import partial
from io import BytesIO
from typing import Any

import pandas as pd


def read_arrow(
    content: bytes, file_format: str, wanted: Collection[str] | None
) -> pd.DataFrame:
    """Read a table, from Parquet with the wanted columns only, by default all."""
    reader: Any = pd.read_parquet if file_format == "Parquet" else pd.read_feather
    try:
        if wanted is not None and file_format == "Parquet":
            reader = partial(reader, columns=_stored_names(content, wanted))
        table: pd.DataFrame = reader(BytesIO(content))
    except ImportError:
        raise ValueError(
            f"{file_format} needs pyarrow: pip install 'moselect[parquet]'"
        ) from None
    return table


def _stored_names(content: bytes, wanted: Collection[str]) -> list[str] | None:
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

"""Read Parquet and Feather files, and find orders that these do not keep."""

from collections.abc import Collection
from io import BytesIO

import pandas as pd


def read_arrow(
    content: bytes, file_format: str, wanted: Collection[str] | None
) -> tuple[pd.DataFrame, set[str]]:
    """Read a table, and the names of columns that pandas wrote as ordered categories.

    From Parquet only the wanted columns are read, unless one is missing.
    """
    try:
        if file_format != "Parquet":
            return pd.read_feather(BytesIO(content)), set()
        from pyarrow import parquet

        schema = parquet.read_schema(BytesIO(content))
        names = {*(wanted or ())}
        found = [name for name in schema.names if name.strip() in names]
        columns = found if found and len(found) == len(names) else None
        table = pd.read_parquet(BytesIO(content), columns=columns)
    except ImportError:
        raise ValueError(
            f"{file_format} needs pyarrow: pip install 'moselect[parquet]'"
        ) from None
    ordered = {
        str(column["name"]).strip()
        for column in (schema.pandas_metadata or {}).get("columns", ())
        if (column["metadata"] or {}).get("ordered")
    }
    return table, ordered

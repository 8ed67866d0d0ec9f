"""Rows of a search in its run folder: columns of any type as plain arrays, read only once."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd
from msgspec import Struct

from moselect._types import Array, Document
from moselect.datasets import Dataset
from moselect.io.archives import DOCUMENT, pack, read_archive
from moselect.io.atomic import write_file
from moselect.io.run_record import TABLE, UNFINISHED

# Types of cells by name, and how each is read from its text. Others are kept as text.
CELL_TYPES: dict[str, Callable[[str], object]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": lambda text: text == "True",
    "int64": np.int64,
    "float64": np.float64,
    "NoneType": lambda _: None,
    "NAType": lambda _: pd.NA,
    "NaTType": lambda _: pd.NaT,
    "Timestamp": pd.Timestamp,
    "Timedelta": pd.Timedelta,
    "datetime": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "timedelta": lambda text: pd.Timedelta(text).to_pytimedelta(),
    "Decimal": Decimal,
}
NUMBERS_AND_TIMES = "biufMm"  # kinds of numpy
TARGET = "target"  # array of a file, as are features by number, and roles
SOURCE_ROWS = "source rows"
ATTRIBUTES = ("units", "dates", "bin_edges")  # of a table, and of a target


class StoredColumn(Struct, frozen=True, omit_defaults=True):
    """Name and type of a column, whose array has its values, or places among ``levels``.

    Levels are the distinct cells, each the name of a type and text: 1 and 1.0 differ. Those of
    categories are in their order, -1 is missing, and ``ordered`` is None for other columns.
    """

    name: str
    dtype: str
    levels: list[tuple[str, str]] | None = None
    ordered: bool | None = None


class StoredTable(Struct, frozen=True):
    """Document of a data set: all but its cells and the fields of the record of a run."""

    labels: tuple[str | int | float | bool, ...]
    notes: tuple[str, ...]
    weight_type: str | None
    attributes: Document
    target_attributes: Document
    columns: dict[str, StoredColumn]  # features in their order, and others, by array
    roles: list[str]


def write_dataset(folder: Path, data: Dataset) -> Path:
    """Write the rows of a search into a run folder, or that of its unfinished search.

    Rows that the search wrote at its beginning are copied at its end. Returns the path.
    """
    path = folder / TABLE.format(data.fingerprint)
    begun = folder / UNFINISHED / path.name
    write_file(path, begun.read_bytes() if begun.is_file() else pack_dataset(data))
    return path


def pack_dataset(data: Dataset) -> bytes:
    """Write a data set to an archive in memory, without the index of its table."""
    columns = {f"feature {j}": column for j, (_, column) in enumerate(data.X.items())}
    roles = {role: each for role, each in data.roles.items() if role != "weight_type"}
    pairs = {
        name: _store(column)
        for name, column in {**columns, TARGET: data.y, **roles}.items()
    }
    stored = StoredTable(
        data.labels,
        data.notes,
        data.roles.get("weight_type"),
        _attributes(data.X),
        _attributes(data.y),
        {name: column for name, (column, _) in pairs.items()},
        [*roles],
    )
    arrays = {name: values for name, (_, values) in pairs.items()}
    if data.source_rows is not None:
        arrays[SOURCE_ROWS] = data.source_rows
    document = msgspec.json.encode(stored, enc_hook=lambda value: value.tolist())
    arrays[DOCUMENT] = np.frombuffer(document, np.uint8)
    return pack(arrays, compressed=False)


def read_dataset(folder: Path, record: Document) -> Dataset:
    """Read the rows of a recorded search; ValueError if they are missing or damaged.

    No cell is parsed again.
    """
    data = record["data"]
    arrays = read_archive(folder / TABLE.format(data["fingerprint"]))
    stored = msgspec.json.decode(arrays[DOCUMENT].tobytes(), type=StoredTable)
    columns = {
        name: _restore(each, arrays[name]) for name, each in stored.columns.items()
    }
    roles: Document = {role: columns.pop(role) for role in stored.roles}
    if stored.weight_type is not None:
        roles["weight_type"] = stored.weight_type
    y = columns.pop(TARGET)
    y.attrs.update(stored.target_attributes)
    X = pd.DataFrame({each.name: each for each in columns.values()})
    X.attrs.update(stored.attributes)
    return Dataset(
        data["name"],
        X,
        y,
        stored.labels,
        data["target"],
        stored.notes,
        roles,
        data["n_source_rows"],
        arrays.get(SOURCE_ROWS),
    )


def _attributes(table: pd.DataFrame | pd.Series) -> Document:
    return {name: table.attrs[name] for name in ATTRIBUTES if name in table.attrs}


def _store(column: pd.Series) -> tuple[StoredColumn, Array]:
    """Return the description of a column, and its array."""
    name = str(column.name)
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in NUMBERS_AND_TIMES:
        return StoredColumn(name, dtype.str), column.to_numpy()
    ordered = None
    cells = column
    if isinstance(dtype, pd.CategoricalDtype):
        ordered = bool(dtype.ordered)
        cells = dtype.categories.to_series()
    pairs = [(type(cell).__name__, str(cell)) for cell in cells.astype(object)]
    places, levels = pd.factorize(pd.Series(pairs, dtype=object))
    are_known = all(cell_type in CELL_TYPES for cell_type, _ in levels)
    stored = [pair if pair[0] in CELL_TYPES else ("str", pair[1]) for pair in levels]
    type_name = str(cells.dtype) if are_known else "object"
    array = places.astype(np.min_scalar_type(len(levels)))
    if ordered is not None:
        array = column.cat.codes.to_numpy()
    return StoredColumn(name, type_name, stored, ordered), array


def _restore(stored: StoredColumn, values: Array) -> pd.Series:
    """Return a column from its description and its array."""
    if stored.levels is None:
        return pd.Series(values, name=stored.name)
    cells = [CELL_TYPES[cell_type](text) for cell_type, text in stored.levels]
    if stored.ordered is not None:
        categories = pd.Index(cells, dtype=stored.dtype)
        column = pd.Categorical.from_codes(values, categories, ordered=stored.ordered)
        return pd.Series(column, name=stored.name)
    levels = np.empty(len(cells), object)
    levels[:] = cells
    return pd.Series(levels[values], name=stored.name, dtype=stored.dtype)
